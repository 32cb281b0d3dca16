/* Compiles CUDA text as C, with the words that make C of it before it. */
#include "tests/fakes/fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char flags[] =
    "-x c -std=gnu11 -w -O1 -fPIC -shared -ffp-contract=off -fno-math-errno "
    "-fno-trapping-math -fwrapv -fno-strict-aliasing -mavx2 -mfma -mf16c";

static char *read_all(const char *path, size_t *bytes)
{
  FILE *f = fopen(path, "re");
  if (f == NULL) return NULL;
  size_t n = 0, capacity = 1 << 16;
  char *all = malloc(capacity + 1);
  for (size_t got; (got = fread(all + n, 1, capacity - n, f)) > 0;) {
    n += got;
    if (n == capacity) all = realloc(all, (capacity *= 2) + 1);
  }
  fclose(f);
  all[n] = '\0';
  *bytes = n;
  return all;
}

static void write_source(FILE *f, const char *source)
{
  fprintf(f,
          "#include \"%s/kernel/ops/words_cuda_as_c.inc\"\n"
          "#undef KERNEL\n"
          "#define KERNEL(name, words) \\\n"
          "  const int name##" FAKE_WORDS " = (words); \\\n"
          "  BLOCK_OF(name)\n"
          "void " FAKE_MARK "(void) {}\n"
          "#line 1 \"kernels.cu\"\n%s",
          TESSERA_SOURCE_DIR, source);
}

char *fake_compile(const char *source, size_t *bytes, char **log)
{
  char dir[] = "/tmp/fake_nvrtc_XXXXXX", path[64], out[64], said[64], command[1024];
  char *image = NULL;
  size_t n_log = 0;
  *log = NULL;
  if (mkdtemp(dir) == NULL) return NULL;
  snprintf(path, sizeof path, "%s/k.cu", dir);
  snprintf(out, sizeof out, "%s/k.so", dir);
  snprintf(said, sizeof said, "%s/log", dir);
  FILE *f = fopen(path, "we");
  if (f != NULL) {
    write_source(f, source);
    fclose(f);
    snprintf(command, sizeof command, "LD_LIBRARY_PATH= cc %s -o %s %s >%s 2>&1", flags, out, path,
             said);
    const bool ok = system(command) == 0;
    *log = read_all(said, &n_log);
    if (ok) image = read_all(out, bytes);
  }
  unlink(path);
  unlink(out);
  unlink(said);
  rmdir(dir);
  return image;
}
