/* Programs of steps as they are drawn, and the serial loop (step_draw.h). */
#include "step_draw.h"
#include "tests/support/draw.h"

#include <math.h>

static int64_t draw(uint64_t *state, int64_t lo, int64_t hi) /* both may be */
{
  return lo + draw_below(state, hi - lo + 1);
}

static int64_t clamp(int64_t i, int64_t most)
{
  return i < 0 ? 0 : i > most ? most : i;
}

static void draw_terms(uint64_t *r, const drawn *p, statement *s, int64_t reach)
{
  s->n_terms = (int)draw(r, 1, MOST_TERMS);
  for (int i = 0; i < s->n_terms; i++) {
    term *t = &s->terms[i];
    *t = (term){.field = i == 0 ? s->field : (int)draw(r, 0, p->n_fields - 1)};
    t->coefficient = 0.9 / s->n_terms * (draw(r, 0, 4) == 0 ? -1 : 1);
    t->by_array = draw(r, 0, 5) == 0;
    for (int k = 0; k < p->ndim; k++) {
      t->step[k] = s->step[k];
      const int64_t most = p->shape[t->field][k] - (s->n[k] - 1) * t->step[k] - 1;
      t->start[k] = clamp(s->start[k] + draw(r, -reach, reach), most);
    }
  }
}

/* An update of all but some points at the ends. */
static void draw_update(uint64_t *r, const drawn *p, statement *s)
{
  for (int k = 0; k < p->ndim; k++) {
    const int64_t below = draw(r, 0, 3), above = draw(r, 0, 3), n = p->shape[s->field][k];
    s->start[k] = below;
    s->step[k] = 1;
    s->n[k] = n - below - above;
    for (int f = 0; f < p->n_fields; f++) /* fields are read in a box as long */
      if (s->n[k] > p->shape[f][k]) s->n[k] = p->shape[f][k];
  }
  draw_terms(r, p, s, 3);
}

/* A border, from the row beside it, or, where that may be, from the other end. */
static void draw_border(uint64_t *r, drawn *p, statement *s)
{
  const int axis = (int)draw(r, 0, p->ndim - 1);
  const bool is_last = draw(r, 0, 1);
  const int64_t *n = p->shape[s->field];
  s->is_border = true;
  for (int k = 0; k < p->ndim; k++) {
    s->start[k] = k == axis && is_last ? n[k] - 1 : 0;
    s->n[k] = k == axis ? 1 : n[k];
    s->step[k] = 1;
  }
  s->n_terms = 1;
  term *t = &s->terms[0];
  *t = (term){.field = s->field, .coefficient = draw(r, 0, 1) ? 1.0 : -0.5};
  for (int k = 0; k < 3; k++) t->step[k] = 1;
  const bool is_periodic = draw(r, 0, 1);
  t->start[axis] = is_last != is_periodic ? n[axis] - 2 : 1;
  p->is_shallow |= is_periodic;
}

/* Every second point along an axis. */
static void draw_strided(uint64_t *r, drawn *p, statement *s)
{
  draw_update(r, p, s);
  const int axis = (int)draw(r, 0, p->ndim - 1);
  s->step[axis] = 2;
  s->n[axis] = s->n[axis] > 6 ? (s->n[axis] - 4) / 2 : 1;
  draw_terms(r, p, s, 2);
}

/* An update whose last term is read from its end along an axis, or with two axes exchanged. Where
 * all distances are constant, that term is of the field that nobody writes. */
static void draw_turned(uint64_t *r, drawn *p, statement *s)
{
  draw_update(r, p, s);
  if (s->n_terms == 1) s->terms[s->n_terms++] = s->terms[0];
  term *t = &s->terms[s->n_terms - 1];
  t->coefficient *= 0.5;
  if (p->is_near) t->field = p->source;
  const int axis = (int)draw(r, 0, p->ndim - 1);
  if (p->ndim > 1 && draw(r, 0, 1)) {
    const int other = p->ndim == 2 ? 0 : 1, last = p->ndim - 1; /* axes of about one length */
    t->turned[0] = other;
    t->turned[1] = last;
    const int64_t *n = p->shape[t->field];
    if (s->n[last] > n[other]) s->n[last] = n[other];
    if (s->n[other] > n[last]) s->n[other] = n[last];
  } else {
    t->flipped = 1u << axis;
  }
  for (int k = 0; k < p->ndim; k++) {
    const int from = turned_axis(t, k);
    t->step[k] = 1;
    t->start[k] = clamp(s->start[from] + draw(r, -2, 2), p->shape[t->field][k] - s->n[from]);
  }
  p->has_far |= t->field != p->source;
  p->is_shallow = true;
}

/* The red points of a field and then the black ones, from those around them: every other point
 * along one axis or two. Returns how many statements that are, at most `most`. */
static int draw_colours(uint64_t *r, const drawn *p, statement *s, int most)
{
  static const int64_t odd[4][2] = {{0, 0}, {1, 1}, {0, 1}, {1, 0}};
  const bool by_two = p->ndim > 1 && most >= 4 && draw(r, 0, 1);
  const int first = (int)draw(r, 0, p->ndim - 1), second = by_two ? (first + 1) % p->ndim : -1;
  const int field = s->field, n_colours = by_two ? 4 : 2, n_terms = (int)draw(r, 2, MOST_TERMS);
  int64_t apart[MOST_TERMS][3] = {{0}};
  for (int i = 1; i < n_terms; i++) apart[i][draw(r, 0, p->ndim - 1)] = i % 2 ? 1 : -1;
  for (int c = 0; c < n_colours; c++) {
    s[c] = (statement){.is_colour = true, .field = field, .every = 1, .n_terms = n_terms};
    for (int k = 0; k < 3; k++) {
      const bool is_cut = k == first || k == second, is_axis = k < p->ndim;
      const int64_t parity = !is_cut ? 0 : by_two ? odd[c][k == second] : c;
      s[c].start[k] = is_axis ? 1 + parity : 0;
      s[c].step[k] = is_cut ? 2 : 1;
      s[c].n[k] = !is_axis ? 1
                  : is_cut ? (p->shape[field][k] - 1 - parity) / 2
                           : p->shape[field][k] - 2;
    }
    for (int i = 0; i < n_terms; i++) {
      s[c].terms[i] = (term){.field = field, .coefficient = 0.9 / n_terms};
      for (int k = 0; k < 3; k++) {
        s[c].terms[i].start[k] = s[c].start[k] + apart[i][k];
        s[c].terms[i].step[k] = s[c].step[k];
      }
    }
  }
  return n_colours;
}

/* The next statements, at most `most`; returns how many. */
static int draw_statement(uint64_t *r, drawn *p, statement *s, int most, int64_t kind)
{
  const int n_written = p->source < 0 ? p->n_fields : p->n_fields - 1;
  *s = (statement){.field = (int)draw(r, 0, n_written - 1), .every = 1};
  for (int k = 0; k < 3; k++) s->n[k] = s->step[k] = 1;
  const bool may_turn = !p->is_near || p->source >= 0;
  if (kind == 12 && most >= 2) return draw_colours(r, p, s, most);
  if (kind < 3 || kind == 12) {
    draw_update(r, p, s);
  } else if (kind < 6) {
    draw_border(r, p, s);
  } else if (kind >= 13 && may_turn) {
    draw_turned(r, p, s);
  } else if (kind == 8 || kind >= 13) {
    draw_strided(r, p, s);
  } else {
    const statement_kind rarely = p->is_near ? TASK : RESIDUAL;
    s->kind = kind == 6 ? ROLL : kind == 7 ? WATCHED : kind == 9 || kind == 11 ? rarely : TASK;
    s->axis = (int)draw(r, 0, p->ndim - 1);
    s->shift = draw(r, -7, 7);
    s->every = s->kind == RESIDUAL || s->kind == WATCHED ? (int)draw(r, 2, 5) : 1;
    p->is_shallow |= s->kind == ROLL;
  }
  return 1;
}

drawn draw_program(uint64_t seed)
{
  enum { N_KINDS = 15, MOST_DRAWN = 5, MOST_BORDERS = 4 };
  uint64_t r = seed;
  drawn p = {.seed = seed, .is_near = draw(&r, 0, 2) > 0, .source = -1};
  p.ndim = (int)draw(&r, 1, 3);
  p.n_fields = (int)draw(&r, 1, MOST_FIELDS);
  p.n_rounds = (int)draw(&r, p.is_near ? 4 : 1, MOST_ROUNDS);
  if (p.n_fields > 1 && draw(&r, 0, 1)) p.source = p.n_fields - 1;
  int64_t n[3];
  for (int k = 0; k < 3; k++) /* tiles of two ranks are wider than two steps reach */
    n[k] = p.ndim == 1   ? draw(&r, 200, draw(&r, 0, 1) ? 900 : 1200)
           : p.ndim == 2 ? draw(&r, 24, 45)
           : k == 0      ? draw(&r, 28, 31)
                         : draw(&r, 8, 9);
  if (p.ndim == 2 && draw(&r, 0, 2) == 0) n[1] = n[0];
  for (int f = 0; f < p.n_fields; f++)
    for (int k = 0; k < 3; k++) p.shape[f][k] = k < p.ndim ? n[k] + draw(&r, 0, 1) : 1;
  for (int n_drawn = (int)draw(&r, 1, MOST_DRAWN); n_drawn > 0; n_drawn--)
    p.n_statements +=
        draw_statement(&r, &p, &p.statements[p.n_statements], MOST_STATEMENTS - p.n_statements,
                       p.n_statements == 0 ? 0 : draw(&r, 0, N_KINDS - 1));
  int n_borders = draw(&r, 0, 3) == 0 ? (int)draw(&r, 1, MOST_BORDERS) : 0;
  for (; n_borders > 0 && p.n_statements < MOST_STATEMENTS; n_borders--)
    p.n_statements += draw_statement(&r, &p, &p.statements[p.n_statements], 1, 3);
  return p;
}

const char *drawn_property_name(drawn_property property)
{
  static const char *const names[N_PROPERTIES] = {
      [HAS_ONE_AXIS] = "one axis",
      [HAS_TWO_AXES] = "two axes",
      [HAS_THREE_AXES] = "three axes",
      [HAS_SEVERAL_FIELDS] = "several fields",
      [HAS_SEVERAL_SHAPES] = "fields of different shapes",
      [HAS_OFFSET_3] = "offsets of 3",
      [HAS_BORDERS] = "borders",
      [HAS_SEVERAL_BORDERS] = "three borders or more",
      [HAS_PERIOD] = "borders from the other end",
      [HAS_ROLL] = "rolls",
      [HAS_STRIDE] = "strided views",
      [HAS_COLOURS] = "red and black points",
      [HAS_FLIP] = "flipped views",
      [HAS_TRANSPOSE] = "transposed views",
      [HAS_RESIDUAL] = "residuals that steps read",
      [HAS_WATCHED] = "residuals that nobody reads before the end",
      [HAS_ARRAY_COEFFICIENT] = "coefficients that are arrays",
      [HAS_UPDATE_IN_PLACE] = "updates in place",
      [HAS_TASK] = "tasks"};
  return names[property];
}

static unsigned term_properties(const drawn *p, const statement *s, const term *t)
{
  unsigned has = 0;
  if (t->flipped != 0) has |= 1u << HAS_FLIP;
  if (t->turned[0] != t->turned[1]) has |= 1u << HAS_TRANSPOSE;
  if (t->by_array) has |= 1u << HAS_ARRAY_COEFFICIENT;
  bool is_displaced = false;
  for (int k = 0; k < p->ndim; k++) {
    const int64_t apart = t->start[k] - s->start[k];
    is_displaced |= apart != 0;
    if (apart == 3 || apart == -3) has |= 1u << HAS_OFFSET_3;
    if (s->is_border && (apart > 2 || apart < -2)) has |= 1u << HAS_PERIOD;
  }
  if (is_displaced && t->field == s->field && !s->is_border) has |= 1u << HAS_UPDATE_IN_PLACE;
  return has;
}

unsigned drawn_properties(const drawn *p)
{
  static const unsigned of_kind[] = {[ROLL] = 1u << HAS_ROLL,
                                     [RESIDUAL] = 1u << HAS_RESIDUAL,
                                     [WATCHED] = 1u << HAS_WATCHED,
                                     [TASK] = 1u << HAS_TASK};
  unsigned has = 1u << (HAS_ONE_AXIS + p->ndim - 1);
  int n_borders = 0;
  if (p->n_fields > 1) has |= 1u << HAS_SEVERAL_FIELDS;
  for (int f = 1; f < p->n_fields; f++)
    if (memcmp(p->shape[f], p->shape[0], sizeof p->shape[f]) != 0) has |= 1u << HAS_SEVERAL_SHAPES;
  for (int i = 0; i < p->n_statements; i++) {
    const statement *s = &p->statements[i];
    if (s->kind != LINEAR) {
      has |= of_kind[s->kind];
      continue;
    }
    n_borders += s->is_border;
    if (s->is_colour) has |= 1u << HAS_COLOURS;
    for (int k = 0; k < p->ndim && !s->is_colour; k++)
      if (s->step[k] > 1) has |= 1u << HAS_STRIDE;
    for (int t = 0; t < s->n_terms; t++) has |= term_properties(p, s, &s->terms[t]);
  }
  if (n_borders > 0) has |= 1u << HAS_BORDERS;
  if (n_borders > 2) has |= 1u << HAS_SEVERAL_BORDERS;
  return has;
}

/* The serial loop. */

static int64_t at(const int64_t *shape, const int64_t *i)
{
  return (i[0] * shape[1] + i[1]) * shape[2] + i[2];
}

static double term_at(const outcome *o, const statement *s, const term *t, const int64_t *i)
{
  int64_t from[3];
  for (int k = 0; k < 3; k++) {
    const int axis = turned_axis(t, k);
    const int64_t j = t->flipped >> axis & 1 ? s->n[axis] - 1 - i[axis] : i[axis];
    from[k] = t->start[k] + j * (t->step[k] > 0 ? t->step[k] : 1);
  }
  const double x = o->values[t->field][at(o->program->shape[t->field], from)];
  return t->coefficient * (t->by_array ? o->scale * x : x);
}

static void refer_linear(outcome *o, const statement *s)
{
  static double sums[MOST_ELEMS];
  const int64_t *shape = o->program->shape[s->field];
  int64_t i[3], n = 0;
  for (int write = 0; write < 2; write++, n = 0)
    for (i[0] = 0; i[0] < s->n[0]; i[0]++)
      for (i[1] = 0; i[1] < s->n[1]; i[1]++)
        for (i[2] = 0; i[2] < s->n[2]; i[2]++, n++) {
          int64_t to[3];
          for (int k = 0; k < 3; k++) to[k] = s->start[k] + i[k] * s->step[k];
          if (write) {
            o->values[s->field][at(shape, to)] = sums[n];
            continue;
          }
          sums[n] = term_at(o, s, &s->terms[0], i);
          for (int t = 1; t < s->n_terms; t++) sums[n] += term_at(o, s, &s->terms[t], i);
        }
}

static void refer_roll(outcome *o, const statement *s)
{
  static double old[MOST_ELEMS];
  const int64_t *shape = o->program->shape[s->field];
  double *x = o->values[s->field];
  int64_t i[3];
  memcpy(old, x, sizeof old);
  for (i[0] = 0; i[0] < shape[0]; i[0]++)
    for (i[1] = 0; i[1] < shape[1]; i[1]++)
      for (i[2] = 0; i[2] < shape[2]; i[2]++) {
        int64_t from[3] = {i[0], i[1], i[2]};
        from[s->axis] =
            ((i[s->axis] - s->shift) % shape[s->axis] + shape[s->axis]) % shape[s->axis];
        x[at(shape, i)] = 0.5 * old[at(shape, i)] + 0.25 * old[at(shape, from)];
      }
}

static void refer_task(outcome *o, const statement *s)
{
  static double old[MOST_ELEMS];
  const int64_t *shape = o->program->shape[s->field], n = shape[0] * shape[1] * shape[2],
                row = shape[1] * shape[2];
  double *x = o->values[s->field];
  memcpy(old, x, sizeof old);
  for (int64_t i = 0; i < n; i++) {
    x[i] = 0.5 * old[i];
    if (i >= row) x[i] += 0.25 * old[i - row];
    if (i + row < n) x[i] += 0.25 * old[i + row];
  }
}

void refer(outcome *o)
{
  const drawn *p = o->program;
  o->scale = 0.75;
  for (int f = 0; f < p->n_fields; f++)
    for (int64_t i = 0; i < p->shape[f][0] * p->shape[f][1] * p->shape[f][2]; i++)
      o->values[f][i] = 0.01 * (double)(i % 97) - 0.25 * f;
  for (int round = 0; round < p->n_rounds; round++)
    for (int i = 0; i < p->n_statements; i++) {
      const statement *s = &p->statements[i];
      if (s->kind == LINEAR) refer_linear(o, s);
      if (s->kind == ROLL) refer_roll(o, s);
      if (s->kind == TASK) refer_task(o, s);
      if (s->kind != RESIDUAL || round % s->every != 0) continue;
      const int64_t *n = p->shape[s->field];
      double most = -INFINITY;
      for (int64_t k = 0; k < n[0] * n[1] * n[2]; k++)
        if (most < o->values[s->field][k]) most = o->values[s->field][k];
      o->scale = 0.5 * (most < 1.0 ? most : 1.0);
    }
}
