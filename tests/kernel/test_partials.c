/* Partials against a recursive reading of the tree's definition: bit by bit, for random shapes,
 * axes, boxes, orders, partitions and messages. */
#include "kernel/reduce/reduce.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TestSuite(partials, .timeout = 300);

/* Randomness and data. */

static uint64_t draw(uint64_t *seed)
{
  uint64_t z = (*seed += UINT64_C(0x9E3779B97F4A7C15));
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

static int64_t below(uint64_t *seed, int64_t n)
{
  return (int64_t)(draw(seed) % (uint64_t)n);
}

/* A number of any magnitude and sign, so that the order of a sum shows; some zeros of both signs.
 */
static double draw_real(uint64_t *seed, int range, bool nan)
{
  int64_t what = below(seed, 40);
  if (what == 0) return 0.0;
  if (what == 1) return -0.0;
  if (what == 2 && nan) return below(seed, 2) ? (double)NAN : -(double)NAN;
  if (what == 3 && nan) return below(seed, 2) ? (double)INFINITY : -(double)INFINITY;
  double m = 1.0 + (double)(draw(seed) >> 12) * 0x1p-52;
  double x = ldexp(m, (int)below(seed, 2 * range) - range);
  return draw(seed) & 1 ? x : -x;
}

static void fill(uint64_t *seed, tsr_dtype dtype, bool small, bool nan, int64_t n, char *out)
{
  for (int64_t i = 0; i < n; i++) {
    int64_t word = small ? below(seed, 7) - 3 : (int64_t)draw(seed);
    double real = small ? (double)word * (below(seed, 2) ? 1 : -1) : draw_real(seed, 60, nan);
    if (small && nan && below(seed, 30) == 0) real = (double)NAN;
    float single = small ? (float)real : (float)ldexp(real, 0);
    switch (dtype) {
    case TSR_BOOL:
      out[i] = small ? below(seed, 50) != 0 : below(seed, 50) == 0;
      break;
    case TSR_FLOAT32:
      memcpy(out + 4 * i, &single, 4);
      break;
    case TSR_FLOAT64:
      memcpy(out + 8 * i, &real, 8);
      break;
    default: /* an integer's low bits */
      memcpy(out + (int64_t)tsr__dtype_size(dtype) * i, &word, tsr__dtype_size(dtype));
    }
  }
}

/* The reference. */

/* One value of any dtype: integers and bool in i, floats in d (a float32 is exact there). */
typedef struct value {
  int64_t i, index;
  double d;
} value;

typedef struct problem {
  int ndim;
  int64_t shape[TSR_MAX_NDIM];
  uint32_t mask;
  tsr_reduction op;
  tsr_dtype dtype, result;
  size_t bytes, result_bytes;
  int64_t volume;
  char *data;
} problem;

static bool is_real(tsr_dtype dtype)
{
  return dtype == TSR_FLOAT32 || dtype == TSR_FLOAT64;
}

static value load(const problem *q, int64_t at)
{
  value v = {0};
  const char *from = q->data + (size_t)at * q->bytes;
  float single;
  switch (q->dtype) {
  case TSR_FLOAT32:
    memcpy(&single, from, 4);
    v.d = (double)single;
    break;
  case TSR_FLOAT64:
    memcpy(&v.d, from, 8);
    break;
  default:
    v.i = tsr__scalar_int(tsr__scalar_load(q->dtype, from));
  }
  return v;
}

/* Does b come before a in ascending order of values? -0 and +0 are told apart where `signs`. */
static bool is_less(const problem *q, value b, value a, bool signs)
{
  if (q->dtype == TSR_UINT64) return (uint64_t)b.i < (uint64_t)a.i;
  if (!is_real(q->dtype)) return b.i < a.i;
  if (b.d == a.d && signs) return signbit(b.d) && !signbit(a.d);
  return b.d < a.d;
}

static value ref_arg(const problem *q, value a, value b)
{
  bool a_nan = is_real(q->dtype) && isnan(a.d), b_nan = is_real(q->dtype) && isnan(b.d);
  if (a_nan != b_nan) return a_nan ? a : b;
  bool b_wins = q->op == TSR_REDUCE_ARGMIN ? is_less(q, b, a, false) : is_less(q, a, b, false);
  bool a_wins = q->op == TSR_REDUCE_ARGMIN ? is_less(q, a, b, false) : is_less(q, b, a, false);
  if (a_wins != b_wins && !a_nan) return a_wins ? a : b;
  return a.index < b.index ? a : b;
}

static value ref_combine(const problem *q, value a, value b)
{
  value r = {0};
  switch (q->op) {
  case TSR_REDUCE_SUM:
    r.i = (int64_t)((uint64_t)a.i + (uint64_t)b.i);
    r.d = q->dtype == TSR_FLOAT32 ? (double)((float)a.d + (float)b.d) : a.d + b.d;
    return r;
  case TSR_REDUCE_PROD:
    r.i = (int64_t)((uint64_t)a.i * (uint64_t)b.i);
    r.d = q->dtype == TSR_FLOAT32 ? (double)((float)a.d * (float)b.d) : a.d * b.d;
    return r;
  case TSR_REDUCE_ANY:
    r.i = a.i || b.i;
    return r;
  case TSR_REDUCE_ALL:
    r.i = a.i && b.i;
    return r;
  case TSR_REDUCE_ARGMIN:
  case TSR_REDUCE_ARGMAX:
    return ref_arg(q, a, b);
  default:
    if (is_real(q->dtype) && isnan(a.d)) return a;
    if (is_real(q->dtype) && isnan(b.d)) return b;
    return is_less(q, b, a, true) == (q->op == TSR_REDUCE_MIN) ? b : a;
  }
}

static int bits_of(int64_t n)
{
  int bits = 0;
  while (((int64_t)1 << bits) < n) bits++;
  return bits;
}

/* The value of the node that starts at `lo` and spans 2^bits[k] along each reduced axis k. */
static value ref_node(const problem *q, const int64_t *lo, const int *bits)
{
  int last = -1, axis = -1;
  for (int k = 0; k < q->ndim; k++)
    if ((q->mask >> k & 1) && q->shape[k] > 1) last = k;
  for (int k = 0; k < q->ndim; k++) {
    if (bits[k] == 0 || (k == last && bits[k] <= 6)) continue;
    if (axis < 0 || bits[k] > bits[axis]) axis = k;
  }
  if (axis < 0 && last >= 0 && bits[last] > 0) axis = last;
  if (axis < 0) {
    int64_t at = 0, index = 0;
    for (int k = 0; k < q->ndim; k++) {
      at = at * q->shape[k] + lo[k];
      if (q->mask >> k & 1) index = index * q->shape[k] + lo[k];
    }
    value v = load(q, at);
    v.index = index;
    return v;
  }
  int half[TSR_MAX_NDIM];
  int64_t right[TSR_MAX_NDIM];
  memcpy(half, bits, sizeof half);
  memcpy(right, lo, sizeof right);
  half[axis]--;
  right[axis] += (int64_t)1 << half[axis];
  value a = ref_node(q, lo, half);
  return right[axis] < q->shape[axis] ? ref_combine(q, a, ref_node(q, right, half)) : a;
}

/* Problems. */

static int64_t draw_length(uint64_t *seed, int64_t most)
{
  static const int64_t edges[] = {1,  2,  3,  4,  5,  7,  8,   9,   15,  16,  17,  31,  32,
                                  33, 61, 63, 64, 65, 97, 127, 128, 129, 251, 255, 256, 257};
  int64_t n =
      below(seed, 2) ? edges[below(seed, sizeof edges / sizeof *edges)] : 1 + below(seed, 300);
  return n <= most ? n : 1 + below(seed, most);
}

static void draw_problem(uint64_t *seed, problem *q)
{
  memset(q, 0, sizeof *q);
  q->ndim = 1 + (int)below(seed, 4);
  q->volume = 1;
  for (int j = 0, k = (int)below(seed, q->ndim); j < q->ndim; j++, k = (k + 1) % q->ndim) {
    q->shape[k] = draw_length(seed, 20000 / q->volume > 0 ? 20000 / q->volume : 1);
    q->volume *= q->shape[k];
  }
  q->mask = (uint32_t)below(seed, 1 << q->ndim);
  q->op = (tsr_reduction)below(seed, TSR_N_REDUCTIONS);
  if (below(seed, 3) == 0) q->op = TSR_REDUCE_SUM;
  cr_assert(tsr__reduce_dtypes(q->op, (tsr_dtype)below(seed, TSR_DTYPE_COMPLEX64), &q->dtype,
                               &q->result));
  q->bytes = tsr__dtype_size(q->dtype);
  q->result_bytes = tsr__dtype_size(q->result);
  q->data = malloc((size_t)q->volume * q->bytes);
  fill(seed, q->dtype, below(seed, 3) == 0, below(seed, 4) == 0, q->volume, q->data);
}

static tsr_box whole_box(const problem *q)
{
  return tsr__box_of_shape(q->ndim, q->shape);
}

/* The values of a box, dense, in memory of their own. */
static char *gather(const problem *q, const tsr_box *b)
{
  int64_t n = tsr__box_volume(b);
  char *out = malloc((size_t)n * q->bytes + 1);
  for (int64_t i = 0; i < n; i++) {
    int64_t rest = i, at = 0, stride = 1;
    for (int k = q->ndim - 1; k >= 0; k--) {
      at += (b->lo[k] + rest % b->n[k]) * stride;
      rest /= b->n[k];
      stride *= q->shape[k];
    }
    memcpy(out + (size_t)i * q->bytes, q->data + (size_t)at * q->bytes, q->bytes);
  }
  return out;
}

/* Every other box from memory that must stay as it is. */
static void add_box(const problem *q, tsr_partials *p, const tsr_box *b)
{
  char *values = gather(q, b);
  if (b->lo[0] & 1) {
    cr_assert_eq(tsr__partials_add(p, b, values, values), TSR_OK);
  } else {
    char *before = gather(q, b), *room = gather(q, b);
    cr_assert_eq(tsr__partials_add(p, b, values, room), TSR_OK);
    cr_assert_eq(memcmp(values, before, (size_t)tsr__box_volume(b) * q->bytes), 0);
    free(before);
    free(room);
  }
  free(values);
}

/* Cut one box of the list in two at a random place, n times. */
static void cut_at_random(uint64_t *seed, tsr_boxes *list, int64_t n)
{
  for (; n > 0; n--) {
    tsr_box *b = &list->v[below(seed, list->n)];
    if (b->ndim == 0) return;
    int k = (int)below(seed, b->ndim);
    if (b->n[k] < 2) continue;
    int64_t at = 1 + below(seed, b->n[k] - 1);
    if (below(seed, 2) && at > 8) at = at / 8 * 8;
    tsr_box right = *b;
    right.lo[k] += at;
    right.n[k] -= at;
    b->n[k] = at;
    tsr__boxes_add(list, &right);
  }
}

static void shuffle(uint64_t *seed, tsr_boxes *list)
{
  for (int32_t i = list->n - 1; i > 0; i--) {
    int32_t j = (int32_t)below(seed, i + 1);
    tsr_box t = list->v[i];
    list->v[i] = list->v[j];
    list->v[j] = t;
  }
}

static tsr_partials *create(const problem *q, const tsr_box *kept)
{
  tsr_tree tree;
  tsr__tree_init(&tree, q->ndim, q->shape, q->mask);
  return tsr__partials_create(&tree, q->op, q->dtype, kept, NULL);
}

static void *packed(const tsr_partials *p, size_t *n_bytes)
{
  *n_bytes = tsr__partials_pack_bytes(p);
  void *bytes = malloc(*n_bytes);
  tsr__partials_pack(p, bytes);
  return bytes;
}

/* dst := dst + src, by either of the two ways; src is gone. */
static void merge_into(uint64_t *seed, tsr_partials *dst, tsr_partials *src)
{
  if (below(seed, 2)) {
    cr_assert_eq(tsr__partials_merge(dst, src), TSR_OK);
  } else {
    size_t n_bytes;
    void *bytes = packed(src, &n_bytes);
    cr_assert_eq(tsr__partials_merge_packed(dst, bytes, n_bytes), TSR_OK);
    free(bytes);
  }
  tsr__partials_destroy(src);
}

static bool same_value(const problem *q, value wanted, const char *got)
{
  if (q->result == TSR_FLOAT64) {
    double d;
    memcpy(&d, got, 8);
    return (isnan(d) && isnan(wanted.d)) || memcmp(&d, &wanted.d, 8) == 0;
  }
  if (q->result == TSR_FLOAT32) {
    float f, w = (float)wanted.d;
    memcpy(&f, got, 4);
    return (isnan(f) && isnan(w)) || memcmp(&f, &w, 4) == 0;
  }
  if (q->result == TSR_BOOL) return *got == (char)wanted.i;
  bool is_arg = q->op == TSR_REDUCE_ARGMIN || q->op == TSR_REDUCE_ARGMAX;
  return memcmp(got, is_arg ? &wanted.index : &wanted.i, tsr__dtype_size(q->result)) == 0;
}

static void check_result(const problem *q, const tsr_partials *p, uint64_t seed)
{
  int64_t n_kept = 1, lo[TSR_MAX_NDIM] = {0};
  int bits[TSR_MAX_NDIM] = {0};
  for (int k = 0; k < q->ndim; k++) {
    if (q->mask >> k & 1)
      bits[k] = bits_of(q->shape[k]);
    else
      n_kept *= q->shape[k];
  }
  char *out = malloc((size_t)n_kept * q->result_bytes);
  cr_assert_eq(tsr__partials_finish(p, out), TSR_OK, "seed %llu", (unsigned long long)seed);
  for (int64_t i = 0; i < n_kept; i++) {
    int64_t rest = i;
    for (int k = q->ndim - 1; k >= 0; k--) {
      if (q->mask >> k & 1) continue;
      lo[k] = rest % q->shape[k];
      rest /= q->shape[k];
    }
    cr_assert(same_value(q, ref_node(q, lo, bits), out + (size_t)i * q->result_bytes),
              "%s of dtype %d, shape %lld %lld %lld %lld, axes mask %u, at %lld: seed %llu",
              tsr__reduce_name(q->op), q->dtype, (long long)q->shape[0], (long long)q->shape[1],
              (long long)q->shape[2], (long long)q->shape[3], q->mask, (long long)i,
              (unsigned long long)seed);
  }
  free(out);
}

/* Tests. */

Test(partials, whole_box_at_once)
{
  for (uint64_t i = 0; i < 400; i++) {
    uint64_t seed = i * 7919;
    problem q;
    draw_problem(&seed, &q);
    tsr_box all = whole_box(&q);
    tsr_partials *p = create(&q, &all);
    add_box(&q, p, &all);
    check_result(&q, p, i * 7919);
    tsr__partials_destroy(p);
    free(q.data);
  }
}

/* Partials that have given their result are those of another shape. */
Test(partials, are_resized)
{
  for (uint64_t i = 0; i < 400; i++) {
    uint64_t start = i * 15485863 + 3, seed = start;
    problem q;
    draw_problem(&seed, &q);
    tsr_box all = whole_box(&q);
    tsr_partials *p = create(&q, &all);
    for (int turn = 0; turn < 4; turn++) {
      tsr_boxes chunks = {0};
      tsr__boxes_add(&chunks, &all);
      cut_at_random(&seed, &chunks, below(&seed, 10));
      for (int32_t j = 0; j < chunks.n; j++) add_box(&q, p, &chunks.v[j]);
      check_result(&q, p, start);
      tsr__boxes_free(&chunks);
      tsr__partials_clear(p);
      free(q.data);
      q.volume = 1;
      for (int k = 0; k < q.ndim; k++)
        q.volume *= q.shape[k] = draw_length(&seed, q.volume < 1000 ? 300 : 3);
      q.data = malloc((size_t)q.volume * q.bytes);
      fill(&seed, q.dtype, below(&seed, 3) == 0, false, q.volume, q.data);
      all = whole_box(&q);
      tsr_tree tree;
      tsr__tree_init(&tree, q.ndim, q.shape, q.mask);
      tsr__partials_resize(p, &tree, &all);
    }
    tsr__partials_destroy(p);
    free(q.data);
  }
}

Test(partials, chunks_in_random_order_over_several_partials)
{
  enum { MOST = 5 };
  for (uint64_t i = 0; i < 500; i++) {
    uint64_t start = i * 104729 + 1, seed = start;
    problem q;
    draw_problem(&seed, &q);
    tsr_box all = whole_box(&q);
    tsr_boxes chunks = {0};
    tsr__boxes_add(&chunks, &all);
    cut_at_random(&seed, &chunks, below(&seed, 60));
    shuffle(&seed, &chunks);
    tsr_partials *p[MOST];
    int n = 1 + (int)below(&seed, MOST);
    for (int j = 0; j < n; j++) p[j] = create(&q, &all);
    for (int32_t j = 0; j < chunks.n; j++) add_box(&q, p[below(&seed, n)], &chunks.v[j]);
    for (; n > 1; n--) {
      int from = (int)below(&seed, n);
      tsr_partials *src = p[from];
      p[from] = p[n - 1];
      merge_into(&seed, p[below(&seed, n - 1)], src);
    }
    check_result(&q, p[0], start);
    tsr__partials_destroy(p[0]);
    tsr__boxes_free(&chunks);
    free(q.data);
  }
}

/* Who is to receive partials knows how large they are from the boxes that were added. */
Test(partials, bytes_follow_from_the_boxes)
{
  for (uint64_t i = 0; i < 500; i++) {
    uint64_t start = i * 15485863 + 3, seed = start;
    problem q;
    draw_problem(&seed, &q);
    tsr_box all = whole_box(&q);
    tsr_boxes chunks = {0}, added = {0};
    tsr__boxes_add(&chunks, &all);
    cut_at_random(&seed, &chunks, below(&seed, 12));
    tsr_partials *p = create(&q, &all);
    for (int32_t j = 0; j < chunks.n; j++) {
      if (chunks.n > 1 && below(&seed, 2)) continue;
      tsr__boxes_add(&added, &chunks.v[j]);
      tsr_boxes pieces = {0};
      tsr__boxes_add(&pieces, &chunks.v[j]);
      cut_at_random(&seed, &pieces, below(&seed, 5));
      shuffle(&seed, &pieces);
      for (int32_t c = 0; c < pieces.n; c++) add_box(&q, p, &pieces.v[c]);
      tsr__boxes_free(&pieces);
    }
    tsr_tree tree;
    tsr__tree_init(&tree, q.ndim, q.shape, q.mask);
    cr_assert_eq(tsr__partials_bytes_of(&tree, q.op, q.dtype, added.v, added.n),
                 tsr__partials_pack_bytes(p), "seed %llu", (unsigned long long)start);
    tsr__partials_destroy(p);
    tsr__boxes_free(&chunks);
    tsr__boxes_free(&added);
    free(q.data);
  }
}

/* Long rows, so that whole vectors of subtrees rise, cut inside and between blocks of 64; the same
 * partials again after a clear. */
Test(partials, long_rows_cut_anywhere)
{
  for (uint64_t seed = 1; seed <= 300; seed++) {
    uint64_t s = seed;
    problem q = {.ndim = 1, .mask = 1};
    q.volume = q.shape[0] = 1 + below(&s, below(&s, 2) ? 300 : 20000);
    do q.op = (tsr_reduction)below(&s, TSR_N_REDUCTIONS);
    while (
        !tsr__reduce_dtypes(q.op, (tsr_dtype)below(&s, TSR_DTYPE_COMPLEX64), &q.dtype, &q.result));
    q.bytes = tsr__dtype_size(q.dtype);
    q.result_bytes = tsr__dtype_size(q.result);
    q.data = malloc((size_t)q.volume * q.bytes);
    fill(&s, q.dtype, below(&s, 3) == 0, below(&s, 4) == 0, q.volume, q.data);
    tsr_box all = whole_box(&q);
    tsr_partials *p = create(&q, &all);
    for (int turn = 0; turn < 2; turn++) {
      tsr_boxes list = {0};
      tsr__boxes_add(&list, &all);
      cut_at_random(&s, &list, below(&s, 6));
      shuffle(&s, &list);
      for (int32_t i = 0; i < list.n; i++) add_box(&q, p, &list.v[i]);
      check_result(&q, p, seed);
      tsr__partials_clear(p);
      tsr__boxes_free(&list);
    }
    tsr__partials_destroy(p);
    free(q.data);
  }
}

/* Each piece of the kept box is collected by partials of its own, which then meet in one. */
/* Rows in windows of other widths each, from one column to all: what waits in one row's windows meets
 * that of the next one, whatever the kinds of cells that they are stored in. */
Test(partials, rows_in_windows_of_any_width)
{
  enum { ROWS = 64, COLUMNS = 300 };
  tsr_tree tree;
  tsr__tree_init(&tree, 2, (int64_t[]){ROWS, COLUMNS}, 1);
  const tsr_box all = tsr__box_of_shape(2, (int64_t[]){ROWS, COLUMNS});
  tsr_partials *p = tsr__partials_create(&tree, TSR_REDUCE_SUM, TSR_INT64, &all, NULL);
  int64_t values[COLUMNS], out[COLUMNS], width = 1;
  for (int time = 0; time < 2; time++) {
    for (int i = 0; i < ROWS; i++) {
      const int row = (i * 37 + time) % ROWS; /* each once */
      for (int at = 0; at < COLUMNS; at += (int)width) {
        width = i % 3 == 0 ? 1 + i : i % 3 == 1 ? 1 + (width * 7 + at) % 150 : COLUMNS;
        const int end = at + (int)width < COLUMNS ? at + (int)width : COLUMNS;
        const tsr_box box = tsr__box_dense(2, (int64_t[]){row, at}, (int64_t[]){row + 1, end});
        for (int j = at; j < end; j++) values[j - at] = row * 1000 + j;
        cr_assert_eq(tsr__partials_add(p, &box, values, values), TSR_OK);
      }
    }
    cr_assert_eq(tsr__partials_finish(p, out), TSR_OK);
    for (int j = 0; j < COLUMNS; j++)
      cr_assert_eq(out[j], 1000 * (ROWS * (ROWS - 1) / 2) + ROWS * j);
    tsr__partials_clear(p);
  }
  tsr__partials_destroy(p);
}

Test(partials, pieces_of_the_kept_box)
{
  for (uint64_t i = 0; i < 300; i++) {
    uint64_t start = i * 15485863 + 2, seed = start;
    problem q;
    draw_problem(&seed, &q);
    tsr_box all = whole_box(&q);
    tsr_boxes pieces = {0};
    tsr__boxes_add(&pieces, &all);
    cut_at_random(&seed, &pieces, 1 + below(&seed, 6));
    shuffle(&seed, &pieces);
    tsr_partials *total = create(&q, &all);
    for (int32_t j = 0; j < pieces.n; j++) {
      tsr_partials *p = create(&q, &pieces.v[j]); /* its reduced axes are ignored */
      tsr_boxes chunks = {0};
      tsr__boxes_add(&chunks, &pieces.v[j]);
      cut_at_random(&seed, &chunks, below(&seed, 20));
      shuffle(&seed, &chunks);
      for (int32_t c = 0; c < chunks.n; c++) add_box(&q, p, &chunks.v[c]);
      tsr__boxes_free(&chunks);
      merge_into(&seed, total, p);
    }
    check_result(&q, total, start);
    tsr__partials_destroy(total);
    tsr__boxes_free(&pieces);
    free(q.data);
  }
}

Test(partials, packed_bytes_depend_on_the_points_only)
{
  for (uint64_t i = 0; i < 200; i++) {
    uint64_t seed = i * 32452843 + 3;
    problem q;
    draw_problem(&seed, &q);
    fill(&seed, q.dtype, false, false, q.volume, q.data);
    tsr_box all = whole_box(&q);
    tsr_boxes covered = {0};
    tsr__boxes_add(&covered, &all);
    cut_at_random(&seed, &covered, 1 + below(&seed, 8));
    shuffle(&seed, &covered);
    covered.n = 1 + (int32_t)below(&seed, covered.n);
    size_t n_bytes[2];
    void *bytes[2];
    for (int way = 0; way < 2; way++) {
      tsr_partials *p = create(&q, &all);
      tsr_boxes chunks = {0};
      for (int32_t j = 0; j < covered.n; j++) tsr__boxes_add(&chunks, &covered.v[j]);
      cut_at_random(&seed, &chunks, below(&seed, 40));
      shuffle(&seed, &chunks);
      for (int32_t j = 0; j < chunks.n; j++) add_box(&q, p, &chunks.v[j]);
      bytes[way] = packed(p, &n_bytes[way]);
      tsr__boxes_free(&chunks);
      tsr__partials_destroy(p);
    }
    cr_assert_eq(n_bytes[0], n_bytes[1], "case %llu", (unsigned long long)i);
    cr_assert_eq(memcmp(bytes[0], bytes[1], n_bytes[0]), 0, "case %llu", (unsigned long long)i);
    free(bytes[0]);
    free(bytes[1]);
    tsr__boxes_free(&covered);
    free(q.data);
  }
}

Test(partials, missing_parts_are_an_error)
{
  uint64_t seed = 4;
  double out[300];
  tsr_tree tree;
  tsr__tree_init(&tree, 2, (int64_t[]){300, 70}, 2);
  tsr_box all = tsr__box_of_shape(2, (int64_t[]){300, 70});
  tsr_partials *p = tsr__partials_create(&tree, TSR_REDUCE_SUM, TSR_FLOAT64, &all, NULL);
  double *values = malloc(300 * 70 * sizeof *values);
  fill(&seed, TSR_FLOAT64, false, false, 300 * 70, (char *)values);
  cr_expect_eq(tsr__partials_finish(p, out), TSR_ERR_INTERNAL);
  tsr_box part = tsr__box_dense(2, (int64_t[]){0, 0}, (int64_t[]){300, 69});
  cr_expect_eq(tsr__partials_add(p, &part, values, values), TSR_OK);
  cr_expect_eq(tsr__partials_finish(p, out), TSR_ERR_INTERNAL);
  part = tsr__box_dense(2, (int64_t[]){0, 69}, (int64_t[]){299, 70});
  cr_expect_eq(tsr__partials_add(p, &part, values, values), TSR_OK);
  cr_expect_eq(tsr__partials_finish(p, out), TSR_ERR_INTERNAL);
  part = tsr__box_dense(2, (int64_t[]){299, 69}, (int64_t[]){300, 70});
  cr_expect_eq(tsr__partials_add(p, &part, values, values), TSR_OK);
  cr_expect_eq(tsr__partials_finish(p, out), TSR_OK);
  free(values);
  tsr__partials_destroy(p);
}

/* A second reduction finds the large blocks of the first one in their pool. */
Test(partials, large_blocks_are_used_again)
{
  enum { ROWS = 5, COLUMNS = 20000 };
  tsr_memory *pool = tsr__memory_create(0);
  tsr_tree tree;
  tsr__tree_init(&tree, 2, (int64_t[]){ROWS, COLUMNS}, 1);
  const tsr_box all = tsr__box_of_shape(2, (int64_t[]){ROWS, COLUMNS});
  tsr_partials *p = tsr__partials_create(&tree, TSR_REDUCE_SUM, TSR_FLOAT64, &all, pool);
  double *values = malloc(COLUMNS * sizeof *values), *out = malloc(COLUMNS * sizeof *out);
  uint64_t n_first = 0;
  for (int time = 0; time < 3; time++) {
    for (int row = 0; row < ROWS; row++) {
      const tsr_box box = tsr__box_dense(2, (int64_t[]){row, 0}, (int64_t[]){row + 1, COLUMNS});
      for (int i = 0; i < COLUMNS; i++) values[i] = row + i;
      cr_assert_eq(tsr__partials_add(p, &box, values, values), TSR_OK);
    }
    cr_assert_eq(tsr__partials_finish(p, out), TSR_OK);
    for (int i = 0; i < COLUMNS; i++) cr_assert_eq(out[i], 10 + 5 * i);
    cr_expect_gt(tsr__memory_stats(pool).in_use_bytes, 0);
    tsr__partials_clear(p);
    cr_expect_eq(tsr__memory_stats(pool).in_use_bytes, 0);
    if (time == 0) n_first = tsr__memory_stats(pool).n_system;
  }
  cr_expect_gt(n_first, 0);
  cr_expect_eq(tsr__memory_stats(pool).n_system, n_first);
  free(values);
  free(out);
  tsr__partials_destroy(p);
  tsr__memory_destroy(pool);
}

Test(partials, boxes_outside_are_refused)
{
  double values[16] = {0};
  tsr_tree tree;
  tsr__tree_init(&tree, 2, (int64_t[]){8, 8}, 1);
  tsr_box kept = tsr__box_dense(2, (int64_t[]){0, 2}, (int64_t[]){8, 6});
  tsr_partials *p = tsr__partials_create(&tree, TSR_REDUCE_SUM, TSR_FLOAT64, &kept, NULL);
  tsr_box low = tsr__box_dense(2, (int64_t[]){0, 1}, (int64_t[]){1, 4});
  tsr_box high = tsr__box_dense(2, (int64_t[]){0, 4}, (int64_t[]){1, 7});
  tsr_box past = tsr__box_dense(2, (int64_t[]){7, 2}, (int64_t[]){9, 6});
  tsr_box strided = tsr__box_dense(2, (int64_t[]){0, 2}, (int64_t[]){3, 4});
  strided.step[0] = 2;
  cr_expect_eq(tsr__partials_add(p, &low, values, values), TSR_ERR_INTERNAL);
  cr_expect_eq(tsr__partials_add(p, &high, values, values), TSR_ERR_INTERNAL);
  cr_expect_eq(tsr__partials_add(p, &past, values, values), TSR_ERR_INTERNAL);
  cr_expect_eq(tsr__partials_add(p, &strided, values, values), TSR_ERR_INTERNAL);
  tsr_box empty = tsr__box_dense(2, (int64_t[]){0, 1}, (int64_t[]){0, 4});
  cr_expect_eq(tsr__partials_add(p, &empty, values, values), TSR_OK, "an empty box adds nothing");
  tsr__partials_destroy(p);
}

Test(partials, reductions_that_differ_do_not_merge)
{
  tsr_tree trees[3];
  tsr__tree_init(&trees[0], 2, (int64_t[]){8, 8}, 1);
  tsr__tree_init(&trees[1], 2, (int64_t[]){8, 8}, 3);
  tsr__tree_init(&trees[2], 2, (int64_t[]){8, 9}, 1);
  tsr_box all = tsr__box_of_shape(2, (int64_t[]){8, 8});
  tsr_box part = tsr__box_dense(2, (int64_t[]){0, 2}, (int64_t[]){8, 6});
  tsr_partials *p = tsr__partials_create(&trees[0], TSR_REDUCE_MIN, TSR_FLOAT64, &part, NULL);
  tsr_partials *others[] = {
      tsr__partials_create(&trees[1], TSR_REDUCE_MIN, TSR_FLOAT64, &part, NULL),
      tsr__partials_create(&trees[2], TSR_REDUCE_MIN, TSR_FLOAT64, &part, NULL),
      tsr__partials_create(&trees[0], TSR_REDUCE_MAX, TSR_FLOAT64, &part, NULL),
      tsr__partials_create(&trees[0], TSR_REDUCE_MIN, TSR_FLOAT32, &part, NULL),
      tsr__partials_create(&trees[0], TSR_REDUCE_MIN, TSR_FLOAT64, &all, NULL),
  };
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    cr_expect_eq(tsr__partials_merge(p, others[i]), TSR_ERR_INTERNAL, "pair %zu", i);
    tsr__partials_destroy(others[i]);
  }
  tsr__partials_destroy(p);
}

/* Every way of damaging a message is refused or harmless, and a refusal changes nothing. */
static void damage(const problem *q, const tsr_box *all, const void *bytes, size_t n_bytes,
                   const tsr_box *held)
{
  size_t n_before, n_after;
  tsr_partials *p = create(q, all);
  if (held) add_box(q, p, held);
  void *before = packed(p, &n_before);
  if (tsr__partials_merge_packed(p, bytes, n_bytes) != TSR_OK) {
    void *after = packed(p, &n_after);
    cr_assert(n_before == n_after && memcmp(before, after, n_before) == 0);
    free(after);
  }
  free(before);
  tsr__partials_destroy(p);
}

Test(partials, malformed_messages_are_refused)
{
  for (uint64_t i = 0; i < 24; i++) {
    uint64_t seed = i * 49979687 + 5;
    problem q;
    draw_problem(&seed, &q);
    tsr_box all = whole_box(&q), part = all;
    int k = (int)below(&seed, q.ndim);
    part.n[k] = 1 + below(&seed, q.shape[k]);
    tsr_partials *p = create(&q, &all), *empty = create(&q, &all);
    add_box(&q, p, &part);
    size_t n_bytes;
    char *bytes = packed(p, &n_bytes), *bad = malloc(n_bytes + 8);
    for (size_t n = 0; n < n_bytes; n += 1 + n / 16)
      cr_assert_eq(tsr__partials_merge_packed(empty, bytes, n), TSR_ERR_INTERNAL);
    memcpy(bad, bytes, n_bytes);
    memset(bad + n_bytes, 0, 8);
    cr_assert_eq(tsr__partials_merge_packed(empty, bad, n_bytes + 8), TSR_ERR_INTERNAL);
    for (size_t at = 0; at < n_bytes && at < 300; at++) {
      memcpy(bad, bytes, n_bytes);
      bad[at] = (char)(bad[at] ^ (1 << below(&seed, 8)));
      damage(&q, &all, bad, n_bytes, NULL);
      if (at < 4) cr_assert_eq(tsr__partials_merge_packed(empty, bad, n_bytes), TSR_ERR_INTERNAL);
    }
    cr_assert_eq(tsr__partials_merge_packed(p, bytes, n_bytes), TSR_ERR_INTERNAL,
                 "a message that p already holds");
    cr_assert_eq(tsr__partials_merge_packed(empty, bytes, n_bytes), TSR_OK);
    free(bad);
    free(bytes);
    tsr__partials_destroy(p);
    tsr__partials_destroy(empty);
    free(q.data);
  }
}

Test(partials, packed_boxes_outside_are_refused)
{
  tsr_tree tree;
  tsr__tree_init(&tree, 2, (int64_t[]){10, 8}, 1);
  tsr_box all = tsr__box_of_shape(2, (int64_t[]){10, 8});
  tsr_box half = tsr__box_dense(2, (int64_t[]){0, 0}, (int64_t[]){10, 4});
  tsr_partials *whole = tsr__partials_create(&tree, TSR_REDUCE_ARGMAX, TSR_FLOAT32, &all, NULL);
  tsr_partials *p = tsr__partials_create(&tree, TSR_REDUCE_ARGMAX, TSR_FLOAT32, &half, NULL);
  float values[24] = {1, 2, 3};
  tsr_box rows = tsr__box_dense(2, (int64_t[]){3, 0}, (int64_t[]){6, 8});
  cr_assert_eq(tsr__partials_add(whole, &rows, values, values), TSR_OK);
  size_t n_bytes;
  char *bytes = packed(whole, &n_bytes);
  cr_expect_eq(tsr__partials_merge_packed(p, bytes, n_bytes), TSR_ERR_INTERNAL, "kept box");
  tsr__partials_destroy(p);
  p = tsr__partials_create(&tree, TSR_REDUCE_ARGMAX, TSR_FLOAT32, &all, NULL);
  memset(bytes + n_bytes - 8, 0x7f, 8);
  cr_expect_eq(tsr__partials_merge_packed(p, bytes, n_bytes), TSR_ERR_INTERNAL, "flat index");
  free(bytes);
  tsr__partials_destroy(p);
  tsr__partials_destroy(whole);
}

Test(partials, huge_axes_do_not_overflow)
{
  const int64_t huge = INT64_C(1) << 62;
  double values[8] = {1, 2, 3, 4, 5, 6, 7, 8}, copy[8];
  tsr_tree tree;
  tsr__tree_init(&tree, 1, &huge, 1);
  cr_expect_eq(tree.n_levels, 62);
  tsr_box all = tsr__box_of_shape(1, &huge);
  size_t n_bytes[2];
  void *bytes[2];
  for (int way = 0; way < 2; way++) {
    tsr_partials *p = tsr__partials_create(&tree, TSR_REDUCE_SUM, TSR_FLOAT64, &all, NULL);
    memcpy(copy, values, sizeof copy);
    int64_t step = way == 0 ? 8 : 1;
    for (int64_t i = 0; i < 8; i += step) {
      tsr_box b = tsr__box_dense(1, (int64_t[]){huge - 8 + i}, (int64_t[]){huge - 8 + i + step});
      cr_assert_eq(tsr__partials_add(p, &b, copy + i, copy + i), TSR_OK);
    }
    bytes[way] = packed(p, &n_bytes[way]);
    cr_expect_eq(tsr__partials_finish(p, copy), TSR_ERR_INTERNAL);
    tsr__partials_destroy(p);
  }
  cr_expect_eq(n_bytes[0], n_bytes[1]);
  cr_expect_eq(memcmp(bytes[0], bytes[1], n_bytes[0]), 0);
  free(bytes[0]);
  free(bytes[1]);
}

Test(partials, no_axes_and_no_dimensions)
{
  tsr_tree tree;
  tsr__tree_init(&tree, 0, NULL, 0);
  tsr_box point = tsr__box_of_shape(0, NULL);
  float value = -3.5f, out = 0;
  tsr_partials *p = tsr__partials_create(&tree, TSR_REDUCE_SUM, TSR_FLOAT32, &point, NULL);
  cr_assert_eq(tsr__partials_add(p, &point, &value, &value), TSR_OK);
  cr_assert_eq(tsr__partials_finish(p, &out), TSR_OK);
  cr_expect_eq(out, -3.5f);
  tsr__partials_destroy(p);
  int64_t index = -1;
  p = tsr__partials_create(&tree, TSR_REDUCE_ARGMIN, TSR_FLOAT32, &point, NULL);
  cr_assert_eq(tsr__partials_add(p, &point, &value, &value), TSR_OK);
  cr_assert_eq(tsr__partials_finish(p, &index), TSR_OK);
  cr_expect_eq(index, 0);
  tsr__partials_destroy(p);
}

Test(partials, kept_points_may_be_none)
{
  tsr_tree tree;
  tsr__tree_init(&tree, 2, (int64_t[]){5, 0}, 1);
  tsr_box kept = tsr__box_of_shape(2, (int64_t[]){5, 0});
  char untouched = 7;
  tsr_partials *p = tsr__partials_create(&tree, TSR_REDUCE_MAX, TSR_INT32, &kept, NULL);
  cr_expect_eq(tsr__partials_finish(p, &untouched), TSR_OK);
  cr_expect_eq(untouched, 7);
  tsr__partials_destroy(p);
}
