/* Worlds: what ranks agree on when they open one. */
#include "runtime/runtime.h"
#include "tests/runtime/capture.h"
#include "tests/support/rank_threads.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static tsr_machine *machine(tsr_config *config)
{
  char message[256] = "";
  cr_assert_eq(tsr__config_read(config, message, sizeof message), TSR_OK, "%s", message);
  config->threads = 1;
  tsr_machine *m = NULL;
  cr_assert_eq(tsr__machine_create(config, 0, 1, 1, &m, message, sizeof message), TSR_OK, "%s",
               message);
  return m;
}

Test(world, alone, .timeout = 60)
{
  tsr_config config;
  tsr_machine *m = machine(&config);
  tsr_world w;
  cr_assert_eq(tsr__world_open(&w, m, tsr__transport_self()), TSR_OK);
  cr_assert_eq(w.rank, 0);
  cr_assert_eq(w.size, 1);
  cr_assert_eq(w.machine, m);
  cr_assert_eq(w.seq, 0);
  cr_assert_eq(w.error.status, TSR_OK);
  size_t limit = m->topology.available_bytes / 10 * 8;
  cr_assert_eq(tsr__memory_limit(w.places[0].memory), limit, "80 %% of the node");
  cr_assert_eq((size_t)w.config.memory_bytes, limit);
  cr_assert_null(tsr__memory_alloc(w.places[0].memory, limit + 1));
  tsr__world_close(&w);
  cr_assert_null(w.places[0].memory);
  tsr__machine_destroy(m);
}

Test(world, memory_setting, .timeout = 60)
{
  tsr_config config;
  tsr_machine *m = machine(&config);
  m->config.memory_bytes = 1 << 20;
  tsr_world w;
  cr_assert_eq(tsr__world_open(&w, m, tsr__transport_self()), TSR_OK);
  cr_assert_eq(tsr__memory_limit(w.places[0].memory), 1 << 20);
  tsr__world_close(&w);
  tsr__machine_destroy(m);
}

/* Two processes on a core compute twice what is replicated, so REPLICATE_MAX is halved. */
Test(world, ranks_that_share_a_core, .timeout = 60)
{
  tsr_config config;
  tsr_machine *m = machine(&config);
  m->config.replicate_max = 1001;
  tsr_world w;
  for (int set = 0; set <= 3; set += 3)
    for (int each = 1; each <= 2; each++) {
      m->config.ranks_per_core = set;
      m->ranks_per_core = each;
      const int want = set > 0 ? set : each;
      cr_assert_eq(tsr__world_open(&w, m, tsr__transport_self()), TSR_OK);
      cr_assert_eq(w.config.ranks_per_core, want);
      cr_assert_eq(w.config.replicate_max, 1001 / want);
      cr_assert_gt(w.config.halo_cache, 0, "the cache that ranks agree on");
      tsr__world_close(&w);
    }
  tsr__machine_destroy(m);
}

typedef struct rank_view {
  tsr_machine *machine;
  tsr_status status;
  tsr_config agreed;
  size_t limit;
  int rank, size, n_places, number[TSR_MAX_PLACES];
} rank_view;

static void open_rank(tsr_transport *end, void *arg)
{
  rank_view *r = arg;
  tsr_world w;
  r->status = tsr__world_open(&w, r->machine, end);
  if (r->status == TSR_OK) {
    r->agreed = w.config;
    r->limit = tsr__memory_limit(w.places[0].memory);
    r->rank = w.rank;
    r->size = w.size;
    r->n_places = w.n_places;
    for (int i = 0; i < w.n_places; i++) r->number[i] = w.places[i].device->number;
    tsr__transport_local_leave(end);
    tsr__world_close(&w);
  }
}

Test(world, ranks_agree, .timeout = 60)
{
  enum { N = 4 };
  rank_view ranks[N];
  for (int r = 0; r < N; r++) {
    tsr_config config;
    tsr_machine *m = machine(&config);
    m->config.memory_bytes = (int64_t)(10 + (r == 2 ? 0 : r + 1)) << 20;
    m->config.tile_min = 100 + r;
    m->config.fusion = r != 0;
    m->config.chunk_bytes = 1000 + r;
    ranks[r] = (rank_view){.machine = m};
  }
  cr_assert(rank_threads_run(N, 0, open_rank, ranks, sizeof *ranks));
  for (int r = 0; r < N; r++) {
    cr_assert_eq(ranks[r].status, TSR_OK);
    cr_assert_eq(ranks[r].rank, r);
    cr_assert_eq(ranks[r].size, N);
    cr_assert_eq(ranks[r].limit, (size_t)10 << 20, "the least of all");
    cr_assert_eq(ranks[r].agreed.tile_min, 100, "rank 0's");
    cr_assert(!ranks[r].agreed.fusion, "rank 0's");
    cr_assert_eq(ranks[r].agreed.chunk_bytes, 1000 + r, "local");
    tsr__machine_destroy(ranks[r].machine);
  }
}

/* The devices of a node. */

static void open_on(int n, const char *device, const char *devices, int64_t places,
                    rank_view *ranks)
{
  for (int r = 0; r < n; r++) {
    tsr_config config;
    tsr_machine *m = machine(&config);
    m->config.memory_bytes = 12 << 20;
    m->config.places = r == 0 ? places : 16;
    snprintf(m->config.device, sizeof m->config.device, "%s", r == 0 ? device : "null");
    snprintf(m->config.devices, sizeof m->config.devices, "%s", r == 0 ? devices : "63");
    ranks[r] = (rank_view){.machine = m};
  }
  cr_assert(rank_threads_run(n, 0, open_rank, ranks, sizeof *ranks));
  for (int r = 0; r < n; r++) tsr__machine_destroy(ranks[r].machine);
}

/* Rank 0's settings count. Each place opens its device by the number that it has on the node. */
Test(world, places_are_on_the_devices_that_are_listed, .timeout = 60)
{
  rank_view ranks[4];
  open_on(2, "check", "0,2,3,7,9", 0, ranks);
  const int want[2][2] = {{0, 2}, {3, 7}};
  for (int r = 0; r < 2; r++) {
    cr_assert_eq(ranks[r].status, TSR_OK);
    cr_assert_eq(ranks[r].n_places, 2);
    cr_assert_eq(ranks[r].agreed.places, 2);
    cr_assert_eq(ranks[r].limit, (size_t)6 << 20, "half of the rank's");
    cr_assert_arr_eq(ranks[r].number, want[r], sizeof want[r]);
  }
}

/* 4 ranks share 3 devices: the first device has two ranks, whose limit is everyone's. */
Test(world, ranks_that_share_a_device_share_its_memory, .timeout = 60)
{
  rank_view ranks[4];
  open_on(4, "check", "3", 0, ranks);
  static const int want[4] = {0, 0, 1, 2};
  for (int r = 0; r < 4; r++) {
    cr_assert_eq(ranks[r].status, TSR_OK);
    cr_assert_eq(ranks[r].n_places, 1);
    cr_assert_eq(ranks[r].number[0], want[r]);
    cr_assert_eq(ranks[r].limit, (size_t)6 << 20);
  }
  open_on(4, "cpu", "", 2, ranks);
  for (int r = 0; r < 4; r++) {
    cr_assert_eq(ranks[r].status, TSR_OK);
    cr_assert_eq(ranks[r].n_places, 2);
    cr_assert(ranks[r].number[0] == 0 && ranks[r].number[1] == 0, "there is one host");
    cr_assert_eq(ranks[r].limit, (size_t)6 << 20, "its ranks have 12 MB each");
  }
}

/* Without a list each place has a device of its own. */
Test(world, as_many_devices_as_places, .timeout = 60)
{
  rank_view ranks[4];
  open_on(3, "check", "", 2, ranks);
  for (int r = 0; r < 3; r++) {
    cr_assert_eq(ranks[r].n_places, 2);
    cr_assert(ranks[r].number[0] == 2 * r && ranks[r].number[1] == 2 * r + 1);
  }
  open_on(3, "null", "", 0, ranks);
  for (int r = 0; r < 3; r++) cr_assert(ranks[r].n_places == 1 && ranks[r].number[0] == r);
}

static void ask_for_three(void)
{
  rank_view ranks[4];
  open_on(2, "check", "5", 3, ranks);
  for (int r = 0; r < 2; r++) cr_assert_eq(ranks[r].status, TSR_ERR_CONFIG);
}

static void ask_for_hosts(void)
{
  rank_view ranks[4];
  open_on(2, "cpu", "2", 0, ranks);
  for (int r = 0; r < 2; r++) cr_assert_eq(ranks[r].status, TSR_ERR_CONFIG);
}

/* All ranks fail, and one rank says why. */
Test(world, fewer_devices_than_places, .timeout = 60)
{
  char text[600];
  cr_assert_eq(capture_stderr(ask_for_three, text, sizeof text), 0);
  cr_assert_str_eq(text,
                   "error[TSR0501]: TESSERA_PLACES is 3, but of this node's 5 devices check "
                   "(TESSERA_DEVICES) each of its 2 ranks has 2\nhelp: fewer places, more devices, "
                   "or fewer ranks on a node\n");
  cr_assert_eq(capture_stderr(ask_for_hosts, text, sizeof text), 0);
  cr_assert_str_eq(text,
                   "error[TSR0501]: TESSERA_DEVICES is \"2\", but there is no device cpu 1: this "
                   "node has 1\nhelp: TESSERA_PLACES divides the host's memory\n");
}

static void write_notes(void)
{
  tsr_world w = {.rank = 3, .config = {.debug = 1}};
  tsr__log(&w, 1, "flush of %d ops", 7);
  tsr__log(&w, 2, "not shown");
}

Test(world, log)
{
  char text[256];
  cr_assert_eq(capture_stderr(write_notes, text, sizeof text), 0);
  cr_assert_str_eq(text, "tessera[3]: flush of 7 ops\n");
}

Test(world, clock)
{
  uint64_t a = tsr__now_ns(), b = tsr__now_ns();
  cr_assert_geq(b, a);
}
