#pragma once

#include <string>

namespace gelenk::test {

// The folder of the checkout, without '/' at its end. Only source_folder.cc is compiled with it, so that the compiler
// cache knows the other files of a test in every checkout.
std::string source_folder();

}  // namespace gelenk::test
