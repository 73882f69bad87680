#include "gelenk/component/sealed_model.h"

#include <gtest/gtest.h>

#include <cstring>

namespace gelenk::component::sealed_model_test {
namespace {

SealedModel some_model() {
  SealedModel model;
  model.files = {{"strut.yaml", "gelenk: 1\nparts: {tube: {mass: 4 kg}}\n"}, {"sub/rod.yaml", ""}};
  model.ports = {{"eye", PortKind::frame, kFrameWidth, "", "upper end"}, {"u", PortKind::signal_in, 3, "m/s", ""}};
  model.parameters = {{"k", "N/m", 40e3, 0.0, 80e3, "stiffness"}};
  model.outputs = {{"strut.length", "m", ""}};
  return model;
}

TEST(SealedModel, ComesBack) {
  const SealedModel model = some_model();
  const std::string bytes = encode(model);
  EXPECT_EQ(decode_sealed_model(bytes), model);
  EXPECT_EQ(encode(model), bytes);
}

// Neither as text nor as the bytes of a number.
TEST(SealedModel, ShowsNothing) {
  const std::string bytes = encode(some_model());
  for (const char* const text : {"tube", "gelenk", "strut", "mass", "stiffness"}) {
    EXPECT_EQ(bytes.find(text), std::string::npos) << text;
  }
  for (const double number : {40e3, 80e3}) {
    char raw[sizeof number];
    std::memcpy(raw, &number, sizeof number);
    EXPECT_EQ(bytes.find(std::string(raw, sizeof raw)), std::string::npos) << number;
  }
}

TEST(SealedModel, RefusesOtherBytes) {
  const std::string bytes = encode(some_model());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string altered = bytes;
    altered[i] = static_cast<char>(altered[i] ^ 0x10);
    EXPECT_FALSE(decode_sealed_model(altered)) << i;
    EXPECT_FALSE(decode_sealed_model(std::string_view(bytes).substr(0, i))) << i;
  }
  EXPECT_FALSE(decode_sealed_model("rubbish"));
  EXPECT_FALSE(decode_sealed_model(encode(SealedModel{}))) << "without a file";
}

// Whoever has the key and writes nonsense is refused, too.
TEST(SealedModel, RefusesNonsenseBehindTheCipher) {
  const SealedModel model = some_model();
  const std::string plain = detail::plain_bytes(model);
  ASSERT_EQ(detail::read_plain_bytes(plain), model);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_FALSE(detail::read_plain_bytes(std::string_view(plain).substr(0, i))) << i;
  }
  EXPECT_FALSE(detail::read_plain_bytes(plain + "x"));
  std::string newer = plain;
  newer[0] = 2;
  EXPECT_FALSE(detail::read_plain_bytes(newer));
  std::string endless = plain;
  endless[4 + 7] = 127;  // the number of files
  EXPECT_FALSE(detail::read_plain_bytes(endless));
  SealedModel odd = model;
  odd.ports[0].kind = static_cast<PortKind>(9);
  EXPECT_FALSE(detail::read_plain_bytes(detail::plain_bytes(odd)));
}

}  // namespace
}  // namespace gelenk::component::sealed_model_test
