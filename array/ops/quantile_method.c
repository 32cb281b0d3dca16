#include "array/ops/quantile_method.h"

#include <math.h>
#include <string.h>

const char tsr__quantile_methods[] =
    "linear, interpolated_inverted_cdf, hazen, weibull, median_unbiased, normal_unbiased, "
    "inverted_cdf, averaged_inverted_cdf, closest_observation, lower, higher, midpoint and nearest";

/* The methods that interpolate: the position, counted from 1, is n q + alpha + q (1 - alpha -
 * beta). */
static const struct {
  const char *name;
  double alpha, beta;
} continuous[] = {
    {"interpolated_inverted_cdf", 0, 1},
    {"hazen", 0.5, 0.5},
    {"weibull", 0, 0},
    {"median_unbiased", 1.0 / 3, 1.0 / 3},
    {"normal_unbiased", 3.0 / 8, 3.0 / 8},
};

/* The methods that choose among two elements or take their middle. Each position is counted from 0.
 * Returns false if there is no such method. */
static bool find_among_two(const char *method, double q, double n, double *k, double *beyond)
{
  double at = (n - 1) * q;
  const bool is_average = strcmp(method, "averaged_inverted_cdf") == 0;
  if (is_average || strcmp(method, "inverted_cdf") == 0) {
    at = n * q - 1;
    *k = floor(at);
    *beyond = at > *k ? 1 : is_average ? 0.5 : 0;
  } else if (strcmp(method, "closest_observation") == 0) {
    at = n * q - 1 - 0.5;
    *k = floor(at);
    *beyond = at == *k && fmod(fabs(*k), 2) == 1 ? 0 : 1;
  } else if (strcmp(method, "nearest") == 0) { /* of two as near the even one */
    *k = nearbyint(at);
    *beyond = 0;
  } else {
    *k = floor(at);
    const double part = strcmp(method, "higher") == 0     ? 1
                        : strcmp(method, "midpoint") == 0 ? 0.5
                        : strcmp(method, "lower") == 0    ? 0
                                                          : -1;
    if (part < 0) return false;
    *beyond = at > *k ? part : 0;
  }
  return true;
}

bool tsr__quantile_position(const char *method, double q, int64_t n, tsr_quantile_position *out)
{
  double k, beyond;
  bool found = strcmp(method, "linear") == 0;
  double at = ((double)n - 1) * q;
  for (size_t i = 0; i < sizeof continuous / sizeof continuous[0] && !found; i++) {
    const double alpha = continuous[i].alpha, beta = continuous[i].beta;
    found = strcmp(method, continuous[i].name) == 0;
    at = (double)n * q + (alpha + q * (1 - alpha - beta)) - 1;
  }
  k = floor(at);
  beyond = at - k;
  if (!found && !find_among_two(method, q, (double)n, &k, &beyond)) return false;
  if (k < 0)
    *out = (tsr_quantile_position){0, 0};
  else if (k >= (double)n - 1)
    *out = (tsr_quantile_position){n - 1, 0};
  else
    *out = (tsr_quantile_position){(int64_t)k, beyond};
  return true;
}

bool tsr__quantile_is_element(const char *method)
{
  return strcmp(method, "lower") == 0 || strcmp(method, "higher") == 0 ||
         strcmp(method, "nearest") == 0 || strcmp(method, "inverted_cdf") == 0 ||
         strcmp(method, "closest_observation") == 0;
}
