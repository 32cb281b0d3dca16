/* Written by tools/api.py --write from tools/api.table; a test compares.
 * The functions behind the macros of tessera/kernels.h, for pointers, bindings and debuggers. */
#include "tessera.h"

#define SITE(name) static const tsr_location site = {.op = #name}

tsr_function(tsr_kernel_elementwise)(const char *name, const char *inputs, const char *outputs,
                                     const char *text)
{
  SITE(tsr_kernel_elementwise);
  return tsr_kernel_elementwise_at(&site, name, inputs, outputs, text);
}

tsr_function(tsr_kernel_reduction)(const char *name, const char *inputs, const char *output,
                                   const char *map, const char *combine, const char *finish,
                                   double identity)
{
  SITE(tsr_kernel_reduction);
  return tsr_kernel_reduction_at(&site, name, inputs, output, map, combine, finish,
                                 tsr_box_float(identity));
}

tsr_function(tsr_task)(const char *name, const char *inputs, const char *outputs,
                       tsr_task_function function)
{
  SITE(tsr_task);
  return tsr_task_at(&site, name, inputs, outputs, function);
}

tsr_status(tsr_task_cuda)(tsr_function task, const char *entry, const char *source)
{
  SITE(tsr_task_cuda);
  return tsr_task_cuda_at(&site, task, entry, source);
}

tsr_status(tsr_kernel_raw)(tsr_function task, const char *entry, const char *source, tsr_dims tile)
{
  SITE(tsr_kernel_raw);
  return tsr_kernel_raw_at(&site, task, entry, source, tile);
}

tsr_array(tsr_call)(tsr_function f, tsr_array x)
{
  SITE(tsr_call);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_call_at(&site, f, 1, xs);
}

tsr_status(tsr_call_outputs)(tsr_array *out, tsr_function f, tsr_array x)
{
  SITE(tsr_call_outputs);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_call_outputs_at(&site, out, f, 1, xs);
}

tsr_status(tsr_call_data)(tsr_array *out, tsr_function f, const void *data, size_t n_bytes,
                          tsr_array x)
{
  SITE(tsr_call_data);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_call_data_at(&site, out, f, data, n_bytes, 1, xs);
}

tsr_array(tsr_call_axes)(tsr_function f, tsr_axes axes, bool keepdims, tsr_array x)
{
  SITE(tsr_call_axes);
  const tsr_operand xs[] = {tsr_box_array(x)};
  return tsr_call_axes_at(&site, f, axes, keepdims, 1, xs);
}
