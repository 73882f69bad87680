#include "gelenk/formats/step_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "gelenk/base/text.h"
#include "gelenk/model/element_address.h"

namespace gelenk::formats {
namespace {

using model::AssemblyNode;
using model::PartNode;

// The text under a key of `meta:`; null: none.
const Node* meta_of(const model::Object& object, std::string_view key) {
  const model::Value* value = object.value("meta");
  const Node* meta = value == nullptr ? nullptr : value->get<Node>();
  const Node::Entry* entry = meta == nullptr ? nullptr : meta->find(key);
  return entry == nullptr || !entry->value.is_scalar() ? nullptr : &entry->value;
}

// "#c0c0c0"
std::optional<Color> color_of(const Node* text) {
  if (text == nullptr || text->text.size() != 7 || text->text.front() != '#') return std::nullopt;
  Color color{};
  for (std::size_t i = 0; i < color.size(); ++i) {
    const std::string digits = text->text.substr(1 + 2 * i, 2);
    if (digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) return std::nullopt;
    color[i] = std::stoi(digits, nullptr, 16) / 255.0;
  }
  return color;
}

std::string last_name(const std::string& path, const std::string& owner) {
  return owner.empty() ? path : path.substr(owner.size() + 1);
}

class TreeMaker {
 public:
  TreeMaker(const model::Machine& machine, const model::Model& model, std::span<const Pose> poses,
            const std::function<bool(const std::string&)>& is_file)
      : machine_(machine), model_(model), poses_(poses), is_file_(is_file) {}

  StepTree make() {
    tree_.root = assembly(machine_.assemblies.front(), Pose{});
    tree_.root.name = machine_.name.empty() ? "machine" : machine_.name;
    if (!machine_.ground_shapes.empty()) {
      StepNode ground{.name = "ground"};
      ground.shape.emplace();
      ground.shape->solids = machine_.ground_shapes;
      tree_.root.children.push_back(std::move(ground));
    }
    return std::move(tree_);
  }

 private:
  const PartNode* first_part(const AssemblyNode& node) const {
    if (!node.parts.empty()) return &machine_.parts[node.parts.front().index()];
    for (const model::AssemblyId child : node.children) {
      if (const PartNode* part = first_part(machine_.assemblies[child.index()])) return part;
    }
    return nullptr;
  }

  const Pose& pose_of(const PartNode& part) const {
    return poses_[static_cast<std::size_t>(&part - machine_.parts.data())];
  }

  StepNode assembly(const AssemblyNode& node, const Pose& X_WN) {
    StepNode made{.name = node.name};
    for (const model::PartId id : node.parts) {
      if (std::optional<StepNode> piece = part(machine_.parts[id.index()], node, X_WN)) {
        made.children.push_back(*std::move(piece));
      }
    }
    for (const model::AssemblyId id : node.children) {
      const AssemblyNode& child = machine_.assemblies[id.index()];
      const PartNode* carrier = first_part(child);
      if (carrier == nullptr) continue;
      const Pose X_WC = pose_of(*carrier) * (carrier->X_WP.inverse() * child.X_WA);
      StepNode inside = assembly(child, X_WC);
      inside.X_ON = X_WN.inverse() * X_WC;
      if (!inside.children.empty()) made.children.push_back(std::move(inside));
    }
    return made;
  }

  std::optional<StepNode> part(const PartNode& node, const AssemblyNode& owner, const Pose& X_WA) {
    StepNode made{.name = last_name(node.path, owner.path)};
    made.X_ON = X_WA.inverse() * pose_of(node);
    StepShape shape;
    shape.mass = node.mass_properties.mass;
    const model::Object* written =
        owner.definition == nullptr ? nullptr : model::find_named(owner.definition->object.section("parts"), made.name);
    if (written != nullptr) shape.color = color_of(meta_of(*written, "color"));
    if (!node.shapes.empty()) {
      shape.solids = node.shapes;
    } else if (const std::string why = take_from_source(written, owner, made, shape); !why.empty()) {
      tree_.notes.push_back(fmt::format("left out: {} {}", shown(node.path), why));
      return std::nullopt;
    }
    made.shape = std::move(shape);
    return made;
  }

  // Fills in the CAD file and its part; else says why not. The picture of a part is called like the part.
  std::string take_from_source(const model::Object* written, const AssemblyNode& owner, StepNode& made,
                               StepShape& shape) {
    const Node* picture = written == nullptr ? nullptr : meta_of(*written, "shape");
    const Node* source = picture == nullptr ? nullptr : source_of(owner);
    if (source == nullptr) return "has no shape";
    const std::string file = find(*source);
    if (file.empty()) return fmt::format("is drawn in {}, which is missing", shown(source->text));
    shape.source = file;
    shape.part = std::filesystem::path(picture->text).stem().string();
    shape.mirror = owner.mirror;
    if (const Node* product = meta_of(*written, "product")) made.product = product->text;
    if (std::find(tree_.sources.begin(), tree_.sources.end(), file) == tree_.sources.end()) {
      tree_.sources.push_back(file);
    }
    return "";
  }

  // The file that an assembly, or one around it, was imported from.
  const Node* source_of(const AssemblyNode& node) const {
    const Node* source = node.definition == nullptr ? nullptr : meta_of(node.definition->object, "source");
    if (source != nullptr || !node.owner.is_set()) return source;
    return source_of(machine_.assemblies[node.owner.index()]);
  }

  // As it was called from where the import was started, which may have been somewhere else: also beside the model and
  // one folder up.
  std::string find(const Node& source) const {
    const std::filesystem::path folder = std::filesystem::path(model_.resolve_path("x", source.range)).parent_path();
    const std::filesystem::path name = std::filesystem::path(source.text).filename();
    for (const std::filesystem::path& path :
         {std::filesystem::path(source.text), folder / source.text, folder / name, folder / ".." / name}) {
      if (is_file_(path.string())) return path.string();
    }
    return "";
  }

  const model::Machine& machine_;
  const model::Model& model_;
  std::span<const Pose> poses_;
  const std::function<bool(const std::string&)>& is_file_;
  StepTree tree_;
};

}  // namespace

StepTree step_tree(const model::Machine& machine, const model::Model& model, std::span<const Pose> poses,
                   const std::function<bool(const std::string& path)>& is_file) {
  return TreeMaker(machine, model, poses, is_file).make();
}

}  // namespace gelenk::formats
