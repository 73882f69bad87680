/* Forces and states of an assembly, written in C, version 1.1. Pure C99; may be included by C++.
 *
 * Assemblies of a model may have a section `code:`. It names frames, states, inputs, outputs and
 * parameters; your library gets them as numbers and answers with the wrenches on the frames and the rates of the
 * states. All else (bodies, joints, integration, ports) is done for you. Numbers are SI, in world axes.
 *
 * evaluate() must be a pure function of what it is given: it keeps nothing, reads no clock and no file, and may be
 * called in several threads at once, in any order, for times that go back and forth. In a worker process it has no way
 * to the system anyway.
 *
 * Rules for all versions with the same major number: structures begin with their size and only grow at the end.
 *
 *   static int evaluate(const gelenk_code_in* in, gelenk_code_out* out) { ... return 0; }
 *   GELENK_CODE(evaluate, .frame_count = 2, .state_count = 1, .parameter_count = 3)
 *
 * docs/sealed-components.md has a worked example. */
#ifndef GELENK_CODE_H
#define GELENK_CODE_H

#include <stddef.h>
#include <stdint.h>

/* Names as in other C headers. NOLINTBEGIN(readability-identifier-naming) */

#ifdef __cplusplus
extern "C" {
#endif

#define GELENK_CODE_MAJOR 1
#define GELENK_CODE_MINOR 1

/* How a frame moves, in world axes. */
typedef struct gelenk_code_motion {
  double rotation[9]; /* its axes in the world, row by row: column k is its axis k */
  double position[3];
  double velocity[3];
  double angular_velocity[3];
} gelenk_code_motion;

/* What acts on a frame, about its origin, in world axes. */
typedef struct gelenk_code_wrench {
  double force[3];
  double moment[3];
} gelenk_code_wrench;

/* Everything in the order of the section `code:`. */
typedef struct gelenk_code_in {
  size_t size;
  double time;
  const gelenk_code_motion* frames;
  const double* states;
  const double* inputs;
  const double* parameters;
} gelenk_code_in;

/* All of it must be written; nothing is zero before. */
typedef struct gelenk_code_out {
  size_t size;
  gelenk_code_wrench* wrenches; /* one for each frame */
  double* rates;                /* of the states, per second */
  double* outputs;
} gelenk_code_out;

typedef struct gelenk_code_api {
  size_t size;
  uint32_t major, minor;
  /* As many as the section names. */
  uint32_t frame_count, state_count, input_count, output_count, parameter_count;
  /* 0, or another number where there is no answer: a shorter step is tried then. Numbers that are not finite end the
     run. */
  int (*evaluate)(const gelenk_code_in* in, gelenk_code_out* out);
  /* Since 1.1. A library for several sections `code:` of one model, in the order of its assemblies: the next one, or
     null. `gelenk seal` makes such libraries; yours has one. */
  const struct gelenk_code_api* next;
} gelenk_code_api;

/* The only symbol that is looked for. Null when the library does not speak this major version. */
const gelenk_code_api* gelenk_code_get_api(uint32_t major);

/* Defines it; counts that are not given are zero. C only. */
#define GELENK_CODE(function, ...)                                       \
  const gelenk_code_api* gelenk_code_get_api(uint32_t major) {           \
    static const gelenk_code_api api = {.size = sizeof(gelenk_code_api), \
                                        .major = GELENK_CODE_MAJOR,      \
                                        .minor = GELENK_CODE_MINOR,      \
                                        .evaluate = (function),          \
                                        __VA_ARGS__};                    \
    return major == GELENK_CODE_MAJOR ? &api : NULL;                     \
  }

#ifdef __cplusplus
}
#endif

/* NOLINTEND(readability-identifier-naming) */

#endif /* GELENK_CODE_H */
