/* Runs kernels until all of them are compiled, for suites that compare compiled code. */
#ifndef TESSERA_TESTS_KERNEL_COMPILED_H
#define TESSERA_TESTS_KERNEL_COMPILED_H

#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include "kernel/compile/jit_int.h"
#include "tests/kernel/stage.h"
#include "tests/support/kept.h"

/** Kernels are kept where tests keep them. */
static inline void keep_kernels(tsr_config *config)
{
  snprintf(config->cache, sizeof config->cache, "%s", kept_folder("/dev/null/none"));
  config->cache_bytes = KEPT_BYTES;
}

/** The settings of a jit that compiles every kernel that ran once. */
static inline tsr_config lazy_config(int64_t seed)
{
  tsr_config config;
  char message[256];
  cr_assert_eq(tsr__config_read(&config, message, sizeof message), TSR_OK, "%s", message);
  strcpy(config.jit, "lazy");
  keep_kernels(&config);
  config.jit_limit_s = 600; /* the machine may be busy */
  config.jit_after = 0;
  config.seed = seed;
  return config;
}

/** The settings of a jit that compiles kernels before they run. */
static inline tsr_config eager_config(void)
{
  tsr_config config;
  char message[256];
  cr_assert_eq(tsr__config_read(&config, message, sizeof message), TSR_OK, "%s", message);
  strcpy(config.jit, "eager");
  keep_kernels(&config);
  config.jit_limit_s = 600; /* the machine may be busy */
  return config;
}

/** Runs and checks a kernel; returns whether compiled code ran. */
typedef bool (*run_kernel)(tsr_jit *jit, tsr_kernel *k, stage *s, uint64_t number);

/** Runs every kernel to want it, and again when all are compiled. Returns how many were. A run that
 * finds the lock held does not wait to say what it wants: the next one says it. */
static inline int run_until_compiled(tsr_jit *jit, tsr_kernel **k, stage *s, int n, run_kernel run)
{
  int n_compiled = 0;
  for (int i = 0; i < n; i++) {
    cr_assert_eq(tsr__kernel_prepare(k[i]), TSR_OK);
    run(jit, k[i], &s[i], (uint64_t)i);
  }
  tsr__jit_wait(jit);
  cr_expect_eq(tsr__jit_stats(jit).n_failed, 0u);
  for (int round = 0; round < 5 && n_compiled < n; round++) {
    n_compiled = 0;
    for (int i = 0; i < n; i++) n_compiled += run(jit, k[i], &s[i], (uint64_t)i);
    tsr__jit_wait(jit);
  }
  return n_compiled;
}

#endif
