/* tsr_picture, tsr_panels, tsr_save_png and tsr_load_png by their points; tsr_progress on a
 * terminal. */
#include "array/files/picture.h"
#include "array_test.h"

#include <fcntl.h>
#include <math.h>
#include <sys/resource.h>
#include <sys/stat.h>

TestSuite(pictures, .init = begin, .fini = end);

/* A picture's points on the host, to be freed; shape: theirs. */
static uint8_t *points_of(tsr_array picture, tsr_dims *shape)
{
  *shape = tsr_shape(picture);
  cr_assert_eq(tsr_dtype_of(picture), TSR_UINT8);
  cr_assert_eq(shape->ndim, 3);
  uint8_t *points = calloc(1, (size_t)tsr_size(picture));
  cr_assert_eq(tsr_to_host(picture, points), TSR_OK);
  return points;
}

static const uint8_t *point_at(const uint8_t *points, const tsr_dims *shape, int64_t y, int64_t x)
{
  return points + (y * shape->n[1] + x) * shape->n[2];
}

static void expect_point(const uint8_t *points, const tsr_dims *shape, int64_t y, int64_t x,
                         int red, int green, int blue)
{
  const uint8_t *p = point_at(points, shape, y, x);
  cr_expect(p[0] == red && p[1] == green && p[2] == blue, "(%d, %d) is %d %d %d, not %d %d %d",
            (int)y, (int)x, p[0], p[1], p[2], red, green, blue);
}

/* How many points of a box are black. */
static int n_black(const uint8_t *points, const tsr_dims *shape, int64_t top, int64_t left,
                   int64_t height, int64_t width)
{
  int n = 0;
  for (int64_t y = top; y < top + height; y++)
    for (int64_t x = left; x < left + width; x++) {
      const uint8_t *p = point_at(points, shape, y, x);
      n += p[0] == 0 && p[1] == 0 && p[2] == 0;
    }
  return n;
}

Test(pictures, each_element_is_a_square)
{
  const double values[] = {0, 1, 0.5, 0};
  tsr_array x = tsr_from_host(values, TSR_FLOAT64, TSR_SHAPE(2, 2));
  tsr_dims shape;
  uint8_t *points = points_of(tsr_picture(x, TSR_GREY, TSR_SCALE(3)), &shape);
  cr_assert(shape.n[0] == 6 && shape.n[1] == 6 && shape.n[2] == 3);
  for (int y = 0; y < 6; y++)
    for (int k = 0; k < 6; k++) {
      const int grey = (int)lround(255 * values[y / 3 * 2 + k / 3]);
      expect_point(points, &shape, y, k, grey, grey, grey);
    }
  free(points);
}

Test(pictures, small_arrays_are_512_wide)
{
  static const int sizes[][4] = {/* h, w; height and width of the picture */
                                 {3, 4, 384, 512},   {2, 100, 12, 600}, {1, 511, 2, 1022},
                                 {5, 512, 5, 512},   {4, 600, 4, 600},  {1000, 4, 2000, 8},
                                 {1500, 4, 1500, 4}, {4100, 2, 1367, 2}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const int *s = sizes[i];
    TSR_SCOPE();
    const tsr_dims got = tsr_shape(tsr_picture(tsr_zeros(TSR_SHAPE(s[0], s[1]))));
    cr_expect(got.n[0] == s[2] && got.n[1] == s[3], "(%d, %d) is drawn as %d x %d", s[0], s[1],
              (int)got.n[1], (int)got.n[0]);
  }
}

Test(pictures, a_bar_has_the_colours_and_their_numbers)
{
  tsr_array x = tsr_reshape(tsr_linspace(-1, 1, 300), TSR_SHAPE(300, 1));
  tsr_dims plain, shape;
  uint8_t *without = points_of(tsr_picture(x, TSR_DIVERGING, TSR_SCALE(1)), &plain);
  uint8_t *points = points_of(tsr_picture(x, TSR_DIVERGING, TSR_SCALE(1), TSR_COLORBAR), &shape);
  cr_assert(shape.n[0] > 300 && shape.n[1] > plain.n[1]);
  const int64_t top = (shape.n[0] - 300) / 2;
  int64_t bar = 1; /* the first column that is framed in black */
  while (bar < shape.n[1] && n_black(points, &shape, top, bar, 300, 1) < 300) bar++;
  cr_assert_lt(bar, shape.n[1], "no bar");
  expect_point(points, &shape, top + 1, bar + 1, 180, 4, 38); /* the greatest value's colour, and */
  expect_point(points, &shape, top + 298, bar + 1, 59, 76, 192); /* the least's */
  expect_point(points, &shape, top + 150, bar + 1, 221, 221, 221);
  for (int y = 0; y < 300; y++) { /* the array itself is the same, from its top on */
    const uint8_t *p = point_at(without, &plain, y, 0);
    expect_point(points, &shape, top + y, 0, p[0], p[1], p[2]);
  }
  /* A number stands behind the tick of 0, in the middle. */
  cr_expect_gt(n_black(points, &shape, top + 140, bar + 21, 20, 40), 20);
  free(without);
  free(points);
}

/* How many numbers the colour bar of a picture has, whose array is `width` points wide. */
static int n_ticks(const uint8_t *points, const tsr_dims *shape, int64_t width)
{
  int n = 0;
  int64_t bar = width;
  while (n_black(points, shape, shape->n[0] / 2, bar, 1, 1) == 0) bar++;
  while (n_black(points, shape, shape->n[0] / 2 - 40, bar, 80, 1) == 80) bar++;
  do bar++;
  while (n_black(points, shape, shape->n[0] / 2 - 40, bar, 80, 1) < 80);
  for (int64_t y = 0; y < shape->n[0]; y++) n += n_black(points, shape, y, bar + 1, 1, 5) == 5;
  return n;
}

/* Where the step between two numbers is lost in rounding, there is one number. */
Test(pictures, the_bar_of_an_almost_constant_array_ends, .timeout = 60)
{
  static const struct {
    double value;
    int n_apart, n_least, n_most;
  } cases[] = {{3e5, 0, 1, 1},
               {3e5, 1, 1, 1},
               {3e5, 3, 2, 11},
               {3e5, 16, 2, 11},
               {-3e5, 1, 1, 1},
               {-3e5, 40, 2, 11},
               {1e-300, 1, 1, 1},
               {-1e300, 1, 1, 1},
               {0.125, 2, 1, 1},
               {0, 1, 1, 1},
               {4503599627370495.5, 3, 1, 11}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    TSR_SCOPE();
    double values[] = {cases[i].value, cases[i].value};
    for (int k = 0; k < cases[i].n_apart; k++) values[1] = nextafter(values[1], INFINITY);
    tsr_array x = tsr_from_host(values, TSR_FLOAT64, TSR_SHAPE(2, 1));
    tsr_dims shape;
    uint8_t *points = points_of(tsr_picture(x, TSR_COLORBAR, TSR_SCALE(300)), &shape);
    const int n = n_ticks(points, &shape, 300);
    cr_expect(n >= cases[i].n_least && n <= cases[i].n_most, "%d numbers from %.17g to %.17g", n,
              values[0], values[1]);
    free(points);
  }
}

Test(pictures, steps_of_a_scale)
{
  cr_expect_float_eq(tsr__scale_step(0, 1, 5), 0.2, 1e-12);
  cr_expect_float_eq(tsr__scale_step(0, 100, 4), 50, 1e-12);
  cr_expect_float_eq(tsr__scale_step(-3e-5, 3e-5, 7), 1e-5, 1e-17);
  cr_expect_eq(tsr__scale_step(2, 2, 5), 0);
  cr_expect_eq(tsr__scale_step(INFINITY, -INFINITY, 5), 0);
  cr_expect_eq(tsr__scale_step(NAN, 1, 5), 0);
}

Test(pictures, a_title_is_text_above)
{
  tsr_array x = tsr_ones(TSR_SHAPE(10, 100));
  tsr_dims shape;
  uint8_t *points = points_of(tsr_picture(x, TSR_SCALE(1), TSR_TITLE("l\xc3\xa9")), &shape);
  const int64_t title = shape.n[0] - 10;
  cr_expect_gt(title, 18);
  /* `l` has 10 points of 2 x 2, and what is not ASCII is a question mark, which has 9. */
  cr_expect_eq(n_black(points, &shape, 0, 0, title, 100), 4 * (10 + 9));
  for (int k = 0; k < 100; k++) expect_point(points, &shape, title, k, 0x44, 0x01, 0x54);
  free(points);
}

Test(pictures, colours_stay_as_they_are)
{
  uint8_t values[2 * 3 * 4];
  for (int i = 0; i < 24; i++) values[i] = (uint8_t)(10 * i);
  tsr_array rgba = tsr_from_host(values, TSR_UINT8, TSR_SHAPE(2, 3, 4));
  cr_expect(tsr_item_bool(tsr_all(tsr_equal(tsr_picture(rgba), rgba))));
  tsr_array rgb = tsr_slice(rgba, "..., :3");
  tsr_array large = tsr_picture(rgb, TSR_SCALE(2));
  cr_expect(tsr_item_bool(tsr_all(tsr_equal(tsr_slice(large, "1::2, ::2"), rgb))));
  cr_expect_eq(tsr_size(large), 4 * 6 * 3);
  const tsr_array refused = tsr_picture(rgb, 0, 1);
  cr_expect(!tsr_ok(refused));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "an array of colours has no range, colours or colour bar",
               "(2, 3, 3) uint8");
}

static void there_and_back(void *path, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  for (int channels = 3; channels <= 4; channels++) {
    tsr_array x = tsr_astype(tsr_fmod(tsr_arange(0, 40 * 50 * channels), 251), TSR_UINT8);
    tsr_array picture = tsr_reshape(x, TSR_SHAPE(40, 50, channels));
    cr_expect_eq(tsr_save_png(picture, path), TSR_OK);
    tsr_array got = tsr_load_png(path);
    cr_expect_eq(tsr_shape(got).n[2], channels);
    cr_expect(tsr_item_bool(tsr_all(tsr_equal(got, picture))));
  }
  tsr_array f = tsr_sin(tsr_reshape(tsr_arange(60), TSR_SHAPE(6, 10)));
  cr_expect_eq(tsr_save_png(f, path, TSR_DIVERGING, TSR_COLORBAR, TSR_TITLE("f")), TSR_OK);
  tsr_array drawn = tsr_picture(f, TSR_DIVERGING, TSR_COLORBAR, TSR_TITLE("f"));
  cr_expect(tsr_item_bool(tsr_all(tsr_equal(tsr_load_png(path), drawn))));
  cr_expect_eq(tsr_shape(drawn).n[1] - tsr_shape(tsr_picture(f)).n[1],
               tsr_shape(tsr_picture(f, TSR_COLORBAR)).n[1] - 520);
}

/* Is libpng in this build? It says so itself. */
static bool has_png(void)
{
  char why[128] = "";
  tsr_canvas canvas;
  return tsr__png_read("/nonexistent/x.png", &canvas, why, sizeof why) < 0 &&
         !strstr(why, "without libpng");
}

Test(pictures, what_is_saved_is_loaded)
{
  if (!has_png()) {
    cr_expect_eq(tsr_save_png(tsr_ones(TSR_SHAPE(2, 2)), "/tmp/never.png"), TSR_ERR_IO);
    EXPECT_ERROR(TSR_ERR_IO, "without libpng");
    return;
  }
  char path[] = "/tmp/tsr_picture_XXXXXX";
  close(mkstemp(path));
  static const char *const tiny[] = {"replicate_max", "0", "tile_min", "1", NULL};
  for (int n = 1; n <= 3; n++) cr_expect_eq(tsr_run_ranks(n, tiny, there_and_back, path), TSR_OK);
  FILE *f = fopen(path, "w");
  fputs("no picture", f);
  fclose(f);
  tsr_array got = tsr_load_png(path);
  cr_expect(!tsr_ok(got));
  EXPECT_ERROR(TSR_ERR_IO, "cannot read `/tmp/tsr_picture_", "`: it is no PNG file",
               "`tsr_load_png`");
  unlink(path);
  got = tsr_load_png(path);
  EXPECT_ERROR(TSR_ERR_IO, "No such file");
  got = tsr_load_png(NULL);
  cr_expect(!tsr_ok(got));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "cannot read `(null)`: the path is NULL");
}

/* A file is cut off at every length, and one byte of it is changed. */
Test(pictures, damaged_files)
{
  if (!has_png()) return;
  char path[] = "/tmp/tsr_picture_XXXXXX";
  close(mkstemp(path));
  cr_expect_eq(tsr_save_png(tsr_ones(TSR_SHAPE(2, 2)), "u.JPG"), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "`u.JPG` would be PNG: end its name in `.png`");
  cr_expect_eq(tsr_save_png(tsr_arange(0, 64, 1), path), TSR_ERR_SHAPE);
  tsr_take_error(NULL, 0);
  cr_assert_eq(tsr_save_png(tsr_reshape(tsr_arange(0, 64, 1), TSR_SHAPE(8, 8)), path), TSR_OK);
  static uint8_t bytes[1 << 16];
  FILE *f = fopen(path, "r");
  const size_t n = fread(bytes, 1, sizeof bytes, f);
  fclose(f);
  for (size_t at = 0; at <= n; at += n / 8) {
    f = fopen(path, "w");
    const bool is_whole = at + n / 8 > n; /* the last one: a changed byte in the middle */
    if (is_whole) bytes[n / 2] ^= 0xff;
    fwrite(bytes, 1, is_whole ? n : at, f);
    fclose(f);
    cr_expect(!tsr_ok(tsr_load_png(path)), "%d bytes of %d", (int)at, (int)n);
    char text[1024];
    cr_expect_eq(tsr_take_error(text, sizeof text), TSR_ERR_IO);
    cr_expect_not_null(strstr(text, is_whole ? "it is a damaged PNG file ("
                                    : at < 8 ? "`: it "
                                             : "it ends in the middle of the picture"),
                       "%s", text);
    cr_expect_null(strstr(text, "Read Error"), "%s", text);
  }
  unlink(path);
  cr_expect(!tsr_ok(tsr_load_png("/tmp")));
  EXPECT_ERROR(TSR_ERR_IO, "cannot read `/tmp`: it is a directory");
}

/* The start of a file that says that it has 16,384 x 16,384 points, and holds none. */
static void write_promise(char *path)
{
  static const uint8_t start[] = {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00,
                                  0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x40, 0x00, 0x00, 0x00,
                                  0x40, 0x00, 0x08, 0x06, 0x00, 0x00, 0x00, 0xa9, 0xc8, 0x10, 0x84,
                                  0x00, 0x00, 0x03, 0xe8, 0x49, 0x44, 0x41, 0x54, 0x78, 0x01};
  const int fd = mkstemp(path);
  cr_assert_eq(write(fd, start, sizeof start), (ssize_t)sizeof start);
  close(fd);
}

Test(pictures, a_pipe_is_no_file, .timeout = 20)
{
  if (!has_png()) return;
  char dir[] = "/tmp/tsr_pipe_XXXXXX", path[64];
  cr_assert_not_null(mkdtemp(dir));
  snprintf(path, sizeof path, "%s/x.png", dir);
  cr_assert_eq(mkfifo(path, 0600), 0);
  cr_expect_not(tsr_ok(tsr_load_png(path)));
  EXPECT_ERROR(TSR_ERR_IO, "x.png", "it is not a regular file");
  unlink(path);
  rmdir(dir);
}

Test(pictures, a_file_is_read_before_its_memory_is_filled)
{
  if (!has_png()) return;
  char path[] = "/tmp/tsr_picture_XXXXXX";
  write_promise(path);
  struct rusage before, after;
  cr_assert_eq(getrusage(RUSAGE_SELF, &before), 0);
  const tsr_array got = tsr_load_png(path);
  cr_assert_eq(getrusage(RUSAGE_SELF, &after), 0);
  cr_expect(!tsr_ok(got));
  EXPECT_ERROR(TSR_ERR_IO, "cannot read `/tmp/tsr_picture_");
  cr_expect_lt(after.ru_maxrss - before.ru_maxrss, 500 << 10, "KiB of 1 GiB were filled");
  unlink(path);
}

/* The sanitizers have address space of their own, which cannot be limited. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
Test(pictures, a_file_with_more_points_than_memory_is_an_error)
{
  if (!has_png()) return;
  char path[] = "/tmp/tsr_picture_XXXXXX";
  write_promise(path);
  unsigned long pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  cr_assert_eq(fscanf(f, "%lu", &pages), 1);
  fclose(f);
  struct rlimit before, less;
  cr_assert_eq(getrlimit(RLIMIT_AS, &before), 0);
  less = before;
  less.rlim_cur = pages * (rlim_t)sysconf(_SC_PAGESIZE) + (256 << 20);
  cr_assert_eq(setrlimit(RLIMIT_AS, &less), 0);
  const tsr_array got = tsr_load_png(path);
  cr_assert_eq(setrlimit(RLIMIT_AS, &before), 0);
  cr_expect(!tsr_ok(got));
  EXPECT_ERROR(TSR_ERR_MEMORY, "cannot read `/tmp/tsr_picture_",
               "the system's memory has no room for its 16384 x 16384 points");
  unlink(path);
}
#endif

static void larger_than_memory(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array x = tsr_zeros(TSR_SHAPE(5000, 5000, 3), TSR_UINT8);
  cr_expect_eq(tsr_save_png(x, arg), TSR_ERR_MEMORY);
  EXPECT_ERROR(TSR_ERR_MEMORY, "7.5e+07 bytes on each rank are more than the memory limit of",
               "TESSERA_MEMORY sets the limit of a rank");
  tsr_release(&x); /* no reading stores it */
  tsr_array part = tsr_zeros(TSR_SHAPE(4, 4, 3), TSR_UINT8);
  cr_expect(!tsr_ok(tsr_picture(part, TSR_SCALE(2000))));
  EXPECT_ERROR(TSR_ERR_MEMORY, "1.92e+08 bytes on each rank are more than the memory limit of");
  tsr_array small = tsr_picture(part, TSR_SCALE(2));
  cr_expect(tsr_ok(small) && tsr_shape(small).n[0] == 8);
}

Test(pictures, larger_than_the_memory_limit_are_an_error_of_all_ranks)
{
  if (!has_png()) return;
  char path[] = "/tmp/tsr_no_picture.png";
  for (int n = 1; n <= 2; n++) RUN_RANKS(n, larger_than_memory, path, "memory", "64M");
  cr_expect_eq(access(path, F_OK), -1);
}

static void panels(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array black = tsr_zeros(TSR_SHAPE(4, 6, 3), TSR_UINT8);
  tsr_array red = tsr_zeros(TSR_SHAPE(8, 2, 4), TSR_UINT8);
  tsr_assign(tsr_slice(red, "..., 0"), 255);
  tsr_array all = tsr_panels(TSR_ARRAYS(black, red, black, red, black), 2);
  tsr_dims shape;
  uint8_t *points = points_of(all, &shape);
  cr_assert(shape.n[0] == 8 + 12 + 8 + 12 + 4 && shape.n[1] == 6 + 12 + 2 && shape.n[2] == 3);
  for (int64_t y = 0; y < shape.n[0]; y++)
    for (int64_t x = 0; x < shape.n[1]; x++) {
      const bool in_row = y % 20 < 8, is_black = y % 20 < 4 && x < 6;
      const bool is_red = in_row && x >= 18 && y < 28;
      expect_point(points, &shape, y, x, is_black ? 0 : 255, is_black || is_red ? 0 : 255,
                   is_black || is_red ? 0 : 255);
    }
  free(points);
  const tsr_dims row = tsr_shape(tsr_panels(TSR_ARRAYS(black, tsr_ones(TSR_SHAPE(2, 2)))));
  cr_expect(row.n[0] == 512 && row.n[1] == 6 + 12 + 512, "an array of numbers is drawn");
}

Test(pictures, panels_stand_in_rows_and_columns)
{
  static const char *const tiny[] = {"replicate_max", "0", "tile_min", "1", NULL};
  for (int n = 1; n <= 3; n++) cr_expect_eq(tsr_run_ranks(n, tiny, panels, NULL), TSR_OK);
}

Test(pictures, errors)
{
  tsr_array x = tsr_ones(TSR_SHAPE(2, 2)), none;
  none = tsr_picture(x, TSR_SCALE(0));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "a scale of 0: it is a whole number from 1 to 2048",
               "`tsr_picture`");
  none = tsr_picture(x, TSR_SCALE(1.5));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "a scale of 1.5");
  none = tsr_picture(tsr_ones(TSR_SHAPE(10, 2)), TSR_SCALE(2048));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "a scale of 2048 makes 4096 x 20480 points, at most 16384 a side");
  none = tsr_picture(x, TSR_TITLE(NULL));
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the title is NULL");
  none = tsr_picture(x, 0, 1, 0, 7);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "a fourth number, 7: there are vmin, vmax, colours");
  none = tsr_picture(x, 0, 1, 3);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "colours 3: there are TSR_VIRIDIS, TSR_GREY and TSR_DIVERGING");
  none = tsr_picture(x, 0, 1, 1.5);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "colours 1.5: there are TSR_VIRIDIS");
  none = tsr_picture(x, 0, 1, 1e300);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "colours 1e+300: there are TSR_VIRIDIS");
  none = tsr_picture(x, 0, 1, -(double)INFINITY);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "colours -inf: there are TSR_VIRIDIS");
  none = tsr_picture(x, TSR_COLORBAR, 0, (double)INFINITY);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "colours from 0 to inf");
  none = tsr_picture(tsr_ones(TSR_SHAPE(2, 2, 3)));
  EXPECT_ERROR(TSR_ERR_SHAPE, "a picture of shape (2, 2, 3)", "uint8 of shape (h, w, 3 or 4)");
  none = tsr_panels(TSR_ARRAYS());
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "0 pictures in 0 columns", "`tsr_panels`");
  none = tsr_panels(TSR_ARRAYS(x), -1);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "1 pictures in -1 columns");
  none = tsr_panels(TSR_ARRAYS(x, tsr_ones(3)));
  EXPECT_ERROR(TSR_ERR_SHAPE, "a picture of shape (3,)", "`tsr_panels`");
  cr_expect(!tsr_ok(none));
  none = tsr_picture(tsr_null());
  none = tsr_panels(TSR_ARRAYS(tsr_null()));
  cr_expect(!tsr_ok(none));
}

/* What two loops draw on a terminal that is stderr. */
static void draw_progress(void)
{
  tsr_init(NULL, NULL);
  for (int i = 0; i < 4; i++) tsr_progress(i + 1, 4);
  tsr_progress(0, 0); /* draws nothing */
  for (int i = 0; i < 2; i++) tsr_progress(i + 1, 2);
  tsr_progress(9, 2); /* still all of them */
  tsr_finalize();
}

/* What a line that is open gives way to; another print stands behind it. */
static void print_in_between(void)
{
  tsr_init(NULL, NULL);
  tsr_progress(1, 4);
  tsr_printf("step\n");
  tsr_printf("\n");
  tsr_finalize();
}

static int terminal = -1;
static void on_terminal(void)
{
  terminal = posix_openpt(O_RDWR | O_NOCTTY);
  grantpt(terminal), unlockpt(terminal);
  const int end_of_it = open(ptsname(terminal), O_RDWR | O_NOCTTY);
  dup2(end_of_it, STDERR_FILENO), dup2(end_of_it, STDOUT_FILENO);
}

static void forward_from(void (*draw)(void))
{
  const int out = dup(STDERR_FILENO);
  on_terminal();
  draw();
  /* A terminal hands over its text in parts; its end is the second new line. */
  char text[2048];
  for (int n_lines = 0; n_lines < 2;) {
    const ssize_t n = read(terminal, text, sizeof text);
    cr_assert_gt(n, 0);
    cr_assert_eq(write(out, text, (size_t)n), n);
    for (ssize_t i = 0; i < n; i++) n_lines += text[i] == '\n';
  }
}

static void forward(void)
{
  forward_from(draw_progress);
}

static void forward_prints(void)
{
  forward_from(print_in_between);
}

TestSuite(progress);

Test(progress, is_cleared_by_what_prints)
{
  char text[4096];
  cr_expect_eq(run_in_child(NULL, forward_prints, text, sizeof text), 0);
  cr_expect_str_eq(text, "\r 25 %  1 of 4\033[K  \r\033[Kstep\r\n\r\n", "%s", text);
}

Test(progress, is_a_line_on_a_terminal)
{
  char text[4096];
  cr_expect_eq(run_in_child(NULL, forward, text, sizeof text), 0);
  const char *first = strstr(text, "\r 25 %  1 of 4");
  const char *all = first ? strstr(first, "\r100 %  4 of 4  ") : NULL;
  cr_expect_not_null(all, "%s", text);
  cr_expect_not_null(all ? strstr(all, "/s  0:00 in all") : NULL, "%s", text);
  const char *again = all ? strstr(all, "\r 50 %  1 of 2") : NULL;
  cr_expect_not_null(again, "%s", text);
  cr_expect_not_null(again ? strstr(again, "\r100 %  2 of 2  ") : NULL, "%s", text);
  int n_lines = 0;
  for (const char *s = text; (s = strchr(s, '\n')); s++) n_lines++;
  cr_expect_eq(n_lines, 2, "%s", text);
  cr_expect_eq(run_in_child(NULL, draw_progress, text, sizeof text), 0);
  cr_expect_str_eq(text, "", "stderr is no terminal");
}
