#pragma once

#include <span>
#include <string>
#include <vector>

// C files of sections `code:`, compiled by the user's own compiler.
namespace gelenk::app {

struct CompiledCode {
  std::string library;  // its bytes; empty: it could not be made
  // Of what it was made from and with: SHA-256 of the preprocessed file, the compiler and its options. One file only.
  std::string identity;
  // Why not: a sentence for the element, and what to try.
  std::string error, hint;
};

// A library of one file. It is kept in the user's cache, by what the preprocessor makes of the file, the compiler and
// its options: as long as all are the same, nothing is compiled twice.
CompiledCode compile_code(const std::string& source);

// A library for several sections, in their order (gelenk_code_api::next). The same file may come twice. Not kept.
CompiledCode compile_codes(std::span<const std::string> sources);

}  // namespace gelenk::app
