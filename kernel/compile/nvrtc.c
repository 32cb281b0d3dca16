/* Opens NVRTC by dlopen and calls the few functions of it that are needed. Their types are those of
 * nvrtc.h, in which results are ints of which 0 is success and a program is a pointer. */
#include "kernel/compile/nvrtc.h"
#include "runtime/base/alloc.h"
#include "runtime/base/error.h"
#include "runtime/base/library.h"
#include "runtime/device/nvrtc_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *program;

struct tsr_nvrtc {
  void *library;
  char version[24];
  bool has_minimal; /* it can leave out what kernels do not use, which a short text gains by */
  int (*get_version)(int *major, int *minor);
  int (*create)(program *p, const char *source, const char *name, int n_headers,
                const char *const *headers, const char *const *include_names);
  int (*compile)(program p, int n_options, const char *const *options);
  int (*log_bytes)(program p, size_t *bytes);
  int (*log)(program p, char *log);
  int (*ptx_bytes)(program p, size_t *bytes);
  int (*ptx)(program p, char *ptx);
  int (*image_bytes)(program p, size_t *bytes);
  int (*image)(program p, char *image);
  int (*destroy)(program *p);
  int (*n_architectures)(int *n);
  int (*architectures)(int *all);
};

/* Products and sums are not contracted, divisions and roots are rounded once, and denormals are
 * numbers like others. */
const char *const tsr__nvrtc_options[] = {"--fmad=false",     "--ftz=false", "--prec-div=true",
                                          "--prec-sqrt=true", "--std=c++17", NULL};

enum { MOST_OPTIONS = 16 };

static bool find_all(tsr_nvrtc *n)
{
  void *library = n->library;
  return tsr__library_find(library, "nvrtcVersion", &n->get_version) &&
         tsr__library_find(library, "nvrtcCreateProgram", &n->create) &&
         tsr__library_find(library, "nvrtcCompileProgram", &n->compile) &&
         tsr__library_find(library, "nvrtcGetProgramLogSize", &n->log_bytes) &&
         tsr__library_find(library, "nvrtcGetProgramLog", &n->log) &&
         tsr__library_find(library, "nvrtcGetPTXSize", &n->ptx_bytes) &&
         tsr__library_find(library, "nvrtcGetPTX", &n->ptx) &&
         tsr__library_find(library, "nvrtcGetCUBINSize", &n->image_bytes) &&
         tsr__library_find(library, "nvrtcGetCUBIN", &n->image) &&
         tsr__library_find(library, "nvrtcDestroyProgram", &n->destroy) &&
         tsr__library_find(library, "nvrtcGetNumSupportedArchs", &n->n_architectures) &&
         tsr__library_find(library, "nvrtcGetSupportedArchs", &n->architectures);
}

tsr_nvrtc *tsr__nvrtc_open(char *why, size_t size)
{
  tsr_nvrtc *n = tsr__calloc(1, sizeof *n);
  n->library = tsr__nvrtc_library_open(why, size);
  if (n->library == NULL) {
    free(n);
    return NULL;
  }
  if (!find_all(n)) {
    snprintf(why, size, "libnvrtc.so is too old: it lacks a function");
  } else {
    int major = 0, minor = 0;
    n->get_version(&major, &minor);
    snprintf(n->version, sizeof n->version, "%d.%d", major, minor);
    n->has_minimal = major > 12 || (major == 12 && minor >= 4);
    return n;
  }
  tsr__nvrtc_close(n);
  return NULL;
}

void tsr__nvrtc_close(tsr_nvrtc *n)
{
  if (n == NULL) return;
  if (n->library != NULL) dlclose(n->library);
  free(n);
}

const char *tsr__nvrtc_version(const tsr_nvrtc *n)
{
  return n->version;
}

bool tsr__nvrtc_find_target(const tsr_nvrtc *n, const char *architecture,
                            char target[TSR_NVRTC_TARGET_BYTES])
{
  int wanted = 0, n_known = 0, best = 0;
  if (sscanf(architecture, "sm_%d", &wanted) != 1 || n->n_architectures(&n_known) != 0)
    return false;
  int *known = tsr__calloc((size_t)n_known + 1, sizeof *known);
  if (n->architectures(known) == 0)
    for (int i = 0; i < n_known; i++)
      if (known[i] <= wanted && known[i] > best) best = known[i];
  free(known);
  snprintf(target, TSR_NVRTC_TARGET_BYTES, "%s_%d", best == wanted ? "sm" : "compute", best);
  return best > 0;
}

/* Returns what the two functions give, with a 0 behind it, or NULL. */
static char *get_result(program p, int (*get_bytes)(program, size_t *),
                        int (*get_all)(program, char *), size_t *bytes)
{
  if (get_bytes(p, bytes) != 0) return NULL;
  char *all = tsr__calloc(*bytes + 1, 1);
  if (get_all(p, all) == 0) return all;
  free(all);
  return NULL;
}

bool tsr__nvrtc_compile(const tsr_nvrtc *n, const char *source, const char *architecture,
                        const char *const *more, tsr_nvrtc_code *out)
{
  *out = (tsr_nvrtc_code){.image = NULL};
  char gpu[64];
  const char *options[MOST_OPTIONS] = {gpu};
  int n_options = 1;
  snprintf(gpu, sizeof gpu, "--gpu-architecture=%s", architecture);
  for (const char *const *o = tsr__nvrtc_options; *o; o++) options[n_options++] = *o;
  if (n->has_minimal) options[n_options++] = "--minimal";
  for (; more && *more; more++) options[n_options++] = *more;
  TSR_ASSERT(n_options <= MOST_OPTIONS);
  program p = NULL;
  if (n->create(&p, source, "kernels.cu", 0, NULL, NULL) != 0) return false;
  bool ok = n->compile(p, n_options, options) == 0;
  size_t bytes = 0;
  out->log = get_result(p, n->log_bytes, n->log, &bytes);
  if (ok) {
    out->ptx = get_result(p, n->ptx_bytes, n->ptx, &bytes);
    if (!strncmp(architecture, "sm_", 3))
      out->image = get_result(p, n->image_bytes, n->image, &out->image_bytes);
    ok = out->ptx != NULL && (out->image != NULL) == !strncmp(architecture, "sm_", 3);
  }
  n->destroy(&p);
  return ok;
}

void tsr__nvrtc_code_free(tsr_nvrtc_code *code)
{
  free(code->image);
  free(code->ptx);
  free(code->log);
  *code = (tsr_nvrtc_code){.image = NULL};
}
