/* The stand-in for NVRTC: `machine code` is a shared object, and `PTX` the CUDA text itself. */
#include "tests/fakes/fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)
#include <nvrtc.h>
#pragma GCC visibility pop

struct _nvrtcProgram {
  char *source, *ptx, *image, *log;
  size_t image_bytes;
};

/* No version of NVRTC is this one, so that neither finds the other's images in a cache. */
nvrtcResult nvrtcVersion(int *major, int *minor)
{
  *major = 99;
  *minor = 0;
  return NVRTC_SUCCESS;
}

static const int architectures[] = {75, 80, 86, 87, 88, 89, 90, 100, 103};
enum { N_ARCHITECTURES = sizeof architectures / sizeof architectures[0] };

nvrtcResult nvrtcGetNumSupportedArchs(int *n)
{
  *n = N_ARCHITECTURES;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int *all)
{
  memcpy(all, architectures, sizeof architectures);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *out, const char *source, const char *name,
                               int n_headers, const char *const *headers,
                               const char *const *include_names)
{
  nvrtcProgram p = calloc(1, sizeof *p);
  p->source = strdup(source);
  *out = p;
  return NVRTC_SUCCESS;
}

/* The architecture that the options name, of which the stand-in knows some. */
static bool knows(const char *option, bool *is_machine)
{
  int number = 0;
  *is_machine = sscanf(option, "--gpu-architecture=sm_%d", &number) == 1;
  if (!*is_machine && sscanf(option, "--gpu-architecture=compute_%d", &number) != 1) return false;
  for (int i = 0; i < N_ARCHITECTURES; i++)
    if (architectures[i] == number) return true;
  return false;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram p, int n_options, const char *const *options)
{
  bool keeps_bits = false, is_known = false, is_machine = false;
  for (int i = 0; i < n_options; i++) {
    if (strcmp(options[i], "--fmad=false") == 0) keeps_bits = true;
    if (strncmp(options[i], "--gpu-architecture", 18) == 0)
      is_known = knows(options[i], &is_machine);
  }
  if (!keeps_bits || !is_known) {
    p->log =
        strdup("the stand-in takes no program without --fmad=false and a known architecture\n");
    return NVRTC_ERROR_INVALID_OPTION;
  }
  const size_t n = strlen(FAKE_PTX) + strlen(p->source) + 1;
  p->ptx = malloc(n);
  snprintf(p->ptx, n, "%s%s", FAKE_PTX, p->source);
  if (!is_machine) return NVRTC_SUCCESS;
  p->image = fake_compile(p->source, &p->image_bytes, &p->log);
  return p->image != NULL ? NVRTC_SUCCESS : NVRTC_ERROR_COMPILATION;
}

static nvrtcResult give(const char *what, size_t bytes, char *to)
{
  if (what == NULL) return NVRTC_ERROR_INVALID_PROGRAM;
  memcpy(to, what, bytes);
  return NVRTC_SUCCESS;
}

static size_t text_bytes(const char *text)
{
  return text != NULL ? strlen(text) + 1 : 1;
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram p, size_t *bytes)
{
  *bytes = text_bytes(p->log);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram p, char *log)
{
  return give(p->log != NULL ? p->log : "", text_bytes(p->log), log);
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram p, size_t *bytes)
{
  *bytes = text_bytes(p->ptx);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetPTX(nvrtcProgram p, char *ptx)
{
  return give(p->ptx, text_bytes(p->ptx), ptx);
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram p, size_t *bytes)
{
  *bytes = p->image_bytes;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram p, char *image)
{
  return give(p->image, p->image_bytes, image);
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *p)
{
  free((*p)->source);
  free((*p)->ptx);
  free((*p)->image);
  free((*p)->log);
  free(*p);
  *p = NULL;
  return NVRTC_SUCCESS;
}
