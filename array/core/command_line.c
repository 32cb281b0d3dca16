/* The options of a program's command line. Rank 0 prints; what is decided is the same on all ranks,
 * as the command line is. */
#include "array/core/array_int.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_help(const char *program, const char *about, const tsr_option *options)
{
  tsr_printf("%s\n\nusage: %s [options]\n", about, program);
  for (const tsr_option *o = options; o->name; o++) {
    tsr_printf("  %-12s %-4s %s", o->name, o->text ? "TEXT" : o->number ? "X" : "N", o->help);
    if (o->integer) tsr_printf(" (default %lld)", (long long)*o->integer);
    if (o->number) tsr_printf(" (default %g)", *o->number);
    if (o->text && *o->text) tsr_printf(" (default %s)", *o->text);
    tsr_printf("\n");
  }
  tsr_printf("  %-12s %-4s %s\n", "--help", "", "print this");
}

/* Returns false if the text is no number of the option's kind and range. */
static bool set_value(const tsr_option *o, const char *text)
{
  if (o->text) {
    *o->text = text;
    return true;
  }
  char *end = NULL;
  errno = 0;
  const long long integer = o->integer ? strtoll(text, &end, 10) : 0;
  const double number = o->integer ? (double)integer : strtod(text, &end);
  if (errno || end == text || *end || !(number >= o->least && number <= o->most)) return false;
  if (o->integer) *o->integer = integer;
  if (o->number) *o->number = number;
  return true;
}

static int complain(const char *program, const char *text, const char *detail)
{
  if (tsr_rank() == 0)
    fprintf(stderr, "%s: %s%s; `%s --help` lists the options\n", program, text, detail, program);
  return 2;
}

int tsr_options(int argc, char **argv, const char *about, const tsr_option *options)
{
  const char *const slash = strrchr(argv[0], '/');
  const char *const program = slash ? slash + 1 : argv[0];
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
      print_help(program, about, options);
      return 0;
    }
    const tsr_option *o = options;
    while (o->name && strcmp(argv[i], o->name) != 0) o++;
    if (!o->name) return complain(program, "there is no option ", argv[i]);
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
