/* Graphs of the device `check`: launches that are kept and put again. */
#ifndef TSR_CHECK_GRAPH_H
#define TSR_CHECK_GRAPH_H

#include "runtime/device/device.h"

void *tsr__check_graph_make(tsr_device *d, const tsr_code_launch *launches, int n);
bool tsr__check_graph_set(tsr_device *d, void *graph, int at, const tsr_code_launch *launch);
void tsr__check_graph_put(tsr_device *d, void *graph);
void tsr__check_graph_free(tsr_device *d, void *graph);

#endif
