// libFuzzer target: whatever is behind the cipher of a sealed model, reading it ends with a model or nothing; and a
// model survives writing and reading.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gelenk/component/sealed_model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gelenk::component;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (decode_sealed_model(bytes)) std::abort();  // nobody guesses these
  const std::optional<SealedModel> model = detail::read_plain_bytes(bytes);
  if (model && detail::plain_bytes(*model) != bytes) std::abort();
  return 0;
}
