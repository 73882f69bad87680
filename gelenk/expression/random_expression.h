#pragma once

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "gelenk/base/text.h"

namespace gelenk::expression {

// A random expression over x, y, z for tests: its text with every parenthesis written, and its value by plain C++ as a
// second evaluator. Smooth and without singularities near |x|, |y|, |z| < 3, so that differences can check derivatives.
struct RandomExpression {
  using Value = std::function<double(double, double, double)>;
  std::string text;
  Value value;
};

class RandomExpressions {
 public:
  explicit RandomExpressions(unsigned seed) : random_(seed) {}

  RandomExpression make(int depth) {
    if (depth == 0) return leaf();
    switch (below(14)) {
      case 0:
        return binary(depth, "+", [](double a, double b) { return a + b; });
      case 1:
        return binary(depth, "-", [](double a, double b) { return a - b; });
      case 2:
        return binary(depth, "*", [](double a, double b) { return a * b; });
      case 3:
        return quotient(depth);
      case 4:
        return call(depth, "sin", [](double a) { return std::sin(a); });
      case 5:
        return call(depth, "cos", [](double a) { return std::cos(a); });
      case 6:
        return call(depth, "tanh", [](double a) { return std::tanh(a); });
      case 7:
        return call(depth, "atan", [](double a) { return std::atan(a); });
      case 8:
        return squared(depth);
      case 9:
        return negated(depth);
      case 10:
        return combined(depth, "sqrt(1 + ({})^2)", [](double a) { return std::sqrt(1.0 + a * a); });
      case 11:
        return combined(depth, "log(2 + sin({}))", [](double a) { return std::log(2.0 + std::sin(a)); });
      case 12:
        return combined(depth, "(2 + cos({}))^(0.5 * x)", {});
      default:
        return combined(depth, "exp(-abs(3 + tanh({})))",
                        [](double a) { return std::exp(-std::abs(3.0 + std::tanh(a))); });
    }
  }

  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }

 private:
  int below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }

  RandomExpression leaf() {
    switch (below(4)) {
      case 0:
        return {"x", [](double x, double, double) { return x; }};
      case 1:
        return {"y", [](double, double y, double) { return y; }};
      case 2:
        return {"z", [](double, double, double z) { return z; }};
      default: {
        const double number = std::round(uniform(0.0, 40.0)) / 8.0;
        return {format_number(number), [number](double, double, double) { return number; }};
      }
    }
  }

  RandomExpression binary(int depth, const std::string& sign, const std::function<double(double, double)>& f) {
    const RandomExpression a = make(depth - 1);
    const RandomExpression b = make(depth - 1);
    return {"(" + a.text + ") " + sign + " (" + b.text + ")",
            [=](double x, double y, double z) { return f(a.value(x, y, z), b.value(x, y, z)); }};
  }

  RandomExpression quotient(int depth) {
    const RandomExpression a = make(depth - 1);
    const RandomExpression b = make(depth - 1);
    return {"(" + a.text + ") / (2 + cos(" + b.text + "))",
            [=](double x, double y, double z) { return a.value(x, y, z) / (2.0 + std::cos(b.value(x, y, z))); }};
  }

  RandomExpression call(int depth, const std::string& name, const std::function<double(double)>& f) {
    const RandomExpression a = make(depth - 1);
    return {name + "(" + a.text + ")", [=](double x, double y, double z) { return f(a.value(x, y, z)); }};
  }

  RandomExpression squared(int depth) {
    const RandomExpression a = make(depth - 1);
    return {"(" + a.text + ")^2", [=](double x, double y, double z) { return a.value(x, y, z) * a.value(x, y, z); }};
  }

  RandomExpression negated(int depth) {
    const RandomExpression a = make(depth - 1);
    return {"-(" + a.text + ")", [=](double x, double y, double z) { return -a.value(x, y, z); }};
  }

  // `pattern` with {} replaced. Without a function it is the power with a variable exponent.
  RandomExpression combined(int depth, std::string pattern, const std::function<double(double)>& f) {
    const RandomExpression a = make(depth - 1);
    pattern.replace(pattern.find("{}"), 2, a.text);
    if (f) return {pattern, [=](double x, double y, double z) { return f(a.value(x, y, z)); }};
    return {pattern, [=](double x, double y, double z) { return std::pow(2.0 + std::cos(a.value(x, y, z)), 0.5 * x); }};
  }

  std::mt19937 random_;
};

}  // namespace gelenk::expression
