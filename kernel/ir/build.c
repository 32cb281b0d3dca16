/* Builds kernels. Instructions are appended in SSA order, and instructions of the same value are
 * shared (hash-consing by a linear-probing table of instruction numbers). tsr__kernel_finish
 * verifies the kernel, orders it so that few values are alive, and moves it into one block.
 * Invariant: structs that are compared or hashed as bytes have no padding and are zeroed first. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/ir/kernel.h"
#include "kernel/ir/order.h"
#include "runtime/base/error.h"
#include "runtime/base/alloc.h"
#include "runtime/base/arena.h"
#include "runtime/base/table.h"

struct tsr_kernel_builder {
  tsr_kernel k; /* its arrays grow in `memory` */
  tsr_arena memory;
  int32_t instrs_capacity, args_capacity, accesses_capacity, scalars_capacity;
  tsr_table values; /* numbers of instructions, plus 1, in place of pointers */
  int32_t n_loads, loads_capacity;
  struct current_load *loads; /* the value of a LOAD, per pattern of a buffer */
};

/* The value that memory holds for a pattern after the instructions so far. */
struct current_load {
  uint16_t buffer;
  uint8_t dtype;
  uint32_t pattern;
  int32_t value;
};

_Static_assert(sizeof(tsr_instr) == 8, "instructions are hashed and compared as bytes");
_Static_assert(sizeof(tsr_kernel_access) == 8, "accesses are compared as bytes");

tsr_kernel_builder *tsr__kernel_builder_create(int ndim)
{
  TSR_ASSERT(ndim >= 0 && ndim <= TSR_MAX_NDIM);
  tsr_kernel_builder *b = tsr__calloc(1, sizeof *b);
  b->k.ndim = ndim;
  return b;
}

int tsr__kernel_access_add(tsr_kernel_builder *b, tsr_dtype dtype, bool is_store, int buffer,
                           uint32_t pattern)
{
  tsr_kernel *k = &b->k;
  TSR_ASSERT(buffer >= 0 && buffer <= UINT16_MAX && k->n_accesses < UINT16_MAX - 1);
  k->accesses = tsr__arena_grow(&b->memory, k->accesses, k->n_accesses, &b->accesses_capacity,
                                sizeof *k->accesses);
  k->accesses[k->n_accesses] = (tsr_kernel_access){
      .dtype = dtype, .is_store = is_store, .buffer = buffer, .pattern = pattern};
  return k->n_accesses++;
}

int tsr__kernel_scalar_add(tsr_kernel_builder *b, tsr_dtype dtype)
{
  tsr_kernel *k = &b->k;
  k->scalar_dtypes =
      tsr__arena_grow(&b->memory, k->scalar_dtypes, k->n_scalars, &b->scalars_capacity, 1);
  k->scalar_dtypes[k->n_scalars] = dtype;
  return k->n_scalars++;
}

/* The hash of the instruction without the position of its arguments, and of the arguments. */
static uint64_t hash_instr(tsr_instr in, const uint16_t *args)
{
  in.first_arg = 0;
  return tsr__hash_bytes(tsr__hash_bytes(0, &in, sizeof in), args, in.n_args * sizeof *args);
}

static bool same_instr(const tsr_kernel *k, tsr_instr a, const uint16_t *a_args, int other)
{
  tsr_instr o = k->instrs[other];
  const uint16_t *o_args = k->args + o.first_arg;
  a.first_arg = o.first_arg = 0;
  return memcmp(&a, &o, sizeof a) == 0 &&
         (a.n_args == 0 || memcmp(a_args, o_args, a.n_args * sizeof *a_args) == 0);
}

static int append_instr(tsr_kernel_builder *b, tsr_instr in, const uint16_t *args)
{
  tsr_kernel *k = &b->k;
  if (k->n_instrs >= UINT16_MAX || k->n_args + in.n_args > UINT16_MAX) {
    tsr__fatal("a kernel of more than %d instructions or arguments", UINT16_MAX);
  }
  in.first_arg = in.n_args ? k->n_args : 0;
  for (int i = 0; i < in.n_args; i++) {
    k->args = tsr__arena_grow(&b->memory, k->args, k->n_args, &b->args_capacity, sizeof *k->args);
    k->args[k->n_args++] = args[i];
  }
  k->instrs =
      tsr__arena_grow(&b->memory, k->instrs, k->n_instrs, &b->instrs_capacity, sizeof *k->instrs);
  k->instrs[k->n_instrs] = in;
  return k->n_instrs++;
}

/* Returns the number of an instruction of the same value, or of a new one. */
static int shared(tsr_kernel_builder *b, tsr_instr in, const uint16_t *args)
{
  const uint64_t hash = hash_instr(in, args);
  uint32_t at = 0;
  for (void *known; (known = tsr__table_next(&b->values, hash, &at)) != NULL;) {
    const int value = (int)(intptr_t)known - 1;
    if (same_instr(&b->k, in, args, value)) return value;
  }
  const int value = append_instr(b, in, args);
  tsr__table_add(&b->values, hash, (void *)((intptr_t)value + 1));
  return value;
}

static struct current_load *find_load(tsr_kernel_builder *b, const tsr_kernel_access *a)
{
  for (int i = 0; i < b->n_loads; i++) {
    struct current_load *l = &b->loads[i];
    if (l->buffer == a->buffer && l->pattern == a->pattern && l->dtype == a->dtype) return l;
  }
  return NULL;
}

static void set_load(tsr_kernel_builder *b, const tsr_kernel_access *a, int value)
{
  b->loads =
      tsr__arena_grow(&b->memory, b->loads, b->n_loads, &b->loads_capacity, sizeof *b->loads);
  b->loads[b->n_loads++] = (struct current_load){a->buffer, a->dtype, a->pattern, value};
}

int tsr__kernel_load(tsr_kernel_builder *b, int access)
{
  TSR_ASSERT(access >= 0 && access < b->k.n_accesses);
  const tsr_kernel_access *a = &b->k.accesses[access];
  const struct current_load *known = find_load(b, a);
  if (known) return known->value;
  const int value =
      append_instr(b, (tsr_instr){.kind = TSR_I_LOAD, .dtype = a->dtype, .index = access}, NULL);
  set_load(b, a, value);
  return value;
}

int tsr__kernel_scalar(tsr_kernel_builder *b, int parameter)
{
  TSR_ASSERT(parameter >= 0 && parameter < b->k.n_scalars);
  return shared(
      b,
      (tsr_instr){.kind = TSR_I_SCALAR, .dtype = b->k.scalar_dtypes[parameter], .index = parameter},
      NULL);
}

int tsr__kernel_iota(tsr_kernel_builder *b, int axis)
{
  TSR_ASSERT(axis >= 0 && axis < b->k.ndim);
  return shared(b, (tsr_instr){.kind = TSR_I_IOTA, .dtype = TSR_DTYPE_INT64, .index = axis}, NULL);
}

int tsr__kernel_cast(tsr_kernel_builder *b, int value, tsr_dtype to)
{
  TSR_ASSERT(value >= 0 && value < b->k.n_instrs);
  while (b->k.instrs[value].dtype != to) {
    const uint16_t arg = value;
    const tsr_dtype step = tsr__dtype_cast_step((tsr_dtype)b->k.instrs[value].dtype, to);
    value = shared(b, (tsr_instr){.kind = TSR_I_CAST, .dtype = step, .n_args = 1}, &arg);
  }
  return value;
}

/* Each operation on float16 rounds to it, so a chain of many operands becomes a chain of pairs. */
static int half_op(tsr_kernel_builder *b, tsr_opcode op, int n, const int *args)
{
  const tsr_dtype compute = TSR_DTYPE_FLOAT32, result = TSR_DTYPE_FLOAT16;
  if (n <= 2 || tsr__op_info(op)->max_args <= 3)
    return tsr__kernel_cast(b, tsr__kernel_op(b, op, compute, compute, n, args), result);
  int sum = args[0];
  for (int i = 1; i < n; i++) {
    const int pair[] = {tsr__kernel_cast(b, sum, compute), args[i]};
    sum = half_op(b, op, 2, pair);
  }
  return sum;
}

int tsr__kernel_op(tsr_kernel_builder *b, tsr_opcode op, tsr_dtype compute, tsr_dtype result, int n,
                   const int *args)
{
  TSR_ASSERT(n >= 1 && n <= TSR_MAX_OP_ARGS);
  if (result == TSR_DTYPE_FLOAT16) return half_op(b, op, n, args);
  uint16_t numbers[TSR_MAX_OP_ARGS];
  for (int i = 0; i < n; i++) {
    TSR_ASSERT(args[i] >= 0 && args[i] < b->k.n_instrs);
    numbers[i] = args[i];
  }
  return shared(
      b,
      (tsr_instr){.kind = TSR_I_OP, .dtype = result, .compute = compute, .n_args = n, .index = op},
      numbers);
}

int tsr__kernel_random(tsr_kernel_builder *b, tsr_random f, const int *args)
{
  uint16_t numbers[TSR_MAX_OP_ARGS];
  const int n = tsr__random_info(f)->n_args;
  for (int i = 0; i < n; i++) {
    TSR_ASSERT(args[i] >= 0 && args[i] < b->k.n_instrs);
    numbers[i] = args[i];
  }
  const tsr_instr in = {.kind = TSR_I_RANDOM, .dtype = TSR_DTYPE_INT64, .n_args = n, .index = f};
  return shared(b, in, numbers);
}

int tsr__kernel_store(tsr_kernel_builder *b, int access, int value)
{
  TSR_ASSERT(access >= 0 && access < b->k.n_accesses);
  const tsr_kernel_access a = b->k.accesses[access];
  const uint16_t arg = tsr__kernel_cast(b, value, a.dtype);
  int n = 0;
  for (int i = 0; i < b->n_loads; i++) {
    if (b->loads[i].buffer != a.buffer) b->loads[n++] = b->loads[i];
  }
  b->n_loads = n;
  set_load(b, &a, arg);
  return append_instr(
      b, (tsr_instr){.kind = TSR_I_STORE, .dtype = a.dtype, .n_args = 1, .index = access}, &arg);
}

static const char *verify_op(const tsr_kernel *k, const tsr_instr *in)
{
  if (in->index >= TSR_N_OPS) return "an unknown opcode";
  const tsr_op_info *info = tsr__op_info(in->index);
  if (in->n_args < info->min_args || in->n_args > info->max_args) return "a wrong operand count";
  tsr_dtype compute, result;
  if (in->compute >= TSR_N_DTYPES || !tsr__op_dtypes(in->index, in->compute, &compute, &result) ||
      compute != in->compute || result != in->dtype) {
    return "dtypes that the operation does not have";
  }
  for (int i = 0; i < in->n_args; i++) {
    const tsr_dtype want = info->rule == TSR_RULE_WHERE && i == 0 ? TSR_DTYPE_BOOL : compute;
    if (k->instrs[k->args[in->first_arg + i]].dtype != want) return "an operand of a wrong dtype";
  }
  return NULL;
}

static const char *verify_random(const tsr_kernel *k, const tsr_instr *in)
{
  if (in->index >= TSR_N_RANDOM) return "an unknown random function";
  if (in->n_args != tsr__random_info(in->index)->n_args) return "a wrong operand count";
  for (int i = 0; i < in->n_args; i++)
    if (k->instrs[k->args[in->first_arg + i]].dtype != TSR_DTYPE_INT64)
      return "an operand of a wrong dtype";
  return in->dtype == TSR_DTYPE_INT64 ? NULL : "a random number of a wrong dtype";
}

static const char *verify_instr(const tsr_kernel *k, int at)
{
  const tsr_instr *in = &k->instrs[at];
  if (in->dtype >= TSR_N_DTYPES) return "an unknown dtype";
  if (in->first_arg + in->n_args > k->n_args) return "arguments out of range";
  for (int i = 0; i < in->n_args; i++) {
    const int arg = k->args[in->first_arg + i];
    if (arg >= at || k->instrs[arg].kind == TSR_I_STORE) return "an argument that is no value yet";
  }
  const int want_args = in->kind == TSR_I_CAST || in->kind == TSR_I_STORE;
  if (in->kind != TSR_I_OP && in->kind != TSR_I_RANDOM && in->n_args != want_args)
    return "a wrong argument count";
  switch (in->kind) {
  case TSR_I_LOAD:
  case TSR_I_STORE:
    if (in->index >= k->n_accesses) return "an access out of range";
    if (k->accesses[in->index].dtype != in->dtype) return "an access of another dtype";
    if (in->kind == TSR_I_LOAD) return NULL;
    if (!k->accesses[in->index].is_store) return "a store into an access for loads";
    return k->instrs[k->args[in->first_arg]].dtype == in->dtype ? NULL : "a store without a cast";
  case TSR_I_SCALAR:
    if (in->index >= k->n_scalars) return "a parameter out of range";
    return k->scalar_dtypes[in->index] == in->dtype ? NULL : "a parameter of another dtype";
  case TSR_I_IOTA:
    return in->index < k->ndim && in->dtype == TSR_DTYPE_INT64 ? NULL : "an axis out of range";
  case TSR_I_CAST:
    return NULL;
  case TSR_I_OP:
    return verify_op(k, in);
  case TSR_I_RANDOM:
    return verify_random(k, in);
  default:
    return "an unknown kind of instruction";
  }
}

const char *tsr__kernel_verify(const tsr_kernel *k)
{
  if (k->ndim < 0 || k->ndim > TSR_MAX_NDIM) return "too many axes";
  for (int i = 0; i < k->n_accesses; i++) {
    const tsr_kernel_access *a = &k->accesses[i];
    if (a->dtype >= TSR_N_DTYPES) return "an unknown dtype";
    if (!a->is_store) continue;
    for (int j = 0; j < k->n_accesses; j++) {
      const tsr_kernel_access *o = &k->accesses[j];
      if (o->buffer != a->buffer) continue;
      if (o->dtype != a->dtype) return "a stored buffer of two dtypes";
      if (!o->is_store && o->pattern != a->pattern) return "a load that overlaps a store";
    }
  }
  for (int i = 0; i < k->n_instrs; i++) {
    const char *defect = verify_instr(k, i);
    if (defect) return defect;
  }
  return NULL;
}

void tsr__kernel_source_set(tsr_kernel_builder *b, const char *source)
{
  TSR_ASSERT(b->k.n_instrs == 0 && b->k.n_source == 0);
  b->k.n_source = (int32_t)strlen(source) + 1;
  b->k.source = tsr__arena_alloc(&b->memory, (size_t)b->k.n_source);
  memcpy(b->k.source, source, (size_t)b->k.n_source);
}

static void builder_destroy(tsr_kernel_builder *b)
{
  tsr__arena_destroy(&b->memory);
  tsr__table_free(&b->values);
  free(b);
}

/* Copies n elements to *at and advances *at. */
static void *moved(char **at, const void *from, int32_t n, size_t bytes)
{
  void *to = *at;
  if (n) memcpy(to, from, (size_t)n * bytes);
  *at += (size_t)n * bytes;
  return to;
}

static uint64_t content_hash(const tsr_kernel *k)
{
  const int32_t counts[] = {k->ndim, k->n_instrs, k->n_args, k->n_accesses, k->n_scalars, 0};
  uint64_t hash = tsr__hash_bytes(0, counts, sizeof counts);
  hash = tsr__hash_bytes(hash, k->instrs, (size_t)k->n_instrs * sizeof *k->instrs);
  hash = tsr__hash_bytes(hash, k->args, (size_t)k->n_args * sizeof *k->args);
  hash = tsr__hash_bytes(hash, k->accesses, (size_t)k->n_accesses * sizeof *k->accesses);
  hash = tsr__hash_bytes(hash, k->scalar_dtypes, (size_t)k->n_scalars);
  return k->n_source > 0 ? tsr__hash_bytes(hash, k->source, (size_t)k->n_source) : hash;
}

/* All arrays are in one block. The fields after the hash are neither copied nor read, since another
 * thread that runs the kernel may write them. */
tsr_kernel *tsr__kernel_copy(const tsr_kernel *from)
{
  const size_t bytes = sizeof(tsr_kernel) + (size_t)from->n_accesses * sizeof *from->accesses +
                       (size_t)from->n_instrs * sizeof *from->instrs +
                       (size_t)from->n_args * sizeof *from->args + (size_t)from->n_scalars +
                       (size_t)from->n_source;
  tsr_kernel *k = tsr__malloc(bytes);
  memcpy(k, from, offsetof(tsr_kernel, interp));
  char *at = (char *)(k + 1); /* in descending order of alignment */
  k->accesses = moved(&at, from->accesses, from->n_accesses, sizeof *from->accesses);
  k->instrs = moved(&at, from->instrs, from->n_instrs, sizeof *from->instrs);
  k->args = moved(&at, from->args, from->n_args, sizeof *from->args);
  k->scalar_dtypes = moved(&at, from->scalar_dtypes, from->n_scalars, 1);
  k->source = moved(&at, from->source, from->n_source, 1);
  TSR_ASSERT(at == (char *)k + bytes);
  k->interp = NULL;
  k->compiled = NULL;
  k->widest_bytes = 0;
  k->n_shares = 0;
  return k;
}

/* The graph of the instructions, in b->memory. A value that is read from memory, or that depends on
 * scalars only, takes no space: whoever needs it may read it again. A store follows what was loaded
 * from its buffer and stored there before, and a load what was stored. */
static tsr_order_graph graph_of(tsr_kernel_builder *b)
{
  const tsr_kernel *k = &b->k;
  const size_t n = (size_t)k->n_instrs;
  int32_t *first = tsr__arena_alloc(&b->memory, (n + 1) * sizeof *first);
  int32_t *size = tsr__arena_alloc(&b->memory, (n + 1) * sizeof *size);
  int32_t *args = NULL, n_args = 0, capacity = 0;
  int32_t n_memory = 0, *memory = tsr__arena_alloc(&b->memory, (n + 1) * sizeof *memory);
  for (int32_t i = 0; i < k->n_instrs; i++) {
    const tsr_instr *in = &k->instrs[i];
    const bool is_load = in->kind == TSR_I_LOAD, is_store = in->kind == TSR_I_STORE;
    first[i] = n_args;
    size[i] = in->kind == TSR_I_IOTA;
    for (int j = 0; j < in->n_args; j++) {
      const int32_t arg = k->args[in->first_arg + j];
      const uint8_t kind = k->instrs[arg].kind;
      if (!is_store && (size[arg] > 0 || kind == TSR_I_LOAD)) size[i] = 1;
      args = tsr__arena_grow(&b->memory, args, n_args, &capacity, sizeof *args);
      args[n_args++] = arg;
    }
    for (int32_t j = 0; (is_load || is_store) && j < n_memory; j++) {
      const tsr_instr *before = &k->instrs[memory[j]];
      if (k->accesses[before->index].buffer != k->accesses[in->index].buffer ||
          (is_load && before->kind == TSR_I_LOAD))
        continue;
      args = tsr__arena_grow(&b->memory, args, n_args, &capacity, sizeof *args);
      args[n_args++] = memory[j];
    }
    if (is_load || is_store) memory[n_memory++] = i;
  }
  first[n] = n_args;
  return (tsr_order_graph){.n = k->n_instrs, .first = first, .args = args, .size = size};
}

/* Puts the instructions in this order. */
static void reorder(tsr_kernel_builder *b, const int32_t *order)
{
  tsr_kernel *k = &b->k;
  const size_t n = (size_t)k->n_instrs, n_args = (size_t)k->n_args;
  tsr_instr *instrs = tsr__arena_alloc(&b->memory, n * sizeof *instrs);
  uint16_t *args = tsr__arena_alloc(&b->memory, (n_args + 1) * sizeof *args);
  uint16_t *number = tsr__arena_alloc(&b->memory, n * sizeof *number), at = 0;
  for (int32_t i = 0; i < k->n_instrs; i++) {
    tsr_instr *in = &instrs[i];
    *in = k->instrs[order[i]];
    number[order[i]] = (uint16_t)i;
    const uint16_t *from = k->args + in->first_arg;
    if (in->n_args > 0) in->first_arg = at;
    for (int j = 0; j < in->n_args; j++) args[at++] = number[from[j]];
  }
  TSR_ASSERT(at == k->n_args);
  k->instrs = instrs;
  k->args = args;
}

/* Where more values are alive than processors have registers, takes an order in which fewer are. */
static void order_instrs(tsr_kernel_builder *b)
{
  enum { FEW_ALIVE = 32 };
  if (b->k.n_instrs <= FEW_ALIVE) return;
  const tsr_order_graph g = graph_of(b);
  const int64_t alive = tsr__order_alive(&g, NULL, &b->memory);
  if (alive <= FEW_ALIVE) return;
  int32_t *order = tsr__arena_alloc(&b->memory, (size_t)g.n * sizeof *order);
  tsr__order_few_alive(&g, &b->memory, order);
  if (tsr__order_alive(&g, order, &b->memory) < alive) reorder(b, order);
}

tsr_kernel *tsr__kernel_finish(tsr_kernel_builder *b)
{
  const char *defect = tsr__kernel_verify(&b->k);
  if (defect) tsr__fatal("a kernel has %s", defect);
  order_instrs(b);
  TSR_ASSERT(tsr__kernel_verify(&b->k) == NULL);
  tsr_kernel *k = tsr__kernel_copy(&b->k);
  k->hash = content_hash(k);
  for (int i = 0; i < k->n_instrs; i++)
    if (k->instrs[i].kind == TSR_I_IOTA) k->iota_axes |= 1u << k->instrs[i].index;
  builder_destroy(b);
  return k;
}

tsr_kernel *tsr__kernel_share(tsr_kernel *k)
{
  k->n_shares++;
  return k;
}

void tsr__kernel_destroy(tsr_kernel *k)
{
  if (!k || k->n_shares-- > 0) return;
  free(k->interp);
  free(k);
}

static bool same_bytes(const void *a, const void *b, size_t bytes)
{
  return bytes == 0 || memcmp(a, b, bytes) == 0;
}

bool tsr__kernel_equal(const tsr_kernel *a, const tsr_kernel *b)
{
  return a->ndim == b->ndim && a->n_instrs == b->n_instrs && a->n_args == b->n_args &&
         a->n_accesses == b->n_accesses && a->n_scalars == b->n_scalars &&
         a->n_source == b->n_source && same_bytes(a->source, b->source, (size_t)a->n_source) &&
         same_bytes(a->instrs, b->instrs, (size_t)a->n_instrs * sizeof *a->instrs) &&
         same_bytes(a->args, b->args, (size_t)a->n_args * sizeof *a->args) &&
         same_bytes(a->accesses, b->accesses, (size_t)a->n_accesses * sizeof *a->accesses) &&
         same_bytes(a->scalar_dtypes, b->scalar_dtypes, (size_t)a->n_scalars);
}
