/* From the equations of a machine to its motion, with fixed steps.
 *
 *   gelenk_motion* m = gelenk_motion_create(gelenk_machine());
 *   if (m && gelenk_motion_start(m, 0.0, parameters, start))
 *     while (gelenk_motion_time(m) < end && gelenk_motion_step(m, GELENK_RK4, next_time)) ...
 *   gelenk_motion_destroy(m);
 *
 * Memory is allocated by create() alone. Nothing is kept outside of the struct, so several machines may move at the
 * same time, each in a thread of its own. Functions that can fail return 0 then and leave a sentence in m->message; the
 * time and the numbers at hand are those of the last good step, and the machine has to be started again. */
#ifndef GELENK_MOTION_H
#define GELENK_MOTION_H

#include <stddef.h>

#include "gelenk_equations.h"

typedef enum { GELENK_RK4, GELENK_ADAMS } gelenk_method;

/* How many rates of past steps `adams` uses. */
enum { GELENK_PAST = 4 };

typedef struct {
  const gelenk_equations* e;
  char message[256]; /* of the last failure */

  /* The state z = (x, v, s) at `time`; size: how many numbers. */
  int size;
  double time;
  double* z;
  double* past[GELENK_PAST];                            /* z' there, and one, two, three steps of this length before */
  int known;                                            /* how many of them there are */
  double length;                                        /* of the steps between them, s */
  double *next, *next_rate;                             /* state and rate at the end of the step that is tried */
  double *stage, *k2, *k3;                              /* of rk4 */
  double *origin, *near, *near_rate, *mean, *mean_rate; /* near singular poses */

  /* The rows, see gelenk_coordinates.h: what e->constraints() returned last, and the lengths of its rows. */
  double *c, *C, *ct, *g, *lengths;
  double* reflectors;
  int* order; /* accepted rows first */
  int rank, free;
  double *K, *G, *Bt, *b, *d; /* G: factored; Bt: B transposed */
  int* exchanged;
  double *M, *force, *mass, *load;
  int corrections;          /* that settling needed last */
  double pivot, best_pivot; /* the smallest one of G: last, and at best since the start */
  double misfit;            /* of the rows that are not accepted, when K was chosen */
  int wants_change, is_fresh;

  /* what happened since the start */
  long long steps;
  long long changes;       /* of K */
  long long bridged;       /* evaluations in singular poses, from places beside them */
  double largest_residual; /* of the rows after a step, divided by their lengths: rad or m */

  double* w; /* the prepared parameters */
  double* numbers;
  int* indices;
} gelenk_motion;

/* Null: there is not enough memory. */
gelenk_motion* gelenk_motion_create(const gelenk_equations* e);
void gelenk_motion_destroy(gelenk_motion* m);

/* Parameters in the order of e->parameter_list; start: positions, rates, states in the order of their lists. Positions
 * and rates are brought onto the rows, on the shortest way. May be called again, also with other parameters. */
int gelenk_motion_start(gelenk_motion* m, double time, const double* parameters, const double* start);
/* One step to `end`. Steps of `adams` are taken by rk4 until there are enough of the same length. */
int gelenk_motion_step(gelenk_motion* m, gelenk_method method, double end);
/* Equal steps to `end`, none longer than the given one. */
int gelenk_motion_advance(gelenk_motion* m, gelenk_method method, double step, double end);
/* How many pieces of this length cover a span; one that is longer by rounding alone needs no piece more. */
long long gelenk_pieces(double span, double length);
/* Values of e->output_list at the state at hand. */
void gelenk_motion_outputs(const gelenk_motion* m, double* y);

double gelenk_motion_time(const gelenk_motion* m);
const double* gelenk_motion_positions(const gelenk_motion* m);
const double* gelenk_motion_rates(const gelenk_motion* m);
const double* gelenk_motion_states(const gelenk_motion* m);

#endif
