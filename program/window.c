/* The window: ops in program order, numbered and hashed as they are recorded, so that ranks can
 * compare their streams. The hash covers what decides the plan and the values: ops, regions by
 * number, views, scalar bits; never an address. */
#include "program/program.h"
#include "runtime/base/table.h"

#include <stdlib.h>
#include <string.h>

void tsr__window_init(tsr_window *w, tsr_world *world)
{
  memset(w, 0, sizeof *w);
  w->world = world;
  if (world->size > 1 && world->config.guard)
    w->recent = tsr__calloc(TSR_GUARD_RING, sizeof *w->recent);
}

/* The hash of a view's form; never 0, which says that it is not known. */
static uint64_t hash_form(const tsr_view *v)
{
  uint64_t h = tsr__hash_word(0, (uint64_t)v->ndim << 8 | (uint64_t)v->rdim);
  for (int j = 0; j < v->ndim; j++) h = tsr__hash_word(h, (uint64_t)v->shape[j]);
  for (int k = 0; k < v->rdim; k++)
    for (int j = 0; j < v->ndim; j++)
      h = tsr__hash_word(h, (uint64_t)v->step[k][j] + (uint64_t)(8 * k + j));
  for (int j = 0; v->bounded && j < v->ndim; j++)
    h = tsr__hash_word(tsr__hash_word(h, (uint64_t)v->lo[j]), (uint64_t)v->hi[j]);
  return h + (h == 0);
}

static uint64_t hash_view(tsr_view_ref *v)
{
  if (v->form_hash == 0) v->form_hash = hash_form(&v->view);
  uint64_t h = v->form_hash;
  for (int k = 0; k < v->view.rdim; k++) h = tsr__hash_word(h, (uint64_t)v->view.offset[k]);
  for (int k = 0; v->view.reaches && k < v->view.rdim; k++) {
    h = tsr__hash_word(tsr__hash_word(h, (uint64_t)v->view.before[k]), (uint64_t)v->view.after[k]);
    h = tsr__hash_word(tsr__hash_word(h, (uint64_t)v->view.first[k]), (uint64_t)v->view.end[k]);
  }
  return h + (h == 0);
}

uint64_t tsr__view_ref_hash(tsr_view_ref *v)
{
  if (v->hash == 0) v->hash = hash_view(v);
  return v->hash;
}

/* Mixes in an operand or a result: which region, through which view, whose hash is remembered. */
static inline uint64_t mix_ref(uint64_t h, uint64_t region, tsr_view_ref *v)
{
  return tsr__hash_word(tsr__hash_word(h, region), tsr__view_ref_hash(v));
}

static inline void note_call(tsr_window *w, const tsr_location *where, uint64_t h)
{
  tsr_world *world = w->world;
  world->hash = h;
  uint64_t entry = world->seq++ % TSR_GUARD_RING;
  w->ring_hash[entry] = h;
  w->ring_where[entry] = where;
}

/* An operation on its way into the window, without its operands. */
static tsr_op *op_new(tsr_window *w, const tsr_location *where, tsr_op_kind kind, int n_in,
                      tsr_region *out, tsr_view_ref *out_view)
{
  tsr_op *op =
      tsr__free_list_take(&w->free_ops[n_in], sizeof *op + (size_t)n_in * sizeof op->in[0]);
  memset(op, 0, sizeof *op);
  op->kind = (uint8_t)kind;
  op->n_in = (uint8_t)n_in;
  op->side = w->side;
  op->out = out;
  op->out_view = out_view;
  op->where = where;
  return op;
}

void tsr__op_free(tsr_window *w, tsr_op *op)
{
  for (int i = 0; i < op->n_in; i++) tsr__view_ref_drop(op->in[i].view);
  if (op->call != NULL) tsr__task_call_free(w, op->call);
  tsr__view_ref_drop(op->out_view);
  tsr__free_list_give(w, &w->free_ops[op->n_in], op);
}

static tsr_dtype drop_region(tsr_window *w, tsr_region *region)
{
  const tsr_dtype dtype = region->dtype;
  region->n_ops--;
  tsr__region_maybe_free(w, region);
  return dtype;
}

/* Ends an op that leaves the window. Its dtypes stay in place of scalars and results. */
static void op_end(tsr_window *w, tsr_op *op)
{
  for (int i = 0; i < op->n_in; i++) {
    if (op->in[i].region == NULL) continue;
    op->in[i].scalar.dtype = drop_region(w, op->in[i].region);
    op->in[i].region = NULL;
  }
  op->compute = (uint8_t)drop_region(w, op->out);
  op->out = NULL;
  if (w->recent != NULL)
    tsr__recent_op(w, op);
  else
    tsr__op_free(w, op);
}

/* Of a region that places hold so many bytes of, no cache has all, and steps over it are worth a
 * longer window. It must be the same on every rank, and takes no plan longer where it is wrong. */
enum { STEP_BYTES = 2 << 20 };

static bool is_large(const tsr_window *w, const tsr_region *r)
{
  return (uint64_t)r->n_elems * tsr__dtype_size(r->dtype) >
         (uint64_t)STEP_BYTES * (uint64_t)tsr__world_n_places(w->world);
}

static void note_read(const tsr_window *w, tsr_region *r, tsr_view_ref *v)
{
  if (r->written_in == w->n_windows + 1 && tsr__view_ref_hash(v) != r->written_as)
    r->was_read_displaced = true;
}

static void note_write(tsr_window *w, tsr_region *r, tsr_view_ref *v)
{
  enum { FEW = 64 }; /* a FEW-th of a region is little */
  const bool again = r->written_in == w->n_windows + 1;
  if (again && r->was_read_displaced && is_large(w, r)) {
    w->n_steps++;
    w->steps_over_much |= tsr__view_size(&v->view) > r->n_elems / FEW;
  }
  r->written_in = w->n_windows + 1;
  r->written_as = tsr__view_ref_hash(v);
  r->was_read_displaced = false;
}

static void append_op(tsr_window *w, tsr_op *op, const tsr_op_in *in)
{
  uint64_t h = tsr__hash_word(w->world->hash,
                              (uint64_t)op->kind | (uint64_t)op->code << 8 |
                                  (uint64_t)op->compute << 24 | (uint64_t)op->n_in << 32 |
                                  (uint64_t)op->keepdims << 40 | (uint64_t)op->creates << 41);
  h = tsr__hash_word(h, op->axes_mask);
  for (int i = 0; i < op->n_in; i++) {
    if (in[i].region != NULL) {
      op->in[i].region = in[i].region; /* by field: a region has no scalar */
      op->in[i].view = in[i].view;
      TSR_ASSERT(!in[i].region->lent_writable);
      in[i].region->n_ops++;
      tsr__view_ref_take(in[i].view);
      h = mix_ref(h, in[i].region->id, in[i].view);
      note_read(w, in[i].region, in[i].view);
      if (op->kind == TSR_OPKIND_REDUCE) w->n_reduced += is_large(w, in[i].region);
    } else {
      op->in[i] = in[i];
      op->in[i].view = NULL;
      h = tsr__hash_word(tsr__hash_word(h, in[i].scalar.dtype), in[i].scalar.u.bits);
      if (in[i].scalar.u.words[1]) h = tsr__hash_word(h, in[i].scalar.u.words[1]);
    }
  }
  op->out->n_ops++;
  tsr__view_ref_take(op->out_view);
  h = mix_ref(h, op->out->id << 4 | op->out->dtype, op->out_view);
  if (!op->creates) op->out->was_assigned = true;
  note_write(w, op->out, op->out_view);
  TSR_ASSERT(op->out->n_lent == 0);
  w->ops = tsr__grow(w->ops, &w->capacity, w->n_ops + 1, sizeof *w->ops);
  w->ops[w->n_ops++] = op;
  op->seq = w->world->seq;
  note_call(w, op->where, h);
}

void tsr__record_map(tsr_window *w, const tsr_location *where, tsr_opcode code, tsr_dtype compute,
                     tsr_dtype result, int n_in, const tsr_op_in *in, tsr_region *out,
                     tsr_view_ref *out_view, bool creates)
{
  tsr_op *op = op_new(w, where, TSR_OPKIND_MAP, n_in, out, out_view);
  op->code = (uint16_t)code;
  op->compute = (uint8_t)compute;
  op->result = (uint8_t)result;
  op->creates = creates;
  append_op(w, op, in);
}

void tsr__record_copy(tsr_window *w, const tsr_location *where, const tsr_op_in *in,
                      tsr_region *out, tsr_view_ref *out_view, bool creates)
{
  tsr_op *op = op_new(w, where, TSR_OPKIND_COPY, 1, out, out_view);
  op->compute = op->result = (uint8_t)(in->region != NULL ? in->region->dtype : in->scalar.dtype);
  op->creates = creates;
  append_op(w, op, in);
}

void tsr__record_iota(tsr_window *w, const tsr_location *where, int axis, tsr_region *out,
                      tsr_view_ref *out_view)
{
  tsr_op *op = op_new(w, where, TSR_OPKIND_IOTA, 0, out, out_view);
  op->code = (uint16_t)axis;
  op->compute = op->result = TSR_DTYPE_INT64;
  op->creates = true;
  append_op(w, op, NULL);
}

void tsr__record_random(tsr_window *w, const tsr_location *where, tsr_random f, const tsr_op_in *in,
                        tsr_region *out, tsr_view_ref *out_view)
{
  tsr_op *op = op_new(w, where, TSR_OPKIND_RANDOM, tsr__random_info(f)->n_args, out, out_view);
  op->code = (uint16_t)f;
  op->compute = op->result = TSR_DTYPE_INT64;
  op->creates = true;
  append_op(w, op, in);
}

void tsr__record_pieces(tsr_window *w, const tsr_location *where, int n_in, const tsr_op_in *in,
                        tsr_region *out, tsr_view_ref *out_view)
{
  TSR_ASSERT(n_in > 1);
  for (int i = 0; i < n_in; i++)
    TSR_ASSERT(in[i].region == in[0].region && in[i].view->view.bounded);
  tsr_op *op = op_new(w, where, TSR_OPKIND_COPY, n_in, out, out_view);
  op->compute = op->result = (uint8_t)in->region->dtype;
  op->creates = true;
  append_op(w, op, in);
}

void tsr__record_reduce(tsr_window *w, const tsr_location *where, tsr_reduction code,
                        tsr_dtype compute, tsr_dtype result, const tsr_op_in *in,
                        uint32_t axes_mask, bool keepdims, tsr_region *out, tsr_view_ref *out_view)
{
  tsr_op *op = op_new(w, where, TSR_OPKIND_REDUCE, 1, out, out_view);
  op->code = (uint16_t)code;
  op->compute = (uint8_t)compute;
  op->result = (uint8_t)result;
  op->axes_mask = axes_mask;
  op->keepdims = keepdims;
  op->creates = true;
  append_op(w, op, in);
}

void tsr__record_task(tsr_window *w, const tsr_location *where, tsr_task_code code, tsr_dtype dtype,
                      int n_in, const tsr_op_in *in, uint32_t axes_mask, tsr_region *out,
                      tsr_view_ref *out_view, bool creates)
{
  tsr_op *op = op_new(w, where, TSR_OPKIND_TASK, n_in, out, out_view);
  op->code = (uint16_t)code;
  op->compute = op->result = (uint8_t)dtype;
  op->axes_mask = axes_mask;
  op->creates = creates;
  append_op(w, op, in);
}

void tsr__task_form_drop(tsr_task_form *f)
{
  if (f == NULL || --f->n_refs > 0) return;
  for (int i = 0; i < f->n_in + f->n_out; i++) tsr__view_ref_drop(f->parameters[i].own);
  free(f);
}

tsr_task_call *tsr__task_call_new(tsr_window *w, tsr_task_form *form, const tsr_location *where,
                                  const void *data, size_t data_bytes)
{
  tsr_task_call *call = tsr__free_list_take(&w->free_calls, sizeof *call);
  call->form = form;
  call->where = where;
  call->data = NULL;
  call->data_bytes = data != NULL ? data_bytes : 0;
  if (call->data_bytes == 0) return call;
  call->data = data_bytes <= sizeof call->few ? call->few : tsr__malloc(data_bytes);
  memcpy(call->data, data, data_bytes);
  return call;
}

void tsr__task_call_free_data(tsr_task_call *call)
{
  if (call->data != call->few) free(call->data);
  call->data = NULL;
}

void tsr__task_call_free(tsr_window *w, tsr_task_call *call)
{
  tsr__task_call_free_data(call);
  tsr__task_form_drop(call->form);
  tsr__free_list_give(w, &w->free_calls, call);
}

/* Mixes in what decides a task's values and is no operand. */
static uint64_t hash_call(uint64_t h, const tsr_task_call *call)
{
  const tsr_task_form *f = call->form;
  h = tsr__hash_word(h, f->number | (uint64_t)f->n_stored << 32);
  h = tsr__hash_word(h, (uint64_t)f->grain);
  for (int i = 0; i < f->n_in; i++)
    if (f->parameters[i].access < 0)
      h = tsr__hash_bytes(h, &f->parameters[i].value, sizeof f->parameters[i].value);
  return tsr__hash_word(tsr__hash_bytes(h, call->data, call->data_bytes), call->data_bytes);
}

void tsr__record_user_task(tsr_window *w, const tsr_location *where, tsr_task_call *call, int n_in,
                           const tsr_op_in *in, const tsr_task_out *outs)
{
  w->world->hash = hash_call(w->world->hash, call);
  for (int i = 0; i < call->form->n_stored; i++) {
    tsr_op *op = op_new(w, where, TSR_OPKIND_TASK, i == 0 ? n_in : 0, outs[i].region, outs[i].view);
    op->code = TSR_TASK_CODE_USER;
    op->compute = op->result = (uint8_t)outs[i].region->dtype;
    op->creates = outs[i].creates;
    op->follows = (uint8_t)i;
    op->call = i == 0 ? call : NULL;
    append_op(w, op, in);
  }
}

tsr_region *tsr__record_halo(tsr_window *w, const tsr_location *where, tsr_region *region,
                             const int64_t *width)
{
  tsr_view reach, none = {.ndim = region->ndim};
  tsr__view_identity(&reach, region->ndim, region->shape);
  reach.reaches = true;
  TSR_ASSERT(region->storage != NULL);
  for (int k = 0; k < region->ndim; k++) {
    TSR_ASSERT(width[k] >= 0 && width[k] <= region->shape[k]);
    none.shape[k] = reach.end[k] = region->shape[k];
    reach.before[k] = reach.after[k] = width[k];
    reach.first[k] = 0;
  }
  const tsr_op_in in = {.region = region, .view = tsr__view_ref_new(w, &reach)};
  tsr_region *out = tsr__region_create(w, region->dtype, 0, NULL, where);
  tsr_op *op = op_new(w, where, TSR_OPKIND_HALO, 1, out, tsr__view_ref_new(w, &none));
  op->compute = op->result = (uint8_t)region->dtype;
  op->creates = true;
  append_op(w, op, &in);
  tsr__view_ref_drop(in.view);
  tsr__view_ref_drop(op->out_view);
  return out;
}

void tsr__record_event(tsr_window *w, const tsr_location *where, uint64_t what, uint64_t detail)
{
  note_call(w, where, tsr__hash_word(tsr__hash_word(w->world->hash, what), detail));
}

void tsr__window_remove(tsr_window *w)
{
  int32_t n = 0;
  for (int32_t i = 0; i < w->n_ops; i++) {
    tsr_op *op = w->ops[i];
    if (op->leaves)
      op_end(w, op);
    else
      w->ops[n++] = op;
  }
  w->n_ops = n;
  w->n_windows++;
  w->n_steps = w->n_reduced = 0;
  w->steps_over_much = false;
}

static void pool_free(tsr_free_list *list)
{
  while (list->first != NULL) {
    void *p = list->first;
    list->first = *(void **)p;
    free(p);
  }
}

void tsr__window_free(tsr_window *w)
{
  w->closed = true;
  tsr__recent_free(w);
  for (int i = 0; i < TSR_N_IDENTITIES; i++) tsr__view_ref_drop(w->identities[i]);
  for (int i = 0; i < TSR_N_DERIVED; i++) {
    tsr__view_ref_drop(w->derived[i].of);
    for (int j = 0; j < 2; j++) tsr__view_ref_drop(w->derived[i].made[j]);
  }
  pool_free(&w->free_views);
  pool_free(&w->free_regions);
  pool_free(&w->free_calls);
  for (int i = 0; i <= TSR_MAX_OP_ARGS; i++) pool_free(&w->free_ops[i]);
  for (int32_t i = 0; i < w->n_ops; i++) op_end(w, w->ops[i]);
  free(w->ops);
  if (w->n_regions != 0)
    tsr__log(w->world, 0, "defect: %lld regions still alive at the end", (long long)w->n_regions);
  w->ops = NULL;
  w->n_ops = w->capacity = 0;
}
