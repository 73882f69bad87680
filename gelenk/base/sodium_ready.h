#pragma once

#include <string_view>

namespace gelenk {

// Before the first use of libsodium's random numbers or keys: opens their source and makes them safe in several
// threads. Later calls do nothing.
void prepare_sodium();

// The bytes as libsodium takes them
inline const unsigned char* raw_bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace gelenk
