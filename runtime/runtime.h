/* What the layers above include of the runtime. */
#ifndef TSR_RUNTIME_H
#define TSR_RUNTIME_H

#include "runtime/base/config.h"
#include "runtime/device/device.h"
#include "runtime/base/error.h"
#include "runtime/device/link.h"
#include "runtime/machine/machine.h"
#include "runtime/device/points.h"
#include "runtime/transport/transport.h"
#include "runtime/machine/workers.h"

#endif
