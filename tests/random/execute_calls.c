/* Calls and arrangements (calls.h) through Tessera's public interface. */
#include "calls.h"
#include "execute.h"

/* The results of a call that gives several: the one that is wanted, without the others. */
static tsr_array one_of(const tsr_location *at, tsr_array *made, int64_t n, int64_t which)
{
  tsr_array wanted = made[which];
  for (int64_t i = 0; i < n; i++)
    if (i != which) tsr_release_at(at, &made[i]);
  return wanted;
}

tsr_array execute_arrange(const tsr_location *at, const node *n, tsr_array x)
{
  const int *axis = n->axes.axis;
  const tsr_axes pair = {.n = 2, .axis = {axis[0], axis[1]}};
  tsr_array parts[4];
  switch (n->index) {
  case ARRANGE_SWAPAXES:
    return tsr_swapaxes_at(at, x, axis[0], axis[1]);
  case ARRANGE_MOVEAXIS:
    return tsr_moveaxis_at(at, x, (tsr_axes){.n = 1, .axis = {axis[0]}},
                           (tsr_axes){.n = 1, .axis = {axis[1]}});
  case ARRANGE_SQUEEZE:
    return tsr_squeeze_at(at, x, n->axes);
  case ARRANGE_ROT90:
    return tsr_rot90_at(at, x, (int)n->by, pair);
  case ARRANGE_ATLEAST:
    return (n->by == 1   ? tsr_atleast_1d_at
            : n->by == 2 ? tsr_atleast_2d_at
                         : tsr_atleast_3d_at)(at, tsr_box_array(x));
  default:
    if (tsr_array_split_at(at, parts, x, n->by, n->axis) != TSR_OK) return tsr_null();
    return one_of(at, parts, n->by, n->style);
  }
}

static tsr_array draw(const tsr_location *at, const node *n)
{
  tsr_rng rng = {.seed = n->seed, .n_draws = (uint64_t)n->by};
  tsr_operand low = execute_box(&n->value[0]), high = execute_box(&n->value[1]);
  switch (n->index) {
  case CALL_UNIFORM:
    return tsr_rng_uniform_at(at, &rng, low, high, n->shape, n->dtype);
  case CALL_NORMAL:
    return tsr_rng_normal_at(at, &rng, low, high, n->shape, n->dtype);
  case CALL_EXPONENTIAL:
    return tsr_rng_exponential_at(at, &rng, high, n->shape, n->dtype);
  case CALL_CHOICE:
    return tsr_rng_choice_at(at, &rng, low, n->shape, n->style);
  case CALL_ORDER:
    return tsr_rng_permutation_at(at, &rng, tsr_box_int(n->shape.n[0]));
  default:
    return tsr_rng_integers_at(at, &rng, low, high, n->shape, n->dtype);
  }
}

static tsr_array make(const tsr_location *at, const node *n)
{
  const tsr_operand start = execute_box(&n->value[0]), stop = execute_box(&n->value[1]);
  switch (n->index) {
  case CALL_TRI:
    return tsr_tri_at(at, n->shape.n[0], n->shape.n[1], n->by, n->dtype);
  case CALL_EYE:
    if (n->by == 0 && n->shape.n[0] == n->shape.n[1])
      return tsr_identity_at(at, n->shape.n[0], n->dtype);
    return tsr_eye_at(at, n->shape.n[0], n->shape.n[1], n->by, n->dtype);
  case CALL_LINSPACE:
    return tsr_linspace_at(at, start, stop, n->shape.n[0], n->style, n->dtype, 0);
  case CALL_LOGSPACE:
    return tsr_logspace_at(at, start, stop, n->shape.n[0], n->style, n->value[2].f, n->dtype, 0);
  case CALL_GEOMSPACE:
    return tsr_geomspace_at(at, start, stop, n->shape.n[0], n->style, n->dtype, 0);
  case CALL_INDICES:
    return tsr_indices_at(at, n->shape, n->dtype);
  default:
    return draw(at, n);
  }
}

/* The parts of an array as they are drawn. */
static tsr_array reorder(const tsr_location *at, const node *n, tsr_array x)
{
  tsr_rng rng = {.seed = n->seed, .n_draws = (uint64_t)n->by};
  if (n->index == CALL_PERMUTATION) return tsr_rng_permutation_at(at, &rng, tsr_box_array(x));
  if (n->index == CALL_CHOICE_OF)
    return tsr_rng_choice_at(at, &rng, tsr_box_array(x), n->shape, n->style);
  x = tsr_copy_at(at, tsr_box_array(x));
  return tsr_rng_shuffle_at(at, &rng, x) == TSR_OK ? x : tsr_null();
}

static tsr_array move(const tsr_location *at, const node *n, tsr_arrays all)
{
  tsr_array a = all.v[0], made[3];
  switch (n->index) {
  case CALL_RESHAPE:
    if (n->style == 1) return tsr_copy_at(at, tsr_box_array(tsr_ravel_at(at, a)));
    if (n->style == 2) return tsr_flatten_at(at, a);
    return tsr_copy_at(at, tsr_box_array(tsr_reshape_at(at, a, n->shape)));
  case CALL_ROLL:
    return tsr_roll_at(at, a, tsr_dims_of_one(n->by), n->axes);
  case CALL_CONCATENATE:
    return tsr_concatenate_at(at, all, n->axis);
  case CALL_STACK:
    return tsr_stack_at(at, all, n->axis);
  case CALL_REPEAT:
    return tsr_repeat_at(at, a, n->by, (tsr_axes){.n = 1, .axis = {n->axis}});
  case CALL_TILE:
    return tsr_tile_at(at, a, n->shape);
  case CALL_PAD:
    return tsr_pad_at(at, a, n->shape, n->after, pad_modes[n->style], execute_box(&n->value[0]), 0,
                      NULL);
  case CALL_DIAG:
    return tsr_copy_at(at, tsr_box_array(tsr_diag_at(at, a, n->by)));
  case CALL_PERMUTATION:
  case CALL_SHUFFLE:
  case CALL_CHOICE_OF:
    return reorder(at, n, a);
  case CALL_TRIL:
    return tsr_tril_at(at, a, n->by);
  case CALL_TRIU:
    return tsr_triu_at(at, a, n->by);
  default: /* a view: NumPy's is a copy */
    if (tsr_meshgrid_at(at, made, all, n->style ? "ij" : "xy") != TSR_OK) return tsr_null();
    return tsr_copy_at(at, tsr_box_array(one_of(at, made, all.n, n->by)));
  }
}

/* A quantile by the method of the node. */
static tsr_array quantile_of(const tsr_location *at, const node *n, tsr_operand x,
                             tsr_array (*call)(const tsr_location *, tsr_operand, tsr_operand, int,
                                               const tsr_axes *))
{
  tsr_axes options = n->axes;
  if (n->style != METHOD_LINEAR) options.method = quantile_methods[n->style];
  return call(at, x, tsr_box_float(n->value[0].f), 1, &options);
}

static tsr_array product_of(const tsr_location *at, const node *n, const tsr_operand *x)
{
  char labels[16];
  switch (n->style) {
  case PRODUCT_MATMUL:
    return tsr_matmul_at(at, x[0], x[1]);
  case PRODUCT_DOT:
    return tsr_dot_at(at, x[0], x[1]);
  case PRODUCT_INNER:
    return tsr_inner_at(at, x[0],
                        tsr_box_array(tsr_transpose_at(at, x[1].as.array, (tsr_axes){.n = -1})));
  default:
    product_labels(n->style, tsr_ndim_at(at, x[0].as.array), tsr_ndim_at(at, x[1].as.array),
                   labels);
    return tsr_einsum_at(at, labels, 2, x);
  }
}

static const struct {
  const char *inputs, *text;
} kernels[N_KERNELS] = {
    [KERNEL_CHAIN] = {"T x, T y", "z = x*y + x"},
    [KERNEL_IF] = {"T x, T y", "d = x - y; z = d if x < y else y"},
    [KERNEL_MIN_MAX] = {"T x, T y", "low = min(x, y)\nz = max(x, y)\nz -= low"},
    [KERNEL_BEFORE] = {"raw T x, T y", "z = y + (x[i - 1] if i > 0 else x[0])"},
    [KERNEL_FAR] = {"raw T x, T y", "z = y*x[2*i - 3]"},
    [KERNEL_LOOP] = {"raw T x, T y", "z = y\nfor k in range(3): z += x[i + k]"},
    [KERNEL_DEF] = {"T x, T y",
                    "def both(a, b):\n  c = a*b\n  return c + a\nz = both(x, y) + both(y, x)"},
};

static const struct {
  const char *output, *map, *combine, *finish;
} folds[N_FOLDS] = {
    [FOLD_SQUARES] = {"T y", "x*x", "a + b", ""},
    [FOLD_MOST] = {"T y", "x", "max(a, b)", ""},
    [FOLD_TEXT] = {"T y", "x", "a + b + a*b", ""},
    [FOLD_FINISH] = {"float64 y", "x*x + 1", "a + b", "sqrt(a)"},
};

static tsr_array statistic(const tsr_location *at, const node *n, const tsr_operand *x)
{
  tsr_axes options[2] = {n->axes, {.n = -1, .has_ord = true, .ord = norm_orders[n->style]}};
  const tsr_operand points = n->n_args > 1 ? x[1] : execute_box(&n->value[0]);
  switch (n->index) {
  case CALL_AVERAGE:
    return tsr_average_at(at, x[0], x[1], 1, options);
  case CALL_NORM:
    return tsr_norm_at(at, x[0], n->style == NORM_PLAIN ? 1 : 2, options);
  case CALL_TRAPEZOID:
    return tsr_trapezoid_at(at, x[0], points, n->axis);
  case CALL_VDOT:
    return tsr_vdot_at(at, x[0], x[1]);
  case CALL_FOLD:
    return tsr_call_axes_at(at,
                            tsr_kernel_reduction_at(at, "fold", "T x", folds[n->style].output,
                                                    folds[n->style].map, folds[n->style].combine,
                                                    folds[n->style].finish, tsr_box_int(0)),
                            n->axes, n->axes.keepdims, 1, x);
  default:
    return execute_task(at, n, x);
  }
}

static tsr_array masked(const tsr_location *at, const node *n, const tsr_operand *x)
{
  static tsr_array (*const calls[N_MASKED])(const tsr_location *, tsr_operand, int,
                                            const tsr_axes *) = {
      tsr_sum_at, tsr_prod_at, tsr_min_at, tsr_max_at, tsr_mean_at, tsr_any_at, tsr_all_at};
  tsr_axes options = n->axes;
  options.has_where = n->n_args > 1;
  if (options.has_where) options.where = x[1];
  options.has_initial = n->by != 0;
  if (options.has_initial) options.initial = execute_box(&n->value[0]);
  return calls[n->style](at, x[0], 1, &options);
}

static tsr_array border(const tsr_location *at, const node *n, tsr_array x)
{
  const tsr_padding length = TSR_STAT_LENGTH(n->by), type = TSR_REFLECT_TYPE("odd");
  const bool is_odd = n->style > BORDER_RAMP;
  const int n_options = is_odd || (n->style < BORDER_RAMP && n->by > 0);
  return tsr_pad_at(at, x, n->shape, n->after, border_modes[n->style], execute_box(&n->value[0]),
                    n_options, is_odd ? &type : &length);
}

tsr_array execute_call(const tsr_location *at, const node *n, const tsr_operand *x)
{
  tsr_array parts[MAX_ARGS];
  for (int k = 0; k < n->n_args; k++) parts[k] = x[k].as.array;
  if (n->index >= N_OF_ARRAYS) return make(at, n);
  switch (n->index) {
  case CALL_CUMSUM:
    return tsr_cumsum_at(at, x[0], n->axis, TSR_DTYPE_LIKE);
  case CALL_CUMPROD:
    return tsr_cumprod_at(at, x[0], n->axis, TSR_DTYPE_LIKE);
  case CALL_CUMMAX:
    if (n->style) return tsr_ufunc_accumulate_at(at, "fmax", x[0], n->axis, TSR_DTYPE_LIKE);
    return tsr_cummax_at(at, x[0], n->axis);
  case CALL_CUMMIN:
    if (n->style) return tsr_ufunc_accumulate_at(at, "fmin", x[0], n->axis, TSR_DTYPE_LIKE);
    return tsr_cummin_at(at, x[0], n->axis);
  case CALL_DIFF: {
    const tsr_dtype dtype = tsr_dtype_of_at(at, parts[0]);
    const tsr_operand zero = tsr_box_array(tsr_zeros_at(at, (tsr_dims){.ndim = 0}, dtype));
    return tsr_diff_at(at, x[0], (int)n->by, n->axis, n->style & DIFF_BEFORE ? zero : TSR_NONE,
                       n->style & DIFF_AFTER ? zero : TSR_NONE);
  }
  case CALL_MEDIAN:
    return tsr_median_at(at, x[0], 1, &n->axes);
  case CALL_QUANTILE:
    return quantile_of(at, n, x[0], tsr_quantile_at);
  case CALL_ROUND:
    return tsr_round_at(at, x[0], (int)n->by);
  case CALL_PRODUCT:
    return product_of(at, n, x);
  case CALL_ANGLE:
    return tsr_angle_at(at, x[0]);
  case CALL_KERNEL:
    return tsr_call_at(at,
                       tsr_kernel_elementwise_at(at, "kernel", kernels[n->style].inputs, "T z",
                                                 kernels[n->style].text),
                       2, x);
  case CALL_NANMEDIAN:
    return tsr_nanmedian_at(at, x[0], 1, &n->axes);
  case CALL_NANQUANTILE:
    return quantile_of(at, n, x[0], tsr_nanquantile_at);
  case CALL_ISCLOSE:
    return tsr_isclose_at(at, x[0], x[1], 1e-5, 1e-8, n->style);
  case CALL_OUTER:
    return tsr_outer_at(at, x[0], x[1]);
  case CALL_FREXP:
    if (tsr_frexp_at(at, parts, x[0]) != TSR_OK) return tsr_null();
    return one_of(at, parts, 2, n->by);
  case CALL_DIVMOD:
    if (tsr_divmod_at(at, parts, x[0], x[1]) != TSR_OK) return tsr_null();
    return one_of(at, parts, 2, n->by);
  case CALL_MODF:
    if (tsr_modf_at(at, parts, x[0]) != TSR_OK) return tsr_null();
    return one_of(at, parts, 2, n->by);
  case CALL_AVERAGE:
  case CALL_NORM:
  case CALL_TRAPEZOID:
  case CALL_VDOT:
  case CALL_FOLD:
  case CALL_TASK:
    return statistic(at, n, x);
  case CALL_MASKED:
    return masked(at, n, x);
  case CALL_BORDER:
    return border(at, n, parts[0]);
  default:
    return move(at, n, (tsr_arrays){.n = n->n_args, .v = parts});
  }
}
