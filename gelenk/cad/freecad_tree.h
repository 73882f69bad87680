#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gelenk/cad/freecad_document.h"
#include "gelenk/cad/solid_part.h"

class TopoDS_Shape;

namespace gelenk::cad {

// Parts and sub-assemblies of a FreeCAD document, and where its joints find them.
class FreecadTree {
 public:
  FreecadTree(const FreecadDocument& document, StepContent& content, const Progress& progress)
      : document_(document), content_(content), progress_(progress) {}

  // Fills in parts and assemblies. Returns what is wrong, or nothing.
  std::string read(const std::string& stem);

  // Joints and the like of the root and of its flexible sub-assemblies.
  const std::vector<const FreecadObject*>& relations() const { return relations_; }
  // The way that a row of object names leads to; other names in it are skipped. Nothing when it leads to no part.
  std::optional<formats::ImportedPath> find_part(const std::vector<std::string>& names) const;
  // The child of the root that an object is.
  std::optional<std::size_t> find_child(const std::string& name) const;

 private:
  // What stands in an assembly, perhaps through links.
  struct Placed {
    const FreecadObject* object = nullptr;  // the last link's target
    Pose placement;
    std::string outside;  // the file of a link that leads out of the document
    bool is_scaled = false;
  };
  struct Defined {
    bool is_part = true;
    std::size_t index = 0;
  };

  const FreecadObject* root_assembly();
  std::vector<const FreecadObject*> top_objects() const;
  const std::vector<std::string>& group_of(const FreecadObject& container) const;
  std::vector<const FreecadObject*> members_of(const FreecadObject& container) const;
  Placed placed(const FreecadObject& object) const;
  void find_ingredients();
  void add_children(const std::vector<const FreecadObject*>& objects, std::size_t assembly, const Pose& X_AC);
  void add_child(const FreecadObject& object, std::size_t assembly, const Pose& X_AC);
  std::vector<const FreecadObject*> relations_of(const FreecadObject& container) const;
  // Before going into a container; false, with the problem set, when that would not end.
  bool open(const FreecadObject& container);
  std::optional<Defined> define(const FreecadObject& object);
  std::optional<std::size_t> part(const FreecadObject& object);
  std::optional<std::size_t> assembly(const FreecadObject& object);
  std::optional<TopoDS_Shape> shape_of(const FreecadObject& object);
  std::optional<formats::Color> color_of(const FreecadObject& object) const;

  const FreecadDocument& document_;
  StepContent& content_;
  const Progress& progress_;
  std::string problem_;
  std::set<std::string, std::less<>> ingredients_;  // objects of which others are made
  std::size_t part_count_ = 0, parts_seen_ = 0;
  std::set<std::string, std::less<>> unknown_materials_;
  std::map<std::string, std::optional<Defined>, std::less<>> defined_;
  std::set<std::string, std::less<>> open_;            // being defined
  std::vector<std::vector<std::string>> child_names_;  // names of objects, as the children of each assembly
  std::vector<formats::NameRegister> names_;           // of the children of each assembly
  std::vector<const FreecadObject*> relations_;
  formats::NameRegister part_names_, assembly_names_;
};

}  // namespace gelenk::cad
