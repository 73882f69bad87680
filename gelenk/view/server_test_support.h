#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gelenk/view/server.h"

namespace gelenk::view {

inline constexpr const char* kToken = "0123456789abcdef";
inline constexpr const char* kPage = "<!doctype html><title>page</title>";

// For what happens soon on another thread. False: it did not.
template <class IsThere>
bool wait_until(const IsThere& is_there) {
  constexpr auto kPatience = std::chrono::seconds(20);
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!is_there()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

// A server that works beside the test.
class ServerThread {
 public:
  explicit ServerThread(ServerParts parts) {
    parts.page = kPage;
    parts.token = kToken;
    if (!parts.get) parts.get = [this](const HttpTarget& target) { return answer(nothing_, target); };
    std::string error;
    server_ = Server::open(std::move(parts), error);
    EXPECT_TRUE(server_) << error;
    thread_ = std::thread([this] { server_->run([this] { return do_deeds(); }, kTick); });
  }
  ~ServerThread() {
    is_over_ = true;
    thread_.join();
  }
  ServerThread(const ServerThread&) = delete;
  ServerThread& operator=(const ServerThread&) = delete;

  std::uint16_t port() const { return server_->port(); }
  std::string host() const { return "127.0.0.1:" + std::to_string(port()); }
  std::string address() const { return server_->address(); }

  // Does something where only the thread of the server may, and waits for it.
  void inside(std::function<void(Server&)> deed) {
    std::promise<void> done;
    std::future<void> future = done.get_future();
    {
      const std::lock_guard lock(mutex_);
      deeds_.push_back([&](Server& server) {
        deed(server);
        done.set_value();
      });
    }
    future.wait();
  }

  std::size_t follower_count() {
    std::size_t count = 0;
    inside([&](Server& server) { count = server.follower_count(); });
    return count;
  }

 private:
  static constexpr double kTick = 0.002;  // s

  bool do_deeds() {
    std::vector<std::function<void(Server&)>> deeds;
    {
      const std::lock_guard lock(mutex_);
      deeds.swap(deeds_);
    }
    for (const auto& deed : deeds) deed(*server_);
    return is_over_;
  }

  ViewerData nothing_{.scene = "{}", .runs = {}, .messages = {}};
  std::unique_ptr<Server> server_;
  std::mutex mutex_;
  std::vector<std::function<void(Server&)>> deeds_;
  std::atomic<bool> is_over_{false};
  std::thread thread_;
};

// Somebody who says to the server what he likes, byte by byte.
class Caller {
 public:
  struct Reply {
    unsigned status = 0;  // 0: the server hung up
    std::string body;
    boost::beast::http::fields head;
  };

  explicit Caller(std::uint16_t port) { socket_.connect({boost::asio::ip::address_v4::loopback(), port}); }

  // The server may have hung up already.
  void say(const std::string& bytes) {
    boost::system::error_code ignored;
    boost::asio::write(socket_, boost::asio::buffer(bytes), ignored);
  }

  Reply hear() {
    namespace http = boost::beast::http;
    boost::system::error_code problem;
    http::response<http::string_body> response;
    http::read(socket_, buffer_, response, problem);
    if (problem) return {};
    return {response.result_int(), response.body(), response.base()};
  }

  Reply ask(const std::string& bytes) {
    say(bytes);
    return hear();
  }

  boost::asio::ip::tcp::socket& socket() { return socket_; }

 private:
  boost::asio::io_context context_;
  boost::asio::ip::tcp::socket socket_{context_};
  boost::beast::flat_buffer buffer_;
};

}  // namespace gelenk::view
