/* Calls of users' tasks. Each input becomes an operand of one op, through a view that maps an index
 * of the op's domain to what the function may read there: its point, the halo around it, or all of
 * a raw input. The domain is the points. If outputs are reduced, it is blocks, whose lengths follow
 * from the points' shape alone, so partial values and their order do not depend on how the domain
 * is cut. An output with an extent has an array of values per block: the domain has one axis more,
 * which is not cut.
 *
 * Outputs are written to new arrays. An existing array is assigned from a new one, so that other
 * operands of the call read its old values. An existing array that is the only output and that no
 * other operand reads is written in place. */
#include "array/user/function.h"
#include "array/ops/step_ops.h"
#include "runtime/base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array/views/reshape.h"

enum {
  BLOCK_POINTS = 4096, /* of a block, or the grain if that is less */
  EXTENT_POINTS = 16   /* of a block, for each value of an output's extent, if that is more */
};

typedef struct task_call {
  const tsr_kernel_call *k;
  tsr_task_form *form; /* of the call being made */
  tsr_dims domain;     /* domain of the op */
  int n_in;
  tsr_op_in in[TSR_MAX_OP_ARGS];
  tsr_task_out outs[2 * TSR_MAX_OP_ARGS];
  tsr_array stored[2 * TSR_MAX_OP_ARGS]; /* arrays of outs; null for an output written in place */
} task_call;

bool tsr__task_check(tsr_context *c, const tsr_location *where, const tsr_user_kernel *k)
{
  int n_reduced = 0, n_written = k->n_out;
  for (int i = 0; i < k->n_in; i++) n_written += k->parameters[i].is_written;
  for (int i = 0; i < k->n_out; i++)
    n_reduced += k->parameters[k->n_in + i].how != TSR_COMBINE_NONE;
  if (n_written > 0 && (n_reduced == 0 || n_reduced == n_written)) return true;
  tsr__fail_on(c, where, TSR_ERR_ARGUMENT, 0, NULL,
               n_written == 0
                   ? "declare an output, \"float64 y\", or an input as inout or out"
                   : "reduce in a task of its own: there, all outputs are sum, prod, min, max, "
                     "any, all or blocks, and no input is written",
               "task %s %s", k->name,
               n_written == 0 ? "writes nothing" : "has outputs of its points and of its blocks");
  return false;
}

static bool fail_input(const tsr_kernel_call *k, int i, tsr_status status, const char *what,
                       const char *help)
{
  tsr_error *e = tsr__input_error(k, status, i, what);
  return tsr__input_error_end(k, e, i, k->inputs[i], help);
}

/* Checks an input before anything is recorded. */
static bool check_input(const tsr_kernel_call *k, int i)
{
  const tsr_parameter *p = &k->kernel->parameters[i];
  if (k->inputs[i].kind != TSR_OPERAND_ARRAY) return true;
  const tsr_dims shape = tsr__dims_of(k->work.c, k->inputs[i].as.array);
  const int lead = k->shape.ndim - shape.ndim;
  const bool is_empty = tsr__volume(shape.ndim, shape.n) == 0; /* no point has a halo */
  if (p->n_widths > 1 && p->n_widths != shape.ndim)
    return fail_input(k, i, TSR_ERR_SHAPE, "has another number of axes than its halo has widths",
                      "one width serves all axes");
  for (int j = 0; j < shape.ndim && !p->is_raw; j++) {
    const int w = p->n_widths == 1 ? 0 : j;
    const bool broadcasts = shape.n[j] != k->shape.n[lead + j];
    const bool has_halo = p->n_widths > 0 && (p->before[w] > 0 || p->after[w] > 0);
    if (has_halo && broadcasts)
      return fail_input(k, i, TSR_ERR_SHAPE, "has a halo along an axis that broadcasts",
                        "the other inputs have more elements there");
    if (has_halo && !is_empty && (p->before[w] > shape.n[j] || p->after[w] > shape.n[j]))
      return fail_input(k, i, TSR_ERR_SHAPE, "has a halo that is wider than the array",
                        "a width is at most the length of its axis");
  }
  tsr_status status;
  if (!p->is_written) return true;
  if (!tsr__same_shape(&shape, &k->shape))
    return fail_input(k, i, TSR_ERR_BROADCAST, "is written: it does not broadcast",
                      "it has the shape that the inputs broadcast to");
  return tsr__target_of(k->work.c, k->work.where, k->inputs[i].as.array, &status) != NULL;
}

static void bounds(const tsr_view *own, tsr_view *out)
{
  const tsr_box all = tsr__box_of_shape(own->ndim, own->shape);
  tsr_box image;
  tsr__view_image(own, &all, &image);
  for (int k = 0; k < own->rdim; k++) {
    out->first[k] = image.lo[k];
    out->end[k] = tsr__box_end(&image, k);
  }
}

/* Maps every index of the op's domain to all of `own`. */
static void whole_view(const task_call *t, const tsr_view *own, const tsr_region *region,
                       tsr_view *out)
{
  *out = (tsr_view){.ndim = t->domain.ndim, .rdim = own->rdim, .reaches = true};
  for (int j = 0; j < out->ndim; j++) out->shape[j] = t->domain.n[j];
  for (int k = 0; k < own->rdim; k++) {
    out->offset[k] = own->offset[k];
    out->before[k] = out->after[k] = region->shape[k];
  }
  bounds(own, out);
}

/* Maps an index of the op's domain to the points of its block and the halo around them. */
static void wide_view(const task_call *t, const tsr_task_parameter *p, const tsr_view *own,
                      tsr_view *out)
{
  tsr__view_copy(out, own);
  out->reaches = true;
  out->ndim = t->domain.ndim;
  for (int j = 0; j < out->ndim; j++) out->shape[j] = t->domain.n[j];
  for (int k = 0; k < own->rdim; k++) {
    out->before[k] = out->after[k] = 0;
    if (out->ndim > own->ndim) out->step[k][own->ndim] = 0; /* along the extent */
    for (int j = 0; j < own->ndim; j++) {
      const int64_t step = own->shape[j] > 1 ? own->step[k][j] : 0, block = t->form->block[j];
      const int64_t back = p->before[j], forth = p->after[j] + block - 1;
      out->before[k] += step > 0 ? step * back : -step * forth;
      out->after[k] += step > 0 ? step * forth : -step * back;
      out->step[k][j] = step * block;
    }
  }
  bounds(own, out);
}

static int32_t add_operand(task_call *t, tsr_region *region, tsr_view_ref *view)
{
  t->in[t->n_in] = (tsr_op_in){.region = region, .view = view};
  return t->n_in++;
}

static void take_widths(const tsr_parameter *declared, int ndim, int lead, tsr_task_parameter *p)
{
  for (int j = 0; j < ndim && declared->n_widths > 0; j++) {
    const int w = declared->n_widths == 1 ? 0 : j;
    p->before[lead + j] = declared->before[w];
    p->after[lead + j] = declared->after[w];
  }
}

static void read_input(task_call *t, int i, const tsr_value *v)
{
  const tsr_parameter *declared = &t->k->kernel->parameters[i];
  tsr_task_parameter *p = &t->form->parameters[i];
  tsr_window *w = &t->k->work.c->window;
  tsr_view view;
  if (declared->is_raw) {
    p->own = tsr__view_ref_take(v->view);
    if (tsr__view_size(&v->view->view) == 0) return;
    whole_view(t, &p->own->view, v->region, &view);
    p->access = add_operand(t, v->region, tsr__view_ref_new(w, &view));
    return;
  }
  tsr_op_in in = tsr__in_of(v, &t->k->shape);
  p->own = in.view;
  const int ndim = v->view->view.ndim;
  take_widths(declared, ndim, t->k->shape.ndim - ndim, p);
  int32_t access;
  if (t->form->is_blocked || declared->n_widths > 0) {
    wide_view(t, p, &p->own->view, &view);
    access = add_operand(t, v->region, tsr__view_ref_new(w, &view));
  } else {
    access = add_operand(t, v->region, tsr__view_ref_take(p->own));
  }
  *(declared->is_written ? &p->begins : &p->access) = access;
}

/* Returns whether no operand reads the region of `target`, except operand `begins`, its own old
 * value. */
static bool is_alone(const task_call *t, const tsr_handle *target, int32_t begins)
{
  for (int i = 0; i < t->n_in; i++)
    if (i != begins && t->in[i].region == target->region) return false;
  return tsr__view_is_separable(&target->view->view);
}

static void write_new(task_call *t, tsr_task_parameter *p)
{
  const tsr_new made = tsr__make(t->k->work.c, t->k->work.where, p->dtype, &t->domain);
  const int o = t->form->n_stored++;
  t->outs[o] = (tsr_task_out){made.region, made.view, true};
  t->stored[o] = made.array;
  tsr__view_ref_drop(p->own);
  p->own = tsr__view_ref_take(made.view);
}

/* Adds the outputs: written inputs come first. Nothing fails from here on. */
static void add_outputs(task_call *t)
{
  const tsr_user_kernel *f = t->k->kernel;
  int n = f->n_out;
  for (int i = 0; i < f->n_in; i++) n += f->parameters[i].is_written;
  for (int i = 0; i < f->n_in + f->n_out; i++) {
    tsr_task_parameter *p = &t->form->parameters[i];
    if (i < f->n_in && !f->parameters[i].is_written) continue;
    p->access = t->n_in + t->form->n_stored;
    const tsr_handle *target =
        i < f->n_in ? tsr__handle_peek(t->k->work.c, t->k->inputs[i].as.array) : NULL;
    if (n == 1 && target && f->n_whole == 0 && is_alone(t, target, p->begins)) {
      if (!p->own) p->own = tsr__view_ref_take(target->view);
      t->outs[t->form->n_stored++] = (tsr_task_out){target->region, target->view, false};
    } else {
      write_new(t, p);
    }
  }
}

/* The number of values that an output has per block. */
static int64_t n_values(const tsr_parameter *p)
{
  int64_t n = 1;
  for (int j = 0; j < p->n_extent; j++) n *= p->extent[j];
  return n;
}

/* The length of the domain's axis behind those of the blocks; 0: no output has an extent. */
static int64_t extent_of(const tsr_user_kernel *f)
{
  int64_t most = 0;
  for (int i = f->n_in; i < f->n_in + f->n_out; i++) {
    const int64_t n = f->parameters[i].n_extent > 0 ? n_values(&f->parameters[i]) : 0;
    if (n > most) most = n;
  }
  return most;
}

/* Checks how many axes the arrays of the blocks' values have. */
static bool check_axes(const tsr_kernel_call *k)
{
  const tsr_user_kernel *f = k->kernel;
  for (int i = f->n_in; i < f->n_in + f->n_out; i++) {
    const tsr_parameter *p = &f->parameters[i];
    const int n = p->n_extent > 1 && p->how == TSR_COMBINE_TEXT ? p->n_extent : p->n_extent > 0;
    if (k->shape.ndim + n <= TSR_MAX_NDIM) continue;
    tsr__fail_on(k->work.c, k->work.where, TSR_ERR_SHAPE, 0, NULL,
                 "an array has at most 8 axes; an extent is beside those of the points",
                 "the blocks' values of output `%s` of task %s have %d axes", p->name, f->name,
                 k->shape.ndim + n);
    return false;
  }
  return true;
}

/* Finds the axes of the points that are declared whole, as bits. */
static bool find_whole(const tsr_kernel_call *k, uint32_t *mask)
{
  const tsr_user_kernel *f = k->kernel;
  *mask = 0;
  for (int i = 0; i < f->n_whole; i++) {
    const int64_t axis = f->whole[i] < 0 ? f->whole[i] + k->shape.ndim : f->whole[i];
    if (axis >= 0 && axis < k->shape.ndim) {
      *mask |= 1u << axis;
      continue;
    }
    tsr__fail_on(k->work.c, k->work.where, TSR_ERR_AXIS, 0, NULL,
                 "the points have the shape that the inputs broadcast to",
                 "task %s is whole along axis %d, but its points have %d %s", f->name,
                 (int)f->whole[i], k->shape.ndim, k->shape.ndim == 1 ? "axis" : "axes");
    return false;
  }
  return check_axes(k);
}

/* The greatest or the least value of a dtype. */
static tsr_scalar last_of(tsr_dtype dtype, bool is_greatest)
{
  if (tsr__dtype_is_inexact(dtype)) {
    return tsr__scalar_cast(tsr__scalar_of_f64(is_greatest ? INFINITY : -INFINITY), dtype);
  }
  const int n_bits = dtype == TSR_BOOL ? 1 : 8 * (int)tsr__dtype_size(dtype);
  const bool is_signed = tsr__dtype_kind(dtype) == TSR_KIND_INT;
  uint64_t greatest = UINT64_MAX >> (64 - n_bits);
  if (is_signed) greatest >>= 1;
  const uint64_t least = is_signed ? ~greatest : 0;
  return tsr__scalar_of_bits(dtype, is_greatest ? greatest : least);
}

/* Writes what the elements of a reduced output begin as: the value of no points, which for min and
 * max is the last that the dtype has. */
static void write_first(tsr_combine how, tsr_dtype dtype, tsr_task_parameter *p)
{
  tsr_scalar s = {.dtype = dtype};
  if (how == TSR_COMBINE_MIN || how == TSR_COMBINE_MAX)
    s = last_of(dtype, how == TSR_COMBINE_MIN);
  else if (how == TSR_COMBINE_PROD || how == TSR_COMBINE_ALL)
    s = tsr__scalar_one(dtype);
  memcpy(p->value.bytes, &s.u, sizeof p->value.bytes);
}

static bool is_blocked(const tsr_user_kernel *f)
{
  return f->n_out > 0 && f->parameters[f->n_in].how != TSR_COMBINE_NONE;
}

/* Sets the lengths of blocks, of whole axes in full. Returns the points of a block. */
static int64_t set_blocks(const tsr_user_kernel *f, uint32_t whole, tsr_task_form *form)
{
  const int64_t most =
      form->extent > BLOCK_POINTS / EXTENT_POINTS ? form->extent * EXTENT_POINTS : BLOCK_POINTS;
  int64_t n = 1, left = f->grain > 0 && f->grain < most ? f->grain : most;
  form->block[form->ndim < TSR_MAX_NDIM ? form->ndim : 0] = 1; /* of the extent */
  for (int is_cut = 0; is_cut < 2; is_cut++)
    for (int j = form->ndim - 1; j >= 0; j--) {
      if ((whole >> j & 1) == (uint32_t)is_cut) continue;
      int64_t length = !is_cut || form->points[j] < left ? form->points[j] : left;
      if (!form->is_blocked || length < 1) length = 1;
      form->block[j] = length;
      left /= length;
      n *= length;
    }
  return n;
}

static tsr_task_form *new_form(const tsr_kernel_call *k, uint32_t whole)
{
  const tsr_user_kernel *f = k->kernel;
  const size_t n = (size_t)(f->n_in + f->n_out);
  tsr_task_form *form = tsr__calloc(1, sizeof *form + n * sizeof form->parameters[0]);
  form->n_refs = 1;
  form->id = ++k->work.c->window.n_forms_made;
  form->run = f->run;
  form->enter = tsr__run_without_context;
  form->number = f->number;
  form->name = f->name;
  form->ndim = k->shape.ndim;
  form->is_blocked = is_blocked(f);
  form->n_in = f->n_in;
  form->n_out = f->n_out;
  form->extent = extent_of(f);
  form->whole = !form->is_blocked ? whole : form->extent > 0 ? 1u << form->ndim : 0;
  for (int j = 0; j < form->ndim; j++) form->points[j] = k->shape.n[j];
  const int64_t n_block = set_blocks(f, whole, form);
  form->grain = f->grain > n_block ? f->grain / n_block : f->grain > 0;
  if (form->extent > 0) form->grain *= form->extent < 4096 ? form->extent : 4096;
  for (size_t i = 0; i < n; i++) {
    const tsr_parameter *declared = &f->parameters[i];
    tsr_task_parameter *p = &form->parameters[i];
    p->dtype = tsr__kernel_dtype(k, declared);
    p->is_raw = declared->is_raw;
    p->is_reduced = declared->how != TSR_COMBINE_NONE;
    p->access = p->begins = -1;
    p->n_extent = declared->n_extent;
    memcpy(p->extent, declared->extent, sizeof p->extent);
    if (p->is_reduced) write_first(declared->how, p->dtype, p);
  }
  return form;
}

static bool take_inputs(task_call *t)
{
  const tsr_kernel_call *k = t->k;
  for (int i = 0; i < k->kernel->n_in; i++) {
    const tsr_parameter *declared = &k->kernel->parameters[i];
    tsr_task_parameter *p = &t->form->parameters[i];
    tsr_value v;
    if (!declared->is_read) continue;
    if (!tsr__value_of(k->work.c, k->work.where, k->inputs[i], &v)) return false;
    if (v.region) {
      read_input(t, i, &v);
      continue;
    }
    tsr_scalar s;
    if (!tsr__scalar_as(k->work.c, k->work.where, v.scalar, p->dtype, &s)) return false;
    memcpy(p->value.bytes, &s.u, sizeof p->value.bytes);
  }
  return true;
}

/* Gives the values of a block, flat along the last axis, the output's own axes. */
static tsr_array with_extent(const task_call *t, const tsr_parameter *p, tsr_array x)
{
  const int64_t n = n_values(p);
  tsr_dims shape = tsr__dims_of(t->k->work.c, x);
  if (t->form->extent == 0 || (p->n_extent == 1 && n == t->form->extent)) return x;
  x = tsr__step_slice(&t->k->work, x, --shape.ndim, 0, n, 1);
  for (int j = 0; j < p->n_extent; j++) shape.n[shape.ndim++] = p->extent[j];
  return tsr_copy_at(t->k->work.where, tsr_box_array(tsr__reshaped(&t->k->work, x, &shape)));
}

/* Assigns the written inputs, and reduces each reduced output to one value. */
static bool finish_call(const task_call *t, tsr_array *made)
{
  const tsr_user_kernel *f = t->k->kernel;
  const tsr_location *where = t->k->work.where;
  int axes[TSR_MAX_NDIM], o = 0;
  for (int j = 0; j < t->k->shape.ndim; j++) axes[j] = j;
  for (int i = 0; i < f->n_in; i++) {
    if (!f->parameters[i].is_written) continue;
    const tsr_array value = t->stored[o++];
    if (tsr_ok(value) && tsr_assign_at(where, t->k->inputs[i].as.array, tsr_box_array(value)) < 0)
      return false;
  }
  for (int i = 0; i < f->n_out; i++) {
    const tsr_combine how = f->parameters[f->n_in + i].how;
    const tsr_dtype dtype = tsr__kernel_dtype(t->k, &f->parameters[f->n_in + i]);
    made[i] = t->stored[o++];
    if (how == TSR_COMBINE_NONE) continue;
    if (how != TSR_COMBINE_TEXT)
      made[i] =
          tsr__kernel_reduce(t->k, how, made[i], (unsigned)t->k->shape.ndim, axes, false, dtype);
    if (tsr_ok(made[i])) made[i] = with_extent(t, &f->parameters[f->n_in + i], made[i]);
    if (!tsr_ok(made[i])) return false;
  }
  return true;
}

/* Makes the outputs of a call without points, in which the function does not run. */
static void make_empty(task_call *t)
{
  const tsr_user_kernel *f = t->k->kernel;
  int o = 0;
  for (int i = 0; i < f->n_in; i++)
    if (f->parameters[i].is_written) t->stored[o++] = tsr_null();
  for (int i = 0; i < f->n_out; i++)
    t->stored[o++] = tsr_zeros_at(t->k->work.where, t->domain,
                                  tsr__kernel_dtype(t->k, &f->parameters[f->n_in + i]));
}

/* shape: of the arrays that the op writes. */
static bool check_sizes(const tsr_kernel_call *k, const tsr_dims *shape)
{
  for (int i = 0; i < k->kernel->n_out; i++) {
    const tsr_dtype dtype = tsr__kernel_dtype(k, &k->kernel->parameters[k->kernel->n_in + i]);
    if (tsr__checked_size(k->work.c, k->work.where, shape, dtype) < 0) return false;
  }
  return true;
}

bool tsr__task_record(const tsr_kernel_call *k, tsr_array *made)
{
  uint32_t whole;
  for (int i = 0; i < k->kernel->n_in; i++)
    if (!check_input(k, i)) return false;
  if (!find_whole(k, &whole)) return false;
  task_call t = {.k = k, .form = new_form(k, whole), .domain = k->shape};
  bool is_empty = false;
  for (int j = 0; j < t.domain.ndim; j++) {
    const int64_t n = t.domain.n[j], block = t.form->block[j];
    is_empty |= n == 0;
    t.domain.n[j] = n == 0 ? 0 : (n - 1) / block + 1;
  }
  if (t.form->extent > 0) t.domain.n[t.domain.ndim++] = t.form->extent;
  const bool ok = check_sizes(k, &t.domain) && take_inputs(&t);
  if (ok && !is_empty) {
    add_outputs(&t);
    t.form->cuda = tsr__task_code_of(k->work.c, k->kernel, t.form, k->data_bytes);
    tsr_window *w = &k->work.c->window;
    tsr_task_call *call =
        tsr__task_call_new(w, tsr__task_form_take(t.form), k->work.where, k->data, k->data_bytes);
    tsr__record_user_task(w, k->work.where, call, t.n_in, t.in, t.outs);
    tsr__task_keep(k, t.form, t.n_in, t.in, t.outs);
  } else if (ok) {
    make_empty(&t);
  }
  for (int i = 0; i < t.n_in; i++) tsr__in_drop(&t.in[i]);
  if (ok) tsr__recorded(k->work.c);
  const bool is_made = ok && finish_call(&t, made);
  tsr__task_form_drop(t.form);
  return is_made;
}
