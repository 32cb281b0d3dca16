/* Calls of the user's kernels. The inputs become arrays of the declared dtypes, then the operations
 * of the text are recorded (text/eval.c), then the outputs become arrays of their own. */
#include "array/user/function.h"
#include "array/ops/step_ops.h"

#include "array/views/reshape.h"

typedef tsr_kernel_call call;

static const char *noun(const tsr_user_kernel *k)
{
  return k->run ? "task" : "kernel";
}

tsr_error *tsr__input_error(const call *k, tsr_status status, int input, const char *what)
{
  return tsr__fail_begin(k->work.c, k->work.where, status, "input `%s` of %s %s %s",
                         k->kernel->parameters[input].name, noun(k->kernel), k->kernel->name, what);
}

bool tsr__input_error_end(const call *k, tsr_error *e, int input, tsr_operand x, const char *help)
{
  if (x.kind == TSR_OPERAND_ARRAY)
    tsr__note_operand(k->work.c, e, k->work.where, k->first + input, x);
  if (help) tsr__error_help(e, "%s", help);
  tsr__fail_end(k->work.c);
  return false;
}

static int *letter(call *k, const tsr_parameter *p)
{
  return &k->letters[p->letter - 'A'];
}

static tsr_dtype dtype_of_scalar(tsr_operand x)
{
  tsr_value value;
  tsr__value_of_scalar(x, &value);
  return value.dtype;
}

/* Finds the dtype of each letter: that of its arrays, which must agree, or, without arrays, the
 * dtype that its scalars promote to. */
static bool find_letters(call *k, const tsr_operand *xs, const tsr_value *values)
{
  const tsr_user_kernel *f = k->kernel;
  bool of_arrays['Z' - 'A' + 1] = {false};
  for (int i = 0; i < f->n_in; i++) {
    const tsr_parameter *p = &f->parameters[i];
    if (!p->letter || !values[i].region) continue;
    int *stands = letter(k, p);
    of_arrays[p->letter - 'A'] = true;
    if (*stands < 0) *stands = values[i].dtype;
    if (*stands == (int)values[i].dtype) continue;
    tsr_error *e = tsr__input_error(k, TSR_ERR_DTYPE, i, "has another dtype than those before it");
    tsr__error_note(e, "%c is %s, not %s", p->letter, tsr__dtype_info((tsr_dtype)*stands)->name,
                    tsr__dtype_info(values[i].dtype)->name);
    return tsr__input_error_end(k, e, i, xs[i], "a letter stands for one dtype: tsr_astype casts");
  }
  for (int i = 0; i < f->n_in; i++) {
    const tsr_parameter *p = &f->parameters[i];
    if (!p->letter || values[i].region) continue;
    int *stands = letter(k, p);
    const tsr_dtype dtype = dtype_of_scalar(xs[i]);
    if (*stands < 0)
      *stands = (int)dtype;
    else if (!of_arrays[p->letter - 'A'])
      *stands = (int)tsr__dtype_promote((tsr_dtype)*stands, dtype);
  }
  return true;
}

tsr_dtype tsr__kernel_dtype(const call *k, const tsr_parameter *p)
{
  return (tsr_dtype)(p->dtype >= 0 ? p->dtype : k->letters[p->letter - 'A']);
}

static bool is_auto(const tsr_parameter *p)
{
  return p->dtype < 0 && !p->letter;
}

static bool take_array(call *k, int i, tsr_operand x, tsr_dtype dtype, tsr_dtype is)
{
  k->inputs[i] = x;
  if (is == dtype) return true;
  if (k->kernel->parameters[i].is_written) {
    tsr_error *e = tsr__input_error(k, TSR_ERR_DTYPE, i, "is written: it does not take this dtype");
    tsr__error_note(e, "it is %s, not %s", tsr__dtype_info(dtype)->name, tsr__dtype_info(is)->name);
    return tsr__input_error_end(k, e, i, x, NULL);
  }
  if (!tsr__dtype_can_cast(is, dtype, TSR_CASTING_SAFE)) {
    tsr_error *e = tsr__input_error(k, TSR_ERR_DTYPE, i, "does not take this dtype");
    tsr__error_note(e, "%s does not cast safely to %s", tsr__dtype_info(is)->name,
                    tsr__dtype_info(dtype)->name);
    return tsr__input_error_end(k, e, i, x, "tsr_astype casts");
  }
  k->inputs[i] = tsr_box_array(tsr_astype_at(k->work.where, x, dtype));
  return tsr_ok(k->inputs[i].as.array);
}

/* A scalar becomes an array with one value at every point, which fuses and takes no memory. */
static bool take_scalar(call *k, int i, tsr_operand x, tsr_dtype dtype)
{
  if (tsr__weak_rank(dtype_of_scalar(x)) > tsr__weak_rank(dtype)) {
    tsr_error *e = tsr__input_error(k, TSR_ERR_CAST, i, "does not take this scalar");
    tsr__error_note(e, "it is of %s, the scalar of %s", tsr__dtype_info(dtype)->name,
                    tsr__dtype_info(dtype_of_scalar(x))->name);
    return tsr__input_error_end(k, e, i, x, NULL);
  }
  k->inputs[i] = x;
  if (k->kernel->run) return true;
  k->inputs[i] = tsr_box_array(tsr_full_at(k->work.where, k->shape, x, dtype));
  return tsr_ok(k->inputs[i].as.array);
}

/* The most arguments of a public call before its inputs: those of tsr_call_data. */
enum { MOST_FIRST = 4 };

static bool find_shape(call *k, const tsr_operand *xs, const tsr_value *values)
{
  tsr_operand operands[TSR_MAX_OP_ARGS + MOST_FIRST]; /* for the names in errors */
  tsr_value points[TSR_MAX_OP_ARGS + MOST_FIRST];
  TSR_ASSERT(k->first <= MOST_FIRST);
  const int n = k->first + k->kernel->n_in;
  for (int i = 0; i < n; i++) {
    const int input = i - k->first;
    operands[i] = tsr_box_int(0);
    if (input >= 0 && !k->kernel->parameters[input].is_raw) operands[i] = xs[input];
    tsr__value_of_scalar(tsr_box_int(0), &points[i]);
    if (operands[i].kind == TSR_OPERAND_ARRAY) points[i] = values[input];
  }
  return tsr__broadcast_shape(k->work.c, k->work.where, n, points, operands, &k->shape);
}

static bool bind_inputs(call *k, int n, const tsr_operand *xs)
{
  const tsr_user_kernel *f = k->kernel;
  tsr_value values[TSR_MAX_OP_ARGS];
  if (n != f->n_in) {
    tsr__fail(k->work.c, k->work.where, TSR_ERR_ARGUMENT, "%s %s takes %d input%s, not %d", noun(f),
              f->name, f->n_in, f->n_in == 1 ? "" : "s", n);
    return false;
  }
  for (int i = 0; i < n; i++) {
    if (!tsr__value_of(k->work.c, k->work.where, xs[i], &values[i])) return false;
    const tsr_parameter *p = &f->parameters[i];
    if (!(p->is_raw || p->is_written || p->n_widths > 0) || values[i].region) continue;
    tsr_error *e = tsr__input_error(k, TSR_ERR_ARGUMENT, i,
                                    p->is_raw       ? "is raw: it takes an array"
                                    : p->is_written ? "is written: it takes an array"
                                                    : "has a halo: it takes an array");
    return tsr__input_error_end(k, e, i, xs[i], NULL);
  }
  for (size_t i = 0; i < sizeof k->letters / sizeof *k->letters; i++) k->letters[i] = -1;
  if (!find_letters(k, xs, values) || !find_shape(k, xs, values)) return false;
  for (int i = 0; i < n; i++) {
    k->inputs[i] = xs[i];
    if (is_auto(&f->parameters[i])) continue; /* a scalar stays one, and weak */
    const tsr_dtype dtype = tsr__kernel_dtype(k, &f->parameters[i]);
    const bool ok = values[i].region ? take_array(k, i, xs[i], dtype, values[i].dtype)
                                     : take_scalar(k, i, xs[i], dtype);
    if (!ok) return false;
  }
  return true;
}

/* Returns the flat index of every point, or a scalar if the text does not use it. */
static tsr_operand numbers(const call *k)
{
  const tsr_script *s = k->kernel->text->script;
  bool uses = false;
  for (int32_t i = 0; i < s->n_nodes; i++) uses |= s->nodes[i].kind == TSR_NODE_INDEX;
  if (!uses) return tsr_box_int(0);
  if (k->shape.ndim == 0)
    return tsr_box_array(tsr_full_at(k->work.where, k->shape, tsr_box_int(0), TSR_INT64));
  tsr_array sum = tsr_null();
  int64_t stride = 1;
  for (int axis = k->shape.ndim - 1; axis >= 0; axis--) {
    tsr_array at = tsr__index_along(&k->work, &k->shape, axis);
    if (axis < k->shape.ndim - 1)
      at = tsr__map2(&k->work, TSR_OP_MULTIPLY, tsr_box_array(at), tsr_box_int(stride));
    sum = tsr_ok(sum) ? tsr__map2(&k->work, TSR_OP_ADD, tsr_box_array(sum), tsr_box_array(at)) : at;
    stride *= k->shape.n[axis];
  }
  return tsr_box_array(sum);
}

static int64_t n_points_of_call(const call *k)
{
  int64_t n = 1;
  for (int axis = 0; axis < k->shape.ndim; axis++) n *= k->shape.n[axis];
  return n;
}

static bool run_kernel(const call *k, tsr_parsed *text, const tsr_operand *inputs,
                       tsr_operand index, int64_t n_points)
{
  return tsr__parsed_run(k->work.where, k->kernel->name, text, inputs, index, n_points);
}

/* Converts a value to an array of its own with the dtype and the points' shape. `first`: no other
 * output is this array. */
static tsr_array own(const call *k, tsr_operand value, tsr_dtype dtype, bool first)
{
  const tsr_location *where = k->work.where;
  if (value.kind != TSR_OPERAND_ARRAY) { /* converted as C does */
    const tsr_array x = tsr_full_at(where, k->shape, value, dtype_of_scalar(value));
    return tsr__as_dtype(k->work.c, where, x, dtype);
  }
  tsr_array x = value.as.array;
  for (int i = 0; i < k->kernel->n_in; i++) {
    const tsr_operand *in = &k->inputs[i];
    first &= in->kind != TSR_OPERAND_ARRAY || x.id != in->as.array.id;
  }
  const tsr_dims shape = tsr__dims_of(k->work.c, x);
  const bool broadcasts = !tsr__same_shape(&shape, &k->shape);
  if (tsr_dtype_of_at(where, x) != dtype) {
    x = tsr_astype_at(where, tsr_box_array(x), dtype);
    first = true;
  }
  if (broadcasts && tsr_ok(x)) x = tsr_broadcast_to_at(where, x, k->shape);
  return broadcasts || !first ? tsr_copy_at(where, tsr_box_array(x)) : x;
}

/* Records the call of a task that is like one of its last calls; false: it is not, or the task does
 * not have `n_out` outputs. n_out: -1 for any number. */
static bool was_again(const tsr_location *where, tsr_function f, const void *data, size_t n_bytes,
                      int n, const tsr_operand *xs, int n_out, tsr_array *made)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  const tsr_user_kernel *k = tsr__function_peek(c, f);
  return k && (n_out < 0 || k->n_out == n_out) &&
         tsr__task_again(c, where, k, data, n_bytes, n, xs, made);
}

static bool begin_call(call *k, const tsr_location *where, tsr_function f, int first, int n,
                       const tsr_operand *xs)
{
  *k = (call){.work = tsr__steps_begin(where), .first = first};
  k->work.c->last_status = TSR_OK; /* a null handle fails without an error */
  k->kernel = tsr__function(k->work.c, where, f);
  return k->kernel && bind_inputs(k, n, xs);
}

static bool is_reduction(const call *k, bool wanted, const char *advice)
{
  if ((k->kernel->how != TSR_COMBINE_NONE) == wanted) return true;
  tsr__fail_on(k->work.c, k->work.where, TSR_ERR_ARGUMENT, 0, NULL, advice, "%s %s is %s",
               noun(k->kernel), k->kernel->name,
               k->kernel->run ? "no kernel that reduces axes"
               : wanted       ? "elementwise: it has no axes"
                              : "a reduction");
  return false;
}

/* Records the values of the outputs into `made`, in the call's scope. */
static bool elementwise(call *k, tsr_array *made)
{
  const tsr_user_kernel *f = k->kernel;
  if (f->run) return tsr__task_record(k, made);
  if (!run_kernel(k, f->text, k->inputs, numbers(k), n_points_of_call(k))) return false;
  for (int i = 0; i < f->n_out; i++) {
    const tsr_operand value = f->text->values[f->text->script->statements[i].value];
    bool first = true;
    for (int j = 0; j < i; j++)
      first &= value.kind != TSR_OPERAND_ARRAY || value.as.array.id != made[j].id;
    const tsr_parameter *p = &f->parameters[f->n_in + i];
    const tsr_dtype dtype =
        is_auto(p) ? tsr_result_type_at(k->work.where, 1, &value) : tsr__kernel_dtype(k, p);
    made[i] = own(k, value, dtype, first);
    if (!tsr_ok(made[i])) return false;
  }
  return true;
}

typedef struct reduced {
  unsigned mask; /* bits of the reduced axes */
  bool keepdims, is_empty;
  int n;
  int axes[TSR_MAX_NDIM];
  tsr_dims shape;   /* shape of the result */
  int64_t n_points; /* points that become one value */
} reduced;

static bool find_axes(const call *k, const tsr_axes *axes, bool keepdims, reduced *r)
{
  *r = (reduced){.keepdims = keepdims || axes->keepdims, .n_points = 1};
  if (tsr__normal_axes(k->work.c, k->work.where, "", axes->n, axes->axis, k->shape.ndim, NULL,
                       &r->mask)) {
    tsr__fail_end(k->work.c);
    return false;
  }
  if (axes->n < 0) r->mask = (1u << k->shape.ndim) - 1;
  for (int axis = 0; axis < k->shape.ndim; axis++) {
    const bool gone = r->mask >> axis & 1;
    if (gone) r->axes[r->n++] = axis;
    if (gone) r->is_empty |= k->shape.n[axis] == 0;
    if (gone) r->n_points *= k->shape.n[axis];
    if (!gone || r->keepdims) r->shape.n[r->shape.ndim++] = gone ? 1 : k->shape.n[axis];
  }
  return true;
}

typedef struct combining {
  call *k;
  tsr_dtype dtype;
} combining;

/* Two views combined by the kernel's text. */
static tsr_operand by_combine(void *user, const tsr_operand pair[2])
{
  const combining *c = user;
  const tsr_user_kernel *f = c->k->kernel;
  if (!run_kernel(c->k, f->combine, pair, tsr_box_int(0), 0)) return tsr_box_array(tsr_null());
  const tsr_operand value = f->combine->values[f->combine->script->statements[0].value];
  const tsr_location *where = c->k->work.where;
  if (value.kind != TSR_OPERAND_ARRAY || tsr_dtype_of_at(where, value.as.array) == c->dtype)
    return value;
  return tsr_box_array(tsr_astype_at(where, value, c->dtype));
}

/* Reduces by the text of the kernel. */
static tsr_array by_text(call *k, tsr_array x, const reduced *r, tsr_dtype dtype)
{
  x = tsr_copy_at(k->work.where, tsr_box_array(x));
  combining c = {k, dtype};
  for (int i = r->n - 1; i >= 0 && tsr_ok(x); i--) {
    if (!tsr__step_fold(&k->work, x, r->axes[i], by_combine, &c)) return tsr_null();
    x = tsr__step_slice(&k->work, x, r->axes[i], 0, 1, 1);
  }
  if (!tsr_ok(x)) return x;
  return tsr_copy_at(k->work.where, tsr_box_array(tsr__reshaped(&k->work, x, &r->shape)));
}

tsr_array tsr__kernel_reduce(const call *k, tsr_combine how, tsr_array x, unsigned n_axes,
                             const int *axes, bool keepdims, tsr_dtype dtype)
{
  static const tsr_reduction ops[] = {
      [TSR_COMBINE_SUM] = TSR_REDUCE_SUM, [TSR_COMBINE_PROD] = TSR_REDUCE_PROD,
      [TSR_COMBINE_MIN] = TSR_REDUCE_MIN, [TSR_COMBINE_MAX] = TSR_REDUCE_MAX,
      [TSR_COMBINE_ANY] = TSR_REDUCE_ANY, [TSR_COMBINE_ALL] = TSR_REDUCE_ALL};
  x = tsr__reduce_at(k->work.where, ops[how], false, tsr_box_array(x), n_axes, axes, keepdims);
  return tsr__as_dtype(k->work.c, k->work.where, x, dtype);
}

static tsr_array reduction(call *k, const tsr_axes *axes, bool keepdims)
{
  const tsr_user_kernel *f = k->kernel;
  const tsr_dtype dtype = tsr__kernel_dtype(k, &f->parameters[f->n_in]);
  reduced r;
  if (!find_axes(k, axes, keepdims, &r) ||
      !run_kernel(k, f->text, k->inputs, numbers(k), r.n_points))
    return tsr_null();
  tsr_array x = own(k, f->text->values[f->text->script->statements[0].value], dtype, true);
  if (!tsr_ok(x)) return x;
  if (r.is_empty) {
    x = tsr_full_at(k->work.where, r.shape, f->identity, dtype);
  } else if (r.n > 0) {
    x = f->how == TSR_COMBINE_TEXT
            ? by_text(k, x, &r, dtype)
            : tsr__kernel_reduce(k, f->how, x, (unsigned)r.n, r.axes, r.keepdims, dtype);
  }
  if (!tsr_ok(x) || !f->finish) return x;
  const tsr_operand a = tsr_box_array(x);
  if (!run_kernel(k, f->finish, &a, tsr_box_int(0), r.n_points)) return tsr_null();
  k->shape = r.shape;
  return own(k, f->finish->values[f->finish->script->statements[0].value], dtype, true);
}

tsr_array tsr_call_axes_at(const tsr_location *where, tsr_function f, tsr_axes axes, bool keepdims,
                           int n, const tsr_operand *xs)
{
  call k;
  tsr_array made = tsr_null();
  if (begin_call(&k, where, f, 3, n, xs) && is_reduction(&k, true, "tsr_call calls it"))
    made = reduction(&k, &axes, keepdims);
  return tsr__steps_end(&k.work, made);
}

tsr_array tsr_call_at(const tsr_location *where, tsr_function f, int n, const tsr_operand *xs)
{
  call k;
  tsr_array made[TSR_MAX_OP_ARGS] = {tsr_null()};
  if (was_again(where, f, NULL, 0, n, xs, 1, made)) return made[0];
  if (!begin_call(&k, where, f, 1, n, xs)) return tsr__steps_end(&k.work, tsr_null());
  if (k.kernel->how != TSR_COMBINE_NONE) {
    made[0] = reduction(&k, &(tsr_axes){.n = -1}, false);
  } else if (k.kernel->n_out != 1) {
    tsr__fail_on(k.work.c, where, TSR_ERR_ARGUMENT, 0, NULL,
                 k.kernel->n_out > 1 ? "tsr_call_outputs(out, f, x) gives them all"
                                     : "tsr_call_outputs(NULL, f, x) calls it",
                 "%s %s has %d outputs", noun(k.kernel), k.kernel->name, k.kernel->n_out);
  } else if (!elementwise(&k, made)) {
    made[0] = tsr_null();
  }
  return tsr__steps_end(&k.work, made[0]);
}

static tsr_status outputs(call *k, bool ok, tsr_array *out)
{
  tsr_array made[TSR_MAX_OP_ARGS];
  tsr_context *c = k->work.c;
  if (ok && !out && k->kernel->n_out > 0) {
    tsr__fail(c, k->work.where, TSR_ERR_ARGUMENT, "the place for the outputs is NULL");
    ok = false;
  }
  ok = ok && is_reduction(k, false, "tsr_call and tsr_call_axes call it") && elementwise(k, made);
  for (int i = 0; ok && i < k->kernel->n_out; i++) out[i] = tsr__steps_keep(&k->work, made[i]);
  tsr__steps_end(&k->work, tsr_null());
  return ok ? TSR_OK : c->last_status < 0 ? c->last_status : TSR_ERR_HANDLE;
}

tsr_status tsr_call_outputs_at(const tsr_location *where, tsr_array *out, tsr_function f, int n,
                               const tsr_operand *xs)
{
  call k;
  if (was_again(where, f, NULL, 0, n, xs, -1, out)) return TSR_OK;
  return outputs(&k, begin_call(&k, where, f, 2, n, xs), out);
}

tsr_status tsr_call_data_at(const tsr_location *where, tsr_array *out, tsr_function f,
                            const void *data, size_t n_bytes, int n, const tsr_operand *xs)
{
  call k;
  if (was_again(where, f, data, n_bytes, n, xs, -1, out)) return TSR_OK;
  bool ok = begin_call(&k, where, f, MOST_FIRST, n, xs);
  if (ok && !k.kernel->run) {
    tsr__fail_on(k.work.c, where, TSR_ERR_ARGUMENT, 0, NULL,
                 "its text takes scalars as inputs; the function of a tsr_task takes data",
                 "kernel %s takes no data", k.kernel->name);
    ok = false;
  } else if (ok && !data && n_bytes > 0) {
    tsr__fail(k.work.c, where, TSR_ERR_ARGUMENT, "the data of task %s is NULL", k.kernel->name);
    ok = false;
  }
  k.data = data;
  k.data_bytes = n_bytes;
  return outputs(&k, ok, out);
}
