// The kernels of bench/gpu_kernels.c as one would write them by hand: products and sums may be contracted. They
// are compiled by NVRTC. An argument block: addresses of up to five buffers, then from the ninth word on
// the points along each axis, the outer one first; stencils have a border of one point.
struct words { long long at[16]; };
#define KERNEL(name) extern "C" __global__ void __launch_bounds__(256) name(const __grid_constant__ words w)
#define IN(k) ((const double *__restrict__)w.at[k])
#define OUT(k) ((double *__restrict__)w.at[k])

// A thread has a vector of two.
KERNEL(triad)
{
  const long long i = ((long long)blockIdx.x * 256 + threadIdx.x) * 2;
  if (i >= w.at[8]) return;
  const double2 b = *(const double2 *)(IN(0) + i), c = *(const double2 *)(IN(1) + i);
  *(double2 *)(OUT(2) + i) = make_double2(b.x + 3 * c.x, b.y + 3 * c.y);
}

KERNEL(product_sum)
{
  const long long i = ((long long)blockIdx.x * 256 + threadIdx.x) * 2;
  if (i >= w.at[8]) return;
  const double2 a = *(const double2 *)(IN(0) + i), b = *(const double2 *)(IN(1) + i),
                c = *(const double2 *)(IN(2) + i);
  *(double2 *)(OUT(3) + i) = make_double2(a.x * b.x + c.x - 0.5 * a.x, a.y * b.y + c.y - 0.5 * a.y);
}

static __device__ double ten(double x)
{
  for (int i = 0; i < 5; i++) x = x * 1.000001 + 1e-6;
  return x;
}

KERNEL(chain_of_ten)
{
  const long long i = ((long long)blockIdx.x * 256 + threadIdx.x) * 2;
  if (i >= w.at[8]) return;
  const double2 a = *(const double2 *)(IN(0) + i);
  *(double2 *)(OUT(1) + i) = make_double2(ten(a.x), ten(a.y));
}

// A column of four rows in registers: a block of 64 columns of threads of two points, 16 rows.
template <int WIDTH, int HEIGHT, int ROWS> static __device__ void five(const words &w)
{
  const int n = (int)w.at[9], whole = n + 2, lane = threadIdx.x % WIDTH;
  const int row_0 = (blockIdx.y * HEIGHT + threadIdx.x / WIDTH) * ROWS;
  const double *x = IN(0);
  double *y = OUT(1);
  for (int p = 0; p < 2; p++) {
    const int j = (blockIdx.x * 2 + p) * WIDTH + lane;
    if (j >= n) continue;
    const long long at = (long long)(row_0 + 1) * whole + j + 1;
    double up = x[at - whole], mid = x[at];
    for (int r = 0; r < ROWS && row_0 + r < w.at[8]; r++) {
      const long long here = at + (long long)r * whole;
      const double down = x[here + whole];
      y[here] = 0.2 * (mid + up + x[here + 1] + x[here - 1] + down);
      up = mid;
      mid = down;
    }
  }
}
KERNEL(five_point_rows) { five<64, 4, 4>(w); }
KERNEL(five_point_tile) { five<32, 8, 8>(w); }

// A column along the middle axis in registers.
template <int WIDTH, int HEIGHT, int ROWS> static __device__ void seven(const words &w)
{
  const int n2 = (int)w.at[10], n1 = (int)w.at[9], n0 = (int)w.at[8], lane = threadIdx.x % WIDTH;
  const long long row = n2 + 2, plane = row * (n1 + 2);
  const int groups = (n1 + ROWS - 1) / ROWS;
  const double *x = IN(0);
  double *y = OUT(1);
  for (int g = blockIdx.y * HEIGHT + threadIdx.x / WIDTH; g < groups * n0; g += gridDim.y * HEIGHT) {
    const int k = g / groups, i_0 = g % groups * ROWS;
    for (int p = 0; p < 2; p++) {
      const int j = (blockIdx.x * 2 + p) * WIDTH + lane;
      if (j >= n2) continue;
      const long long at = (k + 1) * plane + (i_0 + 1) * row + j + 1;
      double up = x[at - row], mid = x[at];
      for (int r = 0; r < ROWS && i_0 + r < n1; r++) {
        const long long here = at + r * row;
        const double down = x[here + row];
        y[here] = mid + 0.1 * (x[here - plane] + x[here + plane] + up + down + x[here - 1] + x[here + 1] - 6 * mid);
        up = mid;
        mid = down;
      }
    }
  }
}
KERNEL(seven_point_rows) { seven<64, 4, 4>(w); }
KERNEL(seven_point_tile) { seven<32, 8, 8>(w); }

template <int WIDTH, int HEIGHT, int ROWS> static __device__ void scott(const words &w)
{
  const int n = (int)w.at[9], whole = n + 2, lane = threadIdx.x % WIDTH;
  const int row_0 = (blockIdx.y * HEIGHT + threadIdx.x / WIDTH) * ROWS;
  const double *u = IN(0), *v = IN(1);
  double *to_u = OUT(2), *to_v = OUT(3);
  for (int p = 0; p < 2; p++) {
    const int j = (blockIdx.x * 2 + p) * WIDTH + lane;
    if (j >= n) continue;
    const long long at = (long long)(row_0 + 1) * whole + j + 1;
    double u_up = u[at - whole], u_mid = u[at], v_up = v[at - whole], v_mid = v[at];
    for (int r = 0; r < ROWS && row_0 + r < w.at[8]; r++) {
      const long long here = at + (long long)r * whole;
      const double u_down = u[here + whole], v_down = v[here + whole];
      const double lu = u_up + u_down + u[here - 1] + u[here + 1] - 4 * u_mid;
      const double lv = v_up + v_down + v[here - 1] + v[here + 1] - 4 * v_mid;
      const double uvv = u_mid * v_mid * v_mid;
      to_u[here] = u_mid + (0.16 * lu - (uvv + 0.035 * u_mid));
      to_v[here] = v_mid + (0.16 * lv + uvv - 0.035 * v_mid);
      u_up = u_mid, u_mid = u_down, v_up = v_mid, v_mid = v_down;
    }
  }
}
KERNEL(gray_scott_rows) { scott<64, 4, 4>(w); }
KERNEL(gray_scott_tile) { scott<32, 8, 8>(w); }

KERNEL(options_price)
{
  for (int p = 0; p < 2; p++) {
    const long long i = ((long long)blockIdx.x * 2 + p) * 256 + threadIdx.x;
    if (i >= w.at[8]) return;
    const double s = IN(0)[i], x = IN(1)[i], t = IN(2)[i];
    const double root = 0.3 * sqrt(t), d1 = (log(s / x) + 0.02 * t) / root, d2 = d1 - root;
    const double c1 = 0.5 + 0.5 * erf(d1), c2 = 0.5 + 0.5 * erf(d2), e = x * exp(-0.02 * t);
    const double call = s * c1 - e * c2;
    OUT(3)[i] = call;
    OUT(4)[i] = call + (e - s);
  }
}
