#pragma once

#include <span>
#include <string_view>

// The chapters of the reference page that are written by hand.
namespace gelenk::formats {

extern const std::string_view kReferenceIntroduction;
extern const std::string_view kReferenceChannels;
extern const std::string_view kReferenceForceExample;

struct FunctionText {
  std::string_view name;
  std::string_view call;
  std::string_view what;
};
std::span<const FunctionText> function_texts();

}  // namespace gelenk::formats
