/* The machine as the upper layers see it. */
#ifndef TSR_RUNTIME_H
#define TSR_RUNTIME_H

#include "runtime/config.h"
#include "runtime/device.h"
#include "runtime/error.h"
#include "runtime/machine.h"
#include "runtime/memory.h"
#include "runtime/points.h"
#include "runtime/transport.h"
#include "runtime/workers.h"

#endif
