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

/* A border of one row or two, from what lies beside it, or, where that may be, from the other end. */
static void draw_border(uint64_t *r, drawn *p, statement *s)
{
  const int axis = (int)draw(r, 0, p->ndim - 1);
  const bool is_last = draw(r, 0, 1);
  const int64_t *n = p->shape[s->field];
  s->is_border = true;
  for (int k = 0; k < p->ndim; k++) {
    s->start[k] = k == axis && is_last ? n[k] - p->n_border_rows : 0;
    s->n[k] = k == axis ? p->n_border_rows : n[k];
    s->step[k] = 1;
  }
  s->n_terms = 1;
  term *t = &s->terms[0];
  *t = (term){.field = s->field, .coefficient = draw(r, 0, 1) ? 1.0 : -0.5};
  for (int k = 0; k < 3; k++) t->step[k] = 1;
  const bool is_periodic = draw(r, 0, 1);
  t->start[axis] = is_last != is_periodic ? n[axis] - 2 * p->n_border_rows : p->n_border_rows;
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

/* An update whose last term is read with another stride than the write has. Where all distances are
 * constant, that term is of the field that nobody writes. */
static void draw_other_stride(uint64_t *r, drawn *p, statement *s)
{
  draw_update(r, p, s);
  if (s->n_terms == 1) s->terms[s->n_terms++] = s->terms[0];
  term *t = &s->terms[s->n_terms - 1];
  if (p->is_near) t->field = p->source;
  const int axis = (int)draw(r, 0, p->ndim - 1);
  const int64_t most = (p->shape[t->field][axis] - 1) / 2;
  if (s->n[axis] > most) s->n[axis] = most;
  t->step[axis] = 2;
  t->start[axis] = draw(r, 0, 1);
  for (int k = 0; k < p->ndim; k++)
    if (k != axis) t->start[k] = clamp(t->start[k], p->shape[t->field][k] - s->n[k]);
  p->has_far |= t->field != p->source;
  p->is_shallow = true;
}

/* An update that is written from its end; some read from the end, too. */
static void draw_flipped(uint64_t *r, drawn *p, statement *s)
{
  draw_update(r, p, s);
  s->flipped = 1u << draw(r, 0, p->ndim - 1);
  const bool reads_so = draw(r, 0, 2) == 0;
  for (int i = 0; i < s->n_terms && reads_so; i++) s->terms[i].flipped = s->flipped;
  p->has_far |= !reads_so;
}

/* An update whose last term is a row that all points read. */
static void draw_gather(uint64_t *r, drawn *p, statement *s)
{
  draw_update(r, p, s);
  if (s->n_terms == 1) s->terms[s->n_terms++] = s->terms[0];
  s->terms[s->n_terms - 1].fixed = 1u << draw(r, 0, p->ndim - 1);
}

/* What reads at no constant distance, or from afar, in one of N_FAR ways. */
enum { N_FAR = 7 };
static void draw_far(uint64_t *r, drawn *p, statement *s, int64_t which)
{
  s->axis = (int)draw(r, 0, p->ndim - 1);
  p->is_shallow = p->has_far = true;
  switch (which % N_FAR) {
  case 0:
    draw_flipped(r, p, s);
    break;
  case 1:
    draw_gather(r, p, s);
    break;
  case 2:
    draw_other_stride(r, p, s);
    break;
  case 3:
    s->kind = ROLL;
    s->shift = p->shape[s->field][s->axis] / 2 - draw(r, 0, 1);
    break;
  case 4:
    draw_turned(r, p, s);
    break;
  case 5:
    s->kind = p->ndim > 1 ? PRODUCT : SCAN;
    if (s->kind == PRODUCT) s->every = 3; /* it takes many points */
    break;
  default:
    s->kind = SCAN;
    break;
  }
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

enum { FAR = 100 }; /* the first kind of statements that are as draw_far says */

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
  } else if (kind >= FAR) {
    draw_far(r, p, s, kind - FAR);
  } else if (kind == 15 && may_turn) {
    draw_other_stride(r, p, s);
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
    if (s->kind == TASK) s->task = (task_kind)draw(r, TASK_PLAIN, TASK_OF_WHOLE_AXIS);
    if (s->task == TASK_OF_WHOLE_AXIS && p->is_near) s->axis = p->ndim - 1;
    if (s->task == TASK_OF_WHOLE_AXIS && p->is_near && p->ndim == 1) s->task = TASK_OF_GRAIN;
  }
  return 1;
}

/* The lengths of the axes, and the shapes of fields, which are about as long or twice so: tiles of
 * such lie elsewhere. */
static void draw_shapes(uint64_t *r, drawn *p, bool is_long)
{
  int64_t n[3];
  for (int k = 0; k < 3; k++) /* tiles of two ranks are wider than two steps reach */
    n[k] = p->ndim == 1   ? draw(r, 200, draw(r, 0, 1) ? 900 : 1200)
           : p->ndim == 2 ? draw(r, 24, 45)
           : k == 0       ? draw(r, 28, 31)
                          : draw(r, 8, 9);
  if (p->ndim == 2 && draw(r, 0, 2) == 0) n[1] = n[0];
  const int twice = p->n_fields > 1 && draw(r, 0, 3) == 0 ? (int)draw(r, 1, p->n_fields - 1) : -1;
  p->is_shallow |= twice >= 0;
  if (is_long) n[0] = p->ndim == 1 ? 30000 : p->ndim == 2 ? 30000 / (n[1] + 1) : 300;
  for (int f = 0; f < p->n_fields; f++)
    for (int k = 0; k < 3; k++)
      p->shape[f][k] = k >= p->ndim ? 1 : n[k] * (f == twice && k == 0 ? 2 : 1) + draw(r, 0, 1);
}

drawn draw_program(uint64_t seed, bool is_long)
{
  enum { N_KINDS = 16, MOST_DRAWN = 5, MOST_BORDERS = 4, MOST_STEPS = 60 };
  uint64_t r = seed;
  drawn p = {.seed = seed, .is_near = draw(&r, 0, 2) > 0, .source = -1};
  p.ndim = (int)draw(&r, 1, 3);
  p.n_fields = (int)draw(&r, 1, MOST_FIELDS);
  p.n_rounds = (int)draw(&r, p.is_near ? 4 : 1, MOST_ROUNDS);
  p.n_border_rows = draw(&r, 0, 3) == 0 ? 2 : 1;
  if (p.n_fields > 1 && draw(&r, 0, 1)) p.source = p.n_fields - 1;
  draw_shapes(&r, &p, is_long);
  int64_t kinds[MOST_STATEMENTS] = {0};
  int n_drawn = (int)draw(&r, 1, MOST_DRAWN);
  for (int i = 1; i < n_drawn; i++) kinds[i] = draw(&r, 0, N_KINDS - 1);
  const int64_t far = draw(&r, 0, N_FAR - 1), other = far + draw(&r, 1, N_FAR - 1);
  if (!p.is_near) kinds[n_drawn++] = FAR + far;
  if (!p.is_near) kinds[n_drawn++] = FAR + other;
  int n_borders = draw(&r, 0, 3) == 0 ? (int)draw(&r, 1, MOST_BORDERS) : 0;
  for (; n_borders > 0 && n_drawn < MOST_STATEMENTS; n_borders--) kinds[n_drawn++] = 3;
  for (int i = 0; i < n_drawn && p.n_statements < MOST_STATEMENTS; i++)
    p.n_statements += draw_statement(&r, &p, &p.statements[p.n_statements],
                                     MOST_STATEMENTS - p.n_statements, kinds[i]);
  while (p.n_rounds > 4 && p.n_rounds * p.n_statements > MOST_STEPS) p.n_rounds--;
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
      [HAS_TASK] = "tasks",
      [HAS_FLIPPED_WRITE] = "flipped writes",
      [HAS_OTHER_STRIDE] = "reads with another stride than the write",
      [HAS_WIDE_BORDER] = "borders of two rows",
      [HAS_TWICE_THE_LENGTH] = "fields of twice the length",
      [HAS_TASK_OF_GRAIN] = "tasks of a grain",
      [HAS_TASK_OF_WHOLE_AXIS] = "tasks of a whole axis",
      [HAS_GATHER] = "rows that all points read",
      [HAS_FAR_ROLL] = "rolls by half of an axis",
      [HAS_SCAN] = "scans",
      [HAS_PRODUCT] = "products with a matrix"};
  return names[property];
}

static unsigned term_properties(const drawn *p, const statement *s, const term *t)
{
  unsigned has = 0;
  if (t->flipped != 0) has |= 1u << HAS_FLIP;
  if (t->turned[0] != t->turned[1]) has |= 1u << HAS_TRANSPOSE;
  if (t->by_array) has |= 1u << HAS_ARRAY_COEFFICIENT;
  if (t->fixed != 0) has |= 1u << HAS_GATHER;
  bool is_displaced = false;
  for (int k = 0; k < p->ndim; k++) {
    const int64_t apart = t->start[k] - s->start[k];
    is_displaced |= apart != 0;
    if (apart == 3 || apart == -3) has |= 1u << HAS_OFFSET_3;
    if (s->is_border && (apart > 2 || apart < -2)) has |= 1u << HAS_PERIOD;
    if (t->turned[0] == t->turned[1] && t->step[k] != s->step[k]) has |= 1u << HAS_OTHER_STRIDE;
  }
  if (is_displaced && t->field == s->field && !s->is_border) has |= 1u << HAS_UPDATE_IN_PLACE;
  return has;
}

unsigned drawn_properties(const drawn *p)
{
  static const unsigned of_kind[] = {
      [ROLL] = 1u << HAS_ROLL, [RESIDUAL] = 1u << HAS_RESIDUAL, [WATCHED] = 1u << HAS_WATCHED,
      [TASK] = 1u << HAS_TASK, [SCAN] = 1u << HAS_SCAN,         [PRODUCT] = 1u << HAS_PRODUCT};
  static const unsigned of_task[] = {[TASK_OF_GRAIN] = 1u << HAS_TASK_OF_GRAIN,
                                     [TASK_OF_WHOLE_AXIS] = 1u << HAS_TASK_OF_WHOLE_AXIS};
  unsigned has = 1u << (HAS_ONE_AXIS + p->ndim - 1);
  int n_borders = 0;
  if (p->n_fields > 1) has |= 1u << HAS_SEVERAL_FIELDS;
  for (int f = 1; f < p->n_fields; f++)
    if (memcmp(p->shape[f], p->shape[0], sizeof p->shape[f]) != 0) has |= 1u << HAS_SEVERAL_SHAPES;
  for (int f = 1; f < p->n_fields; f++)
    if (p->shape[f][0] > p->shape[0][0] + 1) has |= 1u << HAS_TWICE_THE_LENGTH;
  for (int i = 0; i < p->n_statements; i++) {
    const statement *s = &p->statements[i];
    if (s->kind != LINEAR) {
      has |= of_kind[s->kind];
      if (s->kind == TASK) has |= of_task[s->task];
      if (s->kind == ROLL && s->shift > 7) has |= 1u << HAS_FAR_ROLL;
      continue;
    }
    n_borders += s->is_border;
    if (s->is_border && p->n_border_rows > 1) has |= 1u << HAS_WIDE_BORDER;
    if (s->flipped != 0) has |= 1u << HAS_FLIPPED_WRITE;
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
    const int64_t step = t->fixed >> k & 1 ? 0 : t->step[k] > 0 ? t->step[k] : 1;
    from[k] = t->start[k] + j * step;
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
          for (int k = 0; k < 3; k++)
            to[k] = s->start[k] + (s->flipped >> k & 1 ? s->n[k] - 1 - i[k] : i[k]) * s->step[k];
          if (write) {
            o->values[s->field][at(shape, to)] = sums[n];
            continue;
          }
          sums[n] = term_at(o, s, &s->terms[0], i);
          for (int t = 1; t < s->n_terms; t++) sums[n] += term_at(o, s, &s->terms[t], i);
        }
}

/* The field's values before a statement; those of the last one end. */
static const double *copy_of(const double *x, const int64_t *shape)
{
  static double old[MOST_ELEMS];
  return memcpy(old, x, (size_t)(shape[0] * shape[1] * shape[2]) * sizeof *x);
}

static void refer_roll(outcome *o, const statement *s)
{
  const int64_t *shape = o->program->shape[s->field];
  double *x = o->values[s->field];
  int64_t i[3];
  const double *old = copy_of(x, shape);
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
  const int64_t *shape = o->program->shape[s->field], n = shape[0] * shape[1] * shape[2],
                row = shape[1] * shape[2];
  double *x = o->values[s->field];
  const double *old = copy_of(x, shape);
  for (int64_t i = 0; i < n; i++) {
    x[i] = 0.5 * old[i];
    if (i >= row) x[i] += 0.25 * old[i - row];
    if (i + row < n) x[i] += 0.25 * old[i + row];
  }
}

/* The greatest that lies before a point along the axis, itself included. */
static double greatest_before(const double *x, const int64_t *shape, int axis, const int64_t *i)
{
  double most = -INFINITY;
  int64_t from[3] = {i[0], i[1], i[2]};
  for (from[axis] = 0; from[axis] <= i[axis]; from[axis]++)
    if (most < x[at(shape, from)]) most = x[at(shape, from)];
  return most;
}

static void refer_far(outcome *o, const statement *s)
{
  const int last = o->program->ndim - 1;
  const int64_t *shape = o->program->shape[s->field];
  double *x = o->values[s->field];
  int64_t i[3];
  const double *old = copy_of(x, shape);
  for (i[0] = 0; i[0] < shape[0]; i[0]++)
    for (i[1] = 0; i[1] < shape[1]; i[1]++)
      for (i[2] = 0; i[2] < shape[2]; i[2]++) {
        const double *here = old + at(shape, i);
        const double other = s->kind == SCAN ? greatest_before(old, shape, s->axis, i)
                             : i[last] > 0   ? 0.5 * here[0] + 0.25 * here[-1]
                                             : 0.5 * here[0];
        x[at(shape, i)] = 0.5 * here[0] + 0.25 * other;
      }
}

/* The sum of squares of a part of a field that begins at lo and has 2^bits places along each axis,
 * as kernel/reduce/tree.c says: the longest axis is halved first, the low 6 bits of the last axis
 * come last. */
static double sum_of_tree(const double *x, const int64_t *shape, int last, const int64_t *lo,
                          const int *bits)
{
  const int low_bits = bits[last] < 6 ? bits[last] : 6;
  int axis = -1;
  for (int k = 0; k <= last; k++)
    if (bits[k] > (k == last ? low_bits : 0) && (axis < 0 || bits[k] > bits[axis])) axis = k;
  if (axis < 0 && bits[last] > 0) axis = last;
  if (axis < 0) return x[at(shape, lo)] * x[at(shape, lo)];
  int half[3] = {bits[0], bits[1], bits[2]};
  int64_t middle[3] = {lo[0], lo[1], lo[2]};
  half[axis]--;
  middle[axis] += (int64_t)1 << half[axis];
  const double left = sum_of_tree(x, shape, last, lo, half);
  return middle[axis] < shape[axis] ? left + sum_of_tree(x, shape, last, middle, half) : left;
}

static double sum_of_squares(const outcome *o, int field)
{
  const int64_t *shape = o->program->shape[field], lo[3] = {0};
  int bits[3] = {0};
  for (int k = 0; k < 3; k++)
    while ((int64_t)1 << bits[k] < shape[k]) bits[k]++;
  return sum_of_tree(o->values[field], shape, o->program->ndim - 1, lo, bits);
}

static void refer_residual(outcome *o, const statement *s, int round)
{
  const int64_t *n = o->program->shape[s->field];
  double most = -INFINITY;
  for (int64_t k = 0; k < n[0] * n[1] * n[2]; k++)
    if (most < o->values[s->field][k]) most = o->values[s->field][k];
  o->sums[round] = sum_of_squares(o, s->field);
  o->scale = 0.5 * (most < 1.0 ? most : 1.0);
}

void refer(outcome *o)
{
  const drawn *p = o->program;
  o->scale = 0.75;
  for (int f = 0; f < p->n_fields; f++)
    for (int64_t i = 0; i < p->shape[f][0] * p->shape[f][1] * p->shape[f][2]; i++)
      o->values[f][i] = 0.01 * (double)(i % 97) - 0.25 * f;
  for (int round = 0; round < p->n_rounds; round++) {
    for (int i = 0; i < p->n_statements; i++) {
      const statement *s = &p->statements[i];
      if (s->kind == LINEAR) refer_linear(o, s);
      if (s->kind == ROLL) refer_roll(o, s);
      if (s->kind == TASK) refer_task(o, s);
      if ((s->kind == SCAN || s->kind == PRODUCT) && round % s->every == 0) refer_far(o, s);
      if (s->kind == RESIDUAL && round % s->every == 0) refer_residual(o, s, round);
    }
    for (int i = 0; i < p->n_statements; i++)
      if (p->statements[i].kind == WATCHED && round % p->statements[i].every == 0)
        o->watched[round] = sum_of_squares(o, p->statements[i].field);
  }
}
