/* What every device must do, for the tests of the kinds. */
#ifndef TSR_DEVICE_CONTRACT_H
#define TSR_DEVICE_CONTRACT_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/device/device.h"
#include "tests/support/draw.h"

static inline void copy_bytes(tsr_device *d, tsr_direction direction, void *dst, const void *src,
                              size_t n)
{
  const tsr_points p = tsr__points_of_bytes(dst, src, n);
  cr_assert_eq(tsr__device_copy(d, direction, &p), TSR_OK, "%s", d->message);
}

/* d: opened with a limit of 10,000 bytes. */
static inline void keeps_its_limit(tsr_device *d)
{
  void *p = d->ops->alloc(d, 6000);
  cr_assert_not_null(p);
  cr_assert_null(d->ops->alloc(d, 6000));
  d->ops->free(d, p, 6000);
  cr_assert_not_null(p = d->ops->alloc(d, 10000));
  d->ops->free(d, p, 10000);
  cr_assert_eq(tsr__device_status(d), TSR_OK);
}

/* Every second column of the middle rows of a 5 x 6 array. */
static inline tsr_points some(void *dst, const void *src, bool in)
{
  const int64_t array[2] = {6 * 8, 2 * 8}, dense[2] = {3 * 8, 8};
  tsr_points p = {.ndim = 2, .n = {3, 3}, .dst = dst, .src = src, .elem_bytes = 8};
  memcpy(p.dst_step, in ? array : dense, sizeof array);
  memcpy(p.src_step, in ? dense : array, sizeof array);
  return p;
}

static inline void copies_points(tsr_device *d)
{
  double all[5][6], few[3][3], back[3][3];
  for (int i = 0; i < 30; i++) all[i / 6][i % 6] = i;
  for (int i = 0; i < 9; i++) few[i / 3][i % 3] = 100 + i;
  char *x = d->ops->alloc(d, sizeof all), *y = d->ops->alloc(d, sizeof all);
  cr_assert_not_null(x);
  cr_assert_not_null(y);
  cr_assert_eq((uintptr_t)x % 64, 0);
  copy_bytes(d, TSR_COPY_IN, x, all, sizeof all);
  tsr_points p = some(x + 6 * 8, few, true);
  cr_assert_eq(tsr__device_copy(d, TSR_COPY_IN, &p), TSR_OK);
  copy_bytes(d, TSR_COPY_WITHIN, y, x, sizeof all);
  d->ops->free(d, x, sizeof all);
  p = some(back, y + 6 * 8, false);
  cr_assert_eq(tsr__device_copy(d, TSR_COPY_OUT, &p), TSR_OK);
  cr_assert_arr_eq(back, few, sizeof back);
  copy_bytes(d, TSR_COPY_OUT, all, y, sizeof all);
  for (int i = 0; i < 30; i++) {
    const int row = i / 6 - 1, column = i % 6;
    const bool is_new = row >= 0 && row < 3 && column % 2 == 0;
    cr_assert_eq(all[i / 6][i % 6], is_new ? 100 + row * 3 + column / 2 : i);
  }
  d->ops->free(d, y, sizeof all);
}

/** A number below n, drawn from a state. */
static inline int64_t contract_draw(uint64_t *state, int64_t n)
{
  return (int64_t)(draw_31(state) % (uint64_t)n);
}

enum { CONTRACT_BYTES = 1 << 16 };

/* Points in the middle of two memories of CONTRACT_BYTES, which they do not leave. */
static inline tsr_points draw_points(uint64_t *state)
{
  static const size_t elems[] = {1, 2, 4, 8, 16};
  tsr_points p = {.ndim = 1 + (int)contract_draw(state, 4),
                  .elem_bytes = elems[contract_draw(state, 5)]};
  int64_t dst = (int64_t)p.elem_bytes, src = dst;
  for (int k = p.ndim - 1; k >= 0; k--) {
    p.n[k] = 1 + contract_draw(state, 5);
    const int64_t signs = contract_draw(state, 8);
    p.dst_step[k] = signs & 1 ? -dst : dst;
    p.src_step[k] = signs == 5 ? 0 : signs & 2 ? -src : src;
    dst *= p.n[k] + (contract_draw(state, 3) == 0);
    src *= p.n[k] + (contract_draw(state, 3) == 0);
  }
  return p;
}

/* Copies points of any kind to the device, within it and back, as the host would. */
static inline void copies_any_points(tsr_device *d, int n_turns, uint64_t seed)
{
  char *from = malloc(CONTRACT_BYTES), *want = malloc(CONTRACT_BYTES),
       *got = malloc(CONTRACT_BYTES);
  char *x = d->ops->alloc(d, CONTRACT_BYTES), *y = d->ops->alloc(d, CONTRACT_BYTES);
  cr_assert(x != NULL && y != NULL);
  for (int turn = 0; turn < n_turns; turn++) {
    const tsr_direction direction = (tsr_direction)(turn % 3);
    for (int i = 0; i < CONTRACT_BYTES; i++) {
      from[i] = (char)contract_draw(&seed, 256);
      want[i] = got[i] = (char)contract_draw(&seed, 256);
    }
    tsr_points p = draw_points(&seed), q;
    p.dst = want + CONTRACT_BYTES / 2;
    p.src = from + CONTRACT_BYTES / 2;
    copy_bytes(d, TSR_COPY_IN, y, from, CONTRACT_BYTES);
    copy_bytes(d, TSR_COPY_IN, x, want, CONTRACT_BYTES);
    q = p;
    if (direction == TSR_COPY_OUT)
      q.dst = got + CONTRACT_BYTES / 2;
    else
      q.dst = x + CONTRACT_BYTES / 2;
    if (direction != TSR_COPY_IN) q.src = y + CONTRACT_BYTES / 2;
    cr_assert_eq(tsr__device_copy(d, direction, &q), TSR_OK, "%s", d->message);
    if (direction != TSR_COPY_OUT) copy_bytes(d, TSR_COPY_OUT, got, x, CONTRACT_BYTES);
    tsr__points_copy(&p);
    cr_assert(memcmp(got, want, CONTRACT_BYTES) == 0, "turn %d", turn);
  }
  d->ops->free(d, x, CONTRACT_BYTES);
  d->ops->free(d, y, CONTRACT_BYTES);
  free(from);
  free(want);
  free(got);
}

enum { CONTRACT_PINNED = 1 << 20 };

/* Pinned memory of the host, out of the device and in again by two queues, of which one follows the
 * other; then it is the system's again. Nothing where the kind pins nothing. */
static inline void copies_pinned(tsr_device *d, int n_turns)
{
  enum { HALF = CONTRACT_PINNED / 2 };
  char why[200] = "";
  if (d->ops->pin == NULL) return;
  char *host = aligned_alloc(4096, CONTRACT_PINNED), *there = d->ops->alloc(d, CONTRACT_PINNED);
  cr_assert(host != NULL && there != NULL);
  tsr_pins *pins = d->pins = tsr__pins_create(d, 0, false);
  tsr__pins_add(pins, host, CONTRACT_PINNED);
  for (int turn = 0; turn < n_turns || tsr__pins_bytes(pins) == 0; turn++) {
    memset(host, turn, HALF);
    memset(host + HALF, turn + 1, HALF);
    copy_bytes(d, TSR_COPY_IN, there, host, HALF);
    const tsr_points out = tsr__points_of_bytes(host + HALF, there, HALF);
    const tsr_points in = tsr__points_of_bytes(there + HALF, host + HALF, HALF);
    d->ops->copy(d, TSR_QUEUE_OUT, TSR_COPY_OUT, &out);
    tsr__device_follow(d, TSR_QUEUE_IN, tsr__device_record(d, TSR_QUEUE_OUT));
    d->ops->copy(d, TSR_QUEUE_IN, TSR_COPY_IN, &in);
    cr_assert_eq(tsr__device_sync(d), TSR_OK, "%s", d->message);
    memset(host, turn + 1, HALF);
    copy_bytes(d, TSR_COPY_OUT, host, there + HALF, HALF);
    for (int i = 0; i < CONTRACT_PINNED; i++) cr_assert_eq(host[i], (char)turn, "turn %d", turn);
    cr_assert_lt(turn, 100, "nothing is pinned");
  }
  tsr__pins_remove(pins, host);
  cr_assert_eq(tsr__pins_bytes(pins), 0);
  memset(host, 7, CONTRACT_PINNED);
  copy_bytes(d, TSR_COPY_IN, there, host, CONTRACT_PINNED);
  cr_assert(d->ops->pin(d, host, CONTRACT_PINNED, why, sizeof why), "%s", why);
  cr_assert_not(d->ops->pin(d, host, CONTRACT_PINNED, why, sizeof why), "it is pinned");
  cr_assert_neq(why[0], '\0');
  d->ops->unpin(d, host);
  cr_assert_eq(tsr__device_status(d), TSR_OK, "%s", d->message);
  d->ops->free(d, there, CONTRACT_PINNED);
  tsr__pins_destroy(pins);
  d->pins = NULL;
  free(host);
}

#endif
