#include "gelenk/component/subsystem_server.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "gelenk/component/sealed_subsystem.h"
#include "gelenk/component/sealed_verbs.h"
#include "gelenk/subsystem/body_leaf.h"

// Verbs become commands, and commands become verbs: what comes out at the other end is what went in, bit for bit.
namespace gelenk::component::subsystem_server_test {
namespace {

using subsystem::LeafState;
using subsystem::RightSide;

// A ball with a number inside that swings by itself.
class SwingingBall final : public subsystem::LeafEquations {
 public:
  std::size_t coordinate_count() const override { return 1; }
  void evaluate(const LeafState& state, Eigen::MatrixXd& M, Eigen::VectorXd& f) const override {
    M.diagonal() << 2.0, 2.0, 2.0, 0.3, 0.3, 0.3, 0.5;
    M(0, 6) = M(6, 0) = 0.1;
    f(2) = -2.0 * 9.81;
    f(6) = -40.0 * state.q[0];
    if (!std::isfinite(state.q[0])) throw subsystem::Failure("the ball has burst");
  }
  double energy(const LeafState& state) const override { return 20.0 * state.q[0] * state.q[0]; }
};

std::unique_ptr<subsystem::Subsystem> make_ball(bool has_shaft = false) {
  subsystem::LeafSettings settings;
  if (has_shaft) settings.shafts = {0};
  settings.ports.resize(2);
  settings.ports[1].position = Vector3(0.1, -0.2, 0.3);
  settings.start.velocity = {0.1, 0.2, 0.3, 1.0, -2.0, 0.5};
  settings.start.q = {0.05};
  settings.start.q_rate = {0.4};
  return subsystem::make_leaf(std::make_unique<SwingingBall>(), settings);
}

// The same without implicit methods.
class ExplicitBall final : public subsystem::Subsystem {
 public:
  const subsystem::Shape& shape() const override { return ball_->shape(); }
  subsystem::States& states() override { return ball_->states(); }
  subsystem::Events& events() override { return ball_->events(); }
  subsystem::Evaluation& evaluation() override { return ball_->evaluation(); }
  subsystem::Sweeps& sweeps() override { return ball_->sweeps(); }
  subsystem::Outputs& outputs() override { return ball_->outputs(); }

 private:
  std::unique_ptr<subsystem::Subsystem> ball_ = make_ball();
};

// Reaches a server without any library between.
class ServedHost final : public Host {
 public:
  explicit ServedHost(subsystem::Subsystem& served) : server_(served) { sizes_ = server_.sizes(); }

  void mount(const HostMounting& /*mounting*/) override {}
  bool perform(std::span<const gelenk_command> commands) override {
    std::size_t done = 0;
    const gelenk_status status = server_.perform(commands, done);
    if (status == GELENK_OK || status == GELENK_NOT_SOLVABLE) return status == GELENK_OK;
    throw ComponentFailure(ComponentFailure::Kind::failed, server_.error());
  }
  void post(const gelenk_command& command) override { perform({&command, 1}); }
  std::string read(gelenk_bytes what, std::int32_t slot) override { return server_.read(what, slot); }
  void write(gelenk_bytes what, std::int32_t slot, std::string_view bytes) override {
    if (!server_.write(what, slot, bytes)) throw ComponentFailure(ComponentFailure::Kind::failed, "not its bytes");
  }

 private:
  SubsystemServer server_;
};

// All numbers of two steps of Euler's method with a load.
std::vector<double> numbers_of(subsystem::Subsystem& ball) {
  std::vector<double> all;
  const auto keep = [&](const std::vector<double>& numbers) { all.insert(all.end(), numbers.begin(), numbers.end()); };
  const std::size_t size = ball.shape().motions();
  std::vector<double> shown(ball.shape().shown()), D(size * size), r(size), motions(size), loads(size, 0.25);
  const subsystem::Drawing drawing = ball.evaluation().drawn();
  keep(drawing.motions);
  keep(drawing.references);
  keep(drawing.D);
  ball.states().reserve(3, 1, integrate::Chart::exponential, false);
  ball.states().start(0);
  for (int step = 0; step < 2; ++step) {
    EXPECT_TRUE(ball.evaluation().load(0, subsystem::kMotion | subsystem::kForces, {}, shown));
    subsystem::FactorReport report;
    EXPECT_TRUE(ball.sweeps().factor(0, {1e-6, true}, D.data(), report));
    subsystem::Gap gap;
    EXPECT_TRUE(ball.evaluation().put_right_side(0, RightSide::accelerations, gap));
    EXPECT_TRUE(ball.sweeps().up(0, solve::NodeLoad::given, r.data()));
    EXPECT_TRUE(ball.sweeps().down(0, solve::NodeLoad::given, loads.data(), motions.data()));
    solve::NodeResidual left;
    EXPECT_TRUE(ball.sweeps().residual(0, left));
    std::vector<double> outputs(ball.shape().outputs);
    const subsystem::Books books = ball.outputs().read(0, outputs);
    EXPECT_TRUE(ball.evaluation().take_accelerations(0, 0));
    keep(shown);
    keep(D);
    keep(r);
    keep(motions);
    keep(outputs);
    keep({report.smallest, left.forces, left.motion, books.received, books.error});
    const integrate::Term terms[] = {{0.01, 0}};
    ball.states().combine(0, 0.01 * (step + 1), terms, 2);
    const integrate::Norm norm = ball.states().error_norm(0, 2, terms);
    keep({norm.sum, static_cast<double>(norm.count), ball.events().next_jump(0.0)});
    ball.evaluation().settle(2);
    ball.states().copy(2, 0);
  }
  return all;
}

// Those of state 0 become rate 0.
void find_accelerations(subsystem::Subsystem& ball) {
  const std::size_t size = ball.shape().motions();
  std::vector<double> D(size * size), r(size), motions(size), loads(size, 0.25);
  subsystem::FactorReport report;
  subsystem::Gap gap;
  EXPECT_TRUE(ball.evaluation().load(0, subsystem::kMotion | subsystem::kForces, {}, {}));
  EXPECT_TRUE(ball.sweeps().factor(0, {1e-6, true}, D.data(), report));
  EXPECT_TRUE(ball.evaluation().put_right_side(0, RightSide::accelerations, gap));
  EXPECT_TRUE(ball.sweeps().up(0, solve::NodeLoad::given, r.data()));
  EXPECT_TRUE(ball.sweeps().down(0, solve::NodeLoad::given, loads.data(), motions.data()));
  EXPECT_TRUE(ball.evaluation().take_accelerations(0, 0));
}

TEST(SubsystemServer, VerbsArriveAsTheyWereSent) {
  const std::unique_ptr<subsystem::Subsystem> ball = make_ball();
  const std::unique_ptr<subsystem::Subsystem> inside = make_ball();
  ServedHost host(*inside);
  const std::unique_ptr<subsystem::Subsystem> sealed = as_subsystem(host);
  EXPECT_EQ(sealed->shape().ports, 2u);
  EXPECT_EQ(sealed->shape().outputs, 1u);
  const std::vector<double> expected = numbers_of(*ball);
  EXPECT_GT(expected.size(), 400u);
  EXPECT_EQ(numbers_of(*sealed), expected);
  const auto state = subsystem::States::Kept::state;
  EXPECT_EQ(sealed->states().read(state, 0), ball->states().read(state, 0));
  EXPECT_TRUE(sealed->states().write(state, 1, ball->states().read(state, 0)));
  EXPECT_THROW(sealed->states().write(state, 1, "of somebody else"), ComponentFailure);
}

// What swings inside is a port, too: one number behind those of the frames.
TEST(SubsystemServer, ShaftsArriveBehindFrames) {
  const std::unique_ptr<subsystem::Subsystem> ball = make_ball(true);
  const std::unique_ptr<subsystem::Subsystem> inside = make_ball(true);
  ServedHost host(*inside);
  const std::unique_ptr<subsystem::Subsystem> sealed = as_subsystem(host);
  EXPECT_EQ(sealed->shape().shafts, 1u);
  EXPECT_EQ(sealed->shape().motions(), 13u);
  const std::vector<double> expected = numbers_of(*ball);
  EXPECT_EQ(numbers_of(*sealed), expected);
  // Drawn: two frames, then the shaft, which counts from there; two scales for each frame; D.
  EXPECT_EQ(expected[36], 0.0);
  EXPECT_EQ(expected[37], 0.4);
  // The shaft is coupled with x: M = [2 0.1; 0.1 0.5].
  EXPECT_NEAR(expected[36 + 2 + 4 + 13 * 13 - 1], 2.0 / (2.0 * 0.5 - 0.1 * 0.1), 1e-15);
}

TEST(SubsystemServer, ShaftsArriveInImplicitMethods) {
  const auto numbers = [](subsystem::Subsystem& ball) {
    const std::size_t size = ball.shape().motions();
    std::vector<double> D(2 * size * size), r(2 * size), x(2 * size), known(3 * size), loads(size, 0.5);
    subsystem::Newton& newton = *ball.newton();
    ball.states().reserve(2, 2, integrate::Chart::linear, false);
    ball.states().start(0);
    find_accelerations(ball);
    EXPECT_TRUE(newton.factor({0, subsystem::Newton::At::state, 0.01, 1e-4, loads}, D.data()));
    EXPECT_TRUE(newton.put_right_side(0, known));
    EXPECT_TRUE(newton.up(r.data()));
    EXPECT_TRUE(newton.down(loads.data(), x.data()));
    for (const std::vector<double>* more : {&r, &x, &known}) D.insert(D.end(), more->begin(), more->end());
    return D;
  };
  const std::unique_ptr<subsystem::Subsystem> ball = make_ball(true);
  const std::unique_ptr<subsystem::Subsystem> inside = make_ball(true);
  ServedHost host(*inside);
  EXPECT_EQ(numbers(*as_subsystem(host)), numbers(*ball));
}

class Served : public testing::Test {
 protected:
  gelenk_status perform(const gelenk_command& one) {
    std::size_t done = 0;
    return server_.perform({&one, 1}, done);
  }

  std::unique_ptr<subsystem::Subsystem> ball_ = make_ball();
  SubsystemServer server_{*ball_};
  std::vector<double> numbers_ = std::vector<double>(200, 0.0);
};

TEST_F(Served, RefusesSlotsAndSizesThatAreNot) {
  EXPECT_EQ(perform(command(GELENK_START, 0, 0, 0)), GELENK_REFUSED) << "nothing is reserved";
  EXPECT_EQ(server_.error(), "a command has wrong slots or sizes");
  EXPECT_EQ(perform(command(GELENK_RESERVE, 0, 2, 1)), GELENK_OK);
  EXPECT_EQ(perform(command(GELENK_START, 0, 2, 0)), GELENK_REFUSED);
  EXPECT_EQ(perform(command(GELENK_START, 0, 1, 0)), GELENK_OK);
  EXPECT_EQ(perform(command(GELENK_UP, 0, 0, 0, {}, std::span(numbers_).first(11))), GELENK_REFUSED);
  EXPECT_EQ(perform(command(GELENK_COMBINE, 0, 0, 1, std::span<const double>(numbers_).first(1))), GELENK_REFUSED);
  numbers_[1] = 1.0;
  EXPECT_EQ(perform(command(GELENK_COMBINE, 0, 0, 1, std::span<const double>(numbers_).first(2))), GELENK_REFUSED)
      << "there is one rate, number 0";
  EXPECT_EQ(perform(command(GELENK_FLIP, 0, 0, 0)), GELENK_REFUSED) << "there are no switches";
  EXPECT_EQ(perform(command(static_cast<gelenk_code>(127), 0, 0, 0)), GELENK_UNKNOWN);
  EXPECT_EQ(server_.read(GELENK_STATE, 2), "");
  EXPECT_EQ(server_.read(GELENK_RATE, -1), "");
  EXPECT_FALSE(server_.write(GELENK_STATE, 2, ""));
}

TEST_F(Served, OutputsComeAfterTheAccelerationsOfTheirState) {
  ASSERT_EQ(perform(command(GELENK_RESERVE, 0, 2, 1)), GELENK_OK);
  ASSERT_EQ(perform(command(GELENK_START, 0, 0, 0)), GELENK_OK);
  const gelenk_command outputs = command(GELENK_OUTPUTS, 0, 0, 0, {}, std::span(numbers_).first(3));
  EXPECT_EQ(perform(outputs), GELENK_REFUSED);
  const std::vector<double> loads(12, 0.0);
  const double tolerance = 1e-6;
  for (const gelenk_command& one :
       {command(GELENK_LOAD, GELENK_POSITIONS | GELENK_VELOCITIES | GELENK_JOINTS | GELENK_FORCES, 0, 0),
        command(GELENK_FACTOR, 0, 0, 0, {&tolerance, 1}), command(GELENK_RIGHT_SIDE, GELENK_ACCELERATIONS, 0, 0),
        command(GELENK_UP, 0, 0, 0), command(GELENK_DOWN, 0, 0, 0, loads)}) {
    ASSERT_EQ(perform(one), GELENK_OK);
  }
  EXPECT_EQ(perform(outputs), GELENK_OK);
  EXPECT_EQ(numbers_[0], 0.05);
  EXPECT_EQ(perform(command(GELENK_LOAD, GELENK_POSITIONS, 0, 0)), GELENK_OK);
  EXPECT_EQ(perform(outputs), GELENK_REFUSED) << "the pose is another one";
}

TEST_F(Served, WhatIsNotThereIsSaid) {
  ExplicitBall ball;
  SubsystemServer server(ball);
  const gelenk_command reserve = command(GELENK_RESERVE, 0, 2, 1);
  const gelenk_command place = command(GELENK_STAGE_PLACE, 0, 0, 0);
  std::size_t done = 0;
  ASSERT_EQ(server.perform({&reserve, 1}, done), GELENK_OK);
  EXPECT_EQ(server.perform({&place, 1}, done), GELENK_REFUSED);
  EXPECT_EQ(server.error(), "it runs with explicit methods only");
}

TEST_F(Served, AFailureEndsInItsStatus) {
  ASSERT_EQ(perform(command(GELENK_RESERVE, 0, 2, 1)), GELENK_OK);
  ASSERT_EQ(perform(command(GELENK_START, 0, 0, 0)), GELENK_OK);
  std::string bytes = server_.read(GELENK_STATE, 0);
  const double broken = std::nan("");
  // The coordinate and its rate are the last numbers, each behind its count.
  bytes.replace(bytes.size() - 24, 8, reinterpret_cast<const char*>(&broken), 8);
  ASSERT_TRUE(server_.write(GELENK_STATE, 0, bytes));
  EXPECT_EQ(perform(command(GELENK_LOAD, GELENK_JOINTS, 0, 0)), GELENK_FAILED);
  EXPECT_EQ(server_.error(), "the ball has burst");
}

}  // namespace
}  // namespace gelenk::component::subsystem_server_test
