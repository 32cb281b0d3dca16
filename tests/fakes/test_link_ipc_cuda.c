/* The link `ipc` over the stand-in for the driver, with ranks that are threads: how it opens, gives
 * way to the host, and is lost. ipc_program.c has ranks that are processes. */
#include "tests/fakes/known.h"
#include "tests/fakes/linked.h"
#include "tests/support/child.h"

static outcome host, linked;

/* Ranks on one device, and some of them on two, exchange as others do. */
Test(link_ipc, joins_ranks_that_share_a_device, .timeout = 300)
{
  run_program(1, "cpu", "host", "1", "jit", "lazy", &host);
  static const char *const counts[] = {"1", "2"};
  for (int i = 0; i < 2; i++) {
    set_devices(counts[i]);
    run_program(4, "cuda", "ipc", "1", "jit", "lazy", &linked);
    expect_same(&linked, &host);
    cr_expect_gt(linked.n_links, 0);
  }
}

static void run_failing(void)
{
  set_devices("2");
  setenv("FAKE_NCCL_SECONDS", "5", 1);
  setenv("FAKE_CUDA_FAIL", failing, 1);
  run_program(1, "cpu", "host", "1", "jit", "lazy", &host);
  run_program(2, "cuda", "ipc", "1", "jit", "lazy", &linked);
  expect_same(&linked, &host);
  _exit(linked.n_links > 0 ? 11 : n_leaks() > 0 ? 12 : 10);
}

/* Whatever fails when the link opens, on one of two ranks, is said once, messages go by the host,
 * and nothing is left. */
Test(link_ipc, gives_way_where_an_entry_fails, .timeout = 300)
{
  static const char *const entries[] = {"cuIpcGetMemHandle:1",       "cuIpcGetMemHandle:2",
                                        "cuCtxEnablePeerAccess:1",   "cuCtxEnablePeerAccess:2",
                                        "cuStreamWriteValue64_v2:1", "cuStreamWriteValue64_v2:3",
                                        "cuStreamWaitValue64_v2:1",  "cuStreamWaitValue64_v2:2"};
  char text[8000];
  for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
    failing = entries[i];
    cr_expect_eq(run_in_child(NULL, run_failing, text, sizeof text), 10, "%s: %s", failing, text);
    char says[64];
    snprintf(says, sizeof says, "%.*s gives", (int)strcspn(failing, ":"), failing);
    const char *said = strstr(text, "messages between ranks' devices go by the host: ");
    cr_assert_not_null(said, "%s: %s", failing, text);
    cr_expect_not_null(strstr(said, says), "%s: %s", failing, text);
    cr_expect_null(strstr(said + 1, "messages between"), "said once: %s", text);
  }
}

static void run_without_values(void)
{
  setenv("FAKE_CUDA_REFUSE_VALUES", "1", 1);
  failing = "";
  run_failing();
}

Test(link_ipc, gives_way_where_queues_cannot_wait_for_counters, .timeout = 120)
{
  char text[8000];
  cr_expect_eq(run_in_child(NULL, run_without_values, text, sizeof text), 10, "%s", text);
  cr_expect_not_null(strstr(text, "the device's queues cannot wait for counters"), "%s", text);
}

/* A device that fails meanwhile is an error of all ranks: arrays cannot live there. */
static void run_with_a_lost_device(void)
{
  set_devices("2");
  setenv("FAKE_CUDA_FAIL", "cuStreamCreate:7", 1);
  const tsr_status status =
      tsr_run_ranks(2, (const char *const[]){"device", "cuda", "link", "ipc", "places", "1", NULL},
                    compute, &linked);
  _exit(status >= 0 ? 11 : n_leaks() > 0 ? 12 : 10);
}

Test(link_ipc, does_not_give_way_where_a_device_fails, .timeout = 120)
{
  char text[8000];
  cr_expect_eq(run_in_child(NULL, run_with_a_lost_device, text, sizeof text), 10, "%s", text);
  cr_expect_not_null(strstr(text, "cuStreamCreate gives"), "%s", text);
}

/* A link that fails during a run ends the job, with the driver's words. */
Test(link_ipc, that_is_lost_ends_the_job, .timeout = 300)
{
  static const char *const entries[] = {"cuStreamWriteValue64_v2:9", "cuStreamWaitValue64_v2:6"};
  for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
    expect_lost("ipc", entries[i], "gives");
}
