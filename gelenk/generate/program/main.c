/* A machine as a program: reads a data file, moves the machine, writes its motion as comma-separated values. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gelenk_data.h"
#include "gelenk_estimate.h"
#include "gelenk_motion.h"

enum { GOOD = 0, MOTION_FAILED = 1, BAD_CALL = 2, BAD_DATA = 3, NOT_WRITTEN = 4, NO_MEMORY = 4 };

typedef struct {
  const char* data; /* null: the values that the machine was written with */
  const char* csv;  /* null: standard output */
} gelenk_call;

static void print_usage(FILE* to, const gelenk_equations* e) {
  fprintf(to, "usage: %s [%s.data] [-o result.csv]\n", e->name, e->name);
}

/* 0: the arguments are wrong. */
static int read_call(int count, char** arguments, gelenk_call* call) {
  for (int i = 1; i < count; ++i) {
    if (strcmp(arguments[i], "-o") == 0) {
      if (++i == count || call->csv) return 0;
      call->csv = arguments[i];
    } else {
      if (arguments[i][0] == '-' || call->data) return 0;
      call->data = arguments[i];
    }
  }
  return 1;
}

static void write_names(FILE* csv, const gelenk_number* list, int count) {
  for (int i = 0; i < count; ++i) fprintf(csv, ",%s (%s)", list[i].name, list[i].unit);
}

static void write_header(FILE* csv, const gelenk_equations* e) {
  fputs("time (s)", csv);
  write_names(csv, e->position_list, e->positions);
  write_names(csv, e->rate_list, e->rates);
  write_names(csv, e->state_list, e->states);
  write_names(csv, e->output_list, e->outputs);
  fputc('\n', csv);
}

static void write_numbers(FILE* csv, const double* numbers, int count) {
  for (int i = 0; i < count; ++i) fprintf(csv, ",%.17g", numbers[i]);
}

static int write_row(FILE* csv, const gelenk_motion* m, double* outputs) {
  fprintf(csv, "%.17g", gelenk_motion_time(m));
  write_numbers(csv, gelenk_motion_positions(m), m->e->positions);
  write_numbers(csv, gelenk_motion_rates(m), m->e->rates);
  write_numbers(csv, gelenk_motion_states(m), m->e->states);
  gelenk_motion_outputs(m, outputs);
  write_numbers(csv, outputs, m->e->outputs);
  fputc('\n', csv);
  return !ferror(csv);
}

/* How many outputs there are after the first. */
static long long output_count(const gelenk_data* data) {
  return gelenk_pieces(data->end_time, data->output_every);
}

static int failed_motion(const gelenk_motion* m, long long rows) {
  fprintf(stderr, "%s: stopped at %.9g s: %s; %lld rows of results until then\n", m->e->name, gelenk_motion_time(m),
          m->message, rows);
  return MOTION_FAILED;
}

static int write_motion(gelenk_motion* m, const gelenk_data* data, gelenk_estimate* estimate, double* outputs,
                        FILE* csv) {
  write_header(csv, m->e);
  gelenk_estimate_start(estimate, m, data);
  if (!write_row(csv, m, outputs)) return NOT_WRITTEN;
  if (!(data->end_time > 0.0)) return GOOD;
  const long long rows = output_count(data);
  for (long long row = 1; row <= rows; ++row) {
    const double time = row == rows ? data->end_time : data->output_every * (double)row;
    if (!gelenk_motion_advance(m, data->method, data->step, time)) return failed_motion(m, row);
    if (!write_row(csv, m, outputs)) return NOT_WRITTEN;
    gelenk_estimate_follow(estimate, m, data, row % 2 == 0 || row == rows);
  }
  return GOOD;
}

static void print_summary(const gelenk_motion* m) {
  fprintf(stderr, "%s: %lld steps", m->e->name, m->steps);
  if (m->e->rows > 0) {
    fprintf(stderr, ", %lld changes of coordinates, largest residual of the rows %.3g", m->changes,
            m->largest_residual);
    if (m->bridged > 0) fprintf(stderr, ", %lld evaluations at singular poses", m->bridged);
  }
  fputc('\n', stderr);
}

static int not_written(const gelenk_call* call) {
  fprintf(stderr, "%s: cannot be written: %s\n", call->csv ? call->csv : "standard output", strerror(errno));
  return NOT_WRITTEN;
}

/* Results that are not complete on the disk are a failure too. A machine that does not start leaves old ones alone. */
static int run(gelenk_motion* m, const gelenk_data* data, gelenk_estimate* estimate, double* outputs,
               const gelenk_call* call) {
  if (!gelenk_motion_start(m, 0.0, data->parameters, data->start)) return failed_motion(m, 0);
  FILE* const csv = call->csv ? fopen(call->csv, "w") : stdout;
  if (!csv) return not_written(call);
  const int result = write_motion(m, data, estimate, outputs, csv);
  const int is_written = result != NOT_WRITTEN && fflush(csv) == 0;
  if (!is_written) not_written(call);
  if (call->csv && fclose(csv) != 0 && is_written) return not_written(call);
  if (!is_written) return NOT_WRITTEN;
  if (result == GOOD) {
    print_summary(m);
    gelenk_estimate_print(estimate);
  }
  return result;
}

int main(int count, char** arguments) {
  const gelenk_equations* const e = gelenk_machine();
  gelenk_call call = {NULL, NULL};
  if (count == 2 && strcmp(arguments[1], "--help") == 0) {
    print_usage(stdout, e);
    return GOOD;
  }
  if (!read_call(count, arguments, &call)) {
    print_usage(stderr, e);
    return BAD_CALL;
  }
  gelenk_data data = {NULL, NULL, 0.0, 0.0, 0.0, GELENK_RK4};
  gelenk_estimate estimate = {NULL, NULL, NULL, NULL, NULL, -1.0};
  gelenk_motion* const m = gelenk_motion_create(e);
  double* const outputs = calloc((size_t)e->outputs + 1, sizeof *outputs);
  int result = NO_MEMORY;
  if (!m || !outputs || !gelenk_data_create(e, &data) || !gelenk_estimate_create(e, &estimate)) {
    fprintf(stderr, "%s: not enough memory\n", e->name);
  } else if (call.data && !gelenk_data_read(call.data, e, &data)) {
    result = BAD_DATA;
  } else {
    result = run(m, &data, &estimate, outputs, &call);
  }
  gelenk_data_destroy(&data);
  gelenk_estimate_destroy(&estimate);
  gelenk_motion_destroy(m);
  free(outputs);
  return result;
}
