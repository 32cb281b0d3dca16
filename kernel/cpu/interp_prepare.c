/* The interpreter's compiler. It turns a kernel into steps over pointers ("entries") in two forms:
 * `direct` for runs in which every access has unit stride along the inner axis, `general` for the
 * others. It decides which loads are read in place, which values are computed directly into the
 * memory of a store, and which share a temporary of scratch memory, a *temp*.
 *
 * Order matters only between accesses to one buffer at one point, because a load and a store of one
 * buffer reach the same element at each point. So within a block a load that is used after a store
 * to its buffer is copied first, and a value is written early, where it is computed, only if the
 * values it overwrites have no later use. */
#include <string.h>

#include "kernel/cpu/interp_int.h"
#include "kernel/cpu/nest.h"
#include "runtime/base/error.h"
#include "runtime/base/alloc.h"
#include "runtime/base/arena.h"

#define TEMPS_BYTES                                                                                \
  24576 /* half of an L1 cache of 48 KB; streams of direct accesses pass through the rest */
#define BLOCK_MAX 512
#define BLOCK_MIN 64
/* A single step over memory gains nothing from blocks. */
#define BLOCK_ONE_STEP ((int64_t)1 << 30)

/* What both forms of the code share. The arrays have an element per instruction. */
typedef struct analysis {
  const tsr_kernel *k;
  const tsr_loops *loops;
  tsr_arena scratch; /* all arrays until `pack` copies those that stay */
  bool *alive;       /* reaches a store */
  bool *uniform;     /* depends on scalars only */
  bool *copied;      /* LOAD: must be copied before a store */
  int32_t *last;     /* last instruction that uses it; n_instrs for a uniform one */
  uint16_t *direct;  /* access of the store that it may be computed into, or TSR_NO_ACCESS */
} analysis;

static const uint16_t *args_of(const tsr_kernel *k, int at)
{
  return k->args + k->instrs[at].first_arg;
}

static int buffer_of(const tsr_kernel *k, int at)
{
  return k->accesses[k->instrs[at].index].buffer;
}

/* Returns whether an operation has more operands than a loop, and so reads some of them after its
 * first write of the result. */
static bool is_chunked(const analysis *a, int at)
{
  const tsr_instr *in = &a->k->instrs[at];
  return in->kind == TSR_I_OP && in->n_args > tsr__loop_max_args(a->loops, in);
}

static void find_uses(analysis *a)
{
  const tsr_kernel *k = a->k;
  for (int i = k->n_instrs - 1; i >= 0; i--) {
    const tsr_instr *in = &k->instrs[i];
    if (in->kind == TSR_I_STORE) a->alive[i] = true;
    if (!a->alive[i]) continue;
    for (int j = 0; j < in->n_args; j++) {
      const int arg = args_of(k, i)[j];
      a->alive[arg] = true;
      if (a->last[arg] < i) a->last[arg] = i;
    }
  }
  for (int i = 0; i < k->n_instrs; i++) {
    const tsr_instr *in = &k->instrs[i];
    bool uniform = in->kind == TSR_I_SCALAR || in->kind == TSR_I_CAST || in->kind == TSR_I_OP ||
                   in->kind == TSR_I_RANDOM;
    for (int j = 0; j < in->n_args; j++) uniform = uniform && a->uniform[args_of(k, i)[j]];
    a->uniform[i] = uniform;
    if (uniform) a->last[i] = k->n_instrs;
  }
}

static void find_copied(analysis *a)
{
  const tsr_kernel *k = a->k;
  for (int s = 0; s < k->n_instrs; s++) {
    if (k->instrs[s].kind != TSR_I_STORE) continue;
    for (int l = 0; l < s; l++) {
      if (k->instrs[l].kind == TSR_I_LOAD && buffer_of(k, l) == buffer_of(k, s) && a->last[l] > s) {
        a->copied[l] = true;
      }
    }
  }
}

/* Returns whether value v may be computed into the memory that store s writes. */
static bool may_write_early(const analysis *a, int v, int s)
{
  const tsr_kernel *k = a->k;
  const int buffer = buffer_of(k, s);
  if (a->uniform[v] || a->direct[v] != TSR_NO_ACCESS) return false;
  /* The first instruction whose operands may already be overwritten. */
  const int first_harmed = v + !is_chunked(a, v);
  for (int i = 0; i < k->n_instrs; i++) {
    const tsr_instr *in = &k->instrs[i];
    if (!a->alive[i] || i == s) continue;
    const bool between = i > v && i < s;
    if (in->kind == TSR_I_LOAD && buffer_of(k, i) == buffer) {
      if (between) return false;
      if (i < v && !a->copied[i] && a->last[i] >= first_harmed) return false;
    }
    if (in->kind == TSR_I_STORE && buffer_of(k, i) == buffer) {
      if (between || (i > s && a->last[v] > i)) return false;
    }
    const bool lives_there =
        a->direct[i] != TSR_NO_ACCESS && k->accesses[a->direct[i]].buffer == buffer;
    if (lives_there && i < v && a->last[i] >= first_harmed) return false;
  }
  return true;
}

static void find_direct(analysis *a)
{
  const tsr_kernel *k = a->k;
  for (int s = 0; s < k->n_instrs; s++) {
    if (k->instrs[s].kind != TSR_I_STORE) continue;
    const int v = args_of(k, s)[0];
    if (may_write_early(a, v, s)) a->direct[v] = k->instrs[s].index;
  }
}

typedef struct temps {
  int32_t n, elem_bytes; /* number of temps; total bytes of one element of each */
  uint8_t *size;         /* per temp: bytes of an element */
  int32_t *offset;       /* per temp: sum of the element bytes of the temps before it */
  bool *taken;
  int32_t *of; /* per instruction; -1: none */
} temps;

static int temp_take(temps *s, int size)
{
  for (int i = 0; i < s->n; i++) {
    if (s->taken[i] || s->size[i] != size) continue;
    s->taken[i] = true;
    return i;
  }
  TSR_ASSERT(size > 0 && size <= UINT8_MAX);
  s->size[s->n] = size;
  s->offset[s->n] = s->elem_bytes;
  s->elem_bytes += size;
  s->taken[s->n] = true;
  return s->n++;
}

/* Frees the temps of operands whose last use is instruction `at`: those whose elements have `size`
 * bytes, or those whose elements have not. */
static void temps_free_dying(temps *s, const analysis *a, int at, int size, bool same_size)
{
  for (int j = 0; j < a->k->instrs[at].n_args; j++) {
    const int arg = args_of(a->k, at)[j];
    if (a->last[arg] != at || s->of[arg] < 0) continue;
    if ((s->size[s->of[arg]] == size) == same_size) s->taken[s->of[arg]] = false;
  }
}

static bool needs_temp(const analysis *a, int v, bool general)
{
  const tsr_instr *in = &a->k->instrs[v];
  if (in->kind == TSR_I_STORE) return false;
  if (general || a->uniform[v]) return true;
  if (in->kind == TSR_I_LOAD) return a->copied[v];
  return a->direct[v] == TSR_NO_ACCESS;
}

/* Assigns temps in one pass. A result may take the temp of an operand whose last use is there. */
static void assign_temps(temps *s, const analysis *a, bool general)
{
  const tsr_kernel *k = a->k;
  for (int i = 0; i < k->n_instrs; i++) {
    s->of[i] = -1;
    if (a->uniform[i] && a->alive[i]) s->of[i] = temp_take(s, tsr__dtype_size(k->instrs[i].dtype));
  }
  for (int i = 0; i < k->n_instrs; i++) {
    if (!a->alive[i] || a->uniform[i]) continue;
    const int size = tsr__dtype_size(k->instrs[i].dtype);
    const bool in_place = !is_chunked(a, i);
    if (in_place) temps_free_dying(s, a, i, size, true);
    if (needs_temp(a, i, general)) s->of[i] = temp_take(s, size);
    if (!in_place) temps_free_dying(s, a, i, size, true);
    temps_free_dying(s, a, i, size, false);
  }
}

typedef struct emitter {
  const analysis *a;
  tsr_code *code;
  bool general;
} emitter;

/* Returns the entry that holds value v. */
static uint16_t entry_of(const emitter *e, int v)
{
  const tsr_kernel *k = e->a->k;
  if (!e->general && !needs_temp(e->a, v, false)) {
    TSR_ASSERT(k->instrs[v].kind == TSR_I_LOAD || e->a->direct[v] != TSR_NO_ACCESS);
    return k->instrs[v].kind == TSR_I_LOAD ? k->instrs[v].index : e->a->direct[v];
  }
  return tsr__loop_axes_n_streams(k) + v;
}

static int log2_size(int dtype)
{
  return __builtin_ctz(tsr__dtype_size(dtype));
}

static void emit_compute(emitter *e, int v)
{
  const tsr_kernel *k = e->a->k;
  const tsr_instr *in = &k->instrs[v];
  tsr_step step = {.kind = TSR_STEP_COMPUTE,
                   .dst = entry_of(e, v),
                   .direct = e->general ? e->a->direct[v] : TSR_NO_ACCESS};
  const int most = in->kind == TSR_I_OP ? tsr__loop_max_args(e->a->loops, in) : TSR_LOOP_MAX_ARGS;
  for (int done = 0; done < in->n_args;) {
    step.first_src = e->code->n_srcs;
    step.n_src = 0;
    if (done > 0) {
      e->code->srcs[e->code->n_srcs++] = step.dst;
      step.n_src = 1;
      step.direct = TSR_NO_ACCESS;
    }
    for (; done < in->n_args && step.n_src < most; done++, step.n_src++) {
      e->code->srcs[e->code->n_srcs++] = entry_of(e, args_of(k, v)[done]);
    }
    step.loop =
        in->kind == TSR_I_CAST     ? e->a->loops->cast[in->dtype][k->instrs[args_of(k, v)[0]].dtype]
        : in->kind == TSR_I_RANDOM ? e->a->loops->random[in->index]
                                   : e->a->loops->op[in->index][in->compute][step.n_src - 1];
    TSR_ASSERT(step.loop);
    e->code->steps[e->code->n_steps++] = step;
  }
}

static void emit(emitter *e, int v)
{
  const analysis *a = e->a;
  const tsr_instr *in = &a->k->instrs[v];
  tsr_step step = {.log2_size = log2_size(in->dtype), .access = in->index};
  step.direct = e->general ? a->direct[v] : TSR_NO_ACCESS;
  switch (in->kind) {
  case TSR_I_LOAD:
    if (!e->general && !a->copied[v]) return;
    step.kind = a->copied[v] ? TSR_STEP_LOAD_COPY : TSR_STEP_LOAD;
    step.dst = entry_of(e, v);
    break;
  case TSR_I_IOTA:
    step.kind = TSR_STEP_IOTA;
    step.access = tsr__loop_axes_iota_stream(a->k, in->index);
    step.dst = entry_of(e, v);
    break;
  case TSR_I_STORE:
    step.kind = TSR_STEP_STORE;
    step.dst = entry_of(e, args_of(a->k, v)[0]);
    if (step.dst == in->index) return;
    break;
  case TSR_I_SCALAR:
    return;
  default:
    emit_compute(e, v);
    return;
  }
  e->code->steps[e->code->n_steps++] = step;
}

static int64_t block_for(const tsr_code *code, int elem_bytes)
{
  if (elem_bytes == 0) return code->n_steps == 1 ? BLOCK_ONE_STEP : BLOCK_MAX;
  const int64_t fits = TEMPS_BYTES / elem_bytes / BLOCK_MIN * BLOCK_MIN;
  return fits < BLOCK_MIN ? BLOCK_MIN : fits > BLOCK_MAX ? BLOCK_MAX : fits;
}

/* Makes one form of the code, in scratch memory. */
static void compile(analysis *a, bool general, tsr_code *code)
{
  const tsr_kernel *k = a->k;
  tsr_arena *scratch = &a->scratch;
  const size_t n = k->n_instrs + 1;
  temps s = {.size = tsr__arena_calloc(scratch, n, sizeof *s.size),
             .offset = tsr__arena_calloc(scratch, n, sizeof *s.offset),
             .taken = tsr__arena_calloc(scratch, n, sizeof *s.taken),
             .of = tsr__arena_calloc(scratch, n, sizeof *s.of)};
  assign_temps(&s, a, general);
  /* An operation of many operands takes fewer steps than operands. Each step after the first has
   * one more source. */
  code->steps = tsr__arena_calloc(scratch, n + k->n_args, sizeof *code->steps);
  code->srcs = tsr__arena_calloc(scratch, 2 * (n + k->n_args), sizeof *code->srcs);
  emitter e = {.a = a, .code = code, .general = general};
  for (int i = 0; i < k->n_instrs; i++) {
    if (a->alive[i] && a->uniform[i]) emit(&e, i);
  }
  TSR_ASSERT(code->n_steps <= k->n_instrs + k->n_args);
  code->n_uniform = code->n_steps;
  for (int i = 0; i < k->n_instrs; i++) {
    if (a->alive[i] && !a->uniform[i]) emit(&e, i);
  }
  TSR_ASSERT(code->n_steps <= k->n_instrs + k->n_args + 1);
  code->block = block_for(code, s.elem_bytes);
  code->temp_bytes = s.elem_bytes ? (size_t)(s.elem_bytes * code->block) : 0;
  code->temp_offset = tsr__arena_alloc(scratch, n * sizeof *code->temp_offset);
  for (int i = 0; i < k->n_instrs; i++) {
    code->temp_offset[i] = s.of[i] < 0 ? -1 : (int32_t)(s.offset[s.of[i]] * code->block);
  }
}

/* Copies n elements to *at and advances *at. */
static void *moved(char **at, const void *from, int64_t n, size_t bytes)
{
  void *to = *at;
  if (n) memcpy(to, from, (size_t)n * bytes);
  *at += (size_t)n * bytes;
  return to;
}

/* Makes one block of the prepared form and the arrays of its codes, in descending order of
 * alignment. */
static tsr_interp *pack(const tsr_interp *p, int32_t n_instrs)
{
  const int64_t n_steps = (int64_t)p->direct.n_steps + p->general.n_steps;
  const int64_t n_srcs = (int64_t)p->direct.n_srcs + p->general.n_srcs;
  tsr_interp *packed =
      tsr__malloc(sizeof *packed + (size_t)n_steps * sizeof(tsr_step) +
                  (size_t)n_instrs * 2 * sizeof(int32_t) + (size_t)n_srcs * sizeof(uint16_t));
  *packed = *p;
  tsr_code *codes[] = {&packed->direct, &packed->general};
  char *at = (char *)(packed + 1);
  for (int i = 0; i < 2; i++)
    codes[i]->steps = moved(&at, codes[i]->steps, codes[i]->n_steps, sizeof(tsr_step));
  for (int i = 0; i < 2; i++)
    codes[i]->temp_offset = moved(&at, codes[i]->temp_offset, n_instrs, sizeof(int32_t));
  for (int i = 0; i < 2; i++)
    codes[i]->srcs = moved(&at, codes[i]->srcs, codes[i]->n_srcs, sizeof(uint16_t));
  return packed;
}

static int n_stream_stores(const tsr_kernel *k)
{
  int n = 0;
  for (int a = 0; a < k->n_accesses; a++) n += k->accesses[a].is_store;
  return n < TSR_STREAM_STORE_MAX ? n : TSR_STREAM_STORE_MAX;
}

static size_t align64(size_t bytes)
{
  return (bytes + 63) & ~(size_t)63;
}

tsr_status tsr__kernel_prepare_with(tsr_kernel *k, const tsr_loops *loops)
{
  if (k->interp) return TSR_OK;
  const size_t n = k->n_instrs + 1;
  tsr_interp made = {.loops = loops}, *p = &made;
  analysis a = {.k = k, .loops = loops};
  a.alive = tsr__arena_calloc(&a.scratch, n, sizeof *a.alive);
  a.uniform = tsr__arena_calloc(&a.scratch, n, sizeof *a.uniform);
  a.copied = tsr__arena_calloc(&a.scratch, n, sizeof *a.copied);
  a.last = tsr__arena_calloc(&a.scratch, n, sizeof *a.last);
  a.direct = tsr__arena_alloc(&a.scratch, n * sizeof *a.direct);
  memset(a.direct, 0xff, n * sizeof *a.direct); /* TSR_NO_ACCESS */
  find_uses(&a);
  find_copied(&a);
  find_direct(&a);
  compile(&a, false, &p->direct);
  compile(&a, true, &p->general);
  const size_t n_axes = k->ndim ? k->ndim : 1, n_streams = tsr__loop_axes_n_streams(k);
  p->temps_at = align64((n_streams + k->n_instrs) * sizeof(void *) +
                        n_axes * n_streams * sizeof(int64_t) + k->n_accesses);
  const size_t temp_bytes =
      p->direct.temp_bytes > p->general.temp_bytes ? p->direct.temp_bytes : p->general.temp_bytes;
  p->stream_stores_at = align64(p->temps_at + temp_bytes);
  p->scratch_bytes = p->stream_stores_at + (size_t)n_stream_stores(k) * TSR_STREAM_STORE_BYTES;
  const size_t panel_bytes = tsr__panel_scratch_bytes(k);
  if (p->scratch_bytes < panel_bytes) p->scratch_bytes = panel_bytes;
  k->interp = pack(p, k->n_instrs);
  tsr__arena_destroy(&a.scratch);
  return TSR_OK;
}

tsr_status tsr__kernel_prepare(tsr_kernel *k)
{
  return tsr__kernel_prepare_with(k, tsr__loops_get(0));
}

size_t tsr__kernel_scratch_bytes(const tsr_kernel *k)
{
  return tsr__interp_of(k)->scratch_bytes;
}
