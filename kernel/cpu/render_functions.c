/* The functions of ops.def inside compiled kernels: the text of the headers of functions
 * (kernel/ops_*.h), which the library carries, over vectors. It is cut into items, a struct type or
 * a function each; a kernel's source begins with those that it uses, each behind what it uses
 * itself. Words that end in the name of a type, f64 say, get the number of lanes behind them
 * (exp_f64x8), and what ops_scalar.h defines for scalars is defined for vectors first. */
#include "kernel/cpu/render_int.h"
#include "runtime/base/error.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ITEMS = 512, MOST_NAME = 32 };

typedef struct item {
  const char *text, *name;
  int n_text, n_name;
  bool wide; /* computes in 64 bits somewhere */
} item;

static struct {
  pthread_once_t once;
  item items[MOST_ITEMS];
  int n;
} the = {.once = PTHREAD_ONCE_INIT};

/* Words. */

static bool is_word(char c)
{
  return c == '_' || c == '.' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
         (c >= 'a' && c <= 'z');
}

/* The next word (or number) at or after *s and before end: its length, *s its start; 0 if none. */
static int next_word(const char **s, const char *end)
{
  const char *c = *s;
  while (c < end && !is_word(*c)) c++;
  *s = c;
  while (c < end && is_word(*c)) c++;
  return (int)(c - *s);
}

/* Does the word end in the name of a type that becomes a vector? Returns its bits, or 0. */
static int bits_of_word(const char *word, int n)
{
  if (n < 3 || (word[0] >= '0' && word[0] <= '9') || !strchr("fuim", word[n - 3])) return 0;
  return !memcmp(word + n - 2, "64", 2) ? 64 : !memcmp(word + n - 2, "32", 2) ? 32 : 0;
}

static int find_item(const char *name, int n)
{
  for (int i = 0; i < the.n; i++)
    if (the.items[i].n_name == n && !memcmp(the.items[i].name, name, (size_t)n)) return i;
  return -1;
}

static void add_renamed(tsr_text *out, const char *text, int n, int lanes)
{
  const char *at = text, *end = text + n;
  for (const char *word = text; (n = next_word(&word, end)); word = at) {
    tsr__text_add(out, "%.*s", (int)(word + n - at), at);
    if (bits_of_word(word, n)) tsr__text_add(out, "x%d", lanes);
    at = word + n;
  }
  tsr__text_add(out, "%.*s", (int)(end - at), at);
}

/* Items. */

/* Wide is what has a word of 64 bits, and what uses an item that is wide. */
static bool is_wide(const item *t)
{
  int n;
  for (const char *word = t->text; (n = next_word(&word, t->text + t->n_text)); word += n) {
    const int used = bits_of_word(word, n) ? find_item(word, n) : -1;
    if (bits_of_word(word, n) == 64 || (used >= 0 && the.items[used].wide)) return true;
  }
  return false;
}

static bool begins_with(const char *text, const char *with)
{
  return !strncmp(text, with, strlen(with));
}

static void cut_items(void)
{
  for (const char *line = tsr__functions_text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    const bool is_function = begins_with(line, "TSR_MATH ") || begins_with(line, "TSR_RARE ");
    if (!is_function && !begins_with(line, "typedef struct ")) continue;
    item t = {.text = line};
    const char *word = line + strlen(is_function ? "TSR_MATH " : "typedef struct ");
    t.n_name = next_word(&word, word + MOST_NAME);
    if (is_function) {
      word += t.n_name;
      t.n_name = next_word(&word, word + MOST_NAME);
    }
    t.name = word;
    line = strstr(line, "\n}") + 2;
    t.n_text = (int)(strchr(line, '\n') + 1 - t.text);
    TSR_ASSERT(the.n < MOST_ITEMS);
    the.items[the.n++] = t;
  }
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < the.n; i++)
      if (!the.items[i].wide && is_wide(&the.items[i])) more = the.items[i].wide = true;
  }
}

/* The item of the helper `name`, up to the parenthesis, for a dtype; NULL if there is none. */
static const item *find_function(const char *name, tsr_dtype dtype)
{
  char full[2 * MOST_NAME];
  pthread_once(&the.once, cut_items);
  const int n =
      snprintf(full, sizeof full, "%.*s_%s", (int)strcspn(name, ")"), name, tsr__c_suffix(dtype));
  const int i = find_item(full, n);
  return i < 0 ? NULL : &the.items[i];
}

bool tsr__function_inlines(const char *name, tsr_dtype dtype, int lanes, const tsr_target *target)
{
  const item *t = target->x86_vex ? find_function(name, dtype) : NULL;
  return t && lanes * (t->wide ? 8 : 4) <= target->vector_bytes;
}

bool tsr__function_is_wide(tsr_opcode op, tsr_dtype dtype)
{
  const char *form = tsr__op_info(op)->c_expr;
  if (tsr__c_is_complex(dtype)) {
    form = tsr__complex_form(op);
    dtype = tsr__dtype_part(dtype);
  }
  for (const char *c = form ? strstr(form, "K(") : NULL; c; c = strstr(c + 2, "K(")) {
    const item *t = find_function(c + 2, dtype);
    if (t && t->wide) return true;
  }
  return false;
}

bool tsr__random_inlines(tsr_random f, int lanes, const tsr_target *target)
{
  char name[2 * MOST_NAME];
  if (!target->x86_vex || lanes * 8 > target->vector_bytes || lanes * 8 < 16) return false;
  pthread_once(&the.once, cut_items);
  const int n = snprintf(name, sizeof name, "%s_u64", tsr__random_info(f)->name);
  return find_item(name, n) >= 0;
}

/* Text. */

/* Every %d is the type's bytes. x - 0 is x, whichever it is, and makes a vector of a constant. The
 * sum in choose_* becomes one instruction, which an `or` there does not. */
static const char words_64[] =
    "typedef uint64_t u64 __attribute__((vector_size(%d)));\n"
    "typedef i64 m64;\n"
    "#define splat_u64(x) ((x) - (u64){})\n"
    "#define mul_low_u64(x, y) MUL_LOW(u64, x, y)\n"
    "#define carry_u64(sum, x) ((u64)((sum) < (x)) >> 63)\n"
    "#define splat_f64(x) ((x) - (f64){})\n"
    "#define widen_f64(x) MOVE(f64, \"vcvtps2pd\", x)\n"
    "#define narrow_f32(x) __builtin_convertvector(x, f32)\n"
    "#define bits_of_f64(x) ((u64)(x))\n"
    "#define from_bits_f64(u) ((f64)(u))\n"
    "#define abs_f64(x) ((f64)((u64)(x) & 0x7fffffffffffffff))\n"
    "#define sqrt_f64(x) SQRT(f64, \"pd\", x)\n"
    "#define round_f64(x, how) ROUND_PD_%d(splat_f64(x), how)\n"
    "#define rint_f64(x) round_f64(x, 0)\n"
    "#define floor_f64(x) round_f64(x, 1)\n"
    "#define ceil_f64(x) round_f64(x, 2)\n"
    "#define trunc_f64(x) round_f64(x, 3)\n"
    "#define look_up_f64(table, i) LOOK_UP(f64, u64, table, i)\n"
    "#define any_f64(m) (ANY_%d(m))\n"
    "#define some_f64(m) any_f64(m)\n"
    "#define fma_f64(x, y, z) FMA_PD_%d(splat_f64(x), splat_f64(y), splat_f64(z))\n"
    "#define select_f64(m, x, y) choose_f64(m, splat_f64(x), splat_f64(y))\n"
    "#define select_u64(m, x, y) ((u64)choose_f64(m, (f64)((x) - (u64){}), (f64)((y) - (u64){})))\n"
    "TSR_MATH f64 choose_f64(m64 m, f64 x, f64 y)\n"
    "{\n"
    "  return (f64)((m & (m64)x) + (~m & (m64)y));\n"
    "}\n"
    "TSR_MATH f64 copysign_f64(f64 x, f64 y)\n"
    "{\n"
    "  return (f64)(((u64)x & 0x7fffffffffffffff) | ((u64)y & 0x8000000000000000));\n"
    "}\n";
static const char words_32[] =
    "typedef uint32_t u32 __attribute__((vector_size(%d)));\n"
    "typedef i32 m32;\n"
    "#define splat_u32(x) ((x) - (u32){})\n"
    "#define splat_f32(x) ((x) - (f32){})\n"
    "#define bits_of_f32(x) ((u32)(x))\n"
    "#define from_bits_f32(u) ((f32)(u))\n"
    "#define abs_f32(x) ((f32)((u32)(x) & 0x7fffffff))\n"
    "#define sqrt_f32(x) SQRT(f32, \"ps\", x)\n"
    "#define round_f32(x, how) ROUND_PS_%d(splat_f32(x), how)\n"
    "#define rint_f32(x) round_f32(x, 0)\n"
    "#define floor_f32(x) round_f32(x, 1)\n"
    "#define ceil_f32(x) round_f32(x, 2)\n"
    "#define trunc_f32(x) round_f32(x, 3)\n"
    "#define any_f32(m) (ANY_%d(m))\n"
    "#define some_f32(m) any_f32(m)\n"
    "#define fma_f32(x, y, z) FMA_PS_%d(splat_f32(x), splat_f32(y), splat_f32(z))\n"
    "#define select_f32(m, x, y) choose_f32(m, splat_f32(x), splat_f32(y))\n"
    "#define select_u32(m, x, y) ((u32)choose_f32(m, (f32)((x) - (u32){}), (f32)((y) - (u32){})))\n"
    "TSR_MATH f32 choose_f32(m32 m, f32 x, f32 y)\n"
    "{\n"
    "  return (f32)((m & (m32)x) + (~m & (m32)y));\n"
    "}\n"
    "TSR_MATH f32 copysign_f32(f32 x, f32 y)\n"
    "{\n"
    "  return (f32)(((u32)x & 0x7fffffff) | ((u32)y & 0x80000000));\n"
    "}\n";
/* Kernels with functions are compiled with more effort than others: a function is a few long
 * chains, one behind the other unless the compiler interleaves them, and the processor looks ahead
 * less far.
 */
static const char words_of_all[] =
    "#ifndef __clang__\n"
    "#pragma GCC optimize(\"O2\", \"schedule-insns\", \"sched-pressure\")\n"
    "#endif\n"
    "#define TSR_MATH static inline __attribute__((always_inline))\n"
    "#define TSR_RARE static __attribute__((noinline, cold))\n"
    "#define LOOK_UP(values, numbers, table, i) ({ const numbers at_ = (i); values of_ = {0}; "
    "for (int l_ = 0; l_ < (int)(sizeof of_ / 8); l_++) of_[l_] = (table)[at_[l_]]; of_; })\n"
    "#define ROUND_PD_64(x, how) __builtin_ia32_rndscalepd_mask(x, how, x, -1, 4)\n"
    "#define ROUND_PS_64(x, how) __builtin_ia32_rndscaleps_mask(x, how, x, -1, 4)\n"
    "#define ROUND_PD_32 __builtin_ia32_roundpd256\n"
    "#define ROUND_PS_32 __builtin_ia32_roundps256\n"
    "#define ROUND_PS_16 __builtin_ia32_roundps\n"
    "typedef float floats_16 __attribute__((vector_size(16)));\n"
    "typedef float floats_32 __attribute__((vector_size(32)));\n"
    "typedef int ints_64 __attribute__((vector_size(64)));\n"
    "#ifdef __clang__\n"
    "#define ANY_64(m) __builtin_reduce_or((ints_64)(m))\n"
    "#else\n"
    "#define ANY_64(m) __builtin_ia32_ptestmd512((ints_64)(m), (ints_64)(m), -1)\n"
    "#endif\n"
    "#define ANY_32(m) __builtin_ia32_movmskps256((floats_32)(m))\n"
    "#define ANY_16(m) __builtin_ia32_movmskps((floats_16)(m))\n"
    "#define FMA_PD_64(x, y, z) __builtin_ia32_vfmaddpd512_mask(x, y, z, -1, 4)\n"
    "#define FMA_PS_64(x, y, z) __builtin_ia32_vfmaddps512_mask(x, y, z, -1, 4)\n"
    "#define FMA_PD_32 __builtin_ia32_vfmaddpd256\n"
    "#define FMA_PS_32 __builtin_ia32_vfmaddps256\n"
    "#define FMA_PS_16 __builtin_ia32_vfmaddps\n";

/* Appends an item behind those that it uses; each once. */
static void add_item(tsr_text *out, int i, int lanes, bool *added)
{
  const item *t = &the.items[i];
  int n;
  if (added[i]) return;
  added[i] = true;
  for (const char *word = t->text; (n = next_word(&word, t->text + t->n_text)); word += n) {
    const int used = bits_of_word(word, n) ? find_item(word, n) : -1;
    if (used >= 0) add_item(out, used, lanes, added);
  }
  add_renamed(out, t->text, t->n_text, lanes);
}

/* Appends the items whose names, with the lanes behind them, are words of the code. Returns how
 * many such words there are. */
static int add_used(tsr_text *out, const char *code, int lanes)
{
  char suffix[16];
  const int n_suffix = snprintf(suffix, sizeof suffix, "x%d", lanes);
  const char *end = code + strlen(code);
  bool added[MOST_ITEMS] = {0};
  int n, n_words = 0;
  for (const char *word = code; (n = next_word(&word, end)); word += n) {
    const int n_name = n - n_suffix;
    if (n_name <= 0 || memcmp(word + n_name, suffix, (size_t)n_suffix)) continue;
    const int i = find_item(word, n_name);
    if (i < 0) continue;
    add_item(out, i, lanes, added);
    n_words++;
  }
  return n_words;
}

static void add_words(tsr_text *out, const tsr_target *target, int lanes)
{
  tsr_text words = {0};
  const int b = 4 * lanes;
  tsr__text_add(&words, words_32, b, b, b, b);
  if (2 * b <= target->vector_bytes) tsr__text_add(&words, words_64, 2 * b, 2 * b, 2 * b, 2 * b);
  add_renamed(out, words.s, (int)words.n, lanes);
  tsr__text_free(&words);
}

int tsr__render_functions(const tsr_target *target, const char *code, tsr_text *out)
{
  pthread_once(&the.once, cut_items);
  bool first = true;
  int n = 0;
  for (int bytes = 8; bytes >= 4; bytes /= 2) {
    const int lanes = target->vector_bytes / bytes;
    tsr_text items = {0};
    n += add_used(&items, code, lanes);
    if (items.n) {
      if (first) tsr__text_add(out, "%s", words_of_all);
      first = false;
      add_words(out, target, lanes);
      tsr__text_add(out, "%s", items.s);
    }
    tsr__text_free(&items);
  }
  return n;
}
