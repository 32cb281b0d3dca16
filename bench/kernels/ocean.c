/* Sea water and climates: a long polynomial, and means of what was measured. */
#include "bench/kernels/kernels.h"

/* The density of sea water of salinity s, temperature t and pressure p, all scaled to 0 to 1: a
 * polynomial of some 500 operations. */
static const char density[] =
    "0.181 + t*(0.303 + t*(0.424 + t*(0.546 + t*(0.667 + t*(0.788 + t*0.910)))))"
    " + s*(-0.798 + t*(-0.920 + t*(0.141 + t*(0.262 + t*(0.384 + t*(0.505 + t*0.626)))))"
    " + s*(-0.515 + t*(-0.637 + t*(-0.758 + t*(-0.879 + t*(0.101 + t*(0.222 + t*0.343)))))"
    " + s*(-0.232 + t*(-0.353 + t*(-0.475 + t*(-0.596 + t*(-0.717 + t*(-0.839 + t*0.060)))))"
    " + s*(0.849 + t*(-0.070 + t*(-0.192 + t*(-0.313 + t*(-0.434 + t*(-0.556 - t*0.677)))))"
    " + s*(0.566 + t*(0.687 + t*(0.808 + t*(0.930 + t*(-0.151 + t*(-0.272 - t*0.394))))))))))"
    " + p*(-0.556 + t*(-0.677 + t*(-0.798 + t*(-0.920 + t*(0.141 + t*(0.262 + t*0.384)))))"
    " + s*(0.343 + t*(0.465 + t*(0.586 + t*(0.707 + t*(0.829 + t*(-0.050 - t*0.171)))))"
    " + s*(-0.131 + t*(-0.252 + t*(-0.374 + t*(-0.495 + t*(-0.616 + t*(-0.738 - t*0.859)))))"
    " + s*(-0.819 + t*(-0.940 + t*(0.161 + t*(0.283 + t*(0.404 + t*(0.525 + t*0.647)))))"
    " + s*(0.606 + t*(0.728 + t*(0.849 + t*(-0.070 + t*(-0.192 + t*(-0.313 - t*0.434)))))"
    " + s*(-0.394 + t*(-0.515 + t*(-0.637 + t*(-0.758 + t*(-0.879 + t*(0.101 + t*0.222))))))))))"
    " + p*(0.930 + t*(-0.151 + t*(-0.272 + t*(-0.394 + t*(-0.515 + t*(-0.637 - t*0.758)))))"
    " + s*(0.788 + t*(0.910 + t*(-0.131 + t*(-0.252 + t*(-0.374 + t*(-0.495 - t*0.616)))))"
    " + s*(0.647 + t*(0.768 + t*(0.889 + t*(-0.111 + t*(-0.232 + t*(-0.353 - t*0.475)))))"
    " + s*(0.505 + t*(0.626 + t*(0.748 + t*(0.869 + t*(-0.090 + t*(-0.212 - t*0.333)))))"
    " + s*(0.363 + t*(0.485 + t*(0.606 + t*(0.728 + t*(0.849 + t*(-0.070 - t*0.192)))))"
    " + s*(0.222 + t*(0.343 + t*(0.465 + t*(0.586 + t*(0.707 + t*(0.829 - t*0.050))))))))))"
    " + p*(0.404 + t*(0.525 + t*(0.647 + t*(0.768 + t*(0.889 + t*(-0.111 - t*0.232)))))"
    " + s*(-0.333 + t*(-0.454 + t*(-0.576 + t*(-0.697 + t*(-0.819 + t*(-0.940 + t*0.161)))))"
    " + s*(0.262 + t*(0.384 + t*(0.505 + t*(0.626 + t*(0.748 + t*(0.869 - t*0.090)))))"
    " + s*(-0.192 + t*(-0.313 + t*(-0.434 + t*(-0.556 + t*(-0.677 + t*(-0.798 - t*0.920)))))"
    " + s*(0.121 + t*(0.242 + t*(0.363 + t*(0.485 + t*(0.606 + t*(0.728 + t*0.849)))))"
    " + s*(-0.050 + t*(-0.171 + t*(-0.293 + t*(-0.414 + t*(-0.535 + t*(-0.657 - t*0.778))))))))))"
    " + p*(-0.778 + t*(-0.899 + t*(0.121 + t*(0.242 + t*(0.363 + t*(0.485 + t*0.606)))))"
    " + s*(-0.778 + t*(-0.899 + t*(0.121 + t*(0.242 + t*(0.363 + t*(0.485 + t*0.606)))))"
    " + s*(-0.778 + t*(-0.899 + t*(0.121 + t*(0.242 + t*(0.363 + t*(0.485 + t*0.606)))))"
    " + s*(-0.778 + t*(-0.899 + t*(0.121 + t*(0.242 + t*(0.363 + t*(0.485 + t*0.606)))))"
    " + s*(-0.778 + t*(-0.899 + t*(0.121 + t*(0.242 + t*(0.363 + t*(0.485 + t*0.606)))))"
    " + s*(-0.778 + t*(-0.899 + t*(0.121 + t*(0.242 + t*(0.363 + t*(0.485 + t*0.606))))))))))"
    " + p*(-0.252 + t*(-0.374 + t*(-0.495 + t*(-0.616 + t*(-0.738 + t*(-0.859 + t*0.080)))))"
    " + s*(0.323 + t*(0.444 + t*(0.566 + t*(0.687 + t*(0.808 + t*(0.930 - t*0.151)))))"
    " + s*(-0.394 + t*(-0.515 + t*(-0.637 + t*(-0.758 + t*(-0.879 + t*(0.101 + t*0.222)))))"
    " + s*(0.465 + t*(0.586 + t*(0.707 + t*(0.829 + t*(-0.050 + t*(-0.171 - t*0.293)))))"
    " + s*(-0.535 + t*(-0.657 + t*(-0.778 + t*(-0.899 + t*(0.121 + t*(0.242 + t*0.363)))))"
    " + s*(0.606 + t*(0.728 + t*(0.849 + t*(-0.070 + t*(-0.192 + t*(-0.313 - "
    "t*0.434)))))))))))))))";

static void equation_of_state_start(tsr_array *x, int64_t n)
{
  for (int i = 0; i < 3; i++) x[i] = kernel_pattern(TSR_SHAPE(n), i);
  x[3] = tsr_zeros(TSR_SHAPE(n));
}

static void equation_of_state(const tsr_array *x, int64_t n, int64_t step)
{
  (void)n, (void)step;
  const tsr_array s = x[0], t = x[1], p = x[2];
  tsr_assign(x[3], tsr_eval(density, s, t, p));
}

/* Temperatures of years, months and places, -999 where nothing was measured; mean, anomaly and the
 * anomaly's deviation by month. */
static void climatology_start(tsr_array *x, int64_t n)
{
  tsr_array noise = kernel_pattern(TSR_SHAPE(10, 12, n, n), 0);
  x[0] = tsr_eval("where(noise < 0.1, -999.0, 30*noise - 5)", noise);
  x[1] = tsr_zeros(TSR_SHAPE(12, n, n));
  x[2] = tsr_zeros(TSR_SHAPE(10, 12, n, n));
  x[3] = tsr_zeros(TSR_SHAPE(12));
}

static void climatology(const tsr_array *x, int64_t n, int64_t step)
{
  (void)n, (void)step;
  TSR_SCOPE();
  const tsr_array temperature = x[0], mean = x[1], anomaly = x[2], deviation = x[3];
  tsr_array valid = tsr_eval("temperature > -900", temperature);
  tsr_exec("mean[:] = sum(where(valid, temperature, 0), axis=0)"
           "          / maximum(sum(valid, axis=0), 1)",
           mean, valid, temperature);
  tsr_exec("anomaly[:] = where(valid, temperature - mean, 0)", anomaly, valid, temperature, mean);
  tsr_exec("deviation[:] = sqrt(sum(anomaly**2, axis=(0, 2, 3)) / sum(valid, axis=(0, 2, 3)))",
           deviation, anomaly, valid);
}

const kernel kernels_of_ocean[] = {
    {"equation_of_state", equation_of_state_start, equation_of_state},
    {"climatology", climatology_start, climatology},
    {0}};
