/* tsr_xdmf_*: what is refused, and that the index stays a whole document. tests/files reads what
 * was written. */
#include "array_test.h"

#include <math.h>

TestSuite(xdmf, .init = begin, .fini = end);

static void read_text(const char *path, char *text, size_t size)
{
  FILE *f = fopen(path, "r");
  size_t n = f ? fread(text, 1, size - 1, f) : 0;
  text[n] = 0;
  if (f) fclose(f);
}

static int count(const char *text, const char *word)
{
  int n = 0;
  for (const char *s = text; (s = strstr(s, word)); s += strlen(word)) n++;
  return n;
}

/* Every tag that opens closes, and the document ends. */
static void expect_whole(const char *path, int n_steps, int n_fields)
{
  static char text[1 << 16];
  read_text(path, text, sizeof text);
  cr_expect_eq(count(text, "<Grid"), n_steps + 1, "%s", text);
  cr_expect_eq(count(text, "</Grid>"), n_steps + 1, "%s", text);
  cr_expect_eq(count(text, "<Attribute"), n_fields);
  cr_expect_eq(count(text, "</Attribute>"), n_fields);
  cr_expect_eq(strcmp(text + strlen(text) - 8, "</Xdmf>\n"), 0);
}

typedef struct paths {
  char dir[64], index[128];
} paths;

static void series(void *arg, int rank)
{
  const paths *p = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array u = tsr_ones(TSR_SHAPE(40, 50));
  tsr_xdmf *s = tsr_xdmf_open(p->index);
  cr_assert_not_null(s);
  if (rank == 0) expect_whole(p->index, 0, 0);
  cr_expect_eq(tsr_xdmf_write(s, 0, "u", u), TSR_OK);
  cr_expect_eq(tsr_xdmf_write(s, 0, "v", tsr_multiply(u, 2)), TSR_OK);
  if (rank == 0) expect_whole(p->index, 1, 2);
  cr_expect_eq(tsr_xdmf_write(s, 1.5, "u", u), TSR_OK);

  cr_expect_eq(tsr_xdmf_write(s, 1.5, "u", u), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "field `u` is written twice at time 1.5", "`tsr_xdmf_write`");
  cr_expect_eq(tsr_xdmf_write(s, 1, "v", u), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "time 1 after 1.5");
  cr_expect_eq(tsr_xdmf_write(s, 0.1, "v", u), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "time 0.1 after 1.5");
  cr_expect_eq(tsr_xdmf_write(s, (double)NAN, "v", u), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "time nan after 1.5");
  cr_expect_eq(tsr_xdmf_write(s, 2, "a/b", u), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "`a/b` is no field's name: letters, digits, '_', '-' and '.'");
  cr_expect_eq(tsr_xdmf_write(s, 2, NULL, u), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "`(null)` is no field's name");
  cr_expect_eq(tsr_xdmf_write(s, 1.5, "v", tsr_ones(TSR_SHAPE(40))), TSR_ERR_SHAPE);
  EXPECT_ERROR(TSR_ERR_SHAPE,
               "a field of shape (40,) beside fields of shape (40, 50) at the same time",
               "(40,) float64", "help: a field has 1 to 3 axes, none empty");
  cr_expect_eq(tsr_xdmf_write(s, 2, "v", tsr_ones(TSR_SHAPE(1, 2, 3, 4))), TSR_ERR_SHAPE);
  EXPECT_ERROR(TSR_ERR_SHAPE, "a field of shape (1, 2, 3, 4)");
  cr_expect_eq(tsr_xdmf_write(s, 2, "v", tsr_ones(TSR_SHAPE(0, 2))), TSR_ERR_SHAPE);
  EXPECT_ERROR(TSR_ERR_SHAPE, "a field of shape (0, 2)");
  cr_expect_eq(tsr_xdmf_write(s, 2, "v", 1.5), TSR_ERR_SHAPE);
  EXPECT_ERROR(TSR_ERR_SHAPE, "a field of shape ()");
  cr_expect_eq(tsr_xdmf_write(s, 2, "v", tsr_astype(u, TSR_UINT64)), TSR_ERR_DTYPE);
  EXPECT_ERROR(TSR_ERR_DTYPE, "ParaView has no uint64 fields",
               "help: write it by tsr_astype as float64");
  cr_expect_eq(tsr_xdmf_write(s, 2, "v", tsr_null()), TSR_ERR_HANDLE);
  cr_expect_eq(tsr_xdmf_write(NULL, 2, "v", u), TSR_ERR_HANDLE);
  cr_expect_str_eq(tsr_last_error(), "");

  cr_expect_eq(tsr_xdmf_write(s, 2, "u", tsr_ones(TSR_SHAPE(7))), TSR_OK,
               "another step, another shape");
  cr_expect_eq(tsr_xdmf_close(&s), TSR_OK);
  cr_expect_null(s);
  cr_expect_eq(tsr_xdmf_close(&s), TSR_OK);
  if (rank == 0) expect_whole(p->index, 3, 4);
}

Test(xdmf, series_on_ranks)
{
  for (int n = 1; n <= 4; n++) {
    paths p;
    strcpy(p.dir, "/tmp/tsr_xdmf_XXXXXX");
    cr_assert_not_null(mkdtemp(p.dir));
    snprintf(p.index, sizeof p.index, "%s/a.xdmf", p.dir);
    static const char *const tiny[] = {"replicate_max", "0", "tile_min", "1", NULL};
    cr_expect_eq(tsr_run_ranks(n, tiny, series, &p), TSR_OK);
    static const char *const names[] = {"u_000000", "v_000000", "u_000001", "u_000002"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
      char path[256];
      snprintf(path, sizeof path, "%s/a_%s.raw", p.dir, names[i]);
      cr_expect_eq(unlink(path), 0, "%s", path);
    }
    cr_expect_eq(unlink(p.index), 0);
    cr_expect_eq(rmdir(p.dir), 0, "nothing else is left");
  }
}

static void grid_errors(void *arg, int rank)
{
  const paths *p = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_xdmf *s = tsr_xdmf_open(p->index);
  cr_expect_eq(tsr_xdmf_grid(NULL, TSR_POINT(0, 0), TSR_POINT(1, 1)), TSR_ERR_HANDLE);
  cr_expect_eq(tsr_xdmf_grid(s, TSR_POINT(0, 0, 0, 0), TSR_POINT(1, 1, 1, 1)), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "a grid of 4 and 4 axes: it has 1 to 3", "`tsr_xdmf_grid`");
  cr_expect_eq(tsr_xdmf_grid(s, TSR_POINT(0), TSR_POINT(1, 1)), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "a grid of 1 and 2 axes");
  cr_expect_eq(tsr_xdmf_grid(s, TSR_POINT(0, (double)NAN), TSR_POINT(1, 1)), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "a grid from nan by 1: both are finite");
  cr_expect_eq(tsr_xdmf_grid(s, TSR_POINT(0, 0), TSR_POINT(0.5, -1)), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "a grid from 0 by -1: both are finite");
  cr_expect_eq(tsr_xdmf_grid(s, TSR_POINT(3, 4), TSR_POINT(1, 1)), TSR_OK);
  cr_expect_eq(tsr_xdmf_write(s, 0.1, "u", tsr_ones(5)), TSR_ERR_SHAPE);
  EXPECT_ERROR(TSR_ERR_SHAPE, "a field of shape (5,) on a grid of 2 axes");
  cr_expect_eq(tsr_xdmf_write(s, 0.1, "u", tsr_ones(TSR_SHAPE(2, 3))), TSR_OK);
  cr_expect_eq(tsr_xdmf_close(&s), TSR_OK);
}

Test(xdmf, grids_and_what_they_refuse)
{
  paths p;
  strcpy(p.dir, "/tmp/tsr_xdmf_XXXXXX");
  cr_assert_not_null(mkdtemp(p.dir));
  snprintf(p.index, sizeof p.index, "%s/a.xdmf", p.dir);
  cr_expect_eq(tsr_run_ranks(2, NULL, grid_errors, &p), TSR_OK);
  static char text[1 << 16];
  read_text(p.index, text, sizeof text);
  cr_expect_not_null(strstr(text, "Time Value=\"0.1\""), "%s", text);
  cr_expect_not_null(strstr(text, "Precision=\"8\" Dimensions=\"3\">0 3 4</DataItem>\n"), "%s",
                     text);
  cr_expect_not_null(strstr(text, "\"3\">1 1 1</DataItem>\n"), "%s", text);
  char raw[256];
  snprintf(raw, sizeof raw, "%s/a_u_000000.raw", p.dir);
  cr_expect_eq(unlink(raw), 0);
  cr_expect_eq(unlink(p.index), 0);
  cr_expect_eq(rmdir(p.dir), 0);
}

static void read_raw(const paths *p, double *values, size_t n)
{
  char path[256];
  snprintf(path, sizeof path, "%s/a_u_000000.raw", p->dir);
  FILE *f = fopen(path, "r");
  cr_assert_not_null(f, "%s", path);
  cr_expect_eq(fread(values, sizeof *values, n, f), n);
  fclose(f);
}

static void open_twice(void *arg, int rank)
{
  const paths *p = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_xdmf *first = tsr_xdmf_open(p->index);
  const int line = __LINE__ - 1;
  cr_assert_not_null(first);
  cr_expect_eq(tsr_xdmf_write(first, 0, "u", tsr_ones(TSR_SHAPE(4))), TSR_OK);
  char opened[400], again[200];
  snprintf(opened, sizeof opened, "opened at %s:%d by tsr_xdmf_open", __FILE__, line);
  static const char *const names[] = {"a.xdmf", "./a.xdmf", "link.xdmf", "a"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(again, sizeof again, "%s/%s", p->dir, names[i]);
    cr_expect_null(tsr_xdmf_open(again), "%s", again);
    EXPECT_ERROR(TSR_ERR_ARGUMENT, "cannot write `", names[i],
                 "a series that is open writes its files", opened);
  }
  if (rank == 0) expect_whole(p->index, 1, 1);
  double values[4];
  read_raw(p, values, 4);
  cr_expect_eq(values[3], 1);
  snprintf(again, sizeof again, "%s/b.xdmf", p->dir);
  tsr_xdmf *other = tsr_xdmf_open(again);
  cr_expect_not_null(other, "another file");
  cr_expect_eq(tsr_xdmf_close(&other), TSR_OK);
  snprintf(again, sizeof again, "%s/a_x.xdmf", p->dir);
  other = tsr_xdmf_open(again);
  cr_expect_eq(tsr_xdmf_write(first, 0, "x_y", tsr_ones(TSR_SHAPE(4))), TSR_OK);
  cr_expect_eq(tsr_xdmf_write(other, 0, "y", tsr_zeros(TSR_SHAPE(4))), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "cannot write `", "a_x_y_000000.raw`",
               "a series that is open writes it", opened);
  cr_expect_eq(tsr_xdmf_write(other, 0, "z", tsr_zeros(TSR_SHAPE(4))), TSR_OK);
  cr_expect_eq(tsr_xdmf_close(&other), TSR_OK);
  cr_expect_eq(tsr_xdmf_write(first, 1, "u", tsr_ones(TSR_SHAPE(4))), TSR_OK);
  cr_expect_eq(tsr_xdmf_close(&first), TSR_OK);
  first = tsr_xdmf_open(p->index);
  cr_expect_not_null(first, "it is closed");
  cr_expect_eq(tsr_xdmf_close(&first), TSR_OK);
}

Test(xdmf, a_file_is_one_open_series)
{
  for (int n = 1; n <= 3; n++) {
    paths p;
    char link[128], command[128];
    strcpy(p.dir, "/tmp/tsr_xdmf_XXXXXX");
    cr_assert_not_null(mkdtemp(p.dir));
    snprintf(p.index, sizeof p.index, "%s/a.xdmf", p.dir);
    snprintf(link, sizeof link, "%s/link.xdmf", p.dir);
    cr_assert_eq(symlink("a.xdmf", link), 0);
    cr_expect_eq(tsr_run_ranks(n, NULL, open_twice, &p), TSR_OK);
    snprintf(command, sizeof command, "rm -r %s", p.dir);
    cr_expect_eq(system(command), 0);
  }
}

static void open_nowhere(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  cr_expect_null(tsr_xdmf_open("/nonexistent/a.xdmf"));
  EXPECT_ERROR(TSR_ERR_IO, "cannot write `/nonexistent/a.xdmf`: No such file or directory",
               "`tsr_xdmf_open`");
  cr_expect_null(tsr_xdmf_open(NULL));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "cannot write `(null)`: the path is NULL");
}

Test(xdmf, names_that_fail)
{
  for (int n = 1; n <= 3; n++) cr_expect_eq(tsr_run_ranks(n, NULL, open_nowhere, NULL), TSR_OK);
}

static void write_to_no_series(void)
{
  tsr_xdmf *series = NULL;
  tsr_set_error_mode(TSR_ERRORS_ABORT);
  tsr_xdmf_write(series, 0, "u", tsr_ones(TSR_SHAPE(3)));
  fprintf(stderr, "still here");
}

Test(xdmf, a_series_that_was_never_opened_is_told)
{
  char text[4096];
  cr_expect_neq(run_child(write_to_no_series, text, sizeof text), 0);
  cr_expect_not_null(strstr(text, "the series is NULL in `tsr_xdmf_write`"), "%s", text);
  cr_expect_null(strstr(text, "still here"), "%s", text);
}
