/* Links between devices `cuda`, over the stand-ins for the driver and NCCL: what all kinds have,
 * and `nccl`. */
#include "tests/fakes/linked.h"
#include "tests/support/child.h"

enum { N_BYTES = 10000, N_ROUNDS = 20 };

static const char *const kinds[] = {"nccl", "ipc"};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

static tsr_status run_kind(int n, const char *device, const char *link, void (*fn)(void *, int),
                           void *arg)
{
  return tsr_run_ranks(
      n, (const char *const[]){"device", device, "link", link, "places", "1", NULL}, fn, arg);
}

static tsr_status run_linked(int n, const char *device, void (*fn)(void *, int), void *arg)
{
  return run_kind(n, device, "nccl", fn, arg);
}

static void copy(tsr_device *d, bool in, void *room, unsigned char *bytes)
{
  const tsr_points p = in ? tsr__points_of_bytes(room, (char *)bytes, N_BYTES)
                          : tsr__points_of_bytes((char *)bytes, room, N_BYTES);
  cr_assert_eq(tsr__device_copy(d, in ? TSR_COPY_IN : TSR_COPY_OUT, &p), TSR_OK);
}

/* Where a member's bytes of a round are in its buffer; `from` -1: those that it sends. */
static char *bytes_at(const tsr_link *l, int round, int from)
{
  const size_t apart = 10240;
  return l->buffers[0] + apart * (size_t)(round * (l->n_members + 1) + 1 + from);
}

/* Does a member send to others? If it goes one way, the first does. */
static bool sends(const void *one_way, int from)
{
  return one_way == NULL || from == 0;
}

/* Every member sends to all others at once, or the first one alone does, round after round, without
 * a wait between: what comes is that round's. */
static void exchange(void *one_way, int rank)
{
  const tsr_world *w = &tsr_context_current()->world;
  const tsr_link *l = w->link;
  cr_assert_not_null(l);
  tsr_device *d = w->places[0].device;
  unsigned char bytes[N_BYTES];
  char why[300] = "";
  cr_assert_leq((size_t)N_BYTES, l->most_bytes);
  for (int round = 0; round < N_ROUNDS; round++) {
    memset(bytes, 1 + 4 * round + rank, sizeof bytes);
    copy(d, true, bytes_at(l, round, -1), bytes);
  }
  for (int round = 0; round < N_ROUNDS; round++) {
    tsr_link_message messages[16];
    int n = 0;
    for (int peer = 0; peer < l->n_members; peer++) {
      if (peer == l->member[rank]) continue;
      if (sends(one_way, l->member[rank]))
        messages[n++] = (tsr_link_message){l->ends[0], peer, true, bytes_at(l, round, -1), N_BYTES};
      if (sends(one_way, peer))
        messages[n++] =
            (tsr_link_message){l->ends[0], peer, false, bytes_at(l, round, peer), N_BYTES};
    }
    cr_assert(l->ops->exchange(messages, n, why, sizeof why), "%s", why);
  }
  tsr__device_wait(d, tsr__device_record(d, TSR_QUEUE_LINK));
  cr_assert(l->ops->is_well(l->ends[0], why, sizeof why), "%s", why);
  for (int i = 0; i < N_ROUNDS * l->n_members; i++) {
    const int round = i / l->n_members, peer = i % l->n_members;
    if (peer == l->member[rank] || !sends(one_way, peer)) continue;
    copy(d, false, bytes_at(l, round, peer), bytes);
    for (int k = 0; k < N_BYTES; k++) cr_assert_eq(bytes[k], 1 + 4 * round + peer);
  }
}

Test(link, members_exchange_bytes, .timeout = 60)
{
  set_devices("4");
  bool one_way = true;
  for (int kind = 0; kind < N_KINDS; kind++)
    for (int n = 2; n <= 4; n++) {
      cr_expect_eq(run_kind(n, "cuda", kinds[kind], exchange, NULL), TSR_OK);
      cr_expect_eq(run_kind(n, "cuda", kinds[kind], exchange, &one_way), TSR_OK);
    }
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
  cr_expect_not_null(
      strstr(said, "ranks that share a GPU take turns on it unless NVIDIA's MPS runs"), "%s", text);
  cr_expect_null(strstr(said + 1, "2 of 3 places"), "said once: %s", text);
}

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

/* What a rank lacks before it joins is agreed on first: nobody waits for a member that will not
 * come. */
Test(link, a_rank_that_cannot_join_is_waited_for_by_none, .timeout = 60)
{
  char text[4000];
  failing = "cuStreamCreate:7"; /* the first three of each device are not the link's */
  cr_expect_eq(run_in_child(NULL, run_failing, text, sizeof text), 10, "%s", text);
  cr_expect_not_null(strstr(text, "cuStreamCreate gives"), "%s", text);
  cr_expect_null(strstr(text, "members have come"), "%s", text);
}

/* Both members send before they receive, each in an exchange of its own. */
static void cross(void *arg, int rank)
{
  const tsr_link *l = tsr_context_current()->world.link;
  tsr_device *d = tsr_context_current()->world.places[0].device;
  char why[300];
  for (int i = 0; i < 2; i++) {
    const tsr_link_message one = {l->ends[0], 1 - rank, i == 0, l->buffers[0], 64};
    l->ops->exchange(&one, 1, why, sizeof why);
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

/* Programs of arrays: the same bits with the link as on the host alone. */

static outcome host, linked;

Test(link, carries_what_arrays_exchange, .timeout = 300)
{
  set_devices("4");
  run_program(1, "cpu", "host", "1", "jit", "lazy", &host);
  run_program(2, "cuda", "host", "1", "jit", "lazy", &linked);
  cr_expect_eq(linked.n_links, 0);
  expect_same(&linked, &host);
  for (int kind = 0; kind < N_KINDS; kind++)
    for (int n = 2; n <= 4; n++) {
      run_program(n, "cuda", kinds[kind], "1", "jit", "lazy", &linked);
      expect_same(&linked, &host);
      cr_expect_gt(linked.n_links, 0);
      cr_expect_gt(linked.bytes_linked, linked.n_links);
    }
}

/* Of two places of a rank each has its own member; between them messages go as they did. */
Test(link, joins_all_places_of_a_rank, .timeout = 300)
{
  set_devices("4");
  run_program(1, "cpu", "host", "1", "jit", "lazy", &host);
  for (int kind = 0; kind < N_KINDS; kind++) {
    run_program(2, "cuda", kinds[kind], "2", "jit", "lazy", &linked);
    expect_same(&linked, &host);
    cr_expect_gt(linked.n_links, 0);
    cr_expect_gt(linked.n_messages_within, 0);
    cr_expect_gt(linked.n_between, 0);
  }
}

/* Places of a rank copy from each other, also two places of one device; TESSERA_LINK=host lets what
 * they exchange go by the host. */
Test(link, peers_copy_from_each_other, .timeout = 300)
{
  static const char *const devices[] = {"0,1", "0,0"};
  run_program(1, "cpu", "host", "1", "jit", "lazy", &host);
  for (int i = 0; i < 2; i++) {
    set_devices("2");
    run_program(1, "cuda", "peer", "2", "devices", devices[i], &linked);
    expect_same(&linked, &host);
    cr_expect_gt(linked.n_between, 0, "%s", devices[i]);
    cr_expect_gt(linked.bytes_between, linked.n_between, "%s", devices[i]);
    cr_expect_eq(linked.n_links, 0);
    run_program(1, "cuda", "host", "2", "devices", devices[i], &linked);
    expect_same(&linked, &host);
    cr_expect_gt(linked.n_messages_within, 0);
    cr_expect_eq(linked.n_between, 0, "%s", devices[i]);
  }
}

/* Ghosts of several steps, and one exchange for them. */
Test(link, carries_deep_halos, .timeout = 300)
{
  set_devices("4");
  run_program(1, "cpu", "host", "1", "jit", "lazy", &host);
  for (int kind = 0; kind < N_KINDS; kind++) {
    run_program(3, "cuda", kinds[kind], "1", "halo_steps", "4", &linked);
    expect_same(&linked, &host);
    cr_expect_gt(linked.n_links, 0);
  }
}

/* Arrays that a device has no space for lie on the host, and go through its buffer all the same.
 * Buffers are small then: phases wait for each other, and large messages go by the host. */
Test(link, carries_what_lies_on_the_host, .timeout = 300)
{
  set_devices("4");
  run_program(1, "cpu", "host", "1", "jit", "lazy", &host);
  static const char *const limits[] = {"100K", "48K", "24K"};
  for (int i = 0; i < 3 * N_KINDS; i++) {
    run_program(2, "cuda", kinds[i % N_KINDS], "1", "device_memory", limits[i / N_KINDS], &linked);
    expect_same(&linked, &host);
    cr_expect_gt(linked.n_links, 0, "%s", limits[i / N_KINDS]);
  }
}

/* A user's task fails on the rank of the first rows, and exchanges follow. That rank takes part in
 * all of them, so that nobody waits; all ranks hear of it at the read, and go on. */
static int fail_above(const tsr_task_box *box)
{
  return box->offset[0] == 0 ? 42 : 0;
}

static void fail_in_the_middle(void *arg, int rank)
{
  uint64_t *n_links = arg;
  char text[4000] = "";
  tsr_array u, v;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  begin_arrays(&u, &v);
  const double before = tsr_item_f64(tsr_sum(v));
  const uint64_t n = tsr__context_counters()->n_links;
  tsr_function f = tsr_task("fails", "float64 x", "float64 y", fail_above);
  tsr_array w = tsr_call(f, u);
  for (int i = 0; i < 4; i++) {
    tsr_exec("w[1:-1] = w[2:] + w[:-2] + u[2:]", w, u);
    cr_assert_eq(tsr_flush(), TSR_OK, "%s", tsr_last_error());
  }
  const uint64_t n_poisoned = tsr__context_counters()->n_links - n;
  tsr_item_f64(tsr_sum(w));
  cr_expect_eq(tsr_take_error(text, sizeof text), TSR_ERR_PEER);
  cr_expect_not_null(strstr(text, "task `fails` returned 42"), "%s", text);
  cr_expect_eq(tsr_item_f64(tsr_sum(v)), before, "what was only read is still there");
  step(u, v);
  cr_assert_eq(tsr_flush(), TSR_OK, "%s", tsr_last_error());
  cr_expect_eq(tsr_item_f64(tsr_sum(u)) == before, false);
  __atomic_fetch_add(&n_links[0], n_poisoned, __ATOMIC_RELAXED);
  __atomic_fetch_add(&n_links[1], tsr__context_counters()->n_links - n - n_poisoned,
                     __ATOMIC_RELAXED);
}

Test(link, a_rank_that_fails_takes_part, .timeout = 300)
{
  set_devices("4");
  for (int i = 0; i < 3 * N_KINDS; i++) {
    const int n = 2 + i / N_KINDS;
    uint64_t n_links[2] = {0, 0};
    cr_assert_eq(tsr_run_ranks(n,
                               (const char *const[]){"device", "cuda", "link", kinds[i % N_KINDS],
                                                     "places", "1", "placement", "all",
                                                     "replicate_max", "0", "tile_min", "64", NULL},
                               fail_in_the_middle, n_links),
                 TSR_OK);
    cr_expect_gt(n_links[0], 0);
    cr_expect_gt(n_links[1], 0);
  }
}

/* A link that fails during a run ends the job, with NCCL's words. */
Test(link, that_is_lost_ends_the_job, .timeout = 300)
{
  static const char *const entries[] = {"ncclSend:4", "ncclRecv:5", "ncclGroupEnd:8"};
  for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
    expect_lost("nccl", entries[i], "gives 1");
}
