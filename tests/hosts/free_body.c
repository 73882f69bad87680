/* A ball that flies: one frame port `eye` at its center, a signal `push` (force along x) that goes in and one `speed`
 * (of z) that comes out. Frames may be mounted at the port, as many as one likes: D = J diag(1/m, 1/I) J^T, r = J times
 * gravity and push, where J takes the motion of the center to those of the frames. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gelenk/component/gelenk_code.h"
#include "gelenk/component/gelenk_component.h"

enum { kMotions = 6, kFrameNumbers = 18 }; /* of one mounted frame */

typedef struct State {
  double time;
  double p[3], q[4]; /* position; orientation as quaternion w x y z */
  double u[6];       /* velocity, angular velocity */
  double side;       /* of its switch: 1 or -1 */
} State;

typedef struct Rate {
  double u[6], a[6];
} Rate;

struct gelenk_component {
  gelenk_description description;
  double mass, inertia, gravity[3];
  gelenk_mount* mounts;
  size_t mount_count;
  double* ignored; /* room for answers that nobody wants; null until it is mounted */
  State drawn;
  State* states;
  Rate* rates;
  int32_t state_count, rate_count;
  /* what was given and computed last; one pose at a time */
  double push;
  uint32_t right_side;
  double result[6];
  const char* error;
};

static const gelenk_port kPorts[] = {
    {sizeof(gelenk_port),
     "eye",
     "",
     "its center",
     GELENK_FRAME,
     6,
     {0.0},
     {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}},
    {sizeof(gelenk_port), "push", "N", "along x", GELENK_SIGNAL_IN, 1, {0.0}, {0.0}},
    {sizeof(gelenk_port), "speed", "m/s", "along z", GELENK_SIGNAL_OUT, 1, {0.0}, {0.0}},
};
static const gelenk_parameter kParameters[] = {
    {sizeof(gelenk_parameter), "mass", "kg", "of the ball", 2.0, 1e-3, 1e3},
};
static const gelenk_output kOutputs[] = {{sizeof(gelenk_output), "height", "m", "of its center"}};
static const gelenk_description kDescription = {
    sizeof(gelenk_description), kPorts, kParameters, kOutputs, 3, 1, 1, 0, 1, 1, 0.5};

/* Quaternion of a rotation matrix, row by row. The larger of the components is enough for tests: w > 0. */
static void quaternion_of(const double* R, double* q) {
  q[0] = 0.5 * sqrt(fmax(1.0 + R[0] + R[4] + R[8], 1e-12));
  q[1] = (R[7] - R[5]) / (4.0 * q[0]);
  q[2] = (R[2] - R[6]) / (4.0 * q[0]);
  q[3] = (R[3] - R[1]) / (4.0 * q[0]);
}

static void rotation_of(const double* q, double* R) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double values[9] = {1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z),       2.0 * (x * z + w * y),
                            2.0 * (x * y + w * z),       1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x),
                            2.0 * (x * z - w * y),       2.0 * (y * z + w * x),       1.0 - 2.0 * (x * x + y * y)};
  memcpy(R, values, sizeof values);
}

/* q := exp(w) q, w in world axes */
static void turn(double* q, const double* w) {
  const double angle = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  const double scale = angle > 1e-8 ? sin(0.5 * angle) / angle : 0.5;
  const double a = cos(0.5 * angle), b = scale * w[0], c = scale * w[1], d = scale * w[2];
  const double r[4] = {a * q[0] - b * q[1] - c * q[2] - d * q[3], a * q[1] + b * q[0] + c * q[3] - d * q[2],
                       a * q[2] - b * q[3] + c * q[0] + d * q[1], a * q[3] + b * q[2] - c * q[1] + d * q[0]};
  memcpy(q, r, sizeof r);
}

static void move(State* state, const double* by) {
  for (int i = 0; i < 3; ++i) state->p[i] += by[i];
  turn(state->q, by + 3);
}

/* c := a x b */
static void cross(const double* a, const double* b, double* c) {
  for (int i = 0; i < 3; ++i) c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* From the center to a mounted frame, in world axes. */
static void arm_of(const State* state, const gelenk_mount* mount, double* arm) {
  double R[9];
  rotation_of(state->q, R);
  for (int i = 0; i < 3; ++i) {
    arm[i] = 0.0;
    for (int j = 0; j < 3; ++j) arm[i] += R[3 * i + j] * mount->position[j];
  }
}

/* Motion of a frame with this arm: (u + w x arm, w). */
static void motion_at(const double* arm, const double* center, double* motion) {
  double turned[3];
  cross(center + 3, arm, turned);
  for (int i = 0; i < 3; ++i) motion[i] = center[i] + turned[i];
  memcpy(motion + 3, center + 3, 3 * sizeof *motion);
}

/* A load at a frame with this arm, added to the one at the center: (f, t + arm x f). */
static void add_load(const double* arm, const double* load, double* center) {
  double moment[3];
  cross(arm, load, moment);
  for (int i = 0; i < 3; ++i) {
    center[i] += load[i];
    center[i + 3] += load[i + 3] + moment[i];
  }
}

static void motions_at_mounts(const gelenk_component* c, const State* state, const double* center, double* out) {
  for (size_t m = 0; m < c->mount_count; ++m) {
    double arm[3];
    arm_of(state, &c->mounts[m], arm);
    motion_at(arm, center, out + kMotions * m);
  }
}

static double mobility(const gelenk_component* c, int i) { return i < 3 ? 1.0 / c->mass : 1.0 / c->inertia; }

static double free_motion(const gelenk_component* c, int i) {
  if (c->right_side != GELENK_ACCELERATIONS) return 0.0;
  return (i < 3 ? c->gravity[i] : 0.0) + (i == 0 ? c->push / c->mass : 0.0);
}

static gelenk_status refuse(gelenk_component* c, const char* why) {
  c->error = why;
  return GELENK_REFUSED;
}

static int is_state(const gelenk_component* c, int32_t slot) { return slot >= 0 && slot < c->state_count; }
/* The state of a slot or, for -1, as drawn; null when there is none. */
static State* state_at(gelenk_component* c, int32_t slot) {
  return slot == -1 ? &c->drawn : is_state(c, slot) ? &c->states[slot] : NULL;
}
static int is_rate(const gelenk_component* c, double slot) { return slot >= 0 && slot < c->rate_count; }

/* Never fewer than before; what is there stays. */
static gelenk_status reserve(gelenk_component* c, const gelenk_command* k) {
  if (k->slot < 1 || k->slot < c->state_count || k->other < c->rate_count) return refuse(c, "too few slots");
  State* const states = realloc(c->states, (size_t)k->slot * sizeof(State));
  if (states) c->states = states;
  Rate* const rates = realloc(c->rates, ((size_t)k->other + 1) * sizeof(Rate));
  if (rates) c->rates = rates;
  if (!states || !rates) return GELENK_FAILED;
  for (; c->state_count < k->slot; ++c->state_count) states[c->state_count] = c->drawn;
  memset(&rates[c->rate_count], 0, ((size_t)k->other + 1 - (size_t)c->rate_count) * sizeof(Rate));
  c->rate_count = k->other;
  return GELENK_OK;
}

/* Terms with `width` numbers each; the one at `at` is a rate. */
static int are_rates(const gelenk_component* c, const gelenk_command* k, size_t width, size_t at) {
  for (size_t i = 0; i + width <= k->in_count; i += width) {
    if (!is_rate(c, k->in[i + at])) return 0;
  }
  return 1;
}

static void apply(State* state, const double* step, const double* change) {
  move(state, step);
  for (int i = 0; i < 6; ++i) state->u[i] += change[i];
}

static void combine(const gelenk_component* c, const gelenk_command* k) {
  State result = c->states[k->slot];
  double step[6] = {0}, change[6] = {0};
  for (size_t i = 0; i < k->in_count; i += 2) {
    const Rate* rate = &c->rates[(int)k->in[i + 1]];
    for (int j = 0; j < 6; ++j) step[j] += k->in[i] * rate->u[j];
    for (int j = 0; j < 6; ++j) change[j] += k->in[i] * rate->a[j];
  }
  apply(&result, step, change);
  result.time = k->time;
  c->states[k->other] = result;
}

/* Five each: rate, position, velocity, shifted, lowered. */
static void combine_stage(const gelenk_component* c, const gelenk_command* k) {
  State result = c->states[k->slot];
  double step[6] = {0}, change[6] = {0};
  for (size_t i = 0; i < k->in_count; i += 5) {
    const double* gain = k->in + i + 1;
    const Rate* rate = &c->rates[(int)k->in[i]];
    for (int j = 0; j < 6; ++j) step[j] += gain[0] * rate->u[j] + gain[2] * rate->a[j];
    for (int j = 0; j < 6; ++j) change[j] += gain[1] * rate->a[j] + gain[3] * rate->u[j];
  }
  apply(&result, step, change);
  result.time = k->time;
  c->states[k->other] = result;
}

static void combine_rates(const gelenk_component* c, const gelenk_command* k) {
  Rate result;
  memset(&result, 0, sizeof result);
  for (size_t i = 0; i < k->in_count; i += 2) {
    const Rate* rate = &c->rates[(int)k->in[i + 1]];
    for (int j = 0; j < 6; ++j) result.u[j] += k->in[i] * rate->u[j];
    for (int j = 0; j < 6; ++j) result.a[j] += k->in[i] * rate->a[j];
  }
  c->rates[k->other] = result;
}

static void error_norm(const gelenk_component* c, const gelenk_command* k, double* out) {
  double sum = 0.0;
  for (int j = 0; j < 6; ++j) {
    double error = 0.0;
    for (size_t i = 0; i < k->in_count; i += 2) error += k->in[i] * c->rates[(int)k->in[i + 1]].a[j];
    sum += error * error;
  }
  out[0] = sum;
  out[1] = 6.0;
}

/* Of all mounts: axes, origin, velocity, angular velocity. */
static void show(const gelenk_component* c, const State* state, double* out) {
  double R[9];
  rotation_of(state->q, R);
  for (size_t m = 0; m < c->mount_count; ++m, out += kFrameNumbers) {
    double arm[3];
    for (int i = 0; i < 9; ++i) {
      out[i] = 0.0;
      for (int j = 0; j < 3; ++j) out[i] += R[i - i % 3 + j] * c->mounts[m].rotation[3 * j + i % 3];
    }
    arm_of(state, &c->mounts[m], arm);
    for (int i = 0; i < 3; ++i) out[9 + i] = state->p[i] + arm[i];
    motion_at(arm, state->u, out + 12);
  }
}

/* D by its columns: the motions that a unit load causes everywhere. */
static void factor(const gelenk_component* c, const State* state, double* D) {
  const size_t size = kMotions * c->mount_count;
  for (size_t column = 0; column < size; ++column) {
    double arm[3], unit[6] = {0}, center[6] = {0};
    unit[column % kMotions] = 1.0;
    arm_of(state, &c->mounts[column / kMotions], arm);
    add_load(arm, unit, center);
    for (int i = 0; i < 6; ++i) center[i] *= mobility(c, i);
    for (size_t m = 0; m < c->mount_count; ++m) {
      double motion[6];
      arm_of(state, &c->mounts[m], arm);
      motion_at(arm, center, motion);
      for (size_t i = 0; i < 6; ++i) D[(kMotions * m + i) * size + column] = motion[i];
    }
  }
}

static void draw(const gelenk_component* c, double* out) {
  double* scales = out + kFrameNumbers * c->mount_count;
  show(c, &c->drawn, out);
  for (size_t m = 0; m < c->mount_count; ++m) {
    scales[2 * m] = c->mass;
    scales[2 * m + 1] = 1.0 / c->inertia;
  }
  factor(c, &c->drawn, scales + 2 * c->mount_count);
}

static void go_down(gelenk_component* c, const State* state, const gelenk_command* k, double* out) {
  double load[6] = {0}, motion[6];
  for (size_t m = 0; m < c->mount_count; ++m) {
    double arm[3];
    arm_of(state, &c->mounts[m], arm);
    add_load(arm, k->in + kMotions * m, load);
  }
  for (int i = 0; i < 6; ++i) {
    motion[i] = mobility(c, i) * load[i] + (k->flags == GELENK_GIVEN ? free_motion(c, i) : 0.0);
    c->result[i] = motion[i] + (k->flags == GELENK_GIVEN ? 0.0 : c->result[i]);
  }
  motions_at_mounts(c, state, motion, out);
}

static gelenk_status take(gelenk_component* c, State* state, const gelenk_command* k) {
  if (k->flags == GELENK_ACCELERATIONS) {
    if (!is_rate(c, k->other)) return refuse(c, "no such rate");
    memcpy(c->rates[k->other].u, state->u, sizeof state->u);
    memcpy(c->rates[k->other].a, c->result, sizeof c->result);
  } else if (k->flags == GELENK_POSITION_GAPS) {
    move(state, c->result);
  } else {
    for (int i = 0; i < 6; ++i) state->u[i] += c->result[i];
  }
  return GELENK_OK;
}

/* Commands at one pose; `out` is never null. */
static gelenk_status answer_at(gelenk_component* c, State* state, const gelenk_command* k, double* out) {
  double center[6] = {0};
  const size_t size = kMotions * c->mount_count;
  switch (k->code) {
    case GELENK_LOAD:
      if (k->in_count > 0) c->push = k->in[0];
      show(c, state, out);
      out[kFrameNumbers * c->mount_count] = state->u[2];
      return GELENK_OK;
    case GELENK_FACTOR:
      factor(c, state, out);
      memset(out + size * size, 0, 3 * sizeof *out);
      out[size * size + 1] = 1.0;
      return GELENK_OK;
    case GELENK_RIGHT_SIDE:
      c->right_side = k->flags;
      out[0] = out[1] = 0.0;
      return GELENK_OK;
    case GELENK_UP:
      for (int i = 0; i < 6; ++i) center[i] = k->flags == GELENK_GIVEN ? free_motion(c, i) : 0.0;
      motions_at_mounts(c, state, center, out);
      return GELENK_OK;
    case GELENK_DOWN:
      go_down(c, state, k, out);
      return GELENK_OK;
    case GELENK_RESIDUAL:
      memset(out, 0, 6 * sizeof *out);
      return GELENK_OK;
    case GELENK_TEST_LOAD:
      for (int i = 0; i < 6; ++i) center[i] = i == k->other ? mobility(c, i) : 0.0;
      motions_at_mounts(c, state, center, out);
      return GELENK_OK;
    case GELENK_TAKE:
      return take(c, state, k);
    case GELENK_SLACKS:
      *out = state->side * (state->p[2] + 100.0);
      return GELENK_OK;
    case GELENK_OUTPUTS:
      out[0] = state->p[2];
      out[1] = out[2] = 0.0;
      return GELENK_OK;
    default:
      return GELENK_UNKNOWN;
  }
}

/* Commands that give numbers; `out` is never null. */
static gelenk_status answer(gelenk_component* c, const gelenk_command* k, double* out) {
  State* state = state_at(c, k->slot);
  switch (k->code) {
    case GELENK_ERROR_NORM:
      if (!are_rates(c, k, 2, 1)) return refuse(c, "no such rate");
      error_norm(c, k, out);
      return GELENK_OK;
    case GELENK_DRAWN:
      draw(c, out);
      return GELENK_OK;
    case GELENK_NEXT_JUMP:
      *out = HUGE_VAL;
      return GELENK_OK;
    default:
      return state ? answer_at(c, state, k, out) : refuse(c, "no such state");
  }
}

static gelenk_status perform_one(gelenk_component* c, const gelenk_command* k) {
  if (!c->ignored) return refuse(c, "it is not mounted");
  switch (k->code) {
    case GELENK_RESERVE:
      return reserve(c, k);
    case GELENK_START:
      if (!is_state(c, k->slot)) return refuse(c, "no such state");
      c->states[k->slot] = c->drawn;
      return GELENK_OK;
    case GELENK_COPY:
      if (!is_state(c, k->slot) || !is_state(c, k->other)) return refuse(c, "no such state");
      c->states[k->other] = c->states[k->slot];
      return GELENK_OK;
    case GELENK_COMBINE:
    case GELENK_COMBINE_STAGE: {
      const int is_stage = k->code == GELENK_COMBINE_STAGE;
      if (!is_state(c, k->slot) || !is_state(c, k->other)) return refuse(c, "no such state");
      if (!are_rates(c, k, is_stage ? 5 : 2, is_stage ? 0 : 1)) return refuse(c, "no such rate");
      (is_stage ? combine_stage : combine)(c, k);
      return GELENK_OK;
    }
    case GELENK_COMBINE_RATES:
      if (!is_rate(c, k->other) || !are_rates(c, k, 2, 1)) return refuse(c, "no such rate");
      combine_rates(c, k);
      return GELENK_OK;
    case GELENK_FORGET:
    case GELENK_SETTLE:
    case GELENK_CROSS:
      return GELENK_OK;
    case GELENK_FLIP:
      if (!is_state(c, k->slot) || k->other < -1 || k->other > 0) return refuse(c, "no such switch");
      if (k->other == -1) return GELENK_OK; /* somebody else's */
      c->states[k->slot].side = -c->states[k->slot].side;
      return GELENK_OK;
    default:
      return answer(c, k, k->out ? k->out : c->ignored);
  }
}

static gelenk_status create(const gelenk_settings* s, gelenk_component** component, char* message,
                            size_t message_size) {
  static const char kText[] = "it wants one parameter";
  *component = NULL;
  if (s->parameter_count != 1) {
    strncpy(message, kText, message_size - 1);
    return GELENK_REFUSED;
  }
  gelenk_component* c = calloc(1, sizeof *c);
  if (!c) return GELENK_FAILED;
  c->mass = s->parameters[0];
  if (s->size >= sizeof *s && s->code) {
    /* Its code, where there is one, says how heavy it is. */
    gelenk_code_in in = {.size = sizeof in, .parameters = s->parameters};
    gelenk_code_out out = {.size = sizeof out, .outputs = &c->mass};
    if (s->code->evaluate(&in, &out) != 0) {
      strncpy(message, "its code returned no result", message_size - 1);
      free(c);
      return GELENK_FAILED;
    }
  }
  c->inertia = 0.1 * c->mass;
  c->description = kDescription;
  c->error = "";
  *component = c;
  return GELENK_OK;
}

static gelenk_status mount(gelenk_component* c, const gelenk_mounting* m) {
  const size_t size = kMotions * m->mount_count;
  for (size_t i = 0; i < m->mount_count; ++i) {
    if (m->mounts[i].port != 0) return refuse(c, "no such port");
  }
  if (c->ignored) return refuse(c, "it is mounted already");
  c->mounts = malloc((m->mount_count + 1) * sizeof *c->mounts);
  c->ignored = malloc(((kFrameNumbers + 2) * m->mount_count + size * size + 6) * sizeof *c->ignored);
  if (!c->mounts || !c->ignored) return GELENK_FAILED;
  for (size_t i = 0; i < m->mount_count; ++i) c->mounts[i] = m->mounts[i];
  c->mount_count = m->mount_count;
  memcpy(c->gravity, m->gravity, sizeof c->gravity);
  memcpy(c->drawn.p, m->position, sizeof c->drawn.p);
  quaternion_of(m->rotation, c->drawn.q);
  c->drawn.u[5] = 1.0; /* it spins */
  c->drawn.side = 1.0;
  c->drawn.time = m->start_time;
  c->description.switch_count = 1;
  return GELENK_OK;
}

static void destroy(gelenk_component* c) {
  free(c->mounts);
  free(c->ignored);
  free(c->states);
  free(c->rates);
  free(c);
}

static const gelenk_description* describe(const gelenk_component* c) { return &c->description; }

static gelenk_status perform(gelenk_component* c, const gelenk_command* commands, size_t count, size_t* done) {
  c->error = "";
  for (*done = 0; *done < count; ++*done) {
    const gelenk_status status = perform_one(c, &commands[*done]);
    if (status != GELENK_OK) return status;
  }
  return GELENK_OK;
}

static void* find_bytes(gelenk_component* c, uint32_t what, int32_t slot, size_t* size) {
  *size = what == GELENK_STATE ? sizeof(State) : sizeof(Rate);
  if (what == GELENK_STATE && is_state(c, slot)) return &c->states[slot];
  if (what == GELENK_RATE && is_rate(c, slot)) return &c->rates[slot];
  return NULL;
}

static gelenk_status read_bytes(gelenk_component* c, uint32_t what, int32_t slot, void* buffer, size_t capacity,
                                size_t* size) {
  *size = 0;
  if (what == GELENK_SHAPE) return GELENK_OK;
  const void* bytes = find_bytes(c, what, slot, size);
  if (!bytes) return refuse(c, "no such slot");
  if (buffer && capacity >= *size) memcpy(buffer, bytes, *size);
  return GELENK_OK;
}

static gelenk_status write_bytes(gelenk_component* c, uint32_t what, int32_t slot, const void* bytes, size_t size) {
  size_t needed = 0;
  void* place = find_bytes(c, what, slot, &needed);
  if (!place || needed != size) return refuse(c, "no such slot");
  memcpy(place, bytes, size);
  return GELENK_OK;
}

static const char* last_error(const gelenk_component* c) { return c->error; }

const gelenk_component_api* gelenk_component_get_api(uint32_t abi_major) {
  static const gelenk_component_api kApi = {sizeof(gelenk_component_api),
                                            GELENK_COMPONENT_ABI_MAJOR,
                                            GELENK_COMPONENT_ABI_MINOR,
                                            create,
                                            destroy,
                                            describe,
                                            mount,
                                            perform,
                                            read_bytes,
                                            write_bytes,
                                            last_error};
  return abi_major == GELENK_COMPONENT_ABI_MAJOR ? &kApi : NULL;
}
