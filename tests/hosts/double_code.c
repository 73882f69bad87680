/* A second library: its one output is twice its one parameter. */
#include <stdlib.h>

#include "gelenk/component/gelenk_code.h"

#ifdef NEWER_CODE
const gelenk_code_api* gelenk_code_get_api(uint32_t major) {
  static const gelenk_code_api api = {.size = sizeof api, .major = 2};
  return major == 2 ? &api : NULL;
}
#else
static int evaluate(const gelenk_code_in* in, gelenk_code_out* out) {
#ifdef CRASHES
  abort();
#endif
  out->outputs[0] = 2.0 * in->parameters[0];
  return in->parameters[0] > 50.0;
}
GELENK_CODE(evaluate, .output_count = 1, .parameter_count = 1)
#endif
