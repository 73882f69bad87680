/* Lets allocations of gelenk's programs fail: loaded with LD_PRELOAD by tools/torture/memory.py.
 *
 * GELENK_FAIL_AT=N        the N-th allocation of the process fails
 * GELENK_FAIL_ALL=1       and all behind it
 * GELENK_FAIL_REPORT=FILE how many there were is appended when the program ends
 *
 * Programs of others, which ours may start, are left alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_long count;
static long fail_at;
static int fail_all;
static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);

static void prepare(void) {
  static int is_prepared;
  if (is_prepared) return;
  is_prepared = 1;
  real_malloc = (void *(*)(size_t))dlsym(RTLD_NEXT, "__libc_malloc");
  real_calloc = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "__libc_calloc");
  real_realloc = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "__libc_realloc");
  const char *at = getenv("GELENK_FAIL_AT");
  if (at == NULL || strncmp(program_invocation_short_name, "gelenk", strlen("gelenk")) != 0) return;
  fail_all = getenv("GELENK_FAIL_ALL") != NULL;
  fail_at = atol(at);
}

static int fails(void) {
  prepare();
  const long now = atomic_fetch_add(&count, 1) + 1;
  if (fail_at == 0 || (fail_all ? now < fail_at : now != fail_at)) return 0;
  errno = ENOMEM;
  return 1;
}

void *__libc_malloc(size_t bytes) { return fails() ? NULL : real_malloc(bytes); }
void *__libc_calloc(size_t n, size_t bytes) { return fails() ? NULL : real_calloc(n, bytes); }
void *__libc_realloc(void *block, size_t bytes) { return bytes > 0 && fails() ? NULL : real_realloc(block, bytes); }

/* For programs that have no malloc of their own. */
void *malloc(size_t bytes) { return __libc_malloc(bytes); }
void *calloc(size_t n, size_t bytes) { return __libc_calloc(n, bytes); }
void *realloc(void *block, size_t bytes) { return __libc_realloc(block, bytes); }

__attribute__((destructor)) static void report(void) {
  const char *path = getenv("GELENK_FAIL_REPORT");
  const int file = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (file < 0) return;
  char line[128];
  const int size = snprintf(line, sizeof line, "%s %ld\n", program_invocation_short_name, atomic_load(&count));
  if (write(file, line, (size_t)size) < 0) return;
  close(file);
}
