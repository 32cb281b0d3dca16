/* Analysis for the C renderer. It decides what is computed once, per row or per point; which
 * operations are called; the levels; which values pass through arrays; and the form of each
 * bool. */
#include "kernel/cpu/render_int.h"
#include "runtime/base/alloc.h"
#include "runtime/base/error.h"

#include <stdlib.h>

enum { BLOCK_BYTES = 24576, BLOCK_MAX = 512, BLOCK_MIN = 64 };
/* A loop of at most FEW instructions computes COPIES vectors a turn. The text of longer loops is
 * written once, as it would take longer to compile. */
enum { COPIES = 4, FEW = 8 };

static int find_widest_bytes(const tsr_kernel *k)
{
  int widest = 1;
  for (int i = 0; i < k->n_instrs; i++) {
    const tsr_instr *in = &k->instrs[i];
    const int own = tsr__c_lane_size(in->dtype);
    const int computed = in->kind == TSR_I_OP ? tsr__c_lane_size(in->compute) : 1;
    if (widest < own) widest = own;
    if (widest < computed) widest = computed;
  }
  for (int i = 0; i < k->n_instrs && widest < 8; i++) { /* nothing is wider than 8 */
    const tsr_instr *in = &k->instrs[i];
    if (in->kind == TSR_I_OP && tsr__function_is_wide(in->index, in->compute)) widest = 8;
  }
  return widest;
}

/* Returns the bytes of the widest number, or part of one, with which compiled code of the kernel
 * computes. It is found on the first call and stored in the kernel. Thread-safe. */
static int render_widest_bytes(const tsr_kernel *k)
{
  int32_t *cached = &((tsr_kernel *)k)->widest_bytes; /* every thread would write the same value */
  int widest = __atomic_load_n(cached, __ATOMIC_RELAXED);
  if (widest == 0) {
    widest = find_widest_bytes(k);
    __atomic_store_n(cached, widest, __ATOMIC_RELAXED);
  }
  return widest;
}

int tsr__render_lanes(const tsr_kernel *k, const tsr_target *target)
{
  return target->vector_bytes / render_widest_bytes(k);
}

static tsr_dtype cast_from(const tsr_kernel *k, int i)
{
  return (tsr_dtype)k->instrs[k->args[k->instrs[i].first_arg]].dtype;
}

static bool is_called(const tsr_kernel *k, int i, int lanes, const tsr_target *target)
{
  const tsr_instr *in = &k->instrs[i];
  if (in->kind == TSR_I_RANDOM) return !tsr__random_inlines(in->index, lanes, target);
  if (in->kind == TSR_I_OP)
    return !tsr__c_shifts_by_scalar(k, i, lanes) &&
           !tsr__vector_form(in->index, in->compute, lanes, target).text;
  if (in->kind != TSR_I_CAST || in->dtype == TSR_DTYPE_BOOL) return false;
  const tsr_dtype from = cast_from(k, i);
  if (tsr__dtype_is_complex((tsr_dtype)from) || tsr__dtype_is_complex((tsr_dtype)in->dtype))
    return false;
  return from != TSR_DTYPE_BOOL && !tsr__vector_cast(from, (tsr_dtype)in->dtype);
}

/* Returns the loop that the instruction calls, or NULL if there is none for so many operands. */
static tsr_loop call_of(const tsr_kernel *k, int i, const tsr_loops *loops)
{
  const tsr_instr *in = &k->instrs[i];
  if (in->kind == TSR_I_RANDOM) return loops->random[in->index];
  if (in->kind == TSR_I_CAST) return loops->cast[in->dtype][cast_from(k, i)];
  return in->n_args > TSR_LOOP_MAX_ARGS ? NULL : loops->op[in->index][in->compute][in->n_args - 1];
}

static void mark_alive(const tsr_kernel *k, bool *alive)
{
  for (int i = k->n_instrs - 1; i >= 0; i--) {
    const tsr_instr *in = &k->instrs[i];
    if (in->kind == TSR_I_STORE) alive[i] = true;
    if (!alive[i]) continue;
    for (int j = 0; j < in->n_args; j++) alive[k->args[in->first_arg + j]] = true;
  }
}

int tsr__render_calls(const tsr_kernel *k, const tsr_target *target, tsr_loop *call)
{
  const int lanes = tsr__render_lanes(k, target);
  bool *alive = tsr__calloc((size_t)k->n_instrs + 1, sizeof *alive);
  mark_alive(k, alive);
  int n = 0;
  for (int i = 0; i < k->n_instrs; i++) {
    if (alive[i] && is_called(k, i, lanes, target)) call[n++] = call_of(k, i, target->loops);
  }
  free(alive);
  TSR_ASSERT(n <= k->n_instrs);
  return n;
}

bool tsr__c_can_render(const tsr_c_render *r)
{
  const tsr_kernel *k = r->k;
  for (int i = 0; i < k->n_instrs; i++) {
    const tsr_instr *in = &k->instrs[i];
    if (is_called(k, i, r->lanes, r->target) && !call_of(k, i, r->target->loops)) return false;
    if (in->kind != TSR_I_LOAD) continue;
    for (int s = 0; s < i; s++)
      if (k->instrs[s].kind == TSR_I_STORE &&
          k->accesses[k->instrs[s].index].buffer == k->accesses[in->index].buffer)
        return false;
  }
  return true;
}

static uint8_t moment_of(const tsr_c_render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  switch (in->kind) {
  case TSR_I_LOAD:
    return r->classes[in->index] == TSR_CLASS_ZERO ? TSR_PER_ROW : TSR_PER_POINT;
  case TSR_I_IOTA:
  case TSR_I_STORE:
    return TSR_PER_POINT;
  default:
    for (int j = 0; j < in->n_args; j++)
      if (r->v[tsr__c_args(r, i)[j]].moment != TSR_ONCE) return TSR_PER_POINT;
    return TSR_ONCE;
  }
}

static uint8_t lane_bytes_of(const tsr_c_render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  if (in->dtype != TSR_DTYPE_BOOL || r->v[i].called) return 1;
  if (in->kind == TSR_I_CAST)
    return (uint8_t)tsr__c_lane_size(r->k->instrs[tsr__c_args(r, i)[0]].dtype);
  if (in->kind != TSR_I_OP) return 1;
  if (in->compute != TSR_DTYPE_BOOL) return (uint8_t)tsr__c_lane_size(in->compute);
  const tsr_rule rule = tsr__op_info(in->index)->rule;
  return rule == TSR_RULE_LOGICAL ? r->v[tsr__c_args(r, i)[0]].lane_bytes : 1;
}

/* Returns whether the value is that of an inlined function that is a long chain of instructions. */
static bool is_function(const tsr_c_render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  if (in->kind == TSR_I_RANDOM)
    return !r->v[i].called && (in->index == TSR_RANDOM_FIRST || in->index == TSR_RANDOM_SECOND);
  if (in->kind != TSR_I_OP) return false;
  const char *helper = tsr__vector_form(in->index, in->compute, r->lanes, r->target).helper;
  return helper != NULL && !tsr__function_is_brief(helper, tsr__dtype_part((tsr_dtype)in->compute));
}

/* Returns whether an argument of i in this level depends on a function. */
static bool has_deep_arg(const tsr_c_render *r, int i, int level)
{
  for (int j = 0; j < r->k->instrs[i].n_args; j++) {
    const tsr_c_value *arg = &r->v[tsr__c_args(r, i)[j]];
    if (arg->moment == TSR_PER_POINT && arg->deep && arg->level == level) return true;
  }
  return false;
}

/* A function of another function's result begins a new level. In one loop the two would be a chain
 * so long that the processor waits for it. */
static int level_of(const tsr_c_render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  int level = 0;
  for (int j = 0; j < in->n_args; j++) {
    const tsr_c_value *arg = &r->v[tsr__c_args(r, i)[j]];
    const int ready = arg->moment == TSR_PER_POINT ? arg->level + arg->called : 0;
    if (ready > level) level = ready;
  }
  if (in->kind == TSR_I_STORE)
    for (int s = 0; s < i; s++)
      if (r->k->instrs[s].kind == TSR_I_STORE &&
          r->k->accesses[r->k->instrs[s].index].buffer == r->k->accesses[in->index].buffer &&
          r->v[s].level > level)
        level = r->v[s].level;
  return level + (is_function(r, i) && has_deep_arg(r, i, level));
}

/* Returns whether the value is read again where it is needed, instead of being kept in an array. */
static bool is_reloadable(const tsr_c_render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  return (in->kind == TSR_I_LOAD && !r->stored[in->index]) || in->kind == TSR_I_IOTA;
}

bool tsr__c_in_memory(const tsr_c_render *r, int i)
{
  const tsr_instr *in = &r->k->instrs[i];
  return in->kind == TSR_I_LOAD && !r->stored[in->index] && tsr__c_is_dense(r, in->index);
}

/* Returns the only use of value i if that is a store, else -1. */
static int only_store_of(const tsr_c_render *r, int i)
{
  int store = -1;
  for (int u = i + 1; u < r->k->n_instrs; u++)
    for (int j = 0; r->v[u].alive && j < r->k->instrs[u].n_args; j++) {
      if (tsr__c_args(r, u)[j] != i) continue;
      if (store >= 0 || r->k->instrs[u].kind != TSR_I_STORE) return -1;
      store = u;
    }
  return store;
}

int tsr__c_store_of(const tsr_c_render *r, int i)
{
  TSR_ASSERT(r->v[i].is_direct);
  return only_store_of(r, i);
}

/* Lets calls write what is only stored, side by side in memory that no other store writes, where it
 * is stored. */
static void find_direct(tsr_c_render *r)
{
  for (int i = 0; i < r->k->n_instrs; i++) {
    if (!r->v[i].called || r->v[i].moment != TSR_PER_POINT) continue;
    const int store = only_store_of(r, i);
    if (store < 0) continue;
    const int a = r->k->instrs[store].index;
    bool is_direct = tsr__c_is_dense(r, a);
    for (int b = 0; b < r->k->n_accesses; b++)
      if (b != a && r->k->accesses[b].buffer == r->k->accesses[a].buffer) is_direct = false;
    r->v[i].is_direct = r->v[store].is_direct = is_direct;
  }
}

static void find_arrays(tsr_c_render *r)
{
  int bytes = 0;
  for (int i = 0; i < r->k->n_instrs; i++) {
    tsr_c_value *v = &r->v[i];
    if (!v->alive) continue;
    if (v->called) v->in_array = !v->is_direct;
    for (int j = 0; j < r->k->instrs[i].n_args; j++) {
      const int a = tsr__c_args(r, i)[j];
      tsr_c_value *arg = &r->v[a];
      if (v->called && !tsr__c_in_memory(r, a)) arg->in_array = true;
      if (v->called && v->moment == TSR_PER_POINT && arg->moment != TSR_PER_POINT)
        arg->filled = true;
      if (arg->moment == TSR_PER_POINT && arg->level != v->level && !arg->is_direct &&
          !is_reloadable(r, a))
        arg->in_array = true;
    }
    if (v->level >= r->n_levels) r->n_levels = v->level + 1;
  }
  for (int i = 0; i < r->k->n_instrs; i++)
    if (r->v[i].in_array) bytes += tsr__c_size(r->k->instrs[i].dtype);
  r->block = BLOCK_MAX;
  while (r->block > BLOCK_MIN && r->block * bytes > BLOCK_BYTES) r->block /= 2;
}

static bool is_apart(const tsr_c_render *r)
{
  for (int a = 0; a < r->k->n_accesses; a++)
    for (int b = 0; b < a; b++)
      if (r->k->accesses[a].buffer == r->k->accesses[b].buffer) return false;
  return true;
}

/* Returns whether the kernel is one loop, whose vectors pass through the caches. */
static bool is_simple(const tsr_c_render *r)
{
  return r->n_calls == 0 && r->n_levels <= 1 && !r->any_stream_store;
}

/* Returns the vectors of a turn. A short loop's own instructions count beside those of its kernel,
 * and truth values of several vectors are narrowed together. */
static int count_copies(const tsr_c_render *r)
{
  int n = 0;
  for (int i = 0; i < r->k->n_instrs; i++) n += r->v[i].alive && r->v[i].moment == TSR_PER_POINT;
  if (!is_simple(r) || r->any_function) return 1;
  if (r->shifts && n <= 2 * FEW && n > FEW) return COPIES / 2;
  return n <= FEW ? COPIES : 1;
}

static bool any_beside(const tsr_c_render *r)
{
  for (int a = 0; a < r->k->n_accesses; a++)
    if (tsr__class_is_beside(r->classes[a])) return true;
  return false;
}

/* Returns a store that is worth a vector more per row for its being aligned: each vector of one
 * that is not takes two lines of the cache. -1: there is none, or a part of the row may not be
 * computed twice. */
static int find_aligned(const tsr_c_render *r)
{
  int found = -1;
  if (!is_simple(r) || r->any_function || r->target->vector_bytes < 32) return -1;
  for (int a = r->k->n_accesses - 1; a >= 0; a--) {
    if (!r->k->accesses[a].is_store) {
      if (r->stored[a]) return -1;
    } else if (tsr__c_is_dense(r, a) && !tsr__dtype_is_complex((tsr_dtype)r->k->accesses[a].dtype))
      found = a;
  }
  return found;
}

/* All that differs between lanes is complex and whole vectors of memory. */
static bool is_in_turns(const tsr_c_render *r)
{
  if (r->target->vector_bytes <= 16) return false;
  for (int i = 0; i < r->k->n_instrs; i++) {
    const tsr_instr *in = &r->k->instrs[i];
    const bool is_access = in->kind == TSR_I_LOAD || in->kind == TSR_I_STORE;
    if (!r->v[i].alive || r->v[i].moment != TSR_PER_POINT) continue;
    if (!tsr__dtype_is_complex((tsr_dtype)in->dtype)) return false;
    if (is_access && r->classes[in->index] == TSR_CLASS_ANY) return false;
  }
  return true;
}

/* Nothing tells the parts of complex values apart, which are whole vectors of memory. */
static bool is_in_pairs(const tsr_c_render *r)
{
  if (r->lanes < 2) return false;
  for (int i = 0; i < r->k->n_instrs; i++) {
    const tsr_instr *in = &r->k->instrs[i];
    const bool is_access = in->kind == TSR_I_LOAD || in->kind == TSR_I_STORE;
    if (!r->v[i].alive) continue;
    for (int j = 0; j < in->n_args; j++)
      if (tsr__dtype_is_complex((tsr_dtype)r->k->instrs[tsr__c_args(r, i)[j]].dtype) &&
          !tsr__dtype_is_complex((tsr_dtype)in->dtype))
        return false;
    if (!tsr__dtype_is_complex((tsr_dtype)in->dtype) || in->kind == TSR_I_SCALAR) continue;
    if (is_access ? r->classes[in->index] == TSR_CLASS_ANY
                  : r->v[i].called || !tsr__complex_is_alike(r->k, i))
      return false;
  }
  return true;
}

void tsr__c_analyse(tsr_c_render *r)
{
  const tsr_kernel *k = r->k;
  bool *alive = tsr__calloc((size_t)k->n_instrs + 1, sizeof *alive);
  mark_alive(k, alive);
  for (int i = 0; i < k->n_instrs; i++) {
    tsr_c_value *v = &r->v[i];
    v->alive = alive[i];
    v->called = alive[i] && is_called(k, i, r->lanes, r->target);
    r->n_calls += v->called;
    v->moment = moment_of(r, i);
    v->lane_bytes = lane_bytes_of(r, i);
    v->level = v->moment == TSR_PER_POINT ? level_of(r, i) : 0;
    const bool function = is_function(r, i);
    r->any_function |= alive[i] && function;
    v->deep = function || has_deep_arg(r, i, v->level);
  }
  for (int i = 0; i < k->n_instrs; i++)
    if (alive[i] && k->instrs[i].kind == TSR_I_STORE)
      r->any_stream_store |= tsr__c_stream_stores(r, k->instrs[i].index);
  free(alive);
  find_direct(r);
  find_arrays(r);
  TSR_ASSERT(r->block >= BLOCK_MIN && r->block % r->lanes == 0);
  r->apart = is_apart(r);
  /* Long rows are divided into four runs. That is faster for streaming stores in one loop whose
   * streams are read once; displaced loads of one buffer find most of what they need in the caches.
   */
  r->in_runs = r->any_stream_store && r->n_calls == 0 && r->n_levels <= 1 && r->apart;
  r->shifts = is_simple(r) && !r->any_function && any_beside(r);
  r->copies = count_copies(r);
  r->aligned = find_aligned(r);
  r->copy = -1;
  r->in_pairs = is_in_pairs(r);
  r->in_turns = !r->in_pairs && is_in_turns(r);
}
