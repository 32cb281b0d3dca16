/* Matrix products. A product of matrices is a chain of tasks (kernel/library/task.h) over the
 * domain (…, m, n, k), one task per panel of k. The first task makes the result and the others add
 * to it, so the messages of one panel overlap the computation of another, and at most two panels of
 * the operands are gathered at a time. Where there is but one place, one task has all panels. A
 * product with a vector, or with a result of a few elements, is a fused sum of products in one pass
 * over memory. The shapes alone decide between the two, and so determine the bits. */
#include "array/ops/matmul.h"
#include "array/ops/step_ops.h"

#include "kernel/library/matmul.h"

enum {
  FEW_ELEMS = 16,   /* largest result that is a sum, whose operands are not gathered */
  FEW_SUMMED = 1024 /* a shorter sum is a small product, computed by tasks */
};

/* The operands of a product: shapes of the matrices and the broadcast leading axes. */
typedef struct product {
  tsr_dtype dtype;
  tsr_dims leading; /* ndim counts the leading axes only */
  int64_t m, n, k;
  bool casts[2]; /* the operand has another dtype than the product */
  bool by_tasks; /* false: zeros, a sum of products, or a product in another dtype */
} product;

static int64_t last(const tsr_dims *shape, int from_end)
{
  return shape->n[shape->ndim - from_end];
}

/* Broadcasts the leading axes; returns false if they do not broadcast. */
static bool broadcast_leading(const tsr_dims *x, const tsr_dims *y, tsr_dims *out)
{
  const int nx = x->ndim > 2 ? x->ndim - 2 : 0, ny = y->ndim > 2 ? y->ndim - 2 : 0;
  out->ndim = nx > ny ? nx : ny;
  for (int i = 1; i <= out->ndim; i++) {
    const int64_t a = i <= nx ? x->n[nx - i] : 1, b = i <= ny ? y->n[ny - i] : 1;
    if (a != b && a != 1 && b != 1) return false;
    out->n[out->ndim - i] = a == 1 ? b : a;
  }
  return true;
}

/* Returns (…, m, n), or (…, m, n, k). */
static tsr_dims shape_of(const product *p, bool with_k)
{
  tsr_dims shape = p->leading;
  shape.n[shape.ndim++] = p->m;
  shape.n[shape.ndim++] = p->n;
  if (with_k) shape.n[shape.ndim++] = p->k;
  return shape;
}

tsr_array tsr__step_sum(const tsr_steps *s, tsr_array x, unsigned n_axes, const int *axes)
{
  if (!tsr_ok(x)) return x;
  const tsr_dtype dtype = tsr_dtype_of_at(s->where, x);
  const tsr_reduction op = dtype == TSR_DTYPE_BOOL ? TSR_REDUCE_ANY : TSR_REDUCE_SUM;
  tsr_array sum = tsr__reduce_at(s->where, op, false, tsr_box_array(x), n_axes, axes, false);
  if (!tsr_ok(sum) || tsr_dtype_of_at(s->where, sum) == dtype) return sum;
  return tsr_astype_at(s->where, tsr_box_array(sum), dtype);
}

/* Do steps along an axis, counted from the end, lead through memory without gaps? */
static bool is_inner(const tsr_steps *s, tsr_array x, int from_end)
{
  const tsr_handle *handle = tsr_ok(x) ? tsr__handle_peek(s->c, x) : NULL;
  if (!handle || handle->view->view.ndim < from_end || handle->view->view.rdim == 0) return false;
  const tsr_view *v = &handle->view->view;
  return v->shape[v->ndim - from_end] > 1 && v->step[v->rdim - 1][v->ndim - from_end] == 1;
}

static tsr_array sum_products(const tsr_steps *s, tsr_array x, tsr_array y, int axis)
{
  if (!tsr_ok(x) || !tsr_ok(y)) return tsr_null();
  tsr_array times = tsr__map2(s, TSR_OP_MULTIPLY, tsr_box_array(x), tsr_box_array(y));
  return tsr__step_sum(s, times, 1, &axis);
}

/* From so many elements side by side on, vectors pay. */
enum { FEW_IN_ROW = 3 };

/* The product of a row or a column. The tree over k has the same bits whichever axis is the
 * innermost. So that one is along which the matrix lies in memory. */
static tsr_array by_vector(const tsr_steps *s, const product *p, tsr_array x, tsr_array y)
{
  const bool is_row = p->m == 1;
  const bool is_down = is_row ? !is_inner(s, y, 2) || (is_inner(s, y, 1) && p->n >= FEW_IN_ROW)
                              : is_inner(s, x, 2) && p->m >= FEW_IN_ROW;
  const tsr_array sum = is_down ? sum_products(s, tsr_swapaxes_at(s->where, x, -1, -2), y, -2)
                                : sum_products(s, x, tsr_swapaxes_at(s->where, y, -1, -2), -1);
  return tsr__expand_dims(s->where, sum, is_row ? -2 : -1);
}

/* The product of (…, m, k) and (…, k, n) over the domain (…, m, k, n). */
static tsr_array by_rows_of_y(const tsr_steps *s, tsr_array x, tsr_array y)
{
  return sum_products(s, tsr__expand_dims(s->where, x, -1), tsr__expand_dims(s->where, y, -3), -2);
}

static tsr_array fused(const tsr_steps *s, const product *p, tsr_array x, tsr_array y)
{
  if (p->m == 1 || p->n == 1) return by_vector(s, p, x, y);
  const tsr_array xt = tsr_swapaxes_at(s->where, x, -1, -2);
  const tsr_array yt = tsr_swapaxes_at(s->where, y, -1, -2);
  const int64_t n = is_inner(s, y, 1) ? p->n : 0, m = is_inner(s, x, 2) ? p->m : 0;
  if (n >= m && n >= FEW_IN_ROW) return by_rows_of_y(s, x, y);
  if (m >= FEW_IN_ROW) { /* the transposed result: as a copy, it lies as that of others */
    const tsr_array turned = by_rows_of_y(s, yt, xt);
    return tsr_copy_at(s->where, tsr_box_array(tsr_swapaxes_at(s->where, turned, -1, -2)));
  }
  return sum_products(s, tsr__expand_dims(s->where, x, -2), tsr__expand_dims(s->where, yt, -3), -1);
}

/* The steps of a task: all of them if nothing has to come from another place. */
static int64_t steps_of_task(const tsr_steps *s, const product *p)
{
  const tsr_world *w = &s->c->world;
  return w->size == 1 && w->n_places == 1 ? p->k : TSR_MATMUL_PANEL;
}

/* The view of an array over the domain of some steps, with a new axis in place `axis`, counted from
 * the end, and of its last axis the steps from `first` on. is_turned: of the array's transpose. */
static tsr_op_in in_steps(const tsr_steps *s, tsr_array x, bool is_turned, int axis,
                          const tsr_dims *domain, int64_t first)
{
  const tsr_handle *handle = tsr__handle_peek(s->c, x);
  const tsr_op_in in = {.region = handle->region,
                        .view = tsr__view_ref_new(&s->c->window, &handle->view->view)};
  tsr_view *v = &in.view->view;
  int perm[TSR_MAX_NDIM];
  for (int k = 0; k < v->ndim; k++) perm[k] = k;
  perm[v->ndim - 1] = v->ndim - 2;
  perm[v->ndim - 2] = v->ndim - 1;
  if (is_turned) tsr__view_transpose(v, perm);
  tsr__view_newaxis(v, v->ndim + 1 - axis);
  if (v->shape[v->ndim - 1] > 1)
    tsr__view_slice(v, v->ndim - 1, first, domain->n[domain->ndim - 1], 1);
  const bool fits = tsr__view_broadcast(v, domain->ndim, domain->n);
  TSR_ASSERT(fits);
  (void)fits;
  return in;
}

/* Records `steps` steps, or what is left, of x (…, m, k) and y (…, k, n), added to out (…, m,
 * n). */
static void record_part(const tsr_steps *s, const product *p, tsr_array x, tsr_array y,
                        tsr_array out, int64_t first, int64_t steps, bool is_new)
{
  product panel = *p;
  panel.k = p->k - first < steps ? p->k - first : steps;
  const tsr_dims domain = shape_of(&panel, true);
  tsr_op_in in[3] = {in_steps(s, x, false, 2, &domain, first),
                     in_steps(s, y, true, 3, &domain, first),
                     in_steps(s, out, false, 1, &domain, 0)};
  tsr__record_task(&s->c->window, s->where, TSR_TASK_CODE_MATMUL, p->dtype, first == 0 ? 2 : 3, in,
                   1u << (domain.ndim - 1), in[2].region, in[2].view, is_new && first == 0);
  for (int i = 0; i < 3; i++) tsr__in_drop(&in[i]);
  tsr__recorded(s->c);
}

/* Records the product by tasks into `target`, which has its shape and dtype, or into a new array if
 * target is the null handle. */
static tsr_array by_tasks(const tsr_steps *s, const product *p, tsr_array x, tsr_array y,
                          tsr_array target)
{
  const tsr_location *where = s->where;
  const tsr_dims shape = shape_of(p, false);
  if (shape.ndim + 1 > TSR_MAX_NDIM) {
    tsr__fail(s->c, where, TSR_ERR_SHAPE, "a product of matrices of %d axes; at most %d",
              shape.ndim, TSR_MAX_NDIM - 1);
    return tsr_null();
  }
  if (tsr__checked_size(s->c, where, &shape, p->dtype) < 0) return tsr_null();
  if (p->casts[0]) x = tsr_astype_at(where, tsr_box_array(x), p->dtype);
  if (p->casts[1]) y = tsr_astype_at(where, tsr_box_array(y), p->dtype);
  if (!tsr_ok(x) || !tsr_ok(y)) return tsr_null();
  const bool is_new = !tsr_ok(target);
  if (is_new) target = tsr__make(s->c, where, p->dtype, &shape).array;
  const int64_t steps = steps_of_task(s, p);
  for (int64_t k = 0; k < p->k; k += steps) record_part(s, p, x, y, target, k, steps, is_new);
  return target;
}

/* The rows of one product that serves: all rows of a batch of single rows that share y. */
static int64_t n_rows_of(const product *p, const tsr_dims *ny)
{
  int64_t n = p->m;
  for (int i = 0; i < ny->ndim - 2; i++)
    if (ny->n[i] != 1) return n;
  for (int i = 0; i < p->leading.ndim && p->m == 1; i++)
    if (__builtin_mul_overflow(n, p->leading.n[i], &n)) return INT64_MAX;
  return n;
}

/* Describes the product of x and y; returns false if an operand is null. */
static bool product_of(const tsr_steps *s, tsr_array x, tsr_array y, product *p)
{
  tsr_value v[2];
  if (!tsr_ok(x) || !tsr_ok(y) || !tsr__value_of(s->c, s->where, tsr_box_array(x), &v[0]) ||
      !tsr__value_of(s->c, s->where, tsr_box_array(y), &v[1]))
    return false;
  *p = (product){.dtype = tsr__promote(2, v)};
  const tsr_dims nx = tsr_shape_at(s->where, x), ny = tsr_shape_at(s->where, y);
  broadcast_leading(&nx, &ny, &p->leading);
  p->m = last(&nx, 2);
  p->k = last(&nx, 1);
  p->n = last(&ny, 1);
  for (int i = 0; i < 2; i++) p->casts[i] = v[i].dtype != p->dtype;
  const int64_t rows = n_rows_of(p, &ny);
  const bool few = p->n != 0 && rows <= FEW_ELEMS / p->n && p->k >= FEW_SUMMED;
  p->by_tasks = tsr__matmul_takes(p->dtype) && rows > 1 && p->n > 1 && p->k > 0 && !few;
  for (int i = 0; i < p->leading.ndim; i++) p->by_tasks &= p->leading.n[i] != 0;
  return true;
}

tsr_array tsr__step_matmul(const tsr_steps *s, tsr_array x, tsr_array y)
{
  product p;
  if (!product_of(s, x, y, &p)) return tsr_null();
  if (p.by_tasks) return by_tasks(s, &p, x, y, tsr_null());
  bool empty = p.m == 0 || p.n == 0 || p.k == 0;
  for (int i = 0; i < p.leading.ndim; i++) empty |= p.leading.n[i] == 0;
  if (empty) return tsr_zeros_at(s->where, shape_of(&p, false), p.dtype);
  if (p.dtype == TSR_DTYPE_FLOAT16) { /* summed in float32 and rounded once, as in NumPy */
    x = tsr_astype_at(s->where, tsr_box_array(x), TSR_DTYPE_FLOAT32);
    y = tsr_astype_at(s->where, tsr_box_array(y), TSR_DTYPE_FLOAT32);
    const tsr_array sum = tsr__step_matmul(s, x, y);
    return tsr_ok(sum) ? tsr_astype_at(s->where, tsr_box_array(sum), p.dtype) : sum;
  }
  if (p.casts[0]) x = tsr_astype_at(s->where, tsr_box_array(x), p.dtype);
  if (p.casts[1]) y = tsr_astype_at(s->where, tsr_box_array(y), p.dtype);
  return fused(s, &p, x, y);
}

static void fail_operands(const tsr_steps *s, tsr_error *e, tsr_operand a, tsr_operand b)
{
  tsr__note_operand(s->c, e, s->where, 0, a);
  tsr__note_operand(s->c, e, s->where, 1, b);
}

/* Reports operands that do not fit, in NumPy's words. */
static bool check_shapes(const tsr_steps *s, const tsr_dims *nx, const tsr_dims *ny, tsr_operand a,
                         tsr_operand b)
{
  static const char signature[] = "(n?,k),(k,m?)->(n?,m?)";
  tsr_error *e = NULL;
  tsr_dims leading;
  const int scalar = nx->ndim == 0 ? 0 : ny->ndim == 0 ? 1 : -1;
  if (scalar >= 0) {
    e = tsr__fail_begin(s->c, s->where, TSR_ERR_SHAPE,
                        "input operand %d does not have enough dimensions (has 0, the signature %s "
                        "requires 1)",
                        scalar, signature);
    fail_operands(s, e, a, b);
    tsr__error_help(e, "tsr_multiply scales by a number");
    tsr__fail_end(s->c);
    return false;
  }
  const int summed = ny->ndim > 1 ? 2 : 1;
  if (last(nx, 1) != last(ny, summed)) {
    e = tsr__fail_begin(s->c, s->where, TSR_ERR_SHAPE,
                        "input operand 1 has a mismatch in its core dimension 0, with signature %s "
                        "(size %lld is different from %lld)",
                        signature, (long long)last(ny, summed), (long long)last(nx, 1));
    fail_operands(s, e, a, b);
    tsr__fail_end(s->c);
    return false;
  }
  if (broadcast_leading(nx, ny, &leading)) return true;
  e = tsr__fail_begin(s->c, s->where, TSR_ERR_BROADCAST,
                      "the axes before the matrices do not broadcast");
  fail_operands(s, e, a, b);
  tsr__fail_end(s->c);
  return false;
}

bool tsr__step_pair(const tsr_steps *s, tsr_operand a, tsr_operand b, tsr_pair *out)
{
  out->x = tsr__step_array(s, a, false);
  out->y = tsr_ok(out->x) ? tsr__step_array(s, b, false) : tsr_null();
  if (!tsr_ok(out->x) || !tsr_ok(out->y)) return false;
  out->nx = tsr_shape_at(s->where, out->x);
  out->ny = tsr_shape_at(s->where, out->y);
  return true;
}

/* The sum of products of a vector with a vector or with matrices, in the dtype of both. The summed
 * axis of the matrices is made the last one or the one before, as they lie in memory. */
static tsr_array sum_with_vector(const tsr_steps *s, const tsr_pair *p)
{
  const bool is_right = p->ny.ndim == 1;
  tsr_array x = p->x, y = p->y;
  tsr_array *matrices = is_right ? &x : &y, *vector = is_right ? &y : &x;
  if (p->nx.ndim == 1 && p->ny.ndim == 1) return sum_products(s, x, y, -1);
  bool is_last = is_right;
  if (is_inner(s, *matrices, 2)) {
    *matrices = tsr_swapaxes_at(s->where, *matrices, -1, -2);
    is_last = !is_last;
  }
  if (!is_last) *vector = tsr__expand_dims(s->where, *vector, 1);
  return sum_products(s, x, y, is_last ? -1 : -2);
}

tsr_array tsr__step_with_vector(const tsr_steps *s, tsr_pair *p)
{
  tsr_value v[2];
  if (!tsr__value_of(s->c, s->where, tsr_box_array(p->x), &v[0]) ||
      !tsr__value_of(s->c, s->where, tsr_box_array(p->y), &v[1]))
    return tsr_null();
  const tsr_dtype dtype = tsr__promote(2, v),
                  computed = dtype == TSR_DTYPE_FLOAT16 ? TSR_DTYPE_FLOAT32 : dtype;
  const tsr_dims *larger = p->nx.ndim > p->ny.ndim ? &p->nx : &p->ny;
  tsr_dims shape = {.ndim = 0};
  bool is_empty = false;
  for (int k = 0; k < larger->ndim; k++) {
    const bool is_summed = k == larger->ndim - (p->ny.ndim == 1 ? 1 : 2);
    is_empty |= larger->n[k] == 0;
    if (!is_summed) shape.n[shape.ndim++] = larger->n[k];
  }
  if (is_empty) return tsr_zeros_at(s->where, shape, dtype);
  if (v[0].dtype != computed) p->x = tsr_astype_at(s->where, tsr_box_array(p->x), computed);
  if (v[1].dtype != computed) p->y = tsr_astype_at(s->where, tsr_box_array(p->y), computed);
  const tsr_array sum = sum_with_vector(s, p);
  return tsr_ok(sum) && dtype != computed ? tsr_astype_at(s->where, tsr_box_array(sum), dtype)
                                          : sum;
}

tsr_array tsr_matmul_at(const tsr_location *where, tsr_operand a, tsr_operand b)
{
  const tsr_steps s = tsr__steps_begin(where);
  tsr_pair p;
  if (!tsr__step_pair(&s, a, b, &p) || !check_shapes(&s, &p.nx, &p.ny, a, b))
    return tsr__steps_end(&s, tsr_null());
  const bool has_vector = p.nx.ndim == 1 || p.ny.ndim == 1;
  return tsr__steps_end(&s, has_vector ? tsr__step_with_vector(&s, &p)
                                       : tsr__step_matmul(&s, p.x, p.y));
}

/* Returns whether the product's tasks can write `target` itself: it has the product's shape and
 * dtype, and the operands do not read its region. */
static bool takes_product(const tsr_steps *s, const product *p, tsr_array x, tsr_array y,
                          const tsr_handle *target)
{
  const tsr_view *view = &target->view->view;
  const tsr_dims shape = shape_of(p, false);
  if (!p->by_tasks || target->region->dtype != p->dtype || !tsr__view_is_separable(view) ||
      !tsr__has_shape(view, &shape))
    return false;
  const tsr_handle *a = tsr__handle_peek(s->c, x), *b = tsr__handle_peek(s->c, y);
  return a->region != target->region && b->region != target->region;
}

/* Returns `target` if the product was written there, else an array that is to be assigned to it. */
static tsr_array product_for(const tsr_steps *s, tsr_array target, tsr_operand a, tsr_operand b)
{
  tsr_pair xy;
  product p;
  if (!tsr__step_pair(s, a, b, &xy)) return tsr_null();
  if (xy.nx.ndim < 2 || xy.ny.ndim < 2) return tsr_matmul_at(s->where, a, b);
  if (!check_shapes(s, &xy.nx, &xy.ny, a, b) || !product_of(s, xy.x, xy.y, &p)) return tsr_null();
  if (takes_product(s, &p, xy.x, xy.y, tsr__handle_peek(s->c, target)))
    return by_tasks(s, &p, xy.x, xy.y, target);
  return tsr__step_matmul(s, xy.x, xy.y);
}

tsr_status tsr_matmul_into_at(const tsr_location *where, tsr_array target, tsr_operand a,
                              tsr_operand b)
{
  const tsr_steps s = tsr__steps_begin(where);
  tsr_status status;
  if (tsr__target_of(s.c, where, target, &status)) {
    s.c->last_status = TSR_OK; /* a null operand fails without an error */
    const tsr_array made = product_for(&s, target, a, b);
    if (!tsr_ok(made))
      status = s.c->last_status < 0 ? s.c->last_status : TSR_ERR_HANDLE;
    else if (made.id != target.id)
      status = tsr_assign_at(where, target, tsr_box_array(made));
  }
  tsr__steps_end(&s, tsr_null());
  return status;
}
