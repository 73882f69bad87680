#include "gelenk_estimate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const gelenk_number* number_at(const gelenk_equations* e, int i) {
  if (i < e->positions) return &e->position_list[i];
  i -= e->positions;
  return i < e->rates ? &e->rate_list[i] : &e->state_list[i - e->rates];
}

int gelenk_estimate_create(const gelenk_equations* e, gelenk_estimate* estimate) {
  const size_t size = (size_t)(e->positions + e->rates + e->states);
  estimate->coarse = gelenk_motion_create(e);
  estimate->low = calloc(4 * size + 1, sizeof *estimate->low);
  if (!estimate->coarse || !estimate->low) return 0;
  estimate->high = estimate->low + size;
  estimate->difference = estimate->high + size;
  estimate->when = estimate->difference + size;
  return 1;
}

void gelenk_estimate_destroy(gelenk_estimate* estimate) {
  gelenk_motion_destroy(estimate->coarse);
  free(estimate->low);
  estimate->coarse = NULL;
  estimate->low = NULL;
}

void gelenk_estimate_start(gelenk_estimate* estimate, const gelenk_motion* m, const gelenk_data* data) {
  estimate->failed = gelenk_motion_start(estimate->coarse, 0.0, data->parameters, data->start) ? -1.0 : 0.0;
  for (int i = 0; i < m->size; ++i) estimate->low[i] = estimate->high[i] = m->z[i];
}

void gelenk_estimate_follow(gelenk_estimate* estimate, const gelenk_motion* m, const gelenk_data* data, int compares) {
  for (int i = 0; i < m->size; ++i) {
    estimate->low[i] = fmin(estimate->low[i], m->z[i]);
    estimate->high[i] = fmax(estimate->high[i], m->z[i]);
  }
  if (!compares || estimate->failed >= 0.0) return;
  gelenk_motion* const coarse = estimate->coarse;
  if (!gelenk_motion_advance(coarse, data->method, 2.0 * data->step, m->time)) {
    estimate->failed = coarse->time;
    return;
  }
  for (int i = 0; i < m->size; ++i) {
    const double difference = fabs(coarse->z[i] - m->z[i]);
    if (difference > estimate->difference[i]) {
      estimate->difference[i] = difference;
      estimate->when[i] = m->time;
    }
  }
}

void gelenk_estimate_print(const gelenk_estimate* estimate) {
  const gelenk_equations* const e = estimate->coarse->e;
  if (estimate->failed >= 0.0) {
    fprintf(stderr, "%s: with twice the step the motion fails at %.4g s: take a smaller step\n", e->name,
            estimate->failed);
    return;
  }
  int worst = -1;
  double most = 0.0;
  for (int i = 0; i < estimate->coarse->size; ++i) {
    const double range = estimate->high[i] - estimate->low[i];
    if (!(range > 0.0) || estimate->difference[i] <= most * range) continue;
    most = estimate->difference[i] / range;
    worst = i;
  }
  if (worst < 0) return;
  fprintf(stderr, "%s: with twice the step %s changes most, by %.2g of its range at %.4g s%s\n", e->name,
          number_at(e, worst)->name, most, estimate->when[worst], most > 1e-3 ? ": take a smaller step" : "");
}
