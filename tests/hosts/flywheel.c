/* A flywheel on a spring to the ground, behind one shaft `out`: J q'' = load - k q. To copy: a component with a shaft,
 * for explicit and implicit methods. Mounted at its shaft it has one motion, one load and one D = 1/J; mounted nowhere
 * it has none and swings by itself. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gelenk/component/gelenk_component.h"

typedef struct State {
  double time, q, u, received; /* angle, rate, energy that came in through the shaft */
} State;

/* A rate, and any change of a state. */
typedef struct Change {
  double q, u, received;
} Change;

struct gelenk_component {
  gelenk_description description;
  double inertia, stiffness;
  size_t shafts; /* that are mounted: 0 or 1 */
  int is_mounted;
  State drawn, *states;
  Change* rates;
  int32_t state_count, rate_count;
  double start_energy;
  /* What was given and found last; one pose at a time. */
  double right, load, found;
  double matrix, velocity_gain;             /* of implicit methods */
  double moved, rate_of_moved;              /* of a right side at a state */
  int32_t stage_from, stage_to, stage_rate; /* of a stage */
  double stage_time, stage_gains[2];
  Change stage_known;
  const char* error;
};

static const gelenk_port kPorts[] = {
    {sizeof(gelenk_port), "out", "", "of the flywheel", GELENK_ROTATIONAL, 1, {0.0}, {0.0}},
};
static const gelenk_parameter kParameters[] = {
    {sizeof(gelenk_parameter), "inertia", "kg*m^2", "of the flywheel", 0.7, 1e-6, 1e6},
    {sizeof(gelenk_parameter), "stiffness", "N*m", "per rad, to the ground", 0.0, 0.0, 1e9},
};
static const gelenk_output kOutputs[] = {{sizeof(gelenk_output), "angle", "rad", "of the flywheel"}};
static const gelenk_description kDescription = {
    sizeof(gelenk_description), kPorts, kParameters, kOutputs, 1, 2, 1, 0, 0, 0, 1.0};

static double energy_of(const gelenk_component* c, const State* s) {
  return 0.5 * (c->inertia * s->u * s->u + c->stiffness * s->q * s->q);
}

static gelenk_status refuse(gelenk_component* c, const char* why) {
  c->error = why;
  return GELENK_REFUSED;
}

static int is_state(const gelenk_component* c, int32_t slot) { return slot >= 0 && slot < c->state_count; }
static int is_rate(const gelenk_component* c, double slot) { return slot >= 0 && slot < c->rate_count; }

/* Never fewer than before; what is there stays. */
static gelenk_status reserve(gelenk_component* c, const gelenk_command* k) {
  if (k->slot < 1 || k->slot < c->state_count || k->other < c->rate_count) return refuse(c, "too few slots");
  State* const states = realloc(c->states, (size_t)k->slot * sizeof(State));
  if (states) c->states = states;
  Change* const rates = realloc(c->rates, ((size_t)k->other + 1) * sizeof(Change));
  if (rates) c->rates = rates;
  if (!states || !rates) return GELENK_FAILED;
  for (; c->state_count < k->slot; ++c->state_count) states[c->state_count] = c->drawn;
  memset(&rates[c->rate_count], 0, ((size_t)k->other + 1 - (size_t)c->rate_count) * sizeof(Change));
  c->rate_count = k->other;
  return GELENK_OK;
}

static State moved_by(const State* from, const Change* by, double time) {
  const State result = {time, from->q + by->q, from->u + by->u, from->received + by->received};
  return result;
}

/* Pairs: coefficient, rate. */
static int sum_of(const gelenk_component* c, const double* in, size_t count, Change* sum) {
  memset(sum, 0, sizeof *sum);
  for (size_t i = 0; i + 2 <= count; i += 2) {
    if (!is_rate(c, in[i + 1])) return 0;
    const Change* rate = &c->rates[(int)in[i + 1]];
    sum->q += in[i] * rate->q;
    sum->u += in[i] * rate->u;
    sum->received += in[i] * rate->received;
  }
  return 1;
}

/* Five each: rate, a, b, c, d. */
static int sum_of_stage(const gelenk_component* c, const double* in, size_t count, Change* sum) {
  memset(sum, 0, sizeof *sum);
  for (size_t i = 0; i + 5 <= count; i += 5) {
    if (!is_rate(c, in[i])) return 0;
    const Change* rate = &c->rates[(int)in[i]];
    sum->q += in[i + 1] * rate->q + in[i + 3] * rate->u;
    sum->u += in[i + 2] * rate->u + in[i + 4] * rate->q;
    sum->received += in[i + 2] * rate->received;
  }
  return 1;
}

/* Motions of the shaft, if it is mounted; returns where the next numbers go. */
static double* put_motion(const gelenk_component* c, double position, double velocity, double* out) {
  if (c->shafts == 0) return out;
  out[0] = position;
  out[1] = velocity;
  return out + 2;
}

static double load_on_shaft(const gelenk_component* c, const double* loads) { return c->shafts ? loads[0] : 0.0; }

static gelenk_status take(gelenk_component* c, State* state, const gelenk_command* k) {
  if (k->flags == GELENK_ACCELERATIONS) {
    if (!is_rate(c, k->other)) return refuse(c, "no such rate");
    const Change rate = {state->u, c->found, c->load * state->u};
    c->rates[k->other] = rate;
  } else if (k->flags == GELENK_POSITION_GAPS) {
    state->q += c->found;
  } else {
    state->u += c->found;
  }
  return GELENK_OK;
}

/* One pose and its right sides; `out` is never null. */
static gelenk_status answer_at(gelenk_component* c, State* state, const gelenk_command* k, double* out) {
  switch (k->code) {
    case GELENK_DRAWN:
    case GELENK_LOAD:
      out = put_motion(c, state->q, state->u, out);
      if (k->code == GELENK_DRAWN && c->shafts) out[0] = 1.0 / c->inertia;
      return GELENK_OK;
    case GELENK_FACTOR:
      if (c->shafts) *out++ = 1.0 / c->inertia;
      out[0] = 0.0;
      out[1] = 1.0;
      out[2] = 0.0;
      return GELENK_OK;
    case GELENK_RIGHT_SIDE:
      c->right = k->flags == GELENK_ACCELERATIONS ? -c->stiffness * state->q : 0.0;
      out[0] = out[1] = 0.0;
      return GELENK_OK;
    case GELENK_UP:
      if (c->shafts) out[0] = k->flags == GELENK_GIVEN ? c->right / c->inertia : 0.0;
      return GELENK_OK;
    case GELENK_DOWN: {
      const double load = load_on_shaft(c, k->in);
      const double change = ((k->flags == GELENK_GIVEN ? c->right : 0.0) + load) / c->inertia;
      c->load = load + (k->flags == GELENK_GIVEN ? 0.0 : c->load);
      c->found = change + (k->flags == GELENK_GIVEN ? 0.0 : c->found);
      if (c->shafts) out[0] = change;
      return GELENK_OK;
    }
    case GELENK_RESIDUAL:
      memset(out, 0, 6 * sizeof *out);
      return GELENK_OK;
    case GELENK_TEST_LOAD:
      if (c->shafts) out[0] = 0.0;
      return GELENK_OK;
    case GELENK_TAKE:
      return take(c, state, k);
    case GELENK_SETTLE:
      if (state->time == c->drawn.time) { /* its owner has put it onto the constraints */
        state->received = 0.0;
        c->start_energy = energy_of(c, state);
      }
      return GELENK_OK;
    case GELENK_OUTPUTS:
      out[0] = state->q;
      out[1] = state->received;
      out[2] = energy_of(c, state) - c->start_energy - state->received;
      return GELENK_OK;
    default:
      return GELENK_UNKNOWN;
  }
}

/* (J + k K) x = f + load, k the gain of the position. */
static gelenk_status newton(gelenk_component* c, const gelenk_command* k, double* out) {
  switch (k->code) {
    case GELENK_NEWTON:
      c->velocity_gain = k->in[0];
      c->matrix = c->inertia + k->in[1] * c->stiffness;
      put_motion(c, 1.0 / c->matrix, 1.0 / c->matrix, out);
      return GELENK_OK;
    case GELENK_NEWTON_RIGHT_SIDE:
      if (!is_rate(c, k->other)) return refuse(c, "no such rate");
      c->rate_of_moved = c->rates[k->other].u;
      c->moved = c->rates[k->other].q + c->velocity_gain * c->rate_of_moved;
      c->right = -c->stiffness * c->moved;
      if (c->shafts) {
        out[0] = c->moved;
        out[1] = 0.0;
        out[2] = c->rate_of_moved;
      }
      return GELENK_OK;
    case GELENK_NEWTON_UP:
      put_motion(c, c->right / c->matrix, c->right / c->matrix, out);
      return GELENK_OK;
    case GELENK_NEWTON_DOWN:
      c->found = (c->right + load_on_shaft(c, k->in)) / c->matrix;
      put_motion(c, c->found, c->found, out);
      return GELENK_OK;
    default: /* GELENK_NEWTON_TAKE */
      if (!is_rate(c, k->slot) || !is_rate(c, k->other)) return refuse(c, "no such rate");
      c->rates[k->other] = c->rates[k->slot];
      c->rates[k->other].q = c->moved + c->velocity_gain * c->velocity_gain * c->found;
      c->rates[k->other].u = c->rate_of_moved + c->velocity_gain * c->found;
      return GELENK_OK;
  }
}

static void place(gelenk_component* c) {
  const Change* rate = &c->rates[c->stage_rate];
  Change by = c->stage_known;
  by.q += c->stage_gains[0] * rate->u;
  by.u += c->stage_gains[1] * rate->u;
  by.received += c->stage_gains[1] * rate->received;
  c->states[c->stage_to] = moved_by(&c->states[c->stage_from], &by, c->stage_time);
}

static gelenk_status stage(gelenk_component* c, const gelenk_command* k, double* out) {
  if (k->code == GELENK_STAGE_BEGIN) {
    if (!is_state(c, k->slot) || !is_state(c, k->other) || k->in_count < 5 || !is_rate(c, k->in[2]) ||
        !sum_of_stage(c, k->in + 5, k->in_count - 5, &c->stage_known)) {
      return refuse(c, "no such state or rate");
    }
    c->stage_from = k->slot;
    c->stage_to = k->other;
    c->stage_rate = (int32_t)k->in[2];
    c->stage_time = k->time;
    memcpy(c->stage_gains, k->in, sizeof c->stage_gains);
    return GELENK_OK;
  }
  if (!is_state(c, c->stage_to) || !is_rate(c, c->stage_rate)) return refuse(c, "no stage has begun");
  Change* rate = &c->rates[c->stage_rate];
  const State* to = &c->states[c->stage_to];
  switch (k->code) {
    case GELENK_STAGE_PLACE:
      place(c);
      return GELENK_OK;
    case GELENK_STAGE_LOADS:
      c->right = load_on_shaft(c, k->in) - c->stiffness * to->q - c->inertia * rate->u;
      rate->received = load_on_shaft(c, k->in) * to->u;
      out[0] = 0.0;
      return GELENK_OK;
    case GELENK_STAGE_TAKE:
      rate->u += c->found;
      out[0] = fabs(c->stage_gains[0] * c->found);
      return GELENK_OK;
    default: /* GELENK_STAGE_END */
      place(c);
      rate->q = to->u;
      return GELENK_OK;
  }
}

static gelenk_status states(gelenk_component* c, const gelenk_command* k, double* out) {
  Change sum;
  const int is_stage = k->code == GELENK_COMBINE_STAGE;
  if (!(is_stage ? sum_of_stage : sum_of)(c, k->in, k->in_count, &sum)) return refuse(c, "no such rate");
  if (k->code == GELENK_COMBINE_RATES) {
    if (!is_rate(c, k->other)) return refuse(c, "no such rate");
    c->rates[k->other] = sum;
    return GELENK_OK;
  }
  if (!is_state(c, k->slot) || !is_state(c, k->other)) return refuse(c, "no such state");
  if (k->code == GELENK_ERROR_NORM) {
    const State* s = &c->states[k->other];
    const double q = sum.q / (1.0 + fabs(s->q)), u = sum.u / (1.0 + fabs(s->u));
    out[0] = 1e20 * (q * q + u * u); /* as if the tolerance were 1e-10 */
    out[1] = 2.0;
  } else {
    c->states[k->other] = moved_by(&c->states[k->slot], &sum, k->time);
  }
  return GELENK_OK;
}

static gelenk_status perform_one(gelenk_component* c, const gelenk_command* k) {
  double ignored[8]; /* more than any answer has */
  double* const out = k->out ? k->out : ignored;
  if (!c->is_mounted) return refuse(c, "it is not mounted");
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
    case GELENK_COMBINE_RATES:
    case GELENK_COMBINE_STAGE:
    case GELENK_ERROR_NORM:
      return states(c, k, out);
    case GELENK_NEWTON:
    case GELENK_NEWTON_RIGHT_SIDE:
    case GELENK_NEWTON_UP:
    case GELENK_NEWTON_DOWN:
    case GELENK_NEWTON_TAKE:
      return newton(c, k, out);
    case GELENK_STAGE_BEGIN:
    case GELENK_STAGE_PLACE:
    case GELENK_STAGE_LOADS:
    case GELENK_STAGE_TAKE:
    case GELENK_STAGE_END:
      return stage(c, k, out);
    case GELENK_NEXT_JUMP:
      out[0] = HUGE_VAL;
      return GELENK_OK;
    case GELENK_FORGET:
    case GELENK_CROSS:
    case GELENK_SLACKS:
    case GELENK_FLIP:
      return GELENK_OK;
    default:
      if (k->code == GELENK_DRAWN || k->slot == -1) return answer_at(c, &c->drawn, k, out);
      return is_state(c, k->slot) ? answer_at(c, &c->states[k->slot], k, out) : refuse(c, "no such state");
  }
}

static gelenk_status create(const gelenk_settings* s, gelenk_component** component, char* message,
                            size_t message_size) {
  *component = NULL;
  if (s->parameter_count != 2) {
    strncpy(message, "it wants two parameters", message_size - 1);
    return GELENK_REFUSED;
  }
  gelenk_component* c = calloc(1, sizeof *c);
  if (!c) return GELENK_FAILED;
  c->inertia = s->parameters[0];
  c->stiffness = s->parameters[1];
  c->description = kDescription;
  c->error = "";
  *component = c;
  return GELENK_OK;
}

static gelenk_status mount(gelenk_component* c, const gelenk_mounting* m) {
  if (c->is_mounted) return refuse(c, "it is mounted already");
  if (m->mount_count > 1 || (m->mount_count == 1 && m->mounts[0].port != 0)) return refuse(c, "it has one shaft");
  c->shafts = m->mount_count;
  c->drawn.time = m->start_time;
  c->is_mounted = 1;
  return GELENK_OK;
}

static void destroy(gelenk_component* c) {
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

/* Bytes of a state or a rate end with a sum (FNV-1a), so that altered ones are refused. */
static uint64_t sum_of_bytes(const void* bytes, size_t size) {
  uint64_t sum = 14695981039346656037u;
  for (size_t i = 0; i < size; ++i) sum = (sum ^ ((const unsigned char*)bytes)[i]) * 1099511628211u;
  return sum;
}

static void* find_slot(gelenk_component* c, uint32_t what, int32_t slot, size_t* size) {
  *size = what == GELENK_STATE ? sizeof(State) : sizeof(Change);
  if (what == GELENK_STATE && is_state(c, slot)) return &c->states[slot];
  if (what == GELENK_RATE && is_rate(c, slot)) return &c->rates[slot];
  return NULL;
}

static gelenk_status read_bytes(gelenk_component* c, uint32_t what, int32_t slot, void* buffer, size_t capacity,
                                size_t* size) {
  *size = 0;
  if (what == GELENK_SHAPE) return GELENK_OK;
  size_t content = 0;
  const void* bytes = find_slot(c, what, slot, &content);
  if (!bytes) return refuse(c, "no such slot");
  const uint64_t sum = sum_of_bytes(bytes, content);
  *size = content + sizeof sum;
  if (buffer && capacity >= *size) {
    memcpy(buffer, bytes, content);
    memcpy((char*)buffer + content, &sum, sizeof sum);
  }
  return GELENK_OK;
}

static gelenk_status write_bytes(gelenk_component* c, uint32_t what, int32_t slot, const void* bytes, size_t size) {
  size_t content = 0;
  uint64_t sum = 0;
  void* place = find_slot(c, what, slot, &content);
  if (!place || content + sizeof sum != size) return refuse(c, "no such slot");
  memcpy(&sum, (const char*)bytes + content, sizeof sum);
  if (sum != sum_of_bytes(bytes, content)) return refuse(c, "the bytes were altered");
  memcpy(place, bytes, content);
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
