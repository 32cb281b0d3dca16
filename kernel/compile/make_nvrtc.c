/* Code by NVRTC, within this process: images for devices of one architecture, of which the cache
 * keeps files. Devices load them. An image is machine code where NVRTC knows the architecture, and
 * else PTX, a text that ends in a 0. */
#include "kernel/compile/jit_int.h"
#include "kernel/compile/nvrtc.h"
#include "runtime/base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool find(tsr_jit *jit, tsr_text *identity)
{
  char why[200] = "";
  jit->nvrtc = tsr__nvrtc_open(why, sizeof why);
  if (jit->nvrtc == NULL) {
    tsr__jit_note(jit, "no code for devices: ", why);
    return false;
  }
  if (!tsr__nvrtc_find_target(jit->nvrtc, jit->architecture, jit->nvrtc_target)) {
    snprintf(why, sizeof why, "NVRTC %s makes none for %s", tsr__nvrtc_version(jit->nvrtc),
             jit->architecture);
    tsr__jit_note(jit, "no code for devices: ", why);
    return false;
  }
  snprintf(jit->compiler, sizeof jit->compiler, "NVRTC %s", tsr__nvrtc_version(jit->nvrtc));
  tsr__text_add(identity, "%s %s", jit->compiler, jit->nvrtc_target);
  for (const char *const *o = tsr__nvrtc_options; *o; o++) tsr__text_add(identity, " %s", *o);
  return true;
}

/* Returns the file's bytes, with a 0 behind them. */
static char *read_file(const char *path)
{
  FILE *f = fopen(path, "re");
  struct stat st;
  char *bytes = NULL;
  if (f && fstat(fileno(f), &st) == 0) {
    bytes = tsr__calloc((size_t)st.st_size + 1, 1);
    if (fread(bytes, 1, (size_t)st.st_size, f) != (size_t)st.st_size) {
      free(bytes);
      bytes = NULL;
    }
  }
  if (f) fclose(f);
  return bytes;
}

static bool write_file(const char *dir, const char *name, const char *bytes, size_t n)
{
  char path[TSR_PATH_BYTES + 16];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  FILE *f = fopen(path, "wxe");
  if (!f) return false;
  const bool ok = fwrite(bytes, 1, n, f) == n;
  return fclose(f) == 0 && ok;
}

/* Compiles before it returns. The run's number says what came of it: 0, or -1 for a failure. */
static tsr_compiler start(tsr_jit *jit, const char *dir)
{
  char path[TSR_PATH_BYTES + 8];
  snprintf(path, sizeof path, "%s/k.c", dir);
  char *source = read_file(path);
  tsr_nvrtc_code code = {.image = NULL};
  bool ok = source && tsr__nvrtc_compile(jit->nvrtc, source, jit->nvrtc_target, NULL, &code);
  if (code.log) write_file(dir, "log", code.log, strlen(code.log));
  const bool is_text = ok && code.image == NULL;
  ok = ok && write_file(dir, "k.cubin", is_text ? code.ptx : code.image,
                        is_text ? strlen(code.ptx) + 1 : code.image_bytes);
  tsr__nvrtc_code_free(&code);
  free(source);
  return (tsr_compiler){.pid = ok ? 0 : -1, .lifeline = -1};
}

static tsr_compile_result wait_for(tsr_jit *jit, tsr_compiler run)
{
  if (__atomic_load_n(&jit->stop, __ATOMIC_RELAXED)) return TSR_COMPILE_STOPPED;
  return run.pid == 0 ? TSR_COMPILE_OK : TSR_COMPILE_FAILED;
}

/* NVRTC gives the image whole, and it was written whole. */
static bool is_whole_image(int fd)
{
  return fd >= 0;
}

const tsr_code_maker tsr__maker_nvrtc = {
    .suffix = ".cubin",
    .find = find,
    .start = start,
    .wait = wait_for,
    .is_whole = is_whole_image,
    .load = tsr__image_load,
    .find_code = tsr__image_find,
};
