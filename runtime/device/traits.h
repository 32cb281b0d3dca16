/* Kernel traits: the words in which a device is asked whether it runs a kernel. */
#ifndef TSR_TRAITS_H
#define TSR_TRAITS_H

#include "tessera/base.h"

enum {
  TSR_TRAIT_RANDOM = 1, /* draws random numbers */
  TSR_TRAIT_TASK = 2,   /* is a C function of the library's over boxes: products of matrices, … */
  TSR_TRAIT_USER = 4,   /* is a C function of the user's over boxes */
  TSR_TRAIT_NO_TEXT = 8, /* has no text that becomes machine code of devices */
  TSR_TRAIT_CODE = 16,   /* is a C function, but has such a text, too */
  /* what only devices have that run C */
  TSR_TRAITS_OF_C = TSR_TRAIT_TASK | TSR_TRAIT_USER | TSR_TRAIT_NO_TEXT
};

typedef struct tsr_kernel_traits {
  uint32_t dtypes;   /* bit d: reads, writes or computes in tsr_dtype d */
  uint32_t features; /* TSR_TRAIT_* */
} tsr_kernel_traits;

/** Read traits, "task,float16": any of random, task, user, float16, complex. Returns false if the
 * text is wrong: *at is the first wrong byte, and *why (static) goes on after "byte 2 ". */
bool tsr__traits_read(const char *text, tsr_kernel_traits *traits, size_t *at, const char **why);

#endif
