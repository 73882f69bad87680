#include "gelenk_coordinates.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "gelenk_linear.h"

/* Rows of C that are shorter than this, relative to the longest one, are zero but for rounding: those out of the plane
 * of a planar loop. */
static const double zero_row = 1e-12;
/* A row is independent when its distance from those accepted before it is above this part of the largest distance. On
 * the rows the noise is about 1e-15; but at 1e-6 from a singular pose rounding is already 1e-4 of the velocities.
 * Beside the rows (start values, geometry with few digits) those that depend on each other are apart by about their
 * residual. Then the tolerance is ten times the residual, but never above `largest_tolerance`. */
static const double rank_tolerance = 1e-6;
static const double largest_tolerance = 1e-5;
/* Residual of a row that is not accepted, beyond which it contradicts the others. */
static const double contradiction = 1e-6;
/* Corrections of positions in one Newton iteration: many of them ask for another K; this is the end. */
enum { MANY_CORRECTIONS = 4, MOST_CORRECTIONS = 20 };
/* Corrections below this, relative to the positions, that no longer shrink are rounding. */
static const double nearly_settled = 1e-9;

int gelenk_fail(gelenk_motion* m, const char* format, ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(m->message, sizeof m->message, format, values);
  va_end(values);
  return 0;
}

/* q := q exp(h), h = half the rotation vector in axes of the turned body */
static void turn(double* q, const double h[3]) {
  const double angle = sqrt(gelenk_dot(h, h, 3));
  const double scale = angle > 1e-4 ? sin(angle) / angle : 1.0 - angle * angle / 6.0;
  const double w = cos(angle), x = scale * h[0], y = scale * h[1], z = scale * h[2];
  const double turned[4] = {q[0] * w - q[1] * x - q[2] * y - q[3] * z, q[0] * x + q[1] * w + q[2] * z - q[3] * y,
                            q[0] * y - q[1] * z + q[2] * w + q[3] * x, q[0] * z + q[1] * y - q[2] * x + q[3] * w};
  gelenk_copy(q, turned, 4);
}

static void make_unit(double* q) {
  const double norm = sqrt(gelenk_dot(q, q, 4));
  for (int i = 0; i < 4; ++i) q[i] /= norm;
}

void gelenk_move(const gelenk_equations* e, double* x, const double* d, double factor) {
  int ball = 0;
  for (int position = 0, rate = 0; position < e->positions;) {
    if (ball < e->balls && position == e->ball_positions[ball]) {
      double half[3];
      for (int i = 0; i < 3; ++i) half[i] = 0.5 * factor * d[rate + i];
      turn(x + position, half);
      make_unit(x + position);
      ++ball;
      position += 4;
      rate += 3;
    } else {
      x[position++] += factor * d[rate++];
    }
  }
}

void gelenk_normalize(const gelenk_equations* e, double* x) {
  for (int i = 0; i < e->balls; ++i) make_unit(x + e->ball_positions[i]);
}

int gelenk_evaluate_rows(gelenk_motion* m, double t, const double* x, const double* v) {
  const int n = m->e->rates;
  const double* const s = v + n; /* states come after the rates, see gelenk_motion.h */
  m->e->constraints(m->w, t, x, v, s, m->c, m->C, m->ct, m->g);
  for (int i = 0; i < m->e->rows; ++i) {
    if (!isfinite(m->c[i] + m->ct[i] + m->g[i] + gelenk_largest(m->C + i * n, n))) {
      return gelenk_fail(m, "row c[%d] of the constraints is not finite", i);
    }
  }
  return 1;
}

void gelenk_measure_rows(gelenk_motion* m) {
  const int n = m->e->rates;
  for (int i = 0; i < m->e->rows; ++i) {
    m->lengths[i] = fmax(m->lengths[i], sqrt(gelenk_dot(m->C + i * n, m->C + i * n, n)));
  }
}

/* Copies of the rows of C, divided by their lengths. */
static void scale_rows(gelenk_motion* m) {
  const int n = m->e->rates, rows = m->e->rows;
  gelenk_measure_rows(m);
  double longest = gelenk_largest(m->lengths, rows);
  if (!(longest > 0.0)) longest = 1.0;
  for (int i = 0; i < rows; ++i) {
    if (!(m->lengths[i] > zero_row * longest)) m->lengths[i] = longest;
    for (int j = 0; j < n; ++j) m->reflectors[i * n + j] = m->C[i * n + j] / m->lengths[i];
  }
}

double gelenk_residual(const gelenk_motion* m, int first) {
  double largest = 0.0;
  for (int k = first; k < m->e->rows; ++k) {
    const int i = m->order[k];
    if (fabs(m->c[i]) > largest * m->lengths[i]) largest = fabs(m->c[i]) / m->lengths[i];
  }
  return largest;
}

static double tolerance_of_rank(const gelenk_motion* m) {
  double residual = 0.0;
  for (int i = 0; i < m->e->rows; ++i) residual = fmax(residual, fabs(m->c[i]) / m->lengths[i]);
  return fmin(fmax(rank_tolerance, 10.0 * residual), largest_tolerance);
}

/* G = [C_I; K], rows of unit length, as factors */
static int factor_rows(gelenk_motion* m) {
  const int n = m->e->rates;
  for (int k = 0; k < m->rank; ++k) {
    const int i = m->order[k];
    for (int j = 0; j < n; ++j) m->G[k * n + j] = m->C[i * n + j] / m->lengths[i];
  }
  gelenk_copy(m->G + m->rank * n, m->K, m->free * n);
  m->pivot = gelenk_lu(m->G, n, m->exchanged);
  return m->pivot > 0.0 || gelenk_fail(m, "the rows of the constraints are singular in this pose");
}

int gelenk_choose_coordinates(gelenk_motion* m, double t, const double* x, const double* v) {
  const int n = m->e->rates;
  if (!gelenk_evaluate_rows(m, t, x, v)) return 0;
  scale_rows(m);
  m->rank = gelenk_rank(m->reflectors, m->e->rows, n, tolerance_of_rank(m), m->order);
  m->free = n - m->rank;
  gelenk_null_space(m->reflectors, n, m->rank, m->order, m->K);
  m->wants_change = 0;
  return factor_rows(m);
}

int gelenk_rows_agree(gelenk_motion* m, int first) {
  for (int k = first; k < m->e->rows; ++k) {
    const int i = m->order[k];
    const double residual = fabs(m->c[i]) / m->lengths[i];
    if (residual > contradiction) {
      return gelenk_fail(m, "the rows of the constraints contradict each other: c[%d] misses by %.3g", i, residual);
    }
  }
  return 1;
}

/* d := G^-1 [a_I; 0] */
static void solve_rows(const gelenk_motion* m, const double* a, double* d) {
  const int n = m->e->rates;
  for (int k = 0; k < n; ++k) d[k] = k < m->rank ? a[m->order[k]] / m->lengths[m->order[k]] : 0.0;
  gelenk_lu_solve(m->G, n, m->exchanged, d);
}

/* Newton: G dx = -[c_I; 0] */
static int settle_positions(gelenk_motion* m, double t, double* x, const double* v) {
  double before = HUGE_VAL;
  for (m->corrections = 1; m->corrections <= MOST_CORRECTIONS; ++m->corrections) {
    if (!gelenk_evaluate_rows(m, t, x, v) || !factor_rows(m)) return 0;
    const double scale = 1.0 + gelenk_largest(x, m->e->positions);
    solve_rows(m, m->c, m->d);
    gelenk_move(m->e, x, m->d, -1.0);
    const double correction = gelenk_largest(m->d, m->e->rates) / scale;
    if (correction < 8.0 * DBL_EPSILON || (correction < nearly_settled && correction >= before)) return 1;
    if (!isfinite(correction)) break;
    before = correction;
  }
  return gelenk_fail(m, "the positions cannot be brought onto the rows: the last correction was %.3g", before);
}

/* G dv = -[C_I v + ct_I; 0] */
static void settle_velocities(gelenk_motion* m, double* v) {
  const int n = m->e->rates;
  for (int i = 0; i < m->e->rows; ++i) m->ct[i] += gelenk_dot(m->C + i * n, v, n);
  solve_rows(m, m->ct, m->d);
  for (int j = 0; j < n; ++j) v[j] -= m->d[j];
}

int gelenk_settle(gelenk_motion* m, double t, double* x, double* v) {
  const int is_settled = settle_positions(m, t, x, v);
  if (m->corrections > MANY_CORRECTIONS) m->wants_change = 1;
  if (!is_settled) return 0;
  settle_velocities(m, v);
  return gelenk_evaluate_rows(m, t, x, v);
}

/* B = G^-1 [0; 1], column by column; notes when it has grown */
static void find_allowed_motions(gelenk_motion* m) {
  const int n = m->e->rates, f = m->free;
  for (int j = 0; j < f; ++j) {
    double* const column = m->Bt + j * n;
    for (int i = 0; i < n; ++i) column[i] = i == m->rank + j ? 1.0 : 0.0;
    gelenk_lu_solve(m->G, n, m->exchanged, column);
  }
  if (gelenk_dot(m->Bt, m->Bt, f * n) > 4.0 * f) m->wants_change = 1;
}

/* mass := B^T M B, load := B^T (force - M b) */
static void reduce_motion(gelenk_motion* m) {
  const int n = m->e->rates, f = m->free;
  for (int i = 0; i < n; ++i) m->force[i] -= gelenk_dot(m->M + i * n, m->b, n);
  for (int j = 0; j < f; ++j) {
    m->load[j] = gelenk_dot(m->Bt + j * n, m->force, n);
    for (int i = 0; i < n; ++i) m->d[i] = gelenk_dot(m->M + i * n, m->Bt + j * n, n);
    for (int i = j; i < f; ++i) m->mass[i * f + j] = gelenk_dot(m->Bt + i * n, m->d, n);
  }
}

static int fail_without_mass(gelenk_motion* m, int motion) {
  const double* const column = m->Bt + motion * m->e->rates;
  int most = 0;
  for (int i = 1; i < m->e->rates; ++i) {
    if (fabs(column[i]) > fabs(column[most])) most = i;
  }
  return gelenk_fail(m, "the mass matrix is not positive definite: no mass moves with %s", m->e->rate_list[most].name);
}

int gelenk_accelerate(gelenk_motion* m, double t, const double* x, const double* v, const double* s, double* vdot,
                      double* sdot) {
  const int n = m->e->rates, f = m->free;
  find_allowed_motions(m);
  solve_rows(m, m->g, m->b);
  m->e->motion(m->w, t, x, v, s, m->M, m->force, sdot);
  reduce_motion(m);
  const int good = gelenk_cholesky(m->mass, f);
  if (good < f) return fail_without_mass(m, good);
  gelenk_cholesky_solve(m->mass, f, m->load); /* y'' */
  gelenk_copy(vdot, m->b, n);
  for (int j = 0; j < f; ++j) {
    for (int i = 0; i < n; ++i) vdot[i] += m->load[j] * m->Bt[j * n + i];
  }
  return 1;
}
