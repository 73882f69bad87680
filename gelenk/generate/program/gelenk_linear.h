/* Small dense matrices, stored row by row; nothing is allocated. */
#ifndef GELENK_LINEAR_H
#define GELENK_LINEAR_H

double gelenk_dot(const double* a, const double* b, int n);
double gelenk_largest(const double* a, int n); /* magnitude; NaN if one of them is */
void gelenk_copy(double* to, const double* from, int n);

/* A (n x n) becomes L and U with P A = L U; exchanged[k] is the row that row k was exchanged with. Returns the smallest
 * pivot; 0: A is singular. */
double gelenk_lu(double* A, int n, int* exchanged);
/* b := A^-1 b */
void gelenk_lu_solve(const double* A, int n, const int* exchanged, double* b);

/* The lower half of A (n x n) becomes L with A = L L^T. Returns how many rows it got through: n, or the first row whose
 * pivot is not positive. */
int gelenk_cholesky(double* A, int n);
/* b := A^-1 b */
void gelenk_cholesky_solve(const double* L, int n, double* b);

/* Rank of the rows of A (m x n): QR of A^T by Householder reflectors, the row with the longest rest next. A row counts
 * as independent when its distance from those before it is above `tolerance` times the largest such distance. order:
 * the rows from the first chosen one to the last; the reflectors are left in A. */
int gelenk_rank(double* A, int m, int n, double tolerance, int* order);
/* The n - rank rows of K: an orthonormal basis of what is perpendicular to the independent rows of A. */
void gelenk_null_space(const double* A, int n, int rank, const int* order, double* K);

#endif
