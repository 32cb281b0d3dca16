/* NCCL, as the library calls it: all GPUs of this machine are members of one link, of one process.
 * Each sends to each, and to itself, in a few exchanges, and all bytes must arrive.
 *
 *   link [--bytes N]      of each message (default: 1 MiB)
 *
 * Exit status 77 where there is no GPU or no NCCL. */
#include "runtime/device/link.h"
#include "runtime/device/points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MEMBERS = 8, N_ROUNDS = 3, NOT_HERE = 77 };

typedef struct member {
  tsr_device *device;
  tsr_link_end *end;
  unsigned char *out, *in; /* device memory: what it sends; from each member, what came */
} member;

static int n_members;
static size_t bytes = (size_t)1 << 20;
static member members[MOST_MEMBERS];
static unsigned char *host; /* bytes */

static _Noreturn void stop(int status, const char *what, const char *why)
{
  printf("%s%s: %s\n", status == NOT_HERE ? "not run: " : "", what, why);
  fflush(stdout);
  exit(status);
}

static unsigned char value_of(int sender, int round, size_t i)
{
  return (unsigned char)(1 + 37 * (size_t)sender + 11 * (size_t)round + i % 251);
}

static void copy(tsr_device *d, tsr_direction direction, void *to, void *from)
{
  const tsr_points p = tsr__points_of_bytes(to, from, bytes);
  if (tsr__device_copy(d, direction, &p) < 0) stop(1, "a copy", d->message);
}

static void open_members(void)
{
  char why[400] = "";
  const tsr_device_ops *cuda = tsr__device_find("cuda");
  n_members = cuda->count(why, sizeof why);
  if (n_members == 0) stop(NOT_HERE, "no GPU", why);
  if (!tsr__link_nccl.is_available(why, sizeof why)) stop(NOT_HERE, "no NCCL", why);
  if (n_members > MOST_MEMBERS) n_members = MOST_MEMBERS;
  for (int i = 0; i < n_members; i++) {
    member *m = &members[i];
    if (tsr__device_open("cuda", i, 0, &m->device, why, sizeof why) < 0) stop(1, "a device", why);
    m->out = m->device->ops->alloc(m->device, bytes);
    m->in = m->device->ops->alloc(m->device, bytes * (size_t)n_members);
    if (m->out == NULL || m->in == NULL) stop(1, "memory", "there is none");
  }
}

static void join_members(void)
{
  char why[400] = "";
  unsigned char cards[MOST_MEMBERS][TSR_LINK_CARD_BYTES];
  unsigned char devices[MOST_MEMBERS][TSR_LINK_DEVICE_BYTES];
  tsr_link_end *ends[MOST_MEMBERS];
  for (int i = 0; i < n_members; i++) {
    const tsr_link_seat seat = {members[i].device, i, n_members, (bytes + 15) / 16 * 16};
    if (!tsr__link_nccl.identify(seat.device, devices[i], why, sizeof why))
      stop(1, "identify", why);
    if (!tsr__link_nccl.open(&seat, cards[i], &ends[i], why, sizeof why)) stop(1, "open", why);
    for (int k = 0; k < i; k++)
      if (memcmp(devices[i], devices[k], sizeof devices[i]) == 0)
        stop(1, "identify", "two devices are one");
  }
  if (!tsr__link_nccl.join(ends, n_members, cards[0], why, sizeof why)) stop(1, "join", why);
  for (int i = 0; i < n_members; i++) members[i].end = ends[i];
}

static void exchange(void)
{
  char why[400] = "";
  tsr_link_message messages[2 * MOST_MEMBERS * MOST_MEMBERS];
  int n = 0;
  for (int i = 0; i < n_members; i++)
    for (int peer = 0; peer < n_members; peer++) {
      messages[n++] = (tsr_link_message){members[i].end, peer, true, members[i].out, bytes};
      messages[n++] = (tsr_link_message){members[i].end, peer, false,
                                         members[i].in + bytes * (size_t)peer, bytes};
    }
  if (!tsr__link_nccl.exchange(messages, n, why, sizeof why)) stop(1, "exchange", why);
  for (int i = 0; i < n_members; i++) {
    tsr_device *d = members[i].device;
    tsr__device_wait(d, tsr__device_record(d, TSR_QUEUE_LINK));
    if (!tsr__link_nccl.is_well(members[i].end, why, sizeof why)) stop(1, "a message", why);
    if (tsr__device_status(d) < 0) stop(1, "a device", d->message);
  }
}

static void check_round(int round)
{
  for (int i = 0; i < n_members; i++)
    for (int peer = 0; peer < n_members; peer++) {
      copy(members[i].device, TSR_COPY_OUT, host, members[i].in + bytes * (size_t)peer);
      for (size_t k = 0; k < bytes; k++)
        if (host[k] != value_of(peer, round, k)) stop(1, "a message", "its bytes DIFFER");
    }
}

static void close_members(void)
{
  for (int i = 0; i < n_members; i++) tsr__link_nccl.leave(members[i].end, false);
  for (int i = 0; i < n_members; i++) {
    tsr_device *d = members[i].device;
    d->ops->free(d, members[i].out, bytes);
    d->ops->free(d, members[i].in, bytes * (size_t)n_members);
    tsr__device_close(d);
  }
}

int main(int argc, char **argv)
{
  if (argc == 3 && strcmp(argv[1], "--bytes") == 0) bytes = (size_t)strtoull(argv[2], NULL, 10);
  if (bytes == 0 || (argc != 1 && argc != 3)) stop(2, "usage", "link [--bytes N]");
  open_members();
  join_members();
  host = malloc(bytes);
  for (int round = 0; round < N_ROUNDS; round++) {
    for (int i = 0; i < n_members; i++) {
      for (size_t k = 0; k < bytes; k++) host[k] = value_of(i, round, k);
      copy(members[i].device, TSR_COPY_IN, members[i].out, host);
    }
    exchange();
    check_round(round);
  }
  free(host);
  close_members();
  printf("%d passed, 0 failed: NCCL carries messages of %zu bytes between %d GPU%s\n", N_ROUNDS,
         bytes, n_members, n_members == 1 ? " and itself" : "s");
  return 0;
}
