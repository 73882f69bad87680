#include "gelenk/formats/model_writer.h"

#include <gtest/gtest.h>

#include <string>

#include "gelenk/formats/memory_files_test_support.h"
#include "gelenk/formats/model_loader.h"
#include "gelenk/model/assembly_types.h"

namespace gelenk::formats::model_writer_test {
namespace {

model::Model load_good(const MemoryFiles& files, const std::string& path) {
  Diagnostics diagnostics;
  const LoadedModel loaded = load_model(path, reading_from(files), diagnostics);
  for (const Diagnostic& d : diagnostics.all()) {
    ADD_FAILURE() << loaded.sources.describe(d.where) << " " << d.message << "\n" << files.at(path);
  }
  return loaded.model;
}

// Reads, writes and reads: the same model, and from then on the same text.
std::string expect_round_trip(const MemoryFiles& files, const std::string& path) {
  const model::Model first = load_good(files, path);
  const std::string text = write_model(first);
  const MemoryFiles written{{path, text}};
  const model::Model second = load_good(written, path);
  EXPECT_TRUE(same(self_contained(first), second)) << text;
  EXPECT_EQ(write_model(second), text);
  return text;
}

TEST(ModelWriterTest, WritesWhatPeopleWouldWrite) {
  const std::string text = expect_round_trip({{"slider.yaml", R"(# comments are not kept
parts:
  crank: {material: steel, shape: {cylinder: {radius: 10 mm, from: [0, 0, 0], to: pin}}, frames: {pin: [=length, 0, 0]}}
parameters: {length: {value: 50 mm, min: 20 mm}, speed: 600 rpm}
gelenk: 1
up: y
joints:
  bearing:
    type: revolute
    between: [ground, crank]
    axis: z
    start: {angle: 30 deg}
outputs: {x: crank.position.x, y: "=2 * crank.position.y + 1 mm"}
)"}},
                                             "slider.yaml");
  EXPECT_EQ(text, R"(gelenk: 1
name: slider
parts:
  crank:
    material: steel
    shape: {cylinder: {radius: 0.01 m, from: [0, 0, 0], to: pin}}
    frames:
      pin: [=length, 0, 0]
parameters:
  length: {value: 0.05 m, min: 0.02 m}
  speed: 600 rpm
up: y
joints:
  bearing: {type: revolute, between: [ground, crank], axis: z, start: {angle: 30 deg}}
outputs: {x: crank.position.x, y: =2 * crank.position.y + 0.001 m}
)");
}

constexpr std::string_view kCar = R"(gelenk: 1
name: test car
display: {length: mm}
gravity: [0, 0, -9.81]
simulation: {duration: 2 s}
definitions:
  wheel: {parts: {rim: {mass: 1 kg, shape: {mesh: {file: rim.stl}}}}, ports: {hub: rim}, meta: {a: [1, ~, {b: "x: y"}]}}
parts: {chassis: {mass: 5 kg}}
assemblies:
  spare: wheel
  left: {use: parts/corner.yaml, at: {position: [1, 2, 3], orientation: {quaternion: [1, 0, 0, 0]}}, set: {k: 5}}
  right: {mirror_of: left, plane: xz}
  special: {use: parts/corner.yaml, modify: {parts.arm: {mass: 2 kg}, parameters.k: 7 N/m}}
  chain: {use: wheel, repeat: 3, at: ["=index * 1 m", 0, 0], attach: {hub: {type: fixed, to: chassis}}}
)";
constexpr std::string_view kCorner = R"(gelenk: 1
name: only at the root
gravity: none
about: {maker: somebody else}
simulation: {duration: 9 s}
definitions: {wheel: {parts: {tyre: {mass: 3 kg, shape: {mesh: {file: ../meshes/tyre.stl}}}}}}
parameters: {k: {value: 1, unit: kN/m}}
parts: {arm: {mass: 1 kg, shape: [{mesh: {file: arm.obj, scale: 0.001}}, {box: {size: [1, 1, 1], hole: true}}]}}
assemblies: {w: {use: wheel}}
)";

TEST(ModelWriterTest, SaysWhoMadeIt) {
  const std::string text = expect_round_trip(
      {{"strut.yaml",
        "gelenk: 1\nabout: {name: Strut, version: 1.10, maker: 'Müller: & Söhne', contact: a@b, licence: MIT,\n"
        "  doc: \"two\\nlines\", validity: 2 m/s}\nparts: {rod: {mass: 1}}\nports: {eye: {frame: rod, doc: lower "
        "end}}\n"}},
      "strut.yaml");
  EXPECT_NE(text.find("about:\n  name: Strut\n  version: 1.10\n"), std::string::npos) << text;
  EXPECT_NE(text.find("eye: {frame: rod, doc: lower end}"), std::string::npos) << text;
}

TEST(ModelWriterTest, UsedFilesBecomeDefinitions) {
  const MemoryFiles files{{"car/car.yaml", std::string(kCar)}, {"car/parts/corner.yaml", std::string(kCorner)}};
  const std::string text = expect_round_trip(files, "car/car.yaml");
  const model::Model model = load_good({{"car/car.yaml", text}}, "car/car.yaml");
  EXPECT_EQ(model.name, "test car");
  const model::Definition* corner = model.find("corner");
  ASSERT_NE(corner, nullptr) << text;
  EXPECT_EQ(corner->object.type, &model::kAssemblyType);
  for (const std::string_view key : {"gelenk", "name", "about", "gravity", "simulation"}) {
    EXPECT_EQ(corner->object.find(key), nullptr) << key;
  }
  EXPECT_NE(model.find("corner_special"), nullptr) << text;
}

TEST(ModelWriterTest, MeshesAreFoundFromTheFolderOfTheRoot) {
  const MemoryFiles files{{"car/car.yaml", std::string(kCar)}, {"car/parts/corner.yaml", std::string(kCorner)}};
  const std::string text = write_model(load_good(files, "car/car.yaml"));
  EXPECT_NE(text.find("file: rim.stl"), std::string::npos) << text;
  EXPECT_NE(text.find("file: parts/arm.obj"), std::string::npos) << text;
  EXPECT_NE(text.find("file: meshes/tyre.stl"), std::string::npos) << text;
  EXPECT_EQ(text.find("car/"), std::string::npos) << "nothing is seen from the working directory: " << text;
}

TEST(ModelWriterTest, PicturesAreFoundFromTheFolderOfTheRoot) {
  const MemoryFiles files{
      {"a/m.yaml",
       "gelenk: 1\nassemblies: {s: {use: m.cad/s.yaml}}\nparts: {q: {mass: 1, meta: {shape: m.cad/q.glb}}}\n"},
      {"a/m.cad/s.yaml", "gelenk: 1\nparts: {p: {mass: 1, meta: {shape: p.glb, product: p.glb}}}\n"}};
  const std::string text = write_model(load_good(files, "a/m.yaml"));
  EXPECT_NE(text.find("shape: m.cad/p.glb"), std::string::npos) << text;
  EXPECT_NE(text.find("shape: m.cad/q.glb"), std::string::npos) << text;
  EXPECT_NE(text.find("product: p.glb"), std::string::npos) << text;
}

TEST(ModelWriterTest, BaseFilesAreMerged) {
  const MemoryFiles files{
      {"user.yaml", "gelenk: 1\nuse: base.yaml\nmodify: {joints.j: {type: cylindrical}}\nparameters: {b: 2 mm}\n"},
      {"base.yaml",
       "gelenk: 1\nparameters: {a: 1 mm}\nparts: {p: {mass: 1}}\njoints: {j: {type: revolute, between: [ground, p],"
       " axis: [1, 1, =a / b], limits: {angle: {min: -30 deg}}}}\n"}};
  const std::string text = expect_round_trip(files, "user.yaml");
  EXPECT_NE(text.find("type: cylindrical"), std::string::npos) << text;
  EXPECT_EQ(text.find("use:"), std::string::npos) << text;
  EXPECT_EQ(text.find("modify:"), std::string::npos) << text;
}

TEST(ModelWriterTest, EveryFormOfOrientationAndGravity) {
  for (const std::string_view orientation :
       {"{quaternion: [1, 0, 0.5, 0]}", "{axis: [1, 1, 0], angle: 45 deg}", "{angles: [10 deg, 20 deg, =a]}",
        "{angles: [0.1, 0.2, 0.3], sequence: zxz}", "{x: -y, z: [0, 0, 1]}"}) {
    for (const std::string_view gravity : {"none", "[0, 0, -1.62 m/s^2]", "{point: {strength: 3.9e14}}"}) {
      SCOPED_TRACE(std::string(orientation) + std::string(gravity));
      expect_round_trip({{"m.yaml", "gelenk: 1\nname: m\ngravity: " + std::string(gravity) +
                                        "\nparameters: {a: 5 deg}\nparts: {p: {mass: 1, at: {orientation: " +
                                        std::string(orientation) + ", relative_to: ground}}}\n"}},
                        "m.yaml");
    }
  }
}

TEST(ModelWriterTest, NothingIsWrittenForNothing) { EXPECT_EQ(write_model(model::Model{}), ""); }

}  // namespace
}  // namespace gelenk::formats::model_writer_test
