/* A program for gdb to look into: arrays of several kinds, a scope, operations that wait. */
#include "tessera.h"

void look_here(tsr_array x, tsr_array view, tsr_array recipe, tsr_array none);

/* Where the debugger stops. */
__attribute__((noinline)) void look_here(tsr_array x, tsr_array view, tsr_array recipe,
                                         tsr_array none)
{
  __asm__ volatile("" : : "r"(x.id), "r"(view.id), "r"(recipe.id), "r"(none.id) : "memory");
}

int main(int argc, char **argv)
{
  tsr_init(&argc, &argv);
  tsr_array x = tsr_zeros(TSR_SHAPE(40, 30), TSR_FLOAT32), view = tsr_slice(x, "1:-1, 0");
  tsr_array half = tsr_full(TSR_SHAPE(3), 0.5, TSR_FLOAT16);
  tsr_array plane = tsr_zeros(TSR_SHAPE(2, 2), TSR_COMPLEX128);
  tsr_array bytes = tsr_zeros(TSR_SHAPE(5), TSR_UINT8);
  tsr_flush();
  {
    TSR_SCOPE();
    tsr_array recipe = tsr_multiply(tsr_add(view, 1.0), 2.0);
    tsr_assign(x, 3.0);
    tsr_array sum = tsr_sum(recipe), index = tsr_arange(0, 3, 1);
    (void)sum, (void)index;
    look_here(x, view, recipe, tsr_null());
  }
  tsr_release(&half);
  tsr_release(&plane);
  tsr_release(&bytes);
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
