/* The user's kernels from C++17 (tessera/cpp.h, tessera/kernels.h). */
#ifndef TESSERA_CPP_KERNELS_H
#define TESSERA_CPP_KERNELS_H

#ifdef __cplusplus

#include "tessera/cpp.h"
#include "tessera/kernels.h"

namespace tessera {

/** The kernel that a call names, and where the call stands. */
struct callee {
  tsr_function function;
  place at;
  callee(tsr_function function_, place at_ = place()) : function(function_), at(at_)
  {
  }
};

} // namespace tessera

inline tsr_function tsr_kernel_elementwise(const char *name, const char *inputs,
                                           const char *outputs, const char *text,
                                           ::tessera::place at = ::tessera::place())
{
  return tsr_kernel_elementwise_at(at.record("tsr_kernel_elementwise"), name, inputs, outputs,
                                   text);
}

inline tsr_function tsr_kernel_reduction(const char *name, const char *inputs, const char *output,
                                         const char *map, const char *combine, const char *finish,
                                         ::tessera::operand identity)
{
  return tsr_kernel_reduction_at(identity.at.record("tsr_kernel_reduction"), name, inputs, output,
                                 map, combine, finish, identity.value);
}

inline tsr_function tsr_task(const char *name, const char *inputs, const char *outputs,
                             tsr_task_function function, ::tessera::place at = ::tessera::place())
{
  return tsr_task_at(at.record("tsr_task"), name, inputs, outputs, function);
}

template <class... X>
tsr_status tsr_call_data(tsr_array *out, ::tessera::callee f, const void *data, size_t n_bytes,
                         const X &...xs)
{
  static_assert(sizeof...(xs) >= 1 && sizeof...(xs) <= 16, "tsr_call_data: takes 1 to 16 inputs");
  const tsr_operand v[] = {::tessera::operand(xs).value...};
  return tsr_call_data_at(f.at.record("tsr_call_data"), out, f.function, data, n_bytes,
                          (int)sizeof...(xs), v);
}

template <class... X> [[nodiscard]] tsr_array tsr_call(::tessera::callee f, const X &...xs)
{
  static_assert(sizeof...(xs) >= 1 && sizeof...(xs) <= 16, "tsr_call: takes 1 to 16 inputs");
  const tsr_operand v[] = {::tessera::operand(xs).value...};
  return tsr_call_at(f.at.record("tsr_call"), f.function, (int)sizeof...(xs), v);
}

template <class... X>
tsr_status tsr_call_outputs(tsr_array *out, ::tessera::callee f, const X &...xs)
{
  static_assert(sizeof...(xs) >= 1 && sizeof...(xs) <= 16,
                "tsr_call_outputs: takes 1 to 16 inputs");
  const tsr_operand v[] = {::tessera::operand(xs).value...};
  return tsr_call_outputs_at(f.at.record("tsr_call_outputs"), out, f.function, (int)sizeof...(xs),
                             v);
}

template <class... X>
[[nodiscard]] tsr_array tsr_call_axes(::tessera::callee f, tsr_axes axes, bool keepdims,
                                      const X &...xs)
{
  static_assert(sizeof...(xs) >= 1 && sizeof...(xs) <= 16, "tsr_call_axes: takes 1 to 16 inputs");
  const tsr_operand v[] = {::tessera::operand(xs).value...};
  return tsr_call_axes_at(f.at.record("tsr_call_axes"), f.function, axes, keepdims,
                          (int)sizeof...(xs), v);
}

#endif
#endif
