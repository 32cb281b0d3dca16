/* The text of functions is CUDA C, too: NVRTC, opened at run time, makes code of every function for
 * two generations of devices. Needs no device; skipped where there is no NVRTC. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "kernel/ops/functions.h"
#include "runtime/base/text.h"

typedef struct nvrtc {
  void *library;
  int (*create)(void **program, const char *source, const char *name, int n_headers,
                const char *const *headers, const char *const *include_names);
  int (*compile)(void *program, int n_options, const char *const *options);
  int (*log_bytes)(void *program, size_t *bytes);
  int (*log)(void *program, char *log);
  int (*code_bytes)(void *program, size_t *bytes);
  int (*code)(void *program, char *code);
  int (*destroy)(void **program);
} nvrtc;

static bool find(const nvrtc *n, const char *name, void *function)
{
  void *symbol = dlsym(n->library, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

static bool open_nvrtc(nvrtc *n)
{
  static const char *const names[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
                                      "/usr/local/cuda/lib64/libnvrtc.so",
                                      "/usr/local/cuda/lib/libnvrtc.so"};
  n->library = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names && !n->library; i++)
    n->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE); /* leaks name it */
  return n->library && find(n, "nvrtcCreateProgram", &n->create) &&
         find(n, "nvrtcCompileProgram", &n->compile) &&
         find(n, "nvrtcGetProgramLogSize", &n->log_bytes) &&
         find(n, "nvrtcGetProgramLog", &n->log) && find(n, "nvrtcGetPTXSize", &n->code_bytes) &&
         find(n, "nvrtcGetPTX", &n->code) && find(n, "nvrtcDestroyProgram", &n->destroy);
}

/* All functions, none of them inlined or left out for not being called. */
static void add_source(tsr_text *out)
{
  tsr__text_add(out, "%s", tsr__words_cuda);
  tsr__text_add(out, "#undef TSR_MATH\n#define TSR_MATH __device__ __noinline__\n"
                     "#undef TSR_RARE\n#define TSR_RARE TSR_MATH\nextern \"C\" {\n");
  for (int i = 0; i < tsr__n_functions; i++)
    for (const char *c = tsr__functions[i].text; *c; c++)
      if (*c != '$') tsr__text_add(out, "%c", *c);
  tsr__text_add(out, "}\n");
}

/* The code, as PTX. malloc'd. */
static char *compile(const nvrtc *n, const char *source, const char *architecture)
{
  const char *const options[] = {architecture, "-fmad=false", "-rdc=true", "--std=c++17"};
  void *program = NULL;
  size_t bytes = 0;
  cr_assert_eq(n->create(&program, source, "functions.cu", 0, NULL, NULL), 0);
  const int result = n->compile(program, 4, options);
  n->log_bytes(program, &bytes);
  char *log = calloc(1, bytes + 1);
  n->log(program, log);
  cr_assert_eq(result, 0, "%s: %s", architecture, log);
  free(log);
  cr_assert_eq(n->code_bytes(program, &bytes), 0);
  char *code = calloc(1, bytes + 1);
  cr_assert_eq(n->code(program, code), 0);
  n->destroy(&program);
  return code;
}

Test(nvrtc, compiles_every_function, .timeout = 300)
{
  static const char *const architectures[] = {"--gpu-architecture=compute_80",
                                              "--gpu-architecture=compute_90"};
  nvrtc n;
  if (!open_nvrtc(&n)) cr_skip_test("libnvrtc is not on this machine");
  tsr_text source = {0};
  add_source(&source);
  for (int a = 0; a < 2; a++) {
    char *code = compile(&n, source.s, architectures[a]);
    int n_functions = 0;
    for (int i = 0; i < tsr__n_functions; i++) {
      const tsr_function *f = &tsr__functions[i];
      if (!strncmp(f->text, "typedef", 7)) continue;
      char call[96];
      snprintf(call, sizeof call, " %s(\n", f->name);
      cr_expect_not_null(strstr(code, call), "%s: no code of %s", architectures[a], f->name);
      n_functions++;
    }
    cr_expect_gt(n_functions, 250);
    free(code);
  }
  tsr__text_free(&source);
  dlclose(n.library);
}
