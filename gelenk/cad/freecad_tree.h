#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gelenk/cad/freecad_files.h"
#include "gelenk/cad/solid_part.h"

class TopoDS_Shape;

namespace gelenk::cad {

// Parts and sub-assemblies of a FreeCAD file and of those that it links to, and where its joints find them.
class FreecadTree {
 public:
  FreecadTree(FreecadFiles& files, StepContent& content, const Progress& progress)
      : files_(files), content_(content), progress_(progress) {}

  // Fills in parts and assemblies. Returns what is wrong, or nothing.
  std::string read(const std::string& stem);

  // Joints and the like of the root and of its flexible sub-assemblies.
  const std::vector<const FreecadObject*>& relations() const { return relations_; }
  // The way that a row of object names in a file leads to; other names in it are skipped. Nothing when it leads to no
  // part.
  std::optional<formats::ImportedPath> find_part(const std::vector<std::string>& names, std::size_t file) const;
  // The child of the root that an object of a file is.
  std::optional<std::size_t> find_child(const std::string& name, std::size_t file) const;
  // The objects that are the children of the root.
  const std::vector<const FreecadObject*>& children() const { return children_.front(); }

 private:
  // What stands in an assembly, perhaps through links.
  struct Placed {
    const FreecadObject* object = nullptr;  // the last link's target
    Pose placement;
    std::string problem;  // why there is no target, as the end of a sentence
    bool is_scaled = false;
  };
  struct Defined {
    bool is_part = true;
    std::size_t index = 0;
  };

  const FreecadObject* root_assembly();
  std::vector<const FreecadObject*> top_objects();
  const FreecadObject& owner_of_group(const FreecadObject& container);
  std::vector<const FreecadObject*> members_of(const FreecadObject& container);
  Placed placed(const FreecadObject& object);
  bool is_ingredient(const FreecadObject& object);
  void add_children(const std::vector<const FreecadObject*>& objects, std::size_t assembly, const Pose& X_AC);
  void add_child(const FreecadObject& object, std::size_t assembly, const Pose& X_AC);
  std::vector<const FreecadObject*> relations_of(const FreecadObject& container);
  // Before going into a container; false, with the problem set, when that would not end.
  bool open(const FreecadObject& container);
  std::optional<Defined> define(const FreecadObject& object);
  std::optional<std::size_t> part(const FreecadObject& object);
  std::optional<std::size_t> assembly(const FreecadObject& object);
  std::optional<TopoDS_Shape> shape_of(const FreecadObject& object);
  std::optional<formats::Color> color_of(const FreecadObject& object) const;
  std::optional<std::size_t> child_called(std::size_t assembly, const std::string& name, std::size_t file) const;

  FreecadFiles& files_;
  StepContent& content_;
  const Progress& progress_;
  std::string problem_;
  std::map<std::size_t, std::set<std::string, std::less<>>> ingredients_;  // by file: objects of which others are made
  std::size_t part_count_ = 0, parts_seen_ = 0;
  std::set<std::string, std::less<>> unknown_materials_;
  std::map<const FreecadObject*, std::optional<Defined>> defined_;
  std::set<const FreecadObject*> open_;                      // being defined
  std::vector<std::vector<const FreecadObject*>> children_;  // of each assembly
  std::vector<formats::NameRegister> names_;                 // of the children of each assembly
  std::vector<const FreecadObject*> relations_;
  formats::NameRegister part_names_, assembly_names_;
};

}  // namespace gelenk::cad
