/* The link `ipc`, as the library calls it, between processes: each has a device of this machine, in
 * turn, or shares it with others. Each sends to each, and then the first one alone to all, many
 * times without a wait between, and all bytes must arrive.
 *
 *   ipc [--bytes N] [--ranks N]      bytes of each message (default: 1 MiB), processes (2)
 *
 * Exit status 77 where there is no GPU, or the driver does not let processes open each other's
 * memory. */
#include "runtime/device/link.h"
#include "runtime/device/points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_RANKS = 8, N_ROUNDS = 12, NOT_HERE = 77 };

/* What the processes share. */
typedef struct shared {
  unsigned char cards[MOST_RANKS][TSR_LINK_CARD_BYTES];
  int n_there, n_failed; /* atomic: of all barriers; processes that gave up */
} shared;

static size_t bytes = (size_t)1 << 20;
static int n_ranks = 2, rank, n_barriers;
static shared *all;
static tsr_device *device;
static tsr_link_end *end;
static unsigned char *out[N_ROUNDS], *in[N_ROUNDS][MOST_RANKS], *host;

static _Noreturn void stop(int status, const char *what, const char *why)
{
  printf("%s%s: %s\n", status == NOT_HERE ? "not run: " : "", what, why);
  fflush(stdout);
  __atomic_fetch_add(&all->n_failed, 1, __ATOMIC_ACQ_REL);
  _exit(status);
}

static void barrier(void)
{
  __atomic_fetch_add(&all->n_there, 1, __ATOMIC_ACQ_REL);
  n_barriers++;
  while (__atomic_load_n(&all->n_there, __ATOMIC_ACQUIRE) < n_barriers * n_ranks) {
    if (__atomic_load_n(&all->n_failed, __ATOMIC_ACQUIRE) > 0) _exit(NOT_HERE);
    usleep(100);
  }
}

static unsigned char value_of(int sender, int round, size_t i)
{
  return (unsigned char)(1 + 37 * (size_t)sender + 11 * (size_t)round + i % 251);
}

static void copy(tsr_direction direction, void *to, void *from)
{
  const tsr_points p = tsr__points_of_bytes(to, from, bytes);
  if (tsr__device_copy(device, direction, &p) < 0) stop(1, "a copy", device->message);
}

static unsigned char *take(void)
{
  unsigned char *p = device->ops->alloc(device, bytes);
  if (p == NULL) stop(1, "memory", "there is none");
  return p;
}

static void open_end(void)
{
  char why[400] = "";
  unsigned char id[TSR_LINK_DEVICE_BYTES];
  const tsr_device_ops *cuda = tsr__device_find("cuda");
  const int n_devices = cuda->count(why, sizeof why);
  if (n_devices == 0) stop(NOT_HERE, "no GPU", why);
  if (!tsr__link_ipc.is_available(why, sizeof why)) stop(NOT_HERE, "no memory of others", why);
  if (tsr__device_open("cuda", rank % n_devices, 0, &device, why, sizeof why) < 0)
    stop(1, "a device", why);
  for (int round = 0; round < N_ROUNDS; round++) {
    out[round] = take();
    for (int peer = 0; peer < n_ranks; peer++) in[round][peer] = take();
    for (size_t i = 0; i < bytes; i++) host[i] = value_of(rank, round, i);
    copy(TSR_COPY_IN, out[round], host);
  }
  const tsr_link_seat seat = {device, rank, n_ranks, (bytes + 15) / 16 * 16};
  if (!tsr__link_ipc.identify(device, id, why, sizeof why)) stop(1, "identify", why);
  if (!tsr__link_ipc.open(&seat, all->cards[rank], &end, why, sizeof why))
    stop(NOT_HERE, "open", why);
  barrier();
  if (!tsr__link_ipc.join(&end, 1, all->cards[0], why, sizeof why)) stop(NOT_HERE, "join", why);
  barrier();
}

/* one_way: the first one sends alone. */
static bool sends(bool one_way, int from)
{
  return !one_way || from == 0;
}

static void exchange(bool one_way)
{
  char why[400] = "";
  for (int round = 0; round < N_ROUNDS; round++) {
    tsr_link_message messages[2 * MOST_RANKS];
    int n = 0;
    for (int peer = 0; peer < n_ranks; peer++) {
      if (peer == rank) continue;
      if (sends(one_way, rank))
        messages[n++] = (tsr_link_message){end, peer, true, out[round], bytes};
      if (sends(one_way, peer))
        messages[n++] = (tsr_link_message){end, peer, false, in[round][peer], bytes};
    }
    if (!tsr__link_ipc.exchange(messages, n, why, sizeof why)) stop(1, "exchange", why);
  }
  tsr__device_wait(device, tsr__device_record(device, TSR_QUEUE_LINK));
  if (tsr__device_status(device) < 0) stop(1, "a device", device->message);
  for (int round = 0; round < N_ROUNDS; round++)
    for (int peer = 0; peer < n_ranks; peer++) {
      if (peer == rank || !sends(one_way, peer)) continue;
      copy(TSR_COPY_OUT, host, in[round][peer]);
      for (size_t i = 0; i < bytes; i++)
        if (host[i] != value_of(peer, round, i)) stop(1, "a message", "its bytes DIFFER");
      memset(host, 0, bytes);
      copy(TSR_COPY_IN, in[round][peer], host);
    }
}

static int run(void)
{
  host = malloc(bytes);
  open_end();
  exchange(false);
  barrier();
  exchange(true);
  tsr__link_ipc.stop(end, false);
  barrier();
  tsr__link_ipc.leave(end, false);
  for (int round = 0; round < N_ROUNDS; round++) {
    device->ops->free(device, out[round], bytes);
    for (int peer = 0; peer < n_ranks; peer++) device->ops->free(device, in[round][peer], bytes);
  }
  tsr__device_close(device);
  free(host);
  return 0;
}

int main(int argc, char **argv)
{
  for (int i = 1; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "--bytes") == 0) bytes = (size_t)strtoull(argv[i + 1], NULL, 10);
    if (strcmp(argv[i], "--ranks") == 0) n_ranks = atoi(argv[i + 1]);
  }
  all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (bytes == 0 || n_ranks < 2 || n_ranks > MOST_RANKS || argc % 2 == 0 || all == MAP_FAILED) {
    printf("usage: ipc [--bytes N] [--ranks 2 to %d]\n", MOST_RANKS);
    return 2;
  }
  for (int i = 1; i < n_ranks && rank == 0; i++) /* CUDA is for no process that was forked later */
    if (fork() == 0) rank = i;
  int worst = run(), status;
  if (rank != 0) return worst;
  while (wait(&status) > 0)
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
      worst = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  if (worst == 0)
    printf("%d processes: %d exchanges of %zu bytes each way, and as many one way\n", n_ranks,
           N_ROUNDS, bytes);
  return worst;
}
