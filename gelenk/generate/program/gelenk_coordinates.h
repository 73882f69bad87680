/* Minimal coordinates of a machine with rows, chosen where it stands.
 *
 * n rates v; c(t, x) = 0, C v + ct = 0 and C v' = g are the rows of loops and drivers. Some of them may follow from the
 * others. At a state on the rows:
 *
 *   I      rows that are independent: those accepted by a QR factorization of C^T with pivots, r of them
 *   K      f x n, f = n - r: an orthonormal basis of the motions that the rows allow, C K^T = 0, K K^T = 1
 *   y      = K x, the minimal coordinates; they need no names, and no joint is better for them than another one
 *
 * Near this state y determines x and v, and the rates of change follow from y'':
 *
 *   G      = [C_I; K], n x n
 *   x      with c_I = 0 and K x as given: Newton, G dx = -[c_I; 0]
 *   v      with C_I v + ct_I = 0 and K v as given: G dv = -[C_I v + ct_I; 0]
 *   v'     = B y'' + b, B = G^-1 [0; 1], b = G^-1 [g_I; 0]
 *   y''    from (B^T M B) y'' = B^T (f - M b): the forces of the rows do no work on B
 *
 * An integrator may add up x and v as they are and have them settled on the rows at each of its stages and after the
 * step. Its formulas are linear and K is the same during a step, so this is the same as if it had integrated y = K x
 * and y' = K v. It also means that K may be changed after any step: past rates x' and v' are those of the machine, in
 * no coordinates at all, so there is nothing to transform and no method has to restart.
 *
 * K is kept as long as it is good. B has the size sqrt(f) where K was chosen and grows without limit as G becomes
 * singular. Twice that, more than four corrections of the positions, or a row that was not accepted and no longer
 * follows from the others: K is chosen again after the step.
 *
 * Singular poses, as of a parallelogram that lies flat: one of the rows I depends on the others there and nowhere else,
 * and G is singular for every K. The motion goes on smoothly, but at the distance d from the pose rounding is magnified
 * by 1/d in x, 1/d^2 in v and 1/d^3 in v'. gelenk_evaluate.c does not evaluate there; the smallest pivot of G is d. */
#ifndef GELENK_COORDINATES_H
#define GELENK_COORDINATES_H

#include "gelenk_motion.h"

/* All return 0 when they fail, with a message in m. x and v are those at time t. */

/* Chooses rows and K at x, which is near the rows or on them. */
int gelenk_choose_coordinates(gelenk_motion* m, double t, const double* x, const double* v);
/* Rows are divided by their lengths: the largest ones that were measured since the start, because a row may vanish in a
 * singular pose. Measures those in m->C. */
void gelenk_measure_rows(gelenk_motion* m);
/* m->c, C, ct and g at this state. */
int gelenk_evaluate_rows(gelenk_motion* m, double t, const double* x, const double* v);
/* Fails if one of the settled rows from place `first` of m->order on does not hold. */
int gelenk_rows_agree(gelenk_motion* m, int first);
/* Moves x and v onto the rows without a change of K x and K v. m->c, C, ct and g are those of the result. */
int gelenk_settle(gelenk_motion* m, double t, double* x, double* v);
/* v' and s' at a settled state. */
int gelenk_accelerate(gelenk_motion* m, double t, const double* x, const double* v, const double* s, double* vdot,
                      double* sdot);
/* The largest residual of these rows, divided by their lengths. first: 0, all of them; m->rank, those not accepted. */
double gelenk_residual(const gelenk_motion* m, int first);

/* x := x (+) factor d. Rates of a ball are the angular velocity in axes of the turned body: q := q exp(factor d / 2);
 * every other position has one rate and is added to. */
void gelenk_move(const gelenk_equations* e, double* x, const double* d, double factor);
/* Orientations to unit length. */
void gelenk_normalize(const gelenk_equations* e, double* x);

/* Puts a sentence into m->message; returns 0. */
int gelenk_fail(gelenk_motion* m, const char* format, ...);

#endif
