/* What a run of a machine needs, from a data file:
 *
 *   # comment
 *   crank.mass = 2.5 kg            parameters by their names
 *   start.crank.angle = 0.3 rad    where positions, rates and states start
 *   run.end_time = 2 s
 *   run.step = 0.001 s
 *   run.output_every = 0.01 s
 *   run.method = rk4               or adams
 *
 * A unit may be left out; otherwise it must be the one that the machine has for this name. Every name must be given,
 * and only once. */
#ifndef GELENK_DATA_H
#define GELENK_DATA_H

#include "gelenk_motion.h"

typedef struct {
  double* parameters;
  double* start; /* positions, rates, states */
  double end_time, step, output_every;
  gelenk_method method;
} gelenk_data;

/* The values that the machine was written with. 0: there is not enough memory. */
int gelenk_data_create(const gelenk_equations* e, gelenk_data* data);
void gelenk_data_destroy(gelenk_data* data);

/* 0: something is wrong with the file; what, and in which line, was printed to stderr. */
int gelenk_data_read(const char* file, const gelenk_equations* e, gelenk_data* data);

#endif
