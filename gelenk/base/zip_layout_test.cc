#include "gelenk/base/zip_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gelenk/base/zip.h"
#include "gelenk/base/zip_test_support.h"

namespace gelenk::zip_layout_test {
namespace {

using testing::HasSubstr;

// What the reader of archives says; empty when it finds its way.
std::string error_of(std::string_view bytes, bool allows_comment = false) {
  std::string error;
  const auto entries = read_zip(bytes, error, {.allows_comment = allows_comment});
  EXPECT_EQ(entries.has_value(), error.empty());
  return error;
}

std::string packed_text() {
  std::string error;
  return make_zip(std::vector<ZipEntry>{{"a", std::string(200, 'x')}, {"b/c", "text"}}, error).value();
}

std::string field(char low, char high, const std::string& data) {
  return std::string{low, high, static_cast<char>(data.size()), '\0'} + data;
}

TEST(ZipLayout, OwnArchivesAndThoseOfOthersAreGood) {
  EXPECT_EQ(zip_layout(packed_text(), false).problem, "");
  EXPECT_EQ(zip_layout(packed_text(), false).files, 2u);
  const std::string times = field('\x55', '\x54', std::string("\1abcd", 5));
  EXPECT_EQ(error_of(raw_zip({{.path = "a", .bytes = "1", .local_extra = times, .extra = times}, {.path = "b"}})), "");
}

TEST(ZipLayout, AFileWithTwoNames) {
  EXPECT_THAT(error_of(raw_zip({{.path = "good", .bytes = "1", .local_path = "evil"}})),
              HasSubstr("one file has two names, 'good' and 'evil'"));
  // A field of Info-ZIP that has the name once more
  const std::string second = field('\x75', '\x70', std::string("\1\0\0\0\0evil", 9));
  EXPECT_THAT(error_of(raw_zip({{.path = "good", .bytes = "1", .extra = second}})), HasSubstr("another name or size"));
  EXPECT_THAT(error_of(raw_zip({{.path = "good", .bytes = "1", .local_extra = second}})),
              HasSubstr("another name or size"));
}

TEST(ZipLayout, BytesThatBelongToNoFile) {
  EXPECT_THAT(error_of("PK\x03\x04#!/bin/sh\n" + packed_text()), HasSubstr("its directory is not where it should be"));
  EXPECT_THAT(error_of(raw_zip({{.path = "a", .bytes = "1", .gap = "PK\x03\x04"}})),
              HasSubstr("there are bytes before it"));
  EXPECT_THAT(error_of(raw_zip({{.path = "a", .bytes = "1"}, {.path = "b", .gap = "x"}})),
              HasSubstr("there are bytes before the file 'b'"));
  EXPECT_THAT(error_of(raw_zip({{.path = "a", .bytes = "1", .tail = "x"}})),
              HasSubstr("between its files and its directory"));
  EXPECT_THAT(error_of(packed_text() + "x"), HasSubstr("there are bytes after it"));
  EXPECT_THAT(error_of(packed_text() + packed_text()), HasSubstr("its directory is not where it should be"));
  RawZip zip;
  zip.add({.path = "a", .bytes = "1"});
  EXPECT_THAT(error_of(zip.finish("", "x")), HasSubstr("its directory is not where it should be"));
}

TEST(ZipLayout, FilesThatAreNotListed) {
  EXPECT_THAT(error_of(raw_zip({{.path = "a", .bytes = "1"}, {.path = "b", .bytes = "2", .is_unlisted = true}})),
              HasSubstr("between its files and its directory"));
  EXPECT_THAT(error_of(raw_zip({{.path = "b", .bytes = "2", .is_unlisted = true}, {.path = "a", .bytes = "1"}})),
              HasSubstr("there are bytes before it"));
}

TEST(ZipLayout, FilesThatOverlap) {
  RawZip twice;
  const RawZipEntry file{.path = "a", .bytes = "1"};
  twice.add(file);
  twice.list({.path = "b", .bytes = "1"}, 0);
  EXPECT_THAT(error_of(twice.finish()), HasSubstr("the file 'b' overlaps another one"));
  // An archive as the content of a file of another one
  const std::string inner = raw_zip({{.path = "inner", .bytes = "2"}});
  RawZip quine;
  quine.add({.path = "a", .bytes = inner});
  quine.list({.path = "inner", .bytes = "2"}, 31);
  EXPECT_THAT(error_of(quine.finish()), HasSubstr("the file 'inner' overlaps another one"));
  // An archive in an archive is an ordinary file.
  EXPECT_EQ(error_of(raw_zip({{.path = "a", .bytes = inner}})), "");
}

TEST(ZipLayout, Comments) {
  const std::vector<RawZipEntry> files{{.path = "a", .bytes = "1"}};
  EXPECT_THAT(error_of(raw_zip(files, "FreeCAD Document")), HasSubstr("there is a comment after it"));
  EXPECT_EQ(error_of(raw_zip(files, "FreeCAD Document"), true), "");
  EXPECT_NE(error_of(raw_zip(files, "with an archive: " + raw_zip(files)), true), "") << "which of the two?";
  EXPECT_THAT(error_of(raw_zip({{.path = "a", .bytes = "1", .comment = "x"}}), true), HasSubstr("has a comment"));
}

TEST(ZipLayout, TheFormForMoreThanFourGigabytes) {
  const std::string size = field('\x01', '\0', std::string(16, '\0'));
  EXPECT_THAT(error_of(raw_zip({{.path = "a", .bytes = "1", .extra = size}})), HasSubstr("another name or size"));
  // Where other programs would look for the second directory
  const std::string locator = "PK\x06\x07" + std::string(16, '\0');
  const std::string hidden = field('\x75', '\x78', locator);
  EXPECT_THAT(error_of(raw_zip({{.path = "a", .bytes = "1", .extra = hidden}})), HasSubstr("more than 4 GB"));
}

TEST(ZipLayout, SizesBehindTheFile) {
  constexpr std::uint16_t kSizesFollow = 8, kDeflated = 8;
  const std::string block("\x03\x00", 2);  // an empty file, deflated
  const auto archive = [&](const std::string& tail) {
    return raw_zip({{.path = "a", .bytes = block, .method = kDeflated, .flags = kSizesFollow, .tail = tail}});
  };
  EXPECT_THAT(error_of(archive("")), HasSubstr("what follows the file 'a'"));
  EXPECT_THAT(error_of(archive("PK\x07\x08" + std::string(12, '\0'))), HasSubstr("what follows the file 'a'"));
  EXPECT_THAT(error_of(raw_zip({{.path = "a", .bytes = "1", .flags = kSizesFollow}})), HasSubstr("has no end"));
}

// A reader from the beginning would take what is behind the deflated bytes for the next file.
TEST(ZipLayout, BytesBehindADeflatedStream) {
  const std::string block("\x03\x00", 2);
  EXPECT_NE(error_of(raw_zip({{.path = "a", .bytes = block + "hidden", .method = 8}})), "");
}

TEST(ZipLayout, EveryChangedNumberOfTheLayoutIsFound) {
  const std::string good = raw_zip({{.path = "a", .bytes = "first"}, {.path = "b", .bytes = "second"}});
  // Versions, times, attributes say nothing about which files there are.
  std::size_t accepted = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string changed = good;
    changed[i] = static_cast<char>(changed[i] ^ 0x80);
    if (zip_layout(changed, false).problem.empty()) ++accepted;
  }
  constexpr std::size_t kLocalFree = 2 + 4, kDirectoryFree = 2 + 2 + 4 + 2 + 4;
  const std::size_t content = std::string("firstsecond").size();
  EXPECT_EQ(accepted, 2 * (kLocalFree + kDirectoryFree) + content);
}

}  // namespace
}  // namespace gelenk::zip_layout_test
