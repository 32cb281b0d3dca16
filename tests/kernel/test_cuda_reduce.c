/* Reductions by launches: kernels whose values go up the trees, compiled as C. The bits are those
 * of the host's partials, in whichever order blocks and threads come and however the box is cut. */
#include <math.h>
#include <stdlib.h>

#include "kernel/cuda/reduce.h"
#include "kernel/reduce/reduce_int.h"
#include "tests/kernel/cuda_code.h"
#include "tests/support/draw.h"
#include "tests/support/sanitized.h"

enum { MOST_ROOMS = 200, MOST_ELEMS = 40000, N_BOXES = 3 };

/** A reduction, or two, of an array or of its square, over boxes that make up the shape. */
typedef struct subject {
  int ndim;
  int64_t shape[TSR_MAX_NDIM], stride[TSR_MAX_NDIM]; /* in elements */
  uint32_t axes[2];
  tsr_dtype dtype;
  int n;
  tsr_reduction code[2];
  bool squares, stores; /* of x: x * x; the kernel stores its values, too */
  int n_more;           /* further operations */
  int n_boxes;
  tsr_box box[N_BOXES];
} subject;

typedef struct runner {
  tsr_jit *jit;
  bool collects, misses; /* only asks for code; some was not there */
  bool to_roots;         /* nothing but roots is to come */
  tsr_partials *partials[2];
  tsr_dtype compute[2];
  char *rooms[MOST_ROOMS];
  tsr_kernel *kernels[MOST_ROOMS];
  int n_rooms, n_kernels;
} runner;

static void *room(void *arg, size_t bytes, bool is_root)
{
  runner *r = arg;
  cr_assert_lt(r->n_rooms, MOST_ROOMS);
  char *p = malloc(bytes + 64);
  memset(p, 0xff, bytes + 64);
  return r->rooms[r->n_rooms++] = p;
}

static bool launch(void *arg, const tsr_kernel *k, const tsr_cuda_launch *l)
{
  runner *r = arg;
  if (r->collects)
    tsr__jit_want_launch(r->jit, k, l);
  else if (!launch_code(r->jit, k, l))
    r->misses = true;
  return true;
}

static const tsr_kernel *node_kernel(void *arg, int ndim, tsr_dtype dtype, bool has_index)
{
  runner *r = arg;
  cr_assert_lt(r->n_kernels, MOST_ROOMS);
  return r->kernels[r->n_kernels++] = tsr__cuda_node_kernel(ndim, dtype, has_index);
}

static void take(void *arg, const tsr_cuda_nodes *nodes)
{
  runner *r = arg;
  if (r->collects || r->misses) return;
  tsr_partials *p = r->partials[nodes->reduction];
  if (r->to_roots) cr_assert_eq(nodes->level, p->tree.n_levels);
  const int ndim = p->tree.ndim;
  const size_t elem = p->value_bytes;
  int64_t volume = 1, at[TSR_MAX_NDIM] = {0};
  for (int k = 0; k < ndim; k++) volume *= nodes->n[k];
  char *values = malloc((size_t)volume * elem);
  int64_t *indices = malloc((size_t)volume * sizeof *indices);
  for (int64_t i = 0; i < volume; i++) {
    int64_t from = 0;
    for (int k = 0; k < ndim; k++) from += at[k] * nodes->step[k];
    memcpy(values + (size_t)i * elem, nodes->values + from * (int64_t)elem, elem);
    if (nodes->indices) memcpy(indices + i, nodes->indices + from * 8, 8);
    for (int k = ndim - 1; k >= 0 && ++at[k] == nodes->n[k]; k--) at[k] = 0;
  }
  cr_assert_eq(tsr__partials_add_risen(p, nodes->level, nodes->lo, nodes->n, values,
                                       nodes->indices ? indices : NULL),
               TSR_OK);
  free(values);
  free(indices);
}

/* The kernel: loads x, may square it, and stores the values of each reduction. */
static tsr_kernel *make_kernel(const subject *s, const tsr_dtype *compute, tsr_cuda_taken *taken)
{
  tsr_kernel_builder *b = tsr__kernel_builder_create(s->ndim);
  const int x = tsr__kernel_access_add(b, s->dtype, false, 0, 0);
  int v = tsr__kernel_load(b, x);
  if (s->squares) v = tsr__kernel_op(b, TSR_OP_MULTIPLY, s->dtype, s->dtype, 2, (int[]){v, v});
  const int first = v;
  for (int i = 0; i < s->n_more; i++)
    v = tsr__kernel_op(b, TSR_OP_ADD, s->dtype, s->dtype, 2, (int[]){v, first});
  for (int i = 0; i < s->n; i++) {
    const bool widens = tsr__reduce_widens(s->code[i], compute[i], s->dtype);
    const bool counts = s->code[i] == TSR_REDUCE_COUNT; /* what the kernel tells of each */
    const tsr_dtype stored = counts ? TSR_BOOL : widens ? s->dtype : compute[i];
    const int to = tsr__kernel_access_add(b, stored, true, 1 + i, 0);
    tsr__kernel_store(b, to, tsr__kernel_cast(b, v, stored));
    taken[i] =
        (tsr_cuda_taken){(uint8_t)to, (uint8_t)s->code[i], (uint8_t)compute[i], TSR_CUDA_FLAT};
  }
  if (s->stores) tsr__kernel_store(b, tsr__kernel_access_add(b, s->dtype, true, 3, 0), v);
  return tsr__kernel_finish(b);
}

static void draw_boxes(subject *s, uint64_t *seed)
{
  s->box[0] = tsr__box_of_shape(s->ndim, s->shape);
  s->n_boxes = 1;
  while (s->n_boxes < N_BOXES && draw_31(seed) % 2) {
    tsr_box *whole = &s->box[draw_31(seed) % (uint64_t)s->n_boxes], *rest = &s->box[s->n_boxes];
    const int axis = (int)(draw_31(seed) % (uint64_t)s->ndim);
    if (whole->n[axis] < 2) continue;
    const int64_t cut = 1 + (int64_t)(draw_31(seed) % (uint64_t)(whole->n[axis] - 1));
    *rest = *whole;
    rest->lo[axis] += cut;
    rest->n[axis] -= cut;
    whole->n[axis] = cut;
    s->n_boxes++;
  }
}

static void draw(subject *s, uint64_t *seed)
{
  *s = (subject){.ndim = 1 + (int)(draw_31(seed) % 3)};
  int64_t most = MOST_ELEMS, stride = 1;
  for (int k = s->ndim - 1; k >= 0; k--) {
    const int64_t n = draw_31(seed) % 4 ? 1 + (int64_t)(draw_31(seed) % 200)
                                        : (int64_t[]){1, 2, 64, 3000}[draw_31(seed) % 4];
    s->shape[k] = n < most ? n : most;
    most /= s->shape[k];
  }
  const bool is_transposed = draw_31(seed) % 3 == 0;
  for (int i = 0; i < s->ndim; i++) {
    const int k = is_transposed ? i : s->ndim - 1 - i;
    s->stride[k] = stride;
    stride *= s->shape[k];
  }
  for (int i = 0; i < 2; i++) {
    while (s->axes[i] == 0) s->axes[i] = (uint32_t)draw_31(seed) & ((1u << s->ndim) - 1);
    if (draw_31(seed) % 2) s->axes[1] = s->axes[0];
  }
  do {
    s->dtype = (tsr_dtype)(draw_31(seed) % TSR_N_DTYPES);
    s->n = 1 + (int)(draw_31(seed) % 2);
    for (int i = 0; i < s->n; i++) s->code[i] = (tsr_reduction)(draw_31(seed) % TSR_N_REDUCTIONS);
    tsr_dtype compute = 0, result;
    s->n_boxes = 0;
    for (int i = 0; i < s->n; i++)
      s->n_boxes += tsr__reduce_dtypes(s->code[i], s->dtype, &compute, &result) &&
                    tsr__cuda_can_reduce(s->code[i], compute);
  } while (s->n_boxes != s->n);
  s->squares = s->dtype != TSR_BOOL && s->dtype != TSR_FLOAT16 && draw_31(seed) % 2;
  s->stores = draw_31(seed) % 2;
  draw_boxes(s, seed);
}

/* Bytes that are numbers of the dtype, with NaN, infinities and both zeros among them. */
static void fill(const subject *s, char *x, int64_t n, uint64_t *seed)
{
  for (int64_t i = 0; i < n; i++) {
    const int64_t whole = (int64_t)(draw_31(seed) % 17) - 8;
    const double special[] = {NAN, -0.0, 0.0, INFINITY, 1e300, 0.1};
    const double v = draw_31(seed) % 50 ? (double)whole * 0.37 : special[draw_31(seed) % 6];
    switch (s->dtype) {
    case TSR_FLOAT64:
      ((double *)x)[i] = v;
      break;
    case TSR_FLOAT32:
      ((float *)x)[i] = (float)v;
      break;
    case TSR_COMPLEX64:
      ((float *)x)[2 * i] = (float)v, ((float *)x)[2 * i + 1] = (float)whole * 0.1f;
      break;
    case TSR_COMPLEX128:
      ((double *)x)[2 * i] = v, ((double *)x)[2 * i + 1] = (double)whole * 0.1;
      break;
    case TSR_FLOAT16:
      ((uint16_t *)x)[i] = (uint16_t)(draw_31(seed) % 0x7c00);
      break;
    case TSR_BOOL:
      x[i] = whole > 0;
      break;
    default:
      for (size_t b = 0; b < tsr__dtype_size(s->dtype); b++)
        x[(size_t)i * tsr__dtype_size(s->dtype) + b] = (char)draw_31(seed);
    }
  }
}

/* What a reduction gives of a domain, by the interpreter and the partials of the host. */
static void reduce_on_host(const subject *s, const tsr_kernel *k, tsr_kernel_bind bind,
                           const tsr_cuda_taken *taken, tsr_partials **partials, void **base,
                           int64_t (*stride)[TSR_MAX_NDIM])
{
  const tsr_box all = tsr__box_of_shape(s->ndim, s->shape);
  const int64_t volume = tsr__box_volume(&all);
  char *values[2];
  for (int i = 0; i < s->n; i++) {
    const int a = taken[i].access;
    int64_t step = (int64_t)tsr__dtype_size((tsr_dtype)k->accesses[a].dtype);
    base[a] = values[i] = malloc((size_t)volume * 16);
    for (int d = s->ndim - 1; d >= 0; d--) {
      stride[a][d] = step;
      step *= s->shape[d];
    }
  }
  memset(bind.lo, 0, sizeof bind.lo);
  memcpy(bind.n, all.n, sizeof bind.n);
  void *scratch = malloc(tsr__kernel_scratch_bytes(k) + 64);
  tsr__kernel_run(k, &bind, scratch);
  char *space = malloc((size_t)volume * 16);
  for (int i = 0; i < s->n; i++) {
    const tsr_dtype given = (tsr_dtype)k->accesses[taken[i].access].dtype;
    cr_assert_eq(given != taken[i].compute
                     ? tsr__partials_add_narrow(partials[i], given, &all, values[i], space)
                     : tsr__partials_add(partials[i], &all, values[i], space),
                 TSR_OK);
    free(values[i]);
  }
  free(space);
  free(scratch);
}

/* Returns whether all code was there; then the bits are the host's. */
static bool check(tsr_jit *jit, const subject *s, bool collects, uint64_t number)
{
  tsr_cuda_reduction what = {.n = s->n};
  runner r = {.jit = jit, .collects = collects};
  tsr_tree trees[2];
  tsr_dtype result[2];
  tsr_partials *expected[2];
  const tsr_box all = tsr__box_of_shape(s->ndim, s->shape);
  const int64_t volume = tsr__box_volume(&all);
  for (int i = 0; i < s->n; i++) {
    tsr__tree_init(&trees[i], s->ndim, s->shape, s->axes[i]);
    what.trees[i] = &trees[i];
    cr_assert(tsr__reduce_dtypes(s->code[i], s->dtype, &r.compute[i], &result[i]));
    r.partials[i] = tsr__partials_create(&trees[i], s->code[i], r.compute[i], &all, NULL);
    expected[i] = tsr__partials_create(&trees[i], s->code[i], r.compute[i], &all, NULL);
  }
  tsr_kernel *k = make_kernel(s, r.compute, what.taken);
  cr_assert_eq(tsr__kernel_prepare(k), TSR_OK);
  uint64_t seed = number;
  char *x = malloc((size_t)volume * 16),
       *stored[2] = {calloc((size_t)volume, 16), calloc((size_t)volume, 16)};
  fill(s, x, volume, &seed);
  void *base[4] = {x}, *part[4];
  int64_t stride[4][TSR_MAX_NDIM] = {{0}};
  const int own = k->n_accesses - 1; /* where the kernel's own values go, if they do */
  for (int d = 0; d < s->ndim; d++) {
    stride[0][d] = s->stride[d] * (int64_t)tsr__dtype_size(s->dtype);
    if (s->stores) stride[own][d] = stride[0][d];
  }
  tsr_kernel_bind bind = {.base = base, .stride_bytes = (const int64_t(*)[TSR_MAX_NDIM])stride};
  if (s->stores) base[own] = stored[0];
  reduce_on_host(s, k, bind, what.taken, expected, base, stride);
  what.to_roots = r.to_roots = s->n_boxes == 1;
  what.kernel = k;
  what.bind = &bind;
  bind.base = part;
  for (int b = 0; b < s->n_boxes; b++) {
    int64_t offset = 0;
    for (int d = 0; d < s->ndim; d++) offset += s->box[b].lo[d] * stride[0][d];
    memset(part, 0xff, sizeof part);
    part[0] = x + offset;
    if (s->stores) part[own] = stored[1] + offset;
    memcpy(bind.lo, s->box[b].lo, sizeof bind.lo);
    memcpy(bind.n, s->box[b].n, sizeof bind.n);
    bool broken;
    cr_assert(
        tsr__cuda_reduce(&what, &(tsr_cuda_reducer){&r, room, launch, take, node_kernel}, &broken));
    cr_assert_not(broken);
    while (r.n_rooms > 0) free(r.rooms[--r.n_rooms]);
    while (r.n_kernels > 0) tsr__kernel_destroy(r.kernels[--r.n_kernels]);
  }
  for (int i = 0; i < s->n && !collects && !r.misses; i++) {
    char *got = calloc((size_t)volume, 16), *want = calloc((size_t)volume, 16);
    cr_assert_eq(tsr__partials_finish(expected[i], want), TSR_OK);
    cr_expect_eq(tsr__partials_finish(r.partials[i], got), TSR_OK, "program %d", (int)number);
    bool same = memcmp(got, want, (size_t)volume * 16) == 0;
    if (!same && (r.compute[i] == TSR_FLOAT32 || r.compute[i] == TSR_COMPLEX64)) {
      same = true; /* all NaN are one value */
      for (int64_t e = 0; e < volume * 4; e++) {
        const float p = ((float *)got)[e], q = ((float *)want)[e];
        same = same && (memcmp(&p, &q, sizeof p) == 0 || (p != p && q != q));
      }
    } else if (!same && (r.compute[i] == TSR_FLOAT64 || r.compute[i] == TSR_COMPLEX128)) {
      same = true;
      for (int64_t e = 0; e < volume * 2; e++) {
        const double p = ((double *)got)[e], q = ((double *)want)[e];
        same = same && (memcmp(&p, &q, sizeof p) == 0 || (p != p && q != q));
      }
    }
    cr_expect(same, "%d: %s of %s over axes %x of (%d, %d, %d), %d boxes", (int)number,
              tsr__reduce_name(s->code[i]), tsr__dtype_info(s->dtype)->name, s->axes[i],
              (int)s->shape[0], (int)s->shape[1], (int)s->shape[2], s->n_boxes);
    free(got);
    free(want);
  }
  if (s->stores && !collects && !r.misses)
    cr_expect_arr_eq(stored[1], stored[0], (size_t)volume * 16, "%d", (int)number);
  for (int i = 0; i < s->n; i++) {
    tsr__partials_destroy(r.partials[i]);
    tsr__partials_destroy(expected[i]);
  }
  tsr__kernel_destroy(k);
  free(x);
  free(stored[0]);
  free(stored[1]);
  return !r.misses;
}

Test(cuda_reduce, random_reductions, .timeout = 600)
{
  enum { N = IS_SANITIZED ? 40 : 80 };
  tsr_jit *jit = open_jit(3);
  if (jit == NULL) cr_skip_test("this processor has no fused multiply-add");
  static subject s[N];
  uint64_t seed = 11;
  for (int i = 0; i < N; i++) draw(&s[i], &seed);
  for (int i = 0; i < N; i++) check(jit, &s[i], true, (uint64_t)i);
  tsr__jit_wait(jit);
  for (int i = 0; i < N; i++) check(jit, &s[i], true, (uint64_t)i); /* what a held lock left out */
  tsr__jit_wait(jit);
  cr_expect_eq(tsr__jit_stats(jit).n_failed, 0u);
  for (int i = 0; i < N; i++) cr_expect(check(jit, &s[i], false, (uint64_t)i), "%d has no code", i);
  tsr__jit_destroy(jit);
}

/* A kernel that is so long that its loop over a thread's values is not unrolled. */
Test(cuda_reduce, a_long_kernel, .timeout = 300)
{
  tsr_jit *jit = open_jit(4);
  if (jit == NULL) cr_skip_test("this processor has no fused multiply-add");
  subject s = {.ndim = 2,
               .shape = {48, 40},
               .stride = {40, 1},
               .axes = {1, 1},
               .dtype = TSR_FLOAT64,
               .n = 1,
               .code = {TSR_REDUCE_SUM},
               .n_more = 2200,
               .n_boxes = 1};
  s.box[0] = tsr__box_of_shape(2, s.shape);
  for (int round = 0; round < 2; round++) {
    check(jit, &s, true, 1);
    tsr__jit_wait(jit);
  }
  cr_expect(check(jit, &s, false, 1), "there is no code");
  tsr__jit_destroy(jit);
}

/* The compiler for devices takes the same texts. */
Test(cuda_reduce, nvrtc_takes_the_text, .timeout = 300)
{
  enum { N = 40 };
  tsr_jit *jit = open_jit_of(&tsr__code_cuda, 1);
  if (!tsr__jit_has_compiler(jit)) cr_skip_test("there is no NVRTC here");
  static subject s[N];
  uint64_t seed = 12;
  for (int i = 0; i < N; i++) draw(&s[i], &seed);
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < N; i++) check(jit, &s[i], true, (uint64_t)i);
    tsr__jit_wait(jit);
  }
  cr_expect_eq(tsr__jit_stats(jit).n_failed, 0u);
  const tsr_jit_stats stats = tsr__jit_stats(jit);
  cr_expect_gt(stats.n_compiled + stats.n_cached, N / 2);
  tsr__jit_destroy(jit);
}
