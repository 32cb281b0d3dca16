// Arrays that own, from C++17: their lives, slices, operators, and exceptions. test_cpp.c calls.
#include "tessera.h"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

extern "C" int cpp_arrays(const char **failed);
extern "C" void cpp_arrays_of_a_rank(void *n_failed, int rank);

namespace {

using namespace tessera::literals;
using tessera::array, tessera::slice, tessera::none;

const char *why;
int n_failed;

void check(bool ok, const char *what)
{
  if (ok) return;
  why = n_failed++ ? why : what;
}
#define CHECK(cond) check(cond, #cond)

double total(const array &x)
{
  return tessera::sum(x).item();
}

void lives()
{
  array u = tessera::ones({3, 4});
  CHECK(tsr_n_views(u) == 1);
  {
    const array other = u;
    CHECK(tsr_n_views(u) == 2 && static_cast<tsr_array>(other).id != static_cast<tsr_array>(u).id);
    array moved = tessera::zeros(2);
    moved = other;
    CHECK(tsr_n_views(u) == 3);
    array last = std::move(moved);
    CHECK(tsr_n_views(u) == 3);
    const array &same = last;
    last = same;
    CHECK(tsr_n_views(u) == 3 && total(last) == 12);
  }
  CHECK(tsr_n_views(u) == 1);
  array made;
  {
    tessera::scope s;
    made = u + 1;
    tsr_array handle = tsr_add(u, 2);
    array beside = handle, taken = tsr_add(u, 3);
    CHECK(tsr_n_views(handle) == 2 && total(taken) == 48);
    beside += 1;
    CHECK(tsr_item_f64(tsr_sum(handle)) == 48);
  }
  CHECK(total(made) == 24);
  array v = u;
  v += 1;
  CHECK(total(u) == 24);
  v = v + 1;
  CHECK(total(u) == 24 && total(v) == 36);
  tsr_array taken = tsr_zeros(TSR_SHAPE(3));
  const array owner = std::move(taken);
  CHECK(!tsr_ok(taken) && owner.size() == 3 && owner.dtype() == TSR_FLOAT64);
}

void slices()
{
  array u = tessera::reshape(tessera::arange(24), {2, 3, 4});
  CHECK(u(1, 2, 3).item() == 23 && u(1_i, -1_i, 2u).item<int64_t>() == 22);
  CHECK(total(u(0, slice(1, none), slice(none, none, -2))) == 7 + 5 + 11 + 9);
  CHECK(u(_, 0).shape().n[1] == 4 && u(tessera::newaxis, tessera::ellipsis, 1).ndim() == 3);
  CHECK(total(u(_, 1_i, slice(1, -1))) == 5 + 6 + 17 + 18);
  CHECK(total(u.at("1, $:, ::2", 1)) == 16 + 18 + 20 + 22);
  array rows = u(0);
  u(0, slice(1, 3)) = -1;
  CHECK(total(rows) == 0 + 1 + 2 + 3 - 8);
  u(0) = u(1);
  CHECK(total(rows) == 12 * 12 + 66);
  const auto kept = u(1, 1);
  kept = tessera::arange(4);
  kept += 1;
  CHECK(total(u(1, 1, _)) == 10);
  CHECK(tsr_n_views(u) == 3);
}

void operators()
{
  array x = tessera::arange(-3, 4);
  CHECK(total(x % 3) == 0 + 1 + 2 + 0 + 1 + 2 + 0 && total(7 % tessera::arange(1, 4)) == 2);
  tsr_array h = tsr_arange(0, 7, 1);
  CHECK(tsr_item_f64(tsr_sum(h % 2)) == 3);
  CHECK(total(x + h) == 21 && total(h - x) == 21 && total(2 * x * x - -x) == 56 + 0);
  CHECK(total(tessera::where(x < 0, 0, x)) == 6 && tessera::all(x == x).item<bool>());
  CHECK(total(x >= h) == 0 && total(1 > x) == 4 && total(x != 0) == 6);
  x += h, x -= 1, x *= 2, x /= 4;
  CHECK(total(x) == (-4 + -2 + 0 + 2 + 4 + 6 + 8) / 2.0);
  x %= 2;
  CHECK(total(x) == 0 + 1 + 0 + 1 + 0 + 1 + 0);
  array i = tessera::astype(tessera::arange(4), TSR_INT32);
  CHECK(total((i & 1) + (i | 4) + (i ^ 1) + (i << 1) + (i >> 1) + ~i) == 2 + 22 + 6 + 12 + 2 - 10);
  i <<= 2, i |= 1, i ^= 2, i &= 14, i >>= 1;
  CHECK(total(i) == 1 + 3 + 5 + 7);
  array z = x + std::complex<double>(0, 1);
  CHECK(tessera::sum(z).item<std::complex<double>>() == std::complex<double>(3, 7));
}

/* What takes handles takes arrays; what gives arrays has a form that owns. */
void functions()
{
  array x = tessera::linspace(0, 1, 5);
  CHECK(tsr_item_f64(tsr_max(x)) == 1 && tsr_allclose(tsr_sqrt(x), tessera::sqrt(x)));
  CHECK(total(tessera::add(x, x, x, 1)) == 12.5 && total(tsr_add(x, 1, x)) == 10);
  CHECK(tessera::concatenate(TSR_ARRAYS(x, x)).size() == 10);
  const std::vector<array> several(40, x);
  const std::vector<tsr_array> handles(3, x);
  CHECK(tessera::concatenate(tessera::arrays(several)).size() == 200);
  CHECK(tessera::concatenate(tessera::arrays(handles)).size() == 15);
  CHECK(tessera::concatenate(tessera::arrays{x, x, x}).size() == 15);
  CHECK(tessera::concatenate({x, x}).size() == 10 && tessera::concatenate(several).size() == 200);
  CHECK(tessera::stack(tessera::arrays({x, handles[0]}), 1).ndim() == 2);
  CHECK(tessera::concatenate(TSR_ARRAYS_OF(2, handles.data())).size() == 10);
  CHECK(tessera::sum(tessera::outer(x, x), 0, TSR_KEEPDIMS).ndim() == 2);
  CHECK(total(tsr_eval("x*2", x)) == 5 && tsr_exec("x[1:] += $2", x, x(1)) == TSR_OK);
  CHECK(total(x) == 3.5);
  double out[5];
  CHECK(tsr_to_host(x, out) == TSR_OK && out[4] == 1.25);
  CHECK(tsr_assign(x, 2) == TSR_OK && total(tessera::from_host(out, TSR_FLOAT64, 5)) == 3.5);
}

/* Temporaries of operators are dead where the window runs: as many passes as of C's calls. */
void passes()
{
  enum { N = 300, STEPS = 200 };
  const uint64_t begin = tsr_n_passes();
  {
    tsr_array u = tsr_ones(TSR_SHAPE(N)), v = tsr_zeros(TSR_SHAPE(N));
    for (int i = 0; i < STEPS; i++) {
      TSR_SCOPE();
      tsr_array lap = tsr_subtract(tsr_multiply(u, 0.5), v);
      tsr_iadd(u, tsr_multiply(lap, 0.25));
      tsr_iadd(v, tsr_multiply(u, 0.125));
    }
    tsr_flush();
  }
  const uint64_t middle = tsr_n_passes();
  array u = tessera::ones(N), v = tessera::zeros(N);
  for (int i = 0; i < STEPS; i++) {
    const array lap = u * 0.5 - v;
    u += lap * 0.25;
    v += u * 0.125;
  }
  tsr_flush();
  CHECK(middle - begin == tsr_n_passes() - middle);
}

bool throws(tsr_status code, const char *text, void (*call)())
{
  try {
    call();
  } catch (const tessera::error &e) {
    return e.code() == code && std::strstr(e.what(), text) && *tsr_last_error() == '\0';
  }
  return false;
}

int fails(const tsr_task_box *)
{
  return 7;
}

void exceptions()
{
  const tsr_error_mode before = tsr_set_error_mode(TSR_ERRORS_RETURN);
  {
    const tessera::exceptions on;
    CHECK(throws(TSR_ERR_BROADCAST, "cpp_arrays.cpp:", [] {
      const array x = tessera::ones(3);
      (void)(x + tessera::ones(4));
    }));
    CHECK(throws(TSR_ERR_SHAPE, "item", [] { (void)tessera::ones(3).item(); }));
    CHECK(throws(TSR_ERR_INDEX, "tessera::array()", [] { (void)tessera::ones(3)(3); }));
    CHECK(throws(TSR_ERR_CAST, "operator+=", [] {
      array x = tessera::astype(tessera::ones(3), TSR_INT32);
      x += 0.5;
    }));
    CHECK(throws(TSR_ERR_BROADCAST, "operator=", [] { tessera::ones(3)(_) = tessera::ones(2); }));
    CHECK(throws(TSR_ERR_HANDLE, "never made", [] { (void)(array() + 1); }));
    CHECK(throws(TSR_ERR_HANDLE, "tsr_call", [] { (void)tsr_call(tsr_function{}, tsr_ones(3)); }));
    CHECK(throws(TSR_ERR_ARGUMENT, "series", [] { tsr_xdmf_write(nullptr, 0, "u", tsr_ones(3)); }));
    CHECK(throws(TSR_ERR_AXIS, "tsr_sum", [] { (void)tsr_item_f64(tsr_sum(tsr_ones(3), 1)); }));
    CHECK(throws(TSR_ERR_SYNTAX, "tsr_eval", [] { (void)tsr_eval("1 +"); }));
    CHECK(throws(TSR_ERR_BROADCAST, "tsr_assign", [] { tsr_assign(tsr_ones(3), tsr_ones(2)); }));
    CHECK(throws(TSR_ERR_TASK, "fails", [] {
      const array x =
          tessera::call(tsr_task("fails", "float64 x", "float64 y", fails), tessera::ones(3));
      (void)total(x);
    }));
    CHECK(tsr_set_error_mode(TSR_ERRORS_THROW) == TSR_ERRORS_THROW);
    array x = tessera::ones(3);
    x += 1;
    CHECK(total(x) == 6);
  }
  CHECK(tsr_set_error_mode(before) == TSR_ERRORS_RETURN);
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  CHECK(!tsr_ok(tessera::ones(3)(3)) && tsr_error_to_throw() == TSR_OK);
  CHECK(tsr_take_error(nullptr, 0) == TSR_ERR_INDEX);
  tsr_set_error_mode(before);
}

} // namespace

extern "C" int cpp_arrays(const char **failed)
{
  n_failed = 0;
  lives();
  slices();
  operators();
  functions();
  passes();
  exceptions();
  *failed = why;
  return n_failed;
}

/* The same on several ranks, one of which leaves a block by an exception that all have. */
extern "C" void cpp_arrays_of_a_rank(void *n_wrong, int rank)
{
  const tessera::exceptions on;
  array u = tessera::zeros({300, 200});
  u(_, 3) += tessera::arange(300);
  bool was_thrown = false;
  try {
    const array inner = u * 2;
    (void)(inner + tessera::ones(7));
  } catch (const tessera::error &e) {
    was_thrown = e.code() == TSR_ERR_BROADCAST;
  }
  static_cast<int *>(n_wrong)[rank] = !was_thrown || total(u) != 299 * 150.0;
}
