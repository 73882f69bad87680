/* The rates of change of a state: x', v', s'. */
#ifndef GELENK_EVALUATE_H
#define GELENK_EVALUATE_H

#include "gelenk_motion.h"

/* Brings z = (x, v, s) onto the rows; rate := (x', v', s') there. In a singular pose rounding would be all that is
 * left, so both are taken from places beside it. 0: failed, with a message in m. */
int gelenk_evaluate(gelenk_motion* m, double t, double* z, double* rate);
/* The state evaluated last is in a singular pose or very near to one. */
int gelenk_is_nearly_singular(const gelenk_motion* m);

#endif
