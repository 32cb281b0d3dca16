/* Functions of float32 by short formulas (kernel/ops/ops_short.h): compiled kernels give the bits of
 * the interpreter's loops, which compute the long ones. Here for every 1,021st operand of those of
 * one operand and for a million pairs. TEST_OPERANDS=all takes all 2^32 operands and 10^9 pairs:
 *
 *   TEST_OPERANDS=all build/tests/test_kernel --filter short_functions/have_the_bits_of_long_ones
 */
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "kernel/cpu/loops.h"
#include "tests/kernel/compiled.h"
#include "tests/kernel/reference.h"
#include "tests/support/sanitized.h"

enum { N = 1 << 15, STEP = IS_SANITIZED ? 65521 : 1021 };

typedef struct compared {
  tsr_opcode op;
  int n_args;
  tsr_kernel *kernel;
  void *scratch;
} compared;

/* The function's kernel; `beside_wide`: one that stores its operand as float64, too, so that vectors
 * have as many lanes as those of float64. */
static compared open_function(tsr_opcode op, bool beside_wide)
{
  compared c = {.op = op, .n_args = tsr__op_info(op)->min_args};
  tsr_kernel_builder *b = tsr__kernel_builder_create(1);
  int args[2];
  for (int a = 0; a < c.n_args; a++)
    args[a] = tsr__kernel_load(b, tsr__kernel_access_add(b, TSR_FLOAT32, false, a, 0));
  const int out = tsr__kernel_access_add(b, TSR_FLOAT32, true, c.n_args, 0);
  tsr__kernel_store(b, out, tsr__kernel_op(b, op, TSR_FLOAT32, TSR_FLOAT32, c.n_args, args));
  if (beside_wide) {
    const int wide = tsr__kernel_access_add(b, TSR_FLOAT64, true, c.n_args + 1, 0);
    tsr__kernel_store(b, wide, tsr__kernel_cast(b, args[0], TSR_FLOAT64));
  }
  c.kernel = tsr__kernel_finish(b);
  cr_assert_eq(tsr__kernel_prepare(c.kernel), TSR_OK);
  c.scratch = aligned_alloc(64, (tsr__kernel_scratch_bytes(c.kernel) + 64) / 64 * 64);
  return c;
}

static void close_function(compared *c)
{
  free(c->scratch);
  tsr__kernel_destroy(c->kernel);
}

/* Returns whether the compiled kernel gives the bits of the loop for N operands. */
static bool agree_on(tsr_jit *jit, const compared *c, float x[N], float y[N], const char *target)
{
  static float got[N], want[N];
  static double wide[N];
  const bool is_one = c->n_args == 1;
  const int64_t stride[4][TSR_MAX_NDIM] = {{4}, {4}, {is_one ? 8 : 4}, {8}};
  void *const base[] = {x, is_one ? got : y, is_one ? (void *)wide : got, wide};
  const tsr_kernel_bind bind = {.n = {N}, .base = base, .stride_bytes = stride};
  cr_assert(tsr__jit_run(jit, c->kernel, &bind, c->scratch, NULL));
  tsr__loops_get(0)->op[c->op][TSR_FLOAT32][c->n_args - 1](N, want, (const void *const[]){x, y});
  if (memcmp(got, want, sizeof got) == 0) return true;
  for (int i = 0; i < N; i++) {
    const bool is_same =
        memcmp(&got[i], &want[i], 4) == 0 || (got[i] != got[i] && want[i] != want[i]);
    cr_expect(is_same, "%s: %s(%a, %a) = %a, not %a", target, tsr__op_info(c->op)->name,
              (double)x[i], c->n_args == 2 ? (double)y[i] : 0.0, (double)got[i], (double)want[i]);
    if (!is_same) return false;
  }
  return true;
}

static tsr_jit *open_target(const tsr_target *target)
{
  const tsr_config config = eager_config();
  return tsr__jit_create_for(&config, &tsr__code_c, target);
}

static bool takes_all(void)
{
  const char *operands = getenv("TEST_OPERANDS");
  return operands && !strcmp(operands, "all");
}

/* All operands are for compiled vectors: other targets call the loops. */
static bool is_left_out(const tsr_target *target)
{
  return takes_all() && !target->x86_vex;
}

static const tsr_opcode ones[] = {TSR_OP_EXP2,    TSR_OP_LOG2,    TSR_OP_LOG10,  TSR_OP_CBRT,
                                  TSR_OP_ARCSIN,  TSR_OP_ARCCOS,  TSR_OP_ARCTAN, TSR_OP_SINH,
                                  TSR_OP_COSH,    TSR_OP_ARCSINH, TSR_OP_SINC,   TSR_OP_TAN,
                                  TSR_OP_ARCCOSH, TSR_OP_ARCTANH};
enum { N_ONES = sizeof ones / sizeof *ones };

Test(short_functions, have_the_bits_of_long_ones, .timeout = 7200)
{
  static float x[N];
  const uint64_t step = takes_all() ? 1 : STEP;
  const tsr_target *target;
  for (int t = 0; (target = tsr__target_get(t)) && !is_left_out(target); t++) {
    tsr_jit *jit = open_target(target);
    for (int f = 0; f < 2 * N_ONES; f++) {
      compared c = open_function(ones[f % N_ONES], f >= N_ONES);
      bool agree = true;
      for (uint64_t first = 0; first < (uint64_t)1 << 32 && agree; first += N * step) {
        for (uint64_t i = 0; i < N; i++) {
          const uint32_t bits = (uint32_t)(first + i * step);
          memcpy(&x[i], &bits, 4);
        }
        agree = agree_on(jit, &c, x, x, target->name);
      }
      close_function(&c);
    }
    tsr__jit_destroy(jit);
  }
}

/* Pairs whose quotients' angles are near the middle of two float32 numbers: of these, bounds of the
 * error that are too small have rounded to the wrong one. */
static const float near_middles[][2] = {{0x1.71fee8p-5f, 0x1.6e5e64p+0f},
                                        {0x1.18b122p-1f, 0x1.e4a872p+0f},
                                        {-0x1.a9a4dap-1f, 0x1.9c76eep-2f}};

/* Numbers whose quotient is from 2^-9 to 2^9, or any bits; in some vectors special numbers beside
 * them; the pairs above. A vector computes the long function if one of its pairs needs it, so most
 * have like pairs. */
static void draw_pairs(float x[N], float y[N], uint64_t *seed)
{
  enum { VECTOR = 16, N_FIXED = sizeof near_middles / sizeof near_middles[0] };
  for (int i = 0; i < N; i++) {
    const uint64_t r = reference_random(seed);
    const uint32_t a = (uint32_t)r, b = (uint32_t)(r >> 32), vector = (uint32_t)(i / VECTOR);
    const uint32_t near = (a & 0x80ffffff) + 0x3f000000, beside = (b & 0x87ffffff) + 0x3b800000;
    memcpy(&x[i], vector % 8 ? &near : &a, 4);
    memcpy(&y[i], vector % 8 ? &beside : &b, 4);
    if (vector % 8 == 1 && i % 2 == 0) x[i] = reference_value(seed, TSR_FLOAT32).u.f32;
    if (vector % 8 == 1 && i % 4 <= 1) y[i] = reference_value(seed, TSR_FLOAT32).u.f32;
    if (vector >= N_FIXED) continue;
    x[i] = near_middles[vector][0];
    y[i] = near_middles[vector][1];
  }
}

Test(short_functions, of_two_operands_have_the_bits_of_long_ones, .timeout = 7200)
{
  static float x[N], y[N];
  static const tsr_opcode twos[] = {TSR_OP_ARCTAN2, TSR_OP_POWER};
  const int64_t most = takes_all() ? 1000000000 : IS_SANITIZED ? 2 * N : 1000000;
  const tsr_target *target;
  for (int t = 0; (target = tsr__target_get(t)) && !is_left_out(target); t++) {
    tsr_jit *jit = open_target(target);
    for (int f = 0; f < 4; f++) {
      compared c = open_function(twos[f % 2], f >= 2);
      uint64_t seed = 41;
      for (int64_t i = 0; i < most; i += N) {
        draw_pairs(x, y, &seed);
        if (!agree_on(jit, &c, x, y, target->name)) break;
      }
      close_function(&c);
    }
    tsr__jit_destroy(jit);
  }
}
