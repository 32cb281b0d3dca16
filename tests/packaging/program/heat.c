/* A program outside the tree: needs only what is installed. */
#include <tessera.h>

int main(int argc, char **argv)
{
  tsr_init(&argc, &argv);
  tsr_array u = tsr_zeros(TSR_SHAPE(300, 200));
  tsr_assign(tsr_slice(u, "0, :"), 40.0);
  for (int i = 0; i < 20; i++)
    tsr_exec("u[1:-1,1:-1] = 0.25 * (u[:-2,1:-1] + u[1:-1,2:] + u[1:-1,:-2] + u[2:,1:-1])", u);
  tsr_printf("ranks %d mean %.17g\n", tsr_n_ranks(), tsr_item_f64(tsr_mean(u)));
  return tsr_finalize();
}
