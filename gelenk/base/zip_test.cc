#include "gelenk/base/zip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

#include "gelenk/base/hash.h"
#include "gelenk/base/zip_test_support.h"

namespace gelenk::zip_test {
namespace {

using testing::HasSubstr;

std::vector<ZipEntry> some_files() {
  std::string numbers;
  for (int i = 0; i < 50'000; ++i) numbers += std::to_string(i);
  return {{"binaries/x86_64-linux/part.so", std::string("\0\x7f\xff", 3)}, {"empty", ""}, {"resources/n", numbers}};
}

std::string error_of(std::string_view bytes, const ZipLimits& limits = {}) {
  std::string error;
  const auto entries = read_zip(bytes, error, limits);
  EXPECT_EQ(entries.has_value(), error.empty());
  return error;
}

std::string packed(const std::vector<ZipEntry>& entries) {
  std::string error;
  const std::optional<std::string> bytes = make_zip(entries, error);
  EXPECT_TRUE(bytes) << error;
  return bytes.value_or("");
}

TEST(Zip, ReadsBackWhatItWrote) {
  std::string error;
  const std::string bytes = packed(some_files());
  const auto entries = read_zip(bytes, error);
  ASSERT_TRUE(entries) << error;
  EXPECT_EQ(*entries, some_files());
  EXPECT_LT(bytes.size(), some_files()[2].bytes.size() / 2);  // packed
}

TEST(Zip, ReadsWhatAnotherWriterWrote) {
  std::string error;
  const auto entries = read_zip(raw_zip({{.path = "a/b", .bytes = "123"}, {.path = "c", .bytes = ""}}), error);
  ASSERT_TRUE(entries) << error;
  EXPECT_EQ(*entries, (std::vector<ZipEntry>{{"a/b", "123"}, {"c", ""}}));
}

TEST(Zip, TheSameFilesGiveTheSameBytesAnywhere) {
  const std::string bytes = packed(some_files());
  for (const char* zone : {"UTC", "Asia/Tokyo", "America/Los_Angeles"}) {
    ::setenv("TZ", zone, 1);
    ::tzset();
    EXPECT_EQ(packed(some_files()), bytes);
  }
  ::unsetenv("TZ");
  ::tzset();
  EXPECT_EQ(packed(some_files()), bytes);
}

TEST(Zip, EveryTruncationIsAnError) {
  const std::string bytes = packed({{"a", "first file"}, {"b/c", std::string(500, 'x')}});
  for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_NE(error_of(bytes.substr(0, size)), "") << size;
}

TEST(Zip, EveryChangedByteIsAnErrorOrChangesNoContent) {
  const std::vector<ZipEntry> files{{"a", "first file"}, {"b/c", "second file with more text"}};
  const std::string bytes = packed(files);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 0x55);
    std::string error;
    const auto entries = read_zip(changed, error);
    EXPECT_EQ(entries.has_value(), error.empty());
    // Names and times have no checksum in the format; contents have.
    for (const ZipEntry& entry : entries.value_or(std::vector<ZipEntry>{})) {
      EXPECT_TRUE(entry.bytes == files[0].bytes || entry.bytes == files[1].bytes) << i;
    }
  }
}

TEST(Zip, NoArchive) {
  EXPECT_EQ(error_of(""), "this is not a ZIP archive");
  EXPECT_EQ(error_of("gelenk: 1\n"), "this is not a ZIP archive");
  EXPECT_THAT(error_of(std::string("PK\x03\x04") + std::string(1000, 'x')), HasSubstr("damaged or cut short"));
}

TEST(Zip, NamesThatLeaveTheFolder) {
  for (const char* path : {"../a", "a/../../b", "/etc/passwd", "a//b", "./a", "a/..", "a\\..\\b"}) {
    EXPECT_THAT(error_of(raw_zip({{.path = path, .bytes = "x"}})), HasSubstr("leaves the folder")) << path;
  }
  for (const char* path : {"C:\\a", "a/b\\c", "a\nb", "a\x1b[2Jb"}) {
    EXPECT_THAT(error_of(raw_zip({{.path = path, .bytes = "x"}})), HasSubstr("may not have")) << path;
  }
  EXPECT_NE(error_of(raw_zip({{.path = "\xff\xfe", .bytes = "x"}})), "");
  EXPECT_THAT(error_of(raw_zip({{.path = std::string(300, 'a'), .bytes = "x"}})), HasSubstr("too long"));
}

TEST(Zip, TwoFilesWithOneName) {
  EXPECT_EQ(error_of(raw_zip({{.path = "a", .bytes = "1"}, {.path = "b", .bytes = "2"}, {.path = "a", .bytes = "3"}})),
            "the file 'a' appears twice");
  EXPECT_EQ(error_of(raw_zip({{.path = "a", .bytes = "1"}, {.path = "a/b", .bytes = "2"}})),
            "'a' is a file and a folder");
  EXPECT_EQ(error_of(raw_zip({{.path = "a/b/c", .bytes = "1"}, {.path = "a/b", .bytes = "2"}})),
            "'a/b' is a file and a folder");
}

TEST(Zip, OnlyOrdinaryFiles) {
  EXPECT_THAT(error_of(raw_zip({{.path = "link", .bytes = "/etc/passwd", .unix_mode = 0120777}})),
              HasSubstr("not an ordinary file"));
  EXPECT_THAT(error_of(raw_zip({{.path = "folder/", .unix_mode = 0040755}})), HasSubstr("not an ordinary file"));
}

TEST(Zip, EncryptionAndOtherMethods) {
  EXPECT_THAT(error_of(raw_zip({{.path = "a", .bytes = "123456789012345", .flags = 1}})), HasSubstr("encrypted"));
  for (const std::uint16_t method : std::initializer_list<std::uint16_t>{9, 12, 14, 93, 95, 98}) {
    EXPECT_THAT(error_of(raw_zip({{.path = "a", .bytes = std::string(40, '\0'), .method = method}})),
                HasSubstr("not with deflate"))
        << method;
  }
}

TEST(Zip, WrongChecksumAndSize) {
  EXPECT_THAT(error_of(raw_zip({{.path = "a", .bytes = "123", .wrong_crc = 1}})),
              HasSubstr("'a' in the archive is dam"));
  EXPECT_NE(error_of(raw_zip({{.path = "a", .bytes = "123", .unpacked_size = 1'000'000}})), "");
}

TEST(Zip, LimitsHold) {
  const ZipLimits limits{.max_entries = 3, .max_entry_bytes = 1000, .max_total_bytes = 2500};
  EXPECT_EQ(error_of(packed({{"a", std::string(1000, 'x')}, {"b", std::string(1000, 'x')}, {"c", "x"}}), limits), "");
  EXPECT_THAT(error_of(packed({{"a", std::string(1001, 'x')}}), limits), HasSubstr("'a' is larger than 1000 bytes"));
  EXPECT_THAT(error_of(packed({{"a", ""}, {"b", ""}, {"c", ""}, {"d", ""}}), limits), HasSubstr("more than 3 files"));
  const std::string part(900, 'x');
  EXPECT_THAT(error_of(packed({{"a", part}, {"b", part}, {"c", part}}), limits), HasSubstr("2500 bytes together"));
}

TEST(Zip, ABombIsStoppedAtTheLimit) {
  const std::string bomb = packed({{"bomb", std::string(std::size_t{64} << 20, '\0')}});
  EXPECT_LT(bomb.size(), 100'000u);
  EXPECT_THAT(error_of(bomb, {.max_entry_bytes = 1u << 20}), HasSubstr("'bomb' is larger than 1048576 bytes"));
}

TEST(Zip, WriterRefusesBadNames) {
  std::string error;
  EXPECT_FALSE(make_zip(std::vector<ZipEntry>{{"../a", ""}}, error));
  EXPECT_THAT(error, HasSubstr("leaves the folder"));
  EXPECT_FALSE(make_zip(std::vector<ZipEntry>{{"a", ""}, {"a", ""}}, error));
  EXPECT_THAT(error, HasSubstr("twice"));
}

}  // namespace
}  // namespace gelenk::zip_test
