/* Ours: prices of European calls and puts by Black and Scholes.
 *
 *   black_scholes N STEPS WARMUP float32|float64
 *
 * prints `us=… check=…` (microseconds for all N, mean of calls and puts) */
#include "bench/bench.h"

typedef struct options {
  tsr_array s, k, t, call, put; /* price, strike, years; results */
} options;

static void price(const options *o, double r, double sigma)
{
  TSR_SCOPE();
  const tsr_array s = o->s, k = o->k, t = o->t;
  tsr_array root = tsr_eval("sigma * sqrt(t)", sigma, t);
  tsr_array d1 = tsr_eval("(log(s/k) + (r + 0.5*sigma*sigma)*t) / root", s, k, t, r, sigma, root);
  tsr_array n1 = tsr_eval("0.5 + 0.5*erf(d1 * 0.7071067811865476)", d1);
  tsr_array n2 = tsr_eval("0.5 + 0.5*erf((d1 - root) * 0.7071067811865476)", d1, root);
  tsr_array discounted = tsr_eval("k * exp(-r * t)", k, r, t);
  tsr_exec("call[:] = s*n1 - discounted*n2", o->call, s, n1, n2, discounted);
  tsr_exec("put[:] = discounted*(1 - n2) - s*(1 - n1)", o->put, s, n1, n2, discounted);
}

int main(int argc, char **argv)
{
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int64_t n = peer_argument(argc, argv, 1, 8000000),
                n_steps = peer_argument(argc, argv, 2, 5);
  const int64_t n_warmup = peer_argument(argc, argv, 3, 2);
  const tsr_dtype dtype = peer_word(argc, argv, 4, "float32") ? TSR_FLOAT32 : TSR_FLOAT64;
  tsr_array unit = tsr_divide(tsr_arange(0, n, 1), n);
  options o = {.s = tsr_astype(tsr_add(20, tsr_multiply(60, unit)), dtype),
               .k = tsr_astype(tsr_subtract(70, tsr_multiply(40, unit)), dtype),
               .t = tsr_astype(tsr_add(0.5, unit), dtype),
               .call = tsr_zeros(TSR_SHAPE(n), dtype),
               .put = tsr_zeros(TSR_SHAPE(n), dtype)};
  double start = 0;
  for (int64_t i = 0; i < n_warmup + n_steps; i++) {
    if (i == n_warmup) start = bench_clock();
    price(&o, 0.03, 0.3);
    tsr_flush();
  }
  const double elapsed = bench_clock() - start;
  bench_report(elapsed, n_steps, tsr_item_f64(tsr_mean(o.call)) + tsr_item_f64(tsr_mean(o.put)));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
