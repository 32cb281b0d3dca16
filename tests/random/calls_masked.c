/* Reductions of what a mask chooses, and from a value on (calls.h): the steps that Tessera
 * takes. */
#include "calls.h"
#include "check_int.h"

#include <math.h>
#include <stdlib.h>

#include "runtime/base/error.h"

bool check_masked(const program *p, const node *n, type *out)
{
  const type *x = &p->nodes[n->args[0]].type, *mask = &p->nodes[n->args[n->n_args - 1]].type;
  const bool is_extreme = n->style == MASKED_MIN || n->style == MASKED_MAX;
  int64_t n_reduced;
  if (n->style < 0 || n->style >= N_MASKED || is_complex(x->dtype) || x->dtype == TSR_FLOAT16)
    return false;
  if (!reduced_shape(n, &x->shape, &out->shape, &n_reduced) || dims_size(&x->shape) == 0)
    return false;
  if (n->n_args == 2 && (mask->dtype != TSR_BOOL || !dims_equal(&mask->shape, &x->shape)))
    return false;
  if (n->n_args == 1 && !n->by) return false;
  if ((is_extreme && !n->by) || (n->style >= MASKED_MEAN && n->by)) return false;
  if (n->style < MASKED_MIN) out->dtype = dtype_sum(x->dtype);
  if (n->style == MASKED_MEAN) out->dtype = dtype_float(x->dtype);
  if (n->style > MASKED_MEAN) out->dtype = TSR_BOOL;
  return true;
}

static cell initial_of(const node *n, tsr_dtype d)
{
  return cell_cast((cell){.v.i = n->value[0].i}, scalar_dtype(n->value[0].kind), d);
}

/* A sum or product; NumPy's begins with the value. */
static cell folded(const node *n, const groups *g, cell *x)
{
  const tsr_dtype d = n->type.dtype;
  const reduction op = n->style == MASKED_SUM ? RED_SUM : RED_PROD;
  cell value = cell_reduce(op, d, g->shape.ndim, g->shape.n, x);
  if (!n->by) return value;
  cell *all = tsr__malloc((size_t)(g->size + 1) * sizeof *all);
  for (int64_t k = 0; k < g->size; k++) all[k] = x[k];
  all[g->size] = initial_of(n, d);
  value = cell_map2(op == RED_SUM ? TSR_OP_ADD : TSR_OP_MULTIPLY, d, value, all[g->size]);
  if (is_float(d)) value.err = fmax(value.err, cell_order_error(op, d, value, all, g->size + 1));
  free(all);
  return value;
}

static cell extreme(const node *n, const groups *g, const cell *x)
{
  const tsr_dtype d = n->type.dtype;
  const bool most = n->style == MASKED_MAX;
  cell value = cell_reduce(most ? RED_MAX : RED_MIN, d, g->shape.ndim, g->shape.n, x);
  value = cell_map2(most ? TSR_OP_MAXIMUM : TSR_OP_MINIMUM, d, value, initial_of(n, d));
  if (is_float(d) && value.v.f == 0 && value.err == 0) value.err = 1e-300; /* which zero is open */
  return value;
}

static cell mean(const groups *g, tsr_dtype d, const cell *x, int64_t n_chosen)
{
  const cell sum = cell_reduce(RED_SUM, d, g->shape.ndim, g->shape.n, x);
  return cell_map2(TSR_OP_DIVIDE, d, sum, cell_cast((cell){.v.i = n_chosen}, TSR_INT64, d));
}

void masked_values(const node *n, const dense *x, cell *out)
{
  const tsr_dtype d = n->style == MASKED_MIN || n->style == MASKED_MAX ? x->dtype : n->type.dtype;
  const bool truths = d == TSR_BOOL && n->style > MASKED_MEAN, masks = n->n_args > 1;
  groups g = grouped(&n->axes, &x->shape, x->cells, x->dtype, truths ? x->dtype : d), mask = {0};
  if (masks) mask = grouped(&n->axes, &x->shape, x[1].cells, TSR_BOOL, TSR_BOOL);
  const cell zero = {.v.i = 0}, one = cell_cast((cell){.v.i = 1}, TSR_INT64, d);
  const int64_t size = dims_size(&n->type.shape);
  for (int64_t i = 0; i < size; i++) {
    cell *v = g.cells + i * g.size;
    int64_t n_chosen = 0;
    bool open = false;
    for (int64_t k = 0; k < g.size; k++) {
      const cell *chosen = masks ? &mask.cells[i * g.size + k] : &one;
      open |= masks && chosen->err > 0;
      n_chosen += !masks || chosen->v.i != 0;
      if (truths) v[k] = cell_map2(TSR_OP_NOT_EQUAL, x->dtype, v[k], zero);
      if (masks && chosen->v.i == 0)
        v[k] = n->style == MASKED_PROD || n->style == MASKED_ALL  ? one
               : n->style == MASKED_MIN || n->style == MASKED_MAX ? initial_of(n, d)
                                                                  : zero;
    }
    out[i] = truths ? cell_reduce(n->style == MASKED_ANY ? RED_ANY : RED_ALL, TSR_BOOL,
                                  g.shape.ndim, g.shape.n, v)
             : n->style == MASKED_MEAN ? mean(&g, d, v, n_chosen)
             : n->style < MASKED_MIN   ? folded(n, &g, v)
                                       : extreme(n, &g, v);
    if (open) out[i].err = INFINITY;
  }
  free(g.cells);
  free(mask.cells);
}
