#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

// Numbers as bytes and back, exactly: for states that are stored and continued. Little-endian, as all machines that the
// project runs on; a file from another kind would be refused by its checksum only after it was read wrongly, so this is
// asserted.
namespace gelenk {

static_assert(std::endian::native == std::endian::little);

class ByteWriter {
 public:
  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void put(T value) { append(&value, sizeof value); }
  // The number of elements goes first.
  template <class T>
  requires std::is_arithmetic_v<T>
  void put(std::span<const T> values) {
    put(static_cast<std::uint64_t>(values.size()));
    append(values.data(), values.size_bytes());
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(std::span<const T>(values));
  }
  void put(std::string_view text) { put(std::span<const char>(text)); }

  const std::string& bytes() const { return bytes_; }

 private:
  void append(const void* data, std::size_t size) { bytes_.append(static_cast<const char*>(data), size); }

  std::string bytes_;
};

// After the first thing that is not there, everything reads as zero and is_good() is false.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void get(T& value) {
    value = T{};
    if constexpr (std::is_same_v<T, bool>) {
      value = get<std::uint8_t>() != 0;  // any other byte in a bool is undefined behavior
    } else {
      extract(&value, sizeof value);
    }
  }
  template <class T>
  T get() {
    T value{};
    get(value);
    return value;
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void get(std::vector<T>& values) {
    values.clear();
    const auto count = get<std::uint64_t>();
    if (count > bytes_.size() / sizeof(T)) is_good_ = false;
    if (!is_good_) return;
    values.resize(count);
    extract(values.data(), count * sizeof(T));
  }
  void get(std::string& text) {
    text.clear();
    const auto count = get<std::uint64_t>();
    if (count > bytes_.size()) is_good_ = false;
    if (!is_good_) return;
    text.resize(count);
    extract(text.data(), count);
  }

  bool is_good() const { return is_good_; }
  // Everything was there, and nothing is left.
  bool is_complete() const { return is_good_ && bytes_.empty(); }
  void fail() { is_good_ = false; }

 private:
  void extract(void* to, std::size_t size) {
    if (!is_good_ || size > bytes_.size()) {
      is_good_ = false;
      return;
    }
    if (size > 0) std::memcpy(to, bytes_.data(), size);
    bytes_.remove_prefix(size);
  }

  std::string_view bytes_;
  bool is_good_ = true;
};

}  // namespace gelenk
