#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/component/manifest.h"

namespace gelenk::component {

// What its maker shows of it travels as a file of this name (GELENK_SHAPE): files of a model have relative ones.
constexpr std::string_view kShapeFile = "/shape.glb";

// The inside of a component as it travels (kResourcePath): the files of its model, and what is published of it.
struct SealedModel {
  struct File {
    std::string path;  // relative to the folder of the model
    std::string text;
    bool operator==(const File&) const = default;
  };
  std::vector<File> files;  // the model itself is the first
  // As in the manifest, in its order. Parameters of the model that are not published keep their own values.
  std::vector<Port> ports;
  std::vector<Parameter> parameters;
  std::vector<Output> outputs;
  bool operator==(const SealedModel&) const = default;
};

// Encoded, so that neither names nor numbers can be read or searched for in the file. Who takes the library apart finds
// the way back: this stops the curious, not the determined. The same model gives the same bytes.
std::string encode(const SealedModel& model);
// Nothing: these are no bytes of encode().
std::optional<SealedModel> decode_sealed_model(std::string_view bytes);

// The same before it is enciphered, and after.
namespace detail {
std::string plain_bytes(const SealedModel& model);
std::optional<SealedModel> read_plain_bytes(std::string_view bytes);
}  // namespace detail

}  // namespace gelenk::component
