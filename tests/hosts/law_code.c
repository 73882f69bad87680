/* Code of an open model that does what its input says: 0 answers, 1 aborts, 2 hangs, 3 has no result, 4 writes nothing. Every number
 * of its answer depends on a number that it is given, so that none can take the place of another. */
#include <stdlib.h>

#include "gelenk/component/gelenk_code.h"

static int evaluate(const gelenk_code_in* in, gelenk_code_out* out) {
  if (in->inputs[0] == 1.0) abort();
  while (in->inputs[0] == 2.0) (void)*(volatile const double*)&in->time;
  if (in->inputs[0] == 3.0) return 1;
  if (in->inputs[0] == 4.0) return 0;
  for (int f = 0; f < 2; ++f) {
    for (int i = 0; i < 3; ++i) {
      out->wrenches[f].force[i] = in->frames[f].position[i] + in->frames[f].rotation[3 * i];
      out->wrenches[f].moment[i] = in->frames[f].velocity[i] - in->frames[f].angular_velocity[i];
    }
  }
  out->rates[0] = in->time;
  out->rates[1] = in->states[0] - in->states[1];
  out->outputs[0] = in->parameters[0] * in->parameters[2];
  return 0;
}
GELENK_CODE(evaluate, .frame_count = 2, .state_count = 2, .input_count = 1, .output_count = 1, .parameter_count = 3)
