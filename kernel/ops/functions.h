/* The text of the functions of kernel/ops/ as data: what renderers put into the source of kernels.
 * Made at build time from the headers ops_*.h and what is made of templates beside them
 * (cmake/functions_text.cmake). */
#ifndef TSR_FUNCTIONS_H
#define TSR_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

/** A struct type or a function. In its text a $ stands behind each word that ends in the name of a
 *  number's type, where renderers of vectors put the number of lanes (exp_f64x8). */
typedef struct tsr_function_text {
  const char *name; /* "exp_f64" */
  const char *text;
  const uint16_t *uses; /* numbers of what it names, all smaller than its own */
  uint16_t n_uses;
  bool is_wide;   /* computes in 64 bits somewhere, or uses what does, but not by halves */
  bool in_halves; /* of float32 numbers, wide, and for vectors of more lanes called by halves */
  bool is_scalar; /* of one value at a time: not for vectors */
} tsr_function_text;

/** Every item behind those that it uses. */
extern const tsr_function_text tsr__functions[];
extern const int tsr__n_functions;
/** The number of the item of that name, of n bytes; -1 if there is none. Thread-safe. */
int tsr__function_find(const char *name, int n);

/** Definitions of the words that the functions are written in (ops_scalar.h): for vectors on x86
 *  with FMA what is the same for all, then by size of a number, with $ as above; for one value in
 *  CUDA C; and what goes before those in C, which then takes them for its own. */
extern const char tsr__words_vector[], tsr__words_vector_64[], tsr__words_vector_32[];
extern const char tsr__words_cuda[], tsr__words_cuda_as_c[];

#endif
