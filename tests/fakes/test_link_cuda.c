/* The link `nccl` between devices `cuda`, over the stand-ins for the driver and NCCL. */
#include "array/core/array_int.h"
#include "runtime/machine/machine.h"
#include "tests/support/child.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { N_BYTES = 10000, N_ROUNDS = 20 };

static void set_devices(const char *n)
{
  setenv("FAKE_CUDA_DEVICES", n, 1);
  setenv("TESSERA_PLACEMENT", "all", 1);
}

static tsr_status run_linked(int n, const char *device, void (*fn)(void *, int), void *arg)
{
  return tsr_run_ranks(
      n, (const char *const[]){"device", device, "link", "nccl", "places", "1", NULL}, fn, arg);
}

static void copy(tsr_device *d, bool in, void *room, unsigned char *bytes)
{
  const tsr_points p = in ? tsr__points_of_bytes(room, (char *)bytes, N_BYTES)
                          : tsr__points_of_bytes((char *)bytes, room, N_BYTES);
  cr_assert_eq(tsr__device_copy(d, in ? TSR_COPY_IN : TSR_COPY_OUT, &p), TSR_OK);
}

/* Every member sends to all others at once, round after round, without a wait between. */
static void exchange(void *arg, int rank)
{
  (void)arg;
  const tsr_world *w = &tsr_context_current()->world;
  const tsr_link *l = w->link;
  cr_assert_not_null(l);
  tsr_device *d = w->places[0].device;
  unsigned char bytes[N_BYTES];
  char why[300] = "";
  const size_t apart = 10240;
  cr_assert_leq((size_t)N_BYTES, l->most_bytes);
  memset(bytes, 10 + rank, sizeof bytes);
  copy(d, true, l->rooms[0], bytes);
  for (int round = 0; round < N_ROUNDS; round++) {
    tsr_link_part parts[16];
    int n = 0;
    for (int peer = 0; peer < l->n_members; peer++) {
      if (peer == l->member[rank]) continue;
      parts[n++] = (tsr_link_part){l->ends[0], peer, true, l->rooms[0], N_BYTES};
      parts[n++] = (tsr_link_part){l->ends[0], peer, false,
                                   l->rooms[0] + apart * (size_t)(1 + peer), N_BYTES};
    }
    cr_assert(l->ops->exchange(parts, n, why, sizeof why), "%s", why);
  }
  tsr__device_wait(d, tsr__device_record(d, TSR_QUEUE_LINK));
  cr_assert(l->ops->is_well(l->ends[0], why, sizeof why), "%s", why);
  for (int peer = 0; peer < l->n_members; peer++) {
    if (peer == l->member[rank]) continue;
    copy(d, false, l->rooms[0] + apart * (size_t)(1 + peer), bytes);
    for (int i = 0; i < N_BYTES; i++) cr_assert_eq(bytes[i], 10 + peer);
  }
}

Test(link, members_exchange_bytes, .timeout = 60)
{
  set_devices("4");
  for (int n = 2; n <= 4; n++) cr_expect_eq(run_linked(n, "cuda", exchange, NULL), TSR_OK);
}

static void has_link(void *arg, int rank)
{
  ((int *)arg)[rank] = tsr_context_current()->world.link != NULL;
}

/* One rank alone needs no link, and of a link the host's memory is no member. */
Test(link, one_rank_has_none, .timeout = 60)
{
  int has[1] = {1};
  set_devices("1");
  cr_expect_eq(run_linked(1, "cuda", has_link, has), TSR_OK);
  cr_expect_eq(has[0], 0);
}

static void run_on_cpu(void)
{
  int has[2];
  _exit(run_linked(2, "cpu", has_link, has) == TSR_ERR_CONFIG ? 10 : 11);
}

Test(link, joins_devices_alone, .timeout = 60)
{
  char text[2000];
  cr_expect_eq(run_in_child(NULL, run_on_cpu, text, sizeof text), 10, "%s", text);
  cr_expect_not_null(strstr(text, "TESSERA_LINK is nccl, which joins devices of the kind cuda, but "
                                  "TESSERA_DEVICE is cpu"),
                     "%s", text);
}

static void run_with_a_seed(void)
{
  int has[2];
  set_devices("2");
  setenv("TESSERA_SEED", "3", 1);
  _exit(run_linked(2, "cuda", has_link, has) == TSR_ERR_CONFIG ? 10 : 11);
}

Test(link, goes_with_no_seed, .timeout = 60)
{
  char text[2000];
  cr_expect_eq(run_in_child(NULL, run_with_a_seed, text, sizeof text), 10, "%s", text);
  cr_expect_not_null(strstr(text, "a link's order is not drawn from a seed"), "%s", text);
}

static void run_on_one_device(void)
{
  int has[3] = {1, 1, 1};
  set_devices("1");
  const tsr_status status = run_linked(3, "cuda", has_link, has);
  _exit(status == TSR_OK && has[0] + has[1] + has[2] == 0 ? 10 : 11);
}

Test(link, ranks_that_share_a_device_go_by_the_host, .timeout = 60)
{
  char text[2000];
  cr_expect_eq(run_in_child(NULL, run_on_one_device, text, sizeof text), 10, "%s", text);
  const char *said = strstr(text, "2 of 3 places have a device that another place has");
  cr_assert_not_null(said, "%s", text);
  cr_expect_null(strstr(said + 1, "2 of 3 places"), "said once: %s", text);
}

static const char *failing;

static void run_failing(void)
{
  int has[2];
  set_devices("2");
  setenv("FAKE_NCCL_SECONDS", "1", 1);
  setenv("FAKE_CUDA_FAIL", failing, 1);
  const tsr_status status = run_linked(2, "cuda", has_link, has);
  _exit(status == TSR_ERR_CONFIG || status == TSR_ERR_MEMORY ? 10 : 11);
}

/* On one of two ranks: both have the error, and nothing is left. */
Test(link, each_entry_fails_once, .timeout = 120)
{
  static const char *const entries[] = {
      "ncclGetUniqueId:1",       "ncclCommInitRank:1",  "ncclGroupStart:1", "ncclGroupEnd:1",
      "ncclGroupStart:3",        "ncclGroupEnd:3",      "ncclSend:1",       "ncclRecv:2",
      "ncclCommGetAsyncError:1", "cuDeviceGetUuid_v2:1"};
  char text[4000];
  for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
    failing = entries[i];
    cr_expect_eq(run_in_child(NULL, run_failing, text, sizeof text), 10, "%s: %s", failing, text);
    char says[64];
    snprintf(says, sizeof says, "%.*s gives", (int)strcspn(failing, ":"), failing);
    /* the lowest rank tells: the other one may only have waited for it */
    cr_expect(strstr(text, says) != NULL || strstr(text, "only 1 of 2 members have come") != NULL ||
                  strstr(text, "not in one order") != NULL,
              "%s: %s", failing, text);
  }
}

/* Both members send before they receive, each in an exchange of its own. */
static void cross(void *arg, int rank)
{
  (void)arg;
  const tsr_link *l = tsr_context_current()->world.link;
  tsr_device *d = tsr_context_current()->world.places[0].device;
  char why[300];
  for (int i = 0; i < 2; i++) {
    const tsr_link_part part = {l->ends[0], 1 - rank, i == 0, l->rooms[0], 64};
    l->ops->exchange(&part, 1, why, sizeof why);
  }
  tsr__device_wait(d, tsr__device_record(d, TSR_QUEUE_LINK));
}

static void run_crossed(void)
{
  set_devices("2");
  setenv("FAKE_NCCL_SECONDS", "1", 1);
  run_linked(2, "cuda", cross, NULL);
  _exit(10);
}

Test(link, wrong_orders_are_found_out, .timeout = 60)
{
  char text[4000];
  run_in_child(NULL, run_crossed, text, sizeof text);
  cr_expect_not_null(strstr(text, "the ranks' messages are not in one order"), "%s", text);
}
