/* The CUDA renderer: writes a kernel in a form as CUDA C. Its text is C, too, behind other
 * words. */
#ifndef TSR_RENDER_CUDA_H
#define TSR_RENDER_CUDA_H

#include "kernel/cpu/render.h"
#include "kernel/cuda/launch.h"

/** Appends one kernel `name` and adds to `uses` what it calls. Returns false, with nothing appended
 * or added, if the kernel has no such text (it loads a buffer after a store to it). */
bool tsr__render_cuda(const tsr_kernel *k, const tsr_cuda_form *form, const char *name,
                      tsr_text *out, tsr_function_uses *uses);

#endif
