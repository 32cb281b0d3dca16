/* Stand-ins for NVIDIA's driver, its compiler NVRTC and its library NCCL, for tests without a
 * device. The driver's streams are threads that run late and out of step; its memory cannot be
 * touched by the host; an image is a shared object that the system's compiler made of the CUDA
 * text.
 *
 *   FAKE_CUDA_DEVICES=n         how many devices there are (1)
 *   FAKE_CUDA_MEMORY=bytes      of each (1 GB)
 *   FAKE_CUDA_CAPABILITY=XY     of each (90)
 *   FAKE_CUDA_OTHERS=XY         of each but the first (as the first)
 *   FAKE_CUDA_FAIL=entry:n      the n-th call of an entry fails; `kernel:n`, the n-th kernel, and
 *                               nothing works after it
 *   FAKE_CUDA_FAIL=entry:n:memory  the same, for want of memory
 *   FAKE_CUDA_PINNED=bytes      of the host's memory that can be pinned at once (any)
 *   FAKE_CUDA_REFUSE_ROWS=1     cuMemcpy2DAsync takes nothing
 *   FAKE_CUDA_REFUSE_FORKED=1   cuInit fails, as NVIDIA's driver does, in a process that was
 *                               forked from one that has called it
 *   FAKE_CUDA_REFUSE_VALUES=1   streams cannot wait for values
 *   FAKE_NCCL_SECONDS=n         how long an operation of NCCL waits for its partner, and a stream
 *                               for a value (60)
 * They are read by cuInit; entries of NCCL are named as those of the driver are. What was not given
 * back is told when the process ends, which then fails; fake_cuda_leaks, which the stand-in
 * exports, returns how many there are, and fake_cuda_pinned_bytes how many bytes are pinned now;
 * fake_cuda_n_pageable counts the copies from and to pageable memory, and fake_cuda_n_calls the
 * calls of all entries whose names begin so. */
#ifndef TSR_TESTS_FAKE_H
#define TSR_TESTS_FAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Compiles CUDA text of Tessera's as C, as an image. Returns it, or NULL; `log` gets what the
 * compiler said. The caller frees both. */
char *fake_compile(const char *source, size_t *bytes, char **log);
/** What PTX of the stand-in begins with; the CUDA text follows. */
#define FAKE_PTX "//FAKE PTX\n"
/** In every image. */
#define FAKE_MARK "fake_image"
/** Of each kernel: how many words its argument block has. */
#define FAKE_WORDS "_n_words"

#endif
