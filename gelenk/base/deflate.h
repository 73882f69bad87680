#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gelenk {

// Compresses bytes that come in pieces: raw deflate (RFC 1951), without a head. The same bytes give the same result
// however they are cut.
class Deflater {
 public:
  Deflater();
  ~Deflater();
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  // What has become ready is appended to `out`.
  void add(std::string_view bytes, std::string& out);
  // The rest. Nothing may be added afterwards.
  void finish(std::string& out);

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

// What was compressed; nothing when the bytes are damaged, cut off, or become more than `max_bytes`.
std::optional<std::string> inflate_bytes(std::string_view bytes, std::size_t max_bytes);

}  // namespace gelenk
