/* tsr_save_png: saves a 2-d array as a picture. A strided view thins large arrays, so only the
 * pixels are read. Rank 0 writes, and every rank gets the outcome. */
#include "array/files/picture.h"
#include "runtime/base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "array/files/file.h"
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

/* Makes the view of x with at most TSR_PICTURE_SIDE pixels along each axis. */
static void thin(tsr_view *out, const tsr_view *v)
{
  tsr__view_copy(out, v);
  for (int k = 0; k < 2; k++) {
    int64_t step = (v->shape[k] + TSR_PICTURE_SIDE - 1) / TSR_PICTURE_SIDE;
    if (step > 1) tsr__view_slice(out, k, 0, (v->shape[k] + step - 1) / step, step);
  }
}

/* Converts the elements to doubles. */
static double *as_doubles(tsr_dtype dtype, const char *data, int64_t n)
{
  double *values = tsr__malloc((size_t)n * sizeof *values);
  for (int64_t i = 0; i < n; i++) {
    tsr_scalar x = tsr__scalar_load(dtype, data + (size_t)i * tsr__dtype_size(dtype));
    values[i] = tsr__scalar_cast(x, TSR_FLOAT64).u.f;
  }
  return values;
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

static uint8_t *colour_all(tsr_colours map, const double *values, int64_t n, double vmin,
                           double vmax)
{
  choose_range(map, values, n, &vmin, &vmax);
  const double scale = isinf(vmax - vmin) ? 0.5 : 1; /* halved numbers cannot overflow */
  const double first = vmin * scale, range = vmax * scale - first;
  uint8_t *rgb = tsr__malloc(3 * (size_t)n);
  for (int64_t i = 0; i < n; i++) {
    double t = values[i];
    if (isinf(t))
      t = t > 0 ? 1 : 0;
    else if (!isnan(t))
      t = range != 0 ? (t * scale - first) / range : map == TSR_COLOURS_DIVERGING ? 0.5 : 0;
    tsr__colour(map, t, rgb + 3 * i);
  }
  return rgb;
}

static void write_pixels(const char *path, const tsr_view *pixels, const uint8_t *rgb,
                         tsr_outcome *o)
{
  int fd;
  tsr_temporary temporary;
  if (!tsr__temporary_open(path, &fd, &temporary, o)) return;
  close(fd); /* libpng opens the file by name */
  o->status = tsr__png_write(temporary.name, (int)pixels->shape[1], (int)pixels->shape[0], rgb,
                             o->why, sizeof o->why);
  tsr__temporary_end(&temporary, false, o);
}

static tsr_status write_picture(tsr_context *c, const tsr_location *where, const char *path,
                                const tsr_view *pixels, const double *values, double vmin,
                                double vmax, tsr_colours colours)
{
  tsr_outcome o = {.status = TSR_OK};
  if (c->world.rank == 0) {
    uint8_t *rgb = colour_all(colours, values, tsr__view_size(pixels), vmin, vmax);
    write_pixels(path, pixels, rgb, &o);
    free(rgb);
  }
  if (tsr__outcome_hear(c, &o) >= 0) return TSR_OK;
  return tsr__fail(c, where, o.status, "cannot write `%s`: %s", path, o.why);
}

tsr_status tsr_save_png_at(const tsr_location *where, tsr_operand operand, const char *path,
                           double vmin, double vmax, tsr_colours colours)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr_value x;
  if (!tsr__value_of(c, where, operand, &x)) return tsr__value_status(c, operand);
  if (!path) return tsr__fail(c, where, TSR_ERR_ARGUMENT, "the path is NULL");
  if ((unsigned)colours > TSR_COLOURS_DIVERGING)
    return tsr__fail(c, where, TSR_ERR_ARGUMENT,
                     "colours %d: there are TSR_VIRIDIS, TSR_GREY and TSR_DIVERGING", (int)colours);
  if (isinf(vmin) || isinf(vmax))
    return tsr__fail(c, where, TSR_ERR_ARGUMENT, "colours from %g to %g: both ends are finite",
                     vmin, vmax);
  if (!tsr__check_real(c, where, "save_png", x.dtype, operand)) return TSR_ERR_DTYPE;
  const tsr_view *v = x.region ? &x.view->view : NULL;
  if (!v || v->ndim != 2 || tsr__view_size(v) == 0) {
    char shape[256] = "()";
    if (v) tsr__shape_text(v->ndim, v->shape, shape, sizeof shape);
    return tsr__fail_on(c, where, TSR_ERR_SHAPE, 1, &operand,
                        "a picture has two axes, neither empty: slice or reduce the array first",
                        "a picture of shape %s", shape);
  }
  tsr__file_event(c, where, path);
  tsr_view pixels;
  thin(&pixels, v);
  int64_t n = tsr__view_size(&pixels);
  char *data = tsr__malloc((size_t)n * tsr__dtype_size(x.dtype)); /* at most 32 MiB */
  tsr_status status = tsr__settle(c, tsr__read(c->scheduler, x.region, &pixels, where, data));
  if (status >= 0) {
    double *values = as_doubles(x.dtype, data, n);
    status = write_picture(c, where, path, &pixels, values, vmin, vmax, colours);
    free(values);
  }
  free(data);
  return status;
}
