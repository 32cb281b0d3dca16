/* Kernels: what runs in the innermost loops. A kernel is a small typed SSA program over one point
 * of an iteration domain: loads, scalars, operations, stores. The interpreter runs it at once in
 * blocks that fit L1; renderers turn the same IR into C or CUDA. A reduction is a store into a
 * dense scratch box that `reduce.h` then sums by the fixed tree. */
#ifndef TSR_KERNEL_H
#define TSR_KERNEL_H

#include "tessera/base.h"

/* Dtypes. */

/* Ascending: a same_kind cast never goes down. */
typedef enum tsr_kind {
  TSR_KIND_BOOL,
  TSR_KIND_UINT,
  TSR_KIND_INT,
  TSR_KIND_FLOAT,
  TSR_KIND_COMPLEX
} tsr_kind;

/** One row per tsr_dtype (kernel/ir/dtype.c). */
typedef struct tsr_dtype_info {
  const char *name;   /* NumPy's: "float64" */
  const char *suffix; /* in texts and names of generated code: "f64" */
  tsr_kind kind;
  uint8_t size_bytes;
  char npy[5]; /* ".npy" descr: "<f8" */
} tsr_dtype_info;
const tsr_dtype_info *tsr__dtype_info(tsr_dtype dtype);
static inline size_t tsr__dtype_size(tsr_dtype d)
{
  return tsr__dtype_info(d)->size_bytes;
}
static inline tsr_kind tsr__dtype_kind(tsr_dtype d)
{
  return tsr__dtype_info(d)->kind;
}
static inline bool tsr__dtype_is_integer(tsr_dtype d)
{
  return tsr__dtype_kind(d) == TSR_KIND_UINT || tsr__dtype_kind(d) == TSR_KIND_INT;
}
/** Floats and complex numbers. */
static inline bool tsr__dtype_is_inexact(tsr_dtype d)
{
  return tsr__dtype_kind(d) >= TSR_KIND_FLOAT;
}
/** What operations on it compute in: float32 for float16, else itself. */
static inline tsr_dtype tsr__dtype_compute(tsr_dtype d)
{
  return d == TSR_DTYPE_FLOAT16 ? TSR_DTYPE_FLOAT32 : d;
}
/** The float of a complex number's parts; any other dtype itself. */
tsr_dtype tsr__dtype_part(tsr_dtype d);
/** The least float that NumPy's functions of it compute in: float16 for 8 bits and bool, float32
 *  for 16, else float64; floats and complex numbers themselves. */
tsr_dtype tsr__dtype_inexact(tsr_dtype d);
/** NumPy's promotion of two array dtypes (int64 + float32 = float64, int8 + uint8 = int16). */
tsr_dtype tsr__dtype_promote(tsr_dtype a, tsr_dtype b);
/** NumPy's rules: may `from` be cast to `to`? */
bool tsr__dtype_can_cast(tsr_dtype from, tsr_dtype to, tsr_casting casting);
/** Casts that have loops are steps: the next dtype on the way from `from` to `to`, `to` itself at
 *  the end (int8 of float64 is the low bits of its int32, complex64 of int8 is made of float32). */
tsr_dtype tsr__dtype_cast_step(tsr_dtype from, tsr_dtype to);

/** A scalar value with its dtype: an element's bytes, then zeros (which are its value in wider
 *  little-endian fields, too). bool uses `i` (0 or 1). */
typedef struct tsr_scalar {
  tsr_dtype dtype;
  union {
    int64_t i;
    double f;
    float f32;
    int32_t i32;
    uint16_t f16; /* its bits */
    float c64[2];
    double c128[2];
    uint64_t bits;
    uint64_t words[2]; /* the second: complex128 only, else 0 */
  } u; /* int32: i32; int64 and bool: i; float32: f32; float64: f; smaller and unsigned integers:
          bits */
} tsr_scalar;
/** As C and NumPy cast. Floats beyond int32 and int64, and NaN, become the least integer, as on
 * x86; of smaller integers the low bits of that. Of a complex number the real part. */
tsr_scalar tsr__scalar_cast(tsr_scalar x, tsr_dtype to);
/** A real scalar as a double; an integer as 64 bits (two's complement; uint64 alone is unsigned).
 */
double tsr__scalar_double(tsr_scalar x);
int64_t tsr__scalar_int(tsr_scalar x);
/** A float64; an int64, a bool, or the bits of another integer. All bytes of `u` are set, which C
 * does not promise where one member of it is initialised: they are compared and hashed whole. */
static inline tsr_scalar tsr__scalar_of_f64(double value)
{
  return (tsr_scalar){.dtype = TSR_DTYPE_FLOAT64, .u.c128 = {value, 0}};
}
static inline tsr_scalar tsr__scalar_of_bits(tsr_dtype dtype, uint64_t bits)
{
  return (tsr_scalar){.dtype = dtype, .u.words = {bits, 0}};
}
/** The number one; the difference of two of one dtype (integers wrap). */
tsr_scalar tsr__scalar_one(tsr_dtype dtype);
tsr_scalar tsr__scalar_difference(tsr_scalar a, tsr_scalar b);
void tsr__scalar_store(tsr_scalar x, void *out); /* writes size_bytes */
tsr_scalar tsr__scalar_load(tsr_dtype dtype, const void *in);

/* Operations. */

/** How a row of ops.def picks its dtypes from its operands' (after promotion to one type P). */
typedef enum tsr_rule {
  TSR_RULE_SAME,    /* computes in P, gives P */
  TSR_RULE_FLOAT,   /* integers and bool compute in the float of their size: float16 for 8 bits,
                       float32 for 16, else float64, of two arrays in that of the wider one; gives
                       the type it computes in (sqrt, exp) */
  TSR_RULE_DIVIDE,  /* as FLOAT, but all integers and bool compute in float64 */
  TSR_RULE_COMPARE, /* computes in P, gives bool */
  TSR_RULE_LOGICAL, /* operands become bool (x != 0), gives bool */
  TSR_RULE_WHERE,   /* operand 0 becomes bool, the others compute in P, gives P */
  TSR_RULE_NUMERIC, /* as SAME, but bool is refused with NumPy's advice (subtract, negative) */
  TSR_RULE_TEST,    /* computes as FLOAT, gives bool (isnan) */
  TSR_RULE_SCALE,  /* as FLOAT by its first operand; the second, an integer, becomes that (ldexp) */
  TSR_RULE_NUMBER, /* as SAME, but bool computes in int8 (power, square) */
  TSR_RULE_PART    /* as SAME, but complex numbers give the float of their parts (absolute) */
} tsr_rule;

/** Elementwise opcodes: one per row of kernel/ops/ops.def, in its order (TSR_OP_ADD, …). */
typedef enum tsr_opcode {
#define TSR_OP(NAME, name, ...) TSR_OP_##NAME,
#include "kernel/ops/ops.def"
#undef TSR_OP
  TSR_N_OPS
} tsr_opcode;

typedef struct tsr_op_info {
  const char *name; /* NumPy's */
  int min_args, max_args;
  tsr_rule rule;
  uint32_t dtypes_mask;  /* bit d: computes in tsr_dtype d */
  uint32_t keeps_mask;   /* bit d: operands of tsr_dtype d are computed in it, and give it */
  const char *c_expr;    /* over x, y, z of the compute type; K(f) names a helper of ops_c.h */
  const char *cuda_expr; /* the same in CUDA; "" where c_expr serves */
  const char *doc;       /* one line */
} tsr_op_info;
const tsr_op_info *tsr__op_info(tsr_opcode op);
/** The opcode named `name`, or -1. */
int tsr__op_find(const char *name);
/** Apply the row's rule to the promoted operand dtype. Returns false if the op does not take it.
 *  compute: the dtype that operands are cast to (for WHERE: operands 1 and 2); result: what the op
 * gives: float16 where it computes in float32 for float16 operands, and is rounded then. */
bool tsr__op_dtypes(tsr_opcode op, tsr_dtype promoted, tsr_dtype *compute, tsr_dtype *result);

/* Kernel IR. */

#define TSR_MAX_OP_ARGS 16

typedef enum tsr_instr_kind {
  TSR_I_LOAD,   /* access u.index; value of that access's dtype */
  TSR_I_SCALAR, /* parameter u.index, of `dtype` */
  TSR_I_IOTA,   /* int64: the iteration index along axis u.index (global: bind.lo + position) */
  TSR_I_CAST,   /* args[0] to dtype */
  TSR_I_OP, /* u.opcode; args already in `compute` dtype (LOGICAL and the condition of WHERE: bool)
             */
  TSR_I_RANDOM, /* u.random over int64 args; int64 */
  TSR_I_STORE   /* args[0] into access u.index (same dtype) */
} tsr_instr_kind;

/** Functions of random numbers, over bit patterns of 64 bits in int64 (kernel/ops/ops_random.h). */
typedef enum tsr_random {
  TSR_RANDOM_FIRST,   /* (index, key, draw): the first half of Philox4x32-10's 128 bits */
  TSR_RANDOM_SECOND,  /* (index, key, draw): the second half */
  TSR_RANDOM_TOP,     /* (bits, n): the highest n bits, 0 < n < 64 */
  TSR_RANDOM_BELOW,   /* (high, low, n): 128 bits as a number below n, unsigned */
  TSR_RANDOM_PERMUTE, /* (i, key, n): where a permutation of [0, n) takes i; i itself if not below n
                       */
  TSR_N_RANDOM
} tsr_random;
typedef struct tsr_random_info {
  const char *name;
  int n_args;
} tsr_random_info;
const tsr_random_info *tsr__random_info(tsr_random f);

typedef struct tsr_instr {
  uint8_t kind;    /* tsr_instr_kind */
  uint8_t dtype;   /* of the result; of the stored value for STORE */
  uint8_t compute; /* OP: the dtype it computes in */
  uint8_t n_args;
  uint16_t index;     /* access, parameter, axis, opcode or tsr_random */
  uint16_t first_arg; /* args are kernel.args[first_arg ..]: instruction numbers, all smaller than
                         this one's */
} tsr_instr;

/** One array access: a base pointer and a stride per loop axis, both given when it is bound. */
typedef struct tsr_kernel_access {
  uint8_t dtype;
  bool is_store;
  uint16_t buffer;  /* accesses with the same number touch the same memory; others never overlap */
  uint32_t pattern; /* accesses to one buffer with the same pattern touch the same element at each
                     * point; a load and a store of one buffer in one kernel always have the same
                     * pattern (the planner sees to it) */
} tsr_kernel_access;

/** A kernel in SSA order. Relocatable data: no pointers but its own arrays. Built by
 * kernel/ir/build.c. */
typedef struct tsr_kernel {
  int32_t ndim; /* of the iteration domain */
  int32_t n_instrs, n_args, n_accesses, n_scalars;
  tsr_instr *instrs;
  uint16_t *args;
  tsr_kernel_access *accesses;
  uint8_t *scalar_dtypes;
  uint32_t iota_axes;                /* bit k: IOTA reads axis k */
  int32_t widest_bytes;              /* of the numbers, or their parts, that it computes with */
  uint64_t hash;                     /* of all of the above, by content */
  struct tsr_program_interp *interp; /* prepared form; NULL until tsr__kernel_prepare */
  void *compiled; /* what tsr__jit_run last found for it; atomic, written by any thread */
} tsr_kernel;

/* Building: append instructions; identical LOAD, SCALAR, CAST, IOTA and OP instructions are shared
 * (hash-consed), but a LOAD is not shared across a STORE to its buffer: there it gives the value
 * stored, if that had the same pattern. Accesses with the same buffer, pattern and dtype count as
 * one for this. Each returns the instruction number. */
typedef struct tsr_kernel_builder tsr_kernel_builder;
tsr_kernel_builder *tsr__kernel_builder_create(int ndim);
int tsr__kernel_access_add(tsr_kernel_builder *b, tsr_dtype dtype, bool is_store, int buffer,
                           uint32_t pattern);
int tsr__kernel_scalar_add(tsr_kernel_builder *b,
                           tsr_dtype dtype); /* a new parameter; returns its index */
int tsr__kernel_load(tsr_kernel_builder *b, int access);
int tsr__kernel_scalar(tsr_kernel_builder *b, int parameter);
int tsr__kernel_iota(tsr_kernel_builder *b, int axis);
int tsr__kernel_cast(tsr_kernel_builder *b, int value,
                     tsr_dtype to); /* value itself if it has that dtype */
int tsr__kernel_op(tsr_kernel_builder *b, tsr_opcode op, tsr_dtype compute, tsr_dtype result, int n,
                   const int *args);
int tsr__kernel_random(tsr_kernel_builder *b, tsr_random f, const int *args);
int tsr__kernel_store(tsr_kernel_builder *b, int access, int value); /* casts */
/** What is wrong with the kernel (static text), or NULL: types, order of arguments, indices,
 * numbers of operands; that a load and a store of one buffer have the same pattern, and all
 * accesses of a stored buffer one dtype. */
const char *tsr__kernel_verify(const tsr_kernel *k);
/** Verify (a defect is fatal), move the arrays into one block, destroy the builder. */
tsr_kernel *tsr__kernel_finish(tsr_kernel_builder *b);
void tsr__kernel_destroy(tsr_kernel *k);
/** The same kernel, not prepared. */
tsr_kernel *tsr__kernel_copy(const tsr_kernel *k);
/** Multi-line text: "  %2 = add.f64 %0 %1". Returns malloc'd text. */
char *tsr__kernel_text(const tsr_kernel *k);
bool tsr__kernel_equal(const tsr_kernel *a, const tsr_kernel *b);

/* Running. */

/** A kernel bound to memory, for one box of its iteration domain. All arrays are borrowed. */
typedef struct tsr_kernel_bind {
  int64_t lo[TSR_MAX_NDIM]; /* global iteration index of the first point (IOTA sees it) */
  int64_t n[TSR_MAX_NDIM];  /* points per axis */
  void *const *base;        /* [n_accesses] address of the first point's element */
  const int64_t (*stride_bytes)[TSR_MAX_NDIM]; /* [n_accesses][ndim], may be 0 or negative */
  const tsr_scalar *scalars;                   /* [n_scalars], already of the parameter's dtype */
  uint64_t
      stream_store_mask; /* bit a < 64: what access a stores is not read again soon: it may be written
                         around the caches */
  bool from_memory;      /* what is touched comes from beyond the caches: ask for it ahead */
} tsr_kernel_bind;

/** Make the interpreter's form (register allocation, direct operands). Idempotent; not thread-safe.
 */
tsr_status tsr__kernel_prepare(tsr_kernel *k);
/** Scratch that tsr__kernel_run needs, in bytes (64-byte aligned). A function of the kernel only.
 */
size_t tsr__kernel_scratch_bytes(const tsr_kernel *k);
/** Run all points of the box. Thread-safe for disjoint stores; each thread brings its own scratch.
 *  Cost: one dispatch (~5 ns) per instruction and block of up to 1,024 elements; loads and stores
 * of unit stride are used in place, others are gathered and scattered. Adjacent axes that are
 * contiguous in every access are merged first. */
void tsr__kernel_run(const tsr_kernel *k, const tsr_kernel_bind *bind, void *scratch);

#endif
