/* The same from C++17. */
#include <tessera.h>

int main(int argc, char **argv)
{
  tsr_init(&argc, &argv);
  tsr_array u = tsr_zeros(TSR_SHAPE(300, 200));
  tsr_assign(tsr_slice(u, "0, :"), 40.0);
  tsr_array c = tsr_slice(u, "1:-1, 1:-1"), n = tsr_slice(u, ":-2, 1:-1"),
            s = tsr_slice(u, "2:, 1:-1"), w = tsr_slice(u, "1:-1, :-2"),
            e = tsr_slice(u, "1:-1, 2:");
  for (int i = 0; i < 20; i++) tsr_assign(c, 0.25 * (n + e + w + s));
  tsr_printf("ranks %d mean %.17g\n", tsr_n_ranks(), tsr_item_f64(tsr_mean(u)));
  return tsr_finalize();
}
