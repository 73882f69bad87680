#include "gelenk/component/container.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "gelenk/base/hash.h"
#include "gelenk/base/zip_test_support.h"
#include "gelenk/component/container_test_support.h"

namespace gelenk::component::container_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string container_bytes(const ContainerDraft& draft, const SecretKey* key) {
  std::string error;
  const std::optional<std::string> bytes = make_container(draft, key, error);
  EXPECT_TRUE(bytes) << error;
  return bytes.value_or("");
}

std::vector<ZipEntry> entries_of(const std::string& bytes) {
  std::string error;
  return read_zip(bytes, error).value_or(std::vector<ZipEntry>{});
}

std::string zipped(const std::vector<ZipEntry>& entries) {
  std::string error;
  return make_zip(entries, error).value_or("");
}

ZipEntry& entry(std::vector<ZipEntry>& entries, std::string_view path) {
  return *std::find_if(entries.begin(), entries.end(), [&](const ZipEntry& e) { return e.path == path; });
}

void expect_damaged(const std::vector<ZipEntry>& entries, const std::string& what) {
  const OpenResult result = read_container(zipped(entries));
  EXPECT_FALSE(result.container);
  EXPECT_EQ(result.problem, OpenProblem::damaged);
  EXPECT_THAT(result.error, HasSubstr(what));
}

class ContainerFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("gelenk-container-" + random_id());
    std::filesystem::create_directory(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  const SecretKey key_ = test_key('k');
  std::filesystem::path folder_;
};

TEST_F(ContainerFile, SurvivesWritingAndReading) {
  ASSERT_EQ(write_container(path("strut.gkc"), test_draft(), &key_), "");
  const OpenResult result = open_container(path("strut.gkc"));
  ASSERT_TRUE(result.container) << result.error;
  const Container& container = *result.container;
  EXPECT_EQ(container.manifest.about, test_manifest().about);
  EXPECT_EQ(container.manifest.ports, test_manifest().ports);
  EXPECT_EQ(container.files, test_draft().files);
  EXPECT_THAT(container.manifest.platforms, ElementsAre("x86_64-linux"));
  ASSERT_TRUE(container.signature);
  EXPECT_EQ(container.signature->key, key_.public_key());
  EXPECT_EQ(*container.find("resources/system.bin"), "encoded");
  EXPECT_EQ(container.find("resources/other"), nullptr);
}

TEST_F(ContainerFile, TheSameDraftGivesTheSameBytes) {
  EXPECT_EQ(container_bytes(test_draft(), &key_), container_bytes(test_draft(), &key_));
}

TEST_F(ContainerFile, WithoutAKeyItIsNotSigned) {
  const OpenResult result = read_container(container_bytes(test_draft(), nullptr));
  ASSERT_TRUE(result.container) << result.error;
  EXPECT_FALSE(result.container->signature);
}

TEST_F(ContainerFile, FilesThatAreNotThereOrSomethingElse) {
  EXPECT_EQ(open_container(path("none.gkc")).problem, OpenProblem::unreadable);
  EXPECT_THAT(open_container(path("none.gkc")).error, HasSubstr("none.gkc' cannot be read: No such file"));
  EXPECT_EQ(open_container(folder_.string()).problem, OpenProblem::unreadable);
  std::ofstream(path("text.gkc")) << "gelenk: 1\n";
  EXPECT_EQ(open_container(path("text.gkc")).problem, OpenProblem::not_component);
  std::ofstream(path("other.gkc")) << zipped({{"modelDescription.xml", "<fmi/>"}});
  EXPECT_EQ(open_container(path("other.gkc")).problem, OpenProblem::not_component);
  EXPECT_THAT(open_container(path("other.gkc")).error, HasSubstr("other.gkc' is not a sealed component: "));
}

TEST_F(ContainerFile, ChangedFilesAreFound) {
  const std::vector<ZipEntry> good = entries_of(container_bytes(test_draft(), &key_));
  std::vector<ZipEntry> entries = good;
  entry(entries, "resources/system.bin").bytes = "encodeD";
  expect_damaged(entries, "the file 'resources/system.bin' has been changed");
  entry(entries, "resources/system.bin").bytes = "encode";
  expect_damaged(entries, "has 6 bytes instead of 7");
  entries = good;
  entries.pop_back();
  expect_damaged(entries, "the file 'documentation/licence.txt' is missing");
  entries = good;
  entries.push_back({"resources/extra.bin", ""});
  expect_damaged(entries, "the file 'resources/extra.bin' is not in the manifest");
}

TEST_F(ContainerFile, ChangedManifestsAndSignaturesAreFound) {
  const std::vector<ZipEntry> good = entries_of(container_bytes(test_draft(), &key_));
  std::vector<ZipEntry> entries = good;
  entry(entries, kManifestPath).bytes += "\n";
  expect_damaged(entries, "its manifest was changed after it was signed");
  entries = good;
  const Signature other = sign_manifest(test_key('o'), entry(entries, kManifestPath).bytes);
  entry(entries, kSignaturePath).bytes = write_signature({key_.public_key(), other.bytes});
  expect_damaged(entries, "its manifest was changed after it was signed");
  entry(entries, kSignaturePath).bytes = "signed";
  expect_damaged(entries, "the signature file was not written by Gelenk");
}

// Where the maker himself signed nonsense, or nobody signed: the rules of the manifest hold all the same.
TEST_F(ContainerFile, LayoutIsChecked) {
  const auto error_of = [](std::vector<ZipEntry> files, const std::vector<std::string>& platforms) {
    Manifest manifest = test_manifest();
    manifest.platforms = platforms;
    for (const ZipEntry& file : files) {
      manifest.files.push_back({file.path, file.bytes.size(), sha256(file.bytes)});
    }
    files.push_back({std::string(kManifestPath), write_manifest(manifest)});
    const OpenResult result = read_container(zipped(files));
    EXPECT_EQ(result.problem, result.error.empty() ? OpenProblem::none : OpenProblem::damaged);
    return result.error;
  };
  const std::string good = "binaries/x86_64-linux/a.so";
  EXPECT_EQ(error_of({{good, "x"}, {"modelDescription.xml", "x"}, {"extra/a", "x"}}, {"x86_64-linux"}), "");
  EXPECT_THAT(error_of({{good, "x"}, {"a.so", "x"}}, {"x86_64-linux"}),
              HasSubstr("'a.so' does not belong in a component"));
  EXPECT_THAT(error_of({{"binaries/a.so", "x"}}, {}), HasSubstr("'binaries/a.so' does not belong in a component"));
  EXPECT_THAT(error_of({{good, "x"}}, {}), HasSubstr("does not list the platform of '" + good));
  EXPECT_THAT(error_of({{good, "x"}}, {"x86_64-linux", "aarch64-linux"}),
              HasSubstr("lists the platform aarch64-linux, but there are no binaries"));
}

TEST_F(ContainerFile, ANewerMajorVersionIsNotCalledDamaged) {
  std::ofstream(path("new.gkc")) << zipped({{std::string(kManifestPath), R"({"format": {"major": 2}})"}});
  const OpenResult result = open_container(path("new.gkc"));
  EXPECT_EQ(result.problem, OpenProblem::newer);
  EXPECT_THAT(result.error, HasSubstr("was made by a newer Gelenk: manifest.json: its format is 2.x"));
}

TEST_F(ContainerFile, BrokenArchivesAreDamaged) {
  const std::string good = container_bytes(test_draft(), &key_);
  for (const std::size_t size : {good.size() / 3, good.size() / 2, good.size() - 1}) {
    EXPECT_EQ(read_container(good.substr(0, size)).problem, OpenProblem::damaged) << size;
  }
  EXPECT_EQ(read_container(raw_zip({{.path = "../../bin/sh", .bytes = "x"}})).problem, OpenProblem::damaged);
  EXPECT_EQ(read_container(raw_zip({{.path = "a", .bytes = "x"}, {.path = "a", .bytes = "y"}})).problem,
            OpenProblem::damaged);
  EXPECT_EQ(read_container(good + "x").problem, OpenProblem::damaged);
  EXPECT_EQ(read_container(good + good).problem, OpenProblem::damaged);
  EXPECT_THAT(read_container(good, {.max_entry_bytes = 7}).error, HasSubstr("larger than 7 bytes"));
}

// Not one byte of the file counts and can be changed unseen.
TEST_F(ContainerFile, EveryChangedByteIsFoundOrMeansNothing) {
  const std::string good = container_bytes(test_draft(), &key_);
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string changed = good;
    changed[i] = static_cast<char>(changed[i] ^ 0x55);
    const OpenResult result = read_container(changed);
    EXPECT_EQ(result.container.has_value(), result.error.empty());
    if (!result.container) continue;
    EXPECT_EQ(result.container->files, test_draft().files) << i;
    // A signature whose name in the archive was changed would be a file that the manifest does not list.
    ASSERT_TRUE(result.container->signature) << i;
    EXPECT_EQ(result.container->signature->key, key_.public_key()) << i;
  }
}

TEST_F(ContainerFile, BinariesOfAPlatform) {
  const OpenResult result = read_container(container_bytes(test_draft(), nullptr));
  std::string error;
  const auto files = binaries_for(*result.container, "x86_64-linux", error);
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0]->path, "binaries/x86_64-linux/strut.so");
  EXPECT_EQ(error, "");
  EXPECT_TRUE(binaries_for(*result.container, "aarch64-linux", error).empty());
  EXPECT_EQ(error, "'Strut' has no binaries for aarch64-linux; it has x86_64-linux");
  EXPECT_TRUE(binaries_for(*result.container, "", error).empty());
}

ContainerDraft draft_for(const std::string& platform) {
  ContainerDraft draft = test_draft();
  draft.files[0] = {"binaries/" + platform + "/strut.so", platform};
  return draft;
}

TEST_F(ContainerFile, PlatformsAreAdded) {
  const OpenResult other = read_container(container_bytes(draft_for("aarch64-linux"), nullptr));
  ContainerDraft draft = test_draft();
  ASSERT_EQ(add_platforms(draft, *other.container), "");
  const OpenResult both = read_container(container_bytes(draft, &key_));
  ASSERT_TRUE(both.container) << both.error;
  EXPECT_THAT(both.container->manifest.platforms, ElementsAre("aarch64-linux", "x86_64-linux"));
  EXPECT_EQ(both.container->files.size(), test_draft().files.size() + 1);
  std::string error;
  EXPECT_EQ(binaries_for(*both.container, "aarch64-linux", error).at(0)->bytes, "aarch64-linux");
  EXPECT_EQ(add_platforms(draft, *other.container), "both files have binaries for aarch64-linux");
}

TEST_F(ContainerFile, OnlyTheSameComponentIsAdded) {
  const auto refusal = [](const ContainerDraft& other) {
    ContainerDraft draft = test_draft();
    const std::string reason = add_platforms(draft, *read_container(container_bytes(other, nullptr)).container);
    EXPECT_EQ(draft.files, test_draft().files);
    return reason;
  };
  ContainerDraft other = draft_for("aarch64-linux");
  other.manifest.about.version = "1.3";
  EXPECT_EQ(refusal(other), "the other file is not the same component: it is version 1.3, this is version 1.2");
  other = draft_for("aarch64-linux");
  other.manifest.ports.pop_back();
  EXPECT_THAT(refusal(other), HasSubstr("its ports differ"));
  other = draft_for("aarch64-linux");
  other.manifest.abi.minor = 4;
  EXPECT_THAT(refusal(other), HasSubstr("its binaries use interface 1.4, those already here 1.0"));
  other = draft_for("aarch64-linux");
  other.files[1].bytes = "another";
  EXPECT_THAT(refusal(other), HasSubstr("files other than the binaries differ"));
  other = draft_for("aarch64-linux");
  other.files.erase(other.files.begin());
  EXPECT_THAT(refusal(other), HasSubstr("no binaries"));
}

TEST_F(ContainerFile, TheWriterKeepsTheRulesOfTheReader) {
  ContainerDraft draft = test_draft();
  draft.manifest.ports[0].name = "two words";
  std::ofstream(path("strut.gkc")) << "old";
  EXPECT_THAT(write_container(path("strut.gkc"), draft, &key_),
              HasSubstr("cannot be written: manifest.json: ports[0].name: 'two words' is not a port name"));
  EXPECT_EQ(std::filesystem::file_size(path("strut.gkc")), 3u);
  draft = test_draft();
  draft.files.push_back({"../x", ""});
  EXPECT_NE(write_container(path("strut.gkc"), draft, &key_), "");
  EXPECT_THAT(write_container(path("no/strut.gkc"), test_draft(), &key_), HasSubstr("there is no folder"));
}

}  // namespace
}  // namespace gelenk::component::container_test
