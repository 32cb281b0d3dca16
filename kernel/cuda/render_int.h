/* What the two CUDA renderers share: the text of a kernel at one point. */
#ifndef TSR_CUDA_RENDER_INT_H
#define TSR_CUDA_RENDER_INT_H

#include "kernel/cuda/product.h"
#include "kernel/cuda/render_cuda.h"

/** A text in the making. */
typedef struct tsr_cuda_render {
  tsr_text *out;
  const tsr_kernel *k;
  const tsr_cuda_form *form;
  tsr_cuda_words words;
  int n_streams;
  tsr_function_uses *uses;
  int indent;
} tsr_cuda_render;

/** Appends the name of a dtype's type. */
void tsr__cuda_add_type(const tsr_cuda_render *r, int dtype);
/** Appends an operation on n <= 3 values. Of complex numbers it is the function of its name. */
void tsr__cuda_add_expression(const tsr_cuda_render *r, tsr_opcode op, int compute, const char *x,
                              const char *y, const char *z, int n);
/** Appends lines that say where each stream p<s> is, at the positions i<axis> of all axes but the
 * inner one. */
void tsr__cuda_emit_streams(const tsr_cuda_render *r);
/** Appends all instructions at the point i of the inner axis, loads first. */
void tsr__cuda_emit_point(const tsr_cuda_render *r);

/* render_product.c */

/** Appends a product of matrices. */
void tsr__cuda_emit_product(const tsr_kernel *k, const tsr_cuda_form *form, const char *name,
                            tsr_text *out);

/** Appends lines that say where the matrices of a product of the batch are: at_0 and so on. */
void tsr__cuda_emit_batch(const tsr_cuda_form *form, tsr_text *out);
/** Returns whether something is added to the chains: the third operand, or what panels before
 * left. */
bool tsr__cuda_product_loads(const tsr_cuda_form *form);
/** Appends lines that say from where that is loaded: `from`, with `from_row`, its bytes from row to
 * row, and, if of_columns, `from_column`. Of several panels, `is_first` says whether it is the
 * first. */
void tsr__cuda_emit_from(const tsr_cuda_form *form, int indent, bool of_columns, tsr_text *out);
/** Appends lines that store `value`, with what is added to it, at `row` and `column` of a product's
 * result, if that is in it. */
void tsr__cuda_emit_store(const tsr_cuda_form *form, const char *type, const char *value,
                          tsr_text *out);
/** Returns the word that has a matrix's bytes from row to row, or from column to column. */
static inline int tsr__cuda_product_stride(int matrix, bool of_columns)
{
  return TSR_PRODUCT_STRIDE + 2 * matrix + of_columns;
}

/* render_stages.c */

/** Appends a product of matrices whose operands come in stages. */
void tsr__cuda_emit_stages(const tsr_kernel *k, const tsr_cuda_form *form, const char *name,
                           tsr_text *out);

/* render_reduce.c */

/** Appends a kernel whose values are combined along the inner axis. */
void tsr__cuda_emit_reduction(tsr_cuda_render *r, const char *name);
/** Appends what becomes of value `v` that is stored to an access, if it is reduced. Returns false,
 * with nothing appended, if it is not. */
bool tsr__cuda_add_taken(const tsr_cuda_render *r, int access, int v);

#endif
