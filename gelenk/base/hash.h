#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace gelenk {

// SHA-256 of bytes that come in pieces; how they are cut does not matter.
class Sha256 {
 public:
  static constexpr std::size_t kBytes = 32;

  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  void add(std::span<const std::byte> bytes);
  void add(std::string_view bytes);

  // Of everything so far; more may be added afterwards.
  std::string digest() const;  // 32 bytes
  std::string hex() const;     // 64 digits

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// In hexadecimal digits.
std::string sha256(std::string_view bytes);

// 32 random hexadecimal digits: no two are ever the same.
std::string random_id();

}  // namespace gelenk
