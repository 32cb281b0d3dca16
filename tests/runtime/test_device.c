/* Devices: what every kind must do, and what `check` finds out. */
#include "device_contract.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/machine/machine.h"

enum { N = 1000 };

static tsr_device *opened(const char *name, size_t limit_bytes)
{
  tsr_device *d = NULL;
  char message[200] = "";
  cr_assert_eq(tsr__device_open(name, 3, limit_bytes, &d, message, sizeof message), TSR_OK, "%s",
               message);
  cr_assert_eq(d->number, 3);
  return d;
}

static void is_refused(tsr_device *d, const char *text)
{
  cr_assert_eq(tsr__device_sync(d), TSR_ERR_INTERNAL);
  cr_assert_str_eq(d->message, text);
}

/* Tests of every kind. */

Test(device, points_are_copied_in_within_and_out)
{
  static const char *const names[] = {"cpu", "check"};
  for (int i = 0; i < 2; i++) {
    tsr_device *d = opened(names[i], 0);
    for (int turn = 0; turn < 3; turn++) copies_points(d);
    cr_assert_eq(d->n_strided, i == 0 ? 0 : 3 * 2);
    tsr__device_close(d);
  }
}

Test(device, any_points_are_copied)
{
  static const char *const names[] = {"cpu", "check"};
  for (int i = 0; i < 2; i++) {
    tsr_device *d = opened(names[i], 0);
    copies_any_points(d, 60, 7);
    tsr__device_close(d);
  }
}

/* Where a machine has an NVIDIA device, it can be opened; else the reason is told. */
Test(device, cuda_is_there_or_says_why_not)
{
  char why[300] = "", message[400] = "", text[400];
  tsr_device *d = NULL;
  const int n = tsr__device_cuda.count(why, sizeof why);
  const tsr_status status = tsr__device_open("cuda", 0, 0, &d, message, sizeof message);
  if (n > 0) {
    cr_assert_eq(status, TSR_OK, "%s", message);
  } else {
    cr_assert_eq(status, TSR_ERR_CONFIG);
    cr_assert_null(d);
    cr_assert(why[0] != '\0');
    snprintf(text, sizeof text, "there is no device cuda: %s", why);
    cr_assert_str_eq(message, text);
  }
  tsr__device_close(d);
}

Test(device, points_are_a_run_where_each_is_behind_the_last)
{
  tsr_points p = {.ndim = 3,
                  .n = {2, 1, 4},
                  .dst_step = {4 * 8, 1000, 8},
                  .src_step = {5 * 8, 4 * 8, 8},
                  .elem_bytes = 8};
  cr_assert(tsr__points_are_run(&p, true), "an axis of one point has no step");
  cr_assert(!tsr__points_are_run(&p, false), "rows are further apart");
  p.n[0] = 1;
  cr_assert(tsr__points_are_run(&p, false));
  p.src_step[2] = -8;
  cr_assert(!tsr__points_are_run(&p, false), "the order is another");
  p.n[2] = 1;
  cr_assert(tsr__points_are_run(&p, false));
}

typedef struct doubling {
  double *x;
  int n;
} doubling;

static void twice(void *arg, tsr_device *d)
{
  const doubling *job = arg;
  tsr__device_uses(d, job->x, (size_t)job->n * sizeof *job->x);
  double *x = (double *)((char *)job->x + d->shift_bytes);
  for (int i = 0; i < job->n; i++) x[i] *= 2;
}

Test(device, what_is_launched_runs_in_order)
{
  static const char *const names[] = {"cpu", "check"};
  for (int i = 0; i < 2; i++) {
    tsr_device *d = opened(names[i], 0);
    double x[N], y[N];
    for (int k = 0; k < N; k++) x[k] = k;
    doubling job = {d->ops->alloc(d, sizeof x), N};
    const tsr_points in = tsr__points_of_bytes(job.x, x, sizeof x);
    const tsr_points out = tsr__points_of_bytes(y, job.x, sizeof y);
    d->ops->copy(d, TSR_QUEUE_RUN, TSR_COPY_IN, &in);
    for (int turn = 0; turn < 5; turn++) d->ops->launch(d, twice, &job);
    d->ops->copy(d, TSR_QUEUE_RUN, TSR_COPY_OUT, &out);
    cr_assert_eq(tsr__device_sync(d), TSR_OK, "%s", d->message);
    cr_assert(tsr__device_is_over(d, tsr__device_record(d, TSR_QUEUE_RUN)));
    for (int k = 0; k < N; k++) cr_assert_eq(y[k], 32 * k);
    d->ops->free(d, job.x, sizeof x);
    cr_assert_eq(tsr__device_status(d), TSR_OK);
    tsr__device_close(d);
  }
}

Test(device, kinds_say_what_they_run)
{
  const tsr_kernel_traits halves = {.dtypes = 1u << TSR_FLOAT16 | 1u << TSR_FLOAT32};
  const tsr_kernel_traits doubles = {.dtypes = 1u << TSR_FLOAT64};
  const tsr_kernel_traits product = {.dtypes = 1u << TSR_FLOAT64, .features = TSR_TRAIT_TASK};
  for (int i = 0; i < 3; i++) {
    tsr_device *d = opened(tsr__device_kind(i)->name, 0);
    cr_assert(tsr__device_supports(d, &halves) && tsr__device_supports(d, &doubles));
    cr_assert(tsr__device_supports(d, &product));
    tsr__device_close(d);
  }
  tsr_device *d = opened("check", 0);
  d->refuses = (tsr_kernel_traits){.dtypes = 1u << TSR_FLOAT16, .features = TSR_TRAIT_TASK};
  cr_assert(!tsr__device_supports(d, &halves), "one of its dtypes");
  cr_assert(!tsr__device_supports(d, &product), "one of its features");
  cr_assert(tsr__device_supports(d, &doubles));
  tsr__device_close(d);
  const tsr_device_ops no_c = {.name = "no C"};
  const tsr_device other = {.ops = &no_c};
  cr_assert(!tsr__device_supports(&other, &product), "it runs no functions");
  cr_assert(tsr__device_supports(&other, &doubles));
  const tsr_kernel_traits coded = {.dtypes = doubles.dtypes,
                                   .features = TSR_TRAIT_TASK | TSR_TRAIT_CODE};
  cr_assert(tsr__device_supports(&other, &coded), "but code");
}

Test(device, over_the_limit_there_is_no_memory)
{
  for (int i = 0; i < 3; i++) {
    tsr_device *d = opened(tsr__device_kind(i)->name, 10000);
    keeps_its_limit(d);
    tsr__device_close(d);
  }
}

Test(device, an_unknown_kind_is_refused_with_those_there_are)
{
  tsr_device *d = NULL;
  char message[200] = "";
  cr_assert_eq(tsr__device_open("abacus", 0, 0, &d, message, sizeof message), TSR_ERR_CONFIG);
  cr_assert_str_eq(message, "there is no device `abacus`; this build has cpu, check, null, cuda");
  cr_assert_null(d);
}

Test(device, null_stores_nothing_and_reads_zero)
{
  tsr_device *d = opened("null", 0);
  const size_t large = (size_t)1 << 45;
  double x[N], *p = d->ops->alloc(d, large), *q = d->ops->alloc(d, large);
  cr_assert_not_null(p);
  cr_assert_neq(p, q);
  for (int i = 0; i < N; i++) x[i] = i;
  copy_bytes(d, TSR_COPY_IN, p, x, sizeof x);
  copy_bytes(d, TSR_COPY_OUT, x, p, sizeof x);
  for (int i = 0; i < N; i++) cr_assert_eq(x[i], 0);
  d->ops->free(d, p, large);
  d->ops->free(d, q, large);
  tsr__device_close(d);
}

/* Tests of `check`. */

Test(device, the_host_cannot_touch_memory_of_check)
{
  tsr_device *d = opened("check", 0);
  void *p = d->ops->alloc(d, N);
  int ends[2];
  cr_assert_eq(pipe(ends), 0);
  cr_assert_eq(write(ends[1], p, 1), -1);
  cr_assert_eq(errno, EFAULT);
  d->ops->free(d, p, N);
  close(ends[0]);
  close(ends[1]);
  tsr__device_close(d);
}

Test(device, fresh_memory_of_check_is_nan)
{
  tsr_device *d = opened("check", 0);
  double x[N] = {0};
  float y[N] = {0};
  void *p = d->ops->alloc(d, sizeof x);
  copy_bytes(d, TSR_COPY_OUT, x, p, sizeof x);
  copy_bytes(d, TSR_COPY_OUT, y, p, sizeof y);
  for (int i = 0; i < N; i++) cr_assert(x[i] != x[i] && y[i] != y[i]);
  d->ops->free(d, p, sizeof x);
  tsr__device_close(d);
}

typedef struct gate {
  atomic_bool is_open;
  atomic_int passed;
} gate;

static void pass(void *arg, tsr_device *d)
{
  gate *g = arg;
  while (!atomic_load(&g->is_open)) sched_yield();
  atomic_fetch_add(&g->passed, 1);
}

Test(device, the_queue_of_check_runs_behind_the_host)
{
  tsr_device *d = opened("check", 0);
  gate g = {.passed = 0};
  char in[N], out[N];
  memset(in, 7, sizeof in);
  memset(out, 1, sizeof out);
  void *p = d->ops->alloc(d, N);
  const tsr_device_event before = tsr__device_record(d, TSR_QUEUE_RUN);
  d->ops->launch(d, pass, &g);
  const tsr_device_event behind = tsr__device_record(d, TSR_QUEUE_RUN);
  const tsr_points to = tsr__points_of_bytes(p, in, N), from = tsr__points_of_bytes(out, p, N);
  d->ops->copy(d, TSR_QUEUE_RUN, TSR_COPY_IN, &to);
  d->ops->copy(d, TSR_QUEUE_RUN, TSR_COPY_OUT, &from);
  cr_assert(tsr__device_is_over(d, before));
  cr_assert_not(tsr__device_is_over(d, behind));
  for (int i = 0; i < N; i++) cr_assert_eq((unsigned char)out[i], 0xFF);
  atomic_store(&g.is_open, true);
  d->ops->wait(d, behind);
  cr_assert_eq(atomic_load(&g.passed), 1);
  cr_assert_eq(tsr__device_sync(d), TSR_OK);
  cr_assert_arr_eq(out, in, N);
  d->ops->free(d, p, N);
  tsr__device_close(d);
}

/* A kernel waits at a gate. Copies in and out pass it, but not those that follow it. */
Test(device, the_copying_queues_of_check_run_beside_kernels)
{
  tsr_device *d = opened("check", 0);
  gate g = {.passed = 0};
  char in[N], out[N], late[N];
  memset(in, 7, sizeof in);
  memset(late, 1, sizeof late);
  void *p = d->ops->alloc(d, N);
  const tsr_points to = tsr__points_of_bytes(p, in, N), from = tsr__points_of_bytes(out, p, N);
  const tsr_points last = tsr__points_of_bytes(late, p, N);
  d->ops->launch(d, pass, &g);
  const tsr_device_event kernel = tsr__device_record(d, TSR_QUEUE_RUN);
  d->ops->copy(d, TSR_QUEUE_IN, TSR_COPY_IN, &to);
  tsr__device_follow(d, TSR_QUEUE_OUT, tsr__device_record(d, TSR_QUEUE_IN));
  d->ops->copy(d, TSR_QUEUE_OUT, TSR_COPY_OUT, &from);
  d->ops->wait(d, tsr__device_record(d, TSR_QUEUE_OUT));
  cr_assert_arr_eq(out, in, N);
  cr_assert_not(tsr__device_is_over(d, kernel));
  tsr__device_follow(d, TSR_QUEUE_OUT, kernel);
  d->ops->copy(d, TSR_QUEUE_OUT, TSR_COPY_OUT, &last);
  const tsr_device_event behind = tsr__device_record(d, TSR_QUEUE_OUT);
  cr_assert_not(tsr__device_is_over(d, behind));
  cr_assert_eq(late[0], 1); /* a copy that follows the kernel has not begun */
  atomic_store(&g.is_open, true);
  cr_assert_eq(tsr__device_sync(d), TSR_OK);
  cr_assert(tsr__device_is_over(d, behind));
  cr_assert_arr_eq(late, in, N);
  d->ops->free(d, p, N);
  tsr__device_close(d);
}

typedef struct waiter {
  pthread_t thread;
  tsr_device *device;
  tsr_device_event event;
  atomic_bool is_back;
} waiter;

static void *wait_for_event(void *arg)
{
  waiter *w = arg;
  w->device->ops->wait(w->device, w->event);
  cr_assert(tsr__device_is_over(w->device, w->event));
  atomic_store(&w->is_back, true);
  return NULL;
}

/* Two threads wait for each of three kernels. */
Test(device, threads_wait_for_different_places_of_a_queue_of_check, .timeout = 60)
{
  enum { N_GATES = 3, N_WAITERS = 2 * N_GATES };
  tsr_device *d = opened("check", 0);
  gate gates[N_GATES] = {{.passed = 0}};
  waiter waiters[N_WAITERS] = {{.device = NULL}};
  for (int i = 0; i < N_GATES; i++) {
    d->ops->launch(d, pass, &gates[i]);
    for (int k = i; k < N_WAITERS; k += N_GATES) {
      waiters[k].device = d;
      waiters[k].event = tsr__device_record(d, TSR_QUEUE_RUN);
    }
  }
  for (int i = 0; i < N_WAITERS; i++) {
    cr_assert_eq(pthread_create(&waiters[i].thread, NULL, wait_for_event, &waiters[i]), 0);
    usleep(2000);
  }
  for (int i = 0; i < N_GATES; i++) {
    for (int k = 0; k < N_WAITERS; k++)
      cr_assert(k % N_GATES < i || !atomic_load(&waiters[k].is_back));
    atomic_store(&gates[i].is_open, true);
    for (int k = i; k < N_WAITERS; k += N_GATES) pthread_join(waiters[k].thread, NULL);
  }
  tsr__device_close(d);
}

/* One device computes behind a gate; another one reads the result once it is there. */
Test(device, devices_of_check_copy_from_each_other)
{
  tsr_device *from = opened("check", 0), *to = opened("check", 0);
  cr_assert(to->ops->caps & TSR_DEVICE_COPIES_PEERS);
  double all[5][6], got[5][6];
  for (int i = 0; i < 30; i++) all[i / 6][i % 6] = i;
  char *x = from->ops->alloc(from, sizeof all), *y = to->ops->alloc(to, sizeof all);
  copy_bytes(from, TSR_COPY_IN, x, all, sizeof all);
  gate g = {.passed = 0};
  doubling job = {(double *)x, 30};
  from->ops->launch(from, pass, &g);
  from->ops->launch(from, twice, &job);
  const tsr_device_event made = tsr__device_record(from, TSR_QUEUE_RUN);
  cr_expect_not(tsr__device_is_over(from, made));
  atomic_store(&g.is_open, true);
  from->ops->wait(from, made);
  const tsr_points p = tsr__points_of_bytes(y, x, sizeof all);
  to->ops->copy_peer(to, TSR_QUEUE_IN, from, &p);
  cr_assert_eq(tsr__device_sync(to), TSR_OK, "%s", to->message);
  copy_bytes(to, TSR_COPY_OUT, got, y, sizeof got);
  for (int i = 0; i < 30; i++) cr_expect_eq(got[i / 6][i % 6], 2 * i);
  from->ops->free(from, x, sizeof all);
  to->ops->copy_peer(to, TSR_QUEUE_RUN, from, &p);
  is_refused(to, "device check 3: a copy from another device uses 240 bytes of memory that was "
                 "freed, or lies behind a block's end");
  to->ops->free(to, y, sizeof all);
  tsr__device_close(to);
  tsr__device_close(from);
}

Test(device, check_notices_memory_that_was_never_allocated)
{
  tsr_device *d = opened("check", 0);
  char x[N] = {0}, *p = d->ops->alloc(d, N);
  tsr_points far = tsr__points_of_bytes(p + (1 << 20), x, N);
  d->ops->copy(d, TSR_QUEUE_RUN, TSR_COPY_IN, &far);
  is_refused(d, "device check 3: a copy to the device uses 1000 bytes of memory that was never "
                "allocated");
  tsr__device_close(d);
  d = opened("check", 0);
  far = tsr__points_of_bytes(x, x, N);
  d->ops->copy(d, TSR_QUEUE_RUN, TSR_COPY_OUT, &far);
  is_refused(d, "device check 3: a copy from the device uses 1000 bytes of memory that is not this "
                "device's memory");
  tsr__device_close(d);
}

Test(device, check_notices_memory_that_was_freed)
{
  tsr_device *d = opened("check", 0);
  doubling job = {d->ops->alloc(d, N * sizeof(double)), N};
  d->ops->free(d, job.x, N * sizeof(double));
  void *other = d->ops->alloc(d, N * sizeof(double));
  cr_assert_neq(other, (void *)job.x);
  d->ops->launch(d, twice, &job);
  is_refused(d, "device check 3: a kernel uses 8000 bytes of memory that was freed, or lies behind "
                "a block's end");
  d->ops->free(d, job.x, N * sizeof(double)); /* the first failure stays */
  is_refused(d, "device check 3: a kernel uses 8000 bytes of memory that was freed, or lies behind "
                "a block's end");
  tsr__device_close(d);
  d = opened("check", 0);
  void *p = d->ops->alloc(d, N);
  d->ops->free(d, p, N);
  d->ops->free(d, p, N);
  is_refused(d, "device check 3: 1000 bytes are freed, but that memory was freed, or lies behind a "
                "block's end");
  tsr__device_close(d);
}

static void reach_behind(void *arg, tsr_device *d)
{
  ((char *)arg + d->shift_bytes)[N] = 0;
}

Test(device, check_notices_what_reaches_behind_a_block)
{
  tsr_device *d = opened("check", 0);
  char x[N], *p = d->ops->alloc(d, N);
  const tsr_points out = tsr__points_of_bytes(x, p + 1, N);
  d->ops->copy(d, TSR_QUEUE_RUN, TSR_COPY_OUT, &out);
  is_refused(d, "device check 3: a copy from the device uses 1000 bytes of memory that reaches "
                "behind its block's end");
  tsr__device_close(d);
  d = opened("check", 0);
  p = d->ops->alloc(d, N);
  d->ops->launch(d, reach_behind, p);
  cr_assert_eq(tsr__device_sync(d), TSR_OK);
  d->ops->free(d, p, N);
  is_refused(d, "device check 3: 1000 bytes are freed, but that memory was written behind its end");
  tsr__device_close(d);
}

/* The host's byte is changed between a copy's beginning and its end. */
static void change_host(tsr_direction direction, const char *text)
{
  tsr_device *d = opened("check", 0);
  gate g = {.passed = 0};
  char host[N] = {0}, *p = d->ops->alloc(d, N);
  const tsr_points points = direction == TSR_COPY_IN ? tsr__points_of_bytes(p, host, N)
                                                     : tsr__points_of_bytes(host, p, N);
  d->ops->launch(d, pass, &g);
  d->ops->copy(d, TSR_QUEUE_RUN, direction, &points);
  host[N - 1] = 1;
  atomic_store(&g.is_open, true);
  is_refused(d, text);
  tsr__device_close(d);
}

Test(device, check_notices_a_host_that_does_not_wait)
{
  change_host(TSR_COPY_IN, "device check 3: the host changed memory that a copy to the device was "
                           "still to read");
  change_host(TSR_COPY_OUT, "device check 3: the host wrote to memory that a copy from the device "
                            "was still to write");
}

Test(device, addresses_of_check_come_back_late)
{
  tsr_device *d = opened("check", 0);
  const size_t large = (size_t)1 << 30;
  const char *first = d->ops->alloc(d, N);
  d->ops->free(d, (void *)(uintptr_t)first, N);
  for (int i = 0; i < 1000; i++) {
    void *p = d->ops->alloc(d, N);
    cr_assert_neq(p, (const void *)first);
    d->ops->free(d, p, N);
  }
  cr_assert_null(d->ops->alloc(d, large << 10));
  cr_assert_eq(tsr__device_status(d), TSR_OK);
  tsr__device_close(d);
}

/* So a device that runs no C is pretended: a function in its queue is a defect of the caller. */
Test(device, check_with_code_alone_refuses_functions)
{
  tsr_device *d = NULL;
  char message[200];
  cr_assert_eq(tsr__device_open("check", 0, 0, &d, message, sizeof message), TSR_OK, "%s", message);
  const tsr_kernel_traits plain = {.dtypes = 1}, textless = {.features = TSR_TRAIT_NO_TEXT};
  cr_expect(tsr__device_runs_c(d) && tsr__device_supports(d, &textless));
  d->only_code = true;
  cr_expect_not(tsr__device_runs_c(d));
  cr_expect(tsr__device_supports(d, &plain));
  cr_expect_not(tsr__device_supports(d, &textless));
  d->ops->launch(d, pass, NULL);
  cr_expect_eq(tsr__device_sync(d), TSR_ERR_INTERNAL);
  cr_expect_not_null(strstr(d->message, "a C function was put into a queue that runs none"), "%s",
                     d->message);
  tsr__device_close(d);
}

/* Nothing is launched to measure a device that runs no C: its memory, its link and what a launch
 * takes are measured by copies, and the rest is as it is where nothing is known. */
Test(device, costs_of_one_that_runs_no_c)
{
  tsr_device *d = NULL;
  tsr_machine *m = NULL;
  tsr_config config;
  tsr_costs costs;
  char message[200];
  cr_assert_eq(tsr__config_read(&config, message, sizeof message), TSR_OK, "%s", message);
  strcpy(config.cache, "/dev/null/none"); /* nothing is kept */
  cr_assert_eq(tsr__machine_create(&config, 0, 1, 1, &m, message, sizeof message), TSR_OK, "%s",
               message);
  cr_assert_eq(tsr__device_open("check", 0, 0, &d, message, sizeof message), TSR_OK, "%s", message);
  d->only_code = true;
  tsr__costs_of(m, d, 1, false, &costs, message, sizeof message);
  cr_expect_eq(tsr__device_sync(d), TSR_OK, "%s", d->message);
  cr_expect(tsr__costs_are_complete(&costs));
  cr_expect_neq(costs.launch_ns, 5000);
  cr_expect_eq(costs.instrs_per_ns[TSR_ON_DEVICE], 1000);
  cr_expect_neq(costs.bytes_per_ns[TSR_ON_DEVICE], 1000);
  cr_expect_neq(costs.link_ns, 10000);
  tsr__device_close(d);
  tsr__machine_destroy(m);
}
