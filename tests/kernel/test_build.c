/* Building kernels: sharing, forwarding of stored values, what verification finds, text. */
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "kernel/cpu/interp.h"
#include "kernel/ir/kernel.h"
#include "kernel/compile/traits.h"

static int op2(tsr_kernel_builder *b, tsr_opcode op, int x, int y)
{
  return tsr__kernel_op(b, op, TSR_FLOAT64, TSR_FLOAT64, 2, (int[]){x, y});
}

/* out = s * (a + b), mask = a < b */
static tsr_kernel *sample(void)
{
  tsr_kernel_builder *b = tsr__kernel_builder_create(2);
  const int in0 = tsr__kernel_access_add(b, TSR_FLOAT64, false, 0, 0);
  const int in1 = tsr__kernel_access_add(b, TSR_INT32, false, 1, 7);
  const int out = tsr__kernel_access_add(b, TSR_FLOAT32, true, 2, 0);
  const int mask = tsr__kernel_access_add(b, TSR_BOOL, true, 3, 0);
  const int x = tsr__kernel_load(b, in0);
  const int y = tsr__kernel_cast(b, tsr__kernel_load(b, in1), TSR_FLOAT64);
  const int s = tsr__kernel_scalar(b, tsr__kernel_scalar_add(b, TSR_FLOAT64));
  const int i = tsr__kernel_cast(b, tsr__kernel_iota(b, 1), TSR_FLOAT64);
  const int sum = tsr__kernel_op(b, TSR_OP_ADD, TSR_FLOAT64, TSR_FLOAT64, 3, (int[]){x, y, i});
  tsr__kernel_store(b, out, op2(b, TSR_OP_MULTIPLY, s, sum));
  tsr__kernel_store(b, mask,
                    tsr__kernel_op(b, TSR_OP_LESS, TSR_FLOAT64, TSR_BOOL, 2, (int[]){x, y}));
  return tsr__kernel_finish(b);
}

Test(build, text)
{
  tsr_kernel *k = sample();
  char *text = tsr__kernel_text(k);
  cr_expect_str_eq(text, "kernel 2d\n"
                         "  a0: load f64, buffer 0, pattern 0\n"
                         "  a1: load i32, buffer 1, pattern 7\n"
                         "  a2: store f32, buffer 2, pattern 0\n"
                         "  a3: store b8, buffer 3, pattern 0\n"
                         "  s0: f64\n"
                         "  %0 = load.f64 a0\n"
                         "  %1 = load.i32 a1\n"
                         "  %2 = cast.f64 %1\n"
                         "  %3 = scalar.f64 s0\n"
                         "  %4 = iota.i64 axis 1\n"
                         "  %5 = cast.f64 %4\n"
                         "  %6 = add.f64 %0 %2 %5\n"
                         "  %7 = multiply.f64 %3 %6\n"
                         "  %8 = cast.f32 %7\n"
                         "  store.f32 a2 %8\n"
                         "  %10 = less.f64 %0 %2\n"
                         "  store.b8 a3 %10\n");
  free(text);
  tsr__kernel_destroy(k);
}

Test(build, traits)
{
  tsr_kernel *k = sample();
  tsr_kernel_traits t = tsr__kernel_traits(k);
  cr_expect_eq(t.dtypes, 1u << TSR_FLOAT64 | 1u << TSR_INT32 | 1u << TSR_FLOAT32 | 1u << TSR_BOOL |
                             1u << TSR_INT64);
  cr_expect_eq(t.features, 0);
  tsr__kernel_destroy(k);
  tsr_kernel_builder *b = tsr__kernel_builder_create(1);
  const int out = tsr__kernel_access_add(b, TSR_BOOL, true, 0, 0);
  const int s = tsr__kernel_scalar(b, tsr__kernel_scalar_add(b, TSR_INT64));
  const int bits = tsr__kernel_random(b, TSR_RANDOM_FIRST, (int[]){tsr__kernel_iota(b, 0), s, s});
  const int x = tsr__kernel_cast(b, bits, TSR_FLOAT64);
  tsr__kernel_store(b, out,
                    tsr__kernel_op(b, TSR_OP_LESS, TSR_FLOAT64, TSR_BOOL, 2, (int[]){x, x}));
  k = tsr__kernel_finish(b);
  t = tsr__kernel_traits(k);
  cr_expect_eq(t.dtypes, 1u << TSR_INT64 | 1u << TSR_FLOAT64 | 1u << TSR_BOOL);
  cr_expect_eq(t.features, TSR_TRAIT_RANDOM);
  tsr__kernel_destroy(k);
}

Test(build, identical_instructions_are_one)
{
  tsr_kernel_builder *b = tsr__kernel_builder_create(1);
  const int in = tsr__kernel_access_add(b, TSR_FLOAT64, false, 0, 3);
  const int again = tsr__kernel_access_add(b, TSR_FLOAT64, false, 0, 3);
  const int shifted = tsr__kernel_access_add(b, TSR_FLOAT64, false, 0, 4);
  const int x = tsr__kernel_load(b, in), y = tsr__kernel_load(b, shifted);
  cr_expect_eq(tsr__kernel_load(b, in), x);
  cr_expect_eq(tsr__kernel_load(b, again), x);
  cr_expect_neq(y, x);
  const int p = tsr__kernel_scalar_add(b, TSR_FLOAT64), q = tsr__kernel_scalar_add(b, TSR_FLOAT64);
  cr_expect_eq(tsr__kernel_scalar(b, p), tsr__kernel_scalar(b, p));
  cr_expect_neq(tsr__kernel_scalar(b, p), tsr__kernel_scalar(b, q));
  cr_expect_eq(tsr__kernel_iota(b, 0), tsr__kernel_iota(b, 0));
  cr_expect_eq(op2(b, TSR_OP_ADD, x, y), op2(b, TSR_OP_ADD, x, y));
  cr_expect_neq(op2(b, TSR_OP_ADD, x, y), op2(b, TSR_OP_ADD, y, x));
  cr_expect_neq(op2(b, TSR_OP_ADD, x, y), op2(b, TSR_OP_SUBTRACT, x, y));
  cr_expect_eq(tsr__kernel_cast(b, x, TSR_INT32), tsr__kernel_cast(b, x, TSR_INT32));
  cr_expect_eq(tsr__kernel_cast(b, x, TSR_FLOAT64), x);
  int chain = x;
  for (int i = 0; i < 1000; i++) chain = op2(b, TSR_OP_ADD, chain, y);
  int same = x;
  for (int i = 0; i < 1000; i++) same = op2(b, TSR_OP_ADD, same, y);
  cr_expect_eq(chain, same, "sharing survives growth of the table");
  tsr__kernel_destroy(tsr__kernel_finish(b));
}

Test(build, a_load_after_a_store_gives_the_value_stored)
{
  tsr_kernel_builder *b = tsr__kernel_builder_create(1);
  const int in = tsr__kernel_access_add(b, TSR_FLOAT64, false, 0, 0);
  const int out = tsr__kernel_access_add(b, TSR_FLOAT64, true, 0, 0);
  const int x = tsr__kernel_load(b, in);
  const int twice = op2(b, TSR_OP_ADD, x, x);
  tsr__kernel_store(b, out, twice);
  cr_expect_eq(tsr__kernel_load(b, in), twice);
  cr_expect_eq(tsr__kernel_load(b, tsr__kernel_access_add(b, TSR_FLOAT64, false, 0, 0)), twice);
  tsr__kernel_store(b, out, op2(b, TSR_OP_ADD, twice, x));
  cr_expect_neq(tsr__kernel_load(b, in), twice);
  tsr__kernel_destroy(tsr__kernel_finish(b));
}

Test(build, equal)
{
  tsr_kernel *a = sample(), *b = sample();
  cr_expect(tsr__kernel_equal(a, b));
  tsr__kernel_prepare(a);
  cr_expect(tsr__kernel_equal(a, b), "being prepared makes no difference");
  b->accesses[1].pattern++;
  cr_expect_not(tsr__kernel_equal(a, b));
  b->accesses[1].pattern--;
  b->instrs[6].index = TSR_OP_MULTIPLY;
  cr_expect_not(tsr__kernel_equal(a, b));
  tsr__kernel_destroy(a);
  tsr__kernel_destroy(b);
}

Test(build, verify_finds_defects)
{
  tsr_kernel *k = sample();
  cr_expect_null(tsr__kernel_verify(k));
  k->instrs[6].dtype = TSR_FLOAT32;
  cr_expect_str_eq(tsr__kernel_verify(k), "dtypes that the operation does not have");
  k->instrs[6].dtype = TSR_FLOAT64;
  k->args[k->instrs[6].first_arg] = 1;
  cr_expect_str_eq(tsr__kernel_verify(k), "an operand of a wrong dtype");
  k->args[k->instrs[6].first_arg] = 7;
  cr_expect_str_eq(tsr__kernel_verify(k), "an argument that is no value yet");
  k->args[k->instrs[6].first_arg] = 0;
  k->accesses[0].buffer = 2;
  cr_expect_str_eq(tsr__kernel_verify(k), "a stored buffer of two dtypes");
  k->accesses[0].buffer = 0;
  k->accesses[2].is_store = false;
  cr_expect_str_eq(tsr__kernel_verify(k), "a store into an access for loads");
  k->accesses[2].is_store = true;
  k->instrs[4].index = 2;
  cr_expect_str_eq(tsr__kernel_verify(k), "an axis out of range");
  k->instrs[4].index = 1;
  k->instrs[0].index = 4;
  cr_expect_str_eq(tsr__kernel_verify(k), "an access out of range");
  k->instrs[0].index = 0;
  k->accesses[3] = (tsr_kernel_access){TSR_BOOL, true, 3, 0};
  cr_expect_null(tsr__kernel_verify(k));
  tsr__kernel_destroy(k);
}

enum { N_CHAINS = 60, N_LINKS = 5 };

/* Chains of products of one load, each begun before any goes on, that are added up or stored. */
static tsr_kernel *chains(int n, bool stored)
{
  tsr_kernel_builder *b = tsr__kernel_builder_create(1);
  const int x = tsr__kernel_load(b, tsr__kernel_access_add(b, TSR_FLOAT64, false, 0, 0));
  int value[N_CHAINS], access[N_CHAINS];
  for (int i = 0; i < n; i++) {
    const int s = tsr__kernel_scalar(b, tsr__kernel_scalar_add(b, TSR_FLOAT64));
    value[i] = op2(b, TSR_OP_ADD, x, s);
    /* The first one stores what all of them load. */
    access[i] = tsr__kernel_access_add(b, TSR_FLOAT64, true, i, 0);
  }
  for (int j = 0; j < N_LINKS; j++)
    for (int i = 0; i < n; i++) value[i] = op2(b, TSR_OP_MULTIPLY, value[i], x);
  if (stored) {
    for (int i = 0; i < n; i++) tsr__kernel_store(b, access[i], value[i]);
    return tsr__kernel_finish(b);
  }
  int sum = value[0];
  for (int i = 1; i < n; i++) sum = op2(b, TSR_OP_ADD, sum, value[i]);
  tsr__kernel_store(b, access[0], sum);
  return tsr__kernel_finish(b);
}

/* The most results of operations that are alive at once. */
static int most_alive(const tsr_kernel *k)
{
  int last[1024] = {0}, alive = 0, most = 0;
  for (int i = 0; i < k->n_instrs; i++)
    for (int j = 0; j < k->instrs[i].n_args; j++) last[k->args[k->instrs[i].first_arg + j]] = i;
  for (int i = 0; i < k->n_instrs; i++) {
    alive += k->instrs[i].kind == TSR_I_OP;
    if (most < alive) most = alive;
    for (int v = 0; v < i; v++) alive -= k->instrs[v].kind == TSR_I_OP && last[v] == i;
  }
  return most;
}

Test(build, few_values_are_alive)
{
  for (int stored = 0; stored <= 1; stored++) {
    tsr_kernel *k = chains(N_CHAINS, stored);
    cr_expect_leq(most_alive(k), 4, "%d alive", most_alive(k));
    int n_ops = 0, last_load = 0, first_store = k->n_instrs;
    for (int i = 0; i < k->n_instrs; i++) {
      n_ops += k->instrs[i].kind == TSR_I_OP;
      if (k->instrs[i].kind == TSR_I_LOAD) last_load = i;
      if (k->instrs[i].kind == TSR_I_STORE && i < first_store) first_store = i;
    }
    cr_expect_eq(n_ops, N_CHAINS * (N_LINKS + 1) + (stored ? 0 : N_CHAINS - 1));
    cr_expect_lt(last_load, first_store);
    tsr__kernel_destroy(k);
  }
  /* What registers hold stays in the order in which it was built. */
  tsr_kernel *few = chains(20, false);
  cr_expect_eq(most_alive(few), 21, "%d alive", most_alive(few));
  tsr__kernel_destroy(few);
}
