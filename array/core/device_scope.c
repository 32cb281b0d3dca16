/* The calls of tessera/device.h. They choose the device for operations that are recorded from now
 * on. They are events of the op stream and move no data before the operations run. */
#include "array/core/array_int.h"
#include "runtime/base/alloc.h"

#include <string.h>

static const tsr_location site = {.op = "tsr_device_scope"};

/* Finds the side that `device` names, also on a machine with the host alone. Returns false if there
 * is no such device. */
static bool side_of(const tsr_context *c, const char *device, tsr_side *side)
{
  if (strcmp(device, "auto") == 0)
    *side = TSR_SIDE_ANY;
  else if (strcmp(device, "cpu") == 0)
    *side = TSR_SIDE_HOST;
  else if (strcmp(device, "device") == 0 || strcmp(device, c->world.config.device) == 0)
    *side = TSR_SIDE_DEVICE;
  else
    return false;
  return true;
}

static void refuse_device(tsr_context *c, const tsr_location *where, const char *device)
{
  if (device == NULL) {
    tsr__fail(c, where, TSR_ERR_ARGUMENT, "the device's name is NULL");
    return;
  }
  const bool is_kind = tsr__device_find(device) != NULL;
  tsr__fail_on(c, where, TSR_ERR_ARGUMENT, 0, NULL,
               "\"cpu\", \"device\" (of what kind there is) and \"auto\" go everywhere; "
               "TESSERA_DEVICE sets the kind",
               is_kind ? "this run has no device `%.40s`: its arrays live on `%s`"
                       : "there is no device `%.40s`; this run's arrays live on `%s`",
               device, c->world.config.device);
}

tsr_device_choice tsr_device_scope_open(const tsr_location *where, const char *device)
{
  if (where == NULL) where = &site;
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr_side side;
  if (device == NULL || !side_of(c, device, &side)) {
    refuse_device(c, where, device);
    return (tsr_device_choice){.context = 0};
  }
  tsr__event_of(c, where, TSR_EVENT_DEVICE, (uint64_t)side);
  c->devices = tsr__grow(c->devices, &c->devices_capacity, c->n_devices + 1, sizeof *c->devices);
  c->devices[c->n_devices++] =
      (tsr_open_device){.serial = ++c->n_scopes_made, .before = c->window.side};
  c->window.side = tsr__world_is_host(&c->world) ? TSR_SIDE_ANY : (uint8_t)side;
  return (tsr_device_choice){.context = c->number, .serial = c->n_scopes_made, .where = where};
}

int tsr__device_scopes_end(tsr_context *c, uint64_t serial)
{
  int n = 0;
  for (; c->n_devices > 0 && c->devices[c->n_devices - 1].serial > serial; n++)
    c->window.side = c->devices[--c->n_devices].before;
  return n;
}

static bool is_open(const tsr_context *c, uint64_t serial)
{
  for (int32_t i = 0; i < c->n_devices; i++)
    if (c->devices[i].serial == serial) return true;
  return false;
}

/* Ends every TSR_SCOPE opened after `serial`. Returns their number. */
static int blocks_end(tsr_context *c, uint64_t serial, const tsr_location *where)
{
  int32_t first = c->n_scopes;
  int n = 0;
  for (int32_t i = c->n_scopes - 1; i > 0 && c->scopes[i].serial > serial; i--)
    if (c->scopes[i].kind == TSR_SCOPE_IS_BLOCK) {
      first = i;
      n++;
    }
  tsr__scopes_pop_to(c, first - 1, where);
  return n;
}

/* A device scope may outlive its context; closing it then does nothing. */
void tsr_device_scope_close(tsr_device_choice *choice)
{
  tsr_context *c = tsr_context_current();
  if (choice == NULL || c == NULL || choice->context == 0 || choice->context != c->number) return;
  const tsr_device_choice closing = *choice;
  *choice = (tsr_device_choice){.context = 0};
  const bool open = is_open(c, closing.serial);
  int inner = 0;
  if (open) {
    inner = tsr__device_scopes_end(c, closing.serial - 1) - 1;
    inner += blocks_end(c, closing.serial, closing.where);
  }
  tsr__event_of(c, closing.where, TSR_EVENT_DEVICE, UINT64_C(1) << 8 | (uint64_t)c->window.side);
  if (!open)
    tsr__fail(c, closing.where, TSR_ERR_SCOPE,
              "a device scope is closed after the scope around it");
  else if (inner > 0)
    tsr__fail(c, closing.where, TSR_ERR_SCOPE,
              "a device scope is closed before %d scope%s inside it", inner, inner == 1 ? "" : "s");
}
