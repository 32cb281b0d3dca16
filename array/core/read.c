/* Returns values to the program: single elements, deferred values, and a rank's own tile. */
#include "array/core/array_int.h"

#include <math.h>
#include <string.h>

/* Checks that x has exactly one element; returns false with TSR_ERR_SHAPE. */
static bool single(tsr_context *c, const tsr_location *where, tsr_operand x, const tsr_value *value)
{
  const tsr_view *v = &value->view->view;
  if (tsr__view_size(v) == 1) return true;
  char shape[256];
  tsr__fail_on(c, where, TSR_ERR_SHAPE, 1, &x,
               "read one element by a slice with integers, or all with tsr_to_host",
               "one element is wanted, but the shape is %s",
               tsr__shape_text(v->ndim, v->shape, shape, sizeof shape));
  return false;
}

static bool item(const tsr_location *where, tsr_operand x, tsr_scalar *out)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr_value value;
  if (!tsr__value_of(c, where, x, &value)) return false;
  if (!value.region) return tsr__scalar_as(c, where, x, value.dtype, out);
  if (!single(c, where, x, &value)) return false;
  uint64_t bytes[2] = {0, 0};
  tsr__event(c, where, TSR_EVENT_READ, x.as.array);
  tsr_status status = tsr__read(c->scheduler, value.region, &value.view->view, where, bytes);
  if (tsr__settle(c, status) < 0) return false;
  *out = tsr__scalar_load(value.dtype, bytes);
  return true;
}

/* Reads the single element of x as a real number. */
static bool real_item(const tsr_location *where, tsr_operand x, tsr_scalar *out)
{
  if (!item(where, x, out)) return false;
  if (!tsr__dtype_is_complex(out->dtype)) return true;
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr__fail_on(c, where, TSR_ERR_CAST, 1, &x,
               "tsr_item_c128 reads it; tsr_real and tsr_imag give its parts",
               "the element is %s, not a real number", tsr__dtype_info(out->dtype)->name);
  return false;
}

double tsr_item_f64_at(const tsr_location *where, tsr_operand x)
{
  tsr_scalar value;
  if (!real_item(where, x, &value)) return (double)NAN;
  const double f = tsr__scalar_cast(value, TSR_DTYPE_FLOAT64).u.f;
  return f != f ? (double)NAN : f; /* a NaN without sign, since printf would show the sign */
}

int64_t tsr_item_i64_at(const tsr_location *where, tsr_operand x)
{
  tsr_scalar value;
  return real_item(where, x, &value) ? tsr__scalar_cast(value, TSR_DTYPE_INT64).u.i : 0;
}

tsr_parts tsr_item_c128_at(const tsr_location *where, tsr_operand x)
{
  tsr_scalar value;
  if (!item(where, x, &value)) return (tsr_parts){(double)NAN, (double)NAN};
  value = tsr__scalar_cast(value, TSR_DTYPE_COMPLEX128);
  return (tsr_parts){value.u.c128[0], value.u.c128[1]};
}

bool tsr_item_bool_at(const tsr_location *where, tsr_operand x)
{
  tsr_scalar value;
  return item(where, x, &value) && tsr__scalar_cast(value, TSR_DTYPE_BOOL).u.i != 0;
}

tsr_read tsr_read_begin_at(const tsr_location *where, tsr_operand x)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr_value value;
  if (!tsr__as_array(c, where, x, &value) || !single(c, where, x, &value))
    return (tsr_read){tsr_null()};
  tsr_view view;
  tsr__view_copy(&view, &value.view->view);
  while (view.ndim > 0) tsr__view_index(&view, 0, 0);
  tsr_op_in in = {.region = value.region, .view = tsr__view_ref_new(&c->window, &view)};
  tsr_new made = tsr__make(c, where, value.dtype, &(tsr_dims){.ndim = 0});
  tsr__handle_move(c, tsr__handle_peek(c, made.array), TSR_SCOPE_HELD);
  tsr__record_copy(&c->window, where, &in, made.region, made.view, true);
  tsr__in_drop(&in);
  tsr__recorded(c);
  return (tsr_read){made.array};
}

double tsr_read_end_at(const tsr_location *where, tsr_read *read)
{
  double value = (double)NAN;
  if (!read) {
    TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
    tsr__fail(c, where, TSR_ERR_ARGUMENT, "the read is NULL");
    return value;
  }
  if (!tsr_ok(read->value)) return value;
  value = tsr_item_f64_at(where, tsr_box_array(read->value));
  tsr_release_at(where, &read->value);
  return value;
}

/* on_device: a device's memory may be lent. */
static tsr_status lend_tile(const tsr_location *where, tsr_array x, const int64_t *halo,
                            bool writable, bool on_device, tsr_local_tile *tile)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  TSR_TRY(tsr__check_given(c, where, tile, "tile"));
  *tile = (tsr_local_tile){.device = -1};
  tsr_handle *s = tsr__handle(c, where, x);
  if (!s) return TSR_ERR_HANDLE;
  if (writable ? s->region->n_lent > 0 : s->region->lent_writable)
    return tsr__fail_lent(c, where, x);
  const tsr_view *v = &s->view->view;
  int64_t width[TSR_MAX_NDIM] = {0};
  for (int k = 0; halo && k < v->ndim; k++) {
    width[k] = halo[k];
    if (halo[k] < 0)
      return tsr__fail(c, where, TSR_ERR_ARGUMENT, "the halo of axis %d is negative", k);
  }
  if (!tsr__view_is_injective(v) || !tsr__view_is_separable(v)) {
    return tsr__fail_on(c, where, TSR_ERR_READONLY, 1, (const tsr_operand[]){tsr_box_array(x)},
                        NULL, "a view that %s has no tiles of its own",
                        tsr__view_is_separable(v) ? "repeats elements" : "splits axes");
  }
  if (writable && (s->region->copy_of != 0 || s->read_only))
    TSR_TRY(tsr__check_writable(c, where, x));
  tsr_box box;
  tsr_local_tile lent = {
      .ndim = v->ndim, .dtype = s->region->dtype, .writable = writable, .device = -1};
  bool there = false;
  tsr__event(c, where, TSR_EVENT_LOCAL, x);
  TSR_TRY(
      tsr__settle(c, tsr__local_begin(c->scheduler, s->region, v, width, writable, where, &box,
                                      &lent.data, lent.stride_bytes, on_device ? &there : NULL)));
  tsr_device *device = c->world.places[0].device;
  if (there) {
    lent.device = device->number;
    lent.stream = tsr__device_stream(device);
  }
  for (int k = 0; k < v->ndim; k++) {
    lent.lo[k] = box.lo[k];
    lent.n[k] = box.n[k];
  }
  lent.of = tsr__array_new(c, where, s->region, s->view);
  tsr__handle_move(c, tsr__handle_peek(c, lent.of), TSR_SCOPE_HELD);
  *tile = lent;
  return TSR_OK;
}

tsr_status tsr_local_at(const tsr_location *where, tsr_array x, const int64_t *halo, bool writable,
                        tsr_local_tile *tile)
{
  return lend_tile(where, x, halo, writable, false, tile);
}

tsr_status tsr_local_device_at(const tsr_location *where, tsr_array x, const int64_t *halo,
                               bool writable, tsr_local_tile *tile)
{
  return lend_tile(where, x, halo, writable, true, tile);
}

tsr_status tsr_local_end(tsr_local_tile *tile)
{
  static const tsr_location site = {.op = "tsr_local_end"};
  if (!tile || !tsr_ok(tile->of)) return TSR_OK;
  TSR_IN_CALL tsr_context *c = tsr__call_begin(&site);
  tsr_handle *s = tsr__handle(c, &site, tile->of);
  tsr_array of = tile->of;
  tile->of = tsr_null();
  tile->data = NULL;
  const bool there = tile->device >= 0;
  /* What the program put into the stream is over before the memory may serve another array. */
  const tsr_status ran = there ? tsr__device_sync(c->world.places[0].device) : TSR_OK;
  tile->stream = NULL;
  if (!s) return TSR_ERR_HANDLE;
  tsr__event(c, &site, TSR_EVENT_LOCAL_END, of);
  tsr_status status =
      tsr__local_end(c->scheduler, s->region, &s->view->view, tile->writable, there, &site);
  tsr__handle_release(c, s, &site);
  return tsr__settle(c, ran < 0 ? ran : status);
}

double _Complex(tsr_item_c128)(tsr_array x)
{
  static const tsr_location site = {.op = "tsr_item_c128"};
  const tsr_parts value = tsr_item_c128_at(&site, tsr_box_array(x));
  return __builtin_complex(value.re, value.im);
}
