/* Tessera: arrays as in NumPy, in C, on one core or thousands of ranks. The whole public interface.
 */
#ifndef TESSERA_H
#define TESSERA_H

#if defined(__cplusplus) && __cplusplus < 201703L
#error "Tessera needs C++17 (g++ -std=c++17)"
#else

#include "tessera/base.h"
#include "tessera/operand.h"
#include "tessera/context.h"
#include "tessera/device.h"
#include "tessera/lifetime.h"
#include "tessera/memory.h"
#include "tessera/creation.h"
#include "tessera/host.h"
#include "tessera/views.h"
#include "tessera/grids.h"
#include "tessera/shaping.h"
#include "tessera/elementwise.h"
#include "tessera/functions.h"
#include "tessera/composed.h"
#include "tessera/reductions.h"
#include "tessera/random.h"
#include "tessera/statistics.h"
#include "tessera/ufuncs.h"
#include "tessera/linear.h"
#include "tessera/assign.h"
#include "tessera/text.h"
#include "tessera/kernels.h"
#include "tessera/output.h"
#include "tessera/files.h"
#include "tessera/cpp_array.h"

#endif
#endif
