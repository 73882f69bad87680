#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "gelenk/analysis/inside_names.h"
#include "tests/support/sealed_library.h"

// The library of components that are made of models, through both hosts.
namespace gelenk::runtime_test {
namespace {

using component::ComponentFailure;
using testing::HasSubstr;

// A bar that hangs on a spring in a box. Its own parameters: `secret_mass` follows from `size`, nobody sets it.
constexpr const char* kModel = R"(gelenk: 1
name: rattle
parameters:
  size: {value: 0.5 m, min: 0.1 m}
  density: 4 kg/m
  secret_mass: {value: "=size * density"}
  stiffness: {value: 300 N/m, min: 0 N/m, max: 1000 N/m}
parts:
  box:
    mass: =secret_mass
    inertia: {xx: 0.1, yy: 0.1, zz: 0.1}
    frames: {roof: {at: [0, 0, =size]}}
assemblies:
  bar: {use: parts/bar.yaml, at: [0, 0, 0]}
joints:
  slide: {type: prismatic, between: [box, bar.end], axis: z}
forces:
  hanger: {type: spring_damper, between: [box.roof, bar.end], stiffness: =stiffness, free_length: 0.3 m}
ports:
  base: box
  roof: box.roof
)";
// Its shape is a mesh, which is a file, too.
constexpr const char* kBar = R"(gelenk: 1
name: bar
parts:
  rod: {mass: 1.25 kg, center_of_mass: [0, 0, 0], inertia: {xx: 0.01, yy: 0.01, zz: 0.002}, shape: {mesh: {file: rod.stl}}}
ports:
  end: rod
)";

constexpr const char* kRod = R"(solid rod
facet normal 0 0 -1
outer loop
vertex 0 0 0
vertex 0 1 0
vertex 1 0 0
endloop
endfacet
facet normal 0 -1 0
outer loop
vertex 0 0 0
vertex 1 0 0
vertex 0 0 1
endloop
endfacet
facet normal -1 0 0
outer loop
vertex 0 0 0
vertex 0 0 1
vertex 0 1 0
endloop
endfacet
facet normal 1 1 1
outer loop
vertex 1 0 0
vertex 0 1 0
vertex 0 0 1
endloop
endfacet
endsolid rod
)";

test::SealedPackage rattle() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  test::SealedPackage package;
  package.inside.files = {{"rattle.yaml", kModel}, {"parts/bar.yaml", kBar}, {"parts/rod.stl", kRod}};
  // Not in the order of the model
  package.inside.ports = {{"roof", component::PortKind::frame, component::kFrameWidth, "", "upper side"},
                          {"base", component::PortKind::frame, component::kFrameWidth, "", ""}};
  package.inside.parameters = {{"stiffness", "N/m", 300.0, 0.0, 1000.0, "of the hanger"},
                               {"size", "m", 0.5, 0.1, kInfinity, ""}};
  package.manifest.about.name = "rattle";
  package.manifest.ports = package.inside.ports;
  package.manifest.parameters = package.inside.parameters;
  return package;
}

class Runtime : public testing::TestWithParam<test::Way> {
 protected:
  static std::unique_ptr<component::Host> make(const std::vector<double>& parameters = {300.0, 0.5}) {
    return test::carry(GetParam(), rattle(), parameters);
  }
  static ComponentFailure failure_of(const test::SealedPackage& package, const std::vector<double>& parameters) {
    try {
      test::carry(GetParam(), package, parameters);
    } catch (const ComponentFailure& failure) {
      return failure;
    }
    ADD_FAILURE() << "it was made";
    return {ComponentFailure::Kind::late, ""};
  }
};
INSTANTIATE_TEST_SUITE_P(SealedComponents, Runtime, testing::Values(test::Way::in_process, test::Way::worker),
                         [](const auto& place) { return test::name_of(place.param); });

// A frame at a port.
component::HostMounting mounting_at(std::uint32_t port) {
  component::HostMounting mounting;
  gelenk_mounting& rest = mounting.rest;
  for (double* const matrix : {rest.rotation, rest.mirror, rest.world_mirror}) matrix[0] = matrix[4] = matrix[8] = 1.0;
  rest.length = rest.tolerance = 1.0;
  rest.rank_tolerance = 1e-9;
  gelenk_mount& mount = mounting.mounts.emplace_back();
  mount.rotation[0] = mount.rotation[4] = mount.rotation[8] = 1.0;
  mount.port = port;
  mount.has_joint = 1;
  return mounting;
}

// What a test bench at the base feels along x: the mass of box and bar, which slides in z only.
double mass_at(component::Host& host) {
  constexpr std::size_t kMotions = 6;
  std::vector<double> drawn(20 + kMotions * kMotions);
  const gelenk_command command{GELENK_DRAWN, 0, 0, 0, 0.0, nullptr, drawn.data(), 0, drawn.size()};
  EXPECT_TRUE(host.perform({&command, 1}));
  return 1.0 / drawn[20];
}

TEST_P(Runtime, TellsWhereItsPortsAre) {
  const std::unique_ptr<component::Host> host = make({300.0, 0.75});
  ASSERT_EQ(host->ports().size(), 2u);
  EXPECT_EQ(host->ports()[0].position[2], 0.75) << "roof comes first";
  EXPECT_EQ(host->ports()[1].position[2], 0.0);
  EXPECT_EQ(host->ports()[0].rotation[0], 1.0);
}

// What follows from a published parameter follows from its new value.
TEST_P(Runtime, OtherParametersFollow) {
  for (const double size : {0.5, 0.75}) {
    const std::unique_ptr<component::Host> host = make({300.0, size});
    host->mount(mounting_at(1));
    EXPECT_NEAR(mass_at(*host), 4.0 * size + 1.25, 1e-9);
  }
}

TEST_P(Runtime, RefusesParametersOutOfRange) {
  for (const std::vector<double>& parameters :
       {std::vector<double>{1001.0, 0.5}, {-1.0, 0.5}, {std::numeric_limits<double>::quiet_NaN(), 0.5}}) {
    const ComponentFailure failure = failure_of(rattle(), parameters);
    EXPECT_EQ(failure.kind(), ComponentFailure::Kind::refused);
    EXPECT_THAT(failure.what(), HasSubstr("stiffness is out of its range"));
  }
  EXPECT_EQ(failure_of(rattle(), {300.0}).kind(), ComponentFailure::Kind::refused);
}

TEST_P(Runtime, RefusesWhatIsNoInside) {
  test::SealedPackage package = rattle();
  package.inside.files.pop_back();
  EXPECT_EQ(failure_of(package, {300.0, 0.5}).kind(), ComponentFailure::Kind::refused) << "the mesh is missing";
  package.inside.files.pop_back();
  EXPECT_EQ(failure_of(package, {300.0, 0.5}).kind(), ComponentFailure::Kind::failed) << "a part is missing";
  package = rattle();
  package.inside.files.clear();
  EXPECT_EQ(failure_of(package, {300.0, 0.5}).kind(), ComponentFailure::Kind::refused);
  package = rattle();
  package.inside.outputs = package.manifest.outputs = {{"hanger.colour", "", ""}};
  EXPECT_THAT(failure_of(package, {300.0, 0.5}).what(), testing::EndsWith("output: unknown channel (GK1304)"));
  package = rattle();
  package.inside.ports[0].name = package.manifest.ports[0].name = "cellar";
  EXPECT_THAT(failure_of(package, {300.0, 0.5}).what(), HasSubstr("cellar"));
}

TEST_P(Runtime, SaysWhatItWasAskedWrongly) {
  const std::unique_ptr<component::Host> host = make();
  host->mount(mounting_at(0));
  const gelenk_command start{GELENK_START, 0, 3, 0, 0.0, nullptr, nullptr, 0, 0};
  EXPECT_THROW(host->perform({&start, 1}), ComponentFailure) << "no slots yet";
  EXPECT_THROW(host->read(GELENK_STATE, 0), ComponentFailure);
  EXPECT_EQ(host->read(GELENK_SHAPE, 0), "");
}

TEST_P(Runtime, ShowsWhatItsMakerShows) {
  std::string shape = "glTF";
  for (int i = 0; i < 100'000; ++i) shape += static_cast<char>(i % 251);  // zeros, too, and more than a page
  test::SealedPackage package = rattle();
  package.inside.files.push_back({std::string(component::kShapeFile), shape});
  EXPECT_EQ(test::carry(GetParam(), package, {300.0, 0.5})->read(GELENK_SHAPE, 0), shape);
}

// Neither a number of the state nor a change of one bit gets through.
TEST_P(Runtime, StatesLeaveEnciphered) {
  const std::unique_ptr<component::Host> host = make();
  host->mount(mounting_at(1));
  const gelenk_command start[] = {{GELENK_RESERVE, 0, 2, 1, 0.0, nullptr, nullptr, 0, 0},
                                  {GELENK_START, 0, 0, 0, 0.0, nullptr, nullptr, 0, 0},
                                  {GELENK_START, 0, 1, 0, 0.0, nullptr, nullptr, 0, 0}};
  ASSERT_TRUE(host->perform(start));
  const std::string bytes = host->read(GELENK_STATE, 0);
  EXPECT_EQ(host->read(GELENK_STATE, 1), bytes) << "the same state";
  for (const double number : {0.0, 1.0}) {  // a quaternion as drawn is 1 0 0 0
    char raw[sizeof number];
    std::memcpy(raw, &number, sizeof number);
    EXPECT_EQ(bytes.find(std::string(raw, sizeof raw)), std::string::npos);
  }
  host->write(GELENK_STATE, 1, bytes);
  EXPECT_EQ(host->read(GELENK_STATE, 1), bytes);

  const auto is_refused = [](component::Host& by, gelenk_bytes what, const std::string& given) {
    try {
      by.write(what, 0, given);
    } catch (const ComponentFailure& failure) {
      return failure.kind() == ComponentFailure::Kind::refused;
    }
    return false;
  };
  for (std::size_t i = 0; i < bytes.size(); i += 7) {
    std::string altered = bytes;
    altered[i] = static_cast<char>(altered[i] ^ 4);
    EXPECT_TRUE(is_refused(*host, GELENK_STATE, altered)) << i;
  }
  EXPECT_TRUE(is_refused(*host, GELENK_STATE, ""));
  EXPECT_TRUE(is_refused(*host, GELENK_RATE, bytes)) << "a state is no rate";
  EXPECT_EQ(host->read(GELENK_STATE, 0), bytes) << "untouched";

  test::SealedPackage other = rattle();
  other.inside.files[0].text += "# another one";
  const std::unique_ptr<component::Host> stranger = test::carry(GetParam(), other, {300.0, 0.5});
  stranger->mount(mounting_at(1));
  ASSERT_TRUE(stranger->perform(start));
  EXPECT_TRUE(is_refused(*stranger, GELENK_STATE, bytes));
}

// With a long string its plates cannot be put together; with a longer one a parameter is out of its limits.
constexpr const char* kLinkage = R"(gelenk: 1
name: linkage
parameters:
  reach: 0.5 m
  hidden_play: {value: "=2 m - reach", min: 0 m}
parts:
  hidden_plate: {mass: 2 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}, frames: {hook: {at: [0.4 m, 0, 0]}}}
  hidden_lever: {mass: 1.5 kg, center_of_mass: [0, 0, 0], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}, frames: {tip: {at: [0, 0.3 m, 0]}}}
joints:
  hidden_pivot: {type: revolute, between: [hidden_plate, hidden_lever], axis: z}
  hidden_string: {type: distance, between: [hidden_plate.hook, hidden_lever.tip], length: =reach}
ports:
  grip: hidden_plate
)";

test::SealedPackage linkage() {
  test::SealedPackage package;
  package.inside.files = {{"linkage.yaml", kLinkage}};
  package.inside.ports =
      package.manifest.ports = {{"grip", component::PortKind::frame, component::kFrameWidth, "", ""}};
  package.inside.parameters = package.manifest.parameters = {{"reach", "m", 0.5, 0.0, 10.0, ""}};
  package.manifest.about.name = "linkage";
  return package;
}

TEST_P(Runtime, ErrorsNameNothingOfTheInside) {
  const std::unique_ptr<component::Host> short_one = test::carry(GetParam(), linkage(), {0.5});
  EXPECT_NO_THROW(short_one->mount(mounting_at(0)));
  const std::unique_ptr<component::Host> long_one = test::carry(GetParam(), linkage(), {1.0});
  try {
    long_one->mount(mounting_at(0));
    ADD_FAILURE() << "it was put together";
  } catch (const ComponentFailure& failure) {
    EXPECT_STREQ(failure.what(), "component 'linkage' refuses a command: joint#1: joints cannot be closed (GK1704)");
  }
  EXPECT_STREQ(failure_of(linkage(), {3.0}).what(),
               "component 'linkage' cannot be created: parameter#1: parameter outside its limits (GK1214)");

  test::SealedPackage broken = linkage();
  broken.inside.files[0].text += "forces: {hidden_force: {type: rubbish}}\n";
  EXPECT_THAT(failure_of(broken, {0.5}).what(), testing::Not(HasSubstr("hidden")));
}

// The map that its maker keeps
TEST(InsideNames, StandForPaths) {
  formats::LoadOptions options;
  options.read = [](const std::string& path, std::size_t) {
    return ReadResult{path == "parts/bar.yaml" ? kBar : kModel, Code::none, ""};
  };
  Diagnostics diagnostics;
  const formats::LoadedModel loaded = formats::load_model("rattle.yaml", options, diagnostics);
  model::ExpandOptions expand;
  expand.read = [](const std::string&, std::size_t) { return ReadResult{kRod, Code::none, ""}; };
  const model::Machine machine = model::expand(loaded.model, expand, diagnostics);
  ASSERT_FALSE(diagnostics.has_errors());
  using Name = std::pair<std::string, std::string>;
  EXPECT_THAT(analysis::inside_names(machine),
              testing::IsSupersetOf({Name("assembly#1", "bar"), Name("parameter#2", "secret_mass"),
                                     Name("part#1", "bar.rod"), Name("joint#0", "slide"), Name("force#0", "hanger")}));
}

// Two of them in one process are two libraries, each with its own inside.
TEST_P(Runtime, SeveralAtOnce) {
  const std::unique_ptr<component::Host> light = make({300.0, 0.5});
  const std::unique_ptr<component::Host> heavy = make({300.0, 2.0});
  light->mount(mounting_at(1));
  heavy->mount(mounting_at(1));
  EXPECT_NEAR(1.25 + 2.0, mass_at(*light), 1e-9);
  EXPECT_NEAR(1.25 + 8.0, mass_at(*heavy), 1e-9);
}

// Where a component runs nothing else can be loaded.
TEST(RuntimeLibrary, NeedsOnlyLibrariesOfTheSystem) {
  const std::string& bytes = test::runtime_library();
  const auto at = [&]<class T>(std::size_t offset, T entry) {
    std::memcpy(&entry, bytes.data() + offset, sizeof entry);
    return entry;
  };
  const auto head = at(0, Elf64_Ehdr{});
  std::vector<std::string> needed;
  std::size_t exported = 0;
  for (std::size_t s = 0; s < head.e_shnum; ++s) {
    const auto section = at(head.e_shoff + s * head.e_shentsize, Elf64_Shdr{});
    const auto strings = at(head.e_shoff + std::size_t{section.sh_link} * head.e_shentsize, Elf64_Shdr{});
    for (std::size_t i = 0; section.sh_type == SHT_DYNAMIC && i < section.sh_size / sizeof(Elf64_Dyn); ++i) {
      const auto entry = at(section.sh_offset + i * sizeof(Elf64_Dyn), Elf64_Dyn{});
      if (entry.d_tag == DT_NEEDED) needed.emplace_back(bytes.data() + strings.sh_offset + entry.d_un.d_val);
      EXPECT_NE(entry.d_tag, DT_TEXTREL);
    }
    for (std::size_t i = 0; section.sh_type == SHT_DYNSYM && i < section.sh_size / sizeof(Elf64_Sym); ++i) {
      const auto symbol = at(section.sh_offset + i * sizeof(Elf64_Sym), Elf64_Sym{});
      if (symbol.st_shndx == SHN_UNDEF || ELF64_ST_BIND(symbol.st_info) == STB_LOCAL) continue;
      EXPECT_STREQ(bytes.data() + strings.sh_offset + symbol.st_name, "gelenk_component_get_api");
      ++exported;
    }
  }
  EXPECT_EQ(exported, 1u);
  EXPECT_FALSE(needed.empty());
  for (const std::string& name : needed) EXPECT_THAT(name, testing::MatchesRegex("(libc|libm|ld-linux.*)\\.so\\..*"));
}

}  // namespace
}  // namespace gelenk::runtime_test
