/* Runs over one line of points by the code that a kernel's last run had. All of its streams move by
 * one element or not at all, which is all that such code asks, so no loops are chosen. A line that
 * is shorter than a vector goes through copies, whose remaining lanes repeat its first point. */
#include "kernel/compile/jit.h"
#include "kernel/compile/jit_int.h"
#include "runtime/base/copy.h"

#include <string.h>

enum {
  MOST_STREAMS = 16, /* of a kernel whose lines are run here */
  MOST_COPIED = 6,   /* streams of a short line */
  COPY_BYTES = 512   /* of each of these copies: a vector of any dtype */
};

typedef struct line {
  const tsr_kernel *k;
  const uint8_t *classes;
  int64_t n;
  char *base[MOST_STREAMS];
  int64_t step[MOST_STREAMS]; /* bytes from point to point; 0 where there is one point */
} line;

static const int64_t no_stride[MOST_STREAMS];

static inline size_t size_of(const tsr_kernel *k, int access)
{
  return tsr__dtype_size((tsr_dtype)k->accesses[access].dtype);
}

/* Finds the axis of the box that has more than one point. False: several have, or one has none. */
static inline bool find_axis(const tsr_kernel *k, const tsr_kernel_bind *bind, int *axis,
                             int64_t *n)
{
  *axis = 0;
  *n = 1;
  for (int i = 0; i < k->ndim; i++) {
    if (bind->n[i] == 1) continue;
    if (*n != 1) return false;
    *axis = i;
    *n = bind->n[i];
  }
  return *n > 0;
}

/* Lays the streams out. False: one of them moves otherwise than the code's. */
static inline bool lay_streams(const tsr_kernel_bind *bind, int axis, int64_t lanes, line *x)
{
  for (int a = 0; a < x->k->n_accesses; a++) {
    x->base[a] = bind->base[a];
    x->step[a] = x->n > 1 ? bind->stride_bytes[a][axis] : 0;
    if (x->classes[a] == TSR_CLASS_UNIT) {
      if (x->n >= lanes && x->step[a] != (int64_t)size_of(x->k, a)) return false;
    } else if (x->classes[a] != TSR_CLASS_ZERO || x->step[a] != 0) {
      return false;
    }
  }
  return true;
}

/* Copies n elements, which lie `from_step` apart and then `to_step`. */
static inline void copy_elems(char *to, int64_t to_step, const char *from, int64_t from_step,
                              int64_t n, size_t size)
{
  for (int64_t i = 0; i < n; i++, to += to_step, from += from_step) {
    if (size == 8)
      memcpy(to, from, 8);
    else if (size == 4)
      memcpy(to, from, 4);
    else
      memcpy(to, from, size);
  }
}

/* Runs a line that is shorter than a vector. False, with nothing done: it has too many streams. */
static bool run_short(const line *x, const tsr_jit_entry *e, tsr_row_code code,
                      const tsr_scalar *scalars)
{
  const tsr_kernel *k = x->k;
  _Alignas(64) char copies[MOST_COPIED][COPY_BYTES];
  char *base[MOST_STREAMS];
  int n_copied = 0;
  for (int a = 0; a < k->n_accesses; a++) {
    base[a] = x->base[a];
    if (x->classes[a] == TSR_CLASS_ZERO) continue;
    const size_t size = size_of(k, a);
    if (n_copied == MOST_COPIED || (size_t)e->lanes * size > COPY_BYTES) return false;
    base[a] = copies[n_copied++];
    if (k->accesses[a].is_store) continue;
    copy_elems(base[a], (int64_t)size, x->base[a], x->step[a], x->n, size);
    copy_elems(base[a] + (size_t)x->n * size, (int64_t)size, x->base[a], 0, e->lanes - x->n, size);
  }
  code(1, e->lanes, base, no_stride, no_stride, scalars, e->call);
  for (int i = 0; i < k->n_instrs; i++) {
    if (k->instrs[i].kind != TSR_I_STORE) continue;
    const int a = k->instrs[i].index;
    copy_elems(x->base[a], x->step[a], base[a], (int64_t)size_of(k, a), x->n, size_of(k, a));
  }
  return true;
}

bool tsr__jit_run_line(const tsr_kernel *k, const tsr_kernel_bind *bind)
{
  const tsr_jit_entry *e = __atomic_load_n((tsr_jit_entry *const *)&k->compiled, __ATOMIC_ACQUIRE);
  const tsr_code code = e != NULL ? __atomic_load_n(&e->code, __ATOMIC_ACQUIRE) : NULL;
  line x;
  int axis;
  if (code == NULL || k->iota_axes != 0 || k->n_accesses > MOST_STREAMS ||
      e->n_form != k->n_accesses || bind->stream_store_mask != 0 || bind->from_memory ||
      !find_axis(k, bind, &axis, &x.n))
    return false;
  x.k = k;
  x.classes = e->form;
  if (!lay_streams(bind, axis, e->lanes, &x)) return false;
  const size_t size = size_of(k, 0);
  if (tsr__nest_is_copy(k) && x.classes[0] == TSR_CLASS_UNIT) {
    if (x.n > 1 && (x.step[0] != (int64_t)size || x.step[1] != (int64_t)size)) return false;
    tsr__copy(x.base[1], x.base[0], (size_t)x.n * size);
    return true;
  }
  if (x.n < e->lanes) return run_short(&x, e, (tsr_row_code)code, bind->scalars);
  ((tsr_row_code)code)(1, x.n, x.base, no_stride, x.step, bind->scalars, e->call);
  return true;
}
