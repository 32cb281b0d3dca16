/* The host's memory that the device `cuda` copies from and to, over the stand-in for the driver. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/core/array_int.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/memory.h"
#include "tests/fakes/known.h"
#include "tests/runtime/device_contract.h"
#include "tests/support/child.h"

enum { MB = 1 << 20, ROOM = 2 * MB };

static tsr_device *opened(int number)
{
  tsr_device *d = NULL;
  char message[400] = "";
  cr_assert_eq(tsr__device_open("cuda", number, 0, &d, message, sizeof message), TSR_OK, "%s",
               message);
  return d;
}

static void set_failing(const char *text)
{
  char why[200];
  setenv("FAKE_CUDA_FAIL", text, 1);
  tsr__device_cuda.count(why, sizeof why); /* reads the setting */
}

/* A device, its pins, and memory of it and of the host that is known. */
typedef struct stage {
  tsr_device *d;
  tsr_pins *pins;
  char *there, *host;
} stage;

static stage begin(bool says)
{
  stage s = {.d = opened(0)};
  s.pins = s.d->pins = tsr__pins_create(s.d, 0, says);
  cr_assert_not_null(s.pins);
  s.there = s.d->ops->alloc(s.d, ROOM);
  s.host = aligned_alloc(4096, ROOM);
  cr_assert(s.there != NULL && s.host != NULL);
  memset(s.host, 1, ROOM);
  tsr__pins_add(s.pins, s.host, ROOM);
  return s;
}

static void end(const stage *s)
{
  tsr__pins_remove(s->pins, s->host);
  free(s->host);
  s->d->ops->free(s->d, s->there, ROOM);
  tsr__pins_destroy(s->pins);
  tsr__device_close(s->d);
  cr_assert_eq(n_leaks(), 0);
}

static void copy_in(const stage *s)
{
  copy_bytes(s->d, TSR_COPY_IN, s->there, s->host, ROOM);
}

Test(pins, what_is_copied_often_is_pinned)
{
  stage s = begin(false);
  copy_in(&s);
  cr_assert_eq(pinned_bytes(), 0, "once is not often");
  for (int i = 0; i < 3; i++) copy_in(&s);
  cr_assert_eq(pinned_bytes(), ROOM);
  cr_assert_eq(tsr__pins_bytes(s.pins), ROOM);
  static char unknown[ROOM];
  for (int i = 0; i < 9; i++) copy_bytes(s.d, TSR_COPY_OUT, unknown, s.there, ROOM);
  cr_assert_eq(pinned_bytes(), ROOM, "memory of the program's stays as it is");
  cr_assert(memcmp(unknown, s.host, ROOM) == 0);
  end(&s);
  cr_assert_eq(pinned_bytes(), 0);
}

Test(pins, what_is_left_is_unpinned_at_the_end)
{
  stage s = begin(false);
  for (int i = 0; i < 4; i++) copy_in(&s);
  cr_assert_eq(pinned_bytes(), ROOM);
  s.d->ops->free(s.d, s.there, ROOM);
  tsr__pins_destroy(s.pins);
  cr_assert_eq(pinned_bytes(), 0);
  tsr__device_close(s.d);
  free(s.host);
  cr_assert_eq(n_leaks(), 0);
}

/* Out of the device and in again, by two queues. */
static void out_and_in(const stage *s, char *to, char *host)
{
  const tsr_points out = tsr__points_of_bytes(host, s->there, ROOM / 2);
  const tsr_points in = tsr__points_of_bytes(to, host, ROOM / 2);
  s->d->ops->copy(s->d, TSR_QUEUE_OUT, TSR_COPY_OUT, &out);
  tsr__device_follow(s->d, TSR_QUEUE_IN, tsr__device_record(s->d, TSR_QUEUE_OUT));
  s->d->ops->copy(s->d, TSR_QUEUE_IN, TSR_COPY_IN, &in);
}

/* The first wait for an event would be a failure. */
Test(pins, copies_of_pinned_memory_wait_in_the_queues_alone)
{
  stage s = begin(false);
  for (int i = 0; i < 4; i++) copy_in(&s);
  cr_assert_eq(pinned_bytes(), ROOM);
  for (int turn = 0; turn < 30; turn++) {
    char *got = s.host + ROOM / 2;
    memset(s.host, turn, ROOM / 2);
    memset(got, 0xff, ROOM / 2);
    copy_bytes(s.d, TSR_COPY_IN, s.there, s.host, ROOM / 2);
    memset(s.host, 0xff, ROOM / 2);
    set_failing("cuEventSynchronize:1");
    out_and_in(&s, s.there + ROOM / 2, s.host);
    set_failing("");
    cr_assert_eq(tsr__device_sync(s.d), TSR_OK, "%s", s.d->message);
    copy_bytes(s.d, TSR_COPY_OUT, got, s.there + ROOM / 2, ROOM / 2);
    for (int i = 0; i < ROOM / 2; i++) cr_assert_eq(got[i], turn);
  }
  cr_assert_eq(tsr__device_status(s.d), TSR_OK);
  end(&s);
}

Test(pins, copies_of_pageable_memory_wait)
{
  stage s = begin(false);
  set_failing("cuEventSynchronize:1");
  static char unknown[ROOM];
  out_and_in(&s, s.there + ROOM / 2, unknown);
  cr_assert_eq(tsr__device_status(s.d), TSR_ERR_INTERNAL);
  cr_assert_not_null(strstr(s.d->message, "cuEventSynchronize"), "%s", s.d->message);
  set_failing("");
  end(&s);
}

/* Refusals. */

static void copy_refused(void)
{
  stage s = begin(true);
  char *x = tsr__pins_alloc(s.pins, 100);
  memset(x, 3, 100);
  for (int i = 0; i < 6; i++) copy_in(&s);
  copy_bytes(s.d, TSR_COPY_OUT, s.host, s.there, ROOM);
  tsr__pins_free(s.pins, x, 100);
  if (pinned_bytes() != 0 || tsr__device_status(s.d) < 0) _exit(1);
  end(&s);
  _exit(n_leaks() == 0 ? 0 : 2);
}

Test(pins, a_refusal_is_no_failure_and_is_told_once)
{
  static const struct {
    const char *name, *value, *why;
  } rows[] = {{"FAKE_CUDA_FAIL", "cuMemHostRegister_v2:1", "CUDA_ERROR_UNKNOWN (unknown error)"},
              {"FAKE_CUDA_PINNED", "1000000", "CUDA_ERROR_OUT_OF_MEMORY (out of memory)"}};
  for (int i = 0; i < 2; i++) {
    char text[1000], want[400];
    setenv(rows[i].name, rows[i].value, 1);
    cr_expect_eq(run_in_child(NULL, copy_refused, text, sizeof text), 0, "%s", text);
    snprintf(want, sizeof want,
             "tessera[0]: 2097152 bytes of the host's memory could not be pinned, so copies of "
             "them are slower: cuMemHostRegister_v2 gives %s\n",
             rows[i].why);
    cr_expect_str_eq(text, want);
    unsetenv(rows[i].name);
  }
}

Test(pins, what_cannot_be_unpinned_is_a_failure)
{
  stage s = begin(false);
  for (int i = 0; i < 4; i++) copy_in(&s);
  set_failing("cuMemHostUnregister:1");
  tsr__pins_remove(s.pins, s.host);
  cr_assert_eq(tsr__device_status(s.d), TSR_ERR_INTERNAL);
  cr_assert_str_eq(s.d->message,
                   "device cuda 0: cuMemHostUnregister gives CUDA_ERROR_UNKNOWN (unknown error)");
  set_failing("");
  tsr__pins_add(s.pins, s.host, ROOM);
  end(&s);
}

/* Small memory. */

Test(pins, small_memory_is_pinned_at_once)
{
  enum { MANY = 5000 };
  static char *small[MANY];
  stage s = begin(false);
  for (int i = 0; i < MANY; i++) {
    const size_t bytes = (size_t)i % 700 * 13;
    small[i] = tsr__pins_alloc(s.pins, bytes);
    cr_assert_eq((uintptr_t)small[i] % 64, 0);
    memset(small[i], i, bytes);
  }
  const size_t bytes = pinned_bytes();
  cr_assert(bytes >= 20 * MB && bytes <= 64 * MB, "%zu", bytes);
  for (int i = 0; i < MANY; i++) {
    for (size_t k = 0; k < (size_t)i % 700 * 13; k++) cr_assert_eq(small[i][k], (char)i);
    tsr__pins_free(s.pins, small[i], (size_t)i % 700 * 13);
  }
  char *again = tsr__pins_alloc(s.pins, 4000), *large = tsr__pins_alloc(s.pins, 5 * MB);
  cr_assert_eq(pinned_bytes(), bytes, "what is freed is used again; what is large is the system's");
  memset(large, 1, 5 * MB);
  tsr__pins_free(s.pins, again, 4000);
  tsr__pins_free(s.pins, large, 5 * MB);
  end(&s);
}

Test(pins, more_small_memory_than_is_pinned_is_the_systems)
{
  enum { N = 90 };
  char *p[N];
  stage s = begin(false);
  for (int i = 0; i < N; i++) memset(p[i] = tsr__pins_alloc(s.pins, MB), i, MB);
  cr_assert_eq(pinned_bytes(), 64 * MB);
  for (int i = 0; i < N; i++) {
    cr_assert(p[i][0] == i && p[i][MB - 1] == i);
    tsr__pins_free(s.pins, p[i], MB);
  }
  end(&s);
}

Test(pins, other_kinds_pin_nothing)
{
  tsr_device *d = NULL;
  char message[400];
  cr_assert_eq(tsr__device_open("check", 0, 0, &d, message, sizeof message), TSR_OK);
  cr_assert_null(tsr__pins_create(d, 0, true));
  cr_assert_not(tsr__pins_use(NULL, message, 400));
  char *p = tsr__pins_alloc(NULL, 100);
  memset(p, 1, 100);
  tsr__pins_free(NULL, p, 100);
  tsr__device_close(d);
}

/* The pool of a rank, whose devices share what is pinned. */

static void use_pool(void *arg, int rank)
{
  const tsr_world *w = &tsr_context_current()->world;
  tsr_device *one = w->places[0].device, *other = w->places[1].device;
  cr_assert(one->pins == w->pins && other->pins == w->pins && w->pins != NULL);
  const size_t before = pinned_bytes();
  char *block = tsr__memory_alloc(w->staging, 3 * MB),
       *small = tsr__memory_alloc(w->staging, MB / 2);
  char *x = one->ops->alloc(one, 3 * MB), *y = other->ops->alloc(other, 3 * MB);
  memset(block, 5, 3 * MB);
  for (int i = 0; i < 8; i++) {
    copy_bytes(one, TSR_COPY_IN, x, block, 3 * MB);
    copy_bytes(other, TSR_COPY_IN, y, block, 3 * MB);
    copy_bytes(one, TSR_COPY_OUT, small, x, MB / 2);
  }
  const size_t bytes = pinned_bytes() - before;
  cr_assert(bytes >= 3 * MB && bytes < 4 * MB, "%zu", bytes);
  tsr__memory_free(w->staging, block, 3 * MB);
  cr_assert_eq(pinned_bytes(), before + bytes, "it is kept for the next one");
  cr_assert_eq(tsr__memory_alloc(w->staging, 3 * MB), (void *)block);
  tsr__memory_free(w->staging, block, 3 * MB);
  tsr__memory_free(w->staging, small, MB / 2);
  tsr__memory_trim(w->staging);
  cr_assert_eq(pinned_bytes(), before, "it went back to the system");
  one->ops->free(one, x, 3 * MB);
  other->ops->free(other, y, 3 * MB);
}

Test(pins, devices_of_a_rank_share_them)
{
  setenv("FAKE_CUDA_DEVICES", "2", 1);
  cr_assert_eq(tsr_run_ranks(1, (const char *[]){"device", "cuda", "placement", "all", NULL},
                             use_pool, NULL),
               TSR_OK);
  cr_assert_eq(n_leaks(), 0);
}

/* What the host did for some steps. */
typedef struct did {
  int n_pageable, n_waits, n_pieces;
} did;

static did did_now(void)
{
  return (did){n_pageable(), n_calls("cuStreamSynchronize") + n_calls("cuEventSynchronize"),
               (int)tsr__context_counters()->n_streamed_runs};
}

/* Arrays of four times a device's memory. When each was copied twice, no copy holds the host up: it
 * waits for an entry of the ring per piece, and for three queues at the end of a step. */
static void stream(void *arg, int rank)
{
  enum { SIDE = 1024, WARM = 2, STEPS = 5 };
  tsr_array a[4];
  did before = {0};
  for (int i = 0; i < 4; i++) a[i] = tsr_full(TSR_SHAPE(SIDE, SIDE), (double)i);
  for (int k = 0; k < STEPS; k++) {
    if (k == WARM) before = did_now();
    for (int i = 0; i < 4; i++) tsr_iadd(a[i], tsr_multiply(2.0, a[(i + 1) % 4]));
    tsr_flush();
  }
  const did now = did_now();
  const int n_pieces = now.n_pieces - before.n_pieces;
  cr_assert_gt(n_pieces, 3 * 4 * 2);
  cr_assert_eq(now.n_pageable, before.n_pageable);
  cr_assert_leq(now.n_waits - before.n_waits, n_pieces + 3 * (STEPS - WARM));
  cr_assert_gt(tsr__pins_bytes(tsr_context_current()->world.pins), 16 * MB);
  double x[4] = {0, 1, 2, 3};
  for (int k = 0; k < STEPS; k++)
    for (int i = 0; i < 4; i++) x[i] += 2 * x[(i + 1) % 4];
  for (int i = 0; i < 4; i++) {
    cr_assert_eq(tsr_item_f64(tsr_min(a[i])), x[i]);
    cr_assert_eq(tsr_item_f64(tsr_max(a[i])), x[i]);
    tsr_release(&a[i]);
  }
}

Test(pins, arrays_that_are_streamed_are_pinned, .timeout = 120)
{
  cr_assert_eq(tsr_run_ranks(1,
                             (const char *[]){"device", "cuda", "placement", "all", "device_memory",
                                              "8M", "jit", "lazy", NULL},
                             stream, NULL),
               TSR_OK);
  cr_assert_eq(n_leaks(), 0);
}

/* Messages of a steady loop are packed in pinned memory. */
static void exchange(void *arg, int rank)
{
  enum { SIDE = 200, WARM = 3, LAST = 10, STEPS = 20 }; /* no rank is so many steps ahead */
  did before = {0}, now = {0};
  tsr_array u = tsr_ones(TSR_SHAPE(SIDE, SIDE)), v = tsr_ones(TSR_SHAPE(SIDE, SIDE));
  for (int k = 0; k < STEPS; k++) {
    if (k == WARM) before = did_now();
    if (k == LAST) now = did_now();
    tsr_assign(tsr_slice(v, "1:-1, 1:-1"),
               tsr_add(tsr_slice(u, ":-2, 1:-1"), tsr_slice(u, "2:, 1:-1")));
    tsr_assign(tsr_slice(u, "1:-1, 1:-1"), tsr_multiply(0.5, tsr_slice(v, "1:-1, 1:-1")));
    tsr_flush();
  }
  const uint64_t sent = tsr__context_counters()->bytes_sent;
  if (rank == 0) {
    cr_assert_gt(sent, 0);
    cr_assert_eq(now.n_pageable, before.n_pageable);
    cr_assert_gt(tsr__pins_bytes(tsr_context_current()->world.pins), 0);
  }
  cr_assert_eq(tsr_item_f64(tsr_max(u)), 1);
  tsr_release(&u);
  tsr_release(&v);
}

Test(pins, messages_are_packed_in_pinned_memory, .timeout = 120)
{
  cr_assert_eq(tsr_run_ranks(2,
                             (const char *[]){"device", "cuda", "placement", "all", "jit", "lazy",
                                              "halo_steps", "1", NULL},
                             exchange, NULL),
               TSR_OK);
  cr_assert_eq(n_leaks(), 0);
}
