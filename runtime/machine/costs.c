/* The costs of placement: measured, and stored in a file.
 *
 * A cached file holds one line of text and is named by what was measured (host, device, threads). It
 * is taken only if it is the user's own and nobody else may write it, and it is replaced as a
 * whole. Whatever is wrong with it, the costs are measured again. */
#include "runtime/machine/costs.h"
#include "runtime/machine/machine.h"
#include "runtime/base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { TEXT_BYTES = 400 };

enum {
  N_STREAM = 1 << 20, /* elements of each of the three arrays that are streamed */
  N_CACHED = 1 << 11,
  N_TURNS = 64, /* passes over an array that is cached */
  N_TERMS = 16, /* multiplications and additions per element */
  N_TRIES = 3,
  N_LAUNCHES = 64
};

typedef struct sample {
  double *a, *b, *c;
  int64_t n;
  int n_parts; /* parts that the threads take */
  atomic_int next;
} sample;

static void stream_part(const sample *s, int part, ptrdiff_t shift)
{
  double *a = (double *)((char *)s->a + shift);
  const double *b = (const double *)((const char *)s->b + shift);
  const double *c = (const double *)((const char *)s->c + shift);
  for (int64_t i = s->n * part / s->n_parts, end = s->n * (part + 1) / s->n_parts; i < end; i++)
    a[i] = b[i] + 3.0 * c[i];
}

static void compute_part(const sample *s, ptrdiff_t shift)
{
  const double *b = (const double *)((const char *)s->b + shift);
  double sum = 0;
  for (int turn = 0; turn < N_TURNS; turn++)
    for (int i = 0; i < N_CACHED; i++) {
      double x = b[i];
      for (int k = 0; k < N_TERMS; k++) x = x * 0.5 + (double)turn;
      sum += x;
    }
  *(volatile double *)((char *)s->a + shift) = sum;
}

static void stream_by_worker(void *arg, int worker)
{
  sample *s = arg;
  (void)worker;
  for (int part; (part = atomic_fetch_add(&s->next, 1)) < s->n_parts;) stream_part(s, part, 0);
}

static void stream_by_device(void *arg, tsr_device *d)
{
  stream_part(arg, 0, d->shift_bytes);
}

static void compute_by_device(void *arg, tsr_device *d)
{
  compute_part(arg, d->shift_bytes);
}

static void nothing_by_device(void *arg, tsr_device *d)
{
  (void)arg, (void)d;
}

static double least(double a, double b)
{
  return a < b ? a : b;
}

static const double stream_bytes = 3.0 * N_STREAM * sizeof(double);
static const double compute_instrs = 2.0 * N_TERMS * N_TURNS * N_CACHED;

static void measure_host(const tsr_machine *m, sample *s, tsr_costs *out)
{
  double stream = 1e18, compute = 1e18;
  memset(s->a, 0, N_STREAM * sizeof(double));
  memset(s->b, 0, N_STREAM * sizeof(double));
  memset(s->c, 0, N_STREAM * sizeof(double));
  for (int i = 0; i < N_TRIES; i++) {
    uint64_t began = tsr__now_ns();
    s->n_parts = m->n_threads;
    atomic_store(&s->next, 0);
    tsr__workers_run(m->workers, m->n_threads, stream_by_worker, s);
    stream = least(stream, (double)(tsr__now_ns() - began + 1));
    began = tsr__now_ns();
    compute_part(s, 0);
    compute = least(compute, (double)(tsr__now_ns() - began + 1));
  }
  out->bytes_per_ns[TSR_ON_HOST] = stream_bytes / stream;
  out->instrs_per_ns[TSR_ON_HOST] = compute_instrs / compute * m->n_threads;
}

static double launched(tsr_device *d, tsr_device_fn fn, void *arg, int n)
{
  const uint64_t began = tsr__now_ns();
  for (int i = 0; i < n; i++) tsr__device_put_call(d, fn, arg);
  tsr__device_sync(d);
  return (double)(tsr__now_ns() - began + 1) / n;
}

static double time_of_copies(tsr_device *d, tsr_direction direction, const sample *on_device,
                             const sample *on_host, size_t bytes)
{
  const tsr_points p = direction == TSR_COPY_IN
                           ? tsr__points_of_bytes(on_device->b, on_host->b, bytes)
                           : tsr__points_of_bytes(on_host->b, on_device->b, bytes);
  const uint64_t began = tsr__now_ns();
  tsr__device_copy(d, direction, &p);
  return (double)(tsr__now_ns() - began + 1);
}

static double copied_within(tsr_device *d, const sample *s, size_t bytes)
{
  const tsr_points p = tsr__points_of_bytes(s->c, s->b, bytes);
  const uint64_t began = tsr__now_ns();
  tsr__device_copy(d, TSR_COPY_WITHIN, &p);
  return (double)(tsr__now_ns() - began + 1);
}

static void measure_functions(tsr_device *d, sample *s, tsr_costs *out)
{
  double stream = 1e18, compute = 1e18, launch = 1e18;
  s->n_parts = 1;
  copied_within(d, s, N_STREAM * sizeof(double)); /* memory that nobody has touched is slower */
  for (int i = 0; i < N_TRIES; i++) {
    stream = least(stream, launched(d, stream_by_device, s, 1));
    compute = least(compute, launched(d, compute_by_device, s, 1));
    launch = least(launch, launched(d, nothing_by_device, NULL, N_LAUNCHES));
  }
  out->bytes_per_ns[TSR_ON_DEVICE] = stream_bytes / stream;
  out->instrs_per_ns[TSR_ON_DEVICE] = compute_instrs / compute;
  out->launch_ns = launch;
}

/* What one of many small copies takes that are put into the queue one after the other. */
static double put_copies(tsr_device *d, const sample *s)
{
  const tsr_points p = tsr__points_of_bytes(s->c, s->b, 64);
  const uint64_t began = tsr__now_ns();
  for (int i = 0; i < N_LAUNCHES; i++) tsr__device_put_copy(d, TSR_QUEUE_RUN, TSR_COPY_WITHIN, &p);
  tsr__device_sync(d);
  return (double)(tsr__now_ns() - began + 1) / N_LAUNCHES;
}

/* A device that runs no C: its memory is measured by copies, which read and write, and its launches
 * by short ones, which the driver puts there as it does kernels. What it computes stays as it
 * is. */
static void measure_copies(tsr_device *d, const sample *s, tsr_costs *out)
{
  const size_t bytes = N_STREAM * sizeof(double);
  double within = 1e18, launch = 1e18;
  for (int i = 0; i < N_TRIES; i++) {
    within = least(within, copied_within(d, s, bytes));
    launch = least(launch, put_copies(d, s));
  }
  out->bytes_per_ns[TSR_ON_DEVICE] = 2 * (double)bytes / within;
  out->launch_ns = launch;
}

static void measure_link(tsr_device *d, const sample *s, const sample *host, tsr_costs *out)
{
  double few = 1e18, many = 1e18;
  const size_t bytes = N_STREAM * sizeof(double);
  for (int i = 0; i < N_TRIES; i++) {
    few = least(few, time_of_copies(d, TSR_COPY_IN, s, host, sizeof(double)));
    many = least(many, time_of_copies(d, TSR_COPY_IN, s, host, bytes));
    const double out_ns = time_of_copies(d, TSR_COPY_OUT, s, host, bytes);
    if (many < out_ns && i == N_TRIES - 1) many = out_ns;
  }
  out->link_ns = few;
  out->link_bytes_per_ns = (double)bytes / many;
}

static void measure_device(tsr_device *d, sample *s, const sample *host, tsr_costs *out)
{
  time_of_copies(d, TSR_COPY_IN, s, host, N_STREAM * sizeof(double));
  if (tsr__device_runs_c(d))
    measure_functions(d, s, out);
  else
    measure_copies(d, s, out);
  measure_link(d, s, host, out);
}

/* Measures all costs. False if there is no memory for it; the device's costs then stay. */
static bool measure_all(const tsr_machine *m, tsr_device *d, tsr_costs *out)
{
  const size_t bytes = N_STREAM * sizeof(double);
  char *near = d->ops->alloc(d, 3 * bytes), *far = tsr__malloc(3 * bytes);
  sample on_device = {.n = N_STREAM}, on_host = {.n = N_STREAM};
  on_host.a = (double *)far;
  on_host.b = (double *)(far + bytes);
  on_host.c = (double *)(far + 2 * bytes);
  measure_host(m, &on_host, out);
  if (near != NULL) {
    on_device.a = (double *)near;
    on_device.b = (double *)(near + bytes);
    on_device.c = (double *)(near + 2 * bytes);
    measure_device(d, &on_device, &on_host, out);
    d->ops->free(d, near, 3 * bytes);
  }
  free(far);
  return near != NULL && tsr__device_status(d) == TSR_OK;
}

/* Keeping. */

static bool path_of(const tsr_machine *m, const tsr_device *d, int n_ranks, char *path, size_t size)
{
  char directory[512], host[80];
  struct utsname name;
  if (tsr__cache_dir(&m->config, directory, sizeof directory)[0] == '\0' ||
      tsr__cache_dir_defect(directory) != NULL || uname(&name) < 0)
    return false;
  snprintf(host, sizeof host, "%.64s", name.nodename);
  for (char *p = host; *p != '\0'; p++)
    if (*p == '/') *p = '_';
  const int n = snprintf(path, size, "%s/costs-%s-%s-%d-ranks-%d-threads", directory, host,
                         d->ops->name, n_ranks, m->n_threads);
  return n > 0 && (size_t)n < size;
}

static bool read_cached(const char *path, tsr_costs *out)
{
  char text[TEXT_BYTES + 1];
  struct stat st;
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return false;
  const bool is_ours = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
                       (st.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  const ssize_t n = is_ours ? read(fd, text, TEXT_BYTES) : -1;
  close(fd);
  if (n <= 0) return false;
  text[n] = '\0';
  char *line = strchr(text, '\n');
  if (line == NULL) return false; /* the file was cut short */
  *line = '\0';
  size_t at;
  const char *why;
  tsr_costs read = {.launch_ns = 0};
  if (!tsr__costs_read(text, &read, &at, &why) || !tsr__costs_are_complete(&read)) return false;
  *out = read;
  return true;
}

static void write_cached(const char *path, const tsr_costs *costs, char *message, size_t size)
{
  char text[TEXT_BYTES], temporary[700], directory[640];
  snprintf(directory, sizeof directory, "%s", path);
  *strrchr(directory, '/') = '\0';
  tsr__cache_dir_make(directory);
  snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
  const int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  tsr__costs_text(costs, text, sizeof text - 1);
  strcat(text, "\n");
  const size_t n = strlen(text);
  const ssize_t n_written = fd >= 0 ? write(fd, text, n) : 0;
  const bool written = fd >= 0 && n_written == (ssize_t)n;
  if (n_written > 0 && !written) errno = ENOSPC;
  const bool is_written = written && rename(temporary, path) == 0;
  if (!is_written) snprintf(message, size, "cannot keep %s: %s", path, strerror(errno));
  if (fd >= 0) close(fd);
  if (fd >= 0 && !is_written) unlink(temporary);
}

void tsr__costs_of(const tsr_machine *machine, tsr_device *device, int n_ranks, bool keep,
                   tsr_costs *out, char *message, size_t size)
{
  char path[640];
  message[0] = '\0';
  *out = (tsr_costs){.bytes_per_ns = {20, 1000},
                     .instrs_per_ns = {10, 1000},
                     .launch_ns = 5000,
                     .link_ns = 10000,
                     .link_bytes_per_ns = 10};
  const bool can_keep = path_of(machine, device, n_ranks, path, sizeof path);
  if (can_keep && read_cached(path, out)) return;
  if (!tsr__device_runs_c(device) && device->ops->load == NULL) return;
  const bool measured = measure_all(machine, device, out);
  if (measured && can_keep && keep) write_cached(path, out, message, size);
}
