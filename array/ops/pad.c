/* Pads an array: it is assigned to the middle of a new array, then the borders are filled axis by
 * axis from the part that is already filled. */
#include "array/ops/pad.h"
#include "array/core/axes.h"
#include "array/ops/join.h"
#include "array/ops/step_ops.h"

#include <inttypes.h>
#include <string.h>

typedef enum pad_mode {
  PAD_CONSTANT,
  PAD_EDGE,
  PAD_WRAP,
  PAD_REFLECT,
  PAD_SYMMETRIC,
  PAD_LINEAR_RAMP,
  PAD_MAXIMUM,
  PAD_MEAN,
  PAD_MEDIAN,
  PAD_MINIMUM,
  PAD_EMPTY,
  N_PAD_MODES
} pad_mode;

enum { TAKES_LENGTH = 1, TAKES_TYPE = 2 };

/* By mode: its name, NumPy's name of its value, and the options that it takes. */
static const struct {
  const char *name, *value;
  int takes;
} modes[N_PAD_MODES] = {[PAD_CONSTANT] = {"constant", "constant_values", 0},
                        [PAD_EDGE] = {"edge", "", 0},
                        [PAD_WRAP] = {"wrap", "", 0},
                        [PAD_REFLECT] = {"reflect", "", TAKES_TYPE},
                        [PAD_SYMMETRIC] = {"symmetric", "", TAKES_TYPE},
                        [PAD_LINEAR_RAMP] = {"linear_ramp", "end_values", 0},
                        [PAD_MAXIMUM] = {"maximum", "", TAKES_LENGTH},
                        [PAD_MEAN] = {"mean", "", TAKES_LENGTH},
                        [PAD_MEDIAN] = {"median", "", TAKES_LENGTH},
                        [PAD_MINIMUM] = {"minimum", "", TAKES_LENGTH},
                        [PAD_EMPTY] = {"empty", "", 0}};

typedef struct padding {
  tsr_steps *w;
  tsr_array made;
  pad_mode mode;
  bool is_odd;
  tsr_operand sides[2 * TSR_MAX_NDIM]; /* values before and after each axis */
  int64_t lengths[2][TSR_MAX_NDIM];    /* of what statistics are of; INT64_MAX: all */
  tsr_dtype dtype;
  tsr_dims shape;                            /* shape of `made` */
  int64_t lo[TSR_MAX_NDIM], n[TSR_MAX_NDIM]; /* the filled box */
} padding;

static int mode_of(const tsr_steps *w, const char *mode)
{
  for (int i = 0; i < N_PAD_MODES; i++)
    if (mode && !strcmp(mode, modes[i].name)) return i;
  tsr__fail(w->c, w->where, TSR_ERR_ARGUMENT,
            "there is no mode \"%s\"; the modes are constant, edge, wrap, reflect, symmetric, "
            "linear_ramp, maximum, mean, median, minimum and empty",
            mode ? mode : "NULL");
  return -1;
}

/* Reads one width for all axes, or one per axis; returns false with an error. */
static bool widths_of(const tsr_steps *w, const tsr_dims *given, int ndim, const char *what,
                      int64_t *out)
{
  if (given->ndim != 1 && given->ndim != ndim) {
    tsr__fail(w->c, w->where, TSR_ERR_SHAPE, "%d widths %s an array of %d %s", given->ndim, what,
              ndim, ndim == 1 ? "axis" : "axes");
    return false;
  }
  for (int k = 0; k < ndim; k++) {
    out[k] = given->n[given->ndim == 1 ? 0 : k];
    if (out[k] >= 0) continue;
    tsr__fail(w->c, w->where, TSR_ERR_ARGUMENT, "the width %" PRId64 " %s axis %d is negative",
              out[k], what, k);
    return false;
  }
  return true;
}

static bool fill_border(const padding *p, int axis, int64_t at, int64_t width, tsr_operand value)
{
  int64_t lo[TSR_MAX_NDIM], n[TSR_MAX_NDIM];
  memcpy(lo, p->lo, sizeof lo);
  memcpy(n, p->n, sizeof n);
  lo[axis] = at;
  n[axis] = width;
  return tsr__put(p->w, p->made, lo, n, value);
}

/* Returns `width` rows of the filled box from `at` on, in reverse order if step is -1. */
static tsr_operand rows(const padding *p, int axis, int64_t at, int64_t width, int step)
{
  tsr_edit e;
  if (!tsr__edit_begin(&e, p->w->where, p->made)) return tsr_box_array(tsr_null());
  for (int k = 0; k < p->shape.ndim; k++)
    tsr__view_slice(e.view, k, k == axis ? at : p->lo[k], k == axis ? width : p->n[k],
                    k == axis ? step : 1);
  return tsr_box_array(tsr__edit_end(&e));
}

static int64_t min64(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

/* Fills borders of the widths `left` and `right`, each from the rows `by` further inside. */
static bool move_in(padding *p, int axis, int64_t by, int64_t left, int64_t right)
{
  const int64_t lo = p->lo[axis], end = lo + p->n[axis];
  if (left > 0 && !fill_border(p, axis, lo - left, left, rows(p, axis, lo + by - left, left, 1)))
    return false;
  return right == 0 || fill_border(p, axis, end, right, rows(p, axis, end - by, right, 1));
}

/* Returns the value in the dtype of the padded array. */
static tsr_operand in_dtype(const padding *p, tsr_array value)
{
  if (!tsr_ok(value) || tsr_dtype_of_at(p->w->where, value) == p->dtype)
    return tsr_box_array(value);
  return tsr_box_array(tsr_astype_at(p->w->where, tsr_box_array(value), p->dtype));
}

/* Returns the rows, or twice the edge less the rows if the mirror image is odd. */
static tsr_operand mirrored(const padding *p, int axis, int64_t edge, int64_t at, int64_t width)
{
  const tsr_operand image = rows(p, axis, at, width, -1);
  if (!p->is_odd) return image;
  const tsr_array twice =
      tsr__map2(p->w, TSR_OP_MULTIPLY, rows(p, axis, edge, 1, 1), tsr_box_int(2));
  return in_dtype(p, tsr__map2(p->w, TSR_OP_SUBTRACT, tsr_box_array(twice), image));
}

/* Fills borders of the widths `left` and `right` with the rows mirrored at the edges, which are
 * repeated in the mode "symmetric" alone. */
static bool mirror(padding *p, int axis, int64_t left, int64_t right)
{
  const int64_t lo = p->lo[axis], last = lo + p->n[axis] - 1;
  const int64_t skip = p->mode == PAD_REFLECT;
  if (left > 0 &&
      !fill_border(p, axis, lo - left, left, mirrored(p, axis, lo, lo + left - 1 + skip, left)))
    return false;
  return right == 0 ||
         fill_border(p, axis, last + 1, right, mirrored(p, axis, last, last - skip, right));
}

/* Fills borders that repeat the array. Each round copies as many whole periods as are filled, so
 * the number of rounds is logarithmic. A mirrored array is periodic once one mirrored copy stands
 * next to it, unless the mirror image is odd: then each round mirrors whole periods. */
static bool repeat(padding *p, int axis, int64_t before, int64_t after)
{
  const int64_t length = p->n[axis], skip = p->mode == PAD_REFLECT;
  int64_t period = length;
  if (p->mode != PAD_WRAP) period = length > 1 ? 2 * (length - skip) : 1;
  while (before > 0 || after > 0) {
    const bool is_whole = !p->is_odd && p->n[axis] >= period;
    const int64_t once = length - skip;
    const int64_t most = is_whole    ? p->n[axis] / period * period
                         : p->is_odd ? (p->n[axis] - skip) / once * once
                                     : once;
    const int64_t left = min64(before, most), right = min64(after, most);
    if (!(is_whole ? move_in(p, axis, most, left, right) : mirror(p, axis, left, right)))
      return false;
    p->lo[axis] -= left;
    p->n[axis] += left + right;
    before -= left;
    after -= right;
  }
  return true;
}

/* Returns end + i (edge - end) / width, for i from 0 to width - 1 along the axis, computed in
 * float64 or complex128, and rounded down for integers. */
static tsr_operand ramp(const padding *p, int axis, int64_t width, tsr_operand edge,
                        tsr_operand end)
{
  const tsr_steps *w = p->w;
  const bool is_complex = tsr__dtype_is_complex(p->dtype);
  const tsr_dtype wide = is_complex ? TSR_COMPLEX128 : TSR_FLOAT64;
  tsr_dims along = {.ndim = p->shape.ndim};
  for (int k = 0; k < along.ndim; k++) along.n[k] = k == axis ? width : 1;
  const tsr_operand from = tsr_box_array(tsr_astype_at(w->where, edge, wide));
  const tsr_array rise = tsr__map2(w, TSR_OP_SUBTRACT, from, end);
  const tsr_array step =
      tsr__map2(w, TSR_OP_DIVIDE, tsr_box_array(rise), tsr_box_float((double)width));
  const tsr_array part = tsr__map2(w, TSR_OP_MULTIPLY, tsr_box_array(step),
                                   tsr_box_array(tsr__index_along(w, &along, axis)));
  tsr_array made = tsr__map2(w, TSR_OP_ADD, tsr_box_array(part), end);
  if (tsr__dtype_is_integer(p->dtype)) made = tsr__map1(w, TSR_OP_FLOOR, tsr_box_array(made));
  return in_dtype(p, made);
}

/* Fills the side with values that lead from the given one to the edge. */
static bool ramp_side(const padding *p, int axis, int side, int64_t width)
{
  const int64_t lo = p->lo[axis], end = lo + p->n[axis];
  const tsr_operand edge = rows(p, axis, side == 0 ? lo : end - 1, 1, 1);
  const tsr_operand value = ramp(p, axis, width, edge, p->sides[2 * axis + side]);
  if (side == 0) return fill_border(p, axis, 0, width, value);
  const tsr_operand target = rows(p, axis, end + width - 1, width, -1);
  return tsr_ok(target.as.array) && tsr_assign_at(p->w->where, target.as.array, value) == TSR_OK;
}

/* Returns the statistic of so many rows at the side, rounded for integers. */
static tsr_operand statistic(const padding *p, int axis, int side)
{
  const tsr_location *where = p->w->where;
  const int64_t n = p->n[axis], length = min64(p->lengths[side][axis], n);
  if (length == 0 && (p->mode == PAD_MAXIMUM || p->mode == PAD_MINIMUM)) {
    tsr__fail(p->w->c, where, TSR_ERR_SHAPE, "the %s of no elements: a stat_length of 0",
              modes[p->mode].name);
    return tsr_box_array(tsr_null());
  }
  const int64_t at = p->lo[axis] + (side == 0 ? 0 : n - length);
  const tsr_operand part = rows(p, axis, at, length, 1);
  const tsr_axes options = {.n = 1, .axis = {axis}, .keepdims = true};
  tsr_array value = p->mode == PAD_MAXIMUM   ? tsr_max_at(where, part, 1, &options)
                    : p->mode == PAD_MINIMUM ? tsr_min_at(where, part, 1, &options)
                    : p->mode == PAD_MEAN    ? tsr_mean_at(where, part, 1, &options)
                                             : tsr_median_at(where, part, 1, &options);
  /* The extremes of integers are integers, of which floats do not hold all. */
  if (p->mode != PAD_MAXIMUM && p->mode != PAD_MINIMUM && tsr__dtype_is_integer(p->dtype))
    value = tsr__map1(p->w, TSR_OP_RINT, tsr_box_array(value));
  return in_dtype(p, value);
}

/* Fills one side by a value or rows that are alike. */
static bool fill_side(const padding *p, int axis, int side, int64_t width)
{
  const int64_t lo = p->lo[axis], end = lo + p->n[axis];
  if (p->mode == PAD_EMPTY || width == 0) return true;
  if (p->mode == PAD_LINEAR_RAMP) return ramp_side(p, axis, side, width);
  const tsr_operand value = p->mode == PAD_CONSTANT ? p->sides[2 * axis + side]
                            : p->mode == PAD_EDGE   ? rows(p, axis, side == 0 ? lo : end - 1, 1, 1)
                                                    : statistic(p, axis, side);
  return fill_border(p, axis, side == 0 ? 0 : end, width, value);
}

static bool pad_axis(padding *p, int axis, int64_t before, int64_t after)
{
  const pad_mode mode = p->mode;
  const bool mirrors = mode == PAD_REFLECT || mode == PAD_SYMMETRIC;
  bool ok;
  if (mode == PAD_WRAP || (mirrors && p->n[axis] > 1)) return repeat(p, axis, before, after);
  if (mirrors) p->mode = PAD_EDGE; /* of one row */
  ok = fill_side(p, axis, 0, before) && fill_side(p, axis, 1, after);
  p->mode = mode;
  p->lo[axis] = 0;
  p->n[axis] = p->shape.n[axis];
  return ok;
}

static tsr_array pad(padding *p, tsr_array x, const int64_t *before, const int64_t *after)
{
  const tsr_steps *w = p->w;
  p->shape = tsr__dims_of(w->c, x);
  for (int k = 0; k < p->shape.ndim; k++) {
    p->lo[k] = before[k];
    p->n[k] = p->shape.n[k];
    if (p->n[k] == 0 && p->mode != PAD_CONSTANT && p->mode != PAD_EMPTY &&
        (before[k] > 0 || after[k] > 0)) {
      tsr__fail(w->c, w->where, TSR_ERR_SHAPE,
                "axis %d is empty: there is nothing to repeat in its padding", k);
      return tsr_null();
    }
    int64_t widths;
    if (__builtin_add_overflow(before[k], after[k], &widths) ||
        __builtin_add_overflow(p->shape.n[k], widths, &p->shape.n[k]))
      p->shape.n[k] = INT64_MAX;
  }
  p->dtype = tsr__handle_peek(w->c, x)->region->dtype;
  p->made = tsr__uninitialised(w, p->dtype, &p->shape);
  if (!tsr_ok(p->made) || !tsr__put(w, p->made, p->lo, p->n, tsr_box_array(x))) return tsr_null();
  for (int k = 0; k < p->shape.ndim; k++)
    if (!pad_axis(p, k, before[k], after[k])) return tsr_null();
  return p->made;
}

/* Are the values of an array of no higher kind? Ramps to floats are rounded down for integers. */
static bool holds(const padding *p, tsr_array values)
{
  const tsr_dtype from = tsr_dtype_of_at(p->w->where, values);
  const tsr_kind own = tsr__dtype_kind(p->dtype), kind = tsr__dtype_kind(from);
  const bool is_integer = tsr__dtype_is_integer(p->dtype) && tsr__dtype_is_integer(from);
  if (kind <= own || is_integer || (p->mode == PAD_LINEAR_RAMP && kind < TSR_KIND_COMPLEX))
    return true;
  tsr_error *e =
      tsr__fail_begin(p->w->c, p->w->where, TSR_ERR_CAST, "values of %s around an array of %s",
                      tsr__dtype_info(from)->name, tsr__dtype_info(p->dtype)->name);
  tsr__error_help(e, "tsr_astype(values, dtype) casts explicitly");
  tsr__fail_end(p->w->c);
  return false;
}

/* Gives each side its value: of one array, which broadcasts to [ndim, 2], or of several operands,
 * one for all sides, one pair for all axes, or a pair for each axis. */
static bool set_values(padding *p, int ndim, int n, const tsr_operand *values)
{
  const tsr_steps *w = p->w;
  if (n != 1 || values[0].kind != TSR_OPERAND_ARRAY) {
    if (n != 1 && n != 2 && n != 2 * ndim) {
      tsr__fail(w->c, w->where, TSR_ERR_ARGUMENT,
                "the values are one, one before and one after each axis, or such a pair for each "
                "axis, not %d of %d axes",
                n, ndim);
      return false;
    }
    for (int k = 0; k < 2 * ndim; k++) p->sides[k] = values[n == 1 ? 0 : n == 2 ? k % 2 : k];
    return true;
  }
  if (tsr__handle(w->c, w->where, values[0].as.array) == NULL || !holds(p, values[0].as.array))
    return false;
  const tsr_operand cast = p->mode == PAD_CONSTANT ? in_dtype(p, values[0].as.array) : values[0];
  const tsr_array all =
      tsr_broadcast_to_at(w->where, cast.as.array, (tsr_dims){.ndim = 2, .n = {ndim, 2}});
  for (int k = 0; k < 2 * ndim && tsr_ok(all); k++) {
    tsr_edit e;
    if (!tsr__edit_begin(&e, w->where, all)) return false;
    tsr__view_index(e.view, 0, k / 2);
    tsr__view_index(e.view, 0, k % 2);
    p->sides[k] = tsr_box_array(tsr__edit_end(&e));
  }
  return tsr_ok(all);
}

/* Reads the option; returns false with an error, also of one that the mode does not take. */
static bool set_option(padding *p, int ndim, const tsr_padding *o)
{
  const tsr_steps *w = p->w;
  const char *refused = NULL;
  if (o->kind == TSR_PADDING_STAT_LENGTH) {
    if (modes[p->mode].takes & TAKES_LENGTH)
      return widths_of(w, &o->before, ndim, "of stat_length before", p->lengths[0]) &&
             widths_of(w, &o->after, ndim, "of stat_length after", p->lengths[1]);
    refused = "stat_length";
  } else if (o->kind == TSR_PADDING_REFLECT_TYPE) {
    p->is_odd = o->text && strcmp(o->text, "odd") == 0;
    if (!(modes[p->mode].takes & TAKES_TYPE)) {
      refused = "reflect_type";
    } else if (!p->is_odd && !(o->text && strcmp(o->text, "even") == 0)) {
      tsr__fail(w->c, w->where, TSR_ERR_ARGUMENT, "reflect_type is \"even\" or \"odd\", not \"%s\"",
                o->text ? o->text : "NULL");
      return false;
    }
  } else if (o->kind == TSR_PADDING_VALUE && strcmp(o->text, modes[p->mode].value) != 0) {
    refused = o->text;
  }
  if (refused)
    tsr__fail(w->c, w->where, TSR_ERR_ARGUMENT, "the mode \"%s\" takes no %s", modes[p->mode].name,
              refused);
  return !refused;
}

static bool set_options(padding *p, int ndim, int n, const tsr_padding *options)
{
  for (int k = 0; k < 2 * TSR_MAX_NDIM; k++) p->lengths[k % 2][k / 2] = INT64_MAX;
  for (int i = 0; i < n; i++)
    if (!set_option(p, ndim, &options[i])) return false;
  return true;
}

tsr_array tsr__pad(const tsr_location *where, tsr_array x, tsr_dims before, tsr_dims after,
                   const char *mode, int n_values, const tsr_operand *values, int n_options,
                   const tsr_padding *options)
{
  tsr_steps w = tsr__steps_begin(where);
  int64_t widths[2][TSR_MAX_NDIM];
  tsr_array made = tsr_null();
  if (tsr__handle(w.c, where, x)) {
    const int ndim = tsr__dims_of(w.c, x).ndim, how = mode_of(&w, mode);
    padding p = {.w = &w, .mode = (pad_mode)how, .dtype = tsr_dtype_of_at(where, x)};
    if (how >= 0 && widths_of(&w, &before, ndim, "before", widths[0]) &&
        widths_of(&w, &after, ndim, "after", widths[1]) &&
        set_options(&p, ndim, n_options, options) && set_values(&p, ndim, n_values, values))
      made = pad(&p, x, widths[0], widths[1]);
  }
  return tsr__steps_end(&w, made);
}

tsr_array tsr_pad_at(const tsr_location *where, tsr_array x, tsr_dims before, tsr_dims after,
                     const char *mode, tsr_operand value, int n_options, const tsr_padding *options)
{
  return tsr__pad(where, x, before, after, mode, 1, &value, n_options, options);
}
