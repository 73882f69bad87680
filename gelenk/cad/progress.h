#pragma once

#include <concepts>
#include <functional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace gelenk::cad {

// Called with what is being done now.
class Progress {
 public:
  using Report = std::function<void(std::string_view)>;

  template <std::invocable<std::string_view> Stage>
  requires(!std::same_as<std::remove_cvref_t<Stage>, Progress>)
      Progress(Stage stage, Report place = {})  // NOLINT(google-explicit-constructor): most callers have one function
      : stage_(std::move(stage)), place_(std::move(place)) {}

  // For people who wait: "reading", "part 3 of 12" ...
  void operator()(std::string_view stage) const { stage_(stage); }
  // For a caller that finds nothing but a crash: "#843 = ADVANCED_FACE"
  void at(std::string_view place) const {
    if (place_) place_(place);
  }

 private:
  Report stage_, place_;
};

}  // namespace gelenk::cad
