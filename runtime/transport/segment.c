/* Segments (segment.h). The first rank of a node makes a file in shared memory and gives its name
 * to the others; when all have mapped it, or one could not, the name is removed, so that nothing is
 * left of a job that is killed later. The file's memory is taken at once: a rank that wrote to a
 * file system which is full would be killed. */
#include "runtime/transport/segment.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/base/alloc.h"
#include "runtime/base/clock.h"
#include "runtime/base/error.h"

enum { PAGE_BYTES = 4096 };

/* Rings are smaller where there are many: up to 90 ranks all of them together take 16 MiB, and of
 * 192 ranks 77 MiB. The /dev/shm of a container has 64. */
static size_t ring_capacity(int n)
{
  const size_t all = (size_t)16 << 20, least = (size_t)2 << 10;
  size_t capacity = (size_t)512 << 10;
  while (capacity > least && capacity * (size_t)n * (size_t)n > all) capacity /= 2;
  return capacity;
}

static size_t segment_bytes(int n, size_t capacity)
{
  const size_t bytes = (size_t)n * (sizeof(tsr_doorbell) + (size_t)n * tsr__ring_size(capacity));
  return tsr__round_up(bytes, PAGE_BYTES);
}

static tsr_segment of_ranks(int n)
{
  const size_t capacity = ring_capacity(n);
  return (tsr_segment){.n = n, .capacity = capacity, .bytes = segment_bytes(n, capacity)};
}

tsr_doorbell *tsr__segment_doorbell(const tsr_segment *segment, int rank)
{
  return (tsr_doorbell *)segment->base + rank;
}

void *tsr__segment_ring(const tsr_segment *segment, int from, int to)
{
  char *rings = (char *)(tsr__segment_doorbell(segment, segment->n));
  return rings + (size_t)(from * segment->n + to) * tsr__ring_size(segment->capacity);
}

tsr_segment tsr__segment_in_process(int n)
{
  tsr_segment segment = of_ranks(n);
  segment.base =
      mmap(NULL, segment.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (segment.base == MAP_FAILED) tsr__fatal("%zu bytes of memory are refused", segment.bytes);
  segment.users = tsr__malloc(sizeof *segment.users);
  atomic_init(segment.users, n);
  return segment;
}

void tsr__segment_close(tsr_segment *segment)
{
  if (segment->users != NULL && atomic_fetch_sub(segment->users, 1) > 1) return;
  munmap(segment->base, segment->bytes);
  free(segment->users);
}

/* What each rank tells the others. */
typedef struct offer {
  int node_first;
  int error; /* errno of what it could not do; 0: it could */
  char name[48];
} offer;

/* Makes the file. Returns errno. */
static int make_file(const tsr_segment *segment, char *name, size_t size)
{
  snprintf(name, size, "/tessera-%ld-%llx", (long)getpid(), (unsigned long long)tsr__now_ns());
  const int file = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
  if (file < 0) return errno;
  int error;
  do error = posix_fallocate(file, 0, (off_t)segment->bytes);
  while (error == EINTR);
  close(file);
  if (error != 0) shm_unlink(name);
  return error;
}

static int map_file(tsr_segment *segment, const char *name)
{
  const int file = shm_open(name, O_RDWR, 0);
  if (file < 0) return errno;
  void *base = mmap(NULL, segment->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  const int error = base == MAP_FAILED ? errno : 0;
  close(file);
  if (error == 0) segment->base = base;
  return error;
}

/* The first error of a rank of this node, or of any. */
static int first_error(const tsr_transport *t, const offer *all, bool anywhere)
{
  for (int r = 0; r < t->size; r++)
    if ((anywhere || all[r].node_first == t->node_first) && all[r].error != 0) return all[r].error;
  return 0;
}

tsr_status tsr__segment_on_node(tsr_transport *t, tsr_segment *out, bool anywhere, int *error)
{
  const bool is_wanted = t->node_size > 1;
  offer mine = {.node_first = t->node_first}, *all = tsr__calloc((size_t)t->size, sizeof *all);
  *out = of_ranks(t->node_size);
  *error = 0;
  if (is_wanted && t->node_rank == 0) mine.error = make_file(out, mine.name, sizeof mine.name);
  tsr_status status = tsr__allgather(t, &mine, sizeof mine, all);
  if (status == TSR_OK && is_wanted && first_error(t, all, false) == 0)
    mine.error = map_file(out, all[t->node_first].name);
  if (status == TSR_OK) status = tsr__allgather(t, &mine, sizeof mine, all);
  if (mine.name[0] != '\0') shm_unlink(mine.name);
  if (status == TSR_OK) *error = first_error(t, all, anywhere);
  free(all);
  if (out->base != NULL && (status < 0 || *error != 0)) {
    tsr__segment_close(out);
    out->base = NULL;
  }
  return status;
}
