#pragma once

#include <concepts>
#include <functional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace gelenk::cad {

// Told what is done now.
class Progress {
 public:
  using Told = std::function<void(std::string_view)>;

  template <std::invocable<std::string_view> Stage>
  requires(!std::same_as<std::remove_cvref_t<Stage>, Progress>)
      Progress(Stage stage, Told place = {})  // NOLINT(google-explicit-constructor): most who call have one function
      : stage_(std::move(stage)), place_(std::move(place)) {}

  // For who waits: "reading", "part 3 of 12" ...
  void operator()(std::string_view stage) const { stage_(stage); }
  // For who finds nothing but a crash: "#843 = ADVANCED_FACE"
  void at(std::string_view place) const {
    if (place_) place_(place);
  }

 private:
  Told stage_, place_;
};

}  // namespace gelenk::cad
