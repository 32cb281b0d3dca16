/* Dumps: what a flush had before and after each pass, as files. */
#include "scheduler/dump.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The first failure to write is reported for all that follow, since who debugs by dumps has
 * hundreds of them. */
static void note_dump(tsr_scheduler *s, const char *what, const char *path, int error)
{
  if (s->was_dump_noted) return;
  s->was_dump_noted = true;
  tsr__log(s->world, 0, "TESSERA_DUMP: cannot %s %s: %s (said once)", what, path, strerror(error));
}

void tsr__dump(tsr_scheduler *s, int here, const char *name, const char *suffix, char *text)
{
  if (s->world->config.dump[0] != '\0' && text != NULL) {
    char path[512], place[32] = "";
    if (here > 0) snprintf(place, sizeof place, ".place%d", here);
    if (mkdir(s->world->config.dump, 0777) != 0 && errno != EEXIST)
      note_dump(s, "make", s->world->config.dump, errno);
    snprintf(path, sizeof path, "%s/%04llu-%s.rank%d%s.%s", s->world->config.dump,
             (unsigned long long)s->counters.n_flushes, name, s->world->rank, place, suffix);
    FILE *f = fopen(path, "w");
    if (f == NULL) {
      note_dump(s, "write", path, errno);
    } else {
      const bool is_cut = fputs(text, f) == EOF;
      if (fclose(f) != 0 || is_cut) note_dump(s, "write", path, errno);
    }
  }
  free(text);
}
