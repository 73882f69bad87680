#include "gelenk_evaluate.h"

#include <math.h>
#include <string.h>

#include "gelenk_coordinates.h"
#include "gelenk_linear.h"

/* Smallest pivot of G, relative to the best one so far, below which a pose counts as singular. */
static const double nearly_singular = 3e-3;
/* And below which v' is not worth having: 1e-16 / 1e-4^3. */
static const double hopelessly_singular = 1e-4;
/* How often the way from a singular pose to places beside it is doubled, at most. */
enum { MOST_DOUBLINGS = 8 };

static const char* name_of(const gelenk_equations* e, int i) {
  if (i < e->positions) return e->position_list[i].name;
  i -= e->positions;
  return i < e->rates ? e->rate_list[i].name : e->state_list[i - e->rates].name;
}

static int check_finite(gelenk_motion* m, const double* z, const double* rate) {
  for (int i = 0; i < m->size; ++i) {
    if (!isfinite(z[i])) return gelenk_fail(m, "%s is not finite", name_of(m->e, i));
    if (!isfinite(rate[i])) return gelenk_fail(m, "the rate of change of %s is not finite", name_of(m->e, i));
  }
  return 1;
}

/* Brings z onto the rows; rate := (x', v', s') there. */
static int evaluate_here(gelenk_motion* m, double t, double* z, double* rate) {
  const gelenk_equations* const e = m->e;
  double *const x = z, *const v = x + e->positions, *const s = v + e->rates;
  double *const xdot = rate, *const vdot = xdot + e->positions, *const sdot = vdot + e->rates;
  gelenk_normalize(e, x);
  if (e->rows > 0) {
    if (!gelenk_settle(m, t, x, v) || !gelenk_accelerate(m, t, x, v, s, vdot, sdot)) return 0;
  } else {
    e->accelerations(m->w, t, x, v, s, vdot, sdot);
  }
  e->velocities(m->w, x, v, xdot);
  return check_finite(m, z, rate);
}

int gelenk_is_nearly_singular(const gelenk_motion* m) { return m->pivot < nearly_singular * m->best_pivot; }

/* m->mean and m->mean_rate := state and rate at m->origin, from four settled places on the straight way x + T v, t + T:
 *   f(0) = (4 f(-T) + 4 f(T) - f(-2 T) - f(2 T)) / 6, with an error of the order T^4.
 * Fails if they are near a singular pose too, or if there is no such pose between them: then the rows do not hold. */
static int evaluate_beside(gelenk_motion* m, double t, double T) {
  static const double places[4] = {-2.0, -1.0, 1.0, 2.0}, weights[4] = {-1.0, 4.0, 4.0, -1.0};
  const double* const v = m->origin + m->e->positions;
  const double way = T * gelenk_largest(v, m->e->rates);
  for (int i = 0; i < m->size; ++i) m->mean[i] = m->mean_rate[i] = 0.0;
  for (int k = 0; k < 4; ++k) {
    gelenk_copy(m->near, m->origin, m->size);
    gelenk_normalize(m->e, m->near);
    gelenk_move(m->e, m->near, v, places[k] * T);
    if (!evaluate_here(m, t + places[k] * T, m->near, m->near_rate) || gelenk_is_nearly_singular(m)) return 0;
    for (int i = 0; i < m->size; ++i) {
      m->mean[i] += weights[k] * m->near[i] / 6.0;
      m->mean_rate[i] += weights[k] * m->near_rate[i] / 6.0;
    }
  }
  gelenk_normalize(m->e, m->mean);
  return gelenk_evaluate_rows(m, t, m->mean, m->mean + m->e->positions) && gelenk_rows_agree(m, 0) &&
         gelenk_residual(m, 0) <= 3.0 * way * way * way * way;
}

/* From places on both sides of a singular pose, at first one step away. In coordinates they are y + T y' at t + T, with
 * the same y'. x, v and v' are smooth functions of t, y and y' across such a pose. */
static int bridge(gelenk_motion* m, double t, double* z, double* rate) {
  double T = m->length;
  for (int i = 0; i <= MOST_DOUBLINGS; ++i, T *= 2.0) {
    if (!evaluate_beside(m, t, T)) continue;
    gelenk_copy(z, m->mean, m->size);
    gelenk_copy(rate, m->mean_rate, m->size);
    m->pivot = 0.0;
    ++m->bridged;
    return 1;
  }
  return 0;
}

int gelenk_evaluate(gelenk_motion* m, double t, double* z, double* rate) {
  if (m->e->rows == 0) return evaluate_here(m, t, z, rate);
  gelenk_copy(m->origin, z, m->size);
  const int is_good = evaluate_here(m, t, z, rate);
  if (is_good && !gelenk_is_nearly_singular(m)) return 1;
  const double pivot = m->pivot;
  char message[sizeof m->message];
  memcpy(message, m->message, sizeof message);
  if (bridge(m, t, z, rate)) return 1;
  memcpy(m->message, message, sizeof message);
  m->pivot = pivot;
  if (!is_good) return 0;
  if (!(pivot > hopelessly_singular * m->best_pivot)) {
    return gelenk_fail(m, "the machine comes so near to a singular pose that rounding decides how it moves on");
  }
  return gelenk_evaluate_rows(m, t, z, z + m->e->positions);
}
