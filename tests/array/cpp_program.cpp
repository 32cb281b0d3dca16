// The public header from C++17: overloads, operators, scopes. Called by test_cpp.c.
#include "tessera.h"

#include <stdlib.h>
#include <string>
#include <unistd.h>

extern "C" int cpp_program(const char **failed);

namespace {

const char *why;
int n_failed;

void check(bool ok, const char *what)
{
  if (ok) return;
  why = what;
  n_failed++;
}
#define CHECK(cond) check(cond, #cond)

tsr_array scaled(tsr_array x)
{
  tessera::scope s;
  tsr_array y = 2 * x;
  return tsr_keep(y + 1);
}

int twice(const tsr_task_box *box)
{
  const auto step = [&](const tsr_task_argument &a, int64_t i) {
    return (double *)((char *)a.data + i * a.stride_bytes[0]);
  };
  const double add = box->data ? *(const double *)box->data : 0;
  for (int64_t i = 0; i < box->shape[0]; i++)
    *step(box->out[0], i) = 2 * *step(box->in[0], i) + add;
  return 0;
}

void tasks()
{
  tsr_array x = tsr_arange(0, 4, 1), out;
  const double add = 3;
  tsr_function f = tsr_task("twice", "float64 x", "float64 y", twice);
  CHECK(tsr_item_f64(tsr_sum(tsr_call(f, x))) == 12);
  CHECK(tsr_call_data(&out, f, &add, sizeof add, x) == TSR_OK);
  CHECK(tsr_item_f64(tsr_sum(out)) == 24);
  CHECK(tsr_item_f64(tsr_sum(
            tsr_call(tsr_task("twice", "grain(1), float64 x", "float64 y", twice), x))) == 12);
}

void devices()
{
  tsr_array x = tsr_arange(0, 4, 1);
  {
    tsr_device_scope("cpu");
    tessera::device_scope inner("auto");
    x = tsr_keep(x + 1);
  }
  CHECK(tsr_item_f64(tsr_sum(x)) == 10);
}

void host()
{
  const double fortran[] = {1, 2, 3, 4, 5, 6};
  double back[6] = {}, wide[12] = {};
  tsr_array x = tsr_from_host(fortran, TSR_FLOAT64, {2, 3}, TSR_COLUMN_MAJOR, TSR_ON(0));
  CHECK(tsr_item_f64(tsr_slice(x, "1, 0")) == 2);
  CHECK(tsr_to_host(x, back, TSR_COLUMN_MAJOR) == TSR_OK && back[1] == 2 && back[5] == 6);
  CHECK(tsr_to_host(x + 1, wide, TSR_ON(0), TSR_STRIDES(6 * sizeof(double), 2 * sizeof(double))) ==
        TSR_OK);
  CHECK(wide[2] == 4 && wide[1] == 0 && wide[6] == 3);
  tsr_host_tile tiles[2] = {};
  for (int i = 0; i < 2; i++) {
    tiles[i].lo[0] = i;
    tiles[i].n[0] = 1;
    tiles[i].n[1] = 3;
    tiles[i].data = fortran + 3 * i;
  }
  CHECK(tsr_item_f64(tsr_slice(tsr_from_tiles(2, tiles, TSR_FLOAT64, {2, 3}), "1, 0")) == 4);
  tsr_dlpack *tensor = nullptr;
  CHECK(tsr_to_dlpack(x, &tensor) == TSR_OK && tensor->tensor.shape[1] == 3);
  CHECK(tsr_item_f64(tsr_sum(tsr_from_dlpack(tensor))) == 21);
  char text[300];
  CHECK(tsr_describe(x, text, sizeof text) == TSR_OK && std::string(text).find("(2, 3)") == 0);
  CHECK(tsr_facts_of(x).n_bytes == 48);
}

void errors()
{
  const tsr_error_mode before = tsr_set_error_mode(TSR_ERRORS_ABORT);
  {
    TSR_ERRORS(RETURN);
    CHECK(!tsr_ok(tsr_zeros(TSR_SHAPE(2)) + tsr_zeros(TSR_SHAPE(3))));
    CHECK(tsr_take_error(nullptr, 0) == TSR_ERR_BROADCAST);
    tessera::errors_scope inner(TSR_ERRORS_ABORT);
  }
  CHECK(tsr_set_error_mode(before) == TSR_ERRORS_ABORT);
}

void kernels()
{
  tsr_array x = tsr_arange(0, 4, 1), out[2];
  tsr_function f = tsr_kernel_elementwise("f", "T x, float64 y", "T z", "z = x*y if x > 1 else 9");
  CHECK(tsr_item_f64(tsr_sum(tsr_call(f, x, 2))) == 28);
  CHECK(tsr_item_f64(tsr_sum(tsr_call(f, x, x + 0.5f))) == 9 + 9 + 5 + 10.5);
  f = tsr_kernel_elementwise("g", "T x", "T y, int64 k", "y = -x; k = i");
  CHECK(tsr_call_outputs(out, f, x) == TSR_OK);
  CHECK(tsr_item_f64(tsr_sum(out[0] + out[1])) == 0);
  f = tsr_kernel_reduction("r", "T x", "T y", "x*x", "a + b", "sqrt(a)", 0);
  CHECK(tsr_item_f64(tsr_call(f, tsr_slice(x, "::3"))) == 3);
  CHECK(tsr_item_f64(tsr_sum(tsr_call_axes(f, TSR_AXES(0), true, x * x))) == 9.899494936611665);
}

void arithmetic()
{
  CHECK(tsr_item_f64(tsr_sum(tsr_ones({2, 3}))) == 6 && tsr_ndim(tsr_zeros({4})) == 1);
  CHECK(tsr_item_f64(tsr_sum(tsr_arange(5) - tsr_arange(1, 6))) == -5);
  tsr_array x = tsr_arange(0, 4, 1);
  CHECK(tsr_item_f64(tsr_sum((x + 1) * 2 - x / 2 - -x)) == 8 + 12 - 3 + 6);
  CHECK(tsr_item_i64(tsr_sum(x > 1)) == 2);
  CHECK(tsr_item_i64(tsr_sum(tsr_logical_or(1 >= x, x == 3))) == 3);
  CHECK(tsr_item_i64(tsr_sum(x != 2u)) == 3);
  CHECK(tsr_item_f64(tsr_sum(tsr_add(x, 1, 2.5f, x))) == 26);
  CHECK(tsr_item_f64(tsr_max(tsr_where(x < 2, x, 10 * x))) == 30);
  CHECK(tsr_item_f64(tsr_sum(tsr_clip(tsr_floor_divide(x, 2), 0, tsr_cbrt(x)))) == 2);
  CHECK(tsr_dtype_of(tsr_ones(TSR_SHAPE(2), TSR_BOOL) + true) == TSR_BOOL);
  CHECK(tsr_dtype_of(tsr_astype(x, TSR_INT32) + 1) == TSR_INT32);
}

void bits()
{
  tsr_array x = tsr_arange(0, 6, 1, TSR_INT32);
  CHECK(tsr_item_i64(tsr_sum((x & 1) + (x | 8) + (x ^ 1) + (x << 1) + (x >> 1) + ~x)) ==
        3 + 63 + 15 + 30 + 6 - 21);
  CHECK(tsr_item_f64(tsr_sum(tsr_angle(tsr_conj(tsr_real(x) + tsr_imag(x))))) == 0);
}

/* A shape is a number or TSR_SHAPE, axes are a number or TSR_AXES, as in C. */
void numbers()
{
  tsr_array x = tsr_arange(0, 6, 1), m = tsr_reshape(x, TSR_SHAPE(2, 3));
  CHECK(tsr_ndim(tsr_zeros(5)) == 1 && tsr_size(tsr_ones(5)) == 5 && tsr_size(tsr_full(5, 1)) == 5);
  CHECK(tsr_size(tsr_zeros({2, 3})) == 6 && tsr_ndim(tsr_zeros(TSR_SHAPE())) == 0);
  CHECK(tsr_item_f64(tsr_sum(tsr_sum(m, 0))) == 15 && tsr_size(tsr_sum(m, 0)) == 3);
  CHECK(tsr_ndim(tsr_max(m, TSR_KEEPDIMS, -1)) == 2 && tsr_size(tsr_var(m, 1, TSR_DDOF(1))) == 2);
  CHECK(tsr_item_f64(tsr_slice(tsr_cumsum(m, TSR_AXES(1)), "1, 2")) == 12);
  CHECK(tsr_item_f64(tsr_sum(tsr_abs(-m))) == 15 && tsr_size(tsr_permute_dims(m)) == 6);
  CHECK(tsr_dtype_of(tsr_sum(m, 0, TSR_DTYPE(TSR_FLOAT32))) == TSR_FLOAT32);
  CHECK(tsr_dtype_of(tsr_cumprod(m, 0, TSR_INT32)) == TSR_INT32);
  CHECK(tsr_size(tsr_quantile(m, 0.5, 0)) == 3 && tsr_size(tsr_flip(m, 0)) == 6);
  CHECK(tsr_size(tsr_swapaxes(m, TSR_AXES(0), 1)) == 6 && tsr_size(tsr_indices(4)) == 4);
  const tsr_error_mode mode = tsr_set_error_mode(TSR_ERRORS_RETURN);
  CHECK(!tsr_ok(tsr_sum(m, TSR_DDOF(1))) && tsr_take_error(nullptr, 0) == TSR_ERR_ARGUMENT);
  CHECK(!tsr_ok(tsr_cumsum(m, TSR_AXES(0, 1))) && tsr_take_error(nullptr, 0) == TSR_ERR_AXIS);
  tsr_set_error_mode(mode);
}

void statistics()
{
  tsr_array x = tsr_arange(0, 6, 1);
  CHECK(tsr_item_f64(tsr_var(x, TSR_AXES(0), TSR_DDOF(1))) == 3.5);
  CHECK(tsr_item_f64(tsr_norm(x, TSR_ORD(1))) == 15);
  CHECK(tsr_item_f64(tsr_median(x)) == 2.5 && tsr_item_f64(tsr_quantile(x, 0.2)) == 1 &&
        tsr_item_f64(tsr_nanpercentile(x, 20)) == 1 && tsr_item_f64(tsr_nanmedian(x)) == 2.5);
  CHECK(tsr_item_f64(tsr_average(x, x)) == 55.0 / 15);
  CHECK(tsr_item_f64(tsr_sum(tsr_cumsum(x))) == 35 && tsr_item_f64(tsr_max(tsr_diff(x))) == 1);
  CHECK(tsr_item_f64(tsr_dot(x, x)) == 55 && tsr_item_f64(tsr_trapezoid(x)) == 12.5);
  CHECK(tsr_item_f64(tsr_sum(tsr_diff(x, 1, 0, 7, TSR_NONE))) == -2);
  CHECK(tsr_item_f64(tsr_sum(tsr_clip(x, TSR_NONE, 2))) == 9);
  CHECK(tsr_item_f64(tsr_sum(tsr_linspace(x, 5, 2))) == 45);
  CHECK(tsr_item_f64(tsr_ufunc_reduce("subtract", x, 0, TSR_INITIAL(1))) == -14);
  CHECK(tsr_item_f64(tsr_max(tsr_ufunc_accumulate("fmax", x))) == 5);
  CHECK(tsr_item_f64(tsr_sum(tsr_ufunc_outer("maximum", x, 3))) == 21);
  tsr_array square = tsr_outer(x, x), product = tsr_zeros(tsr_shape(square));
  CHECK(tsr_matmul_into(product, square, tsr_add(square, 0)) == TSR_OK);
  CHECK(tsr_item_f64(tsr_sum(product)) == 55 * 15 * 15);
}

double total(tsr_array x)
{
  return tsr_item_f64(tsr_sum(x));
}

void grids()
{
  tsr_array x = tsr_arange(0, 6, 1), i = tsr_astype(x, TSR_INT32), out[2];
  CHECK(tsr_dtype_of(tsr_zeros_like(i)) == TSR_INT32 && total(tsr_ones_like(i)) == 6);
  CHECK(tsr_dtype_of(tsr_empty_like(i, TSR_FLOAT32)) == TSR_FLOAT32);
  CHECK(total(tsr_full_like(x, 2.5)) == 15);
  CHECK(total(tsr_linspace(0, 1, 5)) == 2.5 && tsr_size(tsr_linspace(0, 1)) == 50);
  CHECK(total(tsr_logspace(0, 3, 4, true, 2)) == 15 && total(tsr_geomspace(1, 8, 4)) == 15);
  CHECK(total(tsr_eye(3)) == 3 && total(tsr_eye(3, 4, 1)) == 3 && total(tsr_identity(2)) == 2);
  CHECK(total(tsr_tri(3, 3, -1)) == 3);
  tsr_array m = tsr_reshape(x, TSR_SHAPE(2, -1));
  CHECK(tsr_array_equal(tsr_reshape(x, {2, -1}), m) && tsr_ndim(tsr_reshape(x, {-1, 1, 1})) == 3);
  CHECK(tsr_array_equal(tsr_tile(m, {2, 1}), tsr_tile(m, TSR_SHAPE(2, 1))));
  CHECK(total(tsr_tril(m)) == 0 + 3 + 4 && total(tsr_triu(m, 1)) == 1 + 2 + 5);
  CHECK(total(tsr_diag(m)) == 4 && total(tsr_indices(TSR_SHAPE(2, 3))) == 3 + 6);
  CHECK(tsr_meshgrid(out, TSR_ARRAYS(x, i), "ij") == TSR_OK && total(out[1]) == 6 * 15);
}

void shapes()
{
  tsr_array x = tsr_arange(0, 6, 1), m = tsr_reshape(x, TSR_SHAPE(2, 3)), out[3];
  CHECK(tsr_ndim(tsr_squeeze(tsr_expand_dims(x, 0))) == 1);
  CHECK(tsr_ndim(tsr_squeeze(tsr_atleast_3d(m), 2)) == 2);
  CHECK(tsr_shape(tsr_moveaxis(m, 0, -1)).n[0] == 3 && tsr_shape(tsr_swapaxes(m, 0, 1)).n[0] == 3);
  CHECK(tsr_item_f64(tsr_slice(tsr_rot90(m), "0, 0")) == 2);
  CHECK(tsr_item_f64(tsr_slice(tsr_flipud(tsr_fliplr(m)), "0, 0")) == 5);
  CHECK(tsr_ndim(tsr_atleast_1d(3)) == 1 && tsr_ndim(tsr_atleast_2d(x)) == 2);
  CHECK(tsr_broadcast_arrays(out, TSR_ARRAYS(m, tsr_ones(TSR_SHAPE(3)))) == TSR_OK);
  CHECK(total(out[1]) == 6 && tsr_ndim(tsr_ravel(m)) == 1 && tsr_size(tsr_flatten(m)) == 6);
  CHECK(tsr_item_f64(tsr_slice(tsr_roll(x, 2), "0")) == 4);
  CHECK(tsr_item_f64(tsr_slice(tsr_roll(m, 1, 0), "0, 0")) == 3);
  CHECK(tsr_item_f64(tsr_slice(tsr_roll(m, TSR_SHAPE(1, 1), TSR_AXES(0, 1)), "0, 0")) == 5);
  CHECK(tsr_size(tsr_concatenate(TSR_ARRAYS(m, m), 1)) == 12);
  CHECK(tsr_ndim(tsr_stack(TSR_ARRAYS(x, x, x))) == 2);
  CHECK(tsr_shape(tsr_vstack(TSR_ARRAYS(x, x))).n[0] == 2);
  CHECK(tsr_size(tsr_hstack(TSR_ARRAYS(x, x))) == 12 && tsr_ndim(tsr_dstack(TSR_ARRAYS(x))) == 3);
  CHECK(tsr_split(out, x, 3) == TSR_OK && total(out[2]) == 9);
  CHECK(tsr_array_split(out, m, 2, 1) == TSR_OK && total(out[0]) == 8);
  CHECK(total(tsr_tile(x, 2)) == 30 && total(tsr_tile(x, TSR_SHAPE(2, 2))) == 60);
  CHECK(total(tsr_repeat(x, 2)) == 30 && tsr_shape(tsr_repeat(m, 2, 1)).n[1] == 6);
  CHECK(total(tsr_pad(x, 1, 1, "mean", 0, TSR_STAT_LENGTH(1))) == 20);
  CHECK(total(tsr_pad(x, 0, 2, "reflect", 0, TSR_REFLECT_TYPE("odd"))) == 28);
  CHECK(total(tsr_pad(x, 1, 2, "edge")) == 25 && total(tsr_pad(x, 1, 1, "constant", 4)) == 23);
}

void composed()
{
  tsr_array x = tsr_arange(0, 6, 1) / 4, out[2];
  CHECK(total(tsr_round(x)) == 3 && total(tsr_round(x * 100, -2)) == 300);
  CHECK(tsr_divmod(out, x, 0.5) == TSR_OK && total(out[0]) == 6 && total(out[1]) == 0.75);
  CHECK(tsr_frexp(out, x) == TSR_OK && tsr_dtype_of(out[1]) == TSR_INT32);
  CHECK(tsr_modf(out, x) == TSR_OK && total(out[1]) == 2);
  CHECK(tsr_item_i64(tsr_sum(tsr_isclose(x, 1))) == 1 && tsr_allclose(x, x + 1e-9));
  CHECK(tsr_array_equal(x, x + 0) && !tsr_array_equal(x, x + 1));
  tsr_ifloordiv(x, 0.5);
  tsr_imod(x, 2);
  tsr_ipow(x, 2.0);
  CHECK(total(x) == 2);
  tsr_array i = tsr_arange(0, 6, 1, TSR_INT64);
  tsr_iand(i, 6);
  tsr_ior(i, 1);
  tsr_ixor(i, 2);
  tsr_ilshift(i, 2);
  tsr_irshift(i, 1);
  CHECK(total(i) == 44);
}

void random_numbers()
{
  tsr_rng rng = tsr_default_rng(7);
  tsr_array x = tsr_rng_uniform(&rng, 2, 3.5, TSR_SHAPE(4, 5));
  CHECK(tsr_item_f64(tsr_min(x)) >= 2 && tsr_item_f64(tsr_max(x)) < 3.5);
  CHECK(tsr_dtype_of(tsr_rng_normal(&rng, 0, 1, TSR_SHAPE(3), TSR_FLOAT32)) == TSR_FLOAT32);
  CHECK(tsr_item_f64(tsr_min(tsr_rng_exponential(&rng, 1, TSR_SHAPE(3)))) > 0);
  CHECK(tsr_item_i64(tsr_max(tsr_rng_integers(&rng, 0, 3, TSR_SHAPE(9)))) < 3);
  CHECK(tsr_item_i64(tsr_sum(tsr_rng_permutation(&rng, 4))) == 6);
  CHECK(tsr_rng_shuffle(&rng, x) == TSR_OK);
  CHECK(tsr_size(tsr_rng_choice(&rng, 9, TSR_SHAPE(2, 2), false)) == 4);
  CHECK(rng.n_draws == 7);
}

void statements()
{
  tsr_array u = tsr_zeros(TSR_SHAPE(3, 4));
  for (int i = 0; i < 3; i++) tsr_assign(tsr_slice(u, "$, 1:", i), i + tsr_ones(TSR_SHAPE(3)));
  tsr_iadd(u, tsr_multiply(u, 1));
  CHECK(tsr_item_f64(tsr_sum(u)) == 2 * 3 * (1 + 2 + 3));
  double buffer[12];
  CHECK(tsr_to_host(tsr_transpose(u) + 0, buffer) == TSR_OK && buffer[3] == 2 && buffer[2] == 0);
  tsr_replace(&u, scaled(u));
  tsr_array total = tsr_sum(u, TSR_AXES(0), TSR_KEEPDIMS);
  CHECK(tsr_shape(total).ndim == 2 && tsr_shape(total).n[1] == 4);
  const int k = 2;
  CHECK(tsr_exec("u[0] = total[0] * k", u, total, k) == TSR_OK);
  CHECK(tsr_item_f64(tsr_eval("u[0, 0] - $1[0, 1]", u)) == 2 * 3 - 2 * (5 + 9 + 13));
  tsr_read r = tsr_read_begin(tsr_min(u));
  CHECK(tsr_read_end(&r) == 1);
}

void files()
{
  const tsr_array drawn =
      tsr_picture(tsr_ones(TSR_SHAPE(2, 3)), 0, 1.5, TSR_GREY, TSR_SCALE(4), TSR_TITLE("x"));
  CHECK(tsr_shape(drawn).n[1] == 12 && tsr_shape(drawn).n[0] > 8);
  CHECK(tsr_item_i64(tsr_slice(drawn, "-1, -1, 0")) == 170);
  CHECK(tsr_shape(tsr_panels(TSR_ARRAYS(drawn, drawn))).n[1] == 12 + 12 + 12);
  tsr_progress(1, 2);
  char dir[] = "/tmp/tsr_cpp_XXXXXX";
  CHECK(mkdtemp(dir) != nullptr);
  const std::string npy = std::string(dir) + "/x.npy", index = std::string(dir) + "/x.xdmf",
                    raw = std::string(dir) + "/x_u_000000.raw";
  tsr_array x = tsr_arange(0, 5, 1);
  CHECK(tsr_save_npy(x * x, npy.c_str()) == TSR_OK);
  CHECK(tsr_item_f64(tsr_sum(tsr_load_npy(npy.c_str()))) == 30);
  tsr_xdmf *series = tsr_xdmf_open(index.c_str());
  CHECK(tsr_xdmf_grid(series, TSR_POINT(-1), TSR_POINT(0.5)) == TSR_OK);
  CHECK(tsr_xdmf_write(series, 0.5, "u", x + 1) == TSR_OK);
  CHECK(tsr_xdmf_close(&series) == TSR_OK && series == nullptr);
  for (const std::string &path : {npy, index, raw}) CHECK(unlink(path.c_str()) == 0);
  CHECK(rmdir(dir) == 0);
}

void lifetimes()
{
  tsr_array outer;
  {
    TSR_SCOPE();
    outer = tsr_full(TSR_SHAPE(2), 3);
  }
  CHECK(!tsr_ok(outer * 2));
  CHECK(tsr_n_places() >= 1 && tsr_memory_info(0).n_places == tsr_n_places());
  char text[1024];
  CHECK(tsr_take_error(text, sizeof text) == TSR_ERR_HANDLE);
  bool named = false;
  for (const char *at = text; *at; at++)
    named |= __builtin_strncmp(at, "cpp_program.cpp:", 16) == 0;
  CHECK(named);
}

} // namespace

extern "C" int cpp_program(const char **failed)
{
  n_failed = 0;
  arithmetic();
  devices();
  host();
  errors();
  kernels();
  tasks();
  grids();
  shapes();
  composed();
  random_numbers();
  bits();
  numbers();
  statistics();
  statements();
  files();
  lifetimes();
  *failed = why;
  return n_failed;
}
