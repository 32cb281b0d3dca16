/* Random functions of kernels: Philox against the known answers of its authors' test suite (the
 * file kat_vectors of Random123), numbers below a bound against 128-bit arithmetic, permutations.
 */
#include <stdlib.h>

#include <criterion/criterion.h>

#include "kernel/cpu/interp.h"
#include "kernel/ops/ops_permute.h"
#include "tests/kernel/reference.h"

__extension__ typedef unsigned __int128 wide;

/* As the paper has it: words of 32 bits. */
static void philox(uint32_t c[4], uint32_t k0, uint32_t k1)
{
  for (int round = 0; round < 10; round++) {
    const uint64_t p0 = (uint64_t)0xd2511f53 * c[0], p1 = (uint64_t)0xcd9e8d57 * c[2];
    const uint32_t next[4] = {(uint32_t)(p1 >> 32) ^ c[1] ^ k0, (uint32_t)p1,
                              (uint32_t)(p0 >> 32) ^ c[3] ^ k1, (uint32_t)p0};
    for (int i = 0; i < 4; i++) c[i] = next[i];
    k0 += 0x9e3779b9;
    k1 += 0xbb67ae85;
  }
}

uint64_t reference_random_function(tsr_random f, const tsr_scalar *args)
{
  const uint64_t x = args[0].u.bits, y = args[1].u.bits, z = args[2].u.bits;
  uint32_t c[4] = {(uint32_t)x, (uint32_t)(x >> 32), (uint32_t)z, (uint32_t)(z >> 32)};
  wide low;
  switch (f) {
  case TSR_RANDOM_TOP:
    return (x >> 1) >> ((63 - y) & 63);
  case TSR_RANDOM_BELOW:
    low = (wide)y * z;
    return (uint64_t)(((wide)x * z + (low >> 64)) >> 64);
  case TSR_RANDOM_PERMUTE:
    return random_permute(x, y, z);
  default:
    philox(c, (uint32_t)y, (uint32_t)(y >> 32));
    return f == TSR_RANDOM_FIRST ? c[0] | (uint64_t)c[1] << 32 : c[2] | (uint64_t)c[3] << 32;
  }
}

static const struct {
  uint64_t index, draw, key, first, second;
} known[] = {
    {0, 0, 0, 0xe169c58d6627e8d5, 0x9b00dbd8bc57ac4c},
    {UINT64_MAX, UINT64_MAX, UINT64_MAX, 0x41c83b0e408f276d, 0x6d5451fda20bc7c6},
    {0x85a308d3243f6a88, 0x0370734413198a2e, 0x299f31d0a4093822, 0x94fdccebd16cfe09,
     0x24126ea15001e420},
};

/* The function at one point, by a table of loops; enough points for every vector width. */
static uint64_t computed(const tsr_loops *loops, tsr_random f, uint64_t x, uint64_t y, uint64_t z)
{
  enum { N = 19 };
  uint64_t a[N], b[N], c[N], out[N];
  for (int i = 0; i < N; i++) {
    a[i] = x;
    b[i] = y;
    c[i] = z;
  }
  loops->random[f](N, out, (const void *const[]){a, b, c});
  for (int i = 1; i < N; i++) cr_assert_eq(out[i], out[0]);
  return out[0];
}

Test(random, philox_gives_the_known_answers)
{
  const tsr_loops *loops;
  for (int t = 0; (loops = tsr__loops_get(t)); t++) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
      cr_expect_eq(computed(loops, TSR_RANDOM_FIRST, known[i].index, known[i].key, known[i].draw),
                   known[i].first, "%s, %zu", loops->name, i);
      cr_expect_eq(computed(loops, TSR_RANDOM_SECOND, known[i].index, known[i].key, known[i].draw),
                   known[i].second, "%s, %zu", loops->name, i);
    }
  }
}

Test(random, every_loop_computes_what_the_description_says)
{
  uint64_t seed = 20240611;
  const tsr_loops *loops;
  for (int t = 0; (loops = tsr__loops_get(t)); t++) {
    for (int f = 0; f < TSR_N_RANDOM; f++) {
      for (int i = 0; i < 2000; i++) {
        tsr_scalar args[3] = {{.dtype = TSR_INT64}};
        for (int j = 0; j < 3; j++) args[j].u.bits = reference_random(&seed) >> (i + 11 * j) % 64;
        const uint64_t got = computed(loops, f, args[0].u.bits, args[1].u.bits, args[2].u.bits);
        cr_assert_eq(got, reference_random_function(f, args), "%s: %s", loops->name,
                     tsr__random_info(f)->name);
      }
    }
  }
}

Test(random, permutations_are_permutations)
{
  for (uint64_t n = 1; n < 70000; n = n < 70 ? n + 1 : n * 7 / 4 + 1) {
    bool *taken = calloc(n, 1);
    for (uint64_t i = 0; i < n; i++) {
      const uint64_t to = random_permute(i, 12345 + n, n);
      cr_assert_lt(to, n);
      cr_assert_not(taken[to], "%llu of %llu", (unsigned long long)i, (unsigned long long)n);
      taken[to] = true;
    }
    free(taken);
  }
}

/* The same kernel, interpreted and point by point: what is drawn at an index is a function of it,
 * wherever the box begins. */
Test(random, kernels_see_the_index_of_the_point)
{
  tsr_kernel_builder *b = tsr__kernel_builder_create(1);
  tsr__kernel_access_add(b, TSR_INT64, true, 0, 0);
  tsr__kernel_scalar_add(b, TSR_INT64);
  const int key = tsr__kernel_scalar(b, 0);
  const int args[] = {tsr__kernel_iota(b, 0), key, key};
  tsr__kernel_store(b, 0, tsr__kernel_random(b, TSR_RANDOM_FIRST, args));
  tsr_kernel *k = tsr__kernel_finish(b);
  cr_assert_eq(tsr__kernel_prepare(k), TSR_OK);
  char *text = tsr__kernel_text(k);
  cr_expect_str_eq(text, "kernel 1d\n"
                         "  a0: store i64, buffer 0, pattern 0\n"
                         "  s0: i64\n"
                         "  %0 = scalar.i64 s0\n"
                         "  %1 = iota.i64 axis 0\n"
                         "  %2 = random_first.i64 %1 %0 %0\n"
                         "  store.i64 a0 %2\n");
  free(text);
  int64_t whole[1000], part[1000];
  const int64_t stride[1][TSR_MAX_NDIM] = {{8}};
  const tsr_scalar scalar = {.dtype = TSR_INT64, .u.i = 99};
  void *base = whole;
  tsr_kernel_bind bind = {.n = {1000}, .base = &base, .stride_bytes = stride, .scalars = &scalar};
  reference_interpret(k, &bind);
  base = part;
  for (int64_t lo = 0; lo < 1000; lo += 137) {
    bind.lo[0] = lo;
    bind.n[0] = lo + 137 < 1000 ? 137 : 1000 - lo;
    base = part + lo;
    reference_interpret(k, &bind);
  }
  cr_expect_arr_eq(whole, part, sizeof whole);
  tsr__kernel_destroy(k);
}
