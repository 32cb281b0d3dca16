/* Programs: captured from a window, copied, written as text. */
#include "program/canonical.h"

#include <string.h>

static void number_region(tsr_names *names, tsr_region *r)
{
  if (r->local >= 0 && r->local < names->n_regions && names->regions[r->local] == r) return;
  r->local = names->n_regions;
  names->regions[names->n_regions++] = r;
}

void tsr__number_regions(const tsr_window *w, tsr_names *out, tsr_arena *arena)
{
  int32_t most = 0;
  memset(out, 0, sizeof *out);
  for (int32_t i = 0; i < w->n_ops; i++) most += w->ops[i]->n_in + 1;
  out->regions = tsr__arena_alloc(arena, (size_t)(most + 1) * sizeof *out->regions);
  for (int32_t i = 0; i < w->n_ops; i++) {
    tsr_op *op = w->ops[i];
    for (int j = 0; j < op->n_in; j++)
      if (op->in[j].region != NULL) number_region(out, op->in[j].region);
    number_region(out, op->out);
  }
}

static const tsr_program_call *capture_call(const tsr_op *op, tsr_arena *arena)
{
  if (op->call == NULL) return NULL;
  tsr_program_call *call = tsr__arena_alloc(arena, sizeof *call);
  call->number = op->call->form->number;
  call->n_stored = op->call->form->n_stored;
  call->grain = op->call->form->grain;
  call->extent = op->call->form->extent;
  call->whole = op->call->form->whole;
  call->cuda = op->call->form->cuda;
  memcpy(call->block, op->call->form->block, sizeof call->block);
  return call;
}

static void capture_op(const tsr_op *op, tsr_arena *arena, tsr_program_op *out)
{
  *out = (tsr_program_op){.kind = op->kind,
                          .n_in = op->n_in,
                          .compute = op->compute,
                          .result = op->result,
                          .code = op->code,
                          .keepdims = op->keepdims,
                          .creates = op->creates,
                          .ran = op->ran,
                          .side = op->side,
                          .follows = op->follows,
                          .axes_mask = op->axes_mask,
                          .out = op->out->local,
                          .out_view = tsr__view_ref_take(op->out_view),
                          .call = capture_call(op, arena),
                          .where = op->where};
  out->in = tsr__arena_alloc(arena, (size_t)op->n_in * sizeof *out->in);
  for (int i = 0; i < op->n_in; i++) {
    const tsr_op_in *in = &op->in[i];
    if (in->region != NULL)
      out->in[i] = (tsr_program_in){in->region->local, (uint8_t)in->region->dtype,
                                    tsr__view_ref_take(in->view)};
    else
      out->in[i] = (tsr_program_in){-1, (uint8_t)in->scalar.dtype, NULL};
  }
}

static void capture_region(const tsr_window *w, const tsr_region *r, tsr_arena *arena,
                           tsr_program_region *out)
{
  *out = (tsr_program_region){.dtype = (uint8_t)r->dtype,
                              .ndim = r->ndim,
                              .n_elems = r->n_elems,
                              .is_held = r->n_handles > 0,
                              .outlives = r->n_stored > 0,
                              .was_assigned = r->was_assigned,
                              .replicate = r->replicate,
                              .exists = r->storage != NULL};
  memcpy(out->shape, r->shape, (size_t)r->ndim * sizeof *r->shape);
  if (out->exists) w->describe_storage(r, arena, &out->stored);
}

void tsr__program_capture(const tsr_window *w, const tsr_names *names, const tsr_region *target,
                          bool everything, tsr_arena *arena, tsr_program *out)
{
  *out = (tsr_program){.n_ops = w->n_ops,
                       .n_regions = names->n_regions,
                       .n_places = w->world->n_places,
                       .target = -1,
                       .everything = everything};
  out->ops = tsr__arena_alloc(arena, (size_t)(out->n_ops + 1) * sizeof *out->ops);
  for (int32_t i = 0; i < out->n_ops; i++) capture_op(w->ops[i], arena, &out->ops[i]);
  out->regions = tsr__arena_alloc(arena, (size_t)(out->n_regions + 1) * sizeof *out->regions);
  for (int32_t i = 0; i < out->n_regions; i++) {
    capture_region(w, names->regions[i], arena, &out->regions[i]);
    if (names->regions[i] == target) out->target = i;
  }
}

static void change_view(tsr_view_ref **view, tsr_view_ref *to)
{
  tsr__view_ref_take(to);
  tsr__view_ref_drop(*view);
  *view = to;
}

void tsr__program_resize(const tsr_window *w, const tsr_names *names, tsr_arena *arena,
                         tsr_program *p)
{
  TSR_ASSERT(p->n_ops == w->n_ops && p->n_regions == names->n_regions);
  for (int32_t i = 0; i < p->n_ops; i++) {
    const tsr_op *from = w->ops[i];
    tsr_program_op *op = &p->ops[i];
    TSR_ASSERT(op->kind == from->kind && op->n_in == from->n_in);
    op->out = from->out->local;
    op->where = from->where;
    change_view(&op->out_view, from->out_view);
    for (int j = 0; j < op->n_in; j++)
      if (op->in[j].region >= 0) change_view(&op->in[j].view, from->in[j].view);
  }
  for (int32_t i = 0; i < p->n_regions; i++) {
    const tsr_region *from = names->regions[i];
    tsr_program_region *r = &p->regions[i];
    TSR_ASSERT(r->ndim == from->ndim && r->exists == (from->storage != NULL));
    r->n_elems = from->n_elems;
    memcpy(r->shape, from->shape, (size_t)r->ndim * sizeof *r->shape);
    if (r->exists) w->describe_storage(from, arena, &r->stored);
  }
  tsr__program_redirect_again(p);
}

tsr_actions tsr__program_actions(const tsr_program *p, tsr_arena *arena)
{
  tsr_actions actions = {.n = p->n_ops};
  actions.v = tsr__arena_alloc(arena, (size_t)(p->n_ops + 1) * sizeof *actions.v);
  for (int32_t i = 0; i < p->n_ops; i++)
    actions.v[i] = (tsr_op_action){p->ops[i].out, p->ops[i].action, p->ops[i].deferred};
  return actions;
}

static void *moved(const void *v, size_t bytes, tsr_arena *arena)
{
  return memcpy(tsr__arena_alloc(arena, bytes + 1), v, bytes);
}

void tsr__program_move(tsr_program *p, tsr_arena *arena)
{
  p->ops = moved(p->ops, (size_t)p->n_ops * sizeof *p->ops, arena);
  for (int32_t i = 0; i < p->n_ops; i++) {
    tsr_program_op *op = &p->ops[i];
    TSR_ASSERT(op->call == NULL && op->fold == NULL);
    op->in = moved(op->in, (size_t)op->n_in * sizeof *op->in, arena);
  }
  p->regions = moved(p->regions, (size_t)p->n_regions * sizeof *p->regions, arena);
  for (int32_t i = 0; i < p->n_regions; i++) {
    tsr_stored *stored = &p->regions[i].stored;
    if (p->regions[i].exists)
      stored->extents =
          moved(stored->extents, (size_t)p->n_places * sizeof *stored->extents, arena);
  }
}

void tsr__program_drop(tsr_program *p)
{
  for (int32_t i = 0; i < p->n_ops; i++) {
    for (int j = 0; j < p->ops[i].n_in; j++) tsr__view_ref_drop(p->ops[i].in[j].view);
    tsr__view_ref_drop(p->ops[i].out_view);
  }
  for (int32_t i = 0; i < p->n_regions; i++)
    if (p->regions[i].exists) tsr__ghosts_free(&p->regions[i].stored.ghosts);
  *p = (tsr_program){.n_ops = 0};
}

int tsr__program_first_like(const tsr_program_op *op, int in)
{
  const tsr_program_in *x = &op->in[in];
  int i = 0;
  for (; i < in; i++) {
    const tsr_program_in *y = &op->in[i];
    if (y->region == x->region && y->region >= 0 && tsr__view_equal(&y->view->view, &x->view->view))
      break;
  }
  return i;
}

bool tsr__program_runs(const tsr_program *p)
{
  for (int32_t i = 0; i < p->n_ops; i++)
    if (p->ops[i].action == TSR_ACT_RUN) return true;
  return false;
}

void tsr__program_keep_layouts(const tsr_program *p, tsr_layouts *layouts)
{
  for (int32_t i = 0; i < p->n_regions; i++) {
    if (!p->regions[i].exists) continue;
    tsr__layouts_keep(layouts, p->regions[i].stored.layout);
    tsr__ghosts_keep_layouts(&p->regions[i].stored.ghosts, layouts);
  }
}

static void add_ref(tsr_text *t, int32_t region, const tsr_view *v)
{
  char buf[512];
  tsr__text_add(t, "r%d", region);
  if (!tsr__view_is_identity(v)) tsr__text_add(t, "{%s}", tsr__view_text(v, buf, sizeof buf));
}

static void add_op(tsr_text *t, const tsr_program *p, const tsr_program_op *op)
{
  add_ref(t, op->out, &op->out_view->view);
  tsr__text_add(t, ":%s %s %s(", tsr__dtype_info((tsr_dtype)p->regions[op->out].dtype)->name,
                op->creates ? "=" : "<-", tsr__op_name(op->kind, op->code, NULL));
  for (int i = 0; i < op->n_in; i++) {
    if (i > 0) tsr__text_add(t, ", ");
    if (op->in[i].region >= 0)
      add_ref(t, op->in[i].region, &op->in[i].view->view);
    else
      tsr__text_add(t, "%s", tsr__dtype_info((tsr_dtype)op->in[i].dtype)->name);
  }
  if (op->kind == TSR_OPKIND_REDUCE) tsr__text_add(t, ", axes=0x%x", (unsigned)op->axes_mask);
  if (op->kind == TSR_OPKIND_IOTA) tsr__text_add(t, "axis=%d", op->code);
  tsr__text_add(t, ")%s", op->ran ? " ran" : "");
}

char *tsr__program_text(const tsr_program *p)
{
  static const char *const name[] = {"drop", "keep", "run", "into"};
  tsr_text t = {0};
  char buf[512];
  for (int32_t i = 0; i < p->n_ops; i++) {
    const tsr_program_op *op = &p->ops[i];
    tsr__text_add(&t, "%-4s%s %%%d ", name[op->action], op->deferred ? "+" : " ", i);
    add_op(&t, p, op);
    if (op->action == TSR_ACT_RUN && p->regions[op->out].store) tsr__text_add(&t, " stored");
    if (op->where != NULL) tsr__text_add(&t, "  %s:%d", op->where->file, op->where->line);
    tsr__text_add(&t, "\n");
  }
  for (int32_t i = 0; i < p->n_regions; i++) {
    const tsr_program_region *r = &p->regions[i];
    tsr__text_add(&t, "r%d %s %s", i, tsr__shape_text(r->ndim, r->shape, buf, sizeof buf),
                  tsr__dtype_info((tsr_dtype)r->dtype)->name);
    tsr__text_add(&t, "%s%s%s",
                  r->outlives  ? " kept"
                  : r->is_held ? " held"
                               : "",
                  r->was_assigned ? " assigned" : "", i == p->target ? " is read" : "");
    if (r->exists)
      tsr__text_add(&t, " stored %s, %d ghost events",
                    tsr__layout_text(r->stored.layout, buf, sizeof buf), r->stored.ghosts.n);
    tsr__text_add(&t, "\n");
  }
  return t.s != NULL ? t.s : tsr__strdup("");
}
