#pragma once

#include <type_traits>
#include <variant>

#include "gelenk/model/common_fields.h"

// Forces along the line of two origins whose size is a formula of `length` and `speed`, the rate of the length, and of
// their own keys: ObjectType::law. Positive when they pull the ends together.
namespace gelenk::model {

struct LineLaw {};

template <class... Types>
bool is_line_law(const std::variant<Types...>& data) {
  return std::visit([](const auto& one) { return std::is_base_of_v<LineLaw, std::decay_t<decltype(one)>>; }, data);
}

inline constexpr Field kEndsField{.key = "between",
                                  .kind = FieldKind::pair,
                                  .doc = "the two frames whose origins are connected, `[A, B]`",
                                  .required = true,
                                  .refers_to = Refers::frame};
inline constexpr std::array kLineChannels{
    Channel{"length", Quantity::length, Channel::Shape::scalar, false, "distance between the two points"},
    Channel{"speed", Quantity::speed, Channel::Shape::scalar, false, "rate of the length"},
    Channel{"force", Quantity::force, Channel::Shape::scalar, false,
            "tension, positive when it pulls the ends together"},
};

}  // namespace gelenk::model
