/* A program of arrays whose messages links carry, and runs of it. */
#ifndef TSR_TESTS_FAKES_LINKED_H
#define TSR_TESTS_FAKES_LINKED_H

#include "array/core/array_int.h"
#include "runtime/machine/machine.h"
#include "tests/support/child.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static inline void set_devices(const char *n)
{
  setenv("FAKE_CUDA_DEVICES", n, 1);
  setenv("TESSERA_PLACEMENT", "all", 1);
}

enum { N = 96, M = 64 };

typedef struct outcome {
  double field[N * M], rolled[N * M];
  double sum, largest;
  /* of all ranks together */
  uint64_t n_links, bytes_linked, n_messages_within, n_between, bytes_between;
} outcome;

static inline void begin_arrays(tsr_array *u, tsr_array *v)
{
  *u = tsr_zeros(TSR_SHAPE(N, M));
  *v = tsr_zeros(TSR_SHAPE(N, M), TSR_FLOAT32);
  tsr_assign(*u, tsr_sin(tsr_reshape(tsr_arange(N * M), TSR_SHAPE(N, M))));
  tsr_assign(*v, tsr_cos(tsr_reshape(tsr_arange(N * M), TSR_SHAPE(N, M))));
}

static inline void step(tsr_array u, tsr_array v)
{
  tsr_exec("u[1:-1, 1:-1] = 0.25*(u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])", u);
  tsr_exec("v[2:-1, 1:] = v[2:-1, 1:] + 0.125*v[:-3, :-1] + u[3:, 1:]", v, u);
}

/* Borders of two dtypes in one message, a roll and a flip, reductions and gathers. */
static inline void compute(void *arg, int rank)
{
  outcome *out = arg;
  tsr_array u, v;
  begin_arrays(&u, &v);
  for (int i = 0; i < 6; i++) {
    step(u, v);
    cr_assert_eq(tsr_flush(), TSR_OK, "%s", tsr_last_error());
  }
  const double sum = tsr_item_f64(tsr_sum(tsr_multiply(u, v)));
  const double largest = tsr_item_f64(tsr_max(tsr_add(u, v)));
  tsr_array rolled = tsr_add(tsr_roll(u, 7, TSR_AXES(0)), tsr_flip(v, TSR_AXES(0)));
  static outcome others[8];
  outcome *mine = rank == 0 ? out : &others[rank];
  cr_assert_eq(tsr_to_host(tsr_astype(tsr_add(u, v), TSR_FLOAT64), mine->field), TSR_OK);
  cr_assert_eq(tsr_to_host(tsr_astype(rolled, TSR_FLOAT64), mine->rolled), TSR_OK);
  const tsr_counters *did = tsr__context_counters();
  __atomic_fetch_add(&out->n_links, did->n_links, __ATOMIC_RELAXED);
  __atomic_fetch_add(&out->bytes_linked, did->bytes_linked, __ATOMIC_RELAXED);
  __atomic_fetch_add(&out->n_messages_within, did->n_messages_within, __ATOMIC_RELAXED);
  __atomic_fetch_add(&out->n_between, did->n_between, __ATOMIC_RELAXED);
  __atomic_fetch_add(&out->bytes_between, did->bytes_between, __ATOMIC_RELAXED);
  if (rank != 0) return;
  out->sum = sum;
  out->largest = largest;
}

static inline void run_program(int n, const char *device, const char *link, const char *places,
                               const char *more, const char *value, outcome *out)
{
  memset(out, 0, sizeof *out);
  cr_assert_eq(
      tsr_run_ranks(n,
                    (const char *const[]){"device", device, "link", link, "places", places,
                                          "placement", "all", "replicate_max", "0", "tile_min",
                                          "64", "threads", "2", "bind", "0", more, value, NULL},
                    compute, out),
      TSR_OK);
}

/* Which link an exchange of two ranks takes, and which entry of the stand-ins fails, which time. */
static const char *failing_link, *failing;

static inline void run_until_it_is_lost(void)
{
  static outcome linked;
  set_devices("2");
  setenv("FAKE_NCCL_SECONDS", "2", 1);
  setenv("FAKE_CUDA_FAIL", failing, 1);
  run_program(2, "cuda", failing_link, "1", "jit", "lazy", &linked);
  _exit(10);
}

/* The job ends where the entry fails, "name:time", with the library's words: the name, and `gives`. */
static inline void expect_lost(const char *link, const char *entry, const char *gives)
{
  char text[8000], says[64];
  failing_link = link;
  failing = entry;
  cr_expect_neq(run_in_child(NULL, run_until_it_is_lost, text, sizeof text), 10, "%s", entry);
  snprintf(says, sizeof says, "%.*s %s", (int)strcspn(entry, ":"), entry, gives);
  cr_expect_not_null(strstr(text, "has lost its link to other ranks"), "%s: %s", entry, text);
  cr_expect_not_null(strstr(text, says), "%s: %s", entry, text);
}

static inline void expect_same(const outcome *a, const outcome *b)
{
  cr_expect_arr_eq(a->field, b->field, sizeof a->field);
  cr_expect_arr_eq(a->rolled, b->rolled, sizeof a->rolled);
  cr_expect_eq(memcmp(&a->sum, &b->sum, sizeof a->sum), 0);
  cr_expect_eq(memcmp(&a->largest, &b->largest, sizeof a->largest), 0);
}

#endif
