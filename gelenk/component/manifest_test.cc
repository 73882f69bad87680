#include "gelenk/component/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gelenk/component/container_test_support.h"

namespace gelenk::component::manifest_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kGood = R"({
  "format": {"major": 1, "minor": 0}, "abi": {"major": 3, "minor": 7},
  "about": {"name": "Strut", "version": "1"},
  "ports": [{"name": "eye", "kind": "frame", "width": 6}, {"name": "u", "kind": "signal_in", "width": 3, "unit": "m/s"}],
  "parameters": [{"name": "k", "unit": "N/m", "default": 2, "max": 5}], "outputs": [{"name": "a.0.b"}],
  "platforms": ["aarch64-linux", "x86_64-windows-msvc"],
  "files": [{"path": "resources/a", "size": 0, "sha256": "0000000000000000000000000000000000000000000000000000000000000000"}]
})";

// The good text with one piece of it replaced.
std::string with(std::string_view piece, std::string_view other) {
  std::string text = kGood;
  const std::size_t at = text.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  return text.replace(at, piece.size(), other);
}

std::string error_with(std::string_view piece, std::string_view other) {
  const ManifestResult result = read_manifest(with(piece, other));
  EXPECT_FALSE(result.manifest);
  EXPECT_FALSE(result.is_newer);
  return result.error;
}

TEST(Manifest, ReadsEveryKey) {
  const ManifestResult result = read_manifest(kGood);
  ASSERT_TRUE(result.manifest) << result.error;
  const Manifest& manifest = *result.manifest;
  EXPECT_EQ(manifest.abi, (FormatVersion{3, 7}));
  EXPECT_EQ(manifest.ports[1], (Port{"u", PortKind::signal_in, 3, "m/s", ""}));
  EXPECT_EQ(manifest.parameters[0], (Parameter{"k", "N/m", 2.0, -std::numeric_limits<double>::infinity(), 5.0, ""}));
  EXPECT_EQ(manifest.outputs[0].name, "a.0.b");
  EXPECT_EQ(manifest.platforms, (std::vector<std::string>{"aarch64-linux", "x86_64-windows-msvc"}));
}

TEST(Manifest, SurvivesWritingAndReading) {
  Manifest manifest = test_manifest();
  manifest.abi = {2, 5};
  manifest.platforms = {"aarch64-linux", "x86_64-linux"};
  manifest.files = {{"resources/a b", 123456789012, std::string(64, 'a')}};
  manifest.parameters[0].default_value = 40000.000000000007;
  const std::string text = write_manifest(manifest);
  const ManifestResult result = read_manifest(text);
  ASSERT_TRUE(result.manifest) << result.error;
  EXPECT_EQ(*result.manifest, manifest);
  EXPECT_EQ(write_manifest(*result.manifest), text);
}

TEST(Manifest, NamesThePlaceOfWhatIsWrong) {
  EXPECT_EQ(error_with(R"("width": 6)", R"("width": 5)"), "ports[0].width: 5 is not a whole number from 6 to 6");
  EXPECT_EQ(error_with(R"("width": 3)", R"("width": 2.5)"), "ports[1].width: 2.5 is not a whole number from 1 to 1000");
  EXPECT_EQ(error_with(R"("width": 3)", R"("width": "3")"), "ports[1].width: a whole number is needed here");
  EXPECT_EQ(error_with(R"(, "width": 6)", ""), "ports[0]: the key 'width' is missing");
  EXPECT_EQ(error_with(R"("frame")", R"("Frame")"),
            "ports[0].kind: 'Frame' is not one of frame, signal_in, signal_out, rotational, translational");
  EXPECT_EQ(error_with(R"("eye")", R"("eye.left")"), "ports[0].name: 'eye.left' is not a port name");
  EXPECT_EQ(error_with(R"("eye")", R"("u")"), "ports[1]: 'u' appears twice");
  EXPECT_EQ(error_with(R"("width": 6)", R"("width": 6, "unit": "m")"), "ports[0].unit: only signals have a unit");
  EXPECT_EQ(error_with(R"("N/m")", R"("kN/m")"),
            "parameters[0].unit: 'kN/m' is not SI: numbers of a component have units without a factor");
  EXPECT_THAT(error_with(R"("N/m")", R"("Nx/m")"), StartsWith("parameters[0].unit: unknown unit"));
  EXPECT_EQ(error_with(R"("default": 2)", R"("default": 6)"), "parameters[0].default: 6 is not between -inf and 5");
  EXPECT_EQ(error_with(R"("default": 2, )", ""), "parameters[0]: the key 'default' is missing");
  EXPECT_EQ(error_with(R"("a.0.b")", R"("a..b")"), "outputs[0].name: 'a..b' is not a name");
  EXPECT_EQ(error_with(R"("name": "Strut")", R"("name": "")"), "about.name: the text is empty");
  EXPECT_EQ(error_with(R"("name": "Strut")", R"("name": "a\u001b[2J")"), "about.name: the text has control characters");
  EXPECT_EQ(error_with(R"("name": "Strut", )", ""), "about: the key 'name' is missing");
  EXPECT_EQ(error_with(R"("aarch64-linux")", R"("Linux")"),
            "platforms: 'Linux' is not a platform such as x86_64-linux");
  EXPECT_EQ(error_with(R"("aarch64-linux")", "7"), "platforms[0]: a string is needed here");
  EXPECT_EQ(error_with("[\"aarch64-linux\", \"x86_64-windows-msvc\"]", "{}"),
            "platforms: an array [...] is needed here");
  EXPECT_EQ(error_with(R"("size": 0)", R"("size": -1)"),
            "files[0].size: -1 is not a whole number from 0 to 1099511627776");
  EXPECT_EQ(error_with(R"("sha256": "0)", R"("sha256": "G)"), "files[0].sha256: 64 digits 0-9 a-f are needed here");
  EXPECT_THAT(error_with("resources/a", "../a"), StartsWith("files[0].path: the name '../a' leaves the folder"));
  EXPECT_EQ(error_with(R"("major": 3)", R"("major": 0)"), "abi.major: 0 is not a whole number from 1 to 1000000");
  EXPECT_EQ(error_with(R"({"name": "a.0.b"})", "3"), "outputs[0]: an object {...} is needed here");
  EXPECT_THAT(error_with("{", "["), StartsWith("line 2, column "));
  EXPECT_EQ(read_manifest("[]").error, "an object {...} is needed here");
}

TEST(Manifest, UnknownKeysOnlyOfNewerMinorVersions) {
  EXPECT_EQ(error_with(R"("width": 6)", R"("width": 6, "units": "m")"),
            "ports[0]: the key 'units' is unknown; did you mean 'unit'?");
  EXPECT_EQ(error_with(R"("about")", R"("shapes": [], "about")"), "the key 'shapes' is unknown");
  std::string newer = with(R"("minor": 0)", R"("minor": 1)");
  newer.replace(newer.find("\"width\": 6"), 10, "\"width\": 6, \"units\": \"m\"");
  newer.replace(newer.find("\"about\""), 7, "\"shapes\": [1, {}], \"about\"");
  const ManifestResult result = read_manifest(newer);
  ASSERT_TRUE(result.manifest) << result.error;
  EXPECT_EQ(result.manifest->format.minor, 1);
}

TEST(Manifest, NewerMajorVersionsAreSaidFirst) {
  const ManifestResult result = read_manifest(R"({"format": {"major": 2, "what": []}, "nothing": "else"})");
  EXPECT_FALSE(result.manifest);
  EXPECT_TRUE(result.is_newer);
  EXPECT_EQ(result.error, "its format is 2.x, this program reads 1.x");
}

TEST(Manifest, HasLimits) {
  EXPECT_THAT(read_manifest(std::string(std::size_t{5} << 20, ' ')).error, HasSubstr("longer than"));
  EXPECT_THAT(read_manifest(std::string(100, '[')).error, HasSubstr("nested deeper"));
}

TEST(Manifest, TheHostHasAPlatform) {
  const ManifestResult result = read_manifest(with("aarch64-linux", host_platform()));
  EXPECT_TRUE(result.manifest) << result.error;
}

}  // namespace
}  // namespace gelenk::component::manifest_test
