/* tsr_print against the texts of NumPy 2.4's print; tsr_save_png's pixels and errors. */
#include "array_test.h"

#include <math.h>

#include "array/files/picture.h"
#include "array/files/print.h"

TestSuite(print, .init = begin, .fini = end);
TestSuite(picture, .init = begin, .fini = end);

Test(print, floats)
{
  static const struct {
    int n;
    double x[3];
    const char *text;
  } cases[] = {
      {3, {1, 2.5, -3.125}, "[ 1.     2.5   -3.125]"},
      {3, {0, -1, 10}, "[ 0. -1. 10.]"},
      {3, {1.0 / 3, 2.0 / 3, 1e-3}, "[0.33333333 0.66666667 0.001     ]"},
      {3, {1e-5, 1, -2.5}, "[ 1.0e-05  1.0e+00 -2.5e+00]"},
      {3, {1e300, 1, 2}, "[1.e+300 1.e+000 2.e+000]"},
      {2, {1e8, 2}, "[1.e+08 2.e+00]"},
      {2, {99999999.0, 99999998}, "[99999999. 99999998.]"},
      {2, {1, 1000}, "[   1. 1000.]"},
      {2, {1, 1001}, "[1.000e+00 1.001e+03]"},
      {3, {NAN, 1, INFINITY}, "[nan  1. inf]"},
      {3, {-INFINITY, 1.25, 0}, "[-inf 1.25 0.  ]"},
      {2, {NAN, INFINITY}, "[nan inf]"},
      {2, {0, -0.0}, "[ 0. -0.]"},
      {2, {3.141592653589793, 0.1}, "[3.14159265 0.1       ]"},
      {0, {0}, "[]"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const int64_t n = cases[k].n;
    char *text = tsr__array_text(TSR_FLOAT64, 1, &n, &n, cases[k].x);
    cr_expect_str_eq(text, cases[k].text);
    free(text);
  }
  const float x[] = {1.0f / 3, 2, 1e-3f}, y[] = {123456.7f, 1e6f};
  char *text = tsr__array_text(TSR_FLOAT32, 1, (const int64_t[]){3}, (const int64_t[]){3}, x);
  cr_expect_str_eq(text, "[3.3333334e-01 2.0000000e+00 1.0000000e-03]");
  free(text);
  const float least[] = {1e-4f, 0};
  text = tsr__array_text(TSR_FLOAT32, 1, (const int64_t[]){2}, (const int64_t[]){2}, least);
  cr_expect_str_eq(text, "[0.0001 0.    ]");
  free(text);
  text = tsr__array_text(TSR_FLOAT32, 1, (const int64_t[]){2}, (const int64_t[]){2}, y);
  cr_expect_str_eq(text, "[1.234567e+05 1.000000e+06]");
  free(text);
  /* The nearest of four digits, 1.562e-02, is another number's. */
  const uint16_t power[] = {0x2400, 0x3c00}, wide[] = {0x2400, 0x0004, 0x3c00}; /* 2^-6, 2^-22, 1 */
  text = tsr__array_text(TSR_FLOAT16, 1, (const int64_t[]){2}, (const int64_t[]){2}, power);
  cr_expect_str_eq(text, "[0.01563 1.     ]");
  free(text);
  text = tsr__array_text(TSR_FLOAT16, 1, (const int64_t[]){3}, (const int64_t[]){3}, wide);
  cr_expect_str_eq(text, "[1.563e-02 2.384e-07 1.000e+00]");
  free(text);
}

Test(print, scalars_as_python)
{
  static const struct {
    double x;
    const char *text;
  } cases[] = {{0.1, "0.1"},
               {1e-5, "1e-05"},
               {1e16, "1e+16"},
               {123456789.0, "123456789.0"},
               {-0.0, "-0.0"},
               {1.0 / 3, "0.3333333333333333"},
               {NAN, "nan"},
               {-INFINITY, "-inf"},
               {1e100, "1e+100"},
               {2.5e-7, "2.5e-07"},
               {0x1p-44, "5.684341886080802e-14"}};
  char buf[TSR_NUMBER_SIZE];
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    tsr__scalar_text(TSR_FLOAT64, &cases[k].x, buf);
    cr_expect_str_eq(buf, cases[k].text);
  }
  static const struct {
    float x;
    const char *text;
  } narrow[] = {
      {0.1f, "0.1"}, {1e6f, "1e+06"}, {16777216.0f, "1.6777216e+07"}, {1.0f / 3, "0.33333334"}};
  for (size_t k = 0; k < sizeof narrow / sizeof *narrow; k++) {
    tsr__scalar_text(TSR_FLOAT32, &narrow[k].x, buf);
    cr_expect_str_eq(buf, narrow[k].text);
  }
}

/* What is written to stdout between the two. */
static int saved_stdout;

static void capture(char *path)
{
  fflush(stdout);
  strcpy(path, "/tmp/tsr_print_XXXXXX");
  int file = mkstemp(path);
  saved_stdout = dup(STDOUT_FILENO);
  dup2(file, STDOUT_FILENO);
  close(file);
}

static void captured(const char *path, char *text, size_t size)
{
  fflush(stdout);
  dup2(saved_stdout, STDOUT_FILENO);
  close(saved_stdout);
  FILE *f = fopen(path, "r");
  size_t n = fread(text, 1, size - 1, f);
  text[n] = 0;
  fclose(f);
  unlink(path);
}

static void print_large(void *arg, int rank)
{
  tsr_array i = tsr_arange(0, 100, 1), j = tsr_arange(0, 80, 1);
  tsr_print(tsr_eval("(80*i[:, None] + j)/4", i, j));
}

static void print_cut(void *arg, int rank)
{
  tsr_array i = tsr_arange(0, 7, 1, TSR_INT32), j = tsr_arange(0, 8, 1, TSR_INT32),
            k = tsr_arange(0, 20, 1, TSR_INT32);
  tsr_print(tsr_eval("(160*i[:, None, None] + 20*j[:, None] + k)[::-1]", i, j, k));
}

static void expect_printed(int n_ranks, void (*print)(void *, int), const char *wanted)
{
  char path[64], text[8192];
  capture(path);
  tsr_status status = tsr_run_ranks(n_ranks, NULL, print, NULL);
  captured(path, text, sizeof text);
  cr_expect_eq(status, TSR_OK);
  cr_expect_str_eq(text, wanted);
}

static void print_small(void *arg, int rank)
{
  tsr_array a = tsr_arange(0, 6, 1);
  tsr_print(tsr_arange(0, 30, 1, TSR_INT64));
  tsr_print(tsr_eval("a[:4].astype(int32)[:, None][:2] + 0 > a[:3] - 1", a));
  tsr_print(tsr_sum(a));
  tsr_print(2.5);
  tsr_print(tsr_zeros(TSR_SHAPE(0, 3)));
}

Test(print, rank_0_prints_once)
{
  expect_printed(2, print_small,
                 "[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23\n"
                 " 24 25 26 27 28 29]\n"
                 "[[ True False False]\n [ True  True False]]\n"
                 "15.0\n2.5\n[]\n");
}

Test(print, large_arrays_are_summarised)
{
  expect_printed(1, print_large,
                 "[[0.00000e+00 2.50000e-01 5.00000e-01 ... 1.92500e+01 1.95000e+01\n"
                 "  1.97500e+01]\n"
                 " [2.00000e+01 2.02500e+01 2.05000e+01 ... 3.92500e+01 3.95000e+01\n"
                 "  3.97500e+01]\n"
                 " [4.00000e+01 4.02500e+01 4.05000e+01 ... 5.92500e+01 5.95000e+01\n"
                 "  5.97500e+01]\n"
                 " ...\n"
                 " [1.94000e+03 1.94025e+03 1.94050e+03 ... 1.95925e+03 1.95950e+03\n"
                 "  1.95975e+03]\n"
                 " [1.96000e+03 1.96025e+03 1.96050e+03 ... 1.97925e+03 1.97950e+03\n"
                 "  1.97975e+03]\n"
                 " [1.98000e+03 1.98025e+03 1.98050e+03 ... 1.99925e+03 1.99950e+03\n"
                 "  1.99975e+03]]\n");
  expect_printed(3, print_cut,
                 "[[[ 960  961  962 ...  977  978  979]\n"
                 "  [ 980  981  982 ...  997  998  999]\n"
                 "  [1000 1001 1002 ... 1017 1018 1019]\n"
                 "  ...\n"
                 "  [1060 1061 1062 ... 1077 1078 1079]\n"
                 "  [1080 1081 1082 ... 1097 1098 1099]\n"
                 "  [1100 1101 1102 ... 1117 1118 1119]]\n"
                 "\n"
                 " [[ 800  801  802 ...  817  818  819]\n"
                 "  [ 820  821  822 ...  837  838  839]\n"
                 "  [ 840  841  842 ...  857  858  859]\n"
                 "  ...\n"
                 "  [ 900  901  902 ...  917  918  919]\n"
                 "  [ 920  921  922 ...  937  938  939]\n"
                 "  [ 940  941  942 ...  957  958  959]]\n"
                 "\n"
                 " [[ 640  641  642 ...  657  658  659]\n"
                 "  [ 660  661  662 ...  677  678  679]\n"
                 "  [ 680  681  682 ...  697  698  699]\n"
                 "  ...\n"
                 "  [ 740  741  742 ...  757  758  759]\n"
                 "  [ 760  761  762 ...  777  778  779]\n"
                 "  [ 780  781  782 ...  797  798  799]]\n"
                 "\n"
                 " ...\n"
                 "\n"
                 " [[ 320  321  322 ...  337  338  339]\n"
                 "  [ 340  341  342 ...  357  358  359]\n"
                 "  [ 360  361  362 ...  377  378  379]\n"
                 "  ...\n"
                 "  [ 420  421  422 ...  437  438  439]\n"
                 "  [ 440  441  442 ...  457  458  459]\n"
                 "  [ 460  461  462 ...  477  478  479]]\n"
                 "\n"
                 " [[ 160  161  162 ...  177  178  179]\n"
                 "  [ 180  181  182 ...  197  198  199]\n"
                 "  [ 200  201  202 ...  217  218  219]\n"
                 "  ...\n"
                 "  [ 260  261  262 ...  277  278  279]\n"
                 "  [ 280  281  282 ...  297  298  299]\n"
                 "  [ 300  301  302 ...  317  318  319]]\n"
                 "\n"
                 " [[   0    1    2 ...   17   18   19]\n"
                 "  [  20   21   22 ...   37   38   39]\n"
                 "  [  40   41   42 ...   57   58   59]\n"
                 "  ...\n"
                 "  [ 100  101  102 ...  117  118  119]\n"
                 "  [ 120  121  122 ...  137  138  139]\n"
                 "  [ 140  141  142 ...  157  158  159]]]\n");
}

Test(print, errors)
{
  cr_expect_eq(tsr_print(tsr_null()), TSR_ERR_HANDLE);
  tsr_array x = tsr_zeros(TSR_SHAPE(3)), old = x;
  tsr_release(&x);
  cr_expect_eq(tsr_print(old), TSR_ERR_HANDLE);
  EXPECT_ERROR(TSR_ERR_HANDLE, "`tsr_print`");
}

static void expect_colour(tsr_colours colours, double t, int r, int g, int b)
{
  uint8_t rgb[3];
  tsr__colour(colours, t, rgb);
  cr_expect_eq(rgb[0], r);
  cr_expect_eq(rgb[1], g);
  cr_expect_eq(rgb[2], b);
}

Test(picture, colours)
{
  expect_colour(TSR_COLOURS_VIRIDIS, 0, 0x44, 0x01, 0x54);
  expect_colour(TSR_COLOURS_VIRIDIS, -3, 0x44, 0x01, 0x54);
  expect_colour(TSR_COLOURS_VIRIDIS, 0.5, 0x21, 0x90, 0x8c);
  expect_colour(TSR_COLOURS_VIRIDIS, 0.05, 0x46, 0x13, 0x65);
  expect_colour(TSR_COLOURS_VIRIDIS, 1, 0xfd, 0xe7, 0x25);
  expect_colour(TSR_COLOURS_VIRIDIS, 7, 0xfd, 0xe7, 0x25);
  expect_colour(TSR_COLOURS_VIRIDIS, NAN, 0xff, 0xff, 0xff);
  expect_colour(TSR_COLOURS_GREY, -INFINITY, 0, 0, 0);
  expect_colour(TSR_COLOURS_GREY, 0.2, 51, 51, 51);
  expect_colour(TSR_COLOURS_GREY, 1, 255, 255, 255);
  expect_colour(TSR_COLOURS_GREY, NAN, 200, 0, 0);
  expect_colour(TSR_COLOURS_DIVERGING, 0, 59, 76, 192);
  expect_colour(TSR_COLOURS_DIVERGING, 0.5, 221, 221, 221);
  expect_colour(TSR_COLOURS_DIVERGING, 1, 180, 4, 38);
  expect_colour(TSR_COLOURS_DIVERGING, NAN, 255, 255, 255);
}

/* Width and height in a PNG file's header. */
static void png_size(const char *path, uint32_t *width, uint32_t *height)
{
  uint8_t h[24] = {0};
  FILE *f = fopen(path, "rb");
  cr_assert_not_null(f);
  cr_assert_eq(fread(h, 1, sizeof h, f), sizeof h);
  fclose(f);
  cr_expect_eq(memcmp(h, "\x89PNG\r\n\x1a\n", 8), 0);
  *width = (uint32_t)h[16] << 24 | (uint32_t)h[17] << 16 | (uint32_t)h[18] << 8 | h[19];
  *height = (uint32_t)h[20] << 24 | (uint32_t)h[21] << 16 | (uint32_t)h[22] << 8 | h[23];
}

/* Is libpng in this build? It says so itself. */
static bool has_png(void)
{
  char why[128] = "";
  uint8_t pixel[3] = {0};
  const tsr_canvas canvas = {.width = 1, .height = 1, .channels = 3, .points = pixel};
  return tsr__png_write("/nonexistent/x.png", &canvas, why, sizeof why) < 0 &&
         !strstr(why, "without libpng");
}

static void save(void *path, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array x = tsr_arange(0, 4099, 1), y = tsr_arange(0, 30, 1);
  tsr_status status = tsr_save_png(tsr_eval("x + y[:, None]", x, y), path, TSR_SCALE(1));
  if (!has_png()) {
    EXPECT_ERROR(TSR_ERR_IO, "error[TSR0502]", "without libpng");
    return;
  }
  cr_expect_eq(status, TSR_OK);
}

Test(picture, large_sides_are_thinned)
{
  char path[] = "/tmp/tsr_picture_XXXXXX";
  close(mkstemp(path));
  cr_expect_eq(tsr_run_ranks(2, NULL, save, path), TSR_OK);
  if (has_png()) {
    uint32_t width, height;
    png_size(path, &width, &height);
    cr_expect_eq(width, 1367); /* every third of 4,099 */
    cr_expect_eq(height, 30);
    cr_expect_eq(tsr_save_png(tsr_full(TSR_SHAPE(2, 3), 7, TSR_INT32), path, 0, 10, TSR_SCALE(1)),
                 TSR_OK);
    png_size(path, &width, &height);
    cr_expect_eq(width, 3);
    cr_expect_eq(height, 2);
  }
  unlink(path);
}

static void save_nowhere(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  cr_expect_eq(tsr_save_png(tsr_ones(TSR_SHAPE(2, 2)), "/nonexistent/x.png"), TSR_ERR_IO);
  EXPECT_ERROR(TSR_ERR_IO,
               "error[TSR0502]: cannot write `/nonexistent/x.png`: ", "No such file or directory",
               "`tsr_save_png`");
}

Test(picture, a_file_that_cannot_be_written_fails_on_every_rank)
{
  cr_expect_eq(tsr_run_ranks(3, NULL, save_nowhere, NULL), TSR_OK);
}

Test(picture, errors)
{
  cr_expect_eq(tsr_save_png(tsr_ones(TSR_SHAPE(5)), "x.png"), TSR_ERR_SHAPE);
  EXPECT_ERROR(TSR_ERR_SHAPE, "a picture of shape (5,)", "`tsr_save_png`", "two axes");
  cr_expect_eq(tsr_save_png(tsr_ones(TSR_SHAPE(0, 5)), "x.png"), TSR_ERR_SHAPE);
  EXPECT_ERROR(TSR_ERR_SHAPE, "a picture of shape (0, 5)");
  cr_expect_eq(tsr_save_png(2.5, "x.png"), TSR_ERR_SHAPE);
  EXPECT_ERROR(TSR_ERR_SHAPE, "a picture of shape ()");
  cr_expect_eq(tsr_save_png(tsr_ones(TSR_SHAPE(2, 2)), NULL), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "the path is NULL");
  cr_expect_eq(tsr_save_png(tsr_ones(TSR_SHAPE(2, 2)), "x.png", 0, 1, (tsr_colours)3),
               TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "colours 3: there are TSR_VIRIDIS, TSR_GREY and TSR_DIVERGING");
  cr_expect_eq(tsr_save_png(tsr_ones(TSR_SHAPE(2, 2)), "x.png", -INFINITY, 1), TSR_ERR_ARGUMENT);
  EXPECT_ERROR(TSR_ERR_ARGUMENT, "colours from -inf to 1: both ends are finite");
}
