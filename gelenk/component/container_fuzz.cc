// libFuzzer target: whatever the bytes, opening a container ends with a container or a sentence, within its limits; and
// what is in a container can be packed again.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gelenk/component/container.h"

namespace {

using namespace gelenk::component;

constexpr gelenk::ZipLimits kLimits{.max_entries = 20, .max_entry_bytes = 1u << 20, .max_total_bytes = 2u << 20};

void require(bool condition) {
  if (!condition) std::abort();
}

void check_container(const Container& container) {
  std::size_t total = 0;
  for (const gelenk::ZipEntry& file : container.files) {
    require(gelenk::zip_path_problem(file.path).empty());
    require(container.find(file.path) != nullptr);
    total += file.bytes.size();
  }
  require(container.files.size() <= kLimits.max_entries && total <= kLimits.max_total_bytes);
  require(!container.signature || fits(*container.signature, container.manifest_bytes));
  std::string error;
  const auto bytes = make_container({container.manifest, container.files}, nullptr, error);
  require(bytes.has_value());
  const OpenResult again = read_container(*bytes);
  require(again.container && again.container->files == container.files);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const OpenResult result = read_container(bytes, kLimits);
  require(result.container.has_value() == (result.problem == OpenProblem::none));
  require(result.container.has_value() == result.error.empty());
  if (result.container) check_container(*result.container);

  std::string error;
  require(read_signature(bytes, error).has_value() == error.empty());
  require(parse_public_key(bytes, error).has_value() == error.empty());
  return 0;
}
