#include "gelenk/component/trust_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "gelenk/base/hash.h"
#include "gelenk/component/container_test_support.h"

namespace gelenk::component::trust_store_test {
namespace {

using testing::HasSubstr;

class Trusting : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("gelenk-trust-" + random_id());
    std::filesystem::create_directory(folder_);
    path_ = (folder_ / "config/gelenk/trusted-keys").string();
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string content() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string error_with(const std::string& text) {
    std::ofstream(path_) << text;
    std::string error;
    EXPECT_FALSE(TrustStore::load(path_, error));
    return error;
  }

  const PublicKey acme_ = test_key('a').public_key();
  const PublicKey other_ = test_key('o').public_key();
  std::filesystem::path folder_;
  std::string path_;
  std::string error_;
};

TEST_F(Trusting, NothingIsTrustedAtFirst) {
  const std::optional<TrustStore> store = TrustStore::load(path_, error_);
  ASSERT_TRUE(store);
  EXPECT_TRUE(store->keys().empty());
}

TEST_F(Trusting, SurvivesWritingAndReading) {
  TrustStore store;
  EXPECT_EQ(store.add("ACME dampers", acme_), "");
  EXPECT_EQ(store.add("Müller", other_), "");
  ASSERT_EQ(store.save(path_), "");
  using std::filesystem::perms;
  EXPECT_EQ(std::filesystem::status(path_).permissions(), perms::owner_read | perms::owner_write);
  const std::optional<TrustStore> again = TrustStore::load(path_, error_);
  ASSERT_TRUE(again) << error_;
  EXPECT_EQ(again->keys(), store.keys());
  EXPECT_EQ(again->find(acme_)->name, "ACME dampers");
  EXPECT_EQ(again->find("Müller")->key, other_);
}

TEST_F(Trusting, NamesAndKeysAreThereOnce) {
  TrustStore store;
  EXPECT_EQ(store.add("ACME", acme_), "");
  EXPECT_EQ(store.add("Acme", acme_), "this key is already trusted, as 'ACME'");
  EXPECT_EQ(store.add("ACME", other_), "'ACME' is already the name of another key");
  for (const char* name : {"", " x", "x ", "a\nb", "a\x1b[2J", "gelenk-key:x"}) EXPECT_NE(store.add(name, other_), "");
  EXPECT_NE(store.add(std::string(101, 'x'), other_), "");
  EXPECT_FALSE(store.remove("Acme"));
  EXPECT_TRUE(store.remove("ACME"));
  EXPECT_TRUE(store.keys().empty());
}

TEST_F(Trusting, ADamagedListIsNotBelieved) {
  TrustStore store;
  ASSERT_EQ(store.add("ACME", acme_), "");
  ASSERT_EQ(store.save(path_), "");
  const std::string good = content();
  for (std::size_t size = 0; size < good.size(); ++size) EXPECT_NE(error_with(good.substr(0, size)), "") << size;
  const std::string begin = good.substr(0, good.rfind("end\n"));
  EXPECT_THAT(error_with("gelenk-trusted-keys 2\nend\n"), HasSubstr("damaged, line 1"));
  EXPECT_THAT(error_with(begin + "rubbish\nend\n"), HasSubstr("damaged, line 4: 'rubbish' is not a key"));
  EXPECT_THAT(error_with(begin + public_key_text(other_) + "\nend\n"), HasSubstr("line 4: '' cannot be the name"));
  EXPECT_THAT(error_with(begin + public_key_text(other_) + " ACME\nend\n"),
              HasSubstr("line 4: 'ACME' is already the name of"));
  EXPECT_THAT(error_with(good + "\n"), HasSubstr("the list is cut short"));
}

TEST_F(Trusting, AListThatOthersCanChangeIsNotBelieved) {
  ASSERT_EQ(TrustStore().save(path_), "");
  std::filesystem::permissions(path_, std::filesystem::perms::others_write, std::filesystem::perm_options::add);
  EXPECT_FALSE(TrustStore::load(path_, error_));
  EXPECT_THAT(error_, HasSubstr("can be changed by others; restrict it to yourself: chmod 600"));
}

TEST_F(Trusting, WhatCannotBeReadOrWrittenIsSaid) {
  std::filesystem::create_directories(path_);
  EXPECT_FALSE(TrustStore::load(path_, error_));
  EXPECT_THAT(error_, HasSubstr("cannot be read: it is a folder"));
  EXPECT_THAT(TrustStore().save(path_), HasSubstr("cannot be written"));
}

TEST_F(Trusting, LiesInTheUsersFolder) {
  ::setenv("XDG_CONFIG_HOME", folder_.c_str(), 1);
  EXPECT_EQ(TrustStore::default_path(), (folder_ / "gelenk/trusted-keys").string());
  ::unsetenv("XDG_CONFIG_HOME");
}

TEST_F(Trusting, Verdicts) {
  TrustStore store;
  ASSERT_EQ(store.add("ACME", acme_), "");
  const auto verdict = [&](const SecretKey* key) {
    std::string error;
    return judge(read_container(*make_container(test_draft(), key, error)), store);
  };
  const SecretKey trusted = test_key('a');
  const SecretKey unknown = test_key('u');
  EXPECT_EQ(verdict(&trusted).trust, Trust::trusted);
  EXPECT_EQ(verdict(&trusted).name, "ACME");
  EXPECT_EQ(verdict(&unknown).trust, Trust::unknown_key);
  EXPECT_EQ(verdict(&unknown).key, unknown.public_key());
  EXPECT_EQ(verdict(nullptr).trust, Trust::not_signed);
  EXPECT_EQ(judge(read_container("PK\x03\x04"), store).trust, Trust::damaged);
  ASSERT_TRUE(store.remove("ACME"));
  EXPECT_EQ(verdict(&trusted).trust, Trust::unknown_key);
  EXPECT_EQ(trust_name(Trust::unknown_key), "unknown key");
}

}  // namespace
}  // namespace gelenk::component::trust_store_test
