/* See common.h. Everything that prints asks for rank 0 first; everything that decides is the same
 * on all ranks. */
#include "common.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void print_value(const example_option *o)
{
  switch (o->kind) {
  case 'i':
    tsr_printf(" (default %lld)", (long long)*(int64_t *)o->value);
    break;
  case 'd':
    tsr_printf(" (default %g)", *(double *)o->value);
    break;
  default:
    break;
  }
}

static void print_help(const char *program, const char *about, const example_option *options,
                       int n_options)
{
  tsr_printf("%s\n\nusage: %s [options]\n", about, program);
  for (int i = 0; i < n_options; i++) {
    const char *const meta = options[i].kind == 's' ? "FILE" : options[i].kind == 'd' ? "X" : "N";
    tsr_printf("  %-8s %-5s %s", options[i].name, meta, options[i].help);
    print_value(&options[i]);
    tsr_printf("\n");
  }
  tsr_printf("  %-8s %-5s %s\n", "--help", "", "print this");
}

/* Sets the option's value; false if the text is not a number of its kind and range. */
static bool set_value(const example_option *o, const char *text)
{
  char *end = NULL;
  errno = 0;
  if (o->kind == 's') {
    *(const char **)o->value = text;
    return true;
  }
  if (o->kind == 'i') {
    const long long v = strtoll(text, &end, 10);
    if (errno || end == text || *end || (double)v < o->least || (double)v > o->most) return false;
    *(int64_t *)o->value = v;
    return true;
  }
  const double v = strtod(text, &end);
  if (errno || end == text || *end || !(v >= o->least && v <= o->most)) return false;
  *(double *)o->value = v;
  return true;
}

static int complain(const char *program, const char *text, const char *detail)
{
  if (tsr_rank() == 0)
    fprintf(stderr, "%s: %s%s; `%s --help` lists the options\n", program, text, detail, program);
  return 2;
}

int example_options(int argc, char **argv, const char *about, const example_option *options,
                    int n_options)
{
  const char *const slash = strrchr(argv[0], '/');
  const char *const program = slash ? slash + 1 : argv[0];
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
      print_help(program, about, options, n_options);
      return 0;
    }
    const example_option *o = NULL;
    for (int k = 0; k < n_options && !o; k++)
      if (strcmp(argv[i], options[k].name) == 0) o = &options[k];
    if (!o) return complain(program, "there is no option ", argv[i]);
    if (i + 1 == argc) return complain(program, "a value must follow ", argv[i]);
    if (!set_value(o, argv[++i])) {
      char text[160];
      snprintf(text, sizeof text, "%s takes a number from %g to %g, not ", o->name, o->least,
               o->most);
      return complain(program, text, argv[i]);
    }
  }
  return -1;
}

double example_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

example_progress example_progress_begin(int64_t total)
{
  tsr_barrier();
  return (example_progress){.total = total, .began = example_seconds()};
}

void example_progress_step(const example_progress *p, int64_t done)
{
  tsr_progress(done, p->total);
}

double example_progress_end(const example_progress *p)
{
  tsr_barrier();
  return example_seconds() - p->began;
}

void example_write(const example_output *out, tsr_array x)
{
  if (out->png) tsr_save_png(x, out->png);
  if (out->npy) tsr_save_npy(x, out->npy);
}

void example_result(double elapsed_s, double points, double check)
{
  tsr_printf("result elapsed_ms=%.3f mpoints_per_s=%.3f check=%.17g\n", 1e3 * elapsed_s,
             1e-6 * points / elapsed_s, check);
}
