/* Operations and casts as expressions over GCC vectors, and the targets. The bits are those of
 * ops_c.h: products and sums are not contracted, integers wrap (-fwrapv), and a comparison gives
 * all ones or zeros. The form of an operation is its row's C expression, if that serves vectors
 * (its functions are in render_functions.c), or one listed here. An operation without a form is
 * called: the interpreter's loop of the same target runs over a block. */
#include "kernel/cpu/render_int.h"

#include <stdio.h>

/* A truth value is a byte of 0 or 1 in the forms of bools, which also serve one-byte integers that
 * compare and choose; elsewhere it is a mask. */
typedef struct form {
  const char *bools, *ints, *floats;
} form;

/* Rows whose C expression does not serve vectors unchanged. */
static const form forms[TSR_N_OPS] = {
    [TSR_OP_ADD] = {"x | y", "x + y", "x + y"},
    [TSR_OP_SUBTRACT] = {NULL, "x - y", "x - y"},
    [TSR_OP_MULTIPLY] = {"x & y", "x * y", "x * y"},
    [TSR_OP_DIVIDE] = {NULL, NULL, "x / y"},
    [TSR_OP_NEGATIVE] = {NULL, "-x", "-x"},
    [TSR_OP_SQUARE] = {NULL, "x * x", "x * x"},
    [TSR_OP_ABSOLUTE] = {"x", "(x ^ (x >> S)) - (x >> S)", "(T)((M)x & H)"},
    [TSR_OP_MINIMUM] = {"x & y", "SELECT(T, M, x < y, x, y)",
                        "SELECT(T, M, (x < y) | (x != x), x, y)"},
    [TSR_OP_MAXIMUM] = {"x | y", "SELECT(T, M, x > y, x, y)",
                        "SELECT(T, M, (x > y) | (x != x), x, y)"},
    [TSR_OP_LEAST] =
        {NULL, NULL,
         "(T)(((M)x & (M)(x <= y)) | ((M)y & (M)(x >= y)) | (M)(x != x) | (M)(y != y))"},
    [TSR_OP_GREATEST] =
        {NULL, NULL,
         "(T)((((M)x | (M)(x < y)) & ((M)y | (M)(x > y))) | (M)(x != x) | (M)(y != y))"},
    [TSR_OP_LEAST_NUM] =
        {NULL, NULL, "(T)(((M)x & (M)((x <= y) | (y != y))) | ((M)y & (M)((x >= y) | (x != x))))"},
    [TSR_OP_GREATEST_NUM] =
        {NULL, NULL, "(T)(((M)x | (M)((x < y) | (x != x))) & ((M)y | (M)((x > y) | (y != y))))"},
    [TSR_OP_INVERT] = {"x ^ 1", "~x", NULL},
    [TSR_OP_SIGN] = {NULL, "(T)(x < 0) - (T)(x > 0)", NULL}, /* a comparison gives -1 or 0 */
    [TSR_OP_IMAG] = {"x ^ x", "x ^ x", "(T){}"},
    [TSR_OP_WHERE] = {"SELECT(T, M, -x, y, z)", "SELECT(T, M, x, y, z)", "SELECT(T, M, x, y, z)"},
};

/* Returns whether the row's C expression means the same for vectors. Its K(f) must be in the text of
 * functions. */
static bool serves_vectors(tsr_opcode op, tsr_dtype dtype, int lanes, const tsr_target *target)
{
  const tsr_op_form *f = tsr__op_form(op);
  const bool is_float = tsr__dtype_info(dtype)->kind == TSR_KIND_FLOAT;
  if (f->vectors == TSR_VECTORS_NONE || (f->vectors == TSR_VECTORS_FLOATS && !is_float))
    return false;
  return f->helper == NULL || tsr__function_inlines(f->helper, dtype, lanes, target);
}

/* The form of an operation on floats by an instruction that C vectors do not name, or NULL. The
 * minimum and the maximum give their second operand if both are zeros or one is NaN, so only a NaN
 * of the first is to be seen to. Minimums of both orders have among their bits those of -0 if one is
 * -0, and those of a NaN if one is NaN. */
static const char *vex_form(tsr_opcode op, bool is_double)
{
#define EXTREME(name, type) "EXTREME(T, M, \"" name "\", \"" type "\", x, y)"
#define LEAST(type, x, y)                                                                          \
  "(T)((M)MINIMUM(T, \"" type "\", " x ", " y ") | (M)MINIMUM(T, \"" type "\", " y ", " x "))"
  switch (op) {
  case TSR_OP_SQRT:
    return is_double ? "SQRT(T, \"pd\", x)" : "SQRT(T, \"ps\", x)";
  case TSR_OP_MINIMUM:
    return is_double ? EXTREME("min", "pd") : EXTREME("min", "ps");
  case TSR_OP_MAXIMUM:
    return is_double ? EXTREME("max", "pd") : EXTREME("max", "ps");
  case TSR_OP_LEAST:
    return is_double ? LEAST("pd", "x", "y") : LEAST("ps", "x", "y");
  case TSR_OP_GREATEST:
    return is_double ? "-" LEAST("pd", "(-x)", "(-y)") : "-" LEAST("ps", "(-x)", "(-y)");
  default:
    return NULL;
  }
#undef EXTREME
#undef LEAST
}

/* A shift of integers of a size whose lanes the processor shifts each by its own number of bits, or
 * NULL. A number of bits out of range shifts all of them out. */
static const char *shift_form(tsr_opcode op, tsr_dtype dtype, int lanes, const tsr_target *target)
{
#define WITHIN "((M)y >= 0) & ((M)y <= S)"
  const int size = (int)tsr__dtype_size(dtype);
  const bool is_signed = tsr__dtype_kind(dtype) == TSR_KIND_INT;
  if (size < 4 || !target->x86_vex || size * lanes > target->vector_bytes) return NULL;
  if (op == TSR_OP_LEFT_SHIFT) return "SELECT(T, M, " WITHIN ", x << (y & S), (T){})";
  if (!is_signed) return "SELECT(T, M, " WITHIN ", x >> (y & S), (T){})";
  return size == 4 || target->vector_bytes == 64 ? "x >> SELECT(T, M, " WITHIN ", y, (T){} + S)"
                                                 : NULL;
#undef WITHIN
}

static tsr_vector_form without_helper(const char *text)
{
  return (tsr_vector_form){text, NULL};
}

tsr_vector_form tsr__vector_form(tsr_opcode op, tsr_dtype dtype, int lanes,
                                 const tsr_target *target)
{
  const int bytes = (int)tsr__dtype_size(dtype) * lanes;
  if (tsr__dtype_kind(dtype) == TSR_KIND_FLOAT && target->x86_vex && bytes >= 16 &&
      bytes <= target->vector_bytes) {
    const char *form = vex_form(op, dtype == TSR_DTYPE_FLOAT64);
    if (form) return without_helper(form);
  }
  const tsr_kind kind = tsr__dtype_kind(dtype);
  const form *f = &forms[op];
  if (kind == TSR_KIND_COMPLEX) {
    const tsr_vector_form c = tsr__complex_form(op);
    const tsr_dtype part = tsr__dtype_part(dtype);
    return c.helper && !tsr__function_inlines(c.helper, part, lanes, target) ? without_helper(NULL)
                                                                             : c;
  }
  if (kind == TSR_KIND_UINT && op == TSR_OP_ABSOLUTE) return without_helper("x");
  if (op == TSR_OP_LEFT_SHIFT || op == TSR_OP_RIGHT_SHIFT)
    return without_helper(shift_form(op, dtype, lanes, target));
  if (op == TSR_OP_WHERE && tsr__dtype_size(dtype) == 1) return without_helper(f->bools);
  if (f->floats || f->bools || (f->ints && kind != TSR_KIND_FLOAT))
    return without_helper(kind == TSR_KIND_BOOL    ? f->bools
                          : kind == TSR_KIND_FLOAT ? f->floats
                                                   : f->ints);
  if (!serves_vectors(op, dtype, lanes, target)) return without_helper(NULL);
  return (tsr_vector_form){tsr__op_info(op)->c_expr, tsr__op_form(op)->helper};
}

/* A cast of floats to integers. Lanes out of range become the least integer, as in ops_c.h. */
#define TO_INT(to, low, high)                                                                      \
  "SELECT(" to "x$, " to "x$, __builtin_convertvector((x " low ") & (x " high "), " to             \
  "x$), __builtin_convertvector(x, " to "x$), (" to "x$){} + " to "_MIN)"

const char *tsr__vector_cast(tsr_dtype from, tsr_dtype to)
{
  static const char *const plain[TSR_N_DTYPES] = {
#define PLAIN(dtype, type) [TSR_DTYPE_##dtype] = "__builtin_convertvector(x, " type "x$)"
      PLAIN(INT8, "i8"),     PLAIN(INT16, "i16"),   PLAIN(INT32, "i32"),  PLAIN(INT64, "i64"),
      PLAIN(UINT8, "u8"),    PLAIN(UINT16, "u16"),  PLAIN(UINT32, "u32"), PLAIN(UINT64, "u64"),
      PLAIN(FLOAT32, "f32"), PLAIN(FLOAT64, "f64"),
#undef PLAIN
  };
  if (from == TSR_DTYPE_FLOAT16) return NULL;
  if (from == TSR_DTYPE_FLOAT32 && to == TSR_DTYPE_INT32)
    return TO_INT("i32", ">= -0x1p31f", "< 0x1p31f");
  if (from == TSR_DTYPE_FLOAT64 && to == TSR_DTYPE_INT32)
    return TO_INT("i32", "> -0x1.00000002p31", "< 0x1p31");
  if (from == TSR_DTYPE_FLOAT32 && to == TSR_DTYPE_INT64)
    return TO_INT("i64", ">= -0x1p63f", "< 0x1p63f");
  if (from == TSR_DTYPE_FLOAT64 && to == TSR_DTYPE_INT64)
    return TO_INT("i64", ">= -0x1p63", "< 0x1p63");
  return tsr__dtype_is_inexact(from) && to == TSR_DTYPE_UINT64 ? NULL : plain[to];
}

const tsr_target *tsr__target_get(int i)
{
  static const tsr_target targets[] = {
      {"avx512", 64, true,
       "-mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma -mbmi2 -mprfchw -mprefer-vector-width=512",
       &tsr__loops_avx512},
      {"avx2", 32, true, "-mavx2 -mfma -mbmi2 -mprfchw", &tsr__loops_avx2},
      {"baseline", 16, false, "", &tsr__loops_baseline}};
  const tsr_loops *loops = tsr__loops_get(i);
  if (!loops) return NULL;
  for (size_t t = 0; t < sizeof targets / sizeof *targets; t++)
    if (targets[t].loops == loops) return &targets[t];
  return NULL;
}

/* Defines a macro of one item per lane; $ is the lane's number. */
static void add_lanes(tsr_text *out, const char *name, const char *before, const char *item,
                      const char *joint, const char *after, int lanes)
{
  tsr__text_add(out, "#define %s %s", name, before);
  for (int i = 0; i < lanes; i++) {
    if (i > 0) tsr__text_add(out, "%s", joint);
    for (const char *c = item; *c; c++) {
      if (*c == '$')
        tsr__text_add(out, "%d", i);
      else
        tsr__text_add(out, "%c", *c);
    }
  }
  tsr__text_add(out, "%s\n", after);
}

static void add_types(tsr_text *out, int lanes, int most_bytes)
{
  static const struct {
    const char *name;
    int bytes;
  } types[] = {{"u8", 1},  {"i8", 1},  {"i16", 2}, {"u16", 2}, {"i32", 4},
               {"u32", 4}, {"f32", 4}, {"i64", 8}, {"u64", 8}, {"f64", 8}};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
    if (types[t].bytes * lanes > most_bytes) continue;
    tsr__text_add(out, "typedef %s %sx%d __attribute__((vector_size(%d)));\n", types[t].name,
                  types[t].name, lanes, types[t].bytes * lanes);
    tsr__text_add(out,
                  "typedef %s %sx%du __attribute__((vector_size(%d), aligned(%d), may_alias));\n",
                  types[t].name, types[t].name, lanes, types[t].bytes * lanes, types[t].bytes);
  }
  char name[32];
  snprintf(name, sizeof name, "SPLAT%d(a)", lanes);
  add_lanes(out, name, "{", "a", ", ", "}", lanes);
  snprintf(name, sizeof name, "IOTA%d", lanes);
  add_lanes(out, name, "{", "$", ", ", "}", lanes);
  snprintf(name, sizeof name, "GATHER%d(T, p, s)", lanes);
  add_lanes(out, name, "{", "*(const T *)((p) + $ * (s))", ", ", "}", lanes);
  snprintf(name, sizeof name, "SCATTER%d(T, p, s, v)", lanes);
  add_lanes(out, name, "", "*(T *)((p) + $ * (s)) = (v)[$];", " ", "", lanes);
  if (lanes > 1) tsr__c_add_shuffles(out, lanes, lanes * 16 / most_bytes);
}

/* What every kernel begins with. */
static const char prelude_types[] =
    "#include <stdint.h>\n"
    "typedef uint8_t u8;\ntypedef int8_t i8;\ntypedef uint16_t u16;\n"
    "typedef int16_t i16;\ntypedef uint32_t u32;\ntypedef int32_t i32;\n"
    "typedef uint64_t u64;\ntypedef int64_t i64;\n"
    "typedef float f32;\ntypedef double f64;\n"
    "#define i32_MIN INT32_MIN\n#define i64_MIN INT64_MIN\n"
    "typedef struct { int dtype; union { i64 i; f64 f; f32 f32; i32 i32; u64 words[2]; "
    "f32 c64[2]; f64 c128[2]; } u; } "
    "scalar;\n"
    "typedef void (*loop)(i64, void *, const void *const *);\n"
    "#define SELECT(T, M, m, x, y) "
    "((T)(((M)(m) & (M)(x)) | (~(M)(m) & (M)(y))))\n"
    "#if defined(__clang__) || __GNUC__ >= 12\n"
    "#define LIST(...) __VA_ARGS__\n"
    "#define SHUFFLE(x, y, numbers, lanes) __builtin_shufflevector(x, y, LIST numbers)\n"
    "#else\n"
    "#define LIST(...) {__VA_ARGS__}\n"
    "#define SHUFFLE(x, y, numbers, lanes) "
    "({ __typeof__(x) X = (x), Y = (y); const __typeof__(x) both = LIST lanes; both; })\n"
    "#endif\n";

/* Instructions of x86 with AVX, by name: no compiler finds all of them by itself. */
static const char prelude_vex[] =
    "#define SQRT(T, type, x) "
    "({ T made_; __asm__(\"vsqrt\" type \" %1, %0\" : \"=v\"(made_) : \"v\"(x)); made_; })\n"
    "#define MINIMUM(T, type, x, y) "
    "({ T made_; __asm__(\"vmin\" type \" %2, %1, %0\" : \"=v\"(made_) : \"v\"(x), "
    "\"v\"(y)); "
    "made_; })\n"
    "#define BROADCAST(T, type, x) "
    "({ T made_; __asm__(\"vpbroadcast\" type \" %1, %0\" : \"=v\"(made_) : \"m\"(x)); "
    "made_; })\n"
    "#define TRUNCATE(T, name, x) "
    "({ T made_; __asm__(name \" %1, %0\" : \"=v\"(made_) : \"v\"(x)); made_; })\n"
    "#if defined(__clang__) || __GNUC__ < 10\n"
    "#define MOVE(T, name, x) __builtin_convertvector(x, T)\n"
    "#define PACK MOVE\n"
    "#define PACK_HALVES MOVE\n"
    "#else\n"
    "#define MOVE(T, name, x) TRUNCATE(T, name, x)\n"
    "#define PACK(T, name, x) "
    "({ T made_; __asm__(name \" %x1, %x1, %x0\" : \"=x\"(made_) : \"x\"(x)); made_; })\n"
    "#define PACK_HALVES(T, name, x) "
    "({ T made_; __asm__(\"vextracti128 $1, %t1, %x0\\n\\t\" name \" %x0, %x1, %x0\" "
    ": \"=&x\"(made_) : \"x\"(x)); made_; })\n"
    "#endif\n"
    "#define MUL_LOW(T, x, y) "
    "({ T made_; __asm__(\"vpmuludq %2, %1, %0\" : \"=v\"(made_) : \"v\"(x), \"v\"(y)); "
    "made_; })\n"
    "#define STREAM(T, p, v) "
    "__asm__ volatile(\"vmovntdq %1, %0\" : \"=m\"(*(T *)(p)) : \"v\"((T)(v)))\n"
    "#define STREAM_END() __asm__ volatile(\"sfence\" ::: \"memory\")\n"
    "#define UPPER_END() __asm__ volatile(\"vzeroupper\" ::: \"memory\")\n";

/* The minimum and the maximum whose NaN is that of the first operand: with AVX-512, where a mask says
 * which lanes an instruction writes, and without. */
static const char prelude_masked[] =
    "#define EXTREME(T, M, name, type, x, y) "
    "({ T made_ = x; u16 mask_; __asm__(\"vcmpord\" type \" %0, %0, %1\\n\\tv\" name type "
    "\" %2, %0, %0%{%1%}\" : \"+v\"(made_), \"=&Yk\"(mask_) : \"v\"(y)); made_; })\n";
static const char prelude_not_masked[] =
    "#define EXTREME(T, M, name, type, x, y) "
    "({ T made_; __asm__(\"v\" name type \" %2, %1, %0\" : \"=v\"(made_) : \"v\"(x), "
    "\"v\"(y)); SELECT(T, M, x != x, x, made_); })\n";

/* Of vectors of 64 bytes. */
static const char prelude_64_bytes[] =
    "#define SHIFTED(T, type, low, high, n) "
    "({ T made_; __asm__(\"valign\" type \" %3, %1, %2, %0\" : \"=v\"(made_) : "
    "\"v\"(low), \"v\"(high), \"i\"(n)); made_; })\n"
    "#define SOME_LANES8(T, p, lanes) "
    "((T)__builtin_ia32_loadupd512_mask((const void *)(p), (f64x8){}, (u8)(lanes)))\n"
    "#define SOME_LANES16(T, p, lanes) "
    "((T)__builtin_ia32_loadups512_mask((const void *)(p), (f32x16){}, (u16)(lanes)))\n";

/* Of vectors of 32 bytes. */
static const char prelude_32_bytes[] =
    "#define PACK_MASKS(a, b) __builtin_ia32_packssdw256((i32x8)(a), (i32x8)(b))\n"
    "#define JOIN8(a, b, c, d) "
    "(u8x32)__builtin_ia32_permvarsi256((i32x8)__builtin_ia32_packsswb256(PACK_MASKS(a, b), "
    "PACK_MASKS(c, d)), (i32x8){0, 4, 1, 5, 2, 6, 3, 7})\n"
    "#define JOIN4(a, b, c, d) "
    "(u8x16)PACK_HALVES(i8x16, \"vpacksswb\", (i16x16)JOIN8(a, b, c, d))\n";

void tsr__render_prelude(const tsr_target *target, tsr_text *out)
{
  tsr__text_add(out, "%s", prelude_types);
  if (target->x86_vex) {
    tsr__text_add(out, "%s", prelude_vex);
    tsr__text_add(out, "%s", target->vector_bytes == 64 ? prelude_masked : prelude_not_masked);
  }
  for (int widest = 8; widest >= 1; widest /= 2)
    add_types(out, target->vector_bytes / widest, target->vector_bytes);
  if (target->vector_bytes == 64) tsr__text_add(out, "%s", prelude_64_bytes);
  if (target->x86_vex && target->vector_bytes == 32) tsr__text_add(out, "%s", prelude_32_bytes);
}
