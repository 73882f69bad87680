#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gelenk/geometry/outline.h"
#include "gelenk/model/expand.h"
#include "gelenk/model/expand/places.h"

namespace gelenk::model::expanding {

// Solids of parts and of the ground, and the meshes that they are made of, each file read once.
class Shapes {
 public:
  Shapes(const Model& model, const ExpandOptions& options, Numbers& numbers, Places& places, Diagnostics& diagnostics)
      : model_(model), options_(options), numbers_(numbers), places_(places), diagnostics_(diagnostics) {}

  // Of the part with this number in its assembly, or of the ground; as written, before mirrors. Those that are wrong
  // are reported and left out.
  std::vector<geometry::Shape> shapes(const Object& owner, Instance& scope, std::optional<std::size_t> part);

  // One of them.
  std::optional<geometry::Shape> shape(const Object& written, Instance& scope, std::optional<std::size_t> part);

 private:
  std::optional<Pose> place(const Value& value, const Field& field, Instance& scope, std::optional<std::size_t> part);
  std::optional<geometry::Primitive> primitive(const Object& written, Instance& scope, std::optional<std::size_t> part,
                                               Pose& X_PS);
  std::optional<double> along_axis(const Object& written, Instance& scope, std::optional<std::size_t> part, Pose& X_PS);
  std::optional<geometry::Primitive> mesh(const Object& written, Instance& scope);
  std::optional<geometry::Primitive> extrusion(const Object& written, Instance& scope);
  std::optional<geometry::Outline> outline(const Object& written, Instance& scope);
  std::optional<geometry::Outline> drawing(const Object& written, const std::string& file, Instance& scope);
  // The bytes of a file, or nothing, which is reported: `kind` says what it should be.
  std::optional<std::string> read(const std::string& path, const std::string& file, std::string_view kind,
                                  std::size_t most, const SourceRange& where);
  std::shared_ptr<const geometry::TriangleMesh> read_mesh(const std::string& path, const std::string& file,
                                                          const SourceRange& where);

  const Model& model_;
  const ExpandOptions& options_;
  Numbers& numbers_;
  Places& places_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string, std::shared_ptr<const geometry::TriangleMesh>> meshes_;  // by path; null: unusable
};

}  // namespace gelenk::model::expanding
