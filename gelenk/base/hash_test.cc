#include "gelenk/base/hash.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace gelenk::hash_test {
namespace {

struct KnownAnswer {
  std::string bytes;
  std::string digits;
};

// The examples of FIPS 180-4: less than a block, more than a block, very many blocks; and nothing at all.
const KnownAnswer kKnownAnswers[] = {
    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {std::string(1'000'000, 'a'), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
};

TEST(Sha256, KnownAnswers) {
  for (const KnownAnswer& known : kKnownAnswers) {
    EXPECT_EQ(sha256(known.bytes), known.digits) << known.bytes.substr(0, 60);
  }
}

TEST(Sha256, PiecesCountAsOne) {
  const std::string_view bytes = kKnownAnswers[2].bytes;
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    Sha256 hash;
    hash.add(bytes.substr(0, cut));
    hash.add(std::as_bytes(std::span(bytes.substr(cut))));
    EXPECT_EQ(hash.hex(), kKnownAnswers[2].digits) << cut;
  }
}

TEST(Sha256, MoreMayFollowAfterItWasAsked) {
  Sha256 hash;
  hash.add("a");
  EXPECT_EQ(hash.hex(), sha256("a"));
  hash.add("bc");
  EXPECT_EQ(hash.hex(), kKnownAnswers[1].digits);
  EXPECT_EQ(hash.digest().size(), Sha256::kBytes);
  EXPECT_EQ(hash.digest().substr(0, 4), "\xba\x78\x16\xbf");
}

TEST(RandomId, DigitsThatDoNotRepeat) {
  constexpr std::size_t kCount = 1000;
  std::set<std::string> ids;
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::string id = random_id();
    EXPECT_EQ(id.size(), 32U);
    EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos) << id;
    ids.insert(id);
  }
  EXPECT_EQ(ids.size(), kCount);
}

}  // namespace
}  // namespace gelenk::hash_test
