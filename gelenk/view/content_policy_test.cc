#include "gelenk/view/content_policy.h"

#include <gtest/gtest.h>

namespace gelenk::view::content_policy_test {
namespace {

constexpr std::string_view kRule = R"(<meta http-equiv="Content-Security-Policy" content="script-src 'sha256-x'" />)";

TEST(ContentPolicy, IsThatOfThePage) {
  EXPECT_EQ(content_policy("<!doctype html>" + std::string(kRule) + "<p>"),
            "script-src 'sha256-x'; frame-ancestors 'none'");
}

TEST(ContentPolicy, WithoutOneNothingRuns) {
  EXPECT_EQ(content_policy("<!doctype html>"), "default-src 'none'; frame-ancestors 'none'");
  const std::string_view cut = kRule.substr(0, kRule.size() - 5);
  EXPECT_EQ(content_policy(cut), "default-src 'none'; frame-ancestors 'none'");
}

}  // namespace
}  // namespace gelenk::view::content_policy_test
