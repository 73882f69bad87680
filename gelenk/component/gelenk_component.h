/* The interface of sealed components, version 1.2. Pure C99; may be included by C++.
 *
 * A component is a machine of its own: it has its states, integrates them in step with its owner, and shows nothing but
 * motions, mobility D, accelerations r and loads at its ports. Numbers are SI, in world axes.
 *
 * Rules for all versions with the same major number: structures begin with their size and only grow at the end; codes
 * and flags keep their meaning, new ones are added. Who calls owns all buffers. No function throws, none keeps a
 * pointer that it was given, and none is called in two threads at once for one component. Different components may run
 * in different threads.
 *
 * docs/component-interface.md says in which order commands come and what each of them means. */
#ifndef GELENK_COMPONENT_H
#define GELENK_COMPONENT_H

#include <stddef.h>
#include <stdint.h>

/* Names as in other C headers. NOLINTBEGIN(readability-identifier-naming) */

#ifdef __cplusplus
extern "C" {
#endif

#define GELENK_COMPONENT_ABI_MAJOR 1
#define GELENK_COMPONENT_ABI_MINOR 2

typedef struct gelenk_component gelenk_component;

typedef enum gelenk_status {
  GELENK_OK = 0,
  GELENK_NOT_SOLVABLE = 1, /* here and now; a smaller step may help */
  GELENK_REFUSED = 2,      /* the request makes no sense: a number out of range, a slot that does not exist */
  GELENK_UNKNOWN = 3,      /* a code of a newer minor version */
  GELENK_FAILED = 4        /* the component cannot go on */
} gelenk_status;

typedef enum gelenk_port_kind {
  GELENK_FRAME = 0, /* six numbers: along x y z, about x y z */
  GELENK_SIGNAL_IN = 1,
  GELENK_SIGNAL_OUT = 2,
  /* Shafts, since 1.2: one number, an angle (rad) or a travel (m), 0 as drawn; loads are torques or forces. */
  GELENK_ROTATIONAL = 3,
  GELENK_TRANSLATIONAL = 4
} gelenk_port_kind;

typedef struct gelenk_port {
  size_t size;
  const char* name;
  const char* unit;
  const char* doc;
  uint32_t kind;
  uint32_t width;     /* numbers of its velocity, or of its signal */
  double position[3]; /* of a frame, as drawn, in the component's own coordinates */
  double rotation[9]; /* its axes there, row by row */
} gelenk_port;

typedef struct gelenk_parameter {
  size_t size;
  const char* name;
  const char* unit;
  const char* doc;
  double default_value, min, max;
} gelenk_parameter;

typedef struct gelenk_output {
  size_t size;
  const char* name;
  const char* unit;
  const char* doc;
} gelenk_output;

/* Valid as long as the component. */
typedef struct gelenk_description {
  size_t size;
  const gelenk_port* ports;
  const gelenk_parameter* parameters;
  const gelenk_output* outputs;
  uint32_t port_count, parameter_count, output_count;
  uint32_t switch_count; /* events that depend on the state */
  uint32_t input_size;   /* numbers of all signals that go in */
  uint32_t signal_size;  /* numbers of all signals that come out */
  double length;         /* of its largest body, a power of two */
} gelenk_description;

struct gelenk_code_api; /* gelenk_code.h */

typedef struct gelenk_settings {
  size_t size;
  const void* resource; /* content of the file that the maker's tool put beside the library; may be null */
  size_t resource_size;
  const double* parameters; /* all of them, in the order of the manifest */
  size_t parameter_count;
  /* Since 1.1. Functions of the second library that the maker put beside the first, or null; valid as long as the
     component. */
  const struct gelenk_code_api* code;
} gelenk_settings;

/* Where an element of the owner acts: a frame at a port, which moves with it. Motions, loads, D and r have six numbers
   for each of these, in the order of the mounting: along x y z, about x y z, at the frame's origin, world axes.
   Since 1.2 a mount may be at a shaft, without a frame; such mounts come after all others, and have one number each. */
typedef struct gelenk_mount {
  uint32_t port;
  uint32_t has_joint; /* 0: only forces act there */
  double position[3]; /* in the port's axes */
  double rotation[9]; /* row by row */
} gelenk_mount;

typedef struct gelenk_mounting {
  size_t size;
  const gelenk_mount* mounts;
  size_t mount_count;
  double position[3];     /* of the component in the world, as it is drawn */
  double rotation[9];     /* its axes in the world, row by row */
  double mirror[9];       /* takes vectors as its maker wrote them to vectors in its axes */
  double world_mirror[9]; /* and vectors of the world as he wrote them to those of this one */
  double gravity[3];      /* acceleration of the fall, everywhere the same */
  double length;          /* size of the whole machine, to compare lengths with angles */
  double start_time;
  double rank_tolerance;     /* a row closer to the others counts as redundant */
  double tolerance;          /* of steps that choose their length; 1 for others */
  uint32_t keeps_assemblies; /* 1: assemblies inside stay components, 0: where that pays */
} gelenk_mounting;

/* A state has its time and all that moves; a rate is a change of state. Both are numbered and stay inside. */
typedef enum gelenk_code {
  /* Slots. Terms are pairs of numbers: coefficient, rate. */
  GELENK_RESERVE = 1,       /* slot: states, other: rates, never fewer than before; states keep what they hold;
                               flags: a gelenk_chart, and GELENK_STAGES */
  GELENK_START = 2,         /* slot := as drawn, at the start time */
  GELENK_COPY = 3,          /* slot -> other */
  GELENK_COMBINE = 4,       /* other := slot + sum of the terms, at `time`; in: terms */
  GELENK_COMBINE_RATES = 5, /* other := sum; in: terms */
  GELENK_COMBINE_STAGE = 6, /* other := slot + sum, at `time`; in: five each: rate, a, b, c, d (see below) */
  GELENK_ERROR_NORM = 7,    /* slot: from, other: to; in: terms; out: sum of squares, how many */
  GELENK_DRAWN = 8,         /* out: mounts as in LOAD, two numbers that each frame is scaled with, then D */

  /* One pose and its right sides. All of them name the slot. */
  GELENK_LOAD = 16, /* slot, -1: as drawn; flags: gelenk_part; in: signals, or none: as before; out: 18 for each mount:
                       axes in the world row by row, origin, velocity, angular velocity; two for each shaft: how far
                       it is from where it was drawn, and its rate; then signals that come out */
  GELENK_FACTOR = 17, /* flags: a gelenk_rank; in: distance below which a row counts as redundant; out: D row by row,
                         then three: whether decisions were made again, smallest pivot, rank */
  GELENK_RIGHT_SIDE = 18, /* flags: a gelenk_right_side; out: largest residual of an enforced row, of another one */
  GELENK_UP = 19,         /* flags: a gelenk_load; out: r */
  GELENK_DOWN = 20,       /* flags: a gelenk_load; in: loads at the mounts; out: accelerations there */
  GELENK_RESIDUAL = 21,   /* out: six numbers of what a sweep left */
  GELENK_TEST_LOAD = 22,  /* other: which; out: motion at the mounts */
  GELENK_FORGET = 23,     /* decisions about rank are made again */
  GELENK_TAKE = 24,       /* flags: a gelenk_right_side; accelerations: other := rate; else the slot moves */
  GELENK_SETTLE = 25,     /* slot: it is a new base now, on its constraints */

  /* Events */
  GELENK_NEXT_JUMP = 32, /* out: first time after `time` at which a law jumps by itself */
  GELENK_CROSS = 33,     /* slot: to the other side of the jump it stands on; flags: gelenk_sides */
  GELENK_SLACKS = 34,    /* slot; out: one for each switch, negative: it has switched */
  GELENK_FLIP = 35,      /* slot, other: switch */

  /* Implicit methods. Gains: what a unit of acceleration makes of the velocity (s), and of the position (s^2). Motions
     have twelve numbers for each mount: changes of the position (along, about), then of the velocity, each in units of
     its gain; two for a shaft. Loads and D as elsewhere, but D has twice as many rows, and may have any symmetry or
     none. */
  GELENK_NEWTON = 64, /* slot, just after DOWN there, or the stage with all its loads; flags: a gelenk_newton; in:
                         gain of the velocity, of the position, loads at the mounts in all; out: D row by row */
  GELENK_NEWTON_RIGHT_SIDE = 65, /* other: rate; out: 18 for each mount: what the rate and its gain make of the
                                    position, what that turn makes of the velocity, what the rate makes of it; of a
                                    shaft three, the second 0 */
  GELENK_NEWTON_UP = 66,         /* out: motions without loads */
  GELENK_NEWTON_DOWN = 67,       /* in: loads at the mounts; out: motions */
  GELENK_NEWTON_TAKE = 68,       /* slot: the rate of the right side, other: rate := what was found for it */
  GELENK_STAGE_BEGIN = 72, /* slot: from, other: to, at `time`; in: gain of the position, of the velocity, rate, two
                              zeros, then terms as in COMBINE_STAGE */
  GELENK_STAGE_PLACE = 73, /* `to` := from + terms + gains times the rate */
  GELENK_STAGE_LOADS = 74, /* in: loads at the mounts; out: by how much states of first order change */
  GELENK_STAGE_TAKE = 75,  /* after NEWTON_DOWN: the rate changes; out: by how much positions do, in lengths or rad */
  GELENK_STAGE_END = 76,   /* placed for the last time; the rate has the velocities of `to`, too */

  /* For people */
  GELENK_OUTPUTS = 48 /* slot, just after DOWN there; out: all outputs, then energy that came in through the mounts
                         since the start, and the error of the balance of energy, in J */
} gelenk_code;

typedef enum gelenk_chart {
  GELENK_EXPONENTIAL = 0,
  GELENK_LINEAR = 1,
  GELENK_STAGES = 2 /* to be added: stages will come, which start from the loads inside at the state before */
} gelenk_chart;

/* Terms of a stage have a rate and four gains a, b, c, d: positions += a * its velocities + c * its accelerations;
   velocities += b * its accelerations + d * its velocities; other states += b * their rates. */
typedef enum gelenk_newton { GELENK_AT_STATE = 0, GELENK_AT_STAGE = 1 } gelenk_newton;

typedef enum gelenk_part {
  GELENK_POSITIONS = 1,
  GELENK_VELOCITIES = 2,
  GELENK_JOINTS = 4,
  GELENK_FORCES = 8,
  GELENK_LAWS = 16 /* of drivers alone */
} gelenk_part;

typedef enum gelenk_right_side {
  GELENK_ACCELERATIONS = 0,
  GELENK_POSITION_GAPS = 1,
  GELENK_VELOCITY_GAPS = 2,
  GELENK_IMPULSES = 3
} gelenk_right_side;

/* GELENK_KEEP_RANK: the pose is not on its constraints; no more rows count as independent than did. */
typedef enum gelenk_rank { GELENK_DECIDE_RANK = 0, GELENK_KEEP_RANK = 1 } gelenk_rank;

/* GELENK_ALL_SIDES: before a run begins, all switches as the state and the signals that were given say. */
typedef enum gelenk_sides { GELENK_NEXT_SIDE = 0, GELENK_ALL_SIDES = 1 } gelenk_sides;

typedef enum gelenk_load { GELENK_GIVEN = 0, GELENK_REST = 1 } gelenk_load;

typedef struct gelenk_command {
  uint32_t code; /* a gelenk_code */
  uint32_t flags;
  int32_t slot;
  int32_t other;
  double time;
  const double* in;
  double* out; /* null: the answer is not wanted */
  size_t in_count, out_count;
} gelenk_command;

/* What can be kept in bytes, so that a run goes on later bit for bit, and what is there to be shown. */
typedef enum gelenk_bytes {
  GELENK_STATE = 1,
  GELENK_RATE = 2,
  GELENK_SHAPE = 3 /* glTF, axes of the component; empty when its maker shows none */
} gelenk_bytes;

typedef struct gelenk_component_api {
  size_t size;
  uint32_t abi_major, abi_minor;
  /* On failure *component is null, and the message says why. */
  gelenk_status (*create)(const gelenk_settings* settings, gelenk_component** component, char* message,
                          size_t message_size);
  void (*destroy)(gelenk_component* component);
  const gelenk_description* (*describe)(const gelenk_component* component);
  /* Once, before the first command. */
  gelenk_status (*mount)(gelenk_component* component, const gelenk_mounting* mounting);
  /* All commands in their order, up to the first that fails; `done` counts those before it. */
  gelenk_status (*perform)(gelenk_component* component, const gelenk_command* commands, size_t count, size_t* done);
  /* *size: how many bytes there are, also when the buffer is null or too small and nothing is written. */
  gelenk_status (*read)(gelenk_component* component, uint32_t what, int32_t slot, void* buffer, size_t capacity,
                        size_t* size);
  gelenk_status (*write)(gelenk_component* component, uint32_t what, int32_t slot, const void* bytes, size_t size);
  /* About the last call that failed: text for people that names nothing of the inside. Valid until the next call. */
  const char* (*last_error)(const gelenk_component* component);
} gelenk_component_api;

/* The only symbol of a component's library. Null when it does not speak this major version. */
const gelenk_component_api* gelenk_component_get_api(uint32_t abi_major);

#ifdef __cplusplus
}
#endif

/* NOLINTEND(readability-identifier-naming) */

#endif /* GELENK_COMPONENT_H */
