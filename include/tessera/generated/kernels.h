/* Written by tools/api.py --write from tools/api.table; a test compares.
 * Part of tessera/kernels.h, which is the manual and includes this file. */
#include "tessera/kernels.h"

#ifndef TESSERA_GENERATED_KERNELS_H
#define TESSERA_GENERATED_KERNELS_H

#ifdef __cplusplus
extern "C" {
#endif

TSR_API tsr_function tsr_kernel_elementwise_at(const tsr_location *where, const char *name,
                                               const char *inputs, const char *outputs,
                                               const char *text);
TSR_API tsr_function tsr_kernel_reduction_at(const tsr_location *where, const char *name,
                                             const char *inputs, const char *output,
                                             const char *map, const char *combine,
                                             const char *finish, tsr_operand identity);
TSR_API tsr_function tsr_task_at(const tsr_location *where, const char *name, const char *inputs,
                                 const char *outputs, tsr_task_function function);
TSR_API tsr_status tsr_task_cuda_at(const tsr_location *where, tsr_function task, const char *entry,
                                    const char *source);
TSR_API tsr_status tsr_kernel_raw_at(const tsr_location *where, tsr_function task,
                                     const char *entry, const char *source, tsr_dims tile);
TSR_API tsr_array tsr_call_at(const tsr_location *where, tsr_function f, int n,
                              const tsr_operand *xs);
TSR_API tsr_status tsr_call_outputs_at(const tsr_location *where, tsr_array *out, tsr_function f,
                                       int n, const tsr_operand *xs);
TSR_API tsr_status tsr_call_data_at(const tsr_location *where, tsr_array *out, tsr_function f,
                                    const void *data, size_t n_bytes, int n, const tsr_operand *xs);
TSR_API tsr_array tsr_call_axes_at(const tsr_location *where, tsr_function f, tsr_axes axes,
                                   bool keepdims, int n, const tsr_operand *xs);

#ifdef __cplusplus
}

inline tsr_function tsr_kernel_elementwise(const char *name, const char *inputs,
                                           const char *outputs, const char *text,
                                           ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(
      tsr_kernel_elementwise_at(at.record("tsr_kernel_elementwise"), name, inputs, outputs, text));
}

inline tsr_function tsr_kernel_reduction(const char *name, const char *inputs, const char *output,
                                         const char *map, const char *combine, const char *finish,
                                         ::tessera::operand identity)
{
  return ::tessera::checked(tsr_kernel_reduction_at(identity.at.record("tsr_kernel_reduction"),
                                                    name, inputs, output, map, combine, finish,
                                                    identity.value));
}

inline tsr_function tsr_task(const char *name, const char *inputs, const char *outputs,
                             tsr_task_function function, ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_task_at(at.record("tsr_task"), name, inputs, outputs, function));
}

inline tsr_status tsr_task_cuda(tsr_function task, const char *entry, const char *source,
                                ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(tsr_task_cuda_at(at.record("tsr_task_cuda"), task, entry, source));
}

inline tsr_status tsr_kernel_raw(tsr_function task, const char *entry, const char *source,
                                 ::tessera::dims_arg tile, ::tessera::place at = ::tessera::place())
{
  return ::tessera::checked(
      tsr_kernel_raw_at(at.record("tsr_kernel_raw"), task, entry, source, tile.value));
}

template <class... T>
[[nodiscard]] tsr_array tsr_call(tsr_function f, ::tessera::operand x, const T &...more)
{
  static_assert(sizeof...(T) <= 15, "tsr_call: wrong number of arguments (takes 1 to 16)");
  const tsr_operand xs[] = {x.value, ::tessera::box(more)...};
  return ::tessera::checked(
      tsr_call_at(x.at.record("tsr_call"), f, static_cast<int>(sizeof...(T)) + 1, xs));
}

template <class... T>
tsr_status tsr_call_outputs(tsr_array *out, tsr_function f, ::tessera::operand x, const T &...more)
{
  static_assert(sizeof...(T) <= 15, "tsr_call_outputs: wrong number of arguments (takes 1 to 16)");
  const tsr_operand xs[] = {x.value, ::tessera::box(more)...};
  return ::tessera::checked(tsr_call_outputs_at(x.at.record("tsr_call_outputs"), out, f,
                                                static_cast<int>(sizeof...(T)) + 1, xs));
}

template <class... T>
tsr_status tsr_call_data(tsr_array *out, tsr_function f, const void *data, size_t n_bytes,
                         ::tessera::operand x, const T &...more)
{
  static_assert(sizeof...(T) <= 15, "tsr_call_data: wrong number of arguments (takes 1 to 16)");
  const tsr_operand xs[] = {x.value, ::tessera::box(more)...};
  return ::tessera::checked(tsr_call_data_at(x.at.record("tsr_call_data"), out, f, data, n_bytes,
                                             static_cast<int>(sizeof...(T)) + 1, xs));
}

template <class... T>
[[nodiscard]] tsr_array tsr_call_axes(tsr_function f, ::tessera::axes_arg axes, bool keepdims,
                                      ::tessera::operand x, const T &...more)
{
  static_assert(sizeof...(T) <= 15, "tsr_call_axes: wrong number of arguments (takes 1 to 16)");
  const tsr_operand xs[] = {x.value, ::tessera::box(more)...};
  return ::tessera::checked(tsr_call_axes_at(x.at.record("tsr_call_axes"), f, axes.value, keepdims,
                                             static_cast<int>(sizeof...(T)) + 1, xs));
}

#else

#define TSR__AS_kernel_elementwise(id, op, text, ...)                                              \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 4, 4 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const char *id##_name = (TSR__OR1(0, __VA_ARGS__));                                            \
    const char *id##_inputs = (TSR__OR2(0, __VA_ARGS__));                                          \
    const char *id##_outputs = (TSR__OR3(0, __VA_ARGS__));                                         \
    const char *id##_text = (TSR__OR4(0, __VA_ARGS__));                                            \
    op##_at(&id, id##_name, id##_inputs, id##_outputs, id##_text);                                 \
  })
#define tsr_kernel_elementwise(...)                                                                \
  TSR__DO(TSR__AS_kernel_elementwise, tsr_kernel_elementwise,                                      \
          #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_kernel_reduction(id, op, text, ...)                                                \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 7, 7 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const char *id##_name = (TSR__OR1(0, __VA_ARGS__));                                            \
    const char *id##_inputs = (TSR__OR2(0, __VA_ARGS__));                                          \
    const char *id##_output = (TSR__OR3(0, __VA_ARGS__));                                          \
    const char *id##_map = (TSR__OR4(0, __VA_ARGS__));                                             \
    const char *id##_combine = (TSR__OR5(0, __VA_ARGS__));                                         \
    const char *id##_finish = (TSR__OR6(0, __VA_ARGS__));                                          \
    const tsr_operand id##_identity = TSR__BOX((TSR__OR7(0, __VA_ARGS__)));                        \
    op##_at(&id, id##_name, id##_inputs, id##_output, id##_map, id##_combine, id##_finish,         \
            id##_identity);                                                                        \
  })
#define tsr_kernel_reduction(...)                                                                  \
  TSR__DO(TSR__AS_kernel_reduction, tsr_kernel_reduction, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_task(id, op, text, ...)                                                            \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 4, 4 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const char *id##_name = (TSR__OR1(0, __VA_ARGS__));                                            \
    const char *id##_inputs = (TSR__OR2(0, __VA_ARGS__));                                          \
    const char *id##_outputs = (TSR__OR3(0, __VA_ARGS__));                                         \
    const tsr_task_function id##_function = (TSR__OR4(0, __VA_ARGS__));                            \
    op##_at(&id, id##_name, id##_inputs, id##_outputs, id##_function);                             \
  })
#define tsr_task(...) TSR__DO(TSR__AS_task, tsr_task, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_task_cuda(id, op, text, ...)                                                       \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 3, 3 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_function id##_task = (TSR__OR1((tsr_function){0}, __VA_ARGS__));                     \
    const char *id##_entry = (TSR__OR2(0, __VA_ARGS__));                                           \
    const char *id##_source = (TSR__OR3(0, __VA_ARGS__));                                          \
    op##_at(&id, id##_task, id##_entry, id##_source);                                              \
  })
#define tsr_task_cuda(...)                                                                         \
  TSR__DO(TSR__AS_task_cuda, tsr_task_cuda, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_kernel_raw(id, op, text, ...)                                                      \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 4, 4 __VA_OPT__(, ) __VA_ARGS__);                                         \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_function id##_task = (TSR__OR1((tsr_function){0}, __VA_ARGS__));                     \
    const char *id##_entry = (TSR__OR2(0, __VA_ARGS__));                                           \
    const char *id##_source = (TSR__OR3(0, __VA_ARGS__));                                          \
    const tsr_dims id##_tile = TSR__DIMS_OF((TSR__OR4(0, __VA_ARGS__)));                           \
    op##_at(&id, id##_task, id##_entry, id##_source, id##_tile);                                   \
  })
#define tsr_kernel_raw(...)                                                                        \
  TSR__DO(TSR__AS_kernel_raw, tsr_kernel_raw, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_call(id, op, text, f, ...)                                                         \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 16 __VA_OPT__(, ) __VA_ARGS__);                                        \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_function id##_f = (f);                                                               \
    tsr_operand id##_xs[TSR__COUNT(__VA_ARGS__) + !TSR__COUNT(__VA_ARGS__)];                       \
    TSR__BOXES(id##_xs __VA_OPT__(, ) __VA_ARGS__)                                                 \
    op##_at(&id, id##_f, TSR__COUNT(__VA_ARGS__), id##_xs);                                        \
  }))
#define tsr_call(f, ...)                                                                           \
  TSR__DO(TSR__AS_call, tsr_call, #f ", " #__VA_ARGS__, f __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_call_outputs(id, op, text, out, f, ...)                                            \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 1, 16 __VA_OPT__(, ) __VA_ARGS__);                                        \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_array *id##_out = (out);                                                                   \
    const tsr_function id##_f = (f);                                                               \
    tsr_operand id##_xs[TSR__COUNT(__VA_ARGS__) + !TSR__COUNT(__VA_ARGS__)];                       \
    TSR__BOXES(id##_xs __VA_OPT__(, ) __VA_ARGS__)                                                 \
    op##_at(&id, id##_out, id##_f, TSR__COUNT(__VA_ARGS__), id##_xs);                              \
  })
#define tsr_call_outputs(out, f, ...)                                                              \
  TSR__DO(TSR__AS_call_outputs, tsr_call_outputs, #out ", " #f ", " #__VA_ARGS__, out,             \
          f __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_call_data(id, op, text, out, f, data, n_bytes, ...)                                \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 1, 16 __VA_OPT__(, ) __VA_ARGS__);                                        \
    TSR__SITE(id, #op, text);                                                                      \
    tsr_array *id##_out = (out);                                                                   \
    const tsr_function id##_f = (f);                                                               \
    const void *id##_data = (data);                                                                \
    const size_t id##_n_bytes = (n_bytes);                                                         \
    tsr_operand id##_xs[TSR__COUNT(__VA_ARGS__) + !TSR__COUNT(__VA_ARGS__)];                       \
    TSR__BOXES(id##_xs __VA_OPT__(, ) __VA_ARGS__)                                                 \
    op##_at(&id, id##_out, id##_f, id##_data, id##_n_bytes, TSR__COUNT(__VA_ARGS__), id##_xs);     \
  })
#define tsr_call_data(out, f, data, n_bytes, ...)                                                  \
  TSR__DO(TSR__AS_call_data, tsr_call_data,                                                        \
          #out ", " #f ", " #data ", " #n_bytes ", " #__VA_ARGS__, out, f, data,                   \
          n_bytes __VA_OPT__(, ) __VA_ARGS__)
#define TSR__AS_call_axes(id, op, text, f, axes, keepdims, ...)                                    \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(op, 1, 16 __VA_OPT__(, ) __VA_ARGS__);                                        \
    TSR__SITE(id, #op, text);                                                                      \
    const tsr_function id##_f = (f);                                                               \
    const tsr_axes id##_axes = TSR__AXES_OF((axes));                                               \
    const bool id##_keepdims = (keepdims);                                                         \
    tsr_operand id##_xs[TSR__COUNT(__VA_ARGS__) + !TSR__COUNT(__VA_ARGS__)];                       \
    TSR__BOXES(id##_xs __VA_OPT__(, ) __VA_ARGS__)                                                 \
    op##_at(&id, id##_f, id##_axes, id##_keepdims, TSR__COUNT(__VA_ARGS__), id##_xs);              \
  }))
#define tsr_call_axes(f, axes, keepdims, ...)                                                      \
  TSR__DO(TSR__AS_call_axes, tsr_call_axes, #f ", " #axes ", " #keepdims ", " #__VA_ARGS__, f,     \
          axes, keepdims __VA_OPT__(, ) __VA_ARGS__)

#endif

#endif
