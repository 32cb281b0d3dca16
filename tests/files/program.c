/* What check.py has Tessera do, one command a line of the file named in argv[1]; a failing command
 * prints its error, and the next goes on:
 *   copy IN OUT          tsr_load_npy, tsr_save_npy
 *   view IN OUT SLICE    of a slice (no blanks in it)
 *   turn IN OUT          of the transpose
 *   wide IN OUT          of broadcast_to((2, 3) + shape)
 *   print IN             tsr_print, between lines "<<" and ">>"
 *   half IN              the same of 0.5*x + 0.25, as text
 *   png IN OUT MAP [LOW HIGH]
 *   xdmf IN OUT          a time series of three fields
 * The program takes the environment's locale, as programs of several languages do. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera.h"

enum { LINE_BYTES = 4096 };

static void report(const char *line)
{
  char text[2048];
  tsr_status status = tsr_take_error(text, sizeof text);
  if (status < 0) tsr_printf("error %d %s\n%s", status, line, text);
}

static tsr_array wide(tsr_array x)
{
  tsr_dims shape = tsr_shape(x), to = {.ndim = shape.ndim + 2, .n = {2, 3}};
  for (int k = 0; k < shape.ndim; k++) to.n[k + 2] = shape.n[k];
  return tsr_broadcast_to(x, to);
}

static void png(tsr_array x, char **word)
{
  const tsr_drawing map = !strcmp(word[3], "grey")        ? TSR_GREY
                          : !strcmp(word[3], "diverging") ? TSR_DIVERGING
                                                          : TSR_VIRIDIS;
  if (word[4] && word[4][0])
    tsr_save_png(x, word[2], atof(word[4]), atof(word[5]), map, TSR_SCALE(1));
  else
    tsr_save_png(x, word[2], map, TSR_SCALE(1));
}

/* Two fields in five steps, one of them in its own shape and type, and those of the other types
 * only in the last. */
static void xdmf(tsr_array x, const char *path)
{
  tsr_xdmf *s = tsr_xdmf_open(path);
  tsr_point origin = TSR_POINT(-1, 0.25, 10), spacing = TSR_POINT(0.5, 0.1, 2);
  origin.n = spacing.n = tsr_ndim(x);
  tsr_xdmf_grid(s, origin, spacing);
  for (int i = 0; i < 5; i++) {
    tsr_array scaled = tsr_multiply(x, i + 1);
    tsr_xdmf_write(s, 0.25 * i, "u", scaled);
    tsr_xdmf_write(s, 0.25 * i, "v_2",
                   tsr_astype(tsr_transpose(tsr_transpose(scaled)), TSR_FLOAT32));
  }
  tsr_xdmf_write(s, 1.0, "flag", tsr_greater(x, 0));
  static const tsr_dtype types[] = {TSR_INT8,  TSR_INT16,  TSR_INT32, TSR_INT64,
                                    TSR_UINT8, TSR_UINT16, TSR_UINT32};
  static const char *const names[] = {"int8",  "int16",  "int32", "int64",
                                      "uint8", "uint16", "uint32"};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    tsr_xdmf_write(s, 1.0, names[i], tsr_astype(tsr_clip(x, 0, 100), types[i]));
  tsr_xdmf_close(&s);
}

static void print(tsr_array x)
{
  tsr_printf("<<\n");
  tsr_print(x);
  tsr_printf(">>\n");
}

static void run_line(char *line)
{
  TSR_SCOPE();
  char *word[6] = {"", "", "", "", "", ""}, *rest = line;
  for (int i = 0; i < 6 && (word[i] = strtok_r(rest, " \n", &rest)); i++) continue;
  tsr_array x = tsr_load_npy(word[1]);
  if (!strcmp(word[0], "copy")) {
    tsr_save_npy(x, word[2]);
  } else if (!strcmp(word[0], "view")) {
    tsr_save_npy(tsr_slice(x, word[3]), word[2]);
  } else if (!strcmp(word[0], "turn")) {
    tsr_save_npy(tsr_transpose(x), word[2]);
  } else if (!strcmp(word[0], "wide")) {
    tsr_save_npy(wide(x), word[2]);
  } else if (!strcmp(word[0], "print")) {
    print(x);
  } else if (!strcmp(word[0], "half")) {
    print(tsr_eval("0.5*x + 2.5e-1", x));
  } else if (!strcmp(word[0], "png")) {
    png(x, word);
  } else if (!strcmp(word[0], "xdmf")) {
    xdmf(x, word[2]);
  } else {
    tsr_printf("unknown command %s\n", word[0]);
  }
  report(word[1]);
}

int main(int argc, char **argv)
{
  setlocale(LC_ALL, "");
  tsr_init(&argc, &argv);
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  FILE *commands = argc == 2 ? fopen(argv[1], "r") : NULL;
  if (!commands) return 2;
  if (strcmp(localeconv()->decimal_point, ".")) tsr_printf("%g\n", 0.5);
  char line[LINE_BYTES];
  while (fgets(line, sizeof line, commands)) run_line(line);
  fclose(commands);
  return tsr_finalize();
}
