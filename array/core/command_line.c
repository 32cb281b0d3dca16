/* The options of a program's command line. Rank 0 prints; what is decided is the same on all ranks,
 * as the command line is. */
#include "array/core/array_int.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The numbers that an option takes, as " from 1 to 10"; "" if it takes all. */
typedef struct range_text {
  char s[64];
} range_text;

static bool has_range(const tsr_option *o)
{
  return !o->text && (o->least != 0 || o->most != 0);
}

static range_text allowed_range(const tsr_option *o)
{
  range_text t = {""};
  const char *const format = o->integer ? " from %.0f to %.0f" : " from %g to %g";
  if (has_range(o)) snprintf(t.s, sizeof t.s, format, o->least, o->most);
  return t;
}

static const char *or_empty(const char *text)
{
  return text ? text : "";
}

static void print_help(const char *program, const char *about, const tsr_option *options)
{
  tsr_printf("%s\n\nusage: %s [options]\n", or_empty(about), program);
  for (const tsr_option *o = options; o->name; o++) {
    tsr_printf("  %-12s %-4s %s", o->name,
               o->text     ? "TEXT"
               : o->number ? "X"
                           : "N",
               or_empty(o->help));
    tsr_printf("%s%s", has_range(o) ? "," : "", allowed_range(o).s);
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
  if (errno || end == text || *end) return false;
  if (has_range(o) && !(number >= o->least && number <= o->most)) return false;
  if (o->integer) *o->integer = integer;
  if (o->number) *o->number = number;
  return true;
}

/* Returns the option that the argument names, and what follows its `=`, or NULL; or the end. */
static const tsr_option *find_option(const tsr_option *o, const char *arg, const char **value)
{
  const size_t n = strcspn(arg, "=");
  *value = arg[n] ? arg + n + 1 : NULL;
  while (o->name && (strncmp(arg, o->name, n) != 0 || o->name[n])) o++;
  return o;
}

static int complain_usage(const char *program, const char *text, const char *detail)
{
  if (tsr_rank() == 0)
    fprintf(stderr, "%s: %s%s; `%s --help` lists the options\n", program, text, detail, program);
  return 2;
}

int tsr_options(int argc, char **argv, const char *about, const tsr_option *options)
{
  static const tsr_option none = {.name = NULL};
  const char *const path = argc > 0 && argv && argv[0] ? argv[0] : "program";
  const char *const slash = strrchr(path, '/');
  const char *const program = slash ? slash + 1 : path;
  if (!options) options = &none;
  for (int i = 1; i < argc; i++) {
    const char *value;
    const tsr_option *o = find_option(options, argv[i], &value);
    if (!o->name && strcmp(argv[i], "--help") == 0) {
      print_help(program, about, options);
      return 0;
    }
    if (!o->name) return complain_usage(program, "there is no option ", argv[i]);
    if (!value && i + 1 == argc) return complain_usage(program, "a value must follow ", argv[i]);
    if (!value) value = argv[++i];
    if (!set_value(o, value)) {
      char text[160];
      snprintf(text, sizeof text, "%s takes a %s%s, not ", o->name,
               o->integer ? "whole number" : "number", allowed_range(o).s);
      return complain_usage(program, text, value);
    }
  }
  return -1;
}
