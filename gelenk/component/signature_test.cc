#include "gelenk/component/signature.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "gelenk/base/hash.h"
#include "gelenk/component/container_test_support.h"

namespace gelenk::component::signature_test {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

TEST(KeyText, SurvivesWritingAndReading) {
  const PublicKey key = test_key('k').public_key();
  const std::string text = public_key_text(key);
  EXPECT_THAT(text, StartsWith("gelenk-key:"));
  EXPECT_EQ(text.size(), std::string("gelenk-key:").size() + 48);
  std::string error;
  EXPECT_EQ(parse_public_key(text, error), key);
  EXPECT_EQ(parse_public_key("  " + text + "\n", error), key);
}

TEST(KeyText, EveryWrongOrLostLetterIsFound) {
  const std::string text = public_key_text(test_key('k').public_key());
  std::string error;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(parse_public_key(changed, error)) << i;
    EXPECT_NE(error, "");
    EXPECT_FALSE(parse_public_key(std::string(text).erase(i, 1), error)) << i;
  }
  EXPECT_FALSE(parse_public_key(text + "A", error));
  EXPECT_EQ(error, "the key is not complete: a letter is missing or wrong");
  EXPECT_FALSE(parse_public_key("ssh-ed25519 AAAA", error));
  EXPECT_EQ(error, "'ssh-ed25519 AAAA' is not a key; keys begin with gelenk-key:");
}

TEST(KeyText, FingerprintsDiffer) {
  const std::string text = fingerprint(test_key('k').public_key());
  EXPECT_THAT(text, MatchesRegex("([0-9A-F]{4}-){7}[0-9A-F]{4}"));
  EXPECT_NE(text, fingerprint(test_key('l').public_key()));
}

class KeyFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("gelenk-key-" + random_id());
    std::filesystem::create_directory(folder_);
    path_ = (folder_ / "key").string();
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string content() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const SecretKey key_ = test_key('k');
  std::filesystem::path folder_;
  std::string path_;
  std::string error_;
};

TEST_F(KeyFile, SurvivesWritingAndReading) {
  ASSERT_EQ(write_secret_key(path_, key_), "");
  using std::filesystem::perms;
  EXPECT_EQ(std::filesystem::status(path_).permissions(), perms::owner_read | perms::owner_write);
  const std::optional<SecretKey> again = read_secret_key(path_, error_);
  ASSERT_TRUE(again) << error_;
  EXPECT_EQ(again->seed(), key_.seed());
  EXPECT_THAT(content(), HasSubstr(public_key_text(key_.public_key())));
}

TEST_F(KeyFile, IsNeverReplaced) {
  ASSERT_EQ(write_secret_key(path_, key_), "");
  const std::string before = content();
  EXPECT_THAT(write_secret_key(path_, test_key('o')), HasSubstr("File exists"));
  EXPECT_EQ(content(), before);
}

TEST_F(KeyFile, IsNoSecretWhenOthersCanReadIt) {
  ASSERT_EQ(write_secret_key(path_, key_), "");
  for (const auto bit : {std::filesystem::perms::group_read, std::filesystem::perms::others_read}) {
    std::filesystem::permissions(path_, bit, std::filesystem::perm_options::add);
    EXPECT_FALSE(read_secret_key(path_, error_));
    EXPECT_THAT(error_, HasSubstr("can be read by others; restrict it to yourself: chmod 600"));
    std::filesystem::permissions(path_, bit, std::filesystem::perm_options::remove);
  }
  EXPECT_TRUE(read_secret_key(path_, error_));
}

TEST_F(KeyFile, DamagedAndMissing) {
  EXPECT_FALSE(read_secret_key(path_, error_));
  EXPECT_THAT(error_, HasSubstr("cannot be read: No such file"));
  ASSERT_EQ(write_secret_key(path_, key_), "");
  const std::string text = content();
  std::ofstream(path_) << text.substr(0, text.size() - 2);
  EXPECT_FALSE(read_secret_key(path_, error_));
  EXPECT_THAT(error_, HasSubstr("does not hold a complete secret key"));
  // The secret is not taken for a public key.
  const std::string line = text.substr(text.rfind("gelenk-secret-key:"));
  EXPECT_FALSE(parse_public_key(line, error_));
  EXPECT_THAT(error_, StartsWith("this is a secret key"));
}

TEST(SignatureText, SurvivesWritingAndReading) {
  const Signature signature = sign_manifest(test_key('k'), "{}");
  std::string error;
  EXPECT_EQ(read_signature(write_signature(signature), error), signature);
  EXPECT_TRUE(fits(signature, "{}"));
  EXPECT_FALSE(fits(signature, "{ }"));
}

TEST(SignatureText, DamageIsFound) {
  const std::string text = write_signature(sign_manifest(test_key('k'), "{}"));
  std::string error;
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(read_signature(text.substr(0, size), error)) << size;
    EXPECT_NE(error, "");
  }
  EXPECT_FALSE(read_signature(text + "\n", error));
}

}  // namespace
}  // namespace gelenk::component::signature_test
