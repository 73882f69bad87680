#include "gelenk_motion.h"

#include <math.h>
#include <stdlib.h>

#include "gelenk_coordinates.h"
#include "gelenk_evaluate.h"
#include "gelenk_linear.h"

/* Steps are of the same length if they agree to this part: ends of steps are rounded. */
static const double same_length = 1e-8;
/* Residual of a row that is not accepted, beyond what it was, that asks for another choice. */
static const double row_has_left = 1e-9;
/* Choices of rows and settlings until the start values are on the rows, at most. */
enum { MOST_ROUNDS = 8 };

/* Memory: numbers and indices are laid out twice, first without memory, to see how many there are. */
typedef struct {
  double* numbers;
  int* indices;
  size_t number_count, index_count;
} gelenk_room;

static double* take_numbers(gelenk_room* room, int rows, int columns) {
  double* const place = room->numbers ? room->numbers + room->number_count : NULL;
  room->number_count += (size_t)rows * (size_t)columns;
  return place;
}

static int* take_indices(gelenk_room* room, int count) {
  int* const place = room->indices ? room->indices + room->index_count : NULL;
  room->index_count += (size_t)count;
  return place;
}

static void lay_out_state(gelenk_motion* m, gelenk_room* room) {
  double** const vectors[] = {&m->z, &m->next, &m->next_rate, &m->stage, &m->k2, &m->k3};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i) *vectors[i] = take_numbers(room, 1, m->size);
  for (int i = 0; i < GELENK_PAST; ++i) m->past[i] = take_numbers(room, 1, m->size);
  m->w = take_numbers(room, 1, m->e->prepared);
}

static void lay_out_rows(gelenk_motion* m, gelenk_room* room) {
  const int n = m->e->rates, rows = m->e->rows;
  double** const columns[] = {&m->c, &m->ct, &m->g, &m->lengths};
  double** const vectors[] = {&m->b, &m->d, &m->force, &m->load};
  double** const states[] = {&m->origin, &m->near, &m->near_rate, &m->mean, &m->mean_rate};
  double** const matrices[] = {&m->K, &m->G, &m->Bt, &m->M, &m->mass};
  for (size_t i = 0; i < sizeof columns / sizeof *columns; ++i) *columns[i] = take_numbers(room, 1, rows);
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i) *vectors[i] = take_numbers(room, 1, n);
  for (size_t i = 0; i < sizeof matrices / sizeof *matrices; ++i) *matrices[i] = take_numbers(room, n, n);
  for (size_t i = 0; i < sizeof states / sizeof *states; ++i) *states[i] = take_numbers(room, 1, m->size);
  m->C = take_numbers(room, rows, n);
  m->reflectors = take_numbers(room, rows, n);
  m->order = take_indices(room, rows);
  m->exchanged = take_indices(room, n);
}

static gelenk_room lay_out(gelenk_motion* m) {
  gelenk_room room = {m->numbers, m->indices, 0, 0};
  lay_out_state(m, &room);
  if (m->e->rows > 0) lay_out_rows(m, &room);
  return room;
}

gelenk_motion* gelenk_motion_create(const gelenk_equations* e) {
  gelenk_motion* const m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->e = e;
  m->size = e->positions + e->rates + e->states;
  const gelenk_room room = lay_out(m);
  m->numbers = calloc(room.number_count + 1, sizeof *m->numbers);
  m->indices = calloc(room.index_count + 1, sizeof *m->indices);
  if (!m->numbers || !m->indices) {
    gelenk_motion_destroy(m);
    return NULL;
  }
  lay_out(m);
  return m;
}

void gelenk_motion_destroy(gelenk_motion* m) {
  if (!m) return;
  free(m->numbers);
  free(m->indices);
  free(m);
}

/* Another K where the machine stands. The rates of change there are those of before. */
static int change_coordinates(gelenk_motion* m) {
  const int rank = m->rank;
  if (!gelenk_choose_coordinates(m, m->time, m->z, m->z + m->e->positions)) return 0;
  if (m->rank != rank) {
    return gelenk_fail(m, "there are %d independent rows of constraints now and were %d before: the pose is singular",
                       m->rank, rank);
  }
  ++m->changes;
  m->is_fresh = 1;
  if (!gelenk_settle(m, m->time, m->z, m->z + m->e->positions)) return 0;
  m->misfit = gelenk_residual(m, m->rank);
  return gelenk_rows_agree(m, m->rank);
}

static int check_orientations(gelenk_motion* m) {
  for (int i = 0; i < m->e->balls; ++i) {
    const int first = m->e->ball_positions[i];
    if (!(gelenk_dot(m->z + first, m->z + first, 4) > 0.0)) {
      return gelenk_fail(m, "the orientation that begins with %s is zero", m->e->position_list[first].name);
    }
  }
  return 1;
}

/* Rows and K are chosen again where the last choice has led to, until nothing moves. */
static int settle_start(gelenk_motion* m) {
  double *const x = m->z, *const v = x + m->e->positions;
  gelenk_normalize(m->e, x);
  for (int round = 0; round < MOST_ROUNDS; ++round) {
    if (!gelenk_choose_coordinates(m, m->time, x, v) || !gelenk_settle(m, m->time, x, v)) return 0;
    if (m->corrections == 1) break;
  }
  return gelenk_rows_agree(m, m->rank);
}

/* m->near := the state a few steps later, about; returns its time. */
static double look_ahead(gelenk_motion* m) {
  const double later = 4.0 * m->length;
  gelenk_copy(m->near, m->z, m->size);
  gelenk_move(m->e, m->near, m->z + m->e->positions, later);
  return m->time + later;
}

static void measure_rows(gelenk_motion* m) {
  const double later = look_ahead(m);
  for (int i = 0; i < m->e->rows; ++i) m->lengths[i] = 0.0;
  if (gelenk_evaluate_rows(m, m->time, m->z, m->z + m->e->positions)) gelenk_measure_rows(m);
  if (gelenk_evaluate_rows(m, later, m->near, m->near + m->e->positions)) gelenk_measure_rows(m);
}

/* If the machine starts in a singular pose, it has more independent rows a little later, and these count. */
static int choose_start(gelenk_motion* m) {
  const int rank = m->rank;
  const double later = look_ahead(m);
  m->best_pivot = m->pivot;
  if (gelenk_choose_coordinates(m, later, m->near, m->near + m->e->positions)) {
    m->best_pivot = fmax(m->best_pivot, m->pivot);
    if (m->rank > rank) return 1;
  }
  return gelenk_choose_coordinates(m, m->time, m->z, m->z + m->e->positions);
}

static int start_rows(gelenk_motion* m) {
  measure_rows(m);
  if (!settle_start(m) || !choose_start(m) || !gelenk_evaluate(m, m->time, m->z, m->past[0])) return 0;
  m->misfit = gelenk_residual(m, m->rank);
  m->largest_residual = gelenk_residual(m, 0);
  m->is_fresh = 1;
  return gelenk_rows_agree(m, m->rank);
}

int gelenk_motion_start(gelenk_motion* m, double time, const double* parameters, const double* start) {
  m->time = time;
  m->known = 1;
  m->length = m->e->step;
  m->message[0] = '\0';
  m->steps = m->changes = m->bridged = 0;
  m->largest_residual = 0.0;
  m->e->prepare(parameters, m->w);
  gelenk_copy(m->z, start, m->size);
  if (!check_orientations(m)) return 0;
  return m->e->rows > 0 ? start_rows(m) : gelenk_evaluate(m, time, m->z, m->past[0]);
}

/* to := z + h rate */
static void add(const gelenk_motion* m, double h, const double* rate, double* to) {
  for (int i = 0; i < m->size; ++i) to[i] = m->z[i] + h * rate[i];
}

/* z + h/6 (k1 + 2 k2 + 2 k3 + k4), k1 at z, k2 at z + h/2 k1, k3 at z + h/2 k2, k4 at z + h k3 */
static int try_rk4(gelenk_motion* m, double h, double end) {
  const double *const k1 = m->past[0], *const k4 = m->next_rate;
  const double middle = m->time + 0.5 * h;
  add(m, 0.5 * h, k1, m->stage);
  if (!gelenk_evaluate(m, middle, m->stage, m->k2)) return 0;
  add(m, 0.5 * h, m->k2, m->stage);
  if (!gelenk_evaluate(m, middle, m->stage, m->k3)) return 0;
  add(m, h, m->k3, m->stage);
  if (!gelenk_evaluate(m, end, m->stage, m->next_rate)) return 0;
  for (int i = 0; i < m->size; ++i) {
    m->next[i] = m->z[i] + h / 6.0 * (k1[i] + 2.0 * (m->k2[i] + m->k3[i]) + k4[i]);
  }
  return gelenk_evaluate(m, end, m->next, m->next_rate);
}

/* With z' = f0 here and f1, f2, f3 one, two, three steps before:
 *   predicted:  z + h/24 (55 f0 - 59 f1 + 37 f2 - 9 f3), where z' = p is evaluated
 *   corrected:  z + h/24 (9 p + 19 f0 - 5 f1 + f2), where z' is evaluated for the next step */
static int try_adams(gelenk_motion* m, double h, double end) {
  const double *const f0 = m->past[0], *const f1 = m->past[1], *const f2 = m->past[2], *const f3 = m->past[3];
  for (int i = 0; i < m->size; ++i) {
    m->next[i] = m->z[i] + h / 24.0 * (55.0 * f0[i] - 59.0 * f1[i] + 37.0 * f2[i] - 9.0 * f3[i]);
  }
  if (!gelenk_evaluate(m, end, m->next, m->next_rate)) return 0;
  const double* const p = m->next_rate;
  for (int i = 0; i < m->size; ++i) {
    m->next[i] = m->z[i] + h / 24.0 * (9.0 * p[i] + 19.0 * f0[i] - 5.0 * f1[i] + f2[i]);
  }
  return gelenk_evaluate(m, end, m->next, m->next_rate);
}

static int try_step(gelenk_motion* m, gelenk_method method, double h, double end) {
  return method == GELENK_ADAMS && m->known == GELENK_PAST ? try_adams(m, h, end) : try_rk4(m, h, end);
}

/* The end of the step becomes the state; its rate becomes the newest of the past. */
static void accept_step(gelenk_motion* m, double end) {
  double* const before = m->z;
  m->z = m->next;
  m->next = before;
  double* const oldest = m->past[GELENK_PAST - 1];
  for (int i = GELENK_PAST - 1; i > 0; --i) m->past[i] = m->past[i - 1];
  m->past[0] = m->next_rate;
  m->next_rate = oldest;
  if (m->known < GELENK_PAST) ++m->known;
  m->time = end;
  ++m->steps;
}

/* The residuals after a step, and whether K is still good. */
static int watch_rows(gelenk_motion* m) {
  const double misfit = gelenk_residual(m, m->rank);
  m->largest_residual = fmax(m->largest_residual, gelenk_residual(m, 0));
  m->is_fresh = 0;
  gelenk_measure_rows(m);
  if (gelenk_is_nearly_singular(m)) return gelenk_rows_agree(m, m->rank); /* no place for a choice */
  m->best_pivot = fmax(m->best_pivot, m->pivot);
  if (misfit > row_has_left + 10.0 * m->misfit || !gelenk_rows_agree(m, m->rank)) m->wants_change = 1;
  return !m->wants_change || change_coordinates(m);
}

int gelenk_motion_step(gelenk_motion* m, gelenk_method method, double end) {
  const double h = end - m->time;
  if (!(fabs(h - m->length) <= same_length * fabs(h))) m->known = 1;
  m->length = h;
  if (!try_step(m, method, h, end)) {
    /* perhaps only because K is not good any more */
    if (m->e->rows == 0 || m->is_fresh || !change_coordinates(m) || !try_step(m, method, h, end)) return 0;
  }
  accept_step(m, end);
  return m->e->rows == 0 || watch_rows(m);
}

void gelenk_motion_outputs(const gelenk_motion* m, double* y) {
  if (m->e->outputs == 0) return;
  m->e->values(m->w, m->time, gelenk_motion_positions(m), gelenk_motion_rates(m), gelenk_motion_states(m), y);
}

double gelenk_motion_time(const gelenk_motion* m) { return m->time; }
const double* gelenk_motion_positions(const gelenk_motion* m) { return m->z; }
const double* gelenk_motion_rates(const gelenk_motion* m) { return m->z + m->e->positions; }
const double* gelenk_motion_states(const gelenk_motion* m) { return m->z + m->e->positions + m->e->rates; }

long long gelenk_pieces(double span, double length) {
  const double count = ceil(span / length * (1.0 - 1e-12) - 1e-9);
  return count < 1.0 ? 1 : (long long)count;
}

int gelenk_motion_advance(gelenk_motion* m, gelenk_method method, double step, double end) {
  const double begin = m->time;
  const long long steps = gelenk_pieces(end - begin, step);
  for (long long i = 1; i <= steps; ++i) {
    const double time = i == steps ? end : begin + (end - begin) * (double)i / (double)steps;
    if (!gelenk_motion_step(m, method, time)) return 0;
  }
  return 1;
}
