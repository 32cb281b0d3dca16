/* The device `cuda` over stand-ins for the driver and NVRTC (fake.h), which the loader finds
 * because of LD_LIBRARY_PATH. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/compile/jit_int.h"
#include "tests/fakes/known.h"
#include "tests/kernel/reference.h"
#include "tests/kernel/stage.h"
#include "tests/runtime/device_contract.h"
#include "tests/support/child.h"
#include "tests/support/rank_threads.h"

enum { N = 1000, FAILED = 3, REFUSED = 4 };

/* The reference of random functions is another program's; no kernel here draws numbers. */
uint64_t reference_random_function(tsr_random f, const tsr_scalar *args)
{
  abort();
}

static tsr_device *opened(int number, size_t limit_bytes)
{
  tsr_device *d = NULL;
  char message[400] = "";
  cr_assert_eq(tsr__device_open("cuda", number, limit_bytes, &d, message, sizeof message), TSR_OK,
               "%s", message);
  return d;
}

static void closed(tsr_device *d)
{
  tsr__device_close(d);
  cr_assert_eq(n_leaks(), 0);
}

/* The contract. */

Test(cuda, is_counted_without_a_context)
{
  setenv("FAKE_CUDA_DEVICES", "3", 1);
  char why[300] = "";
  cr_assert_eq(tsr__device_cuda.count(why, sizeof why), 3);
  cr_assert_eq(tsr__device_cuda.memory(2), (size_t)(1 << 30) / 100 * 90);
  cr_assert_eq(n_leaks(), 0);
}

Test(cuda, copies_points)
{
  tsr_device *d = opened(0, 0);
  for (int turn = 0; turn < 3; turn++) copies_points(d);
  copies_any_points(d, 300, 11);
  copies_pinned(d, 10);
  closed(d);
}

Test(cuda, over_the_limit_there_is_no_memory)
{
  tsr_device *d = opened(0, 10000);
  keeps_its_limit(d);
  closed(d);
}

Test(cuda, what_the_driver_has_no_memory_for_is_taken_from_what_is_unused)
{
  setenv("FAKE_CUDA_MEMORY", "67108864", 1);
  enum { MB = 1 << 20 };
  tsr_device *d = opened(0, 0);
  char *a = d->ops->alloc(d, 20 * MB), *b = d->ops->alloc(d, 20 * MB), *small = d->ops->alloc(d, 8);
  cr_assert(a != NULL && b != NULL && small != NULL);
  cr_assert_null(d->ops->alloc(d, 40 * MB));
  d->ops->free(d, a, 20 * MB);
  d->ops->free(d, b, 20 * MB);
  cr_assert_eq(d->ops->alloc(d, 19 * MB), (void *)a, "it is kept for what nearly fills it");
  d->ops->free(d, a, 19 * MB);
  a = d->ops->alloc(d, 50 * MB);
  cr_assert_not_null(a);
  cr_assert_eq(tsr__device_status(d), TSR_OK);
  d->ops->free(d, a, 50 * MB);
  d->ops->free(d, small, 8);
  closed(d);
}

Test(cuda, memory_that_is_freed_twice_is_a_failure)
{
  tsr_device *d = opened(0, 0);
  void *p = d->ops->alloc(d, 3 << 20);
  d->ops->free(d, p, 3 << 20);
  d->ops->free(d, p, 3 << 20);
  cr_assert_eq(tsr__device_status(d), TSR_ERR_INTERNAL);
  cr_assert_str_eq(d->message, "device cuda 0: 3145728 bytes are freed that were not allocated");
  closed(d);
}

/* Many more events than are kept apart. */
Test(cuda, events_are_numbers)
{
  enum { N_EVENTS = 1500 };
  tsr_device *d = opened(0, 0);
  static tsr_device_event events[N_EVENTS];
  static char in[N_EVENTS], out[N_EVENTS];
  char *p = d->ops->alloc(d, N_EVENTS);
  const tsr_device_event first = tsr__device_record(d, TSR_QUEUE_IN);
  cr_assert(first.number == 0 && tsr__device_is_over(d, first));
  for (int i = 0; i < N_EVENTS; i++) {
    in[i] = (char)(i * 7);
    const tsr_points to = tsr__points_of_bytes(p + i, in + i, 1);
    const tsr_points from = tsr__points_of_bytes(out + i, p + i, 1);
    d->ops->copy(d, TSR_QUEUE_IN, TSR_COPY_IN, &to);
    events[i] = tsr__device_record(d, TSR_QUEUE_IN);
    cr_assert_eq(events[i].number, (uint64_t)i + 1);
    cr_assert_eq(tsr__device_record(d, TSR_QUEUE_IN).number, (uint64_t)i + 1,
                 "nothing came between");
    tsr__device_follow(d, TSR_QUEUE_OUT, events[i]);
    d->ops->copy(d, TSR_QUEUE_OUT, TSR_COPY_OUT, &from);
    if (i % 400 == 399) d->ops->wait(d, events[i - 300]);
  }
  d->ops->wait(d, tsr__device_record(d, TSR_QUEUE_OUT));
  for (int i = 0; i < N_EVENTS; i++) {
    cr_assert(tsr__device_is_over(d, events[i]));
    cr_assert_eq(out[i], in[i]);
  }
  d->ops->free(d, p, N_EVENTS);
  cr_assert_eq(tsr__device_sync(d), TSR_OK, "%s", d->message);
  closed(d);
}

/* A copy from the host's memory that a copy of another queue writes: the driver may read it
 * early. */
Test(cuda, copies_in_wait_for_copies_out_that_they_follow)
{
  tsr_device *d = opened(0, 0);
  static double x[N], host[N], got[N];
  char *p = d->ops->alloc(d, sizeof x), *q = d->ops->alloc(d, sizeof x);
  for (int turn = 0; turn < 40; turn++) {
    for (int i = 0; i < N; i++) x[i] = turn * N + i;
    copy_bytes(d, TSR_COPY_IN, p, x, sizeof x);
    const tsr_points out = tsr__points_of_bytes(host, p, sizeof x);
    const tsr_points in = tsr__points_of_bytes(q, host, sizeof x);
    d->ops->copy(d, TSR_QUEUE_OUT, TSR_COPY_OUT, &out);
    tsr__device_follow(d, TSR_QUEUE_RUN, tsr__device_record(d, TSR_QUEUE_OUT));
    tsr__device_follow(d, TSR_QUEUE_IN, tsr__device_record(d, TSR_QUEUE_RUN));
    d->ops->copy(d, TSR_QUEUE_IN, TSR_COPY_IN, &in);
    d->ops->wait(d, tsr__device_record(d, TSR_QUEUE_IN));
    copy_bytes(d, TSR_COPY_OUT, got, q, sizeof x);
    for (int i = 0; i < N; i++) cr_assert_eq(got[i], x[i], "turn %d", turn);
  }
  d->ops->free(d, p, sizeof x);
  d->ops->free(d, q, sizeof x);
  closed(d);
}

/* Two devices, and two places on one. */
static void copies_peers(int one, int other)
{
  tsr_device *from = opened(one, 0), *to = opened(other, 0);
  cr_assert(to->ops->caps & TSR_DEVICE_COPIES_PEERS);
  double all[5][6], got[5][6], few[3][3];
  for (int i = 0; i < 30; i++) all[i / 6][i % 6] = i;
  char *x = from->ops->alloc(from, sizeof all), *y = to->ops->alloc(to, sizeof all);
  copy_bytes(from, TSR_COPY_IN, x, all, sizeof all);
  const tsr_points p = tsr__points_of_bytes(y, x, sizeof all);
  to->ops->copy_peer(to, TSR_QUEUE_IN, from, &p);
  cr_assert_eq(tsr__device_sync(to), TSR_OK, "%s", to->message);
  copy_bytes(to, TSR_COPY_OUT, got, y, sizeof got);
  cr_assert(memcmp(got, all, sizeof all) == 0);
  const tsr_points columns = some(y, x + 6 * 8, false);
  to->ops->copy_peer(to, TSR_QUEUE_RUN, from, &columns);
  cr_assert_eq(tsr__device_sync(to), TSR_OK, "%s", to->message);
  copy_bytes(to, TSR_COPY_OUT, few, y, sizeof few);
  for (int i = 0; i < 9; i++) cr_assert_eq(few[i / 3][i % 3], all[1 + i / 3][2 * (i % 3)]);
  from->ops->free(from, x, sizeof all);
  to->ops->free(to, y, sizeof all);
  tsr__device_close(from);
  closed(to);
}

Test(cuda, devices_copy_from_each_other)
{
  setenv("FAKE_CUDA_DEVICES", "2", 1);
  copies_peers(0, 1);
  copies_peers(1, 1);
}

/* Code. */

/* Runs a kernel of Tessera on the device, by an image of the jit, and compares with the
 * interpreter. */
static void runs_kernel(tsr_device *d, tsr_jit *jit, tsr_opcode op, int64_t n)
{
  static tsr_cuda_launch launch;
  stage s = {.ndim = 0};
  void *base[MAX_ACCESSES], *expected_base[MAX_ACCESSES], *there[MAX_BUFFERS];
  uint64_t seed = 5;
  char message[400];
  tsr_jit_code jit_code;
  tsr_kernel *k = stage_of_op(&s, op, TSR_FLOAT64, TSR_FLOAT64, false, n);
  stage_fill(&s, &seed);
  const tsr_kernel_bind expected = stage_bind(&s, true, expected_base);
  const tsr_kernel_bind bind = stage_bind(&s, false, base);
  for (int b = 0; b < s.n_buffers; b++) {
    const size_t bytes = (size_t)(s.buffer[b].elems + 1) * tsr__dtype_size(s.buffer[b].dtype);
    there[b] = d->ops->alloc(d, bytes);
    cr_assert_not_null(there[b]);
    copy_bytes(d, TSR_COPY_IN, there[b], s.buffer[b].memory, bytes);
  }
  for (int a = 0; a < s.n_accesses; a++) base[a] = (char *)there[s.of[a]] + s.offset[a];
  cr_assert(tsr__cuda_launch_make(k, &bind, &launch));
  tsr__jit_want_launch(jit, k, &launch);
  tsr__jit_wait(jit);
  cr_assert(tsr__jit_code(jit, k, &launch, true, &jit_code));
  const tsr_cuda_image *image = jit_code.image;
  cr_assert_not_null(image);
  void *code = d->ops->load(d, image->at, image->bytes, jit_code.name, launch.shared_bytes, message,
                            sizeof message);
  cr_assert_not_null(code, "%s", message);
  d->ops->launch_code(d, &(tsr_code_launch){.code = code,
                                            .grid = {launch.grid[0], launch.grid[1]},
                                            .threads = TSR_CUDA_THREADS,
                                            .n_words = launch.n_words,
                                            .words = launch.words});
  memset(&launch, 0xff, sizeof launch); /* the words are copied */
  cr_assert_eq(tsr__device_sync(d), TSR_OK, "%s", d->message);
  cr_assert_eq(tsr__kernel_prepare(k), TSR_OK);
  reference_interpret(k, &expected);
  for (int b = 0; b < s.n_buffers; b++) {
    const size_t bytes = (size_t)(s.buffer[b].elems + 1) * tsr__dtype_size(s.buffer[b].dtype);
    copy_bytes(d, TSR_COPY_OUT, s.buffer[b].memory, there[b], bytes);
    d->ops->free(d, there[b], bytes);
  }
  stage_compare(k, &s, "on the device", 0);
  stage_free(&s);
  tsr__kernel_destroy(k);
}

static tsr_jit *jit_for(const tsr_device *d)
{
  tsr_config config;
  char message[256];
  cr_assert_eq(tsr__config_read(&config, message, sizeof message), TSR_OK, "%s", message);
  strcpy(config.jit, "lazy");
  strcpy(config.cache, "/dev/null/none"); /* nothing is kept */
  return tsr__jit_create_cuda(&config, d->ops->architecture(d));
}

Test(cuda, kernels_run_from_images, .timeout = 120)
{
  tsr_device *d = opened(0, 0);
  cr_assert_str_eq(d->ops->architecture(d), "sm_90");
  tsr_jit *jit = jit_for(d);
  runs_kernel(d, jit, TSR_OP_ADD, 776);
  runs_kernel(d, jit, TSR_OP_ADD, 777);
  runs_kernel(d, jit, TSR_OP_EXP, 100000);
  tsr__device_close(d);
  tsr__jit_destroy(jit);
  cr_assert_eq(n_leaks(), 0);
}

/* A device that is newer than NVRTC takes PTX for an older one. */
Test(cuda, newer_devices_take_ptx, .timeout = 120)
{
  setenv("FAKE_CUDA_CAPABILITY", "121", 1);
  tsr_device *d = opened(0, 0);
  cr_assert_str_eq(d->ops->architecture(d), "sm_121");
  tsr_jit *jit = jit_for(d);
  runs_kernel(d, jit, TSR_OP_MULTIPLY, 776);
  tsr__device_close(d);
  tsr__jit_destroy(jit);
  cr_assert_eq(n_leaks(), 0);
}

/* The device `check` takes images of the system's compiler by the same calls. */
Test(cuda, check_runs_kernels_from_images, .timeout = 120)
{
  tsr_device *d = NULL;
  char message[400] = "";
  cr_assert_eq(tsr__device_open("check", 0, 0, &d, message, sizeof message), TSR_OK);
  cr_assert_str_eq(d->ops->architecture(d), "c");
  tsr_jit *jit = jit_for(d);
  runs_kernel(d, jit, TSR_OP_ADD, 776);
  runs_kernel(d, jit, TSR_OP_EXP, 777);
  static const char no_image[64] = "no image";
  cr_assert_null(d->ops->load(d, no_image, sizeof no_image, "k", 0, message, sizeof message));
  cr_assert(strstr(message, "the image is no code: "), "%s", message);
  tsr__device_close(d);
  tsr__jit_destroy(jit);
}

Test(cuda, what_is_no_code_is_refused)
{
  tsr_device *d = opened(0, 0);
  char message[400] = "";
  static const char no_image[64] = "no image";
  cr_assert_null(d->ops->load(d, no_image, sizeof no_image, "k", 0, message, sizeof message));
  cr_assert_str_eq(message, "device cuda 0 does not take the kernel `k`: cuModuleLoadData gives "
                            "CUDA_ERROR_INVALID_IMAGE (device kernel image is invalid)");
  cr_assert_eq(tsr__device_status(d), TSR_OK, "the device is as it was");
  closed(d);
}

/* Failures. */

/* Its launches ask for more shared memory than a kernel has by itself. */
enum { SHARED_BYTES = 56000 };
static const char source[] = "KERNEL(twice, 2) { SHARED_ASKED(f64, room, 7000); THREADS { const "
                             "i64 i = blockIdx.x * 256ll + "
                             "threadIdx.x; f64 *mine = room + 6744 + threadIdx.x; *mine = 2; "
                             "if (i < ARG(1)) ((f64 *)ARG(0))[i] *= *mine; } }\n";

/* An image of one kernel, `twice`; of its own, since an image stays as long as a device. */
static tsr_nvrtc_code image_of_twice(void)
{
  extern const char tsr__words_cuda[];
  char why[200];
  tsr_nvrtc *n = tsr__nvrtc_open(why, sizeof why);
  tsr_nvrtc_code code;
  tsr_text text = {0};
  tsr__text_add(&text, "%s%s", tsr__words_cuda, source);
  if (n == NULL || !tsr__nvrtc_compile(n, text.s, "sm_90", NULL, &code)) abort();
  tsr__text_free(&text);
  tsr__nvrtc_close(n);
  return code;
}

/* Does everything that a device can do. Returns its status; the text is on stderr. Nothing of it
 * may hang or crash, and all is given back. */
static void use_all(void)
{
  static double x[N], y[N];
  char message[400] = "";
  tsr_device *d = NULL;
  tsr_nvrtc_code code = image_of_twice();
  for (int i = 0; i < N; i++) x[i] = i;
  if (tsr__device_open("cuda", 0, 0, &d, message, sizeof message) < 0) {
    fprintf(stderr, "%s\n", message);
    _exit(n_leaks() == 0 ? REFUSED : 99);
  }
  char *p = d->ops->alloc(d, sizeof x), *large = d->ops->alloc(d, 4 << 20);
  const bool has_memory = p != NULL && large != NULL;
  void *kernel =
      d->ops->load(d, code.image, code.image_bytes, "twice", SHARED_BYTES, message, sizeof message);
  if (has_memory && kernel != NULL) {
    const int64_t words[2] = {(int64_t)(intptr_t)p, N};
    const tsr_points in = tsr__points_of_bytes(p, x, sizeof x);
    const tsr_points out = tsr__points_of_bytes(y, p, sizeof x);
    const tsr_points within = tsr__points_of_bytes(large, p, sizeof x);
    const tsr_points columns = some(large, p, false);
    d->ops->copy(d, TSR_QUEUE_IN, TSR_COPY_IN, &in);
    tsr__device_follow(d, TSR_QUEUE_RUN, tsr__device_record(d, TSR_QUEUE_IN));
    d->ops->launch_code(d, &(tsr_code_launch){kernel, {4, 1}, 256, 2, words, SHARED_BYTES});
    d->ops->copy(d, TSR_QUEUE_RUN, TSR_COPY_WITHIN, &within);
    d->ops->copy(d, TSR_QUEUE_RUN, TSR_COPY_WITHIN, &columns);
    tsr__device_follow(d, TSR_QUEUE_OUT, tsr__device_record(d, TSR_QUEUE_RUN));
    d->ops->copy(d, TSR_QUEUE_OUT, TSR_COPY_OUT, &out);
    const tsr_device_event last = tsr__device_record(d, TSR_QUEUE_OUT);
    while (!tsr__device_is_over(d, last)) usleep(10);
    d->ops->wait(d, tsr__device_record(d, TSR_QUEUE_RUN));
    for (int i = 0; i < N && tsr__device_status(d) == TSR_OK; i++)
      if (y[i] != 2 * i) _exit(98);
  }
  tsr__device_sync(d);
  d->ops->free(d, p, sizeof x);
  d->ops->free(d, large, 4 << 20);
  const bool failed = tsr__device_status(d) < 0 || !has_memory || kernel == NULL;
  if (failed) fprintf(stderr, "%s\n", d->message[0] != '\0' ? d->message : message);
  tsr__device_close(d);
  tsr__nvrtc_code_free(&code);
  const bool leaks = n_leaks() > 0;
  _exit(leaks ? 99 : failed ? FAILED : 0);
}

Test(cuda, everything_works_when_nothing_fails, .timeout = 60)
{
  char text[2000];
  cr_assert_eq(run_in_child(NULL, use_all, text, sizeof text), 0, "%s", text);
  cr_assert_str_eq(text, "");
}

/* Each entry fails once, at its first call and at later ones. */
Test(cuda, a_failing_entry_is_an_error_with_a_text, .timeout = 300)
{
  static const char *const at_open[] = {"cuInit",
                                        "cuDeviceGet",
                                        "cuDeviceGetAttribute",
                                        "cuDevicePrimaryCtxRetain",
                                        "cuCtxPushCurrent_v2",
                                        "cuStreamCreate",
                                        "cuCtxPopCurrent_v2"};
  static const char *const in_use[] = {
      "cuStreamWaitEvent",  "cuEventCreate",        "cuEventRecord",        "cuEventQuery",
      "cuEventSynchronize", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuMemcpyDtoDAsync_v2",
      "cuMemcpy2DAsync_v2", "cuModuleGetFunction",  "cuLaunchKernel",       "cuModuleLoadData",
      "cuMemAlloc_v2",      "cuFuncSetAttribute"};
  char setting[80], text[2000], call[64];
  for (size_t i = 0; i < sizeof at_open / sizeof at_open[0]; i++) {
    snprintf(setting, sizeof setting, "%s:1", at_open[i]);
    setenv("FAKE_CUDA_FAIL", setting, 1);
    cr_expect_eq(run_in_child(NULL, use_all, text, sizeof text), REFUSED, "%s: %s", setting, text);
    cr_expect(strstr(text, at_open[i]) != NULL &&
                  strstr(text, "CUDA_ERROR_UNKNOWN (unknown error)"),
              "%s: %s", setting, text);
  }
  for (size_t i = 0; i < sizeof in_use / sizeof in_use[0]; i++) {
    snprintf(setting, sizeof setting, "%s:1", in_use[i]);
    setenv("FAKE_CUDA_FAIL", setting, 1);
    const bool is_memory = strcmp(in_use[i], "cuMemAlloc_v2") == 0; /* there is none: no failure */
    cr_expect_eq(run_in_child(NULL, use_all, text, sizeof text), FAILED, "%s: %s", setting, text);
    snprintf(call, sizeof call, "%s gives CUDA_ERROR_UNKNOWN (unknown error)", in_use[i]);
    cr_expect(is_memory || strstr(text, call), "%s: %s", setting, text);
  }
}

/* What fails at the end, or later than at the first call, is never a crash, a hang or a leak. */
Test(cuda, later_failures_leave_nothing, .timeout = 300)
{
  static const char *const any[] = {"cuCtxPushCurrent_v2", "cuCtxPopCurrent_v2", "cuStreamCreate",
                                    "cuEventRecord",       "cuEventCreate",      "cuEventQuery",
                                    "cuDeviceGetAttribute"};
  char setting[80], text[2000];
  for (size_t i = 0; i < sizeof any / sizeof any[0]; i++)
    for (int at = 2; at <= 6; at++) {
      snprintf(setting, sizeof setting, "%s:%d", any[i], at);
      setenv("FAKE_CUDA_FAIL", setting, 1);
      const int status = run_in_child(NULL, use_all, text, sizeof text);
      cr_expect(status == FAILED || status == REFUSED || status == 0, "%s: %d, %s", setting, status,
                text);
    }
}

/* What fails when a device is closed is past telling. */
Test(cuda, failures_at_the_end_leave_nothing, .timeout = 120)
{
  static const char *const at_close[] = {
      "cuStreamDestroy_v2",           "cuEventDestroy_v2",  "cuMemFree_v2", "cuModuleUnload",
      "cuDevicePrimaryCtxRelease_v2", "cuStreamSynchronize"};
  char setting[80], text[2000];
  for (size_t i = 0; i < sizeof at_close / sizeof at_close[0]; i++) {
    snprintf(setting, sizeof setting, "%s:1", at_close[i]);
    setenv("FAKE_CUDA_FAIL", setting, 1);
    cr_expect_eq(run_in_child(NULL, use_all, text, sizeof text), 0, "%s: %s", setting, text);
    cr_expect_str_eq(text, "", "%s", setting);
  }
}

Test(cuda, copies_between_devices_fail_with_a_text)
{
  static const char *const entries[] = {"cuMemcpyPeerAsync", "cuMemcpy3DPeerAsync"};
  setenv("FAKE_CUDA_DEVICES", "2", 1);
  for (int i = 0; i < 2; i++) {
    char text[200];
    setenv("FAKE_CUDA_FAIL", entries[i], 1);
    tsr_device *from = opened(0, 0), *to = opened(1, 0);
    char *x = from->ops->alloc(from, N), *y = to->ops->alloc(to, N);
    const tsr_points run = tsr__points_of_bytes(y, x, 64), columns = some(y, x, false);
    to->ops->copy_peer(to, TSR_QUEUE_RUN, from, i == 0 ? &run : &columns);
    cr_assert_eq(tsr__device_sync(to), TSR_ERR_INTERNAL);
    snprintf(text, sizeof text, "device cuda 1: %s gives CUDA_ERROR_UNKNOWN (unknown error)",
             entries[i]);
    cr_assert_str_eq(to->message, text);
    cr_assert_eq(tsr__device_sync(from), TSR_OK, "the other device is as it was");
    cr_assert_null(to->ops->alloc(to, N), "it does nothing any more");
    from->ops->free(from, x, N);
    to->ops->free(to, y, N);
    tsr__device_close(from);
    closed(to);
  }
}

/* Rows that the driver refuses to copy together are copied one by one. */
Test(cuda, rows_that_are_refused_together_are_copied_alone)
{
  tsr_device *d = opened(0, 0);
  setenv("FAKE_CUDA_REFUSE_ROWS", "1", 1);
  char why[200];
  cr_assert_eq(tsr__device_cuda.count(why, sizeof why), 1); /* reads the setting */
  for (int turn = 0; turn < 3; turn++) copies_points(d);
  copies_any_points(d, 30, 3);
  closed(d);
}

Test(cuda, a_failed_kernel_ends_the_device_and_says_how_to_find_it)
{
  char text[2000];
  setenv("FAKE_CUDA_FAIL", "kernel:1", 1);
  cr_expect_eq(run_in_child(NULL, use_all, text, sizeof text), FAILED, "%s", text);
  cr_expect(strstr(text, "CUDA_ERROR_LAUNCH_FAILED (unspecified launch failure): a kernel failed\n"
                         "help: run the program under `compute-sanitizer`"),
            "%s", text);
}

/* Loads and runs kernels after a large block was freed, which the pool keeps. */
static void use_with_unused_memory(void)
{
  char message[400] = "";
  tsr_nvrtc_code code = image_of_twice();
  tsr_device *d = NULL;
  if (tsr__device_open("cuda", 0, 0, &d, message, sizeof message) < 0) _exit(REFUSED);
  d->ops->free(d, d->ops->alloc(d, 4 << 20), 4 << 20);
  const int64_t words[2] = {0, 0};
  void *kernel =
      d->ops->load(d, code.image, code.image_bytes, "twice", SHARED_BYTES, message, sizeof message);
  if (kernel != NULL)
    d->ops->launch_code(d, &(tsr_code_launch){kernel, {1, 1}, 256, 2, words, SHARED_BYTES});
  tsr__device_sync(d);
  const bool failed = tsr__device_status(d) < 0 || kernel == NULL;
  if (failed) fprintf(stderr, "%s\n", d->message[0] != '\0' ? d->message : message);
  tsr__device_close(d);
  tsr__nvrtc_code_free(&code);
  _exit(n_leaks() > 0 ? 99 : failed ? FAILED : 0);
}

/* The driver's own want of memory ends nothing while the pool keeps memory that nobody uses. */
Test(cuda, what_the_driver_wants_for_itself_is_taken_from_what_is_unused)
{
  static const char *const wants[] = {"cuModuleLoadData", "cuLaunchKernel"};
  char setting[80], text[2000], said[200];
  for (int i = 0; i < 2; i++) {
    snprintf(setting, sizeof setting, "%s:1:memory", wants[i]);
    setenv("FAKE_CUDA_FAIL", setting, 1);
    cr_expect_eq(run_in_child(NULL, use_with_unused_memory, text, sizeof text), 0, "%s", text);
    cr_expect_eq(run_in_child(NULL, use_all, text, sizeof text), FAILED, "nothing is unused");
    snprintf(said, sizeof said, "%s gives CUDA_ERROR_OUT_OF_MEMORY (out of memory)", wants[i]);
    cr_expect(strstr(text, said), "%s", text);
  }
}

/* What there is no device for. */

static void expect_off(const char *reason)
{
  char why[300] = "", message[400] = "";
  tsr_device *d = NULL;
  cr_assert_eq(tsr__device_cuda.count(why, sizeof why), 0);
  cr_expect_str_eq(why, reason);
  cr_assert_eq(tsr__device_open("cuda", 0, 0, &d, message, sizeof message), TSR_ERR_CONFIG);
  cr_assert_null(d);
  cr_expect(strstr(message, reason), "%s", message);
}

Test(cuda, a_machine_without_devices_says_so)
{
  setenv("FAKE_CUDA_DEVICES", "0", 1);
  expect_off("there is no device: cuInit gives CUDA_ERROR_NO_DEVICE (no CUDA-capable device is "
             "detected)");
}

Test(cuda, a_driver_that_does_not_work_says_so)
{
  setenv("FAKE_CUDA_FAIL", "cuDeviceGetCount:1", 1);
  char why[300] = "";
  cr_assert_eq(tsr__device_cuda.count(why, sizeof why), 0);
  cr_expect_str_eq(why, "cuDeviceGetCount gives CUDA_ERROR_UNKNOWN (unknown error)");
}

static void count_in_child(void)
{
  char why[300] = "";
  if (tsr__device_cuda.count(why, sizeof why) > 0) _exit(REFUSED);
  fputs(why, stderr);
}

Test(cuda, a_child_of_a_process_that_used_a_device_is_told_so, .timeout = 60)
{
  char text[1000];
  setenv("FAKE_CUDA_REFUSE_FORKED", "1", 1);
  cr_assert_eq(run_in_child(NULL, count_in_child, text, sizeof text), REFUSED, "it is free");
  closed(opened(0, 0));
  cr_assert_eq(run_in_child(NULL, count_in_child, text, sizeof text), 0, "%s", text);
  cr_assert_str_eq(text, "the process was forked after CUDA had been used in it: cuInit gives "
                         "CUDA_ERROR_NOT_INITIALIZED (initialization error)");
  closed(opened(0, 0));
}

/* Worlds. */

/* A world of one rank, as the settings say. Returns its status; it is closed again. */
static tsr_status open_world(const char *devices, int n_places, tsr_world *seen)
{
  tsr_config config;
  tsr_machine *machine = NULL;
  tsr_world w;
  char message[400];
  cr_assert_eq(tsr__config_read(&config, message, sizeof message), TSR_OK, "%s", message);
  strcpy(config.device, "cuda");
  strcpy(config.devices, devices);
  strcpy(config.placement, "all");
  config.places = n_places;
  config.device_memory_bytes = 0;
  config.memory_bytes = 0;
  cr_assert_eq(tsr__machine_create(&config, 0, 1, 1, &machine, message, sizeof message), TSR_OK);
  const tsr_status status = tsr__world_open(&w, machine, tsr__transport_self());
  if (status == TSR_OK) {
    *seen = w;
    tsr__world_close(&w);
  }
  tsr__machine_destroy(machine);
  cr_assert_eq(n_leaks(), 0);
  return status;
}

typedef struct chosen {
  tsr_machine *machine;
  tsr_status status;
  bool is_auto, costs_wait;
} chosen;

static void open_rank(tsr_transport *end, void *arg)
{
  chosen *c = arg;
  tsr_world w;
  c->status = tsr__world_open(&w, c->machine, end);
  if (c->status != TSR_OK) return;
  c->is_auto = w.is_auto;
  c->costs_wait = w.costs_wait;
  tsr__transport_local_leave(end);
  tsr__world_close(&w);
}

/* Whether a device is chosen or asked for is rank 0's setting, as it is for other nodes' processes
 * that did not get its variables. */
Test(cuda, ranks_agree_on_who_chose_the_device, .timeout = 60)
{
  static const char *const devices[][2] = {{"auto", "cpu"}, {"cuda", "auto"}};
  for (int i = 0; i < 2; i++) {
    chosen ranks[2] = {{.machine = NULL}};
    for (int r = 0; r < 2; r++) {
      tsr_config config;
      char message[400];
      cr_assert_eq(tsr__config_read(&config, message, sizeof message), TSR_OK, "%s", message);
      snprintf(config.device, sizeof config.device, "%s", devices[i][r]);
      strcpy(config.cache, "/dev/null/none");
      config.threads = 1;
      cr_assert_eq(
          tsr__machine_create(&config, 0, 1, 1, &ranks[r].machine, message, sizeof message),
          TSR_OK);
    }
    cr_assert(rank_threads_run(2, 0, open_rank, ranks, sizeof *ranks));
    for (int r = 0; r < 2; r++) {
      cr_expect_eq(ranks[r].status, TSR_OK);
      cr_expect_eq(ranks[r].is_auto, i == 0);
      cr_expect_eq(ranks[r].costs_wait, i == 0);
      tsr__machine_destroy(ranks[r].machine);
    }
  }
}

/* The limit of a place is 90 % of its device's memory, which the places on it share. */
Test(cuda, places_share_a_device)
{
  setenv("FAKE_CUDA_MEMORY", "1000000000", 1);
  tsr_world w;
  cr_assert_eq(open_world("", 0, &w), TSR_OK);
  cr_assert(w.n_places == 1 && w.config.device_memory_bytes == 900000000);
  cr_assert_eq(open_world("0,0", 0, &w), TSR_OK);
  cr_assert(w.n_places == 2 && w.config.device_memory_bytes == 450000000);
  cr_assert_eq(open_world("", 3, &w), TSR_OK);
  cr_assert(w.n_places == 3 && w.config.device_memory_bytes == 300000000);
}

static void open_refused(void)
{
  tsr_world w;
  _exit(open_world("", 0, &w) == TSR_ERR_CONFIG ? REFUSED : 0);
}

Test(cuda, devices_of_a_rank_are_of_one_architecture)
{
  char text[1000];
  setenv("FAKE_CUDA_DEVICES", "3", 1);
  setenv("FAKE_CUDA_OTHERS", "80", 1);
  cr_assert_eq(run_in_child(NULL, open_refused, text, sizeof text), REFUSED, "%s", text);
  cr_assert_str_eq(text, "error[TSR0501]: device cuda 0 is sm_90, and device cuda 1 is sm_80: all "
                         "devices of a rank are of one architecture\nhelp: TESSERA_DEVICES names "
                         "those that are used\n");
}

Test(cuda, a_world_without_devices_says_why)
{
  char text[1000];
  setenv("FAKE_CUDA_DEVICES", "0", 1);
  cr_assert_eq(run_in_child(NULL, open_refused, text, sizeof text), REFUSED, "%s", text);
  cr_assert_str_eq(text, "error[TSR0501]: this node has no device cuda (TESSERA_DEVICE): there is "
                         "no device: cuInit gives CUDA_ERROR_NO_DEVICE (no CUDA-capable device is "
                         "detected)\n");
}
