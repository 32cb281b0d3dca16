/* Prices of European options by Black and Scholes, over strikes (down) and years to go (across):
 * one kernel, one pass over memory. Source: Black & Scholes, The pricing of options and corporate
 * liabilities, J. Polit. Econ. 81 (1973). */
#include "common.h"

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
  example_output out = {.png = NULL};
  const example_option options[] = {
      {"-n", 'i', &n, 1, 1e5, "strikes, and as many terms"},
      {"--price", 'd', &s, 1, 1e6, "of the share now"},
      {"--interest", 'd', &r, 0, 1, "a year, without risk"},
      {"--volatility", 'd', &sigma, 0.01, 10, "of the share, a year"},
      EXAMPLE_OUTPUT(&out, "the calls' prices"),
  };
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int status = example_options(argc, argv, "European options by Black and Scholes.", options,
                                     EXAMPLE_COUNT(options));
  if (status >= 0) {
    tsr_finalize();
    return status;
  }

  tsr_array unit = tsr_divide(tsr_add(tsr_arange(0, n, 1), 0.5), n);
  tsr_array k = tsr_expand_dims(tsr_multiply(s, tsr_add(0.5, unit)), 1);
  tsr_array t = tsr_multiply(2, unit);
  tsr_barrier();
  const double start = example_seconds();
  tsr_array call = calls(s, k, t, r, sigma);
  tsr_array put = tsr_eval("call - s + k*exp(-r*t)", call, s, k, t, r); /* by parity */
  const double mean_call = tsr_item_f64(tsr_mean(call)), mean_put = tsr_item_f64(tsr_mean(put));
  const double elapsed = example_seconds() - start;

  tsr_printf("mean call %.6f, mean put %.6f\n", mean_call, mean_put);
  example_write(&out, call);
  example_result(elapsed, (double)n * (double)n, mean_call + mean_put);
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
