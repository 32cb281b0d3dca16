#include "tests/kernel/place.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <criterion/criterion.h>

capture capture_stderr(void)
{
  capture c = {.file = tmpfile()};
  cr_assert_not_null(c.file);
  fflush(stderr);
  c.saved = dup(STDERR_FILENO);
  dup2(fileno(c.file), STDERR_FILENO);
  return c;
}

char *capture_end(capture *c)
{
  fflush(stderr);
  dup2(c->saved, STDERR_FILENO);
  close(c->saved);
  char *text = calloc(4096, 1);
  rewind(c->file);
  const size_t n = fread(text, 1, 4095, c->file);
  text[n] = 0;
  fclose(c->file);
  return text;
}

place place_made(const char *mode)
{
  place p = {.dir = "/tmp/tsr-jit-XXXXXX"};
  char message[256];
  cr_assert_eq(tsr__config_read(&p.config, message, sizeof message), TSR_OK, "%s", message);
  cr_assert_not_null(mkdtemp(p.dir));
  snprintf(p.config.jit, sizeof p.config.jit, "%s", mode);
  snprintf(p.config.cache, sizeof p.config.cache, "%s", p.dir);
  p.config.jit_after = 0;
  return p;
}

void place_remove(place *p)
{
  tsr__work_remove(p->dir);
}

/* out = in + s + s + … (n times): a kernel of its own for each n. */
tsr_kernel *place_kernel(int n)
{
  tsr_kernel_builder *b = tsr__kernel_builder_create(1);
  int v = tsr__kernel_load(b, tsr__kernel_access_add(b, TSR_FLOAT64, false, 0, 0));
  const int out = tsr__kernel_access_add(b, TSR_FLOAT64, true, 1, 0);
  const int s = tsr__kernel_scalar(b, tsr__kernel_scalar_add(b, TSR_FLOAT64));
  for (int i = 0; i < n; i++)
    v = tsr__kernel_op(b, TSR_OP_ADD, TSR_FLOAT64, TSR_FLOAT64, 2, (int[]){v, s});
  tsr__kernel_store(b, out, v);
  tsr_kernel *k = tsr__kernel_finish(b);
  tsr__kernel_prepare(k);
  return k;
}

/* Runs place_kernel(n); whether compiled code ran. *right becomes false on a wrong result. */
bool place_run(tsr_jit *jit, int n, bool *right)
{
  double in[N_POINTS], out[N_POINTS];
  for (int i = 0; i < N_POINTS; i++) in[i] = i, out[i] = -1;
  tsr_kernel *k = place_kernel(n);
  const int64_t stride[2][TSR_MAX_NDIM] = {{8}, {8}};
  const tsr_scalar s = {.dtype = TSR_FLOAT64, .u.f = 0.5};
  const tsr_kernel_bind bind = {
      .n = {N_POINTS}, .base = (void *const[]){in, out}, .stride_bytes = stride, .scalars = &s};
  void *scratch = aligned_alloc(64, (tsr__kernel_scratch_bytes(k) + 64) / 64 * 64);
  const bool compiled = tsr__jit_run(jit, k, &bind, scratch, NULL);
  for (int i = 0; i < N_POINTS; i++)
    if (out[i] != i + 0.5 * n) *right = false;
  free(scratch);
  tsr__kernel_destroy(k);
  return compiled;
}

bool place_runs_compiled(tsr_jit *jit, int n)
{
  bool right = true;
  const bool compiled = place_run(jit, n, &right);
  cr_expect(right);
  return compiled;
}

/* One kernel in a process's life; what happened. */
tsr_jit_stats place_life(const place *p, bool expect_compiled)
{
  tsr_jit *jit = tsr__jit_create(&p->config);
  cr_expect_eq(place_runs_compiled(jit, 3), expect_compiled);
  const tsr_jit_stats stats = tsr__jit_stats(jit);
  tsr__jit_destroy(jit);
  return stats;
}

/* Path of the one entry in the cache. */
void place_find_entry(const place *p, char *path, size_t size)
{
  DIR *d = opendir(p->dir);
  int n = 0;
  for (struct dirent *e; (e = readdir(d));) {
    if (!strstr(e->d_name, ".so")) continue;
    snprintf(path, size, "%s/%.80s", p->dir, e->d_name);
    n++;
  }
  closedir(d);
  cr_assert_eq(n, 1);
}

int64_t place_bytes(const place *p)
{
  int64_t bytes = 0;
  DIR *d = opendir(p->dir);
  for (struct dirent *e; (e = readdir(d));) {
    struct stat st;
    if (strstr(e->d_name, ".so") && fstatat(dirfd(d), e->d_name, &st, 0) == 0) bytes += st.st_size;
  }
  closedir(d);
  return bytes;
}

/* An executable script as the compiler. */
void place_compiler(place *p, const char *text)
{
  snprintf(p->config.compiler, sizeof p->config.compiler, "%s/cc", p->dir);
  FILE *f = fopen(p->config.compiler, "w");
  cr_assert_not_null(f);
  fprintf(f, "#!/bin/sh\n%s\n", text);
  fclose(f);
  cr_assert_eq(chmod(p->config.compiler, 0700), 0);
}
