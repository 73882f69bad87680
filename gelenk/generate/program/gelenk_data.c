#include "gelenk_data.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything that a file gives has a place: parameters, start values, the three numbers below, the method. */
enum { NUMBER_OPTIONS = 3 };
static const char* const option_names[NUMBER_OPTIONS] = {"run.end_time", "run.step", "run.output_every"};

typedef struct {
  const char* file;
  const gelenk_equations* e;
  gelenk_data* data;
  int* lines; /* where each place was given; 0: not yet */
  int line, errors;
} gelenk_reader;

/* How many steps a run may have: numbers of steps are exact as double. */
static const double most_steps = 9e15;

int gelenk_data_create(const gelenk_equations* e, gelenk_data* data) {
  const int counts[] = {e->positions, e->rates, e->states};
  const gelenk_number* const lists[] = {e->position_list, e->rate_list, e->state_list};
  const int size = e->positions + e->rates + e->states;
  data->parameters = calloc((size_t)e->parameters + 1, sizeof *data->parameters);
  data->start = calloc((size_t)size + 1, sizeof *data->start);
  if (!data->parameters || !data->start) {
    gelenk_data_destroy(data);
    return 0;
  }
  for (int i = 0; i < e->parameters; ++i) data->parameters[i] = e->parameter_list[i].value;
  for (int list = 0, place = 0; list < 3; ++list) {
    for (int i = 0; i < counts[list]; ++i) data->start[place++] = lists[list][i].value;
  }
  data->end_time = e->end_time;
  data->step = e->step;
  data->output_every = e->output_every;
  data->method = GELENK_RK4;
  return 1;
}

void gelenk_data_destroy(gelenk_data* data) {
  free(data->parameters);
  free(data->start);
  data->parameters = data->start = NULL;
}

static void report(gelenk_reader* r, const char* format, ...) {
  va_list values;
  va_start(values, format);
  fprintf(stderr, "%s:%d: ", r->file, r->line);
  vfprintf(stderr, format, values);
  fputc('\n', stderr);
  va_end(values);
  ++r->errors;
}

static int start_count(const gelenk_equations* e) { return e->positions + e->rates + e->states; }
static int place_count(const gelenk_equations* e) { return e->parameters + start_count(e) + NUMBER_OPTIONS + 1; }
static int method_place(const gelenk_equations* e) { return place_count(e) - 1; }

static const gelenk_number* start_number(const gelenk_equations* e, int i) {
  if (i < e->positions) return &e->position_list[i];
  i -= e->positions;
  return i < e->rates ? &e->rate_list[i] : &e->state_list[i - e->rates];
}

/* A name as it is in the file: prefix and name. */
typedef struct {
  const char *prefix, *name, *unit; /* unit: null for the method */
  double* value;
} gelenk_place;

static gelenk_place place_at(const gelenk_equations* e, gelenk_data* data, int i) {
  double* const options[NUMBER_OPTIONS] = {&data->end_time, &data->step, &data->output_every};
  if (i < e->parameters) {
    return (gelenk_place){"", e->parameter_list[i].name, e->parameter_list[i].unit, &data->parameters[i]};
  }
  i -= e->parameters;
  if (i < start_count(e)) {
    return (gelenk_place){"start.", start_number(e, i)->name, start_number(e, i)->unit, &data->start[i]};
  }
  i -= start_count(e);
  if (i < NUMBER_OPTIONS) return (gelenk_place){"", option_names[i], "s", options[i]};
  return (gelenk_place){"", "run.method", NULL, NULL};
}

static int find_place(const gelenk_reader* r, const char* name) {
  for (int i = 0; i < place_count(r->e); ++i) {
    const gelenk_place place = place_at(r->e, r->data, i);
    const size_t prefix = strlen(place.prefix);
    if (strncmp(name, place.prefix, prefix) == 0 && strcmp(name + prefix, place.name) == 0) return i;
  }
  return -1;
}

static int is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

/* Without the spaces around it; writes into the text. */
static char* trimmed(char* text) {
  while (is_space(*text)) ++text;
  size_t length = strlen(text);
  while (length > 0 && is_space(text[length - 1])) --length;
  text[length] = '\0';
  return text;
}

/* Ends `text` after its first word; what follows. */
static char* split_word(char* text) {
  while (*text && !is_space(*text)) ++text;
  if (*text) *text++ = '\0';
  return trimmed(text);
}

/* Decimal numbers only: strtod() also reads inf, nan and hexadecimal ones. */
static int read_number(const char* text, double* value) {
  char* end = NULL;
  if (*text == '\0' || strspn(text, "0123456789.+-eE") != strlen(text)) return 0;
  *value = strtod(text, &end);
  return *end == '\0' && isfinite(*value);
}

static void read_method(gelenk_reader* r, const char* text) {
  if (strcmp(text, "rk4") == 0) {
    r->data->method = GELENK_RK4;
  } else if (strcmp(text, "adams") == 0) {
    r->data->method = GELENK_ADAMS;
  } else {
    report(r, "run.method is '%s'; expected rk4 or adams", text);
  }
}

/* The unit as a hint: nothing for pure numbers. */
static const char* shown_unit(const gelenk_place* place) { return strcmp(place->unit, "1") == 0 ? "" : place->unit; }

static void read_value(gelenk_reader* r, const char* name, const gelenk_place* place, char* text) {
  const char* const unit = split_word(text);
  const char* const expected = shown_unit(place);
  if (*text == '\0') {
    report(r, "%s has no number; expected %s = number %s", name, name, expected);
  } else if (!read_number(text, place->value)) {
    report(r, "'%s' is not a number; expected %s = number %s", text, name, expected);
  } else if (*unit && strcmp(unit, place->unit) != 0) {
    report(r, "'%s' is not the unit; expected %s = number %s", unit, name, expected);
  }
}

/* A line: comment, nothing, or name = value. */
static void read_line(gelenk_reader* r, char* text) {
  char* const comment = strchr(text, '#');
  if (comment) *comment = '\0';
  text = trimmed(text);
  if (*text == '\0') return;
  char* const equals = strchr(text, '=');
  if (!equals) {
    report(r, "'%s': expected name = number unit", text);
    return;
  }
  *equals = '\0';
  const char* const name = trimmed(text);
  const int i = find_place(r, name);
  if (i < 0) {
    report(r, "%s has no number named '%s'", r->e->name, name);
  } else if (r->lines[i] > 0) {
    report(r, "%s is already given in line %d", name, r->lines[i]);
  } else {
    const gelenk_place place = place_at(r->e, r->data, i);
    r->lines[i] = r->line;
    if (i == method_place(r->e)) {
      read_method(r, trimmed(equals + 1));
    } else {
      read_value(r, name, &place, trimmed(equals + 1));
    }
  }
}

static void read_lines(gelenk_reader* r, char* text) {
  if (strncmp(text, "\xEF\xBB\xBF", 3) == 0) text += 3; /* mark of UTF-8 that some editors write */
  for (char* line = text; line;) {
    char* const end = strchr(line, '\n');
    if (end) *end = '\0';
    ++r->line;
    read_line(r, line);
    line = end ? end + 1 : NULL;
  }
}

static void check_missing(gelenk_reader* r) {
  for (int i = 0; i < place_count(r->e); ++i) {
    if (r->lines[i] > 0) continue;
    const gelenk_place place = place_at(r->e, r->data, i);
    fprintf(stderr, "%s: %s%s is missing; expected %s%s = %s %s\n", r->file, place.prefix, place.name, place.prefix,
            place.name, place.unit ? "number" : "rk4 or adams", place.unit ? shown_unit(&place) : "");
    ++r->errors;
    return;
  }
}

static void check_times(gelenk_reader* r) {
  const int first = method_place(r->e) - NUMBER_OPTIONS;
  const gelenk_data* const data = r->data;
  r->line = r->lines[first];
  if (data->end_time < 0.0) report(r, "run.end_time must not be negative");
  r->line = r->lines[first + 1];
  if (!(data->step > 0.0)) report(r, "run.step must be greater than zero");
  r->line = r->lines[first + 2];
  if (!(data->output_every > 0.0)) report(r, "run.output_every must be greater than zero");
  if (r->errors > 0) return;
  r->line = r->lines[first + 1];
  const double steps = data->end_time / data->step + data->end_time / data->output_every;
  if (!(steps < most_steps)) report(r, "these are %.3g steps, which is too many", steps);
}

/* The whole file with a zero behind it; null: it cannot be read, errno says why. */
static char* text_of(FILE* file, size_t* size) {
  size_t room = 1 << 16;
  char* text = malloc(room);
  *size = 0;
  while (text) {
    *size += fread(text + *size, 1, room - *size - 1, file);
    if (*size < room - 1) break;
    char* const larger = realloc(text, room *= 2);
    if (!larger) free(text);
    text = larger;
  }
  if (text && ferror(file)) {
    free(text);
    return NULL;
  }
  if (text) text[*size] = '\0';
  return text;
}

static char* read_file(const char* name, size_t* size) {
  FILE* const file = fopen(name, "rb");
  if (!file) return NULL;
  char* const text = text_of(file, size);
  const int why = errno;
  fclose(file);
  errno = why;
  return text;
}

int gelenk_data_read(const char* file, const gelenk_equations* e, gelenk_data* data) {
  size_t size = 0;
  char* const text = read_file(file, &size);
  int* const lines = calloc((size_t)place_count(e), sizeof *lines);
  gelenk_reader r = {file, e, data, lines, 0, 0};
  if (!text || !lines) {
    fprintf(stderr, "%s: cannot be read: %s\n", file, strerror(errno));
    r.errors = 1;
  } else if (strlen(text) != size) {
    fprintf(stderr, "%s: is not a text file\n", file);
    r.errors = 1;
  } else {
    read_lines(&r, text);
    if (r.errors == 0) check_missing(&r);
    if (r.errors == 0) check_times(&r);
  }
  free(text);
  free(lines);
  return r.errors == 0;
}
