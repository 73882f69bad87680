#pragma once

#include <gtest/gtest.h>

#include <BRepTools.hxx>
#include <BinTools.hxx>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "gelenk/base/zip.h"
#include "gelenk/cad/content_test_support.h"
#include "gelenk/cad/freecad_reader.h"
#include "gelenk/cad/step_test_support.h"

namespace gelenk::cad {

inline const formats::ImportedJoint& joint(const formats::ImportedModel& model, const std::string& name) {
  for (const formats::ImportedJoint& one : model.joints) {
    if (one.name == name) return one;
  }
  throw std::invalid_argument("no joint " + name);
}

inline Pose world_frame(const formats::ImportedModel& model, const formats::ImportedEnd& end) {
  for (const formats::ImportedLeaf& leaf : leaves(model)) {
    if (leaf.path == end.path) return leaf.X_WP * end.frame;
  }
  throw std::invalid_argument("no such part");
}

// X_AB as drawn
inline Pose between(const formats::ImportedModel& model, const formats::ImportedJoint& joint) {
  return world_frame(model, joint.ends[0]).inverse() * world_frame(model, joint.ends[1]);
}

// Files made on the spot.
class FreecadFile : public testing::Test {
 protected:
  FreecadFile()
      : path_(testing::TempDir() + file_name(testing::UnitTest::GetInstance()->current_test_info()->name())) {}
  ~FreecadFile() override { std::filesystem::remove(path_); }

  static std::string property(const std::string& name, const std::string& value) {
    return "<Property name=\"" + name + "\" type=\"x\">" + value + "</Property>";
  }
  static std::string value(const std::string& name, const std::string& element, const std::string& text) {
    return property(name, "<" + element + " value=\"" + text + "\"/>");
  }
  static std::string placement(const std::string& name, double x, double z, double half_turn_about_x = 0.0) {
    return property(name, "<PropertyPlacement Px=\"" + std::to_string(x) + "\" Py=\"0\" Pz=\"" + std::to_string(z) +
                              "\" Q0=\"" + std::to_string(half_turn_about_x) + "\" Q1=\"0\" Q2=\"0\" Q3=\"" +
                              std::to_string(1.0 - half_turn_about_x) + "\"/>");
  }
  static std::string links(const std::string& name, const std::vector<std::string>& to) {
    std::string list;
    for (const std::string& one : to) list += "<Link value=\"" + one + "\"/>";
    return property(name, "<LinkList count=\"9\">" + list + "</LinkList>");
  }

  static std::string file_name(std::string test) {
    std::replace(test.begin(), test.end(), '/', '_');
    return "freecad_" + test + ".FCStd";
  }

  void object(const std::string& type, const std::string& name, const std::string& properties) {
    objects_ += "<Object type=\"" + type + "\" name=\"" + name + "\"/>";
    data_ += "<Object name=\"" + name + "\"><Properties>" + properties + "</Properties></Object>";
  }
  void part(const std::string& name, double x, const std::string& file = "box.brp") {
    object("Part::Feature", name, placement("Placement", x, 0) + property("Shape", "<Part file=\"" + file + "\"/>"));
  }
  void joint_of(const std::string& name, const std::string& type, const std::string& more = "",
                const std::string& second = "Assembly\" count=\"2\"><Sub value=\"B.Face1\"/><Sub value=\"B.Face1\"/>",
                double half_turn = 0.0) {
    object("App::FeaturePython", name,
           property("JointType",
                    "<Integer value=\"1\" CustomEnum=\"true\"/><CustomEnumList count=\"2\">"
                    "<Enum value=\"Other\"/><Enum value=\"" +
                        type + "\"/></CustomEnumList>") +
               property("Reference1", "<XLink file=\"\" name=\"Assembly\" sub=\"A.Face1\"/>") +
               property("Reference2", "<XLink file=\"\" name=\"" + second + "</XLink>") +
               placement("Placement1", 20, 0) + placement("Placement2", 0, 0, half_turn) + more);
  }
  void assembly(const std::vector<std::string>& members, const std::vector<std::string>& joints) {
    object("Assembly::JointGroup", "Joints", links("Group", joints));
    std::vector<std::string> all = members;
    all.emplace_back("Joints");
    object("Assembly::AssemblyObject", "Assembly", links("Group", all));
  }

  void write_file(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }
  void write_zip(const std::string& document) const { write_zip(document, path_); }
  static void write_zip(const std::string& document, const std::string& path) {
    std::ostringstream text, binary;
    const TopoDS_Shape shape = box(point(0, 0, 0), point(10, 20, 30)).Moved(at(5, 6, 7));
    BRepTools::Write(shape, text);
    BinTools::Write(shape, binary);
    std::string error, endless = text.str();
    const std::string count = "Locations 1";
    endless.replace(endless.find(count), count.size(), "Locations 999999999");
    const std::vector<ZipEntry> entries{{"Document.xml", document},
                                        {"box.brp", text.str()},
                                        {"box.bin", binary.str()},
                                        {"rubbish.brp", "no shape"},
                                        {"endless.brp", endless},
                                        {"cut.brp", text.str().substr(0, text.str().size() / 2)},
                                        {"cut.bin", binary.str().substr(0, binary.str().size() / 2)}};
    std::ofstream(path, std::ios::binary) << make_zip(entries, error).value();
  }
  std::string document() const {
    return "<Document SchemaVersion=\"4\"><Objects>" + objects_ + "</Objects><ObjectData>" + data_ +
           "</ObjectData></Document>";
  }
  void write() const { write_zip(document()); }
  // What was made so far becomes a file of its own, and the next one is begun.
  std::string write_beside(const std::string& name) {
    const std::string path = testing::TempDir() + name;
    write_zip(document(), path);
    objects_.clear();
    data_.clear();
    return path;
  }
  void constraint(const std::string& name, const std::string& type, const std::string& first, const std::string& second,
                  const std::string& more = "") {
    object("App::FeaturePython", name,
           value("Type", "String", type) + value("Object1", "String", "A") + value("SubElement1", "String", first) +
               value("Object2", "String", "B") + value("SubElement2", "String", second) +
               property("Proxy", "<Python class=\"ConstraintObjectProxy\"/>") + more);
  }
  FreecadContent read() const {
    write();
    std::string error;
    std::optional<FreecadContent> found = read_freecad(path_, "", quietly, error);
    EXPECT_EQ(error, "");
    return found ? *std::move(found) : FreecadContent{};
  }
  std::string error() const {
    std::string error;
    EXPECT_FALSE(read_freecad(path_, "", quietly, error));
    return error;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_, objects_, data_;
};

}  // namespace gelenk::cad
