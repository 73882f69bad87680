#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/view/http_target.h"
#include "gelenk/view/viewer_data.h"

namespace gelenk::view {

// What a server is made of. Functions are called on the thread that is in run().
struct ServerParts {
  std::string_view page;  // HTML, at "/"; lives as long as the server
  std::string token;      // what every request but that for the page must know
  // GET below "/api/".
  std::function<Answer(const HttpTarget&)> get;
  // POST below "/api/"; without it there is none.
  std::function<Answer(const HttpTarget&, std::string body)> post{};
  std::size_t most_post_bytes = std::size_t{1} << 30;
  // What a live follower gets first, as JSON texts.
  std::function<std::vector<std::string>()> greeting{};
  // A word of somebody who follows live: "pause".
  std::function<void(std::string_view)> command{};
  // How long somebody who wants to follow live may wait with the token.
  double greeting_seconds = 5.0;
};

// Serves the page and its data on 127.0.0.1, to who knows the token, and to nobody else: requests with another host
// name or from other pages (Origin) are refused. Nobody is waited for: who reads too slowly misses poses, who does not
// say who he is loses his place (places.h).
class Server {
 public:
  static constexpr std::size_t kMostHeadBytes = 8192;
  static constexpr std::size_t kMostMessageBytes = 4096;  // from who follows live

  // Any free port. Null with a sentence in `error`.
  static std::unique_ptr<Server> open(ServerParts parts, std::string& error);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t port() const;
  std::string address() const;  // with the token

  // Answers until `is_over` says so; it is asked about `tick_seconds` apart.
  void run(const std::function<bool()>& is_over, double tick_seconds);

  // To all who follow live, from inside of run(). Texts come in order and all of them; of bytes the newest.
  void announce(const std::string& text);
  void show(const std::string& bytes);
  // The run is over: says good bye.
  void close_followers();
  std::size_t follower_count() const;

 private:
  class Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace gelenk::view
