#include "gelenk_linear.h"

#include <float.h>
#include <math.h>

double gelenk_dot(const double* a, const double* b, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

double gelenk_largest(const double* a, int n) {
  double largest = 0.0;
  for (int i = 0; i < n; ++i) {
    if (!(fabs(a[i]) <= largest)) largest = fabs(a[i]);
    if (isnan(largest)) break;
  }
  return largest;
}

void gelenk_copy(double* to, const double* from, int n) {
  for (int i = 0; i < n; ++i) to[i] = from[i];
}

static void exchange(double* a, double* b, int n) {
  for (int i = 0; i < n; ++i) {
    const double kept = a[i];
    a[i] = b[i];
    b[i] = kept;
  }
}

static int row_of_pivot(const double* A, int n, int column) {
  int best = column;
  for (int i = column + 1; i < n; ++i) {
    if (fabs(A[i * n + column]) > fabs(A[best * n + column])) best = i;
  }
  return best;
}

double gelenk_lu(double* A, int n, int* exchanged) {
  double smallest = HUGE_VAL;
  const double rounding = DBL_EPSILON * gelenk_largest(A, n * n);
  for (int k = 0; k < n; ++k) {
    exchanged[k] = row_of_pivot(A, n, k);
    double* const row = A + k * n;
    if (exchanged[k] != k) exchange(row, A + exchanged[k] * n, n);
    if (!(fabs(row[k]) > rounding)) return 0.0;
    smallest = fmin(smallest, fabs(row[k]));
    for (int i = k + 1; i < n; ++i) {
      double* const lower = A + i * n;
      const double factor = lower[k] /= row[k];
      for (int j = k + 1; j < n; ++j) lower[j] -= factor * row[j];
    }
  }
  return smallest;
}

void gelenk_lu_solve(const double* A, int n, const int* exchanged, double* b) {
  for (int k = 0; k < n; ++k) exchange(b + k, b + exchanged[k], 1);
  for (int i = 0; i < n; ++i) b[i] -= gelenk_dot(A + i * n, b, i);
  for (int i = n - 1; i >= 0; --i) {
    const double* const row = A + i * n;
    b[i] = (b[i] - gelenk_dot(row + i + 1, b + i + 1, n - i - 1)) / row[i];
  }
}

int gelenk_cholesky(double* A, int n) {
  const double rounding = 1e-14; /* of the diagonal element that the pivot comes from */
  for (int i = 0; i < n; ++i) {
    double* const row = A + i * n;
    for (int j = 0; j < i; ++j) {
      row[j] = (row[j] - gelenk_dot(row, A + j * n, j)) / A[j * n + j];
    }
    const double pivot = row[i] - gelenk_dot(row, row, i);
    if (!(pivot > rounding * row[i])) return i;
    row[i] = sqrt(pivot);
  }
  return n;
}

void gelenk_cholesky_solve(const double* L, int n, double* b) {
  for (int i = 0; i < n; ++i) b[i] = (b[i] - gelenk_dot(L + i * n, b, i)) / L[i * n + i];
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) b[i] -= L[j * n + i] * b[j];
    b[i] /= L[i * n + i];
  }
}

/* b := (1 - 2 u u^T) b */
static void reflect(const double* u, int n, double* b) {
  const double along = 2.0 * gelenk_dot(u, b, n);
  for (int i = 0; i < n; ++i) b[i] -= along * u[i];
}

/* a := the unit vector u whose reflector turns a into the first axis */
static void make_reflector(double* a, int n, double length) {
  a[0] += a[0] < 0.0 ? -length : length;
  const double norm = sqrt(gelenk_dot(a, a, n));
  for (int i = 0; i < n; ++i) a[i] /= norm;
}

int gelenk_rank(double* A, int m, int n, double tolerance, int* order) {
  const int most = m < n ? m : n;
  double first = 0.0;
  for (int i = 0; i < m; ++i) order[i] = i;
  for (int k = 0; k < most; ++k) {
    int best = k;
    double length = -1.0;
    for (int i = k; i < m; ++i) {
      const double* const rest = A + order[i] * n + k;
      const double distance = sqrt(gelenk_dot(rest, rest, n - k));
      if (distance > length) {
        length = distance;
        best = i;
      }
    }
    if (k == 0) first = length;
    if (!(length > tolerance * first)) return k;
    const int chosen = order[best];
    order[best] = order[k];
    order[k] = chosen;
    double* const u = A + chosen * n + k;
    make_reflector(u, n - k, length);
    for (int i = k + 1; i < m; ++i) reflect(u, n - k, A + order[i] * n + k);
  }
  return most;
}

void gelenk_null_space(const double* A, int n, int rank, const int* order, double* K) {
  /* row j of K = H_0 H_1 ... H_(rank-1) e_(rank+j) */
  for (int j = 0; j < n - rank; ++j) {
    double* const row = K + j * n;
    for (int i = 0; i < n; ++i) row[i] = i == rank + j ? 1.0 : 0.0;
    for (int k = rank - 1; k >= 0; --k) reflect(A + order[k] * n + k, n - k, row + k);
  }
}
