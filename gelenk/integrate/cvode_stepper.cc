#include "gelenk/integrate/cvode_stepper.h"

#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <cvode/cvode_proj.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

namespace gelenk::integrate {
namespace {

// What functions that CVODE calls answer.
constexpr int kGood = 0;
constexpr int kTryShorter = 1;

std::span<double> numbers(N_Vector vector) {
  return {N_VGetArrayPointer(vector), static_cast<std::size_t>(N_VGetLength(vector))};
}

// Pointers of SUNDIALS that free themselves.
template <auto Free>
struct Freer {
  template <class T>
  void operator()(T* pointer) const {
    Free(pointer);
  }
};
using VectorOwner = std::unique_ptr<_generic_N_Vector, Freer<N_VDestroy>>;
using MatrixOwner = std::unique_ptr<_generic_SUNMatrix, Freer<SUNMatFreeEmpty>>;
using LinearSolverOwner = std::unique_ptr<_generic_SUNLinearSolver, Freer<SUNLinSolFreeEmpty>>;

// In a run out of memory there is nothing to do but to say so.
template <class T>
T* checked(T* pointer) {
  if (pointer == nullptr) throw std::bad_alloc();
  return pointer;
}

struct ContextOwner {
  ContextOwner() {
    if (SUNContext_Create(nullptr, &context) != 0) throw std::bad_alloc();
  }
  ~ContextOwner() { SUNContext_Free(&context); }
  ContextOwner(const ContextOwner&) = delete;
  ContextOwner& operator=(const ContextOwner&) = delete;

  SUNContext context = nullptr;
};

struct MemoryOwner {
  explicit MemoryOwner(SUNContext context) : memory(checked(CVodeCreate(CV_BDF, context))) {}
  ~MemoryOwner() { CVodeFree(&memory); }
  MemoryOwner(const MemoryOwner&) = delete;
  MemoryOwner& operator=(const MemoryOwner&) = delete;

  void* memory;
};

}  // namespace

// Functions of C that CVODE calls. `data` is the stepper.
struct CvodeStepper::Callbacks {
  static CvodeStepper& stepper(void* data) { return *static_cast<CvodeStepper*>(data); }

  static int rate(double time, N_Vector y, N_Vector rate, void* data) {
    CvodeStepper& self = stepper(data);
    self.flat_.set_state_values(kWorkState, time, numbers(y));
    if (!self.evaluate(kWorkState, kRate)) return kTryShorter;
    self.flat_.get_rate(kRate, numbers(rate));
    return kGood;
  }

  static int weights(N_Vector y, N_Vector weights, void* data) {
    CvodeStepper& self = stepper(data);
    self.flat_.set_state_values(kWorkState, self.reached_, numbers(y));
    self.flat_.weights(kWorkState, numbers(weights));
    return kGood;
  }

  static int project(double time, N_Vector y, N_Vector correction, double, N_Vector, void* data) {
    CvodeStepper& self = stepper(data);
    self.flat_.set_state_values(kWorkState, time, numbers(y));
    self.has_failed_to_project_ = !self.problem_.project(kWorkState);
    if (self.has_failed_to_project_) return kTryShorter;
    self.flat_.get_state(kWorkState, numbers(correction));
    N_VLinearSum(1.0, correction, -1.0, y, correction);
    return kGood;
  }

  // I - γ J; the problem keeps it, CVODE's own matrix is empty.
  static int make_matrix(double time, N_Vector y, N_Vector, SUNMatrix, booleantype, booleantype* is_current,
                         double gamma, void* data, N_Vector, N_Vector, N_Vector) {
    CvodeStepper& self = stepper(data);
    self.flat_.set_state_values(kWorkState, time, numbers(y));
    ++self.effort_.newton_factorizations;
    *is_current = SUNTRUE;
    return self.implicit_.factor_newton(kWorkState, gamma) ? kGood : kTryShorter;
  }

  static int solve(SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector b, double) {
    CvodeStepper& self = stepper(solver->content);
    ++self.effort_.newton_iterations;
    self.flat_.set_rate(kRate, numbers(b));
    self.implicit_.solve_newton(kRate, kRate);
    self.flat_.get_rate(kRate, numbers(x));
    return kGood;
  }

  static SUNMatrix_ID matrix_id(SUNMatrix) { return SUNMATRIX_CUSTOM; }
  static SUNLinearSolver_Type solver_type(SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; }
  static SUNLinearSolver_ID solver_id(SUNLinearSolver) { return SUNLINEARSOLVER_CUSTOM; }
  static int setup(SUNLinearSolver, SUNMatrix) { return kGood; }
  // Failures are reported by the integrator.
  static void ignore_message(int, const char*, const char*, char*, void*) {}
};

struct CvodeStepper::Solver {
  explicit Solver(CvodeStepper& stepper)
      : y(checked(N_VNew_Serial(static_cast<sunindextype>(stepper.flat_.dimension()), context.context))),
        slope(checked(N_VClone(y.get()))),
        matrix(checked(SUNMatNewEmpty(context.context))),
        linear_solver(checked(SUNLinSolNewEmpty(context.context))),
        cvode(context.context) {
    matrix->ops->getid = Callbacks::matrix_id;
    linear_solver->content = &stepper;
    linear_solver->ops->gettype = Callbacks::solver_type;
    linear_solver->ops->getid = Callbacks::solver_id;
    linear_solver->ops->setup = Callbacks::setup;
    linear_solver->ops->solve = Callbacks::solve;
  }

  // Everything that holds for all starts. All vectors have their memory afterwards.
  void set_up(CvodeStepper& stepper, const Limits& limits) {
    N_VConst(0.0, y.get());
    is_good = true;
    for (const int flag :
         {CVodeSetErrHandlerFn(cvode.memory, Callbacks::ignore_message, nullptr),
          CVodeInit(cvode.memory, Callbacks::rate, 0.0, y.get()), CVodeSetUserData(cvode.memory, &stepper),
          CVodeWFtolerances(cvode.memory, Callbacks::weights),
          CVodeSetLinearSolver(cvode.memory, linear_solver.get(), matrix.get()),
          CVodeSetLinSysFn(cvode.memory, Callbacks::make_matrix), CVodeSetProjFn(cvode.memory, Callbacks::project),
          CVodeSetProjErrEst(cvode.memory, SUNFALSE), CVodeSetInitStep(cvode.memory, limits.first_step),
          CVodeSetMinStep(cvode.memory, limits.smallest_step),
          CVodeSetMaxStep(cvode.memory, std::isfinite(limits.max_step) ? limits.max_step : 0.0)}) {
      is_good = is_good && flag == CV_SUCCESS;
    }
  }

  ContextOwner context;
  VectorOwner y;
  VectorOwner slope;
  MatrixOwner matrix;
  LinearSolverOwner linear_solver;
  MemoryOwner cvode;
  bool is_good = false;  // nothing of it was refused
};

CvodeStepper::CvodeStepper(Problem& problem, const Limits& limits)
    : Stepper(problem), flat_(*problem.flat()), implicit_(*problem.implicit()) {
  problem_.reserve(kWorkState + 1, kRate + 1, Chart::linear);
  solver_ = std::make_unique<Solver>(*this);
  solver_->set_up(*this, limits);
}

CvodeStepper::~CvodeStepper() = default;

bool CvodeStepper::begin(double time) {
  start_time_ = end_time_ = time;
  has_stepped_ = false;
  has_failed_to_project_ = false;
  problem_.copy(kCurrentState, kStartState);
  return !must_start_ || start(time);
}

bool CvodeStepper::start(double time) {
  problem_.copy(kCurrentState, kWorkState);  // with the sides that are in force from here on
  flat_.get_state(kCurrentState, numbers(solver_->y.get()));
  reached_ = time;
  order_ = 1;
  if (!solver_->is_good || CVodeReInit(solver_->cvode.memory, time, solver_->y.get()) != CV_SUCCESS) return false;
  must_start_ = false;
  return true;
}

bool CvodeStepper::take(double end) {
  if (!has_stepped_) {
    if (!step_towards(end)) return false;
    has_stepped_ = true;
    end_time_ = reached_;
  } else {
    end_time_ = end;
  }
  interpolate(end_time_, kEndState);
  return true;
}

bool CvodeStepper::step_towards(double end) {
  void* const cvode = solver_->cvode.memory;
  long int failures_before = 0, failures = 0;
  CVodeGetNumErrTestFails(cvode, &failures_before);
  CVodeSetStopTime(cvode, end);
  const int flag = CVode(cvode, end, solver_->y.get(), &reached_, CV_ONE_STEP);
  CVodeGetNumErrTestFails(cvode, &failures);
  effort_.rejected += failures - failures_before;
  const bool is_done = flag == CV_SUCCESS || flag == CV_TSTOP_RETURN;
  const bool is_inaccurate = flag == CV_ERR_FAILURE || flag == CV_TOO_MUCH_ACC;
  error_ = is_inaccurate ? std::numeric_limits<double>::infinity() : 0.0;
  if (!is_done) {
    must_start_ = true;
    return is_inaccurate;
  }
  has_failed_to_project_ = false;  // an earlier try may have
  CVodeGetCurrentOrder(cvode, &order_);
  return true;
}

// CVODE answers inside of its last step only; just beyond, the slope at the next end goes on.
void CvodeStepper::interpolate(double time, int to) {
  void* const cvode = solver_->cvode.memory;
  double end = 0.0, length = 0.0;
  CVodeGetCurrentTime(cvode, &end);
  CVodeGetLastStep(cvode, &length);
  const double inside = std::clamp(time, end - length, end);
  CVodeGetDky(cvode, inside, 0, solver_->y.get());
  if (inside != time && CVodeGetDky(cvode, inside, 1, solver_->slope.get()) == CV_SUCCESS) {
    N_VLinearSum(1.0, solver_->y.get(), time - inside, solver_->slope.get(), solver_->y.get());
  }
  problem_.copy(kStartState, to);
  flat_.set_state_values(to, time, numbers(solver_->y.get()));
}

bool CvodeStepper::restart() {
  must_start_ = true;
  return true;
}

double CvodeStepper::next_step(double length, double) {
  double next = length;
  CVodeGetCurrentStep(solver_->cvode.memory, &next);
  return next;
}

double CvodeStepper::shorter_step(double length, double) { return 0.5 * length; }
double CvodeStepper::shorter_step_after_failure(double length, int /*before*/) { return 0.5 * length; }

void CvodeStepper::save(ByteWriter&) const { must_start_ = true; }
void CvodeStepper::load(ByteReader&) { must_start_ = true; }

}  // namespace gelenk::integrate
