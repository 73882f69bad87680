#pragma once

#include "gelenk/model/common_fields.h"

// Coordinates of joints that a formula ties to each other (docs/theory/equations.md, section 12).
namespace gelenk::model {

// follower = lift(cam): a cam by its curve, a gear with a changing ratio, any function of one coordinate.
struct Cam {};
inline constexpr std::array<std::string_view, 2> kCamKeys{"follower", "cam"};
inline constexpr std::array kCamFields{
    Field{.key = "cam",
          .kind = FieldKind::reference,
          .doc = "the coordinate that is looked up, often the angle of a shaft",
          .required = true,
          .refers_to = Refers::coordinate},
    Field{.key = "follower",
          .kind = FieldKind::reference,
          .doc = "the coordinate that follows it",
          .required = true,
          .refers_to = Refers::coordinate},
    Field{.key = "lift",
          .kind = FieldKind::signal,
          .doc = "what the follower's coordinate is, as a formula or table of `coordinate`, that of the cam: "
                 "`=20 mm * (1 - cos(coordinate))`. Its slope must not jump; a closed curve is a table with "
                 "`interpolation: periodic`",
          .required = true,
          .also_called = "profile curve motion_law value function"}};
inline constexpr CouplingType kCamCoupling{
    .keys = kCamKeys, .constant = [](const void* /*data*/) { return 0.0; }, .has_law = true};
inline constexpr ObjectType kCam{.name = "cam",
                                 .doc = "cam by its curve: follower = lift(cam), held on both sides",
                                 .fields = kCamFields,
                                 .coupling = &kCamCoupling,
                                 .channels = kCouplingChannels,
                                 .law = "first - lift",
                                 .also_called = "cam_follower desmodromic_cam function_coupling coordinate_coupler"};
constexpr const ObjectType& descriptor(const Cam*) { return kCam; }

// Any formula of coordinates that is held at zero.
struct ExpressionLaw {};
inline constexpr std::array<std::string_view, 1> kExpressionKeys{"of"};
inline constexpr std::array kExpressionFields{
    Field{.key = "of",
          .kind = FieldKind::signal,
          .doc = "what is zero: a formula of coordinates of joints and of parameters, without jumps or kinks: "
                 "`=slider.travel - crank_length * cos(crank.angle)`",
          .required = true,
          .refers_to = Refers::channel,
          .also_called = "expression equation formula zero"}};
inline constexpr CouplingType kExpressionCoupling{
    .keys = kExpressionKeys, .constant = [](const void* /*data*/) { return 0.0; }, .has_law = true};
inline constexpr std::array kExpressionChannels{
    Channel{"multiplier", Quantity::number, Channel::Shape::scalar, false,
            "times the slope of the formula by a coordinate: the torque or force on that coordinate; SI"}};
inline constexpr ObjectType kExpression{.name = "expression",
                                        .doc = "a formula of joint coordinates that is held at zero",
                                        .fields = kExpressionFields,
                                        .coupling = &kExpressionCoupling,
                                        .channels = kExpressionChannels,
                                        .also_called = "equation constraint user_constraint general_constraint gcon"};
constexpr const ObjectType& descriptor(const ExpressionLaw*) { return kExpression; }

}  // namespace gelenk::model
