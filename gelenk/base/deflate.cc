#include "gelenk/base/deflate.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <stdexcept>

namespace gelenk {
namespace {

constexpr int kRawWindowBits = -15;  // negative: no head, no check sum
constexpr int kMemoryLevel = 8;      // zlib's own choice
constexpr std::size_t kMostAtOnce = std::numeric_limits<uInt>::max() / 2;

// zlib never writes to its input.
Bytef* input_of(std::string_view bytes) { return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data())); }

}  // namespace

struct Deflater::Stream {
  z_stream state{};
  std::array<char, 65536> buffer{};

  void run(std::string_view bytes, int mode, std::string& out) {
    state.next_in = input_of(bytes);
    state.avail_in = static_cast<uInt>(bytes.size());
    int result = Z_OK;
    do {
      state.next_out = reinterpret_cast<Bytef*>(buffer.data());
      state.avail_out = static_cast<uInt>(buffer.size());
      result = ::deflate(&state, mode);
      out.append(buffer.data(), buffer.size() - state.avail_out);
    } while (state.avail_out == 0 || (mode == Z_FINISH && result == Z_OK));
  }
};

Deflater::Deflater() : stream_(std::make_unique<Stream>()) {
  if (::deflateInit2(&stream_->state, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kRawWindowBits, kMemoryLevel,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
}

Deflater::~Deflater() { ::deflateEnd(&stream_->state); }

void Deflater::add(std::string_view bytes, std::string& out) {
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, kMostAtOnce);
    stream_->run(piece, Z_NO_FLUSH, out);
    bytes.remove_prefix(piece.size());
  }
}

void Deflater::finish(std::string& out) { stream_->run({}, Z_FINISH, out); }

std::optional<std::string> inflate_bytes(std::string_view bytes, std::size_t max_bytes) {
  if (bytes.size() > kMostAtOnce) return std::nullopt;
  z_stream state{};
  if (::inflateInit2(&state, kRawWindowBits) != Z_OK) throw std::bad_alloc();
  state.next_in = input_of(bytes);
  state.avail_in = static_cast<uInt>(bytes.size());
  std::string out;
  std::array<char, 65536> buffer{};
  int result = Z_OK;
  while (result == Z_OK && out.size() <= max_bytes) {
    state.next_out = reinterpret_cast<Bytef*>(buffer.data());
    state.avail_out = static_cast<uInt>(buffer.size());
    result = ::inflate(&state, Z_NO_FLUSH);
    out.append(buffer.data(), buffer.size() - state.avail_out);
  }
  ::inflateEnd(&state);
  if (result != Z_STREAM_END || out.size() > max_bytes) return std::nullopt;
  return out;
}

}  // namespace gelenk
