#pragma once

#include <array>
#include <functional>

#include "gelenk/integrate/nordsieck_coefficients.h"
#include "gelenk/integrate/stepper.h"

namespace gelenk::integrate {

// Multistep methods with variable step and order: Adams-Moulton for smooth motions and costly rates, corrected by
// inserting; BDF for stiff ones, corrected by a modified Newton iteration.
//
// What they remember is the polynomial of the last steps in the form of Nordsieck: z₀ is the state at `base_time_`, the
// tangent vectors zⱼ = sʲ y⁽ʲ⁾ / j! in a linear chart are slots of the problem, s the length that they are scaled with.
// Plain data, then: it can be saved, and changed to other coordinates in mid-run. Control of order and step follows
// Byrne and Hindmarsh (ACM Trans. Math. Softw. 1, 1975); the coefficients are those of steps of any lengths.
class Nordsieck : public Stepper {
 public:
  // Reserves the slots. BDF: the problem must have implicit(). The tolerance only helps to guess a first step; 0: the
  // largest order there is.
  Nordsieck(Problem& problem, Multistep method, double tolerance, int max_order = 0);

  bool sees_ends_only() const override { return true; }
  bool is_adaptive() const override { return true; }
  int order() const override { return next_order_; }
  bool begin(double time) override;
  bool take(double end) override;
  double error() override;
  void interpolate(double time, int to) override;
  void accept() override;
  bool restart() override;
  double first_step(double longest) override;
  double next_step(double length, double error) override;
  double shorter_step(double length, double error) override;
  double shorter_step_after_failure(double length, int before) override;
  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;

  // New coordinates, between two steps, when the problem has them already: calls the maps once for each slot that the
  // method remembers; kCurrentState is left to the caller. The map of rates must be linear. Nothing restarts.
  void transform(const std::function<void(int state)>& map_state, const std::function<void(int rate)>& map_rate);

 private:
  static constexpr int kBaseState = kFirstOwnState;
  static constexpr int kFactorState = kFirstOwnState + 1;  // where the factors of Newton's matrix were made
  static constexpr int kStates = kFirstOwnState + 2;
  enum class Iteration { converged, diverged, no_rate };

  // Two sets of history, of which one is kept while steps are tried with the other.
  int power(int set, int j) const { return set * (max_order_ + 1) + j; }  // zⱼ, j = 1 … max_order_
  int correction(int set) const { return power(set, 0); }                 // e of the step that made the set
  int tried() const { return 1 - kept_; }
  int rate_slot() const { return 2 * (max_order_ + 1); }
  int probe_slot() const { return rate_slot() + 1; }

  bool is_implicit() const { return method_ == Multistep::bdf; }
  bool start_at(int state, double time);
  void forget();
  Distances distances(double length) const;
  Distances distances_at_base() const;
  void change_order();
  void put_end_state(bool corrected);
  bool solve();
  Iteration iterate();
  bool factor();
  bool make_factors();
  bool must_factor() const;
  void correct_history();
  double choose_order(double error);
  double lower_order_error();
  double higher_order_error();
  double shorten(double length, double factor);
  bool has_own_base() const { return has_history_ && !was_kept_; }

  Multistep method_;
  double tolerance_;
  int max_order_;

  // History.
  bool has_history_ = false;
  bool was_kept_ = true;  // the current state is the base; else it is a short step ahead of it
  int kept_ = 0;
  int order_ = 1;
  int next_order_ = 1;  // takes force at the start of the next step: until then the dense output is that of this one
  double base_time_ = 0.0;
  double scale_ = 1.0;                       // s
  std::array<double, kMaxNodes> lengths_{};  // of the last steps, the newest first; 0: before the start
  double derivative_scale_ = 0.0;            // derivative_per_correction() of the last step,
  double previous_derivative_scale_ = 0.0;   // and of the one before
  int wait_ = 2;                             // steps until another order is considered
  double growth_limit_ = 1.0;

  // Newton's matrix.
  bool has_factors_ = false;
  double factor_gain_ = 0.0;
  int factor_age_ = 0;        // steps
  double convergence_ = 1.0;  // last known factor from one correction to the next

  // The step tried last.
  int failed_tests_ = 0;  // of its error, since begin()
  bool is_shortened_ = false;
  int dense_set_ = 0;
  int dense_order_ = 0;
  double length_ = 0.0;  // from the base
  double gain_ = 0.0;    // γ
  double error_scale_ = 0.0;
  double tried_derivative_scale_ = 0.0;
  Powers lambda_{};
  Powers scaling_{};  // (h/s)ʲ
};

}  // namespace gelenk::integrate
