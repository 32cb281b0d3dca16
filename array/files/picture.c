/* tsr_picture and tsr_save_png: an array of numbers becomes an array of colours, with a title and a
 * colour bar. A strided view thins large arrays, so only the pixels are read. Rank 0 writes files,
 * and every rank gets the outcome. Invariant: a picture's shape depends on the array's shape and on
 * the options alone, so that all ranks know it. */
#include "array/files/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "array/files/file.h"
#include "runtime/base/text.h"
#include "tessera/creation.h"
#include "tessera/output.h"

/* Stéfan van der Walt's and Nathaniel Smith's viridis at steps of 0.1, between which colours are
 * interpolated. */
static const uint8_t viridis[11][3] = {
    {0x44, 0x01, 0x54}, {0x48, 0x25, 0x76}, {0x41, 0x44, 0x87}, {0x35, 0x60, 0x8d},
    {0x2a, 0x78, 0x8e}, {0x21, 0x90, 0x8c}, {0x22, 0xa8, 0x84}, {0x43, 0xbf, 0x71},
    {0x7a, 0xd1, 0x51}, {0xbb, 0xdf, 0x27}, {0xfd, 0xe7, 0x25},
};

/* Kenneth Moreland's cool to warm ("Diverging Color Maps for Scientific Visualization", 2009) at
 * steps of 1/8. */
static const uint8_t diverging[9][3] = {
    {59, 76, 192},   {98, 130, 234},  {141, 176, 254}, {184, 208, 249}, {221, 221, 221},
    {245, 196, 173}, {244, 154, 123}, {222, 96, 77},   {180, 4, 38},
};
static const uint8_t grey[2][3] = {{0, 0, 0}, {255, 255, 255}};

static const struct {
  const uint8_t (*stops)[3];
  int n;
  uint8_t nan[3];
} maps[] = {
    [TSR_COLOURS_VIRIDIS] = {viridis, 11, {255, 255, 255}},
    [TSR_COLOURS_GREY] = {grey, 2, {200, 0, 0}},
    [TSR_COLOURS_DIVERGING] = {diverging, 9, {255, 255, 255}},
};

void tsr__colour(tsr_colours colours, double t, uint8_t rgb[3])
{
  if (isnan(t)) {
    memcpy(rgb, maps[colours].nan, 3);
    return;
  }
  const uint8_t(*stops)[3] = maps[colours].stops;
  int last = maps[colours].n - 1;
  double at = last * fmin(fmax(t, 0), 1);
  int k = at >= last ? last - 1 : (int)at;
  for (int i = 0; i < 3; i++)
    rgb[i] = (uint8_t)lround(stops[k][i] + (at - k) * (stops[k + 1][i] - stops[k][i]));
}

enum { MARGIN = 10, LETTERS = 2, BAR_GAP = 14, BAR_WIDTH = 20, TICK = 5, LABEL_LETTERS = 8 };
enum { TEXT_HEIGHT = TSR_LETTER_ROWS * LETTERS, TITLE_HEIGHT = TEXT_HEIGHT + 2 * MARGIN };
enum { LABEL_WIDTH = LABEL_LETTERS * (TSR_LETTER_COLUMNS + 1) * LETTERS };
enum { BAR_SPACE = BAR_GAP + BAR_WIDTH + TICK + MARGIN + LABEL_WIDTH };

/** What a picture is to be, from a call's options. */
typedef struct drawing {
  double number[3]; /* vmin, vmax, colours; NaN: not given */
  int n_numbers;
  tsr_colours colours;
  int scale; /* 0: chosen */
  bool colorbar;
  const char *title; /* NULL: none */
} drawing;

/** An array that can be drawn, and how large. */
typedef struct subject {
  tsr_value x;
  tsr_view pixels; /* what is read of it */
  int channels;    /* of an array of colours; 0: it holds numbers */
  int rows, columns, scale;
} subject;

static bool take_scale(tsr_context *c, const tsr_location *where, double scale, drawing *d)
{
  if (scale >= 1 && scale <= TSR_PICTURE_SIDE && scale == floor(scale)) {
    d->scale = (int)scale;
    return true;
  }
  tsr__fail(c, where, TSR_ERR_ARGUMENT, "a scale of %g: it is a whole number from 1 to %d", scale,
            TSR_PICTURE_SIDE);
  return false;
}

static bool check_numbers(tsr_context *c, const tsr_location *where, drawing *d)
{
  if (!isnan(d->number[2])) {
    const double colours = d->number[2];
    if (!(colours >= 0 && colours <= TSR_COLOURS_DIVERGING && colours == floor(colours))) {
      tsr__fail(c, where, TSR_ERR_ARGUMENT,
                "colours %g: there are TSR_VIRIDIS, TSR_GREY and TSR_DIVERGING", colours);
      return false;
    }
    d->colours = (tsr_colours)(int)colours;
  }
  if (isinf(d->number[0]) || isinf(d->number[1])) {
    tsr__fail(c, where, TSR_ERR_ARGUMENT, "colours from %g to %g: both ends are finite",
              d->number[0], d->number[1]);
    return false;
  }
  return true;
}

/* Reads the options; returns false with an error. */
static bool read_options(tsr_context *c, const tsr_location *where, int n,
                         const tsr_drawing *options, drawing *d)
{
  *d = (drawing){.number = {NAN, NAN, NAN}};
  for (int i = 0; i < n; i++) {
    switch (options[i].kind) {
    case TSR_DRAWING_NUMBER:
      if (d->n_numbers == 3) {
        tsr__fail(c, where, TSR_ERR_ARGUMENT, "a fourth number, %g: there are vmin, vmax, colours",
                  options[i].number);
        return false;
      }
      d->number[d->n_numbers++] = options[i].number;
      break;
    case TSR_DRAWING_COLOURS:
      d->number[2] = options[i].number;
      break;
    case TSR_DRAWING_SCALE:
      if (!take_scale(c, where, options[i].number, d)) return false;
      break;
    case TSR_DRAWING_COLORBAR:
      d->colorbar = true;
      break;
    case TSR_DRAWING_TITLE:
      if (tsr__check_given(c, where, options[i].text, "title") < 0) return false;
      d->title = options[i].text;
      break;
    default:
      break;
    }
  }
  return check_numbers(c, where, d);
}

/* Makes the view of x with at most `most` pixels along both axes. */
static void thin(tsr_view *out, const tsr_view *v, int most)
{
  tsr__view_copy(out, v);
  for (int k = 0; k < 2; k++) {
    int64_t step = (v->shape[k] + most - 1) / most;
    if (step > 1) tsr__view_slice(out, k, 0, (v->shape[k] + step - 1) / step, step);
  }
}

/* How many points an element is wide and high: a small array of numbers is 512 wide if it is not
 * much higher than that. */
static int choose_scale(const drawing *d, const subject *s)
{
  if (d->scale) return d->scale;
  if (s->channels) return 1;
  const int wide = (TSR_PICTURE_LEAST + s->columns - 1) / s->columns;
  const int high = TSR_PICTURE_SIDE / s->rows;
  return wide < high ? wide : high > 1 ? high : 1;
}

/* Looks at s->x, which is to be drawn by the function `name`; returns false with an error. */
static bool look_at(tsr_context *c, const tsr_location *where, const char *name,
                    tsr_operand operand, const drawing *d, subject *s)
{
  if (!tsr__check_real(c, where, name, s->x.dtype, operand)) return false;
  const tsr_view *v = s->x.region ? &s->x.view->view : NULL;
  const bool coloured =
      v && v->ndim == 3 && (v->shape[2] == 3 || v->shape[2] == 4) && s->x.dtype == TSR_DTYPE_UINT8;
  if (!v || (v->ndim != 2 && !coloured) || tsr__view_size(v) == 0) {
    char shape[256] = "()";
    if (v) tsr__shape_text(v->ndim, v->shape, shape, sizeof shape);
    tsr__fail_on(
        c, where, TSR_ERR_SHAPE, 1, &operand,
        "a picture has two axes, neither empty, or is uint8 of shape (h, w, 3 or 4): slice "
        "or reduce the array first",
        "a picture of shape %s", shape);
    return false;
  }
  if (coloured &&
      (d->colorbar || !isnan(d->number[0]) || !isnan(d->number[1]) || !isnan(d->number[2]))) {
    tsr__fail_on(c, where, TSR_ERR_ARGUMENT, 1, &operand,
                 "leave them out, or draw the numbers that the colours come from",
                 "an array of colours has no range, colours or colour bar");
    return false;
  }
  s->channels = coloured ? (int)v->shape[2] : 0;
  thin(&s->pixels, v, coloured ? TSR_POINTS_SIDE : TSR_PICTURE_SIDE);
  s->rows = (int)s->pixels.shape[0], s->columns = (int)s->pixels.shape[1];
  s->scale = choose_scale(d, s);
  if ((int64_t)s->scale * s->rows <= TSR_POINTS_SIDE &&
      (int64_t)s->scale * s->columns <= TSR_POINTS_SIDE)
    return true;
  tsr__fail(c, where, TSR_ERR_ARGUMENT, "a scale of %d makes %lld x %lld points, at most %d a side",
            s->scale, (long long)s->scale * s->columns, (long long)s->scale * s->rows,
            TSR_POINTS_SIDE);
  return false;
}

static int width_of(const drawing *d, const subject *s)
{
  return s->columns * s->scale + (d->colorbar ? BAR_SPACE : 0);
}

static int height_of(const drawing *d, const subject *s)
{
  const int space =
      d->colorbar ? TEXT_HEIGHT : 0; /* the numbers at the bar's ends reach beyond it */
  return s->rows * s->scale + (d->title ? TITLE_HEIGHT : space / 2) + space / 2;
}

/* Converts the elements to doubles. */
static void as_doubles(double *values, tsr_dtype dtype, const char *data, int64_t n)
{
  for (int64_t i = 0; i < n; i++) {
    tsr_scalar x = tsr__scalar_load(dtype, data + (size_t)i * tsr__dtype_size(dtype));
    values[i] = tsr__scalar_cast(x, TSR_FLOAT64).u.f;
  }
}

/* Chooses the values of the first and last colour that the caller left open (NaN). */
static void choose_range(tsr_colours map, const double *values, int64_t n, double *vmin,
                         double *vmax)
{
  double least = INFINITY, most = -INFINITY;
  for (int64_t i = 0; i < n; i++) {
    if (!isfinite(values[i])) continue;
    least = fmin(least, values[i]);
    most = fmax(most, values[i]);
  }
  if (map == TSR_COLOURS_DIVERGING && least <= most) {
    most = fmax(fabs(least), fabs(most));
    least = -most;
  }
  if (isnan(*vmin)) *vmin = least;
  if (isnan(*vmax)) *vmax = most;
}

/* Where in the map a value is. */
static double position_of(double value, double vmin, double vmax, tsr_colours map)
{
  const double scale = isinf(vmax - vmin) ? 0.5 : 1; /* halved numbers cannot overflow */
  const double first = vmin * scale, range = vmax * scale - first;
  if (isinf(value)) return value > 0 ? 1 : 0;
  if (isnan(value)) return value;
  return range != 0 ? (value * scale - first) / range : map == TSR_COLOURS_DIVERGING ? 0.5 : 0;
}

double tsr__scale_step(double least, double most, int n)
{
  const double raw = (most - least) / n;
  if (!(raw > 0) || isinf(raw)) return 0;
  const double power = pow(10, floor(log10(raw)));
  const double digit = raw / power;
  return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

static void write_label(tsr_canvas *canvas, int x, int y, double value)
{
  char text[32];
  void *before = tsr__plain_numbers_begin();
  for (int digits = 6; digits > 0; digits--) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strlen(text) <= LABEL_LETTERS) break;
  }
  tsr__plain_numbers_end(before);
  static const uint8_t black[4] = {0, 0, 0, 255};
  tsr__canvas_fill(canvas, x, y, TICK, 1, black);
  tsr__canvas_text(canvas, x + TICK + MARGIN / 2, y - 7 * LETTERS / 2, LETTERS, text);
}

/* The row of a bar that has the colour of a value. */
static int label_at(double value, const drawing *d, double vmin, double vmax, int top, int height)
{
  const double t = position_of(value, vmin, vmax, d->colours);
  return top + (int)lround((1 - fmin(fmax(t, 0), 1)) * (height - 1));
}

enum { MOST_STEPS = 8 }; /* between the numbers of a bar */

/* Paints the bar of colours, its frame and its numbers: one number, if steps are lost in
 * rounding. */
static void paint_bar(tsr_canvas *canvas, int x, int top, int height, const drawing *d, double vmin,
                      double vmax)
{
  static const uint8_t black[4] = {0, 0, 0, 255};
  tsr__canvas_fill(canvas, x, top, BAR_WIDTH, height, black);
  for (int y = 1; y < height - 1; y++) {
    uint8_t rgb[4] = {0, 0, 0, 255};
    tsr__colour(d->colours, height > 3 ? 1 - (y - 1.0) / (height - 3) : 0.5, rgb);
    tsr__canvas_fill(canvas, x + 1, top + y, BAR_WIDTH - 2, 1, rgb);
  }
  const double least = fmin(vmin, vmax), most = fmax(vmin, vmax);
  const int space = height / (3 * TEXT_HEIGHT), n = space < MOST_STEPS ? space : MOST_STEPS;
  const double step = tsr__scale_step(least, most, n > 1 ? n : 1);
  const int right = x + BAR_WIDTH;
  if (step == 0 || least + step == least || most - step == most) {
    if (isfinite(least))
      write_label(canvas, right, label_at(least, d, vmin, vmax, top, height), least);
    return;
  }
  const double first = ceil(least / step - 1e-9);
  for (int i = 0; i <= MOST_STEPS + 2; i++) {
    const double value = first + i == 0 ? 0 : (first + i) * step;
    if (value > most + 1e-9 * step) break;
    write_label(canvas, right, label_at(value, d, vmin, vmax, top, height), value);
  }
}

static int channels_of(const subject *s)
{
  return s->channels ? s->channels : 3;
}

/* Paints what was read of the array: its bytes, of numbers or of colours. values: memory for the
 * numbers. */
static tsr_canvas paint(const drawing *d, const subject *s, const char *data, double *values,
                        uint8_t *points)
{
  tsr_canvas canvas = tsr__canvas_make(points, width_of(d, s), height_of(d, s), channels_of(s));
  const int64_t n = (int64_t)s->rows * s->columns;
  const int top = d->title ? TITLE_HEIGHT : d->colorbar ? TEXT_HEIGHT / 2 : 0;
  double vmin = d->number[0], vmax = d->number[1];
  if (!s->channels) {
    as_doubles(values, s->x.dtype, data, n);
    choose_range(d->colours, values, n, &vmin, &vmax);
  }
  for (int64_t i = 0; i < n; i++) {
    uint8_t point[4] = {0, 0, 0, 255};
    if (!s->channels)
      tsr__colour(d->colours, position_of(values[i], vmin, vmax, d->colours), point);
    else
      memcpy(point, data + i * s->channels, (size_t)s->channels);
    tsr__canvas_fill(&canvas, (int)(i % s->columns) * s->scale,
                     top + (int)(i / s->columns) * s->scale, s->scale, s->scale, point);
  }
  if (d->title) {
    const int space = s->columns * s->scale - tsr__text_width(LETTERS, d->title);
    tsr__canvas_text(&canvas, space > 0 ? space / 2 : 0, MARGIN, LETTERS, d->title);
  }
  if (d->colorbar)
    paint_bar(&canvas, s->columns * s->scale + BAR_GAP, top, s->rows * s->scale, d, vmin, vmax);
  return canvas;
}

/* Reads the pixels to rank 0, which paints them. Collective. The canvas has no points on other
 * ranks, or with a status < 0. */
static tsr_status draw(tsr_context *c, const tsr_location *where, const drawing *d,
                       const subject *s, tsr_canvas *canvas)
{
  const tsr_view *v = &s->pixels;
  const int64_t n = tsr__view_size(v);
  *canvas = (tsr_canvas){.points = NULL};
  /* All ranks ask for the memory, so that all have the error. The numbers come first. */
  const size_t number_bytes = s->channels ? 0 : sizeof(double);
  double *const values = tsr__host_alloc(c, where, n, number_bytes + tsr__dtype_size(s->x.dtype));
  uint8_t *points = values ? tsr__host_alloc(c, where, (int64_t)width_of(d, s) * height_of(d, s),
                                             (size_t)channels_of(s))
                           : NULL;
  char *const data = points ? (char *)values + (size_t)n * number_bytes : NULL;
  tsr_status status = c->last_status;
  if (points) {
    const tsr_host_block block =
        tsr__host_dense(v->ndim, v->shape, s->x.dtype, c->world.rank == 0 ? data : NULL);
    status = tsr__settle(c, tsr__read_into(c->scheduler, s->x.region, v, where, 0, &block, NULL));
  }
  if (points && status >= 0 && c->world.rank == 0) {
    *canvas = paint(d, s, data, values, points);
    points = NULL;
  }
  free(points);
  free(values);
  return status;
}

static void write_file(const char *path, const tsr_canvas *canvas, tsr_outcome *o)
{
  int fd;
  tsr_temporary temporary;
  if (!tsr__temporary_open(path, &fd, &temporary, o)) return;
  close(fd); /* libpng opens the file by name */
  o->status = tsr__png_write(temporary.name, canvas, o->why, sizeof o->why);
  tsr__temporary_end(&temporary, false, o);
}

/* Is the path's ending that of another kind of picture? */
static bool is_of_another_kind(const char *path)
{
  static const char *const endings[] = {".jpg", ".jpeg", ".gif",  ".bmp",
                                        ".tif", ".tiff", ".webp", ".svg"};
  const char *ending = strrchr(path, '.');
  for (size_t k = 0; ending && k < sizeof endings / sizeof *endings; k++)
    if (strcasecmp(ending, endings[k]) == 0) return true;
  return false;
}

tsr_status tsr_save_png_at(const tsr_location *where, tsr_operand operand, const char *path,
                           int n_options, const tsr_drawing *options)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  drawing d;
  subject s = {.channels = 0};
  tsr_canvas canvas;
  if (!tsr__value_of(c, where, operand, &s.x)) return tsr__value_status(c, operand);
  if (tsr__check_given(c, where, path, "path") < 0) return TSR_ERR_ARGUMENT;
  if (is_of_another_kind(path))
    return tsr__fail(c, where, TSR_ERR_ARGUMENT, "`%s` would be PNG: end its name in `.png`", path);
  if (!read_options(c, where, n_options, options, &d) ||
      !look_at(c, where, "save_png", operand, &d, &s))
    return c->last_status;
  tsr__file_event(c, where, path);
  const tsr_status status = draw(c, where, &d, &s, &canvas);
  if (status < 0) return status;
  tsr_outcome o = {.status = TSR_OK};
  if (c->world.rank == 0) write_file(path, &canvas, &o);
  tsr__canvas_free(&canvas);
  if (tsr__outcome_hear(c, &o) >= 0) return TSR_OK;
  return tsr__fail(c, where, o.status, "cannot write `%s`: %s", path, o.why);
}

tsr_array tsr_picture_at(const tsr_location *where, tsr_operand operand, int n_options,
                         const tsr_drawing *options)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  drawing d;
  subject s = {.channels = 0};
  tsr_canvas canvas;
  if (!tsr__value_of(c, where, operand, &s.x) || !read_options(c, where, n_options, options, &d) ||
      !look_at(c, where, "picture", operand, &d, &s))
    return tsr_null();
  if (draw(c, where, &d, &s, &canvas) < 0) return tsr_null();
  const tsr_dims shape = {.ndim = 3, .n = {height_of(&d, &s), width_of(&d, &s), channels_of(&s)}};
  tsr_array made = tsr_from_host_at(where, canvas.points, TSR_UINT8, shape, 0, NULL);
  tsr__canvas_free(&canvas);
  return made;
}
