/* How far a run with fixed steps is off: the same motion with twice the step runs beside it. Their largest difference,
 * as a part of how far the number went, is an estimate of the error that errs on the safe side. */
#ifndef GELENK_ESTIMATE_H
#define GELENK_ESTIMATE_H

#include "gelenk_data.h"

typedef struct {
  gelenk_motion* coarse;
  double *low, *high, *difference; /* of each number of the state */
  double* when;                    /* of the largest differences, s */
  double failed;                   /* when the coarse run failed, s; negative: it did not */
} gelenk_estimate;

/* 0: there is not enough memory. */
int gelenk_estimate_create(const gelenk_equations* e, gelenk_estimate* estimate);
void gelenk_estimate_destroy(gelenk_estimate* estimate);

void gelenk_estimate_start(gelenk_estimate* estimate, const gelenk_motion* m, const gelenk_data* data);
/* At every output; `compares`: at every other one, so that the coarse run has steps of twice the length. */
void gelenk_estimate_follow(gelenk_estimate* estimate, const gelenk_motion* m, const gelenk_data* data, int compares);
/* One line on stderr. */
void gelenk_estimate_print(const gelenk_estimate* estimate);

#endif
