/* Kinds of code: in which language a kernel is written, and how. One table of kernels, one thread
 * that compiles and one cache serve a kind (jit.h). */
#ifndef TSR_CODE_H
#define TSR_CODE_H

#include "kernel/cpu/render.h"

/** Compiled code of any kind. */
typedef void (*tsr_code)(void);

/** How sources become code (jit_int.h): by the system's compiler, for this process or as images for
 * a device that is one in name only, or by NVRTC. */
typedef struct tsr_code_maker tsr_code_maker;
extern const tsr_code_maker tsr__maker_cc, tsr__maker_cc_image, tsr__maker_nvrtc;

/** What of a kernel depends on its kind. A kernel takes one of several forms, which are bytes
 * that are compared: of `c` the classes of its streams (nest.h), of the others a tsr_cuda_form. */
typedef struct tsr_code_kind {
  const char *name;
  /** Returns whether code of the kind runs on the target. */
  bool (*runs_on)(const tsr_target *target);
  /** Appends what every source begins with. */
  void (*add_prelude)(const tsr_target *target, tsr_text *out);
  /** Appends the functions that are called, before the kernels that call them. */
  void (*add_functions)(const tsr_target *target, const tsr_function_uses *uses, tsr_text *out);
  /** Appends the kernel as the function `name`, and adds to `uses` what it calls. Returns false,
   * with nothing appended or added, if the kernel has no such text. */
  bool (*render)(const tsr_kernel *k, const uint8_t *form, const tsr_target *target,
                 const char *name, tsr_text *out, tsr_function_uses *uses);
  const tsr_code_maker *maker;
  bool is_image; /* its code is a pointer to a tsr_cuda_image, for a device to load */
} tsr_code_kind;

/** C over vectors, of type tsr_row_code. */
extern const tsr_code_kind tsr__code_c;
/** CUDA C that is compiled as C: images that are shared objects, with functions of type
 * tsr_block_code. */
extern const tsr_code_kind tsr__code_cuda_as_c;
/** CUDA C for devices: images that no processor runs. */
extern const tsr_code_kind tsr__code_cuda;

/** What a device loads. Several kernels share one. */
typedef struct tsr_cuda_image {
  size_t bytes;
  char at[]; /* an ELF file, or PTX that ends in a 0 */
} tsr_cuda_image;

#endif
