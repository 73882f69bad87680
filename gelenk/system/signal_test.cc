#include "gelenk/system/signal.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>

namespace gelenk::system::signal_test {
namespace {

using expression::Op;

constexpr double kNever = std::numeric_limits<double>::infinity();
// Times of jumps come from one subtraction and one division.
constexpr double kRounding = 1e-15;

// A signal over time, `x` (a channel) and constants, with its switches.
struct Formula {
  explicit Formula(const std::string& text) : Formula(*expression::parse(text).expression) {}
  explicit Formula(expression::Expression formula) {
    signal.formula = std::move(formula);
    for (const expression::Symbol& symbol : signal.formula.symbols()) {
      Symbol use;
      if (symbol.name == "time") {
        use.kind = Symbol::Kind::time;
        signal.reads_time = true;
      } else if (symbol.name == "x") {
        use.kind = Symbol::Kind::channel;
        signal.reads_channels = true;
      }
      signal.symbols.push_back(use);
      params.constants.push_back(use.kind == Symbol::Kind::constant ? 2.0 : 0.0);
    }
    find_switches(signal, 0, switches);
    sides.assign(switches.size(), 0);
  }

  double next(double time) const { return next_discontinuity(signal, params, time); }
  // Sides for the span that begins at `time`.
  void set_sides(double time) {
    const double until = std::min(1.0, next(time) - time);
    set_time_sides(signal, params, switches, time + 0.5 * until, sides);
  }
  double value(double time, double x = 0.0) const {
    std::vector<double> symbols;
    for (std::size_t i = 0; i < signal.symbols.size(); ++i) {
      const Symbol::Kind kind = signal.symbols[i].kind;
      symbols.push_back(kind == Symbol::Kind::time ? time : kind == Symbol::Kind::channel ? x : params.constants[i]);
    }
    std::vector<double> scratch(signal.formula.scratch_size());
    return evaluate_on_sides<double>(signal, symbols, sides, scratch);
  }

  Signal signal;
  SignalParams params;
  std::vector<Switch> switches;
  std::vector<std::int32_t> sides;
};

TEST(Discontinuities, ComeFromLinearFunctionsOfTime) {
  EXPECT_NEAR(Formula("step(time - 2.5)").next(0.0), 2.5, kRounding);
  EXPECT_EQ(Formula("step(time - 2.5)").next(2.5), kNever);
  EXPECT_NEAR(Formula("if(2*time + 1 < 4, 1, 0)").next(0.0), 1.5, kRounding);
  EXPECT_NEAR(Formula("if(a > (3 - time)/2, 1, 0)").next(-5.0), -1.0, kRounding);  // a = 2
  EXPECT_NEAR(Formula("max(time, 3 - a*time)").next(0.0), 1.0, kRounding);
  EXPECT_NEAR(Formula("abs(-(time - 1))").next(0.0), 1.0, kRounding);
  EXPECT_NEAR(Formula("sign(time/4 - 1)").next(0.0), 4.0, kRounding);
}

TEST(Discontinuities, ComeAtEveryWholeNumber) {
  EXPECT_NEAR(Formula("floor(4*time)").next(0.3), 0.5, kRounding);
  EXPECT_NEAR(Formula("floor(4*time)").next(0.5), 0.75, kRounding);
  EXPECT_NEAR(Formula("ceil(-4*time)").next(0.0), 0.25, kRounding);
  EXPECT_NEAR(Formula("mod(time, 0.2)").next(0.2), 0.4, kRounding);
  EXPECT_NEAR(Formula("mod(1 - time, a)").next(1.5), 3.0, kRounding);
  // 0.1 has no finite binary form: a thousand jumps are found, each once.
  const Formula tenths("floor(time/0.1)");
  double time = 0.0;
  for (int i = 1; i <= 1000; ++i) {
    const double next = tenths.next(time);
    EXPECT_NEAR(next, 0.1 * i, 1e-12);
    ASSERT_GT(next, time);
    time = next;
  }
}

TEST(Discontinuities, ComeAtTheKnotsOfATable) {
  const auto table =
      std::make_shared<const Table>(*Table::make({1.0, 2.0, 4.0}, {0.0, 3.0, 1.0}, Interpolation::linear, nullptr));
  const Formula formula(expression::Expression::table(table, *expression::parse("2*time").expression));
  EXPECT_NEAR(formula.next(0.0), 0.5, kRounding);
  EXPECT_NEAR(formula.next(0.5), 1.0, kRounding);
  EXPECT_NEAR(formula.next(1.0), 2.0, kRounding);
  EXPECT_EQ(formula.next(2.0), kNever);
}

TEST(Discontinuities, NoneWhereNothingJumps) {
  EXPECT_EQ(Formula("sin(time) + a^2 + abs(a) + floor(a)").next(0.0), kNever);
  EXPECT_TRUE(Formula("sin(time) + abs(a) + floor(a)").switches.empty());
  EXPECT_EQ(Formula("step(0*time - 1)").next(0.0), kNever);
}

TEST(Switches, KnowWhetherTheirTimesAreKnown) {
  const auto is_linear = [](const std::string& text) {
    const Formula formula(text);
    EXPECT_EQ(formula.switches.size(), 1u) << text;
    return formula.switches.front().is_linear_in_time;
  };
  EXPECT_TRUE(is_linear("step(time - 1)"));
  EXPECT_TRUE(is_linear("mod(3*time, a)"));
  EXPECT_FALSE(is_linear("step(time^2 - 1)"));
  EXPECT_FALSE(is_linear("step(x)"));
  EXPECT_FALSE(is_linear("abs(time - x)"));
  EXPECT_FALSE(is_linear("mod(time, x)"));
}

TEST(Switches, BelongToTheSpanThatBeginsAtABorder) {
  Formula jump("step(time - 2.5)");
  jump.set_sides(0.0);
  EXPECT_EQ(jump.value(2.5), 0.0);  // held to the end of the step
  jump.set_sides(2.5);
  EXPECT_EQ(jump.value(2.5), 1.0);
  Formula saw("mod(time, 0.2)");
  saw.set_sides(0.2);
  EXPECT_NEAR(saw.value(0.4), 0.2, kRounding);
  saw.set_sides(saw.next(0.2));
  EXPECT_NEAR(saw.value(0.4), 0.0, kRounding);
  Formula pulse("if(time > 1 and time <= 2, 5, 0)");
  pulse.set_sides(0.0);
  EXPECT_EQ(pulse.value(1.0), 0.0);
  pulse.set_sides(1.0);
  EXPECT_EQ(pulse.value(1.0), 5.0);
  EXPECT_EQ(pulse.value(2.0), 5.0);
  pulse.set_sides(2.0);
  EXPECT_EQ(pulse.value(2.0), 0.0);
}

// A held formula goes on smoothly beyond its border, so that a step may end there.
TEST(Switches, ThatJumpAreHeldWhateverTheArgumentsSay) {
  Formula sign("sign(x)");
  sign.sides = {1};
  EXPECT_EQ(sign.value(0.0, -0.25), 1.0);
  Formula condition("if(x < 2, 10, 20)");
  condition.sides = {1};
  EXPECT_EQ(condition.value(0.0, 7.0), 10.0);
  condition.sides = {0};
  EXPECT_EQ(condition.value(0.0, -7.0), 20.0);
  Formula stairs("floor(x)");
  stairs.sides = {4};
  EXPECT_EQ(stairs.value(0.0, 9.5), 4.0);
  Formula saw("mod(x, 2)");
  saw.sides = {1};
  EXPECT_EQ(saw.value(0.0, 4.5), 2.5);
}

// What only kinks is watched but true on either side: a root of max(x, 0) never sees a negative number.
TEST(Switches, ThatKinkHaveTheirTrueValue) {
  for (const std::int32_t side : {0, 1}) {
    Formula root("sqrt(max(x, 0))");
    ASSERT_EQ(root.switches.size(), 1u);
    root.sides = {side};
    EXPECT_EQ(root.value(0.0, -0.25), 0.0);
    EXPECT_EQ(root.value(0.0, 0.25), 0.5);
    Formula least("min(x, 3) + abs(x)");
    least.sides = {side, side};
    EXPECT_EQ(least.value(0.0, 7.0), 10.0);
    EXPECT_EQ(least.value(0.0, -7.0), 0.0);
  }
}

struct SideCase {
  Op op;
  double a, b;
  std::int32_t side;
};

TEST(Sides, AtAndBesideTheirBorders) {
  constexpr SideCase kCases[] = {
      {Op::less, 1.0, 2.0, 1},          {Op::less, 2.0, 2.0, 0},          {Op::less_equal, 2.0, 2.0, 1},
      {Op::less_equal, 2.5, 2.0, 0},    {Op::greater, 2.0, 2.0, 0},       {Op::greater, 2.5, 2.0, 1},
      {Op::greater_equal, 2.0, 2.0, 1}, {Op::greater_equal, 1.0, 2.0, 0}, {Op::step, 0.0, 0.0, 1},
      {Op::step, -1e-300, 0.0, 0},      {Op::sign, 0.0, 0.0, 0},          {Op::sign, -3.0, 0.0, -1},
      {Op::abs, 3.0, 0.0, 1},           {Op::floor, 2.0, 0.0, 2},         {Op::floor, -0.5, 0.0, -1},
      {Op::ceil, 2.0, 0.0, 2},          {Op::ceil, 2.1, 0.0, 3},          {Op::mod, -0.5, 2.0, -1},
      {Op::mod, 4.0, 2.0, 2},           {Op::min, 2.0, 2.0, 1},           {Op::max, 1.0, 2.0, 0},
  };
  for (const SideCase& one : kCases) {
    EXPECT_EQ(side_of(one.op, one.a, one.b), one.side) << static_cast<int>(one.op) << " of " << one.a << ", " << one.b;
  }
}

// On its side a switch has slack, across the border it has none, and the other side has.
TEST(Sides, SlackTellsWhenTheBorderIsPassed) {
  constexpr Op kOps[] = {Op::less, Op::less_equal, Op::greater, Op::greater_equal, Op::step, Op::sign,
                         Op::abs,  Op::min,        Op::max,     Op::floor,         Op::ceil, Op::mod};
  for (const Op op : kOps) {
    EXPECT_TRUE(is_switch(op));
    const bool is_single = op == Op::step || op == Op::sign || op == Op::abs || op == Op::floor || op == Op::ceil;
    const double b = is_single ? 0.0 : 2.0;
    for (const double direction : {1.0, -1.0}) {
      const double inside = b - 0.1 * direction;
      const double outside = b + 0.1 * direction;
      const std::int32_t side = side_of(op, inside, b);
      EXPECT_NEAR(slack_of(op, side, inside, b), op == Op::mod ? 0.05 : 0.1, 1e-12) << static_cast<int>(op);
      EXPECT_LT(slack_of(op, side, outside, b), 0.0) << static_cast<int>(op);
      const std::int32_t other = other_side(op, side, outside, b);
      EXPECT_NE(other, side);
      EXPECT_EQ(other, side_of(op, outside, b)) << static_cast<int>(op);
      EXPECT_GT(slack_of(op, other, outside, b), 0.0) << static_cast<int>(op);
    }
  }
}

}  // namespace
}  // namespace gelenk::system::signal_test
