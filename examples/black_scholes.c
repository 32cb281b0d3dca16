/* Prices of European options by Black and Scholes, over strikes (down) and years to go (across):
 * one kernel, one pass over memory. Source: Black & Scholes, The pricing of options and corporate
 * liabilities, J. Polit. Econ. 81 (1973). */
#include "tessera.h"

/* Calls; s, k, t: price, strike, years; r: interest, sigma: volatility, a year. */
static tsr_array calls(double s, tsr_array k, tsr_array t, double r, double sigma)
{
  TSR_SCOPE();
  tsr_array root = tsr_eval("sigma * sqrt(t)", sigma, t);
  tsr_array d1 = tsr_eval("(log(s/k) + (r + 0.5*sigma*sigma)*t) / root", s, k, t, r, sigma, root);
  tsr_array n1 = tsr_eval("0.5 + 0.5*erf(d1 * 0.7071067811865476)", d1);
  tsr_array n2 = tsr_eval("0.5 + 0.5*erf((d1 - root) * 0.7071067811865476)", d1, root);
  return tsr_keep(tsr_eval("s*n1 - k*exp(-r*t)*n2", s, k, t, r, n1, n2));
}

int main(int argc, char **argv)
{
  int64_t n = 1000;
  double s = 100, r = 0.03, sigma = 0.3;
  const char *png = NULL, *npy = NULL;
  const tsr_option options[] = {
      {"-n", "strikes, and as many terms", .integer = &n, .least = 1, .most = 1e5},
      {"--price", "of the share now", .number = &s, .least = 1, .most = 1e6},
      {"--interest", "a year, without risk", .number = &r, .least = 0, .most = 1},
      {"--volatility", "of the share, a year", .number = &sigma, .least = 0.01, .most = 10},
      {"--png", "write the calls' prices as a picture", .text = &png},
      {"--npy", "write the calls' prices as numpy.save does", .text = &npy},
      {0},
  };
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int status = tsr_options(argc, argv, "European options by Black and Scholes.", options);
  if (status >= 0) return tsr_finalize() == TSR_OK ? status : 1;

  tsr_array unit = tsr_divide(tsr_add(tsr_arange(0, n, 1), 0.5), n);
  tsr_array k = tsr_expand_dims(tsr_multiply(s, tsr_add(0.5, unit)), 1);
  tsr_array t = tsr_multiply(2, unit);
  tsr_barrier();
  const double start = tsr_time();
  tsr_array call = calls(s, k, t, r, sigma);
  tsr_array put = tsr_eval("call - s + k*exp(-r*t)", call, s, k, t, r); /* by parity */
  const double mean_call = tsr_item_f64(tsr_mean(call)), mean_put = tsr_item_f64(tsr_mean(put));
  const double elapsed = tsr_time() - start;

  tsr_printf("mean call %.6f, mean put %.6f\n", mean_call, mean_put);
  if (png) tsr_save_png(call, png);
  if (npy) tsr_save_npy(call, npy);
  tsr_printf("result elapsed_ms=%.3f mpoints_per_s=%.3f check=%.17g\n", 1e3 * elapsed,
             1e-6 * (double)n * (double)n / elapsed, mean_call + mean_put);
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
