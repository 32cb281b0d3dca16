/* Products of matrices: values, exact integers, shapes, views, errors, the same bits. */
#include "array_test.h"
#include "tests/support/sanitized.h"

#include <complex.h>
#include <math.h>
#include <stdatomic.h>

TestSuite(matmul, .init = begin, .fini = end, .timeout = 120);

/* Small integers, so that every sum is exact. */
static tsr_array whole(int64_t m, int64_t n, int seed)
{
  tsr_array x = tsr_arange(0, m * n, 1);
  x = tsr_remainder(tsr_multiply(x, 2 * seed + 7), 13);
  return tsr_subtract(tsr_reshape(x, TSR_SHAPE(m, n)), 6);
}

static double *host_of(tsr_array x)
{
  double *v = malloc(sizeof *v * (size_t)(tsr_size(x) + 1));
  cr_assert_eq(tsr_to_host(tsr_astype(x, TSR_FLOAT64), v), TSR_OK, "%s", tsr_last_error());
  return v;
}

static void expect_product(tsr_array x, tsr_array y)
{
  tsr_dims nx = tsr_shape(x), ny = tsr_shape(y);
  tsr_array z = tsr_matmul(x, y);
  double *a = host_of(x), *b = host_of(y), *c = host_of(z);
  for (int64_t i = 0; i < nx.n[0]; i++)
    for (int64_t j = 0; j < ny.n[1]; j++) {
      double sum = 0;
      for (int64_t k = 0; k < nx.n[1]; k++) sum += a[i * nx.n[1] + k] * b[k * ny.n[1] + j];
      cr_assert_eq(c[i * ny.n[1] + j], sum, "(%d, %d): %g, not %g", (int)i, (int)j,
                   c[i * ny.n[1] + j], sum);
    }
  free(a);
  free(b);
  free(c);
}

Test(matmul, exact_for_small_integers)
{
  static const int64_t sizes[][3] = {{2, 3, 2},    {5, 7, 11},     {64, 64, 64},   {65, 129, 67},
                                     {100, 1, 90}, {130, 600, 40}, {3, 1100, 600}, {200, 513, 70},
                                     {3, 3, 3},    {7, 5, 31},     {4, 2, 17},     {33, 9, 24},
                                     {90, 4, 3},   {81, 80, 57}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    TSR_SCOPE();
    tsr_array x = whole(sizes[i][0], sizes[i][1], 1), y = whole(sizes[i][1], sizes[i][2], 2);
    expect_product(x, y);
    expect_product(tsr_astype(x, TSR_FLOAT32), tsr_astype(y, TSR_FLOAT32));
    expect_product(tsr_astype(x, TSR_INT32), tsr_astype(y, TSR_INT64));
  }
}

/* Parts of both, small and whole. */
static void expect_complex_product(tsr_array x, tsr_array y)
{
  tsr_array z = tsr_matmul(x, y), xr = tsr_real(x), xi = tsr_imag(x), yr = tsr_real(y);
  tsr_array yi = tsr_imag(y);
  tsr_array real = tsr_subtract(tsr_matmul(xr, yr), tsr_matmul(xi, yi));
  tsr_array imag = tsr_add(tsr_matmul(xr, yi), tsr_matmul(xi, yr));
  cr_assert(tsr_array_equal(tsr_real(z), real), "%s", tsr_last_error());
  cr_assert(tsr_array_equal(tsr_imag(z), imag), "%s", tsr_last_error());
}

Test(matmul, of_complex_numbers)
{
  static const int64_t sizes[][3] = {
      {2, 3, 2}, {5, 7, 11}, {65, 129, 67}, {33, 1100, 40}, {200, 513, 70}};
  const tsr_operand j = tsr_box_complex(0, 1);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    TSR_SCOPE();
    const int64_t m = sizes[i][0], k = sizes[i][1], n = sizes[i][2];
    tsr_array x = tsr_add(whole(m, k, 1), tsr_multiply(whole(m, k, 3), j));
    tsr_array y = tsr_add(whole(k, n, 2), tsr_multiply(whole(k, n, 4), j));
    expect_complex_product(x, y);
    expect_complex_product(tsr_astype(x, TSR_COMPLEX64), tsr_astype(y, TSR_COMPLEX64));
    expect_complex_product(tsr_slice(x, "::-1, ::2"), tsr_slice(y, "::2, ::-1"));
    expect_complex_product(tsr_transpose(y), tsr_transpose(x));
    expect_complex_product(whole(m, k, 5), y);
  }
}

/* Each part is two chains over at most 512 of k, added one after the other, whatever the loops. */
Test(matmul, parts_of_complex_numbers_have_the_bits_of_two_products)
{
  static const int64_t sizes[][3] = {{2, 2, 2},   {3, 40, 2},   {25, 40, 25},  {7, 9, 8},
                                     {6, 3, 19},  {81, 5, 33},  {90, 512, 50}, {15, 17, 4},
                                     {33, 70, 3}, {100, 64, 65}};
  tsr_rng rng = tsr_default_rng(3);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    TSR_SCOPE();
    const int64_t m = sizes[i][0], k = sizes[i][1], n = sizes[i][2];
    const tsr_operand j = tsr_box_complex(0, 1);
    tsr_array x = tsr_add(tsr_rng_normal(&rng, 0, 1, TSR_SHAPE(m, k)),
                          tsr_multiply(tsr_rng_normal(&rng, 0, 1, TSR_SHAPE(m, k)), j));
    tsr_array y = tsr_add(tsr_rng_normal(&rng, 0, 1, TSR_SHAPE(k, n)),
                          tsr_multiply(tsr_rng_normal(&rng, 0, 1, TSR_SHAPE(k, n)), j));
    expect_complex_product(x, y);
    expect_complex_product(tsr_transpose(y), tsr_transpose(x));
    expect_complex_product(tsr_astype(x, TSR_COMPLEX64), tsr_astype(y, TSR_COMPLEX64));
  }
}

Test(matmul, vectors_stacks_and_nothing)
{
  static const double data[] = {3, 0, -1, 4, 2, 7};
  tsr_array x = tsr_from_host(data, TSR_FLOAT64, TSR_SHAPE(2, 3)), v = tsr_slice(x, "1");
  EXPECT_VALUES(tsr_matmul(x, v), TSR_SHAPE(2), 5, 69);
  EXPECT_VALUES(tsr_matmul(tsr_slice(x, ":, 1"), x), TSR_SHAPE(3), 8, 4, 14);
  EXPECT_VALUES(tsr_matmul(v, v), TSR_SHAPE(), 69);
  EXPECT_VALUES(tsr_matmul(x, tsr_transpose(x)), TSR_SHAPE(2, 2), 10, 5, 5, 69);
  tsr_array stack = tsr_stack(TSR_ARRAYS(x, tsr_multiply(x, 2)), 0);
  EXPECT_VALUES(tsr_matmul(stack, tsr_transpose(x)), TSR_SHAPE(2, 2, 2), 10, 5, 5, 69, 20, 10, 10,
                138);
  EXPECT_VALUES(tsr_dot(x, tsr_moveaxis(stack, TSR_AXES(2), TSR_AXES(1))), TSR_SHAPE(2, 2, 2), 10,
                5, 20, 10, 5, 69, 10, 138);
  EXPECT_VALUES(tsr_matmul(tsr_ones(TSR_SHAPE(2, 0)), tsr_ones(TSR_SHAPE(0, 2))), TSR_SHAPE(2, 2),
                0, 0, 0, 0);
  EXPECT_VALUES(tsr_matmul(tsr_greater(x, 1), tsr_greater(tsr_transpose(x), 3)), TSR_SHAPE(2, 2), 0,
                1, 0, 1);
  tsr_array holes = tsr_where(tsr_equal(x, 0), (double)NAN, x);
  EXPECT_VALUES(tsr_matmul(holes, tsr_zeros(TSR_SHAPE(3, 2))), TSR_SHAPE(2, 2), NAN, NAN, 0, 0);
}

Test(matmul, errors)
{
  tsr_array x = tsr_ones(TSR_SHAPE(2, 3));
  cr_expect_not(tsr_ok(tsr_matmul(x, x)));
  EXPECT_ERROR(TSR_ERR_SHAPE,
               "input operand 1 has a mismatch in its core dimension 0, with signature "
               "(n?,k),(k,m?)->(n?,m?) (size 2 is different from 3)",
               "`tsr_matmul`", "(2, 3) float64");
  cr_expect_not(tsr_ok(tsr_matmul(x, 3)));
  EXPECT_ERROR(TSR_ERR_SHAPE, "input operand 1 does not have enough dimensions",
               "help: tsr_multiply");
  cr_expect_not(tsr_ok(tsr_matmul(tsr_ones(TSR_SHAPE(2, 2, 3)), tsr_ones(TSR_SHAPE(3, 3, 2)))));
  EXPECT_ERROR(TSR_ERR_BROADCAST, "the axes before the matrices do not broadcast");
}

/* A label of one operand alone is summed in the dtype of both: as if they had been cast before. */
/* What takes and gives the same axes is a view of its own, so a release of it leaves the
 * operand. */
Test(matmul, einsum_of_one_operand_is_not_the_operand)
{
  static const char *const subscripts[] = {"i->i", "i", "i->"};
  for (int k = 0; k < 3; k++) {
    tsr_array x = tsr_arange(4), y = tsr_einsum(subscripts[k], x);
    tsr_release(&y);
    EXPECT_VALUES(x, TSR_SHAPE(4), 0, 1, 2, 3);
    cr_expect_str_eq(tsr_last_error(), "");
  }
}

Test(matmul, einsum_of_two_dtypes, .timeout = 400) /* many kernels, each compiled */
{
  static const char *const subscripts[] = {"ab,a->a", "a,ab->a", "ab,cd->", "ab,cb->c", "aab,c->b"};
  enum { N = 300 };
  for (tsr_dtype i = 0; i < TSR_N_DTYPES; i++)
    for (tsr_dtype j = 0; j < TSR_N_DTYPES; j++) {
      if (i == j) continue;
      TSR_SCOPE();
      const tsr_dtype both = tsr_promote_types(i, j);
      const tsr_array x = tsr_astype(tsr_add(tsr_zeros(TSR_SHAPE(2, 2, N)), 100), i);
      const tsr_array y = tsr_astype(tsr_add(tsr_zeros(TSR_SHAPE(2, N)), 100), j);
      for (int k = 0; k < 5; k++) {
        tsr_array a = k == 4 ? x : tsr_slice(x, "0"),
                  b = k == 0 || k == 4 ? tsr_slice(y, ":, 0") : y;
        if (k == 1) a = tsr_slice(x, "0, :, 0");
        const tsr_array got = tsr_einsum(subscripts[k], a, b);
        const tsr_array want = tsr_einsum(subscripts[k], tsr_astype(a, both), tsr_astype(b, both));
        cr_expect_eq(tsr_dtype_of(got), both);
        cr_expect(tsr_array_equal(got, want), "%s of %d and %d", subscripts[k], i, j);
      }
    }
  const tsr_array ones = tsr_ones(TSR_SHAPE(1, 269), TSR_BOOL),
                  one = tsr_ones(TSR_SHAPE(1), TSR_INT64);
  EXPECT_VALUES(tsr_einsum("ab,a->a", ones, one), TSR_SHAPE(1), 269);
  const tsr_array many = tsr_astype(tsr_multiply(ones, 100), TSR_INT8);
  EXPECT_VALUES(tsr_einsum("ab,a->a", many, one), TSR_SHAPE(1), 26900);
  const tsr_array half = tsr_astype(tsr_multiply(ones, 1000), TSR_FLOAT16);
  EXPECT_VALUES(tsr_einsum("a,ab->a", tsr_astype(one, TSR_FLOAT64), half), TSR_SHAPE(1), 269000);
}

Test(matmul, einsum)
{
  static const double data[] = {3, 0, -1, 4, 2, 7};
  tsr_array x = tsr_from_host(data, TSR_FLOAT64, TSR_SHAPE(2, 3));
  tsr_array q = tsr_slice(x, ":, :2"), v = tsr_slice(x, "1");
  EXPECT_VALUES(tsr_einsum("ij,kj", x, x), TSR_SHAPE(2, 2), 10, 5, 5, 69);
  EXPECT_VALUES(tsr_einsum("ij, j -> i", x, v), TSR_SHAPE(2), 5, 69);
  EXPECT_VALUES(tsr_einsum("ij->ji", x), TSR_SHAPE(3, 2), 3, 4, 0, 2, -1, 7);
  EXPECT_VALUES(tsr_einsum("ji", q), TSR_SHAPE(2, 2), 3, 4, 0, 2);
  EXPECT_VALUES(tsr_einsum("ii->i", q), TSR_SHAPE(2), 3, 2);
  EXPECT_VALUES(tsr_einsum("ii", q), TSR_SHAPE(), 5);
  EXPECT_VALUES(tsr_einsum("ij->j", x), TSR_SHAPE(3), 7, 2, 6);
  EXPECT_VALUES(tsr_einsum("...j->...", x), TSR_SHAPE(2), 2, 13);
  EXPECT_VALUES(tsr_einsum("ij,ij->", x, x), TSR_SHAPE(), 79);
  EXPECT_VALUES(tsr_einsum("ij,ij->ji", x, x), TSR_SHAPE(3, 2), 9, 16, 0, 4, 1, 49);
  EXPECT_VALUES(tsr_einsum("i,j->ji", tsr_slice(x, ":, 0"), v), TSR_SHAPE(3, 2), 12, 16, 6, 8, 21,
                28);
  EXPECT_VALUES(tsr_einsum("...ij,...jk->...ik", q, q), TSR_SHAPE(2, 2), 9, 0, 20, 4);
  tsr_array cube = tsr_reshape(tsr_arange(0, 12, 1), TSR_SHAPE(2, 3, 2));
  EXPECT_VALUES(tsr_einsum("aij,ij->a", cube, tsr_transpose(x)), TSR_SHAPE(2), 41, 131);
  EXPECT_VALUES(tsr_einsum("aij,bij->ba", cube, cube), TSR_SHAPE(2, 2), 55, 145, 145, 451);
  EXPECT_VALUES(tsr_einsum("aji,ai->aj", cube, q), TSR_SHAPE(2, 3), 0, 6, 12, 38, 50, 62);
  cr_expect_not(tsr_ok(tsr_einsum("ij,jk", x, x)));
  EXPECT_ERROR(TSR_ERR_BROADCAST, "a label has two lengths in the operands", "`tsr_einsum`");
  tsr_array five = tsr_ones(TSR_SHAPE(1, 1, 1, 1, 1));
  cr_expect_not(tsr_ok(tsr_einsum("abcde,fghij", five, five)));
  EXPECT_ERROR(TSR_ERR_SHAPE, "too many subscripts", "abcde,fghij");
  cr_expect_not(tsr_ok(tsr_einsum("ij->k", x)));
  EXPECT_ERROR(TSR_ERR_SYNTAX, "the output has a label that no operand has");
  cr_expect_not(tsr_ok(tsr_einsum("ij->ii", x)));
  EXPECT_ERROR(TSR_ERR_SYNTAX, "the output has a label more than once");
  cr_expect_not(tsr_ok(tsr_einsum("ijk", x)));
  EXPECT_ERROR(TSR_ERR_SHAPE, "more labels than it has axes");
  cr_expect_not(tsr_ok(tsr_einsum("i", x)));
  EXPECT_ERROR(TSR_ERR_SHAPE, "an operand has more axes than subscripts");
  cr_expect_not(tsr_ok(tsr_einsum("i.j", x)));
  EXPECT_ERROR(TSR_ERR_SYNTAX, "not part of one ellipsis");
  cr_expect_not(tsr_ok(tsr_einsum("i1j", x)));
  EXPECT_ERROR(TSR_ERR_SYNTAX, "a character that is no letter");
  cr_expect_not(tsr_ok(tsr_einsum("1j", tsr_ones(TSR_SHAPE(2, 3)))));
  EXPECT_ERROR(TSR_ERR_SYNTAX, "a character that is no letter: \"1j\"");
  cr_expect_not(tsr_ok(tsr_einsum("ij,ij", x)));
  EXPECT_ERROR(TSR_ERR_SYNTAX, "not of as many operands as are given");
}

/* Where the result has a place, tasks write that, and no other. */
Test(matmul, into_arrays_that_are_there)
{
  enum { N = 96 };
  tsr_rng rng = tsr_default_rng(8);
  tsr_array a = tsr_rng_normal(&rng, 0, 1, TSR_SHAPE(N, 700));
  tsr_array b = tsr_rng_normal(&rng, 0, 1, TSR_SHAPE(700, N));
  tsr_array want = tsr_matmul(a, b), c = tsr_full(TSR_SHAPE(N, N), NAN);
  tsr_array wide = tsr_zeros(TSR_SHAPE(2 * N, N + 3));
  tsr_flush();
  tsr_counters before = *tsr__context_counters();
  cr_expect_eq(tsr_matmul_into(c, a, b), TSR_OK);
  tsr_flush();
  const tsr_world *w = &tsr__context(NULL)->world;
  const uint64_t n_tasks = w->size == 1 && w->n_places == 1 ? 1 : 2;
  cr_expect_eq(tsr__context_counters()->n_groups - before.n_groups, n_tasks,
               "a task, or one for each panel where there are several places");
  cr_expect(tsr_array_equal(c, want));
  tsr_exec("c[::-1] = a @ b", c, a, b);
  cr_expect(tsr_array_equal(tsr_slice(c, "::-1"), want));
  tsr_flush();
  before = *tsr__context_counters();
  tsr_matmul_into(tsr_slice(wide, "1::2, 2:-1"), a, b);
  tsr_flush();
  cr_expect_eq(tsr__context_counters()->n_groups - before.n_groups, n_tasks);
  cr_expect(tsr_array_equal(tsr_slice(wide, "1::2, 2:-1"), want));
  cr_expect_eq(tsr_item_f64(tsr_sum(tsr_absolute(tsr_slice(wide, "::2")))), 0);
  cr_expect_eq(tsr_item_f64(tsr_sum(tsr_absolute(tsr_slice(wide, ":, :2")))), 0);
  /* What it reads, other dtypes, vectors and split axes: by way of the product. */
  tsr_array square = tsr_copy(want);
  tsr_matmul_into(square, square, tsr_transpose(square));
  cr_expect(tsr_array_equal(square, tsr_matmul(want, tsr_transpose(want))));
  tsr_array narrow = tsr_zeros(TSR_SHAPE(N, N), TSR_FLOAT32), row = tsr_zeros(TSR_SHAPE(N));
  tsr_exec("narrow = a @ b; row[...] = a[3] @ b", narrow, row, a, b);
  cr_expect(tsr_array_equal(narrow, tsr_astype(want, TSR_FLOAT32)));
  cr_expect(tsr_array_equal(row, tsr_matmul(tsr_slice(a, "3"), b)));
  tsr_array flat = tsr_zeros(TSR_SHAPE(N * N));
  tsr_matmul_into(tsr_reshape(flat, TSR_SHAPE(N, N)), a, b);
  cr_expect(tsr_array_equal(flat, tsr_ravel(want)));
  tsr_array stack = tsr_zeros(TSR_SHAPE(2, N, N));
  tsr_matmul_into(stack, a, b);
  cr_expect(tsr_array_equal(tsr_slice(stack, "1"), want));
}

Test(matmul, errors_of_into)
{
  tsr_array x = tsr_ones(TSR_SHAPE(3, 4)), y = tsr_ones(TSR_SHAPE(4, 5)), none = {0};
  cr_expect_eq(tsr_matmul_into(x, x, y), TSR_ERR_BROADCAST);
  EXPECT_ERROR(TSR_ERR_BROADCAST, "cannot broadcast shape (3, 5) to the target's (3, 4)",
               "tsr_matmul_into");
  cr_expect_eq(tsr_matmul_into(x, y, x), TSR_ERR_SHAPE);
  EXPECT_ERROR(TSR_ERR_SHAPE, "mismatch in its core dimension", "tsr_matmul_into");
  cr_expect_eq(tsr_matmul_into(tsr_zeros(TSR_SHAPE(3, 5), TSR_INT32), x, y), TSR_ERR_CAST);
  EXPECT_ERROR(TSR_ERR_CAST, "cannot store float64 in an array of int32");
  cr_expect_eq(tsr_matmul_into(tsr_broadcast_to(x, TSR_SHAPE(2, 3, 4)), x, y), TSR_ERR_READONLY);
  EXPECT_ERROR(TSR_ERR_READONLY, "the target repeats elements");
  cr_expect_eq(tsr_matmul_into(none, x, y), TSR_ERR_HANDLE);
  cr_expect_eq(tsr_matmul_into(x, none, y), TSR_ERR_HANDLE);
}

static void begin_on_the_host(void)
{
  no_devices_asked_for();
  begin();
}

TestSuite(matmul_on_host, .init = begin_on_the_host, .fini = end, .timeout = 120);

/* Products with a vector, and of few elements, are sums of products that nobody makes. */
Test(matmul_on_host, by_vectors_needs_no_kernel)
{
  static const tsr_dtype dtypes[] = {TSR_FLOAT32, TSR_FLOAT64};
  for (int d = 0; d < 2; d++) {
    TSR_SCOPE();
    tsr_rng rng = tsr_default_rng(11);
    tsr_array a = tsr_astype(tsr_rng_normal(&rng, 0, 1, TSR_SHAPE(700, 900)), dtypes[d]);
    tsr_array v = tsr_slice(a, "5"), w = tsr_copy(tsr_slice(a, ":, 3"));
    tsr_flush();
    const tsr_counters before = *tsr__context_counters();
    tsr_array right = tsr_matmul(a, v);
    tsr_flush(); /* one pass for one product */
    tsr_array left = tsr_matmul(w, a);
    tsr_flush();
    tsr_array inner = tsr_dot(v, v);
    tsr_flush();
    const tsr_counters *after = tsr__context_counters();
    cr_expect_geq(after->n_product_runs - before.n_product_runs, 3);
    cr_expect_eq(after->n_compiled_runs + after->n_interpreted_runs,
                 before.n_compiled_runs + before.n_interpreted_runs);
    tsr_array made = tsr_copy(tsr_multiply(a, v)), of_rows = tsr_multiply(a, tsr_expand_dims(w, 1));
    tsr_flush();
    cr_expect(tsr_array_equal(right, tsr_sum(made, TSR_AXES(1))));
    cr_expect(tsr_array_equal(left, tsr_sum(tsr_copy(of_rows), TSR_AXES(0))));
    cr_expect(tsr_array_equal(left, tsr_matmul(tsr_transpose(a), w)));
    cr_expect(tsr_array_equal(inner, tsr_sum(tsr_slice(made, "5"))));
  }
}

/* Products of conjugates need no kernel, whichever factor they are; a number times its conjugate is
 * real. */
Test(matmul_on_host, of_conjugates_needs_no_kernel)
{
  static const tsr_dtype dtypes[] = {TSR_COMPLEX64, TSR_COMPLEX128};
  for (int d = 0; d < 2; d++) {
    TSR_SCOPE();
    tsr_rng rng = tsr_default_rng(12);
    tsr_array re = tsr_rng_normal(&rng, 0, 1, TSR_SHAPE(901)),
              im = tsr_rng_normal(&rng, 0, 1, TSR_SHAPE(901));
    tsr_array x = tsr_astype(tsr_add(re, tsr_multiply(im, 1 * I)), dtypes[d]);
    tsr_array y = tsr_flip(x), conj = tsr_copy(tsr_conj(x)),
              made = tsr_copy(tsr_multiply(conj, tsr_copy(y)));
    y = tsr_copy(y);
    tsr_flush();
    const tsr_counters before = *tsr__context_counters();
    tsr_array left = tsr_vdot(x, y);
    tsr_flush();
    tsr_array right = tsr_eval("sum(y * conj(x))", y, x);
    tsr_flush();
    tsr_array own = tsr_vdot(x, x);
    tsr_flush();
    const tsr_counters *after = tsr__context_counters();
    cr_expect_geq(after->n_product_runs - before.n_product_runs, 3);
    cr_expect_eq(after->n_compiled_runs + after->n_interpreted_runs,
                 before.n_compiled_runs + before.n_interpreted_runs);
    cr_expect(tsr_array_equal(left, tsr_sum(made)));
    cr_expect(tsr_array_equal(right, left));
    cr_expect(tsr_array_equal(tsr_imag(own), tsr_zeros(TSR_SHAPE())));
  }
}

/* Chunks of the sum of the products, of which one more operation is computed or none. */
static uint64_t n_chunks_of_sum(tsr_array x, tsr_array y, bool with_more)
{
  TSR_SCOPE();
  const tsr_counters before = *tsr__context_counters();
  tsr_array products = tsr_multiply(x, y);
  tsr_array sum = tsr_sum(with_more ? tsr_negative(products) : products);
  cr_expect_neq(tsr_item_f64(sum), 0);
  const tsr_counters *after = tsr__context_counters();
  return after->n_product_runs - before.n_product_runs + after->n_compiled_runs -
         before.n_compiled_runs + after->n_interpreted_runs - before.n_interpreted_runs;
}

/* Chunks are large where the products' loops read them, and only there: what a kernel computes is
 * for its caches. */
Test(matmul_on_host, chunks_of_products_that_a_kernel_makes)
{
  enum { N = 1024 };
  tsr_array a = tsr_reshape(tsr_arange(1, (int64_t)N * N + 1, 1), TSR_SHAPE(N, N));
  tsr_array x = tsr_copy(tsr_astype(a, TSR_FLOAT64)), back = tsr_slice(x, ":, ::-1");
  tsr_array line = tsr_slice(tsr_ravel(x), "::2"), other = tsr_sqrt(x);
  tsr_flush();
  const uint64_t together = n_chunks_of_sum(x, other, false);
  cr_expect_lt(together, n_chunks_of_sum(x, other, true));
  cr_expect_eq(n_chunks_of_sum(back, x, false), n_chunks_of_sum(back, x, true));
  cr_expect_eq(n_chunks_of_sum(back, back, false), n_chunks_of_sum(back, back, true));
  cr_expect_eq(n_chunks_of_sum(line, line, false), n_chunks_of_sum(line, line, true));
}

enum { N_PRODUCTS = 19, MOST = 150 * 36 * 6 * 5 };

typedef struct products {
  double v[N_PRODUCTS][MOST];
} products;

static tsr_array filled(tsr_rng *rng, int64_t m, int64_t n)
{
  return tsr_rng_normal(rng, 0, 1, TSR_SHAPE(m, n));
}

/* Twice, so that the plans are replayed on other memory. */
static void program(void *arg, int rank)
{
  products *got = calloc(1, sizeof *got);
  tsr_rng rng = tsr_default_rng(5);
  for (int turn = 0; turn < 2; turn++) {
    TSR_SCOPE();
    tsr_array x = filled(&rng, 131, 97), y = filled(&rng, 97, 201), big = filled(&rng, 150, 1300);
    tsr_array stack = tsr_rng_normal(&rng, 0, 1, TSR_SHAPE(3, 1, 40, 20));
    tsr_array other = tsr_rng_normal(&rng, 0, 1, TSR_SHAPE(2, 20, 30));
    tsr_array into = tsr_zeros(TSR_SHAPE(131, 201)), part = tsr_zeros(TSR_SHAPE(140, 210));
    tsr_array same = tsr_copy(tsr_slice(x, ":97"));
    tsr_assign(tsr_slice(into, "::3"), 5);
    tsr_matmul_into(into, x, y);
    tsr_matmul_into(tsr_slice(part, "138:7:-1, 4:205"), x, y);
    tsr_exec("same = same @ same", same);
    tsr_array turned =
        tsr_matmul(tsr_multiply(x, tsr_box_complex(0.5, 2)), tsr_add(y, tsr_box_complex(0, 1)));
    const tsr_array results[N_PRODUCTS] = {
        into,
        part,
        same,
        tsr_real(turned),
        tsr_imag(turned),
        tsr_matmul(x, y),
        tsr_matmul(big, tsr_transpose(big)),
        tsr_matmul(tsr_slice(x, "::-1, 3:90:2"), tsr_slice(y, "40:84, ::-3")),
        tsr_matmul(tsr_astype(x, TSR_FLOAT32), tsr_astype(y, TSR_FLOAT32)),
        tsr_matmul(stack, other),
        tsr_matmul(x, tsr_slice(y, ":, 7")),
        tsr_matmul(tsr_slice(x, "5"), y),
        tsr_matmul(tsr_reshape(tsr_slice(big, ":120, :600"), TSR_SHAPE(20, 6, 1, 600)),
                   tsr_transpose(tsr_slice(big, "3:10, 20:620"))),
        tsr_matmul(tsr_slice(tsr_reshape(tsr_slice(big, ":140, 1:"), TSR_SHAPE(20, 7, 1299)),
                             "::-1, :5, :700"),
                   tsr_transpose(tsr_slice(big, "3:12, 20:720"))),
        tsr_matmul(tsr_reshape(tsr_slice(x, ":120, :96"), TSR_SHAPE(20, 6, 1, 96)),
                   tsr_slice(y, ":96, :77")),
        tsr_matmul(tsr_reshape(tsr_slice(big, ":, :1296"), TSR_SHAPE(150, 36, 6, 6)),
                   tsr_slice(y, "3:9, 2:7")),
        tsr_imag(tsr_matmul(tsr_reshape(tsr_slice(turned, ":, :200"), TSR_SHAPE(131, 50, 2, 2)),
                            tsr_reshape(tsr_slice(turned, ":, 1:201"), TSR_SHAPE(131, 50, 2, 2)))),
        tsr_matmul(tsr_add(x, 1),
                   tsr_matmul(y, tsr_reshape(tsr_slice(big, "0, :402"), TSR_SHAPE(201, 2)))),
        tsr_matmul(tsr_astype(tsr_multiply(x, 100), TSR_INT64), tsr_astype(y, TSR_INT32))};
    for (int i = 0; i < N_PRODUCTS; i++) {
      cr_assert(tsr_size(results[i]) <= MOST, "%d", i);
      cr_assert_eq(tsr_to_host(tsr_astype(results[i], TSR_FLOAT64), got->v[i]), TSR_OK, "%d: %s", i,
                   tsr_last_error());
    }
  }
  if (rank == 0) memcpy(arg, got, sizeof *got);
  free(got);
}

Test(matmul_on_ranks, gives_the_same_bits, .timeout = 300)
{
  static const char *const settings[][10] = {
      {"threads", "1", "replicate_max", "0", "tile_min", "1", NULL},
      {"threads", "2", "replicate_max", "0", "tile_min", "1", "chunk_bytes", "64", NULL},
      {"threads", "2", "replicate_max", "0", "tile_min", "500", "replan", "1", NULL}};
  static products expected, got;
  RUN_RANKS(1, program, &expected, "threads", "1");
  /* Text for CUDA devices computes whole tiles, whatever a chunk keeps of them: on 1 and 4
   * ranks. */
  const bool is_slow = IS_SANITIZED || getenv("TESSERA_CHECK_CODE");
  for (int n = IS_SANITIZED ? 4 : 1; n <= 4; n += is_slow ? 3 : 1)
    for (size_t c = 0; c < sizeof settings / sizeof *settings; c++) {
      memset(&got, 0, sizeof got);
      cr_assert_eq(tsr_run_ranks(n, settings[c], program, &got), TSR_OK);
      for (int i = 0; i < N_PRODUCTS; i++)
        cr_expect(memcmp(got.v[i], expected.v[i], sizeof got.v[i]) == 0,
                  "%d ranks, settings %d, product %d", n, (int)c, i);
    }
}

/* Products of ever other parts of two arrays: one plan that is given other lengths, by which it is
 * one that is small enough for a single thread, and is not. */
static void products_of_parts(void *arg, int rank)
{
  enum { SIDE = 80, STEPS = 24 };
  atomic_int *n_wrong = arg;
  tsr_array a = tsr_ones(TSR_SHAPE(SIDE, SIDE)), b = tsr_full(TSR_SHAPE(SIDE, SIDE), 2);
  for (int i = 0; i < STEPS; i++) {
    const int64_t n = i % 2 ? SIDE - 3 * i : 4 + i, k = i % 3 ? SIDE - i : 5 + 2 * i,
                  m = SIDE - 2 * i;
    tsr_array made =
        tsr_copy(tsr_matmul(tsr_slice(a, ":$, :$", n, k), tsr_slice(b, ":$, :$", k, m)));
    if (tsr_item_f64(tsr_sum(made)) != 2.0 * (double)(n * k * m)) atomic_fetch_add(n_wrong, 1);
    tsr_release(&made);
  }
}

Test(matmul_on_ranks, parts_of_any_lengths)
{
  for (int n = 1; n <= 2; n++) {
    atomic_int n_wrong = 0;
    RUN_RANKS(n, products_of_parts, &n_wrong, "device", "cpu", "places", "1", "threads", "1",
              "replan", "1");
    cr_expect_eq(n_wrong, 0, "%d ranks", n);
  }
}

/* Rows of `b` pass through every rank, a panel at a time. */
static void long_product(void *arg, int rank)
{
  enum { K = 16384, M = 64, N = 128 };
  tsr_array a = tsr_ones(TSR_SHAPE(M, K)), b = tsr_ones(TSR_SHAPE(K, N));
  tsr_array c = tsr_matmul(a, b);
  cr_assert_eq(tsr_item_f64(tsr_sum(c)), (double)K * M * N);
  size_t *peak = arg;
  peak[rank] = tsr__context_memory().peak_bytes;
}

Test(matmul_on_ranks, holds_few_panels, .timeout = 120)
{
  enum { N_RANKS = 4, OPERANDS = 8 * 16384 * (64 + 128), PANEL = 8 * 512 * 128 };
  size_t peak[N_RANKS] = {0};
  const char *device = getenv("TESSERA_DEVICE");
  /* Operands of a task move to the host where a device runs none, and are at both ends
   * meanwhile. */
  if (device != NULL && strcmp(device, "cuda") == 0) no_devices_asked_for();
  RUN_RANKS(N_RANKS, long_product, peak, "threads", "2", "replicate_max", "0", "check_code", "c");
  for (int rank = 0; rank < N_RANKS; rank++)
    cr_expect(peak[rank] < OPERANDS / N_RANKS + 12 * PANEL, "rank %d held %zu bytes", rank,
              peak[rank]);
}

/* One rank has no memory for a buffer of a chain of products and reductions, on devices or not. It
 * takes part in all messages, also in those that keep to the order of the products, so that nobody
 * waits; the others hear of it at the read. */
typedef struct failing {
  uint64_t at;  /* number of rank 1's request for memory that fails */
  int n_failed; /* runs in which it was made, by rank 0 */
} failing;

static void fail_in_the_middle(void *arg, int rank)
{
  failing *f = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array x = tsr_ones(TSR_SHAPE(60, 90)), y = tsr_ones(TSR_SHAPE(90, 60));
  cr_assert_eq(tsr_flush(), TSR_OK);
  tsr_memory *memory = tsr_context_current()->world.places[0].memory;
  if (rank == 1) tsr__memory_fail_at(memory, f->at);
  {
    TSR_SCOPE();
    tsr_array z = tsr_matmul(tsr_matmul(tsr_matmul(x, y), x), y);
    const double sum = tsr_item_f64(tsr_sum(tsr_add(z, tsr_transpose(z))));
    tsr__memory_fail_at(memory, 0);
    char text[4000] = "";
    const tsr_status status = tsr_take_error(text, sizeof text);
    if (rank == 0 && status < 0) f->n_failed++;
    if (status < 0)
      cr_expect_not_null(strstr(text, "rank 1 failed with TSR0402"), "rank %d: %s", rank, text);
    else
      cr_expect_eq(sum, 2.0 * 60 * 60 * 90 * 60 * 90);
  }
  cr_expect_eq(tsr_item_f64(tsr_sum(x)), 60.0 * 90.0, "what was only read is still there");
}

Test(matmul_on_ranks, a_rank_that_fails_follows_the_products, .timeout = 120)
{
  static const char *const settings[][12] = {
      {"device", "cpu", "threads", "2", "replicate_max", "0", "tile_min", "64", NULL},
      {"device", "cpu", "threads", "1", "replicate_max", "0", "tile_min", "64", "seed", "7", NULL},
      {"device", "cpu", "threads", "2", "replicate_max", "0", "tile_min", "64", "replan", "1",
       NULL},
      {"device", "check", "places", "2", "replicate_max", "0", "tile_min", "64", NULL}};
  for (int n = 2; n <= 4; n += 2)
    for (size_t c = IS_SANITIZED ? n / 2 - 1 : 0; c < sizeof settings / sizeof *settings;
         c += IS_SANITIZED ? 2 : 1) {
      failing f = {.n_failed = 0};
      for (f.at = 1; f.at <= 16; f.at++)
        cr_assert_eq(tsr_run_ranks(n, settings[c], fail_in_the_middle, &f), TSR_OK);
      /* the requests of replay checks come first, and devices take the host's memory instead */
      cr_expect(f.n_failed >= 3 || c >= 2, "%d ranks, settings %d: %d", n, (int)c, f.n_failed);
    }
}
