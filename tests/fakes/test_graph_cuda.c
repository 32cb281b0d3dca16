/* Sequences of launches as graphs (runtime/device/sequence.h), over the stand-in for the driver. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/compile/nvrtc.h"
#include "runtime/base/text.h"
#include "runtime/device/sequence.h"
#include "tests/runtime/device_contract.h"
#include "tests/support/child.h"

enum { N = 600, SHARED_BYTES = 56000 }; /* of `twice`: more than a kernel has by itself */

static const char source[] =
    "KERNEL(add, 3) { THREADS { const i64 i = blockIdx.x * 256ll + threadIdx.x; "
    "if (i < ARG(1)) ((f64 *)ARG(0))[i] += (f64)ARG(2); } }\n"
    "KERNEL(twice, 3) { SHARED_ASKED(f64, room, 7000); THREADS { const i64 i = blockIdx.x * 256ll "
    "+ "
    "threadIdx.x; f64 *mine = room + 6744 + threadIdx.x; *mine = 2; "
    "if (i < ARG(1)) ((f64 *)ARG(0))[i] *= *mine; } }\n";

/* A device with two kernels, and a block of N values; and what they should be. */
typedef struct bench {
  tsr_device *d;
  tsr_nvrtc_code code;
  void *add, *twice;
  char *x;
  double expected[N];
  tsr_sequence *kept;
} bench;

static void *loaded(bench *b, const char *name)
{
  char message[400];
  void *code =
      b->d->ops->load(b->d, b->code.image, b->code.image_bytes, name,
                      strcmp(name, "twice") == 0 ? SHARED_BYTES : 0, message, sizeof message);
  if (code == NULL) fprintf(stderr, "%s\n", message);
  return code;
}

static void set_up(bench *b)
{
  extern const char tsr__words_cuda[];
  char message[400];
  tsr_text text = {0};
  tsr_nvrtc *n = tsr__nvrtc_open(message, sizeof message);
  memset(b, 0, sizeof *b);
  tsr__text_add(&text, "%s%s", tsr__words_cuda, source);
  if (n == NULL || !tsr__nvrtc_compile(n, text.s, "sm_90", NULL, &b->code)) abort();
  tsr__text_free(&text);
  tsr__nvrtc_close(n);
  if (tsr__device_open("cuda", 0, 0, &b->d, message, sizeof message) < 0) abort();
  b->add = loaded(b, "add");
  b->twice = loaded(b, "twice");
  b->x = b->d->ops->alloc(b->d, sizeof b->expected);
  if (b->add == NULL || b->twice == NULL || b->x == NULL) abort();
  const tsr_points in = tsr__points_of_bytes(b->x, b->expected, sizeof b->expected);
  tsr__device_copy(b->d, TSR_COPY_IN, &in);
}

static void put(bench *b, void *code, int64_t n, int64_t by)
{
  const int64_t words[3] = {(int64_t)(intptr_t)b->x, n, by};
  const tsr_code_launch launch = {code,  {(uint32_t)(n + 255) / 256, 1},     256, 3,
                                  words, code == b->twice ? SHARED_BYTES : 0};
  tsr__device_put_code(b->d, &launch);
  for (int i = 0; i < n; i++)
    b->expected[i] = code == b->add ? b->expected[i] + (double)by : b->expected[i] * 2;
}

/* Six launches of one run. Returns how many of them graphs made. */
static uint64_t run(bench *b, int64_t n, int64_t by, bool turned)
{
  tsr__sequence_begin(b->d, &b->kept);
  put(b, b->add, n, by);
  put(b, turned ? b->add : b->twice, n, 0);
  put(b, b->add, n, 3);
  put(b, b->twice, n, 0);
  put(b, b->add, n, by + 1);
  put(b, b->add, n, -7);
  return tsr__sequence_end(b->d);
}

static bool is_right(bench *b)
{
  static double got[N];
  const tsr_points out = tsr__points_of_bytes(got, b->x, sizeof got);
  return tsr__device_copy(b->d, TSR_COPY_OUT, &out) == TSR_OK &&
         memcmp(got, b->expected, sizeof got) == 0;
}

static void tear_down(bench *b)
{
  tsr__device_sync(b->d);
  tsr__sequence_free(b->d, b->kept);
  b->d->ops->free(b->d, b->x, sizeof b->expected);
  tsr__device_close(b->d);
  tsr__nvrtc_code_free(&b->code);
}

Test(graphs, what_comes_again_is_a_graph, .timeout = 60)
{
  static bench b;
  set_up(&b);
  cr_expect_eq(run(&b, N, 1, false), 0, "nothing came before");
  cr_expect(is_right(&b));
  for (int i = 0; i < 5; i++) {
    cr_expect_eq(run(&b, N, 1, false), 6);
    cr_expect(is_right(&b));
  }
  cr_expect_eq(run(&b, N, 5, false), 6, "words that differ are set");
  cr_expect(is_right(&b));
  cr_expect_eq(run(&b, 300, 5, false), 6, "and grids");
  cr_expect_eq(run(&b, 300, 6, false), 6, "also while the graph runs");
  cr_expect(is_right(&b));
  cr_expect_eq(run(&b, N, 1, true), 0, "another kernel is another sequence");
  cr_expect_eq(run(&b, N, 2, true), 6);
  cr_expect_eq(run(&b, N, 2, false), 0);
  cr_expect(is_right(&b));
  tear_down(&b);
}

/* What is put between launches comes between them, and an event is behind all that came before
 * it. */
Test(graphs, other_calls_keep_their_place, .timeout = 60)
{
  static bench b;
  static double got[N], before[N];
  set_up(&b);
  for (int turn = 0; turn < 4; turn++) {
    uint64_t n_graph = 0;
    tsr__sequence_begin(b.d, &b.kept);
    for (int i = 0; i < 5; i++) put(&b, b.add, N, i + turn);
    memcpy(before, b.expected, sizeof before);
    const tsr_points out = tsr__points_of_bytes(got, b.x, sizeof got);
    tsr__device_follow(b.d, TSR_QUEUE_OUT, tsr__device_record(b.d, TSR_QUEUE_RUN));
    tsr__device_put_copy(b.d, TSR_QUEUE_OUT, TSR_COPY_OUT, &out);
    tsr__device_follow(b.d, TSR_QUEUE_RUN, tsr__device_record(b.d, TSR_QUEUE_OUT));
    for (int i = 0; i < 4; i++) put(&b, b.twice, N, 0);
    put(&b, b.add, N, 0);
    n_graph = tsr__sequence_end(b.d);
    cr_expect_eq(n_graph, turn == 0 ? 0 : 10, "turn %d: %d", turn, (int)n_graph);
    cr_expect(is_right(&b));
    cr_expect_arr_eq(got, before, sizeof got);
    for (int i = 0; i < N; i++) b.expected[i] = i % 7;
    const tsr_points in = tsr__points_of_bytes(b.x, b.expected, sizeof b.expected);
    tsr__device_copy(b.d, TSR_COPY_IN, &in);
  }
  tear_down(&b);
}

Test(graphs, few_launches_and_large_ones_are_put_as_they_come, .timeout = 60)
{
  static bench b;
  set_up(&b);
  for (int turn = 0; turn < 3; turn++) {
    tsr__sequence_begin(b.d, &b.kept);
    for (int i = 0; i < 3; i++) put(&b, b.add, N, i);
    const int64_t words[3] = {(int64_t)(intptr_t)b.x, N, 4};
    tsr__device_put_code(b.d, &(tsr_code_launch){b.add, {5000, 1}, 256, 3, words, 0});
    for (int i = 0; i < N; i++) b.expected[i] += 4;
    for (int i = 0; i < 3; i++) put(&b, b.add, N, i);
    cr_expect_eq(tsr__sequence_end(b.d), 0);
    cr_expect(is_right(&b));
  }
  cr_expect_null(b.d->sequence);
  tear_down(&b);
}

/* Two sequences of one device, as of two plans. */
Test(graphs, plans_have_their_own, .timeout = 60)
{
  static bench b;
  set_up(&b);
  tsr_sequence *first = NULL, *second = NULL;
  for (int turn = 0; turn < 6; turn++) {
    b.kept = turn % 2 ? second : first;
    cr_expect_eq(run(&b, N, turn, turn % 2), turn < 2 ? 0 : 6);
    *(turn % 2 ? &second : &first) = b.kept;
  }
  cr_expect(is_right(&b));
  tsr__device_sync(b.d);
  tsr__sequence_free(b.d, first);
  b.kept = second;
  tear_down(&b);
}

/* Exits with 0 if all is right, with 1 if the device has failed with a text, else with 2. */
static void run_some(void)
{
  static bench b;
  set_up(&b);
  for (int i = 0; i < 4; i++) run(&b, N, i, false);
  const bool right = is_right(&b), failed = tsr__device_status(b.d) < 0;
  if (failed) fprintf(stderr, "%s\n", b.d->message);
  tear_down(&b);
  _exit(failed ? 1 : right ? 0 : 2);
}

/* A graph that cannot be made or set is launched kernel by kernel. One that cannot be put is the
 * device's failure, as a launch would be, but for want of memory that nobody uses. */
Test(graphs, a_failing_entry_costs_speed_alone, .timeout = 120)
{
  static const char *const harmless[] = {"cuGraphCreate:1",
                                         "cuGraphAddKernelNode_v2:1",
                                         "cuGraphAddKernelNode_v2:6",
                                         "cuGraphInstantiateWithFlags:1",
                                         "cuGraphExecKernelNodeSetParams_v2:1",
                                         "cuGraphExecDestroy:1",
                                         "cuGraphDestroy:1"};
  char text[2000];
  for (size_t i = 0; i < sizeof harmless / sizeof harmless[0]; i++) {
    setenv("FAKE_CUDA_FAIL", harmless[i], 1);
    cr_expect_eq(run_in_child(NULL, run_some, text, sizeof text), 0, "%s: %s", harmless[i], text);
  }
  setenv("FAKE_CUDA_FAIL", "cuGraphLaunch:2", 1);
  cr_expect_eq(run_in_child(NULL, run_some, text, sizeof text), 1, "%s", text);
  cr_expect(strstr(text, "cuGraphLaunch gives CUDA_ERROR_UNKNOWN (unknown error)"), "%s", text);
  setenv("FAKE_CUDA_FAIL", "kernel:9", 1);
  cr_expect_eq(run_in_child(NULL, run_some, text, sizeof text), 1, "%s", text);
  cr_expect(strstr(text, "a kernel failed"), "%s", text);
}
