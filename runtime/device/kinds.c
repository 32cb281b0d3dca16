/* The table of the kinds of devices. */
#include "runtime/device/device.h"
#include "runtime/base/error.h"
#include "runtime/base/text.h"

#include <stdio.h>
#include <string.h>

const tsr_device_ops *tsr__device_kind(int i)
{
  static const tsr_device_ops *const kinds[] = {&tsr__device_cpu, &tsr__device_check,
                                                &tsr__device_null, &tsr__device_cuda};
  enum { N_KINDS = sizeof kinds / sizeof kinds[0] };
  return i >= 0 && i < N_KINDS ? kinds[i] : NULL;
}

const tsr_device_ops *tsr__device_find(const char *name)
{
  const tsr_device_ops *ops = NULL;
  for (int i = 0; (ops = tsr__device_kind(i)) != NULL; i++)
    if (strcmp(ops->name, name) == 0) break;
  return ops;
}

tsr_status tsr__device_open(const char *name, int number, size_t limit_bytes, tsr_device **out,
                            char *message, size_t size)
{
  tsr_device *d = NULL;
  tsr_status status = tsr__device_open_later(name, number, limit_bytes, &d, message, size);
  if (status == TSR_OK && d->ops->start != NULL) status = d->ops->start(d, message, size);
  if (status == TSR_OK)
    *out = d;
  else
    tsr__device_close(d);
  return status;
}

tsr_status tsr__device_open_later(const char *name, int number, size_t limit_bytes,
                                  tsr_device **out, char *message, size_t size)
{
  const tsr_device_ops *ops = tsr__device_find(name);
  if (ops != NULL) {
    TSR_TRY(ops->open(number, limit_bytes, out, message, size));
    (*out)->waits = ops->start != NULL;
    return TSR_OK;
  }
  tsr_text names = {0};
  for (int i = 0; (ops = tsr__device_kind(i)) != NULL; i++)
    tsr__text_add(&names, "%s%s", i ? ", " : "", ops->name);
  snprintf(message, size, "there is no device `%s`; this build has %s", name, names.s);
  tsr__text_free(&names);
  return TSR_ERR_CONFIG;
}
