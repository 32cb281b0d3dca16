/* Where operations run: scopes that name a device.
 *
 * Without them the runtime decides (TESSERA_PLACEMENT): small arrays stay with the host, and what
 * is faster on a device together with its data goes there. No value depends on it. */
#ifndef TESSERA_DEVICE_H
#define TESSERA_DEVICE_H

#include "tessera/base.h"
#include "tessera/operand.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An open device scope, as tsr_device_scope() declares it. */
typedef struct tsr_device_choice {
  uint64_t context; /* number of the context that it belongs to; 0: it was refused */
  uint64_t serial;  /* of no other scope of that context */
  const tsr_location *where;
} tsr_device_choice;

/** Open and close by hand (bindings); tsr_device_scope() does both. Closing also ends what is still
 * open of the scopes inside, TSR_SCOPEs too (TSR_ERR_SCOPE), as the end of a TSR_SCOPE does: a
 * longjmp past a scope leaves it open until then. Closing one that is not open any more ends
 * nothing (TSR_ERR_SCOPE). */
TSR_API tsr_device_choice tsr_device_scope_open(const tsr_location *where, const char *device);
TSR_API void tsr_device_scope_close(tsr_device_choice *choice);

#ifndef __cplusplus
/** A declaration: operations recorded from here to the end of the block, also by the functions that
 * it calls, run
 *   "cpu"     on the host, and what they read and write is moved to its memory for them;
 *   "device"  on the rank's devices if it has any (TESSERA_DEVICE), else on the host. So does the
 *             name of the kind that it has ("check");
 *   "auto"    where the runtime sees fit, as outside of such scopes.
 * The innermost scope counts. Operations of two kinds of scope are not fused. What a device cannot
 * run the host runs all the same, and what the host's memory (TESSERA_MEMORY) has no room for the
 * device. Part of the program: every rank opens the same scopes. Another
 * name, or a kind of device that this run has not, is TSR_ERR_ARGUMENT, and the scope has no
 * effect; closing out of order is TSR_ERR_SCOPE. Source: cupy.cuda.Device, jax.default_device. */
#define tsr_device_scope(device) TSR__DEVICE_SCOPE(TSR__PASTE(tsr_device_, __COUNTER__), device)
#define TSR__DEVICE_SCOPE(id, device) TSR__DEVICE_SCOPE_(id, device)
#define TSR__DEVICE_SCOPE_(id, device)                                                             \
  TSR__SITE(id##_at, "tsr_device_scope", #device);                                                 \
  __attribute__((cleanup(tsr_device_scope_close), unused)) tsr_device_choice id =                  \
      tsr_device_scope_open(&id##_at, device)
#endif

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
namespace tessera {

/** A scope whose operations run on the device of that name (tessera/device.h). */
class device_scope {
public:
  explicit device_scope(const char *device, place at = place())
      : choice_(tsr_device_scope_open(at.record("tessera::device_scope"), device))
  {
  }
  ~device_scope()
  {
    tsr_device_scope_close(&choice_);
  }
  device_scope(const device_scope &) = delete;
  device_scope &operator=(const device_scope &) = delete;

private:
  tsr_device_choice choice_;
};

} /* namespace tessera */

#define tsr_device_scope(device)                                                                   \
  ::tessera::device_scope TSR__PASTE(tsr_device_, __COUNTER__)(device)
#endif

#endif
