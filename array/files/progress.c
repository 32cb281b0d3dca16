/* tsr_progress: a line on rank 0's terminal. What it shows depends on time, so nothing else
 * does. */
#include "array/core/array_int.h"
#include "runtime/base/clock.h"
#include "runtime/base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "tessera/output.h"

enum { PAUSE_NS = 100000000 };

/* Adds hours, minutes and seconds, as 1:02:03 or 2:03. */
static void add_time(tsr_text *t, double seconds)
{
  const int64_t s = (int64_t)(seconds + 0.5);
  if (s >= 3600) {
    tsr__text_add(t, "%" PRId64 ":%02d:%02d", s / 3600, (int)(s / 60 % 60), (int)(s % 60));
  } else {
    tsr__text_add(t, "%d:%02d", (int)(s / 60), (int)(s % 60));
  }
}

static void draw_line(const tsr_progress_line *p, uint64_t now)
{
  tsr_text line = {0};
  const double seconds = 1e-9 * (double)(now - p->began_ns);
  tsr__text_add(&line, "\r%3d %%  %" PRId64 " of %" PRId64,
                (int)(100.0 * (double)p->done / (double)p->total), p->done, p->total);
  if (p->done > p->first && seconds > 0) {
    const double rate = (double)(p->done - p->first) / seconds;
    tsr__text_add(&line, "  %.3g/s  ", rate);
    add_time(&line, p->done < p->total ? (double)(p->total - p->done) / rate : seconds);
    tsr__text_add(&line, p->done < p->total ? " left" : " in all");
  }
  fprintf(stderr, "%s\033[K%s", line.s, p->is_open ? "  " : "\n");
  fflush(stderr);
  tsr__text_free(&line);
}

void tsr_progress_at(const tsr_location *where, int64_t done, int64_t total)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr_progress_line *p = &c->progress;
  if (c->world.rank != 0 || total < 1) return;
  if (done > total) done = total;
  const uint64_t now = tsr__now_ns();
  if (total != p->total || done < p->done) {
    *p = (tsr_progress_line){.total = total, .first = done > 0 ? done : 0, .began_ns = now};
  } else if (done == p->done) {
    return;
  }
  p->done = done > 0 ? done : 0;
  if (done < total && p->drawn_ns > 0 && now - p->drawn_ns < PAUSE_NS) return;
  p->drawn_ns = now;
  if (!isatty(STDERR_FILENO)) return;
  p->is_open = done < total;
  draw_line(p, now);
}
