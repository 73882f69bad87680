// libFuzzer target: whatever the text, reading a manifest ends with a manifest or a sentence; and a manifest survives
// writing and reading, and can be printed.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gelenk/base/text.h"
#include "gelenk/component/manifest.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto result = gelenk::component::read_manifest(text);
  require(result.manifest.has_value() == result.error.empty());
  if (!result.manifest) return 0;
  const std::string written = gelenk::component::write_manifest(*result.manifest);
  const auto again = gelenk::component::read_manifest(written);
  require(again.manifest == result.manifest);
  require(gelenk::component::write_manifest(*again.manifest) == written);
  require(gelenk::is_printable(written, true));
  return 0;
}
