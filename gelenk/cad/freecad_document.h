#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gelenk/math/pose.h"

namespace gelenk::cad {

// A property as a FreeCAD file stores it; only what its kind has is filled in.
struct FreecadProperty {
  std::string text;  // a number, truth or string; the word of an enumeration; the uuid of a material; a class
  std::vector<std::string> links;  // names of objects
  std::vector<std::string> subs;   // pieces of the first of them: "Rod.Face3"
  std::string file;                // a member of the archive; of a link: another document
  std::optional<Pose> placement;   // m
};

struct FreecadObject {
  std::string name;      // unique in the document, not what the user sees
  std::string type;      // "Part::Feature"
  std::string label;     // what the user sees; the name when there is none
  std::size_t file = 0;  // number of the document among those that were read
  std::map<std::string, FreecadProperty, std::less<>> properties;

  bool has(std::string_view key) const { return properties.contains(key); }
  // What is not there is empty, false or 0, or as the caller says.
  const FreecadProperty& property(std::string_view key) const;
  bool flag(std::string_view key, bool otherwise) const;
  double number(std::string_view key) const;
};

// A FreeCAD file: a zip archive with the objects in Document.xml and their shapes beside it. GuiDocument.xml, which a
// file made without windows does not have, holds the colors.
class FreecadDocument {
 public:
  // `number`: of its objects' file. Nothing, with a sentence in `error`, when it cannot be read.
  static std::optional<FreecadDocument> read(const std::string& path, std::size_t number, std::string& error);

  const std::vector<FreecadObject>& objects() const { return objects_; }  // in the order of the file
  const FreecadObject* find(std::string_view name) const;
  const std::string* member(std::string_view path) const;
  // How the object is drawn; nothing when the file does not say.
  const FreecadObject* view_of(std::string_view name) const;

 private:
  std::string read_objects(const std::string& text, std::size_t number);
  void read_views(const std::string& text);

  std::map<std::string, std::string, std::less<>> members_;
  std::vector<FreecadObject> objects_;
  std::map<std::string, std::size_t, std::less<>> numbers_;  // of objects, by name
  std::map<std::string, FreecadObject, std::less<>> views_;
};

}  // namespace gelenk::cad
