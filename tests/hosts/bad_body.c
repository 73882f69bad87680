/* The free body, but it misbehaves: as the number in its resource says, or when it is loaded. */
#define _GNU_SOURCE
#define gelenk_component_get_api free_body_get_api
#include "free_body.c"
#undef gelenk_component_get_api

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "bad_modes.h"

const gelenk_component_api* gelenk_component_get_api(uint32_t abi_major);

/* How it looks from the inside of gelenk-worker: gelenk/component/worker_channel.h */
enum { kAnsweredAt = 64, kAnswerAt = 192, kPage = 4096, kScribbled = 1 << 20 };
typedef struct Answer {
  int32_t failure;
  uint32_t status;
  uint64_t done, size;
  char message[256];
} Answer;

static BadMode mode = bad_mode_none;
static char* shared = NULL; /* memory of the channel, found by the place of an answer */
static volatile int sink = 0;

static int recurse(int depth) {
  volatile char room[1000];
  if (sink != 0) return 0; /* never */
  room[depth % 1000] = (char)depth;
  return recurse(depth + 1) + room[depth % 7];
}

static void allocate(int touches) {
  for (;;) {
    char* block = malloc(1 << 20);
    if (!block) abort();
    if (touches) memset(block, 1, 1 << 20);
    sink += block != NULL;
  }
}

/* As if the worker had answered, with the number of the question. */
static void answer_as_worker(const Answer* answer) {
  volatile uint32_t* asked = (volatile uint32_t*)shared;
  volatile uint32_t* answered = (volatile uint32_t*)(shared + kAnsweredAt);
  memcpy(shared + kAnswerAt, answer, sizeof *answer);
  __sync_synchronize();
  *answered = *asked;
  for (;;) sched_yield();
}

static int run_nothing(void* unused) {
  (void)unused;
  return 0;
}

static void read_owner(void) {
  char byte;
  const struct iovec here = {&byte, 1}, there = {(void*)0x400000, 1};
  process_vm_readv(getppid(), &here, 1, &there, 1, 0);
}

/* What needs no answer to show itself. */
static void misbehave(void) {
  static char stack[1 << 16];
  char* const no_arguments[] = {NULL};
  Answer fake = {-1, GELENK_OK, 0, 0, {0}};
  switch (mode) {
    case bad_crash:
      *(volatile int*)(uintptr_t)sink = 1;
      break;
    case bad_call_abort:
      abort();
    case bad_call_exit:
      exit(0);
    case bad_hang:
      for (;;) ++sink;
    case bad_recurse:
      sink = recurse(0);
      break;
    case bad_allocate:
      allocate(0);
      break;
    case bad_allocate_touch:
      allocate(1);
      break;
    case bad_scribble:
      if (shared) memset(shared, 0xFF, kScribbled);
      break;
    case bad_fake_done:
      fake.done = (uint64_t)1 << 60;
      if (shared) answer_as_worker(&fake);
      break;
    case bad_fake_failure:
      fake.failure = 12345;
      memset(fake.message, '\033', sizeof fake.message);
      if (shared) answer_as_worker(&fake);
      break;
    case bad_open_file:
      sink = open("/etc/passwd", O_RDONLY);
      break;
    case bad_open_socket:
      sink = socket(AF_INET, SOCK_STREAM, 0);
      break;
    case bad_call_fork:
      sink = (int)fork();
      break;
    case bad_start_thread:
      sink = clone(run_nothing, stack + sizeof stack, CLONE_VM | CLONE_SIGHAND | CLONE_THREAD, NULL);
      break;
    case bad_call_execve:
      sink = execve("/bin/true", no_arguments, no_arguments);
      break;
    case bad_kill_owner:
      sink = kill(getppid(), SIGKILL);
      break;
    case bad_trace_owner:
      sink = (int)ptrace(PTRACE_ATTACH, getppid(), NULL, NULL);
      break;
    case bad_read_owner:
      read_owner();
      break;
    case bad_read_channel_file:
      sink = mmap(NULL, kPage, PROT_READ, MAP_SHARED, 4, 0) == MAP_FAILED;
      break;
    case bad_close_lifeline:
      sink = close(3);
      break;
    case bad_print: /* nothing bad, but nobody shall see it */
      printf("printed by a component\n");
      fflush(stdout);
      break;
    case bad_remove_file:
      sink = unlink("/tmp/gelenk-no-such-file");
      break;
    default:
      break;
  }
}

static void spoil(const gelenk_command* k) {
  if (!k->out) return;
  if (mode == bad_not_a_number) k->out[k->out_count - 1] = NAN;
  if (mode == bad_infinite) k->out[0] = -HUGE_VAL;
  if (k->code != GELENK_FACTOR) return;
  double* D = k->out;
  if (mode == bad_indefinite) D[1] = D[kMotions] = 1.5 * D[0];
  if (mode == bad_asymmetric) D[1] = 1e-3 * D[0];
  if (mode == bad_negative_diagonal) D[7] = -D[7];
  if (mode == bad_zero_diagonal) {
    for (int i = 0; i < kMotions; ++i) D[i * (kMotions + 1)] = 0.0;
    D[1] = D[kMotions] = 1.0;
  }
}

static gelenk_status bad_perform(gelenk_component* c, const gelenk_command* commands, size_t count, size_t* done) {
  /* Not at the first commands, so that it looks good at first. */
  const int is_first = count > 0 && commands[0].code == GELENK_RESERVE;
  if (is_first) return perform(c, commands, count, done);
  for (size_t i = 0; i < count; ++i) {
    if (commands[i].out) shared = (char*)((uintptr_t)commands[i].out & ~(uintptr_t)(kPage - 1));
  }
  if (mode == bad_unwritten) {
    *done = count;
    return GELENK_OK;
  }
  gelenk_status status = perform(c, commands, count, done);
  misbehave();
  for (size_t i = 0; i < count; ++i) spoil(&commands[i]);
  if (mode == bad_too_many_done) *done = count + 1;
  if (mode == bad_too_few_done) *done = count - 1;
  if (mode == bad_other_status || mode == bad_say_failed || mode == bad_say_refused || mode == bad_rude_text) {
    *done = 0;
    c->error = mode == bad_rude_text ? "\033[2J\n\xff" : "it is tired";
    status = mode == bad_other_status ? (gelenk_status)77 : mode == bad_say_refused ? GELENK_REFUSED : GELENK_FAILED;
  }
  return status;
}

static gelenk_status bad_create(const gelenk_settings* s, gelenk_component** component, char* message,
                                size_t message_size) {
  char text[16] = {0};
  memcpy(text, s->resource, s->resource_size < 15 ? s->resource_size : 15);
  mode = (BadMode)atoi(text);
  if (mode == bad_hang_in_create) {
    for (;;) ++sink;
  }
  if (mode == bad_crash_in_create) abort();
  if (mode == bad_refuse_create) {
    memset(message, 'x', message_size); /* and no zero at its end */
    return GELENK_FAILED;
  }
  return create(s, component, message, message_size);
}

static gelenk_status bad_mount(gelenk_component* c, const gelenk_mounting* mounting) {
  if (mode == bad_hang_in_mount) {
    for (;;) ++sink;
  }
  if (mode == bad_crash_in_mount) abort();
  if (mode == bad_refuse_mount) return refuse(c, "it likes to be alone");
  return mount(c, mounting);
}

static const gelenk_description* bad_describe(const gelenk_component* c) {
  static gelenk_description description;
  static gelenk_port ports[3];
  description = *describe(c);
  memcpy(ports, kPorts, sizeof ports);
  description.ports = ports;
  if (mode == bad_huge_counts) description.port_count = 0xFFFFFFFFu;
  if (mode == bad_other_ports) ports[1].kind = GELENK_SIGNAL_OUT;
  if (mode == bad_other_sizes) description.signal_size = 600;
  if (mode == bad_other_when_mounted && c->ignored) ports[0].position[1] = 1.0;
  if (mode == bad_many_switches && c->ignored) description.switch_count = 0x7FFFFFFF;
  if (mode == bad_odd_length) description.length = 3.0;
  if (mode == bad_skew_port) ports[0].rotation[1] = 0.1;
  if (mode == bad_short_structures) ports[0].size = 8;
  return &description;
}

static gelenk_status bad_read(gelenk_component* c, uint32_t what, int32_t slot, void* buffer, size_t capacity,
                              size_t* size) {
  Answer fake = {-1, GELENK_OK, 0, (uint64_t)1 << 60, {0}};
  const gelenk_status status = read_bytes(c, what, slot, buffer, capacity, size);
  if (mode == bad_huge_read) *size = (size_t)1 << 60;
  if (mode == bad_changing_read && buffer) *size -= 1;
  if (mode == bad_fake_size && shared) answer_as_worker(&fake);
  return status;
}

#ifdef FORK_AT_LOAD
__attribute__((constructor)) static void fork_at_load(void) { sink = (int)fork(); }
#endif

#ifdef NEEDS_OTHERS
int gelenk_nowhere(void);
__attribute__((constructor)) static void need_others(void) { sink = gelenk_nowhere(); }
#endif

static int could_read = 0;
#ifdef READ_AT_LOAD
__attribute__((constructor)) static void read_at_load(void) { could_read = open("/etc/passwd", O_RDONLY) >= 0; }
#endif

const gelenk_component_api* gelenk_component_get_api(uint32_t abi_major) {
  static gelenk_component_api api;
  api = *free_body_get_api(abi_major);
  api.create = bad_create;
  api.describe = bad_describe;
  api.mount = bad_mount;
  api.perform = bad_perform;
  api.read = bad_read;
#ifdef NEWER_ABI
  api.abi_major = abi_major + 1;
#endif
  return could_read ? NULL : &api;
}
