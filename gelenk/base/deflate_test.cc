#include "gelenk/base/deflate.h"

#include <gtest/gtest.h>

#include <random>

namespace gelenk::deflate_test {
namespace {

std::string sample(std::size_t size) {
  std::mt19937 random(7);
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i % 3 == 0 ? random() : i >> 8);
  return bytes;
}

std::string compressed(std::string_view bytes, std::size_t piece) {
  Deflater deflater;
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += piece) deflater.add(bytes.substr(at, piece), out);
  deflater.finish(out);
  return out;
}

TEST(Deflate, ComesBackHoweverItIsCut) {
  const std::string bytes = sample(300'000);
  const std::string whole = compressed(bytes, bytes.size());
  EXPECT_LT(whole.size(), bytes.size());
  EXPECT_EQ(compressed(bytes, 1000), whole);
  EXPECT_EQ(inflate_bytes(whole, bytes.size()), bytes);
}

TEST(Deflate, Nothing) { EXPECT_EQ(inflate_bytes(compressed("", 1), 10), ""); }

TEST(Deflate, DamageIsNoticed) {
  const std::string bytes = sample(10'000);
  const std::string whole = compressed(bytes, bytes.size());
  EXPECT_FALSE(inflate_bytes(whole.substr(0, whole.size() - 1), bytes.size()));
  EXPECT_FALSE(inflate_bytes(whole, bytes.size() - 1)) << "more than allowed";
  EXPECT_FALSE(inflate_bytes("\xff\xff\xff", 100));
}

}  // namespace
}  // namespace gelenk::deflate_test
