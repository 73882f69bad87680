/* The free body, but what it has found it keeps in one place for all of its kind: two of them at once mix up their
   motions. Each of them alone is right. */
#define gelenk_component_get_api free_body_get_api
#include "free_body.c"
#undef gelenk_component_get_api

const gelenk_component_api* gelenk_component_get_api(uint32_t abi_major);

static double common[6];

static gelenk_status perform_in_common(gelenk_component* c, const gelenk_command* commands, size_t count,
                                       size_t* done) {
  memcpy(c->result, common, sizeof common);
  const gelenk_status status = perform(c, commands, count, done);
  memcpy(common, c->result, sizeof common);
  return status;
}

const gelenk_component_api* gelenk_component_get_api(uint32_t abi_major) {
  static gelenk_component_api api;
  const gelenk_component_api* good = free_body_get_api(abi_major);
  if (!good) return NULL;
  api = *good;
  api.perform = perform_in_common;
  return &api;
}
