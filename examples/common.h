/* What the examples share: options with --help, a progress line, the last line. Only rank
 * 0 prints. */
#ifndef TESSERA_EXAMPLES_COMMON_H
#define TESSERA_EXAMPLES_COMMON_H

#include "tessera.h"

/** One option of a program's command line. */
typedef struct example_option {
  const char *name;   /* as typed: "-n", "--re" */
  char kind;          /* 'i': int64_t, 'd': double, 's': const char * (borrowed from argv) */
  void *value;        /* holds the default, and then what was given */
  double least, most; /* for numbers, inclusive */
  const char *help;
} example_option;

/** Read the command line into the options' values. Call after tsr_init.
 *  about: the first line of --help. Returns -1 to go on, or the exit status to leave with: 0 after
 * --help, 2 after a message about a wrong option. The same on all ranks. */
int example_options(int argc, char **argv, const char *about, const example_option *options,
                    int n_options);

/** Seconds on the monotonic clock. */
double example_seconds(void);

#define EXAMPLE_COUNT(options) ((int)(sizeof(options) / sizeof *(options)))

/** Where a program's result goes, by the options that EXAMPLE_OUTPUT adds to its own. */
typedef struct example_output {
  const char *png, *npy; /* NULL: nowhere */
} example_output;
/* what: the array that is written, for --help. */
#define EXAMPLE_OUTPUT(out, what)                                                                  \
  {"--png", 's', &(out)->png, 0, 0, "write " what " as a picture"},                                \
  {                                                                                                \
    "--npy", 's', &(out)->npy, 0, 0, "write " what " as numpy.save does"                           \
  }
/** Write x where the options ask for it. */
void example_write(const example_output *out, tsr_array x);

/** How long a loop takes, and how far it is (tsr_progress). */
typedef struct example_progress {
  int64_t total;
  double began; /* when, all ranks together */
} example_progress;
example_progress example_progress_begin(int64_t total);
void example_progress_step(const example_progress *p, int64_t done);
/** Waits for all ranks' work; returns the seconds since the beginning. */
double example_progress_end(const example_progress *p);

/** The program's last line, `result elapsed_ms=… mpoints_per_s=… check=…`. */
void example_result(double elapsed_s, double points, double check);

#endif
