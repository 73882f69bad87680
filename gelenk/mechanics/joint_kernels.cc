#include "gelenk/mechanics/joint_kernels.h"

#include <utility>

#include "gelenk/base/index.h"
#include "gelenk/mechanics/batch.h"

// Rows of a joint in closed form; rows.h has the same rows one by one. With a of frame A, b of frame B, world axes:
//   s: arm from the center of mass to the frame's origin;  W = p_B - p_A;  Ω = w_b - w_a
//   arm's own acceleration  β = w × (w × s)
//   point:    g = W,                    u = β_a - β_b                                                          (1)
//   turn:     g = d_A·d_B,  n = d_B × d_A,  ġ = n·Ω
//             u = -ṅ·Ω = -d_B·k,  k = (d_A·w_b) Ω - (d_A·Ω) w_a - Ω² d_A,  the same for all turns of one d_A   (2)
//   line:     g = l·W with l of frame A,
//             u = -l·h,  h = β_b - β_a + w_a × (w_a × W) + 2 Ẇ × w_a,  the same for all lines of a joint       (3)
//   distance: g = (W·W - L²) / 2L,  l = W / L,  u = -(Ẇ·Ẇ + W·(β_b - β_a)) / L                                 (4)
namespace gelenk::mechanics {
namespace {

enum class Wanted { values, values_and_biases, residuals };

const Motion<double> kGroundMotion;
const Pose kOwnFrame;

struct JointKernelOutput {
  double* values = nullptr;
  double* rows = nullptr;  // biases or residuals
};

// One side of a batch of joints. What a kernel does not read is not loaded.
struct JointSide {
  BatchMatrix R;  // of the body
  BatchVector p, v, w;
  BatchMatrix axes;  // of the frame on its body
  BatchVector arm;   // s
};

GELENK_ALWAYS_INLINE JointSide load_side(const JointKernelInput& in, const JointTask* tasks,
                                         std::int32_t JointTask::*body, std::int32_t JointTask::*frame) {
  Sources R, p, v, w, axes, position;
  for (std::size_t lane = 0; lane < kBatch; ++lane) {
    const std::int32_t number = tasks[lane].*body;
    const Motion<double>& m = number == system::kGround ? kGroundMotion : in.bodies[at(number)];
    const std::int32_t place = tasks[lane].*frame;
    const Pose& X_BF = place < 0 ? kOwnFrame : in.params.frames[at(in.params.first_equal_frame[at(place)])];
    R[lane] = m.R.data();
    p[lane] = m.p.data();
    v[lane] = m.v.data();
    w[lane] = m.w.data();
    axes[lane] = X_BF.rotation.data();
    position[lane] = X_BF.position.data();
  }
  JointSide side{gather_matrix(R), gather_vector(p), gather_vector(v), gather_vector(w), gather_matrix(axes), {}};
  side.arm = side.R * gather_vector(position);
  return side;
}

GELENK_ALWAYS_INLINE BatchVector axis(const JointSide& side, int k) { return side.R * side.axes.columns[k]; }
// β
GELENK_ALWAYS_INLINE BatchVector arm_acceleration(const JointSide& side) {
  return cross(side.w, cross(side.w, side.arm));
}
// W
GELENK_ALWAYS_INLINE BatchVector gap(const JointSide& A, const JointSide& B) { return (B.p + B.arm) - (A.p + A.arm); }
// Ẇ
GELENK_ALWAYS_INLINE BatchVector gap_rate(const JointSide& A, const JointSide& B) {
  return (B.v + cross(B.w, B.arm)) - (A.v + cross(A.w, A.arm));
}

// Where the numbers of a batch of joints go.
struct JointPlaces {
  Targets values;  // of the point and the turns
  Targets lines;
  Targets rows;
};

template <Wanted wanted>
GELENK_ALWAYS_INLINE void write_point(const JointSide& A, const JointSide& B, const JointPlaces& to) {  // (1)
  if constexpr (wanted == Wanted::residuals) {
    scatter_vector(gap(A, B), to.rows);
  } else {
    scatter_vector(A.arm, to.values, 0);
    scatter_vector(B.arm, to.values, 3);
  }
  if constexpr (wanted == Wanted::values_and_biases) {
    scatter_vector(arm_acceleration(A) - arm_acceleration(B), to.rows);
  }
}

// Turns of one d_A against axes of B from `axis_b` on.
template <Wanted wanted>
GELENK_ALWAYS_INLINE void write_turns(const JointSide& A, const JointSide& B, int axis_a, int axis_b, std::size_t count,
                                      std::size_t value, std::size_t row, const JointPlaces& to) {  // (2)
  const BatchVector d_A = axis(A, axis_a);
  const BatchVector relative = B.w - A.w;
  const BatchVector k = dot(d_A, B.w) * relative - dot(d_A, relative) * A.w - dot(relative, relative) * d_A;
  for (std::size_t i = 0; i < count; ++i) {
    const BatchVector d_B = axis(B, (axis_b + static_cast<int>(i)) % 3);
    if constexpr (wanted == Wanted::residuals) {
      scatter(dot(d_A, d_B), to.rows, row + i);
    } else {
      scatter_vector(cross(d_B, d_A), to.values, value + 3 * i);
    }
    if constexpr (wanted == Wanted::values_and_biases) scatter(-dot(d_B, k), to.rows, row + i);
  }
}

// Lines along axes of A from `axis_a` on.
template <Wanted wanted>
GELENK_ALWAYS_INLINE void write_lines(const JointSide& A, const JointSide& B, int axis_a, std::size_t count,
                                      std::size_t row, const JointPlaces& to) {  // (3)
  const BatchVector W = gap(A, B);
  const BatchVector turning = cross(gap_rate(A, B), A.w);
  const BatchVector h = (arm_acceleration(B) - arm_acceleration(A)) + cross(A.w, cross(A.w, W)) + (turning + turning);
  const BatchVector reach = W + A.arm;  // from the center of mass of a to Bo
  for (std::size_t i = 0; i < count; ++i) {
    const BatchVector l = axis(A, axis_a + static_cast<int>(i));
    if constexpr (wanted == Wanted::residuals) {
      scatter(dot(l, W), to.rows, row + i);
    } else {
      scatter_vector(l, to.lines, 9 * i);
      scatter_vector(cross(l, reach), to.lines, 9 * i + 3);
      scatter_vector(cross(B.arm, l), to.lines, 9 * i + 6);
    }
    if constexpr (wanted == Wanted::values_and_biases) scatter(-dot(l, h), to.rows, row + i);
  }
}

template <Wanted wanted>
GELENK_ALWAYS_INLINE void write_distance(const JointSide& A, const JointSide& B, const Batch& length,
                                         const JointPlaces& to) {  // (4)
  const BatchVector W = gap(A, B);
  if constexpr (wanted == Wanted::residuals) {
    scatter((dot(W, W) - length * length) / (2.0 * length), to.rows, 0);
  } else {
    const BatchVector l{W.x / length, W.y / length, W.z / length};
    scatter_vector(l, to.lines, 0);
    scatter_vector(cross(l, A.arm), to.lines, 3);
    scatter_vector(cross(B.arm, l), to.lines, 6);
  }
  if constexpr (wanted == Wanted::values_and_biases) {
    const BatchVector W_rate = gap_rate(A, B);
    const BatchVector W_bias = arm_acceleration(B) - arm_acceleration(A);
    scatter(-(dot(W_rate, W_rate) + dot(W, W_bias)) / length, to.rows, 0);
  }
}

template <JointShape shape, Wanted wanted>
GELENK_ALWAYS_INLINE void run_batch(const JointKernelInput& in, const JointTask* tasks, const JointKernelOutput& out) {
  const JointSide A = load_side(in, tasks, &JointTask::body_a, &JointTask::frame_a);
  const JointSide B = load_side(in, tasks, &JointTask::body_b, &JointTask::frame_b);
  JointPlaces to{};
  for (std::size_t lane = 0; lane < kBatch; ++lane) {
    if constexpr (wanted != Wanted::residuals) {
      to.values[lane] = out.values + tasks[lane].value;
      to.lines[lane] = out.values + tasks[lane].line_value;
    }
    if constexpr (wanted != Wanted::values) to.rows[lane] = out.rows + tasks[lane].first_row;
  }
  constexpr std::size_t kTurnRow = shape.has_point() ? 3 : 0;
  constexpr std::size_t kTurnValue = 2 * kTurnRow;
  constexpr std::size_t kLineRow = kTurnRow + shape.turns();
  if constexpr (shape.has_point()) write_point<wanted>(A, B, to);
  if constexpr (shape.turns() == 3) {
    write_turns<wanted>(A, B, 0, 1, 1, kTurnValue, kTurnRow, to);
    write_turns<wanted>(A, B, 1, 2, 1, kTurnValue + 3, kTurnRow + 1, to);
    write_turns<wanted>(A, B, 2, 0, 1, kTurnValue + 6, kTurnRow + 2, to);
  } else if constexpr (shape.turns() > 0) {
    write_turns<wanted>(A, B, 2, 0, shape.turns(), kTurnValue, kTurnRow, to);
  }
  if constexpr (shape.lines() > 0) write_lines<wanted>(A, B, shape.lines() == 1 ? 2 : 0, shape.lines(), kLineRow, to);
  if constexpr (shape.is_distance()) {
    Sources constants;
    for (std::size_t lane = 0; lane < kBatch; ++lane) {
      constants[lane] = &in.params.row_constants[at(tasks[lane].first_row)];
    }
    write_distance<wanted>(A, B, gather(constants, 0), to);
  }
}

template <Wanted wanted, std::size_t shape>
void run_shape(const JointKernelInput& in, const JointTaskRange& range, const JointKernelOutput& out) {
  const JointTask* const tasks = in.plan.tasks[shape].data();
  for (std::size_t i = range.first[shape]; i < range.end[shape]; i += kBatch) {
    run_batch<kJointShapes[shape], wanted>(in, tasks + i, out);
  }
}

template <Wanted wanted, std::size_t... shapes>
void run_shapes(const JointKernelInput& in, const JointTaskRange& range, const JointKernelOutput& out,
                std::index_sequence<shapes...> /*all*/) {
  (run_shape<wanted, shapes>(in, range, out), ...);
}
template <Wanted wanted>
void run(const JointKernelInput& in, const JointTaskRange& range, const JointKernelOutput& out) {
  static_assert(JointPlan::kTaskMultiple % kBatch == 0);
  run_shapes<wanted>(in, range, out, std::make_index_sequence<kJointShapes.size()>());
}

}  // namespace

void shaped_values(const JointKernelInput& in, std::span<double> values) {
  run<Wanted::values>(in, all_tasks(in.plan), {values.data(), nullptr});
}

void shaped_values_and_biases(const JointKernelInput& in, const JointTaskRange& range, std::span<double> values,
                              std::span<double> biases) {
  run<Wanted::values_and_biases>(in, range, {values.data(), biases.data()});
}

void shaped_residuals(const JointKernelInput& in, std::span<double> residuals) {
  run<Wanted::residuals>(in, all_tasks(in.plan), {nullptr, residuals.data()});
}

}  // namespace gelenk::mechanics
