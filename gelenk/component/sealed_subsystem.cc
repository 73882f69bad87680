#include "gelenk/component/sealed_subsystem.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "gelenk/component/command_sizes.h"
#include "gelenk/component/sealed_newton.h"
#include "gelenk/component/sealed_verbs.h"

namespace gelenk::component {
namespace {

using subsystem::RightSide;

// The same numbers on both sides of the border.
static_assert(static_cast<unsigned>(subsystem::kPositions) == GELENK_POSITIONS);
static_assert(static_cast<unsigned>(subsystem::kVelocities) == GELENK_VELOCITIES);
static_assert(static_cast<unsigned>(subsystem::kJoints) == GELENK_JOINTS);
static_assert(static_cast<unsigned>(subsystem::kForces) == GELENK_FORCES);
static_assert(static_cast<unsigned>(subsystem::kLaws) == GELENK_LAWS);
static_assert(static_cast<unsigned>(RightSide::accelerations) == GELENK_ACCELERATIONS);
static_assert(static_cast<unsigned>(RightSide::position_gaps) == GELENK_POSITION_GAPS);
static_assert(static_cast<unsigned>(RightSide::velocity_gaps) == GELENK_VELOCITY_GAPS);
static_assert(static_cast<unsigned>(RightSide::impulses) == GELENK_IMPULSES);
static_assert(static_cast<unsigned>(solve::NodeLoad::given) == GELENK_GIVEN);
static_assert(static_cast<unsigned>(solve::NodeLoad::rest) == GELENK_REST);

class SealedStates final : public subsystem::States {
 public:
  explicit SealedStates(Host& host) : host_(host) {}

  void reserve(int states, int rates, integrate::Chart chart, bool has_stages) override {
    unsigned kind = chart == integrate::Chart::linear ? GELENK_LINEAR : GELENK_EXPONENTIAL;
    if (has_stages) kind |= GELENK_STAGES;
    // Several machines may be made of one component, one after the other.
    states_ = std::max(states_, states);
    rates_ = std::max(rates_, rates);
    host_.post(command(GELENK_RESERVE, kind, states_, rates_));
  }
  void start(int slot) override { host_.post(command(GELENK_START, 0, slot, 0)); }
  void copy(int from, int to) override { host_.post(command(GELENK_COPY, 0, from, to)); }
  void combine(int from, double time, std::span<const integrate::Term> terms, int to) override {
    post_terms(command(GELENK_COMBINE, 0, from, to, terms_.put(terms)), time);
  }
  void combine_stage(int from, double time, std::span<const integrate::StageTerm> terms, int to) override {
    stage_terms_.clear();
    integrate::append_terms(terms, stage_terms_);
    post_terms(command(GELENK_COMBINE_STAGE, 0, from, to, stage_terms_), time);
  }
  void combine_rates(std::span<const integrate::Term> terms, int to) override {
    host_.post(command(GELENK_COMBINE_RATES, 0, 0, to, terms_.put(terms)));
  }
  integrate::Norm error_norm(int from, int to, std::span<const integrate::Term> error) override {
    double answer[2] = {};
    const gelenk_command one = command(GELENK_ERROR_NORM, 0, from, to, terms_.put(error), answer);
    host_.perform({&one, 1});
    return {answer[0], static_cast<std::size_t>(answer[1])};
  }
  std::string read(Kept what, int slot) const override { return host_.read(bytes_of(what), slot); }
  bool write(Kept what, int slot, std::string_view bytes) override {
    host_.write(bytes_of(what), slot, bytes);  // throws what is wrong
    return true;
  }

 private:
  static gelenk_bytes bytes_of(Kept what) { return what == Kept::state ? GELENK_STATE : GELENK_RATE; }
  void post_terms(gelenk_command one, double time) {
    one.time = time;
    host_.post(one);
  }

  Host& host_;
  int states_ = 0, rates_ = 0;  // that are there
  TermNumbers terms_;
  std::vector<double> stage_terms_;
};

class SealedEvents final : public subsystem::Events {
 public:
  explicit SealedEvents(Host& host) : host_(host) {}

  double next_jump(double time) override {
    double jump = std::numeric_limits<double>::infinity();
    gelenk_command one = command(GELENK_NEXT_JUMP, 0, 0, 0, {}, {&jump, 1});
    one.time = time;
    host_.perform({&one, 1});
    return jump;
  }
  void cross(int slot) override { host_.post(command(GELENK_CROSS, GELENK_NEXT_SIDE, slot, 0)); }
  void set_all_sides(int slot) override { host_.post(command(GELENK_CROSS, GELENK_ALL_SIDES, slot, 0)); }
  void slacks(int slot, std::span<double> values) override {
    const gelenk_command one = command(GELENK_SLACKS, 0, slot, 0, {}, values);
    host_.perform({&one, 1});
  }
  void flip(int slot, std::size_t which) override {
    host_.post(command(GELENK_FLIP, 0, slot, static_cast<int>(which)));
  }
  void mark_event(int slot) override { host_.post(command(GELENK_FLIP, 0, slot, -1)); }

 private:
  Host& host_;
};

class SealedEvaluation final : public subsystem::Evaluation {
 public:
  explicit SealedEvaluation(Host& host) : host_(host) {}

  subsystem::Drawing drawn() override {
    const std::size_t motions =
        subsystem::kFrameMotion * host_.sizes().mounts + subsystem::kShaftMotion * host_.sizes().shafts;
    const std::size_t references = 2 * host_.sizes().mounts;
    std::vector<double> answer(find_row(GELENK_DRAWN)->out(host_.sizes()));
    perform(host_, command(GELENK_DRAWN, 0, subsystem::kDrawn, 0, {}, answer));
    const auto place = [&](std::size_t i) { return answer.begin() + static_cast<std::ptrdiff_t>(i); };
    return {{answer.begin(), place(motions)},
            {place(motions), place(motions + references)},
            {place(motions + references), answer.end()}};
  }
  bool load(int slot, unsigned parts, std::span<const double> inputs, std::span<double> out) override {
    return perform(host_, command(GELENK_LOAD, parts, slot, 0, inputs, out));
  }
  bool put_right_side(int slot, RightSide kind, subsystem::Gap& gap) override {
    double gaps[2] = {};
    const bool is_done = perform(host_, command(GELENK_RIGHT_SIDE, static_cast<unsigned>(kind), slot, 0, {}, gaps));
    gap = {gaps[0], gaps[1]};
    return is_done;
  }
  void take(int slot, RightSide kind) override {
    host_.post(command(GELENK_TAKE, static_cast<unsigned>(kind), slot, 0));
  }
  bool take_accelerations(int slot, int rate) override {
    return perform(host_, command(GELENK_TAKE, GELENK_ACCELERATIONS, slot, rate));
  }
  void settle(int slot) override { host_.post(command(GELENK_SETTLE, 0, slot, 0)); }

 private:
  Host& host_;
};

class SealedSweeps final : public subsystem::Sweeps {
 public:
  explicit SealedSweeps(Host& host) : host_(host) {}

  bool factor(int slot, const solve::RankRule& rule, double* D, subsystem::FactorReport& report) override {
    const std::size_t size = host_.sizes().motions();
    answer_.resize(size * size + 3);
    if (!perform(host_, command(GELENK_FACTOR, flags_of(rule), slot, 0, {&rule.tolerance, 1}, answer_))) {
      return false;
    }
    std::copy_n(answer_.data(), size * size, D);
    report = {answer_[size * size] != 0.0, answer_[size * size + 1], static_cast<std::size_t>(answer_.back())};
    return true;
  }
  bool up(int slot, solve::NodeLoad load, double* r) override {
    return perform(host_, command(GELENK_UP, static_cast<unsigned>(load), slot, 0, {}, {r, size()}));
  }
  bool down(int slot, solve::NodeLoad load, const double* loads, double* motions) override {
    return perform(host_,
                   command(GELENK_DOWN, static_cast<unsigned>(load), slot, 0, {loads, size()}, {motions, size()}));
  }
  bool residual(int slot, solve::NodeResidual& residual) override {
    double left[6] = {};
    const bool is_done = perform(host_, command(GELENK_RESIDUAL, 0, slot, 0, {}, left));
    residual.forces = left[0];
    residual.inertial_forces = left[1];
    residual.rows = left[2];
    residual.dropped = left[3];
    residual.change = left[4];
    residual.motion = left[5];
    return is_done;
  }
  bool make_test_load(int slot, int which, double* motions) override {
    return perform(host_, command(GELENK_TEST_LOAD, 0, slot, which, {}, {motions, size()}));
  }
  void forget(int slot) override { host_.post(command(GELENK_FORGET, 0, slot, 0)); }

 private:
  std::size_t size() const { return host_.sizes().motions(); }

  Host& host_;
  std::vector<double> answer_;
};

class SealedOutputs final : public subsystem::Outputs {
 public:
  explicit SealedOutputs(Host& host) : host_(host) {}

  subsystem::Books read(int slot, std::span<double> values) override {
    answer_.resize(values.size() + 2);
    const gelenk_command one = command(GELENK_OUTPUTS, 0, slot, 0, {}, answer_);
    host_.perform({&one, 1});
    std::copy_n(answer_.begin(), values.size(), values.begin());
    return {answer_[values.size()], answer_.back()};
  }

 private:
  Host& host_;
  std::vector<double> answer_;
};

class SealedAhead final : public subsystem::Ahead {
 public:
  explicit SealedAhead(Host& host) : host_(host) {}

  void begin(int slot, std::span<const Step> steps, const solve::RankRule& rule) override {
    next_.clear();
    for (const Step& step : steps) push(step, slot, rule);
    host_.begin(next_);
  }
  void begin_load(int slot, unsigned parts, std::span<const double> inputs) override {
    next_.clear();
    next_.push_back(command(GELENK_LOAD, parts, slot, 0, inputs));
    if (parts == subsystem::kForces) {  // what follows them
      next_.push_back(command(GELENK_RIGHT_SIDE, GELENK_ACCELERATIONS, slot, 0, {}, answer_of(GELENK_RIGHT_SIDE)));
      next_.push_back(command(GELENK_UP, GELENK_GIVEN, slot, 0, {}, answer_of(GELENK_UP)));
    }
    host_.begin(next_);
  }
  void begin_down(int slot, solve::NodeLoad load, const double* loads, int rate) override {
    const std::size_t size = host_.sizes().motions();
    next_.clear();
    next_.push_back(command(GELENK_DOWN, static_cast<unsigned>(load), slot, 0, {loads, size}, answer_of(GELENK_DOWN)));
    if (rate >= 0) next_.push_back(command(GELENK_TAKE, GELENK_ACCELERATIONS, slot, rate));
    host_.begin(next_);
  }
  void begin_error_norm(int from, int to, std::span<const integrate::Term> error) override {
    begin_one(command(GELENK_ERROR_NORM, 0, from, to, terms_.put(error), answer_of(GELENK_ERROR_NORM)));
  }
  void begin_slacks(int slot) override { begin_one(command(GELENK_SLACKS, 0, slot, 0, {}, answer_of(GELENK_SLACKS))); }
  void begin_newton_right_side(int rate) override {
    begin_one(command(GELENK_NEWTON_RIGHT_SIDE, 0, 0, rate, {}, answer_of(GELENK_NEWTON_RIGHT_SIDE)));
  }
  void begin_stage_step(StageStep step) override {
    const gelenk_code code = step == StageStep::place  ? GELENK_STAGE_PLACE
                             : step == StageStep::take ? GELENK_STAGE_TAKE
                                                       : GELENK_STAGE_END;
    begin_one(command(code, 0, 0, 0, {}, answer_of(code)));
  }
  void begin_stage_loads(std::span<const double> loads) override {
    begin_one(command(GELENK_STAGE_LOADS, 0, 0, 0, loads, answer_of(GELENK_STAGE_LOADS)));
  }

 private:
  void begin_one(const gelenk_command& one) { host_.begin({&one, 1}); }
  // Room for an answer that will be wanted.
  std::span<double> answer_of(gelenk_code code) {
    const std::size_t size = find_row(code)->out(host_.sizes());
    if (answer_.size() < size) answer_.resize(size);
    return std::span(answer_).first(size);
  }
  void push(const Step& step, int slot, const solve::RankRule& rule) {
    switch (step.verb) {
      case Step::Verb::load:
        next_.push_back(command(GELENK_LOAD, step.what, slot, 0, {}, answer_of(GELENK_LOAD)));
        return;
      case Step::Verb::factor:
        next_.push_back(
            command(GELENK_FACTOR, flags_of(rule), slot, 0, {&rule.tolerance, 1}, answer_of(GELENK_FACTOR)));
        return;
      case Step::Verb::right_side:
        next_.push_back(command(GELENK_RIGHT_SIDE, step.what, slot, 0, {}, answer_of(GELENK_RIGHT_SIDE)));
        return;
      case Step::Verb::up:
        next_.push_back(command(GELENK_UP, GELENK_GIVEN, slot, 0, {}, answer_of(GELENK_UP)));
        return;
    }
  }

  Host& host_;
  TermNumbers terms_;
  std::vector<gelenk_command> next_;
  std::vector<double> answer_;
};

class SealedSubsystem final : public subsystem::Subsystem {
 public:
  explicit SealedSubsystem(Host& host)
      : host_(host),
        states_(host),
        events_(host),
        evaluation_(host),
        sweeps_(host),
        outputs_(host),
        newton_(host),
        ahead_(host) {
    const ComponentSizes& sizes = host.sizes();
    shape_ = {sizes.mounts, sizes.inputs, sizes.signals, sizes.switches, sizes.outputs, sizes.shafts};
  }

  const subsystem::Shape& shape() const override { return shape_; }
  subsystem::States& states() override { return states_; }
  subsystem::Events& events() override { return events_; }
  subsystem::Evaluation& evaluation() override { return evaluation_; }
  subsystem::Sweeps& sweeps() override { return sweeps_; }
  subsystem::Outputs& outputs() override { return outputs_; }
  subsystem::Newton* newton() override { return &newton_; }
  subsystem::Ahead* ahead() override { return host_.works_ahead() ? &ahead_ : nullptr; }

 private:
  Host& host_;
  subsystem::Shape shape_;
  SealedStates states_;
  SealedEvents events_;
  SealedEvaluation evaluation_;
  SealedSweeps sweeps_;
  SealedOutputs outputs_;
  SealedNewton newton_;
  SealedAhead ahead_;
};

}  // namespace

std::unique_ptr<subsystem::Subsystem> as_subsystem(Host& host) { return std::make_unique<SealedSubsystem>(host); }

}  // namespace gelenk::component
