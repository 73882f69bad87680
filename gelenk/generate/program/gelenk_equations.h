/* The equations of one machine, as written by `gelenk generate`.
 *
 * x: positions, v: rates, s: other numbers that are integrated, t: time; SI units. An orientation has four positions, a
 * unit quaternion q from the frame before it to the frame after it, and three rates, its angular velocity w in axes of
 * the frame after it: q' = q (0, w) / 2. Every other position has one rate, its derivative. What holds:
 *
 *   M(x) v' = f(t, x, v, s) + C^T l,   s' = r(t, x, v, s)
 *   c(t, x, s) = 0,   C v + ct = 0,   C v' = g        rows of loops, couplings and drivers, if there are any
 *
 * All functions are pure: they read and write what they are given, and nothing else. They write every number of their
 * results; matrices are stored row by row, M with both triangles. `w` is what prepare() made of the parameters; it is
 * needed again only when a parameter was changed. */
#ifndef GELENK_EQUATIONS_H
#define GELENK_EQUATIONS_H

typedef struct {
  const char* name; /* as in the model: crank.mass, main_bearing.angle */
  const char* unit; /* of SI; "1": none; "SI": that of the formula in which it stands */
  double value;     /* of a parameter; where a position, rate or state starts */
} gelenk_number;

typedef struct {
  const char* name; /* of the machine */
  int positions, rates, states, parameters, prepared, rows, outputs;
  const gelenk_number *position_list, *rate_list, *state_list, *parameter_list;
  const gelenk_number* output_list;    /* their values are zero */
  int balls;                           /* how many orientations are among the positions */
  const int* ball_positions;           /* where each begins, in ascending order */
  double end_time, step, output_every; /* s, as the model has them */

  void (*prepare)(const double* p, double* w);
  void (*velocities)(const double* w, const double* x, const double* v, double* xdot);
  void (*motion)(const double* w, double t, const double* x, const double* v, const double* s, double* M, double* f,
                 double* sdot);
  /* v' and s' without M; null where there are rows */
  void (*accelerations)(const double* w, double t, const double* x, const double* v, const double* s, double* vdot,
                        double* sdot);
  /* null without rows */
  void (*constraints)(const double* w, double t, const double* x, const double* v, const double* s, double* c,
                      double* C, double* ct, double* g);
  void (*values)(const double* w, double t, const double* x, const double* v, const double* s, double* y);
} gelenk_equations;

const gelenk_equations* gelenk_machine(void); /* in NAME_equations.c */

#endif
