! Written by tools/api.py --write from tools/api.table; a test compares.
! Written by hand is what stands in fortran/tessera.f90.in; the rest follows the table.
!
! The Fortran module of Tessera. A function has its name in C: tsr_sum, tsr_sqrt. A tsr_array is a handle, as in C: `=`
! gives a variable another array, `call tsr_assign(u, x)` writes into the one that is there, and what operators and
! functions give belongs to the innermost scope (tsr_block; tsr_scope_open, tsr_scope_close). An operand is an array or a number.
! Axes and the text of slices count from 0, as in C; tsr_section(u, [2, 1], [n - 1, m]) is Fortran's u(2:n-1, 1:m). A
! Fortran array a(nx, ny) becomes an array of shape (nx, ny) with the same element at the same place, one less each.
! A call that fails ends the job, or gives its `status` after tsr_set_error_mode(tsr_errors_return).
!
! A module's file is of one compiler: compile this source with the program's own.
module tessera
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_quiet_nan
  implicit none
  private

  type, public :: tsr_array
    integer(c_int64_t) :: id = 0
  end type
  type, public :: tsr_function
    integer(c_int64_t) :: id = 0
  end type
  type, bind(c), public :: tsr_rng
    integer(c_int64_t) :: seed, n_draws
  end type
  type, bind(c), public :: tsr_scope
    private
    integer(c_int64_t) :: context, serial
    integer(c_int) :: depth
    type(c_ptr) :: where
  end type
  ! A scope that ends with the BLOCK or the procedure that declares it, however that is left:
  !   block
  !     type(tsr_block) :: scope
  !     call scope%open()
  type, public :: tsr_block
    private
    type(tsr_scope) :: scope = tsr_scope(0, 0, 0, c_null_ptr)
  contains
    procedure :: open => block_open
    final :: block_close
  end type

  integer, parameter, public :: tsr_max_ndim = 8
  ! C's tsr_task_argument, tsr_task_box (tessera/task.h) and tsr_local_tile (tessera/assign.h): shape(1) is of axis 0.
  type, bind(c), public :: tsr_task_argument
    type(c_ptr) :: data
    integer(c_int) :: dtype, ndim
    integer(c_int64_t), dimension(tsr_max_ndim) :: shape, stride_bytes, before, after
  end type
  type, bind(c), public :: tsr_task_box
    integer(c_int) :: ndim
    integer(c_int64_t), dimension(tsr_max_ndim) :: shape, offset, domain
    integer(c_int) :: n_in, n_out
    type(c_ptr) :: in, out, data
    integer(c_size_t) :: data_bytes
  end type
  type, bind(c), public :: tsr_local_tile
    integer(c_int) :: ndim
    integer(c_int64_t), dimension(tsr_max_ndim) :: lo, n, stride_bytes
    type(c_ptr) :: data
    integer(c_int) :: dtype
    logical(c_bool) :: writable
    integer(c_int64_t) :: of, device
    type(c_ptr) :: stream
    integer(c_int64_t) :: reserved(2)
  end type

  ! How a Fortran pointer of up to three axes reaches the elements of an argument: bounds(f) of an array of axes `across`
  ! that begins at `start`, from first(f) to last(f) by step(f).
  type :: place
    logical :: ok
    type(c_ptr) :: start
    integer(int64), dimension(3) :: across, first, last, step, bounds
  end type

  integer, parameter, public :: tsr_bool = 0, tsr_int32 = 1, tsr_int64 = 2, tsr_float32 = 3, tsr_float64 = 4, &
    tsr_int8 = 5, tsr_int16 = 6, tsr_uint8 = 7, tsr_uint16 = 8, tsr_uint32 = 9, tsr_uint64 = 10, tsr_float16 = 11, &
    tsr_complex64 = 12, tsr_complex128 = 13
  integer, parameter, public :: tsr_errors_abort = 0, tsr_errors_return = 1
  integer, parameter, public :: tsr_ok = 0
  integer, parameter, public :: tsr_viridis = 0, tsr_grey = 1, tsr_diverging = 2

  integer, parameter :: dtype_like = -1, only_axis = -huge(0) - 1, max_ndim = tsr_max_ndim, n_drawing = 6, n_padding = 2
  integer(int64), parameter :: square = -huge(0_int64) - 1
  character(kind=c_char), parameter :: nul = c_null_char

  ! C's tsr_operand, tsr_dims, tsr_axes, tsr_drawing, tsr_padding, tsr_arrays, tsr_slice_item.
  type, bind(c) :: operand
    integer(c_int32_t) :: kind
    integer(c_int64_t) :: bits(2)
  end type
  type, bind(c) :: dims
    integer(c_int) :: ndim
    integer(c_int64_t) :: n(max_ndim)
  end type
  type, bind(c) :: axes_list
    integer(c_int) :: n, axis(max_ndim)
    logical(c_bool) :: keepdims, has_ddof, has_ord, has_where, has_initial, has_dtype
    integer(c_int8_t) :: dtype
    logical(c_bool) :: has_weights
    real(c_double) :: ord, ddof
    type(operand) :: where, initial
    type(c_ptr) :: method
  end type
  type, bind(c) :: drawing
    integer(c_int) :: kind
    real(c_double) :: number
    type(c_ptr) :: text
  end type
  type, bind(c) :: padding
    integer(c_int) :: kind
    type(c_ptr) :: text
    type(dims) :: before, after
  end type
  type, bind(c) :: array_list
    integer(c_int) :: n
    type(c_ptr) :: v
  end type
  type, bind(c) :: slice_item
    integer(c_int) :: kind
    logical(c_bool) :: has_start, has_stop, has_step
    integer(c_int64_t) :: start, stop, step
  end type

  character(kind=c_char, len=20), target, save :: n_scope = 'tsr_scope_open' // nul
  character(kind=c_char, len=20), target, save :: n_slice = 'tsr_slice' // nul
  character(kind=c_char, len=20), target, save :: n_section = 'tsr_section' // nul
  character(kind=c_char, len=20), target, save :: n_eval = 'tsr_eval' // nul
  character(kind=c_char, len=20), target, save :: n_exec = 'tsr_exec' // nul
  character(kind=c_char, len=20), target, save :: n_arange = 'tsr_arange' // nul
  character(kind=c_char, len=20), target, save :: n_to_host = 'tsr_to_host' // nul
  character(kind=c_char, len=20), target, save :: n_from_host = 'tsr_from_host' // nul
  character(kind=c_char, len=20), target, save :: n_release = 'tsr_release' // nul
  character(kind=c_char, len=20), target, save :: n_keep = 'tsr_keep' // nul
  character(kind=c_char, len=20), target, save :: n_hold = 'tsr_hold' // nul
  character(kind=c_char, len=20), target, save :: n_replace = 'tsr_replace' // nul
  character(kind=c_char, len=20), target, save :: n_local = 'tsr_local' // nul
  character(kind=c_char, len=20), target, save :: n_shape = 'tsr_shape' // nul
  character(kind=c_char, len=10), target, save :: n_flush = 'tsr_flush' // nul
  character(kind=c_char, len=12), target, save :: n_barrier = 'tsr_barrier' // nul
  character(kind=c_char, len=9), target, save :: n_time = 'tsr_time' // nul
  character(kind=c_char, len=10), target, save :: n_empty = 'tsr_empty' // nul
  character(kind=c_char, len=10), target, save :: n_zeros = 'tsr_zeros' // nul
  character(kind=c_char, len=9), target, save :: n_ones = 'tsr_ones' // nul
  character(kind=c_char, len=9), target, save :: n_full = 'tsr_full' // nul
  character(kind=c_char, len=9), target, save :: n_copy = 'tsr_copy' // nul
  character(kind=c_char, len=11), target, save :: n_astype = 'tsr_astype' // nul
  character(kind=c_char, len=9), target, save :: n_ndim = 'tsr_ndim' // nul
  character(kind=c_char, len=9), target, save :: n_size = 'tsr_size' // nul
  character(kind=c_char, len=13), target, save :: n_dtype_of = 'tsr_dtype_of' // nul
  character(kind=c_char, len=16), target, save :: n_result_type = 'tsr_result_type' // nul
  character(kind=c_char, len=14), target, save :: n_transpose = 'tsr_transpose' // nul
  character(kind=c_char, len=9), target, save :: n_flip = 'tsr_flip' // nul
  character(kind=c_char, len=17), target, save :: n_broadcast_to = 'tsr_broadcast_to' // nul
  character(kind=c_char, len=13), target, save :: n_diagonal = 'tsr_diagonal' // nul
  character(kind=c_char, len=16), target, save :: n_expand_dims = 'tsr_expand_dims' // nul
  character(kind=c_char, len=15), target, save :: n_empty_like = 'tsr_empty_like' // nul
  character(kind=c_char, len=15), target, save :: n_zeros_like = 'tsr_zeros_like' // nul
  character(kind=c_char, len=14), target, save :: n_ones_like = 'tsr_ones_like' // nul
  character(kind=c_char, len=14), target, save :: n_full_like = 'tsr_full_like' // nul
  character(kind=c_char, len=13), target, save :: n_linspace = 'tsr_linspace' // nul
  character(kind=c_char, len=13), target, save :: n_logspace = 'tsr_logspace' // nul
  character(kind=c_char, len=14), target, save :: n_geomspace = 'tsr_geomspace' // nul
  character(kind=c_char, len=8), target, save :: n_eye = 'tsr_eye' // nul
  character(kind=c_char, len=13), target, save :: n_identity = 'tsr_identity' // nul
  character(kind=c_char, len=8), target, save :: n_tri = 'tsr_tri' // nul
  character(kind=c_char, len=9), target, save :: n_tril = 'tsr_tril' // nul
  character(kind=c_char, len=9), target, save :: n_triu = 'tsr_triu' // nul
  character(kind=c_char, len=9), target, save :: n_diag = 'tsr_diag' // nul
  character(kind=c_char, len=12), target, save :: n_indices = 'tsr_indices' // nul
  character(kind=c_char, len=13), target, save :: n_meshgrid = 'tsr_meshgrid' // nul
  character(kind=c_char, len=12), target, save :: n_squeeze = 'tsr_squeeze' // nul
  character(kind=c_char, len=13), target, save :: n_moveaxis = 'tsr_moveaxis' // nul
  character(kind=c_char, len=13), target, save :: n_swapaxes = 'tsr_swapaxes' // nul
  character(kind=c_char, len=11), target, save :: n_flipud = 'tsr_flipud' // nul
  character(kind=c_char, len=11), target, save :: n_fliplr = 'tsr_fliplr' // nul
  character(kind=c_char, len=10), target, save :: n_rot90 = 'tsr_rot90' // nul
  character(kind=c_char, len=15), target, save :: n_atleast_1d = 'tsr_atleast_1d' // nul
  character(kind=c_char, len=15), target, save :: n_atleast_2d = 'tsr_atleast_2d' // nul
  character(kind=c_char, len=15), target, save :: n_atleast_3d = 'tsr_atleast_3d' // nul
  character(kind=c_char, len=21), target, save :: n_broadcast_arrays = 'tsr_broadcast_arrays' // nul
  character(kind=c_char, len=12), target, save :: n_reshape = 'tsr_reshape' // nul
  character(kind=c_char, len=10), target, save :: n_ravel = 'tsr_ravel' // nul
  character(kind=c_char, len=12), target, save :: n_flatten = 'tsr_flatten' // nul
  character(kind=c_char, len=9), target, save :: n_roll = 'tsr_roll' // nul
  character(kind=c_char, len=16), target, save :: n_concatenate = 'tsr_concatenate' // nul
  character(kind=c_char, len=10), target, save :: n_stack = 'tsr_stack' // nul
  character(kind=c_char, len=11), target, save :: n_vstack = 'tsr_vstack' // nul
  character(kind=c_char, len=11), target, save :: n_hstack = 'tsr_hstack' // nul
  character(kind=c_char, len=11), target, save :: n_dstack = 'tsr_dstack' // nul
  character(kind=c_char, len=17), target, save :: n_column_stack = 'tsr_column_stack' // nul
  character(kind=c_char, len=10), target, save :: n_split = 'tsr_split' // nul
  character(kind=c_char, len=16), target, save :: n_array_split = 'tsr_array_split' // nul
  character(kind=c_char, len=9), target, save :: n_tile = 'tsr_tile' // nul
  character(kind=c_char, len=11), target, save :: n_repeat = 'tsr_repeat' // nul
  character(kind=c_char, len=8), target, save :: n_pad = 'tsr_pad' // nul
  character(kind=c_char, len=13), target, save :: n_allclose = 'tsr_allclose' // nul
  character(kind=c_char, len=18), target, save :: n_shares_memory = 'tsr_shares_memory' // nul
  character(kind=c_char, len=21), target, save :: n_may_share_memory = 'tsr_may_share_memory' // nul
  character(kind=c_char, len=16), target, save :: n_array_equal = 'tsr_array_equal' // nul
  character(kind=c_char, len=8), target, save :: n_add = 'tsr_add' // nul
  character(kind=c_char, len=13), target, save :: n_subtract = 'tsr_subtract' // nul
  character(kind=c_char, len=13), target, save :: n_multiply = 'tsr_multiply' // nul
  character(kind=c_char, len=11), target, save :: n_divide = 'tsr_divide' // nul
  character(kind=c_char, len=13), target, save :: n_negative = 'tsr_negative' // nul
  character(kind=c_char, len=13), target, save :: n_absolute = 'tsr_absolute' // nul
  character(kind=c_char, len=12), target, save :: n_minimum = 'tsr_minimum' // nul
  character(kind=c_char, len=12), target, save :: n_maximum = 'tsr_maximum' // nul
  character(kind=c_char, len=9), target, save :: n_sqrt = 'tsr_sqrt' // nul
  character(kind=c_char, len=11), target, save :: n_square = 'tsr_square' // nul
  character(kind=c_char, len=8), target, save :: n_exp = 'tsr_exp' // nul
  character(kind=c_char, len=10), target, save :: n_expm1 = 'tsr_expm1' // nul
  character(kind=c_char, len=8), target, save :: n_log = 'tsr_log' // nul
  character(kind=c_char, len=10), target, save :: n_log1p = 'tsr_log1p' // nul
  character(kind=c_char, len=9), target, save :: n_tanh = 'tsr_tanh' // nul
  character(kind=c_char, len=8), target, save :: n_erf = 'tsr_erf' // nul
  character(kind=c_char, len=9), target, save :: n_erfc = 'tsr_erfc' // nul
  character(kind=c_char, len=8), target, save :: n_sin = 'tsr_sin' // nul
  character(kind=c_char, len=8), target, save :: n_cos = 'tsr_cos' // nul
  character(kind=c_char, len=10), target, save :: n_power = 'tsr_power' // nul
  character(kind=c_char, len=10), target, save :: n_hypot = 'tsr_hypot' // nul
  character(kind=c_char, len=10), target, save :: n_equal = 'tsr_equal' // nul
  character(kind=c_char, len=14), target, save :: n_not_equal = 'tsr_not_equal' // nul
  character(kind=c_char, len=9), target, save :: n_less = 'tsr_less' // nul
  character(kind=c_char, len=15), target, save :: n_less_equal = 'tsr_less_equal' // nul
  character(kind=c_char, len=12), target, save :: n_greater = 'tsr_greater' // nul
  character(kind=c_char, len=18), target, save :: n_greater_equal = 'tsr_greater_equal' // nul
  character(kind=c_char, len=16), target, save :: n_logical_and = 'tsr_logical_and' // nul
  character(kind=c_char, len=15), target, save :: n_logical_or = 'tsr_logical_or' // nul
  character(kind=c_char, len=16), target, save :: n_logical_xor = 'tsr_logical_xor' // nul
  character(kind=c_char, len=16), target, save :: n_logical_not = 'tsr_logical_not' // nul
  character(kind=c_char, len=10), target, save :: n_where = 'tsr_where' // nul
  character(kind=c_char, len=13), target, save :: n_positive = 'tsr_positive' // nul
  character(kind=c_char, len=9), target, save :: n_sign = 'tsr_sign' // nul
  character(kind=c_char, len=15), target, save :: n_reciprocal = 'tsr_reciprocal' // nul
  character(kind=c_char, len=17), target, save :: n_floor_divide = 'tsr_floor_divide' // nul
  character(kind=c_char, len=14), target, save :: n_remainder = 'tsr_remainder' // nul
  character(kind=c_char, len=9), target, save :: n_fmod = 'tsr_fmod' // nul
  character(kind=c_char, len=9), target, save :: n_fmin = 'tsr_fmin' // nul
  character(kind=c_char, len=9), target, save :: n_fmax = 'tsr_fmax' // nul
  character(kind=c_char, len=9), target, save :: n_clip = 'tsr_clip' // nul
  character(kind=c_char, len=10), target, save :: n_floor = 'tsr_floor' // nul
  character(kind=c_char, len=9), target, save :: n_ceil = 'tsr_ceil' // nul
  character(kind=c_char, len=10), target, save :: n_trunc = 'tsr_trunc' // nul
  character(kind=c_char, len=9), target, save :: n_rint = 'tsr_rint' // nul
  character(kind=c_char, len=10), target, save :: n_isnan = 'tsr_isnan' // nul
  character(kind=c_char, len=10), target, save :: n_isinf = 'tsr_isinf' // nul
  character(kind=c_char, len=13), target, save :: n_isfinite = 'tsr_isfinite' // nul
  character(kind=c_char, len=12), target, save :: n_signbit = 'tsr_signbit' // nul
  character(kind=c_char, len=13), target, save :: n_copysign = 'tsr_copysign' // nul
  character(kind=c_char, len=14), target, save :: n_nextafter = 'tsr_nextafter' // nul
  character(kind=c_char, len=10), target, save :: n_ldexp = 'tsr_ldexp' // nul
  character(kind=c_char, len=19), target, save :: n_frexp_mantissa = 'tsr_frexp_mantissa' // nul
  character(kind=c_char, len=19), target, save :: n_frexp_exponent = 'tsr_frexp_exponent' // nul
  character(kind=c_char, len=14), target, save :: n_heaviside = 'tsr_heaviside' // nul
  character(kind=c_char, len=9), target, save :: n_exp2 = 'tsr_exp2' // nul
  character(kind=c_char, len=9), target, save :: n_log2 = 'tsr_log2' // nul
  character(kind=c_char, len=10), target, save :: n_log10 = 'tsr_log10' // nul
  character(kind=c_char, len=9), target, save :: n_cbrt = 'tsr_cbrt' // nul
  character(kind=c_char, len=14), target, save :: n_logaddexp = 'tsr_logaddexp' // nul
  character(kind=c_char, len=8), target, save :: n_tan = 'tsr_tan' // nul
  character(kind=c_char, len=11), target, save :: n_arcsin = 'tsr_arcsin' // nul
  character(kind=c_char, len=11), target, save :: n_arccos = 'tsr_arccos' // nul
  character(kind=c_char, len=11), target, save :: n_arctan = 'tsr_arctan' // nul
  character(kind=c_char, len=12), target, save :: n_arctan2 = 'tsr_arctan2' // nul
  character(kind=c_char, len=9), target, save :: n_sinh = 'tsr_sinh' // nul
  character(kind=c_char, len=9), target, save :: n_cosh = 'tsr_cosh' // nul
  character(kind=c_char, len=12), target, save :: n_arcsinh = 'tsr_arcsinh' // nul
  character(kind=c_char, len=12), target, save :: n_arccosh = 'tsr_arccosh' // nul
  character(kind=c_char, len=12), target, save :: n_arctanh = 'tsr_arctanh' // nul
  character(kind=c_char, len=10), target, save :: n_gamma = 'tsr_gamma' // nul
  character(kind=c_char, len=11), target, save :: n_lgamma = 'tsr_lgamma' // nul
  character(kind=c_char, len=12), target, save :: n_deg2rad = 'tsr_deg2rad' // nul
  character(kind=c_char, len=12), target, save :: n_rad2deg = 'tsr_rad2deg' // nul
  character(kind=c_char, len=9), target, save :: n_sinc = 'tsr_sinc' // nul
  character(kind=c_char, len=16), target, save :: n_bitwise_and = 'tsr_bitwise_and' // nul
  character(kind=c_char, len=15), target, save :: n_bitwise_or = 'tsr_bitwise_or' // nul
  character(kind=c_char, len=16), target, save :: n_bitwise_xor = 'tsr_bitwise_xor' // nul
  character(kind=c_char, len=11), target, save :: n_invert = 'tsr_invert' // nul
  character(kind=c_char, len=15), target, save :: n_left_shift = 'tsr_left_shift' // nul
  character(kind=c_char, len=16), target, save :: n_right_shift = 'tsr_right_shift' // nul
  character(kind=c_char, len=8), target, save :: n_gcd = 'tsr_gcd' // nul
  character(kind=c_char, len=8), target, save :: n_lcm = 'tsr_lcm' // nul
  character(kind=c_char, len=9), target, save :: n_real = 'tsr_real' // nul
  character(kind=c_char, len=9), target, save :: n_imag = 'tsr_imag' // nul
  character(kind=c_char, len=9), target, save :: n_conj = 'tsr_conj' // nul
  character(kind=c_char, len=12), target, save :: n_complex = 'tsr_complex' // nul
  character(kind=c_char, len=12), target, save :: n_isclose = 'tsr_isclose' // nul
  character(kind=c_char, len=10), target, save :: n_round = 'tsr_round' // nul
  character(kind=c_char, len=10), target, save :: n_angle = 'tsr_angle' // nul
  character(kind=c_char, len=15), target, save :: n_logaddexp2 = 'tsr_logaddexp2' // nul
  character(kind=c_char, len=16), target, save :: n_float_power = 'tsr_float_power' // nul
  character(kind=c_char, len=11), target, save :: n_divmod = 'tsr_divmod' // nul
  character(kind=c_char, len=10), target, save :: n_frexp = 'tsr_frexp' // nul
  character(kind=c_char, len=9), target, save :: n_modf = 'tsr_modf' // nul
  character(kind=c_char, len=8), target, save :: n_sum = 'tsr_sum' // nul
  character(kind=c_char, len=9), target, save :: n_prod = 'tsr_prod' // nul
  character(kind=c_char, len=8), target, save :: n_min = 'tsr_min' // nul
  character(kind=c_char, len=8), target, save :: n_max = 'tsr_max' // nul
  character(kind=c_char, len=9), target, save :: n_mean = 'tsr_mean' // nul
  character(kind=c_char, len=8), target, save :: n_any = 'tsr_any' // nul
  character(kind=c_char, len=8), target, save :: n_all = 'tsr_all' // nul
  character(kind=c_char, len=11), target, save :: n_argmin = 'tsr_argmin' // nul
  character(kind=c_char, len=11), target, save :: n_argmax = 'tsr_argmax' // nul
  character(kind=c_char, len=16), target, save :: n_rng_uniform = 'tsr_rng_uniform' // nul
  character(kind=c_char, len=15), target, save :: n_rng_normal = 'tsr_rng_normal' // nul
  character(kind=c_char, len=20), target, save :: n_rng_exponential = 'tsr_rng_exponential' // nul
  character(kind=c_char, len=17), target, save :: n_rng_integers = 'tsr_rng_integers' // nul
  character(kind=c_char, len=20), target, save :: n_rng_permutation = 'tsr_rng_permutation' // nul
  character(kind=c_char, len=16), target, save :: n_rng_shuffle = 'tsr_rng_shuffle' // nul
  character(kind=c_char, len=15), target, save :: n_rng_choice = 'tsr_rng_choice' // nul
  character(kind=c_char, len=18), target, save :: n_count_nonzero = 'tsr_count_nonzero' // nul
  character(kind=c_char, len=8), target, save :: n_ptp = 'tsr_ptp' // nul
  character(kind=c_char, len=8), target, save :: n_var = 'tsr_var' // nul
  character(kind=c_char, len=8), target, save :: n_std = 'tsr_std' // nul
  character(kind=c_char, len=11), target, save :: n_nansum = 'tsr_nansum' // nul
  character(kind=c_char, len=12), target, save :: n_nanprod = 'tsr_nanprod' // nul
  character(kind=c_char, len=11), target, save :: n_nanmin = 'tsr_nanmin' // nul
  character(kind=c_char, len=11), target, save :: n_nanmax = 'tsr_nanmax' // nul
  character(kind=c_char, len=12), target, save :: n_nanmean = 'tsr_nanmean' // nul
  character(kind=c_char, len=11), target, save :: n_nanvar = 'tsr_nanvar' // nul
  character(kind=c_char, len=11), target, save :: n_nanstd = 'tsr_nanstd' // nul
  character(kind=c_char, len=14), target, save :: n_nanargmin = 'tsr_nanargmin' // nul
  character(kind=c_char, len=14), target, save :: n_nanargmax = 'tsr_nanargmax' // nul
  character(kind=c_char, len=9), target, save :: n_norm = 'tsr_norm' // nul
  character(kind=c_char, len=12), target, save :: n_average = 'tsr_average' // nul
  character(kind=c_char, len=11), target, save :: n_median = 'tsr_median' // nul
  character(kind=c_char, len=13), target, save :: n_quantile = 'tsr_quantile' // nul
  character(kind=c_char, len=15), target, save :: n_percentile = 'tsr_percentile' // nul
  character(kind=c_char, len=14), target, save :: n_nanmedian = 'tsr_nanmedian' // nul
  character(kind=c_char, len=16), target, save :: n_nanquantile = 'tsr_nanquantile' // nul
  character(kind=c_char, len=18), target, save :: n_nanpercentile = 'tsr_nanpercentile' // nul
  character(kind=c_char, len=11), target, save :: n_cumsum = 'tsr_cumsum' // nul
  character(kind=c_char, len=12), target, save :: n_cumprod = 'tsr_cumprod' // nul
  character(kind=c_char, len=11), target, save :: n_cummax = 'tsr_cummax' // nul
  character(kind=c_char, len=11), target, save :: n_cummin = 'tsr_cummin' // nul
  character(kind=c_char, len=9), target, save :: n_diff = 'tsr_diff' // nul
  character(kind=c_char, len=14), target, save :: n_trapezoid = 'tsr_trapezoid' // nul
  character(kind=c_char, len=10), target, save :: n_inner = 'tsr_inner' // nul
  character(kind=c_char, len=8), target, save :: n_dot = 'tsr_dot' // nul
  character(kind=c_char, len=9), target, save :: n_vdot = 'tsr_vdot' // nul
  character(kind=c_char, len=10), target, save :: n_outer = 'tsr_outer' // nul
  character(kind=c_char, len=11), target, save :: n_vecdot = 'tsr_vecdot' // nul
  character(kind=c_char, len=10), target, save :: n_cross = 'tsr_cross' // nul
  character(kind=c_char, len=9), target, save :: n_kron = 'tsr_kron' // nul
  character(kind=c_char, len=10), target, save :: n_trace = 'tsr_trace' // nul
  character(kind=c_char, len=17), target, save :: n_ufunc_reduce = 'tsr_ufunc_reduce' // nul
  character(kind=c_char, len=21), target, save :: n_ufunc_accumulate = 'tsr_ufunc_accumulate' // nul
  character(kind=c_char, len=16), target, save :: n_ufunc_outer = 'tsr_ufunc_outer' // nul
  character(kind=c_char, len=11), target, save :: n_matmul = 'tsr_matmul' // nul
  character(kind=c_char, len=16), target, save :: n_matmul_into = 'tsr_matmul_into' // nul
  character(kind=c_char, len=11), target, save :: n_einsum = 'tsr_einsum' // nul
  character(kind=c_char, len=11), target, save :: n_assign = 'tsr_assign' // nul
  character(kind=c_char, len=9), target, save :: n_iadd = 'tsr_iadd' // nul
  character(kind=c_char, len=9), target, save :: n_isub = 'tsr_isub' // nul
  character(kind=c_char, len=9), target, save :: n_imul = 'tsr_imul' // nul
  character(kind=c_char, len=9), target, save :: n_idiv = 'tsr_idiv' // nul
  character(kind=c_char, len=14), target, save :: n_ifloordiv = 'tsr_ifloordiv' // nul
  character(kind=c_char, len=9), target, save :: n_imod = 'tsr_imod' // nul
  character(kind=c_char, len=9), target, save :: n_ipow = 'tsr_ipow' // nul
  character(kind=c_char, len=9), target, save :: n_iand = 'tsr_iand' // nul
  character(kind=c_char, len=8), target, save :: n_ior = 'tsr_ior' // nul
  character(kind=c_char, len=9), target, save :: n_ixor = 'tsr_ixor' // nul
  character(kind=c_char, len=12), target, save :: n_ilshift = 'tsr_ilshift' // nul
  character(kind=c_char, len=12), target, save :: n_irshift = 'tsr_irshift' // nul
  character(kind=c_char, len=13), target, save :: n_item_f64 = 'tsr_item_f64' // nul
  character(kind=c_char, len=13), target, save :: n_item_i64 = 'tsr_item_i64' // nul
  character(kind=c_char, len=14), target, save :: n_item_bool = 'tsr_item_bool' // nul
  character(kind=c_char, len=23), target, save :: n_kernel_elementwise = 'tsr_kernel_elementwise' // nul
  character(kind=c_char, len=21), target, save :: n_kernel_reduction = 'tsr_kernel_reduction' // nul
  character(kind=c_char, len=9), target, save :: n_task = 'tsr_task' // nul
  character(kind=c_char, len=14), target, save :: n_task_cuda = 'tsr_task_cuda' // nul
  character(kind=c_char, len=15), target, save :: n_kernel_raw = 'tsr_kernel_raw' // nul
  character(kind=c_char, len=9), target, save :: n_call = 'tsr_call' // nul
  character(kind=c_char, len=17), target, save :: n_call_outputs = 'tsr_call_outputs' // nul
  character(kind=c_char, len=14), target, save :: n_call_axes = 'tsr_call_axes' // nul
  character(kind=c_char, len=10), target, save :: n_print = 'tsr_print' // nul
  character(kind=c_char, len=13), target, save :: n_save_png = 'tsr_save_png' // nul
  character(kind=c_char, len=12), target, save :: n_picture = 'tsr_picture' // nul
  character(kind=c_char, len=11), target, save :: n_panels = 'tsr_panels' // nul
  character(kind=c_char, len=13), target, save :: n_load_png = 'tsr_load_png' // nul
  character(kind=c_char, len=13), target, save :: n_save_npy = 'tsr_save_npy' // nul
  character(kind=c_char, len=13), target, save :: n_load_npy = 'tsr_load_npy' // nul

  abstract interface
    ! A task's function, a procedure of a module: 0, or any other number for a failure. As of C's tsr_task_function.
    ! Threads call it at once: declare it `recursive`, so that it keeps nothing from call to call.
    function tsr_task_function(box) bind(c) result(r)
      import :: c_int, tsr_task_box
      type(tsr_task_box), intent(in) :: box
      integer(c_int) :: r
    end function
    function shape1(a0) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int) :: r
    end function
    function shape2(a0) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      real(c_double) :: r
    end function
    function shape3(a0, a1, a2) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(dims), value :: a1
      integer(c_int), value :: a2
      integer(c_int64_t) :: r
    end function
    function shape4(a0, a1, a2, a3) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(dims), value :: a1
      type(operand), value :: a2
      integer(c_int), value :: a3
      integer(c_int64_t) :: r
    end function
    function shape5(a0, a1) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(operand), value :: a1
      integer(c_int64_t) :: r
    end function
    function shape6(a0, a1, a2) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(operand), value :: a1
      integer(c_int), value :: a2
      integer(c_int64_t) :: r
    end function
    function shape7(a0, a1) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int64_t), value :: a1
      integer(c_int) :: r
    end function
    function shape8(a0, a1) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int64_t), value :: a1
      integer(c_int64_t) :: r
    end function
    function shape9(a0, a1, a2) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int), value :: a1
      type(operand), intent(in) :: a2(*)
      integer(c_int) :: r
    end function
    function shape10(a0, a1, a2) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int64_t), value :: a1
      type(axes_list), value :: a2
      integer(c_int64_t) :: r
    end function
    function shape11(a0, a1, a2) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int64_t), value :: a1
      type(dims), value :: a2
      integer(c_int64_t) :: r
    end function
    function shape12(a0, a1, a2, a3, a4) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int64_t), value :: a1
      integer(c_int64_t), value :: a2
      integer(c_int), value :: a3
      integer(c_int), value :: a4
      integer(c_int64_t) :: r
    end function
    function shape13(a0, a1, a2, a3) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(operand), value :: a1
      type(operand), value :: a2
      integer(c_int), value :: a3
      integer(c_int64_t) :: r
    end function
    function shape14(a0, a1, a2, a3, a4, a5, a6) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(operand), value :: a1
      type(operand), value :: a2
      integer(c_int64_t), value :: a3
      logical(c_bool), value :: a4
      integer(c_int), value :: a5
      integer(c_int), value :: a6
      integer(c_int64_t) :: r
    end function
    function shape15(a0, a1, a2, a3, a4, a5, a6, a7) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(operand), value :: a1
      type(operand), value :: a2
      integer(c_int64_t), value :: a3
      logical(c_bool), value :: a4
      real(c_double), value :: a5
      integer(c_int), value :: a6
      integer(c_int), value :: a7
      integer(c_int64_t) :: r
    end function
    function shape16(a0, a1, a2, a3, a4) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int64_t), value :: a1
      integer(c_int64_t), value :: a2
      integer(c_int64_t), value :: a3
      integer(c_int), value :: a4
      integer(c_int64_t) :: r
    end function
    function shape17(a0, a1, a2) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int64_t), value :: a1
      integer(c_int), value :: a2
      integer(c_int64_t) :: r
    end function
    function shape18(a0, a1, a2) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int64_t), value :: a1
      integer(c_int64_t), value :: a2
      integer(c_int64_t) :: r
    end function
    function shape19(a0, a1, a2, a3) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int64_t), intent(inout) :: a1(*)
      type(array_list), value :: a2
      character(kind=c_char), intent(in) :: a3(*)
      integer(c_int) :: r
    end function
    function shape20(a0, a1, a2, a3) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int64_t), value :: a1
      type(axes_list), value :: a2
      type(axes_list), value :: a3
      integer(c_int64_t) :: r
    end function
    function shape21(a0, a1, a2, a3) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int64_t), value :: a1
      integer(c_int), value :: a2
      integer(c_int), value :: a3
      integer(c_int64_t) :: r
    end function
    function shape22(a0, a1, a2, a3) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int64_t), value :: a1
      integer(c_int), value :: a2
      type(axes_list), value :: a3
      integer(c_int64_t) :: r
    end function
    function shape23(a0, a1, a2) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int64_t), intent(inout) :: a1(*)
      type(array_list), value :: a2
      integer(c_int) :: r
    end function
    function shape24(a0, a1, a2, a3) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int64_t), value :: a1
      type(dims), value :: a2
      type(axes_list), value :: a3
      integer(c_int64_t) :: r
    end function
    function shape25(a0, a1, a2) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(array_list), value :: a1
      integer(c_int), value :: a2
      integer(c_int64_t) :: r
    end function
    function shape26(a0, a1) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(array_list), value :: a1
      integer(c_int64_t) :: r
    end function
    function shape27(a0, a1, a2, a3, a4) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int64_t), intent(inout) :: a1(*)
      integer(c_int64_t), value :: a2
      integer(c_int64_t), value :: a3
      integer(c_int), value :: a4
      integer(c_int) :: r
    end function
    function shape28(a0, a1, a2, a3) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int64_t), value :: a1
      integer(c_int64_t), value :: a2
      type(axes_list), value :: a3
      integer(c_int64_t) :: r
    end function
    function shape29(a0, a1, a2, a3, a4, a5, a6, a7) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int64_t), value :: a1
      type(dims), value :: a2
      type(dims), value :: a3
      character(kind=c_char), intent(in) :: a4(*)
      type(operand), value :: a5
      integer(c_int), value :: a6
      type(padding), intent(in) :: a7(*)
      integer(c_int64_t) :: r
    end function
    function shape30(a0, a1, a2, a3, a4, a5) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(operand), value :: a1
      type(operand), value :: a2
      real(c_double), value :: a3
      real(c_double), value :: a4
      logical(c_bool), value :: a5
      logical(c_bool) :: r
    end function
    function shape31(a0, a1, a2) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(operand), value :: a1
      type(operand), value :: a2
      logical(c_bool) :: r
    end function
    function shape32(a0, a1, a2, a3) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(operand), value :: a1
      type(operand), value :: a2
      logical(c_bool), value :: a3
      logical(c_bool) :: r
    end function
    function shape33(a0, a1, a2) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int), value :: a1
      type(operand), intent(in) :: a2(*)
      integer(c_int64_t) :: r
    end function
    function shape34(a0, a1, a2, a3, a4, a5) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(operand), value :: a1
      type(operand), value :: a2
      real(c_double), value :: a3
      real(c_double), value :: a4
      logical(c_bool), value :: a5
      integer(c_int64_t) :: r
    end function
    function shape35(a0, a1, a2) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(operand), value :: a1
      type(operand), value :: a2
      integer(c_int64_t) :: r
    end function
    function shape36(a0, a1, a2, a3) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int64_t), intent(inout) :: a1(*)
      type(operand), value :: a2
      type(operand), value :: a3
      integer(c_int) :: r
    end function
    function shape37(a0, a1, a2) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int64_t), intent(inout) :: a1(*)
      type(operand), value :: a2
      integer(c_int) :: r
    end function
    function shape38(a0, a1, a2, a3) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(operand), value :: a1
      integer(c_int), value :: a2
      type(axes_list), intent(in) :: a3(*)
      integer(c_int64_t) :: r
    end function
    function shape39(a0, a1, a2, a3, a4, a5) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(tsr_rng), intent(inout) :: a1
      type(operand), value :: a2
      type(operand), value :: a3
      type(dims), value :: a4
      integer(c_int), value :: a5
      integer(c_int64_t) :: r
    end function
    function shape40(a0, a1, a2, a3, a4) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(tsr_rng), intent(inout) :: a1
      type(operand), value :: a2
      type(dims), value :: a3
      integer(c_int), value :: a4
      integer(c_int64_t) :: r
    end function
    function shape41(a0, a1, a2) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(tsr_rng), intent(inout) :: a1
      type(operand), value :: a2
      integer(c_int64_t) :: r
    end function
    function shape42(a0, a1, a2) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(tsr_rng), intent(inout) :: a1
      integer(c_int64_t), value :: a2
      integer(c_int) :: r
    end function
    function shape43(a0, a1, a2, a3, a4) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(tsr_rng), intent(inout) :: a1
      type(operand), value :: a2
      type(dims), value :: a3
      logical(c_bool), value :: a4
      integer(c_int64_t) :: r
    end function
    function shape44(a0, a1, a2, a3, a4) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(operand), value :: a1
      type(operand), value :: a2
      integer(c_int), value :: a3
      type(axes_list), intent(in) :: a4(*)
      integer(c_int64_t) :: r
    end function
    function shape45(a0, a1, a2, a3) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(operand), value :: a1
      integer(c_int), value :: a2
      integer(c_int), value :: a3
      integer(c_int64_t) :: r
    end function
    function shape46(a0, a1, a2, a3, a4, a5) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(operand), value :: a1
      integer(c_int), value :: a2
      integer(c_int), value :: a3
      type(operand), value :: a4
      type(operand), value :: a5
      integer(c_int64_t) :: r
    end function
    function shape47(a0, a1, a2, a3, a4) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(operand), value :: a1
      integer(c_int64_t), value :: a2
      integer(c_int), value :: a3
      integer(c_int), value :: a4
      integer(c_int64_t) :: r
    end function
    function shape48(a0, a1, a2, a3, a4) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      character(kind=c_char), intent(in) :: a1(*)
      type(operand), value :: a2
      integer(c_int), value :: a3
      type(axes_list), intent(in) :: a4(*)
      integer(c_int64_t) :: r
    end function
    function shape49(a0, a1, a2, a3, a4) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      character(kind=c_char), intent(in) :: a1(*)
      type(operand), value :: a2
      integer(c_int), value :: a3
      integer(c_int), value :: a4
      integer(c_int64_t) :: r
    end function
    function shape50(a0, a1, a2, a3) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      character(kind=c_char), intent(in) :: a1(*)
      type(operand), value :: a2
      type(operand), value :: a3
      integer(c_int64_t) :: r
    end function
    function shape51(a0, a1, a2, a3) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int64_t), value :: a1
      type(operand), value :: a2
      type(operand), value :: a3
      integer(c_int) :: r
    end function
    function shape52(a0, a1, a2, a3) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      character(kind=c_char), intent(in) :: a1(*)
      integer(c_int), value :: a2
      type(operand), intent(in) :: a3(*)
      integer(c_int64_t) :: r
    end function
    function shape53(a0, a1, a2) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int64_t), value :: a1
      type(operand), value :: a2
      integer(c_int) :: r
    end function
    function shape54(a0, a1) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(operand), value :: a1
      real(c_double) :: r
    end function
    function shape55(a0, a1) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(operand), value :: a1
      logical(c_bool) :: r
    end function
    function shape56(a0, a1, a2, a3, a4) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      character(kind=c_char), intent(in) :: a1(*)
      character(kind=c_char), intent(in) :: a2(*)
      character(kind=c_char), intent(in) :: a3(*)
      character(kind=c_char), intent(in) :: a4(*)
      integer(c_int64_t) :: r
    end function
    function shape57(a0, a1, a2, a3, a4, a5, a6, a7) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      character(kind=c_char), intent(in) :: a1(*)
      character(kind=c_char), intent(in) :: a2(*)
      character(kind=c_char), intent(in) :: a3(*)
      character(kind=c_char), intent(in) :: a4(*)
      character(kind=c_char), intent(in) :: a5(*)
      character(kind=c_char), intent(in) :: a6(*)
      type(operand), value :: a7
      integer(c_int64_t) :: r
    end function
    function shape58(a0, a1, a2, a3, a4) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      character(kind=c_char), intent(in) :: a1(*)
      character(kind=c_char), intent(in) :: a2(*)
      character(kind=c_char), intent(in) :: a3(*)
      type(c_funptr), value :: a4
      integer(c_int64_t) :: r
    end function
    function shape59(a0, a1, a2, a3) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int64_t), value :: a1
      character(kind=c_char), intent(in) :: a2(*)
      character(kind=c_char), intent(in) :: a3(*)
      integer(c_int) :: r
    end function
    function shape60(a0, a1, a2, a3, a4) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int64_t), value :: a1
      character(kind=c_char), intent(in) :: a2(*)
      character(kind=c_char), intent(in) :: a3(*)
      type(dims), value :: a4
      integer(c_int) :: r
    end function
    function shape61(a0, a1, a2, a3) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int64_t), value :: a1
      integer(c_int), value :: a2
      type(operand), intent(in) :: a3(*)
      integer(c_int64_t) :: r
    end function
    function shape62(a0, a1, a2, a3, a4) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int64_t), intent(inout) :: a1(*)
      integer(c_int64_t), value :: a2
      integer(c_int), value :: a3
      type(operand), intent(in) :: a4(*)
      integer(c_int) :: r
    end function
    function shape63(a0, a1, a2, a3, a4, a5) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      integer(c_int64_t), value :: a1
      type(axes_list), value :: a2
      logical(c_bool), value :: a3
      integer(c_int), value :: a4
      type(operand), intent(in) :: a5(*)
      integer(c_int64_t) :: r
    end function
    function shape64(a0, a1) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(operand), value :: a1
      integer(c_int) :: r
    end function
    function shape65(a0, a1, a2, a3, a4) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(operand), value :: a1
      character(kind=c_char), intent(in) :: a2(*)
      integer(c_int), value :: a3
      type(drawing), intent(in) :: a4(*)
      integer(c_int) :: r
    end function
    function shape66(a0, a1, a2, a3) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(operand), value :: a1
      integer(c_int), value :: a2
      type(drawing), intent(in) :: a3(*)
      integer(c_int64_t) :: r
    end function
    function shape67(a0, a1) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      character(kind=c_char), intent(in) :: a1(*)
      integer(c_int64_t) :: r
    end function
    function shape68(a0, a1, a2) bind(c) result(r)
      import
      type(c_ptr), value :: a0
      type(operand), value :: a1
      character(kind=c_char), intent(in) :: a2(*)
      integer(c_int) :: r
    end function
  end interface
  procedure(shape1), bind(c, name='tsr_flush_at') :: c_flush
  procedure(shape1), bind(c, name='tsr_barrier_at') :: c_barrier
  procedure(shape2), bind(c, name='tsr_time_at') :: c_time
  procedure(shape3), bind(c, name='tsr_empty_at') :: c_empty
  procedure(shape3), bind(c, name='tsr_zeros_at') :: c_zeros
  procedure(shape3), bind(c, name='tsr_ones_at') :: c_ones
  procedure(shape4), bind(c, name='tsr_full_at') :: c_full
  procedure(shape5), bind(c, name='tsr_copy_at') :: c_copy
  procedure(shape6), bind(c, name='tsr_astype_at') :: c_astype
  procedure(shape7), bind(c, name='tsr_ndim_at') :: c_ndim
  procedure(shape8), bind(c, name='tsr_size_at') :: c_size
  procedure(shape7), bind(c, name='tsr_dtype_of_at') :: c_dtype_of
  procedure(shape9), bind(c, name='tsr_result_type_at') :: c_result_type
  procedure(shape10), bind(c, name='tsr_transpose_at') :: c_transpose
  procedure(shape10), bind(c, name='tsr_flip_at') :: c_flip
  procedure(shape11), bind(c, name='tsr_broadcast_to_at') :: c_broadcast_to
  procedure(shape12), bind(c, name='tsr_diagonal_at') :: c_diagonal
  procedure(shape10), bind(c, name='tsr_expand_dims_at') :: c_expand_dims
  procedure(shape6), bind(c, name='tsr_empty_like_at') :: c_empty_like
  procedure(shape6), bind(c, name='tsr_zeros_like_at') :: c_zeros_like
  procedure(shape6), bind(c, name='tsr_ones_like_at') :: c_ones_like
  procedure(shape13), bind(c, name='tsr_full_like_at') :: c_full_like
  procedure(shape14), bind(c, name='tsr_linspace_at') :: c_linspace
  procedure(shape15), bind(c, name='tsr_logspace_at') :: c_logspace
  procedure(shape14), bind(c, name='tsr_geomspace_at') :: c_geomspace
  procedure(shape16), bind(c, name='tsr_eye_at') :: c_eye
  procedure(shape17), bind(c, name='tsr_identity_at') :: c_identity
  procedure(shape16), bind(c, name='tsr_tri_at') :: c_tri
  procedure(shape18), bind(c, name='tsr_tril_at') :: c_tril
  procedure(shape18), bind(c, name='tsr_triu_at') :: c_triu
  procedure(shape18), bind(c, name='tsr_diag_at') :: c_diag
  procedure(shape3), bind(c, name='tsr_indices_at') :: c_indices
  procedure(shape19), bind(c, name='tsr_meshgrid_at') :: c_meshgrid
  procedure(shape10), bind(c, name='tsr_squeeze_at') :: c_squeeze
  procedure(shape20), bind(c, name='tsr_moveaxis_at') :: c_moveaxis
  procedure(shape21), bind(c, name='tsr_swapaxes_at') :: c_swapaxes
  procedure(shape8), bind(c, name='tsr_flipud_at') :: c_flipud
  procedure(shape8), bind(c, name='tsr_fliplr_at') :: c_fliplr
  procedure(shape22), bind(c, name='tsr_rot90_at') :: c_rot90
  procedure(shape5), bind(c, name='tsr_atleast_1d_at') :: c_atleast_1d
  procedure(shape5), bind(c, name='tsr_atleast_2d_at') :: c_atleast_2d
  procedure(shape5), bind(c, name='tsr_atleast_3d_at') :: c_atleast_3d
  procedure(shape23), bind(c, name='tsr_broadcast_arrays_at') :: c_broadcast_arrays
  procedure(shape11), bind(c, name='tsr_reshape_at') :: c_reshape
  procedure(shape8), bind(c, name='tsr_ravel_at') :: c_ravel
  procedure(shape8), bind(c, name='tsr_flatten_at') :: c_flatten
  procedure(shape24), bind(c, name='tsr_roll_at') :: c_roll
  procedure(shape25), bind(c, name='tsr_concatenate_at') :: c_concatenate
  procedure(shape25), bind(c, name='tsr_stack_at') :: c_stack
  procedure(shape26), bind(c, name='tsr_vstack_at') :: c_vstack
  procedure(shape26), bind(c, name='tsr_hstack_at') :: c_hstack
  procedure(shape26), bind(c, name='tsr_dstack_at') :: c_dstack
  procedure(shape26), bind(c, name='tsr_column_stack_at') :: c_column_stack
  procedure(shape27), bind(c, name='tsr_split_at') :: c_split
  procedure(shape27), bind(c, name='tsr_array_split_at') :: c_array_split
  procedure(shape11), bind(c, name='tsr_tile_at') :: c_tile
  procedure(shape28), bind(c, name='tsr_repeat_at') :: c_repeat
  procedure(shape29), bind(c, name='tsr_pad_at') :: c_pad
  procedure(shape30), bind(c, name='tsr_allclose_at') :: c_allclose
  procedure(shape31), bind(c, name='tsr_shares_memory_at') :: c_shares_memory
  procedure(shape31), bind(c, name='tsr_may_share_memory_at') :: c_may_share_memory
  procedure(shape32), bind(c, name='tsr_array_equal_at') :: c_array_equal
  procedure(shape33), bind(c, name='tsr_add_at') :: c_add
  procedure(shape33), bind(c, name='tsr_subtract_at') :: c_subtract
  procedure(shape33), bind(c, name='tsr_multiply_at') :: c_multiply
  procedure(shape33), bind(c, name='tsr_divide_at') :: c_divide
  procedure(shape33), bind(c, name='tsr_negative_at') :: c_negative
  procedure(shape33), bind(c, name='tsr_absolute_at') :: c_absolute
  procedure(shape33), bind(c, name='tsr_minimum_at') :: c_minimum
  procedure(shape33), bind(c, name='tsr_maximum_at') :: c_maximum
  procedure(shape33), bind(c, name='tsr_sqrt_at') :: c_sqrt
  procedure(shape33), bind(c, name='tsr_square_at') :: c_square
  procedure(shape33), bind(c, name='tsr_exp_at') :: c_exp
  procedure(shape33), bind(c, name='tsr_expm1_at') :: c_expm1
  procedure(shape33), bind(c, name='tsr_log_at') :: c_log
  procedure(shape33), bind(c, name='tsr_log1p_at') :: c_log1p
  procedure(shape33), bind(c, name='tsr_tanh_at') :: c_tanh
  procedure(shape33), bind(c, name='tsr_erf_at') :: c_erf
  procedure(shape33), bind(c, name='tsr_erfc_at') :: c_erfc
  procedure(shape33), bind(c, name='tsr_sin_at') :: c_sin
  procedure(shape33), bind(c, name='tsr_cos_at') :: c_cos
  procedure(shape33), bind(c, name='tsr_power_at') :: c_power
  procedure(shape33), bind(c, name='tsr_hypot_at') :: c_hypot
  procedure(shape33), bind(c, name='tsr_equal_at') :: c_equal
  procedure(shape33), bind(c, name='tsr_not_equal_at') :: c_not_equal
  procedure(shape33), bind(c, name='tsr_less_at') :: c_less
  procedure(shape33), bind(c, name='tsr_less_equal_at') :: c_less_equal
  procedure(shape33), bind(c, name='tsr_greater_at') :: c_greater
  procedure(shape33), bind(c, name='tsr_greater_equal_at') :: c_greater_equal
  procedure(shape33), bind(c, name='tsr_logical_and_at') :: c_logical_and
  procedure(shape33), bind(c, name='tsr_logical_or_at') :: c_logical_or
  procedure(shape33), bind(c, name='tsr_logical_xor_at') :: c_logical_xor
  procedure(shape33), bind(c, name='tsr_logical_not_at') :: c_logical_not
  procedure(shape33), bind(c, name='tsr_where_at') :: c_where
  procedure(shape33), bind(c, name='tsr_positive_at') :: c_positive
  procedure(shape33), bind(c, name='tsr_sign_at') :: c_sign
  procedure(shape33), bind(c, name='tsr_reciprocal_at') :: c_reciprocal
  procedure(shape33), bind(c, name='tsr_floor_divide_at') :: c_floor_divide
  procedure(shape33), bind(c, name='tsr_remainder_at') :: c_remainder
  procedure(shape33), bind(c, name='tsr_fmod_at') :: c_fmod
  procedure(shape33), bind(c, name='tsr_fmin_at') :: c_fmin
  procedure(shape33), bind(c, name='tsr_fmax_at') :: c_fmax
  procedure(shape33), bind(c, name='tsr_clip_at') :: c_clip
  procedure(shape33), bind(c, name='tsr_floor_at') :: c_floor
  procedure(shape33), bind(c, name='tsr_ceil_at') :: c_ceil
  procedure(shape33), bind(c, name='tsr_trunc_at') :: c_trunc
  procedure(shape33), bind(c, name='tsr_rint_at') :: c_rint
  procedure(shape33), bind(c, name='tsr_isnan_at') :: c_isnan
  procedure(shape33), bind(c, name='tsr_isinf_at') :: c_isinf
  procedure(shape33), bind(c, name='tsr_isfinite_at') :: c_isfinite
  procedure(shape33), bind(c, name='tsr_signbit_at') :: c_signbit
  procedure(shape33), bind(c, name='tsr_copysign_at') :: c_copysign
  procedure(shape33), bind(c, name='tsr_nextafter_at') :: c_nextafter
  procedure(shape33), bind(c, name='tsr_ldexp_at') :: c_ldexp
  procedure(shape33), bind(c, name='tsr_frexp_mantissa_at') :: c_frexp_mantissa
  procedure(shape33), bind(c, name='tsr_frexp_exponent_at') :: c_frexp_exponent
  procedure(shape33), bind(c, name='tsr_heaviside_at') :: c_heaviside
  procedure(shape33), bind(c, name='tsr_exp2_at') :: c_exp2
  procedure(shape33), bind(c, name='tsr_log2_at') :: c_log2
  procedure(shape33), bind(c, name='tsr_log10_at') :: c_log10
  procedure(shape33), bind(c, name='tsr_cbrt_at') :: c_cbrt
  procedure(shape33), bind(c, name='tsr_logaddexp_at') :: c_logaddexp
  procedure(shape33), bind(c, name='tsr_tan_at') :: c_tan
  procedure(shape33), bind(c, name='tsr_arcsin_at') :: c_arcsin
  procedure(shape33), bind(c, name='tsr_arccos_at') :: c_arccos
  procedure(shape33), bind(c, name='tsr_arctan_at') :: c_arctan
  procedure(shape33), bind(c, name='tsr_arctan2_at') :: c_arctan2
  procedure(shape33), bind(c, name='tsr_sinh_at') :: c_sinh
  procedure(shape33), bind(c, name='tsr_cosh_at') :: c_cosh
  procedure(shape33), bind(c, name='tsr_arcsinh_at') :: c_arcsinh
  procedure(shape33), bind(c, name='tsr_arccosh_at') :: c_arccosh
  procedure(shape33), bind(c, name='tsr_arctanh_at') :: c_arctanh
  procedure(shape33), bind(c, name='tsr_gamma_at') :: c_gamma
  procedure(shape33), bind(c, name='tsr_lgamma_at') :: c_lgamma
  procedure(shape33), bind(c, name='tsr_deg2rad_at') :: c_deg2rad
  procedure(shape33), bind(c, name='tsr_rad2deg_at') :: c_rad2deg
  procedure(shape33), bind(c, name='tsr_sinc_at') :: c_sinc
  procedure(shape33), bind(c, name='tsr_bitwise_and_at') :: c_bitwise_and
  procedure(shape33), bind(c, name='tsr_bitwise_or_at') :: c_bitwise_or
  procedure(shape33), bind(c, name='tsr_bitwise_xor_at') :: c_bitwise_xor
  procedure(shape33), bind(c, name='tsr_invert_at') :: c_invert
  procedure(shape33), bind(c, name='tsr_left_shift_at') :: c_left_shift
  procedure(shape33), bind(c, name='tsr_right_shift_at') :: c_right_shift
  procedure(shape33), bind(c, name='tsr_gcd_at') :: c_gcd
  procedure(shape33), bind(c, name='tsr_lcm_at') :: c_lcm
  procedure(shape33), bind(c, name='tsr_real_at') :: c_real
  procedure(shape33), bind(c, name='tsr_imag_at') :: c_imag
  procedure(shape33), bind(c, name='tsr_conj_at') :: c_conj
  procedure(shape33), bind(c, name='tsr_complex_at') :: c_complex
  procedure(shape34), bind(c, name='tsr_isclose_at') :: c_isclose
  procedure(shape6), bind(c, name='tsr_round_at') :: c_round
  procedure(shape5), bind(c, name='tsr_angle_at') :: c_angle
  procedure(shape35), bind(c, name='tsr_logaddexp2_at') :: c_logaddexp2
  procedure(shape35), bind(c, name='tsr_float_power_at') :: c_float_power
  procedure(shape36), bind(c, name='tsr_divmod_at') :: c_divmod
  procedure(shape37), bind(c, name='tsr_frexp_at') :: c_frexp
  procedure(shape37), bind(c, name='tsr_modf_at') :: c_modf
  procedure(shape38), bind(c, name='tsr_sum_at') :: c_sum
  procedure(shape38), bind(c, name='tsr_prod_at') :: c_prod
  procedure(shape38), bind(c, name='tsr_min_at') :: c_min
  procedure(shape38), bind(c, name='tsr_max_at') :: c_max
  procedure(shape38), bind(c, name='tsr_mean_at') :: c_mean
  procedure(shape38), bind(c, name='tsr_any_at') :: c_any
  procedure(shape38), bind(c, name='tsr_all_at') :: c_all
  procedure(shape38), bind(c, name='tsr_argmin_at') :: c_argmin
  procedure(shape38), bind(c, name='tsr_argmax_at') :: c_argmax
  procedure(shape39), bind(c, name='tsr_rng_uniform_at') :: c_rng_uniform
  procedure(shape39), bind(c, name='tsr_rng_normal_at') :: c_rng_normal
  procedure(shape40), bind(c, name='tsr_rng_exponential_at') :: c_rng_exponential
  procedure(shape39), bind(c, name='tsr_rng_integers_at') :: c_rng_integers
  procedure(shape41), bind(c, name='tsr_rng_permutation_at') :: c_rng_permutation
  procedure(shape42), bind(c, name='tsr_rng_shuffle_at') :: c_rng_shuffle
  procedure(shape43), bind(c, name='tsr_rng_choice_at') :: c_rng_choice
  procedure(shape38), bind(c, name='tsr_count_nonzero_at') :: c_count_nonzero
  procedure(shape38), bind(c, name='tsr_ptp_at') :: c_ptp
  procedure(shape38), bind(c, name='tsr_var_at') :: c_var
  procedure(shape38), bind(c, name='tsr_std_at') :: c_std
  procedure(shape38), bind(c, name='tsr_nansum_at') :: c_nansum
  procedure(shape38), bind(c, name='tsr_nanprod_at') :: c_nanprod
  procedure(shape38), bind(c, name='tsr_nanmin_at') :: c_nanmin
  procedure(shape38), bind(c, name='tsr_nanmax_at') :: c_nanmax
  procedure(shape38), bind(c, name='tsr_nanmean_at') :: c_nanmean
  procedure(shape38), bind(c, name='tsr_nanvar_at') :: c_nanvar
  procedure(shape38), bind(c, name='tsr_nanstd_at') :: c_nanstd
  procedure(shape38), bind(c, name='tsr_nanargmin_at') :: c_nanargmin
  procedure(shape38), bind(c, name='tsr_nanargmax_at') :: c_nanargmax
  procedure(shape38), bind(c, name='tsr_norm_at') :: c_norm
  procedure(shape44), bind(c, name='tsr_average_at') :: c_average
  procedure(shape38), bind(c, name='tsr_median_at') :: c_median
  procedure(shape44), bind(c, name='tsr_quantile_at') :: c_quantile
  procedure(shape44), bind(c, name='tsr_percentile_at') :: c_percentile
  procedure(shape38), bind(c, name='tsr_nanmedian_at') :: c_nanmedian
  procedure(shape44), bind(c, name='tsr_nanquantile_at') :: c_nanquantile
  procedure(shape44), bind(c, name='tsr_nanpercentile_at') :: c_nanpercentile
  procedure(shape45), bind(c, name='tsr_cumsum_at') :: c_cumsum
  procedure(shape45), bind(c, name='tsr_cumprod_at') :: c_cumprod
  procedure(shape6), bind(c, name='tsr_cummax_at') :: c_cummax
  procedure(shape6), bind(c, name='tsr_cummin_at') :: c_cummin
  procedure(shape46), bind(c, name='tsr_diff_at') :: c_diff
  procedure(shape13), bind(c, name='tsr_trapezoid_at') :: c_trapezoid
  procedure(shape35), bind(c, name='tsr_inner_at') :: c_inner
  procedure(shape35), bind(c, name='tsr_dot_at') :: c_dot
  procedure(shape35), bind(c, name='tsr_vdot_at') :: c_vdot
  procedure(shape35), bind(c, name='tsr_outer_at') :: c_outer
  procedure(shape13), bind(c, name='tsr_vecdot_at') :: c_vecdot
  procedure(shape13), bind(c, name='tsr_cross_at') :: c_cross
  procedure(shape35), bind(c, name='tsr_kron_at') :: c_kron
  procedure(shape47), bind(c, name='tsr_trace_at') :: c_trace
  procedure(shape48), bind(c, name='tsr_ufunc_reduce_at') :: c_ufunc_reduce
  procedure(shape49), bind(c, name='tsr_ufunc_accumulate_at') :: c_ufunc_accumulate
  procedure(shape50), bind(c, name='tsr_ufunc_outer_at') :: c_ufunc_outer
  procedure(shape35), bind(c, name='tsr_matmul_at') :: c_matmul
  procedure(shape51), bind(c, name='tsr_matmul_into_at') :: c_matmul_into
  procedure(shape52), bind(c, name='tsr_einsum_at') :: c_einsum
  procedure(shape53), bind(c, name='tsr_assign_at') :: c_assign
  procedure(shape53), bind(c, name='tsr_iadd_at') :: c_iadd
  procedure(shape53), bind(c, name='tsr_isub_at') :: c_isub
  procedure(shape53), bind(c, name='tsr_imul_at') :: c_imul
  procedure(shape53), bind(c, name='tsr_idiv_at') :: c_idiv
  procedure(shape53), bind(c, name='tsr_ifloordiv_at') :: c_ifloordiv
  procedure(shape53), bind(c, name='tsr_imod_at') :: c_imod
  procedure(shape53), bind(c, name='tsr_ipow_at') :: c_ipow
  procedure(shape53), bind(c, name='tsr_iand_at') :: c_iand
  procedure(shape53), bind(c, name='tsr_ior_at') :: c_ior
  procedure(shape53), bind(c, name='tsr_ixor_at') :: c_ixor
  procedure(shape53), bind(c, name='tsr_ilshift_at') :: c_ilshift
  procedure(shape53), bind(c, name='tsr_irshift_at') :: c_irshift
  procedure(shape54), bind(c, name='tsr_item_f64_at') :: c_item_f64
  procedure(shape5), bind(c, name='tsr_item_i64_at') :: c_item_i64
  procedure(shape55), bind(c, name='tsr_item_bool_at') :: c_item_bool
  procedure(shape56), bind(c, name='tsr_kernel_elementwise_at') :: c_kernel_elementwise
  procedure(shape57), bind(c, name='tsr_kernel_reduction_at') :: c_kernel_reduction
  procedure(shape58), bind(c, name='tsr_task_at') :: c_task
  procedure(shape59), bind(c, name='tsr_task_cuda_at') :: c_task_cuda
  procedure(shape60), bind(c, name='tsr_kernel_raw_at') :: c_kernel_raw
  procedure(shape61), bind(c, name='tsr_call_at') :: c_call
  procedure(shape62), bind(c, name='tsr_call_outputs_at') :: c_call_outputs
  procedure(shape63), bind(c, name='tsr_call_axes_at') :: c_call_axes
  procedure(shape64), bind(c, name='tsr_print_at') :: c_print
  procedure(shape65), bind(c, name='tsr_save_png_at') :: c_save_png
  procedure(shape66), bind(c, name='tsr_picture_at') :: c_picture
  procedure(shape25), bind(c, name='tsr_panels_at') :: c_panels
  procedure(shape67), bind(c, name='tsr_load_png_at') :: c_load_png
  procedure(shape68), bind(c, name='tsr_save_npy_at') :: c_save_npy
  procedure(shape67), bind(c, name='tsr_load_npy_at') :: c_load_npy

  interface
    function tsr_site(file, line, function, op) bind(c, name='tsr_site') result(r)
      import :: c_ptr, c_int
      type(c_ptr), value :: file, function, op
      integer(c_int), value :: line
      type(c_ptr) :: r
    end function
    function c_init(argc, argv) bind(c, name='tsr_init') result(r)
      import :: c_ptr, c_int
      type(c_ptr), value :: argc, argv
      integer(c_int) :: r
    end function
    function c_finalize() bind(c, name='tsr_finalize') result(r)
      import :: c_int
      integer(c_int) :: r
    end function
    function tsr_rank() bind(c, name='tsr_rank') result(r)
      import :: c_int
      integer(c_int) :: r
    end function
    function tsr_n_ranks() bind(c, name='tsr_n_ranks') result(r)
      import :: c_int
      integer(c_int) :: r
    end function
    function c_version() bind(c, name='tsr_version') result(r)
      import :: c_ptr
      type(c_ptr) :: r
    end function
    function c_last_error() bind(c, name='tsr_last_error') result(r)
      import :: c_ptr
      type(c_ptr) :: r
    end function
    function c_take_error(text, size) bind(c, name='tsr_take_error') result(r)
      import :: c_ptr, c_int, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t), value :: size
      integer(c_int) :: r
    end function
    function c_set_error_mode(mode) bind(c, name='tsr_set_error_mode') result(r)
      import :: c_int
      integer(c_int), value :: mode
      integer(c_int) :: r
    end function
    function tsr_default_rng(seed) bind(c, name='tsr_default_rng') result(r)
      import :: c_int64_t, tsr_rng
      integer(c_int64_t), value :: seed
      type(tsr_rng) :: r
    end function
    function c_scope_open(where) bind(c, name='tsr_scope_open') result(r)
      import :: c_ptr, tsr_scope
      type(c_ptr), value :: where
      type(tsr_scope) :: r
    end function
    subroutine tsr_scope_close(scope) bind(c, name='tsr_scope_close')
      import :: tsr_scope
      type(tsr_scope), intent(inout) :: scope
    end subroutine
    function c_statement_end(status) bind(c, name='tsr_statement_end') result(r)
      import :: c_int
      integer(c_int), value :: status
      integer(c_int) :: r
    end function
    function c_moved(where, x) bind(c, name='tsr_keep_at') result(r)
      import :: c_ptr, c_int64_t
      type(c_ptr), value :: where
      integer(c_int64_t), value :: x
      integer(c_int64_t) :: r
    end function
    function c_held(where, x) bind(c, name='tsr_hold_at') result(r)
      import :: c_ptr, c_int64_t
      type(c_ptr), value :: where
      integer(c_int64_t), value :: x
      integer(c_int64_t) :: r
    end function
    subroutine c_release(where, x) bind(c, name='tsr_release_at')
      import :: c_ptr, c_int64_t
      type(c_ptr), value :: where
      integer(c_int64_t), intent(inout) :: x
    end subroutine
    subroutine c_replace(where, x, y) bind(c, name='tsr_replace_at')
      import :: c_ptr, c_int64_t
      type(c_ptr), value :: where
      integer(c_int64_t), intent(inout) :: x
      integer(c_int64_t), value :: y
    end subroutine
    function c_slice(where, x, text, n, ints) bind(c, name='tsr_slice_at') result(r)
      import :: c_ptr, c_int64_t, c_int, c_char
      type(c_ptr), value :: where
      integer(c_int64_t), value :: x
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int), value :: n
      integer(c_int64_t), intent(in) :: ints(*)
      integer(c_int64_t) :: r
    end function
    function c_slice_items(where, x, n, items) bind(c, name='tsr_slice_items_at') result(r)
      import :: c_ptr, c_int64_t, c_int, slice_item
      type(c_ptr), value :: where
      integer(c_int64_t), value :: x
      integer(c_int), value :: n
      type(slice_item), intent(in) :: items(*)
      integer(c_int64_t) :: r
    end function
    function c_eval(where, text, n, xs) bind(c, name='tsr_eval_at') result(r)
      import :: c_ptr, c_int64_t, c_int, c_char, operand
      type(c_ptr), value :: where
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int), value :: n
      type(operand), intent(in) :: xs(*)
      integer(c_int64_t) :: r
    end function
    function c_exec(where, text, n, xs) bind(c, name='tsr_exec_at') result(r)
      import :: c_ptr, c_int, c_char, operand
      type(c_ptr), value :: where
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int), value :: n
      type(operand), intent(in) :: xs(*)
      integer(c_int) :: r
    end function
    function c_arange(where, start, stop, step, dtype) bind(c, name='tsr_arange_at') result(r)
      import :: c_ptr, c_int64_t, c_int, operand
      type(c_ptr), value :: where
      type(operand), value :: start, stop, step
      integer(c_int), value :: dtype
      integer(c_int64_t) :: r
    end function
    function c_shape(where, x) bind(c, name='tsr_shape_at') result(r)
      import :: c_ptr, c_int64_t, dims
      type(c_ptr), value :: where
      integer(c_int64_t), value :: x
      type(dims) :: r
    end function
    function c_from_host(where, data, dtype, shape, n_options, options) bind(c, name='tsr_from_host_at') result(r)
      import :: c_ptr, c_int64_t, c_int, dims
      type(c_ptr), value :: where, data, options
      integer(c_int), value :: dtype, n_options
      type(dims), value :: shape
      integer(c_int64_t) :: r
    end function
    function c_to_host(where, x, buffer, n_options, options) bind(c, name='tsr_to_host_at') result(r)
      import :: c_ptr, c_int, operand
      type(c_ptr), value :: where, buffer, options
      integer(c_int), value :: n_options
      type(operand), value :: x
      integer(c_int) :: r
    end function
    function c_local(where, x, halo, writable, tile) bind(c, name='tsr_local_at') result(r)
      import :: c_ptr, c_int, c_int64_t, c_bool, tsr_local_tile
      type(c_ptr), value :: where
      integer(c_int64_t), value :: x
      integer(c_int64_t), intent(in) :: halo(*)
      logical(c_bool), value :: writable
      type(tsr_local_tile), intent(inout) :: tile
      integer(c_int) :: r
    end function
    function c_local_end(tile) bind(c, name='tsr_local_end') result(r)
      import :: c_int, tsr_local_tile
      type(tsr_local_tile), intent(inout) :: tile
      integer(c_int) :: r
    end function
    function c_strlen(text) bind(c, name='strlen') result(r)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: r
    end function
  end interface

  interface operator(+)
    module procedure add_of_array, add_of_int32, add_of_int64, add_of_float32, add_of_float64, add_of_complex64, &
      add_of_complex128
  end interface
  interface operator(-)
    module procedure subtract_of_array, subtract_of_int32, subtract_of_int64, subtract_of_float32, &
      subtract_of_float64, subtract_of_complex64, subtract_of_complex128, minus_array
  end interface
  interface operator(*)
    module procedure multiply_of_array, multiply_of_int32, multiply_of_int64, multiply_of_float32, &
      multiply_of_float64, multiply_of_complex64, multiply_of_complex128
  end interface
  interface operator(/)
    module procedure divide_of_array, divide_of_int32, divide_of_int64, divide_of_float32, divide_of_float64, &
      divide_of_complex64, divide_of_complex128
  end interface
  interface operator(**)
    module procedure power_of_array, power_of_int32, power_of_int64, power_of_float32, power_of_float64, &
      power_of_complex64, power_of_complex128
  end interface
  interface operator(==)
    module procedure equal_of_array, equal_of_int32, equal_of_int64, equal_of_float32, equal_of_float64, &
      equal_of_complex64, equal_of_complex128
  end interface
  interface operator(/=)
    module procedure not_equal_of_array, not_equal_of_int32, not_equal_of_int64, not_equal_of_float32, &
      not_equal_of_float64, not_equal_of_complex64, not_equal_of_complex128
  end interface
  interface operator(<)
    module procedure less_of_array, less_of_int32, less_of_int64, less_of_float32, less_of_float64, &
      less_of_complex64, less_of_complex128
  end interface
  interface operator(<=)
    module procedure less_equal_of_array, less_equal_of_int32, less_equal_of_int64, less_equal_of_float32, &
      less_equal_of_float64, less_equal_of_complex64, less_equal_of_complex128
  end interface
  interface operator(>)
    module procedure greater_of_array, greater_of_int32, greater_of_int64, greater_of_float32, greater_of_float64, &
      greater_of_complex64, greater_of_complex128
  end interface
  interface operator(>=)
    module procedure greater_equal_of_array, greater_equal_of_int32, greater_equal_of_int64, &
      greater_equal_of_float32, greater_equal_of_float64, greater_equal_of_complex64, greater_equal_of_complex128
  end interface
  public :: operator(+), operator(-), operator(*), operator(/), operator(**), operator(==), operator(/=), &
    operator(<), operator(<=), operator(>), operator(>=)
  interface tsr_from_host
    module procedure from_int32, from_int64, from_float32, from_float64, from_complex64, from_complex128
  end interface
  interface tsr_to_host
    module procedure to_int32, to_int64, to_float32, to_float64, to_complex64, to_complex128
  end interface
  interface tsr_view
    module procedure view_int32_1, view_int32_2, view_int32_3, view_int64_1, view_int64_2, view_int64_3, &
      view_float32_1, view_float32_2, view_float32_3, view_float64_1, view_float64_2, view_float64_3, &
      view_complex64_1, view_complex64_2, view_complex64_3, view_complex128_1, view_complex128_2, view_complex128_3
  end interface

  public :: tsr_init, tsr_finalize, tsr_rank, tsr_n_ranks, tsr_version, tsr_last_error, tsr_take_error, &
    tsr_set_error_mode, tsr_default_rng, tsr_scope_open, tsr_scope_close, tsr_keep, tsr_hold, tsr_release, &
    tsr_replace, tsr_slice, tsr_section, tsr_eval, tsr_exec, tsr_arange, tsr_shape, tsr_from_host, tsr_to_host, &
    tsr_task_function, tsr_task_in, tsr_task_out, tsr_local, tsr_local_end, tsr_tile_argument, tsr_view
  public :: tsr_flush, tsr_barrier, tsr_time, tsr_empty, tsr_zeros, tsr_ones, tsr_full, tsr_copy, tsr_astype, &
    tsr_ndim, tsr_size, tsr_dtype_of, tsr_result_type, tsr_transpose, tsr_flip, tsr_broadcast_to, tsr_diagonal, &
    tsr_expand_dims, tsr_empty_like, tsr_zeros_like, tsr_ones_like, tsr_full_like, tsr_linspace, tsr_logspace, &
    tsr_geomspace, tsr_eye, tsr_identity, tsr_tri, tsr_tril, tsr_triu, tsr_diag, tsr_indices, tsr_meshgrid, &
    tsr_squeeze, tsr_moveaxis, tsr_swapaxes, tsr_flipud, tsr_fliplr, tsr_rot90, tsr_atleast_1d
  public :: tsr_atleast_2d, tsr_atleast_3d, tsr_broadcast_arrays, tsr_reshape, tsr_ravel, tsr_flatten, tsr_roll, &
    tsr_concatenate, tsr_stack, tsr_vstack, tsr_hstack, tsr_dstack, tsr_column_stack, tsr_split, tsr_array_split, &
    tsr_tile, tsr_repeat, tsr_pad, tsr_allclose, tsr_shares_memory, tsr_may_share_memory, tsr_array_equal, tsr_add, &
    tsr_subtract, tsr_multiply, tsr_divide, tsr_negative, tsr_absolute, tsr_minimum, tsr_maximum, tsr_sqrt, &
    tsr_square, tsr_exp, tsr_expm1, tsr_log, tsr_log1p, tsr_tanh, tsr_erf, tsr_erfc, tsr_sin
  public :: tsr_cos, tsr_power, tsr_hypot, tsr_equal, tsr_not_equal, tsr_less, tsr_less_equal, tsr_greater, &
    tsr_greater_equal, tsr_logical_and, tsr_logical_or, tsr_logical_xor, tsr_logical_not, tsr_where, tsr_positive, &
    tsr_sign, tsr_reciprocal, tsr_floor_divide, tsr_remainder, tsr_fmod, tsr_fmin, tsr_fmax, tsr_clip, tsr_floor, &
    tsr_ceil, tsr_trunc, tsr_rint, tsr_isnan, tsr_isinf, tsr_isfinite, tsr_signbit, tsr_copysign, tsr_nextafter, &
    tsr_ldexp, tsr_frexp_mantissa, tsr_frexp_exponent, tsr_heaviside, tsr_exp2, tsr_log2, tsr_log10
  public :: tsr_cbrt, tsr_logaddexp, tsr_tan, tsr_arcsin, tsr_arccos, tsr_arctan, tsr_arctan2, tsr_sinh, tsr_cosh, &
    tsr_arcsinh, tsr_arccosh, tsr_arctanh, tsr_gamma, tsr_lgamma, tsr_deg2rad, tsr_rad2deg, tsr_sinc, tsr_bitwise_and, &
    tsr_bitwise_or, tsr_bitwise_xor, tsr_invert, tsr_left_shift, tsr_right_shift, tsr_gcd, tsr_lcm, tsr_real, &
    tsr_imag, tsr_conj, tsr_complex, tsr_isclose, tsr_round, tsr_angle, tsr_logaddexp2, tsr_float_power, tsr_divmod, &
    tsr_frexp, tsr_modf, tsr_sum, tsr_prod, tsr_min
  public :: tsr_max, tsr_mean, tsr_any, tsr_all, tsr_argmin, tsr_argmax, tsr_rng_uniform, tsr_rng_normal, &
    tsr_rng_exponential, tsr_rng_integers, tsr_rng_permutation, tsr_rng_shuffle, tsr_rng_choice, tsr_count_nonzero, &
    tsr_ptp, tsr_var, tsr_std, tsr_nansum, tsr_nanprod, tsr_nanmin, tsr_nanmax, tsr_nanmean, tsr_nanvar, tsr_nanstd, &
    tsr_nanargmin, tsr_nanargmax, tsr_norm, tsr_average, tsr_median, tsr_quantile, tsr_percentile, tsr_nanmedian, &
    tsr_nanquantile, tsr_nanpercentile, tsr_cumsum, tsr_cumprod, tsr_cummax, tsr_cummin, tsr_diff, tsr_trapezoid
  public :: tsr_inner, tsr_dot, tsr_vdot, tsr_outer, tsr_vecdot, tsr_cross, tsr_kron, tsr_trace, tsr_ufunc_reduce, &
    tsr_ufunc_accumulate, tsr_ufunc_outer, tsr_matmul, tsr_matmul_into, tsr_einsum, tsr_assign, tsr_iadd, tsr_isub, &
    tsr_imul, tsr_idiv, tsr_ifloordiv, tsr_imod, tsr_ipow, tsr_iand, tsr_ior, tsr_ixor, tsr_ilshift, tsr_irshift, &
    tsr_item_f64, tsr_item_i64, tsr_item_bool, tsr_kernel_elementwise, tsr_kernel_reduction, tsr_task, tsr_task_cuda, &
    tsr_kernel_raw, tsr_call, tsr_call_outputs, tsr_call_axes, tsr_print, tsr_save_png
  public :: tsr_picture, tsr_panels, tsr_load_png, tsr_save_npy, tsr_load_npy

contains

  ! Conversions. An operand that is neither a number nor an array ends the program.

  function site(op) result(where)
    character(kind=c_char, len=*), target, intent(in) :: op
    type(c_ptr) :: where
    where = tsr_site(c_null_ptr, 0_c_int, c_null_ptr, c_loc(op))
  end function

  function box(x) result(o)
    class(*), intent(in) :: x
    type(operand) :: o
    o%kind = 0
    o%bits = 0
    select type (x)
    type is (tsr_array)
      o%bits(1) = x%id
    type is (integer(int8))
      o%kind = 2
      o%bits(1) = x
    type is (integer(int16))
      o%kind = 2
      o%bits(1) = x
    type is (integer(int32))
      o%kind = 2
      o%bits(1) = x
    type is (integer(int64))
      o%kind = 2
      o%bits(1) = x
    type is (real(real32))
      o%kind = 4
      o%bits(1) = transfer(real(x, real64), 0_int64)
    type is (real(real64))
      o%kind = 4
      o%bits(1) = transfer(x, 0_int64)
    type is (complex(real32))
      o%kind = 5
      o%bits = transfer(cmplx(x, kind=real64), 0_int64, 2)
    type is (complex(real64))
      o%kind = 5
      o%bits = transfer(x, 0_int64, 2)
    type is (logical)
      o%kind = 1
      o%bits(1) = merge(1_int64, 0_int64, x)
    type is (logical(int8))
      o%kind = 1
      o%bits(1) = merge(1_int64, 0_int64, x)
    type is (logical(int16))
      o%kind = 1
      o%bits(1) = merge(1_int64, 0_int64, x)
    type is (logical(int64))
      o%kind = 1
      o%bits(1) = merge(1_int64, 0_int64, x)
    class default
      error stop 'tessera: an operand is neither a number nor an array'
    end select
  end function

  function boxes(xs) result(r)
    type(tsr_array), intent(in) :: xs(:)
    type(operand) :: r(size(xs))
    integer :: i
    do i = 1, size(xs)
      r(i) = box(xs(i))
    end do
  end function

  function box_or(x, otherwise) result(o)
    class(*), intent(in), optional :: x
    integer, intent(in) :: otherwise
    type(operand) :: o
    if (present(x)) then
      o = box(x)
    else
      o = box(otherwise)
    end if
  end function

  function box_or_none(x) result(o)
    class(*), intent(in), optional :: x
    type(operand) :: o
    o%kind = 6
    o%bits = 0
    if (present(x)) o = box(x)
  end function

  function whole(x, otherwise) result(r)
    class(*), intent(in), optional :: x
    integer(int64), intent(in), optional :: otherwise
    integer(int64) :: r
    r = 0
    if (present(otherwise)) r = otherwise
    if (.not. present(x)) return
    select type (x)
    type is (integer(int8))
      r = x
    type is (integer(int16))
      r = x
    type is (integer(int32))
      r = x
    type is (integer(int64))
      r = x
    class default
      error stop 'tessera: an integer is wanted'
    end select
  end function

  function number(x, otherwise) result(r)
    class(*), intent(in), optional :: x
    real(real64), intent(in), optional :: otherwise
    real(real64) :: r
    r = 0
    if (present(otherwise)) r = otherwise
    if (.not. present(x)) return
    select type (x)
    type is (real(real32))
      r = x
    type is (real(real64))
      r = x
    class default
      r = real(whole(x), real64)
    end select
  end function

  integer function int_or(x, otherwise)
    integer, intent(in), optional :: x
    integer, intent(in) :: otherwise
    int_or = otherwise
    if (present(x)) int_or = x
  end function

  logical(c_bool) function truth(x, otherwise)
    logical, intent(in), optional :: x
    logical, intent(in), optional :: otherwise
    truth = .false.
    if (present(otherwise)) truth = otherwise
    if (present(x)) truth = x
  end function

  function text_or(x, otherwise) result(r)
    character(len=*), intent(in), optional :: x
    character(len=*), intent(in) :: otherwise
    character(len=:, kind=c_char), allocatable :: r
    r = otherwise // nul
    if (present(x)) r = trim(x) // nul
  end function

  ! n(:) as a shape; `backwards` for Fortran's order of a buffer.
  function shape_of(n) result(r)
    class(*), intent(in) :: n(:)
    type(dims) :: r
    integer :: i
    r%ndim = size(n)
    r%n = 0
    do i = 1, min(size(n), max_ndim)
      r%n(i) = whole(n(i))
    end do
  end function

  ! `method`: a text of C's, "" for none, which lives as long as what is returned.
  function axes_of(axes, keepdims, ddof, ord, where, initial, dtype, method, weights) result(r)
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    class(*), intent(in), optional :: ddof, ord, where, initial, weights
    integer, intent(in), optional :: dtype
    character(kind=c_char, len=*), intent(in), target, optional :: method
    type(axes_list) :: r
    integer :: i
    r = axes_list(-1, 0, truth(keepdims), present(ddof), present(ord), present(where), present(initial), &
      present(dtype), int(int_or(dtype, 0), c_int8_t), present(weights), number(ord), number(ddof), box_or(where, 0), &
      box_or(initial, 0), c_null_ptr)
    if (present(weights)) r%where = box(weights)
    if (present(method)) then
      if (len(method) > 1) r%method = c_loc(method)
    end if
    if (.not. present(axes)) return
    r%n = size(axes)
    do i = 1, min(size(axes), max_ndim)
      r%axis(i) = axes(i)
    end do
  end function

  ! The options of pictures. `line`: the title as a text of C's, which lives as long as what is returned.
  function drawing_of(line, vmin, vmax, colours, scale, colorbar, title) result(r)
    character(kind=c_char, len=*), intent(in), target :: line
    class(*), intent(in), optional :: vmin, vmax
    integer, intent(in), optional :: colours, scale
    logical, intent(in), optional :: colorbar
    character(len=*), intent(in), optional :: title
    type(drawing) :: r(n_drawing)
    real(real64) :: none
    none = ieee_value(none, ieee_quiet_nan)
    r = drawing(0, 0, c_null_ptr)
    r(1) = drawing(1, number(vmin, none), c_null_ptr)
    r(2) = drawing(1, number(vmax, none), c_null_ptr)
    if (present(colours)) r(3) = drawing(2, colours, c_null_ptr)
    if (present(scale)) r(4) = drawing(3, scale, c_null_ptr)
    if (truth(colorbar)) r(5) = drawing(4, 0, c_null_ptr)
    if (present(title)) r(6) = drawing(5, 0, c_loc(line))
  end function

  ! The options of tsr_pad. `line`: the type as a text of C's. Lengths: one for both sides of all axes, or of each axis.
  function padding_of(line, stat_length, reflect_type) result(r)
    character(kind=c_char, len=*), intent(in), target :: line
    integer, intent(in), optional :: stat_length(:)
    character(len=*), intent(in), optional :: reflect_type
    type(padding) :: r(n_padding)
    r = padding(0, c_null_ptr, dims(0, 0), dims(0, 0))
    if (present(stat_length)) r(1) = padding(1, c_null_ptr, shape_of(stat_length), shape_of(stat_length))
    if (present(reflect_type)) r(2) = padding(2, c_loc(line), dims(0, 0), dims(0, 0))
  end function

  function c_text(p) result(r)
    type(c_ptr), intent(in) :: p
    character(len=:), allocatable :: r
    character(kind=c_char), pointer :: c(:)
    integer :: i
    call c_f_pointer(p, c, [c_strlen(p)])
    allocate (character(len=size(c)) :: r)
    do i = 1, size(c)
      r(i:i) = c(i)
    end do
  end function

  ! The window may run at the end of a call that writes.
  subroutine written(got, status)
    integer(c_int), intent(in) :: got
    integer, intent(out), optional :: status
    call settle(c_statement_end(got), status)
  end subroutine

  subroutine settle(got, status)
    integer(c_int), intent(in) :: got
    integer, intent(out), optional :: status
    if (present(status)) status = got
  end subroutine

  ! A program's beginning and end, errors.

  subroutine tsr_init(status)
    integer, intent(out), optional :: status
    integer :: got
    got = c_init(c_null_ptr, c_null_ptr)
    if (present(status)) then
      status = got
    else if (got /= 0) then
      stop 1, quiet=.true.
    end if
  end subroutine

  subroutine tsr_finalize(status)
    integer, intent(out), optional :: status
    integer :: got
    flush (6)
    got = c_finalize()
    call settle(got, status)
  end subroutine

  function tsr_version() result(r)
    character(len=:), allocatable :: r
    r = c_text(c_version())
  end function

  function tsr_last_error() result(r)
    character(len=:), allocatable :: r
    r = c_text(c_last_error())
  end function

  ! The status of the first error, which is taken; its text before that: tsr_last_error.
  integer function tsr_take_error()
    tsr_take_error = c_take_error(c_null_ptr, 0_c_size_t)
  end function

  subroutine tsr_set_error_mode(mode, before)
    integer, intent(in) :: mode
    integer, intent(out), optional :: before
    call settle(c_set_error_mode(mode), before)
  end subroutine

  ! Lives.

  function tsr_scope_open() result(r)
    type(tsr_scope) :: r
    r = c_scope_open(site(n_scope))
  end function

  subroutine block_open(this)
    class(tsr_block), intent(inout) :: this
    call tsr_scope_close(this%scope)
    this%scope = tsr_scope_open()
  end subroutine

  ! Of one that was never opened, or after the end of all: nothing.
  subroutine block_close(this)
    type(tsr_block), intent(inout) :: this
    call tsr_scope_close(this%scope)
  end subroutine

  type(tsr_array) function tsr_keep(x) result(r)
    type(tsr_array), intent(in) :: x
    r%id = c_moved(site(n_keep), x%id)
  end function

  type(tsr_array) function tsr_hold(x) result(r)
    type(tsr_array), intent(in) :: x
    r%id = c_held(site(n_hold), x%id)
  end function

  subroutine tsr_release(x)
    type(tsr_array), intent(inout) :: x
    call c_release(site(n_release), x%id)
  end subroutine

  ! y in the place and the scope of x, which is released.
  subroutine tsr_replace(x, y)
    type(tsr_array), intent(inout) :: x
    type(tsr_array), intent(in) :: y
    call c_replace(site(n_replace), x%id, y%id)
    call written(0_c_int)
  end subroutine

  ! Views, text, and what an array is.

  ! Python's slice of x, which counts from 0: tsr_slice(x, '1:-1, $', [i]).
  type(tsr_array) function tsr_slice(x, text, integers) result(r)
    type(tsr_array), intent(in) :: x
    character(len=*), intent(in) :: text
    integer, intent(in), optional :: integers(:)
    if (present(integers)) then
      r%id = c_slice(site(n_slice), x%id, trim(text) // nul, size(integers), int(integers, c_int64_t))
    else
      r%id = c_slice(site(n_slice), x%id, trim(text) // nul, 0, [0_c_int64_t])
    end if
  end function

  ! Fortran's x(first(1):last(1), first(2):last(2), …), which counts from 1 to the last inclusive, by steps.
  type(tsr_array) function tsr_section(x, first, last, step) result(r)
    type(tsr_array), intent(in) :: x
    integer, intent(in) :: first(:), last(:)
    integer, intent(in), optional :: step(:)
    type(slice_item) :: items(size(first))
    type(dims) :: of
    integer :: i, by
    if (size(last) /= size(first)) error stop 'tessera: the bounds of a section are of as many axes'
    if (present(step)) then
      if (size(step) /= size(first)) error stop 'tessera: the steps of a section are of as many axes as its bounds'
    end if
    of = c_shape(site(n_section), x%id)
    do i = 1, size(first)
      by = 1
      if (present(step)) by = step(i)
      items(i) = section_of(int(first(i), int64), int(last(i), int64), int(by, int64), of%n(min(i, max_ndim)))
    end do
    r%id = c_slice_items(site(n_section), x%id, size(first), items)
  end function

  ! first:last:by of an axis with n elements. Where it leaves the axis it is an index that does, which is an error.
  type(slice_item) function section_of(first, last, by, n) result(r)
    integer(int64), intent(in) :: first, last, by, n
    integer(int64) :: turns, outermost
    r = slice_item(0, .true., .true., .true., 0, 0, by)
    if (by == 0) return
    turns = (last - first + by)/by
    if (turns < 1) return
    outermost = first + (turns - 1)*by
    if (min(first, outermost) < 1) then
      r = slice_item(1, .true., .false., .false., min(first, outermost) - 1 - n, 0, 0)
    else if (max(first, outermost) > n) then
      r = slice_item(1, .true., .false., .false., max(first, outermost) - 1, 0, 0)
    else
      r%start = first - 1
      r%stop = merge(last, last - 2, by > 0)
      if (by < 0 .and. last < 2) r%has_stop = .false.
    end if
  end function

  ! Fortran knows no names of arguments: $1 is the first, tsr_eval('sqrt($1*$1 + $2*$2)', u, v).
  type(tsr_array) function tsr_eval(text, x1, x2, x3, x4, x5, x6, x7, x8) result(r)
    character(len=*), intent(in) :: text
    class(*), intent(in), optional :: x1, x2, x3, x4, x5, x6, x7, x8
    type(operand) :: xs(8)
    integer :: n
    call given(xs, n, x1, x2, x3, x4, x5, x6, x7, x8)
    r%id = c_eval(site(n_eval), trim(text) // nul, n, xs)
  end function

  subroutine tsr_exec(text, x1, x2, x3, x4, x5, x6, x7, x8, status)
    character(len=*), intent(in) :: text
    class(*), intent(in), optional :: x1, x2, x3, x4, x5, x6, x7, x8
    integer, intent(out), optional :: status
    type(operand) :: xs(8)
    integer :: n
    call given(xs, n, x1, x2, x3, x4, x5, x6, x7, x8)
    call written(c_exec(site(n_exec), trim(text) // nul, n, xs), status)
  end subroutine

  subroutine given(xs, n, x1, x2, x3, x4, x5, x6, x7, x8)
    type(operand), intent(out) :: xs(8)
    integer, intent(out) :: n
    class(*), intent(in), optional :: x1, x2, x3, x4, x5, x6, x7, x8
    n = count([present(x1), present(x2), present(x3), present(x4), present(x5), present(x6), present(x7), present(x8)])
    xs = [box_or(x1, 0), box_or(x2, 0), box_or(x3, 0), box_or(x4, 0), box_or(x5, 0), box_or(x6, 0), box_or(x7, 0), &
      box_or(x8, 0)]
  end subroutine

  ! start, start + step, … before stop.
  type(tsr_array) function tsr_arange(start, stop, step, dtype) result(r)
    class(*), intent(in) :: start, stop
    class(*), intent(in), optional :: step
    integer, intent(in), optional :: dtype
    r%id = c_arange(site(n_arange), box(start), box(stop), box_or(step, 1), int_or(dtype, tsr_float64))
  end function

  function tsr_shape(x) result(r)
    type(tsr_array), intent(in) :: x
    integer(int64), allocatable :: r(:)
    type(dims) :: of
    of = c_shape(site(n_shape), x%id)
    r = of%n(1:of%ndim)
  end function

  ! The host's arrays. Their columns are the library's last axis: a buffer is the array with its axes reversed.

  function buffer_of(n) result(r)
    integer(int64), intent(in) :: n(:)
    type(dims) :: r
    r = shape_of(n(size(n):1:-1))
  end function

  type(tsr_array) function from_buffer(data, dtype, n) result(r)
    type(c_ptr), intent(in) :: data
    integer, intent(in) :: dtype
    integer(int64), intent(in) :: n(:)
    type(tsr_array) :: buffer, turned
    buffer%id = c_from_host(site(n_from_host), data, dtype, buffer_of(n), 0, c_null_ptr)
    if (size(n) < 2) then
      r = buffer
      return
    end if
    turned = tsr_transpose(buffer)
    r = tsr_copy(turned)
    call tsr_release(turned)
    call tsr_release(buffer)
  end function

  ! As tsr_assign, x broadcasts to the array, and is cast as far as its kind allows.
  subroutine to_buffer(x, data, dtype, n, status)
    class(*), intent(in) :: x
    type(c_ptr), intent(in) :: data
    integer, intent(in) :: dtype
    integer(int64), intent(in) :: n(:)
    integer, intent(out), optional :: status
    type(tsr_array) :: buffer, turned
    integer :: got
    buffer = tsr_empty(n(size(n):1:-1), dtype)
    turned = tsr_transpose(buffer)
    call tsr_assign(turned, x, got)
    if (got == tsr_ok) got = c_to_host(site(n_to_host), box(buffer), data, 0, c_null_ptr)
    call tsr_release(turned)
    call tsr_release(buffer)
    if (present(status)) status = got
  end subroutine

  ! Memory: a task's arguments, and the tile of an array. `call tsr_view(argument, p)` gives p the elements, with the
  ! argument's axes reversed: p(j, i) is the element i - 1, j - 1 of the box, and the halo lies around, from 1 - before
  ! to n + after. p is not associated where there are no elements, where the dtype or the number of axes is another, or
  ! where no pointer reaches the elements: they repeat along an axis, or the axes lie in another order than C's.

  recursive type(tsr_task_argument) function tsr_task_in(box, k) result(r)
    type(tsr_task_box), intent(in) :: box
    integer, intent(in) :: k ! counts from 1, as `$1` does
    r = argument_of(box%in, int(box%n_in), k)
  end function

  recursive type(tsr_task_argument) function tsr_task_out(box, k) result(r)
    type(tsr_task_box), intent(in) :: box
    integer, intent(in) :: k
    r = argument_of(box%out, int(box%n_out), k)
  end function

  recursive type(tsr_task_argument) function argument_of(all, n, k) result(r)
    type(c_ptr), intent(in) :: all
    integer, intent(in) :: n, k
    type(tsr_task_argument), pointer :: list(:)
    if (k < 1 .or. k > n) error stop 'tessera: the box has no such argument'
    call c_f_pointer(all, list, [n])
    r = list(k)
  end function

  ! Lends this rank's part of x, with so many elements around it along each axis. Until tsr_local_end(tile) it stays
  ! where it is, and no call may write x, or read it where it is writable. Collective; waits.
  subroutine tsr_local(x, tile, halo, writable, status)
    type(tsr_array), intent(in) :: x
    type(tsr_local_tile), intent(out) :: tile
    integer, intent(in), optional :: halo(:)
    logical, intent(in), optional :: writable
    integer, intent(out), optional :: status
    integer(c_int64_t) :: widths(max_ndim)
    type(dims) :: of
    widths = 0
    if (present(halo)) then
      of = c_shape(site(n_local), x%id)
      if (of%ndim > 0) then ! 0 of a handle that is none, too, which the call refuses
        if (size(halo) /= of%ndim) error stop 'tessera: a halo has a width for each axis'
        widths(1:size(halo)) = halo
      end if
    end if
    call settle(c_local(site(n_local), x%id, widths, truth(writable), tile), status)
  end subroutine

  ! The new values of a writable tile count from here on. Collective.
  subroutine tsr_local_end(tile, status)
    type(tsr_local_tile), intent(inout) :: tile
    integer, intent(out), optional :: status
    call settle(c_local_end(tile), status)
  end subroutine

  ! A tile for tsr_view, with the halo that tsr_local was asked for: less where the array ends.
  type(tsr_task_argument) function tsr_tile_argument(tile, halo) result(r)
    type(tsr_local_tile), intent(in) :: tile
    integer, intent(in), optional :: halo(:)
    type(dims) :: of
    integer :: k
    r = tsr_task_argument(tile%data, tile%dtype, tile%ndim, tile%n, tile%stride_bytes, 0, 0)
    if (.not. present(halo) .or. .not. c_associated(tile%data)) return
    of = c_shape(site(n_local), tile%of)
    do k = 1, min(size(halo), int(tile%ndim))
      r%before(k) = min(int(halo(k), int64), tile%lo(k))
      r%after(k) = min(int(halo(k), int64), of%n(k) - tile%lo(k) - tile%n(k))
    end do
  end function

  recursive type(place) function place_of(argument, dtype, n_axes, size_bytes) result(r)
    type(tsr_task_argument), intent(in) :: argument
    integer, intent(in) :: dtype, n_axes
    integer(int64), intent(in) :: size_bytes
    integer(int64) :: n(3), by(3), at
    integer :: f, k
    r = place(.false., c_null_ptr, 1, 1, 1, 1, 1)
    if (argument%dtype /= dtype .or. argument%ndim /= n_axes .or. .not. c_associated(argument%data)) return
    at = transfer(argument%data, at)
    do f = 1, n_axes
      k = n_axes + 1 - f
      if (argument%shape(k) < 1 .or. mod(argument%stride_bytes(k), size_bytes) /= 0) return
      r%bounds(f) = 1 - argument%before(k)
      n(f) = argument%before(k) + argument%shape(k) + argument%after(k)
      by(f) = argument%stride_bytes(k)/size_bytes
      at = at - argument%before(k)*argument%stride_bytes(k)
      if (by(f) < 0) at = at + (n(f) - 1)*argument%stride_bytes(k)
    end do
    r%start = transfer(at, r%start)
    if (n(1) == 1) by(1) = 1
    do f = 2, n_axes ! an axis of one element takes the step of the next longer one, or is as wide as what lies below
      if (n(f) > 1) cycle
      by(f) = n(f - 1)*abs(by(f - 1))
      do k = n_axes, f + 1, -1
        if (n(k) > 1) by(f) = by(k)
      end do
    end do
    do f = 1, n_axes
      r%across(f) = n(f)
      if (f < n_axes) r%across(f) = abs(by(f + 1))
      if (f > 1 .and. f < n_axes .and. by(f) /= 0) then
        if (mod(by(f + 1), by(f)) /= 0) return
        r%across(f) = abs(by(f + 1)/by(f))
      end if
      r%step(f) = sign(merge(abs(by(f)), 1_int64, f == 1), by(f))
      r%last(f) = 1 + (n(f) - 1)*abs(r%step(f))
      if (f == n_axes) r%across(f) = r%last(f)
      if (by(f) == 0 .or. r%across(f) < r%last(f)) return
      if (by(f) > 0) cycle
      r%first(f) = r%last(f)
      r%last(f) = 1
    end do
    r%ok = .true.
  end function

  subroutine tsr_flush(status)
    integer, intent(out), optional :: status
    call settle(c_flush(site(n_flush)), status)
  end subroutine
  subroutine tsr_barrier(status)
    integer, intent(out), optional :: status
    call settle(c_barrier(site(n_barrier)), status)
  end subroutine
  real(real64) function tsr_time() result(r)
    r = c_time(site(n_time))
  end function
  type(tsr_array) function tsr_empty(shape, dtype) result(r)
    class(*), intent(in) :: shape(:)
    integer, intent(in), optional :: dtype
    r%id = c_empty(site(n_empty), shape_of(shape), int_or(dtype, tsr_float64))
  end function
  type(tsr_array) function tsr_zeros(shape, dtype) result(r)
    class(*), intent(in) :: shape(:)
    integer, intent(in), optional :: dtype
    r%id = c_zeros(site(n_zeros), shape_of(shape), int_or(dtype, tsr_float64))
  end function
  type(tsr_array) function tsr_ones(shape, dtype) result(r)
    class(*), intent(in) :: shape(:)
    integer, intent(in), optional :: dtype
    r%id = c_ones(site(n_ones), shape_of(shape), int_or(dtype, tsr_float64))
  end function
  type(tsr_array) function tsr_full(shape, value, dtype) result(r)
    class(*), intent(in) :: shape(:)
    class(*), intent(in) :: value
    integer, intent(in), optional :: dtype
    r%id = c_full(site(n_full), shape_of(shape), box(value), int_or(dtype, tsr_float64))
  end function
  type(tsr_array) function tsr_copy(x) result(r)
    class(*), intent(in) :: x
    r%id = c_copy(site(n_copy), box(x))
  end function
  type(tsr_array) function tsr_astype(x, dtype) result(r)
    class(*), intent(in) :: x
    integer, intent(in) :: dtype
    r%id = c_astype(site(n_astype), box(x), dtype)
  end function
  integer function tsr_ndim(x) result(r)
    type(tsr_array), intent(in) :: x
    r = c_ndim(site(n_ndim), x%id)
  end function
  integer(int64) function tsr_size(x) result(r)
    type(tsr_array), intent(in) :: x
    r = c_size(site(n_size), x%id)
  end function
  integer function tsr_dtype_of(x) result(r)
    type(tsr_array), intent(in) :: x
    r = c_dtype_of(site(n_dtype_of), x%id)
  end function
  integer function tsr_result_type(x) result(r)
    type(tsr_array), intent(in) :: x(:)
    r = c_result_type(site(n_result_type), size(x), boxes(x))
  end function
  type(tsr_array) function tsr_transpose(x, axes) result(r)
    type(tsr_array), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    r%id = c_transpose(site(n_transpose), x%id, axes_of(axes))
  end function
  type(tsr_array) function tsr_flip(x, axes) result(r)
    type(tsr_array), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    r%id = c_flip(site(n_flip), x%id, axes_of(axes))
  end function
  type(tsr_array) function tsr_broadcast_to(x, shape) result(r)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: shape(:)
    r%id = c_broadcast_to(site(n_broadcast_to), x%id, shape_of(shape))
  end function
  type(tsr_array) function tsr_diagonal(x, offset, axis1, axis2) result(r)
    type(tsr_array), intent(in) :: x
    class(*), intent(in), optional :: offset
    integer, intent(in), optional :: axis1
    integer, intent(in), optional :: axis2
    r%id = c_diagonal(site(n_diagonal), x%id, whole(offset, 0_int64), int_or(axis1, 0), int_or(axis2, 1))
  end function
  type(tsr_array) function tsr_expand_dims(x, axis) result(r)
    type(tsr_array), intent(in) :: x
    integer, intent(in) :: axis(:)
    r%id = c_expand_dims(site(n_expand_dims), x%id, axes_of(axis))
  end function
  type(tsr_array) function tsr_empty_like(x, dtype) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: dtype
    r%id = c_empty_like(site(n_empty_like), box(x), int_or(dtype, dtype_like))
  end function
  type(tsr_array) function tsr_zeros_like(x, dtype) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: dtype
    r%id = c_zeros_like(site(n_zeros_like), box(x), int_or(dtype, dtype_like))
  end function
  type(tsr_array) function tsr_ones_like(x, dtype) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: dtype
    r%id = c_ones_like(site(n_ones_like), box(x), int_or(dtype, dtype_like))
  end function
  type(tsr_array) function tsr_full_like(x, value, dtype) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: value
    integer, intent(in), optional :: dtype
    r%id = c_full_like(site(n_full_like), box(x), box(value), int_or(dtype, dtype_like))
  end function
  type(tsr_array) function tsr_linspace(start, stop, num, endpoint, dtype, axis) result(r)
    class(*), intent(in) :: start
    class(*), intent(in) :: stop
    class(*), intent(in), optional :: num
    logical, intent(in), optional :: endpoint
    integer, intent(in), optional :: dtype
    integer, intent(in), optional :: axis
    r%id = c_linspace(site(n_linspace), box(start), box(stop), whole(num, 50_int64), truth(endpoint, .true.), &
      int_or(dtype, tsr_float64), int_or(axis, 0))
  end function
  type(tsr_array) function tsr_logspace(start, stop, num, endpoint, base, dtype, axis) result(r)
    class(*), intent(in) :: start
    class(*), intent(in) :: stop
    class(*), intent(in), optional :: num
    logical, intent(in), optional :: endpoint
    class(*), intent(in), optional :: base
    integer, intent(in), optional :: dtype
    integer, intent(in), optional :: axis
    r%id = c_logspace(site(n_logspace), box(start), box(stop), whole(num, 50_int64), truth(endpoint, .true.), &
      number(base, 10.0_real64), int_or(dtype, tsr_float64), int_or(axis, 0))
  end function
  type(tsr_array) function tsr_geomspace(start, stop, num, endpoint, dtype, axis) result(r)
    class(*), intent(in) :: start
    class(*), intent(in) :: stop
    class(*), intent(in), optional :: num
    logical, intent(in), optional :: endpoint
    integer, intent(in), optional :: dtype
    integer, intent(in), optional :: axis
    r%id = c_geomspace(site(n_geomspace), box(start), box(stop), whole(num, 50_int64), truth(endpoint, .true.), &
      int_or(dtype, tsr_float64), int_or(axis, 0))
  end function
  type(tsr_array) function tsr_eye(n, m, k, dtype) result(r)
    class(*), intent(in) :: n
    class(*), intent(in), optional :: m
    class(*), intent(in), optional :: k
    integer, intent(in), optional :: dtype
    r%id = c_eye(site(n_eye), whole(n), whole(m, square), whole(k, 0_int64), int_or(dtype, tsr_float64))
  end function
  type(tsr_array) function tsr_identity(n, dtype) result(r)
    class(*), intent(in) :: n
    integer, intent(in), optional :: dtype
    r%id = c_identity(site(n_identity), whole(n), int_or(dtype, tsr_float64))
  end function
  type(tsr_array) function tsr_tri(n, m, k, dtype) result(r)
    class(*), intent(in) :: n
    class(*), intent(in), optional :: m
    class(*), intent(in), optional :: k
    integer, intent(in), optional :: dtype
    r%id = c_tri(site(n_tri), whole(n), whole(m, square), whole(k, 0_int64), int_or(dtype, tsr_float64))
  end function
  type(tsr_array) function tsr_tril(x, k) result(r)
    type(tsr_array), intent(in) :: x
    class(*), intent(in), optional :: k
    r%id = c_tril(site(n_tril), x%id, whole(k, 0_int64))
  end function
  type(tsr_array) function tsr_triu(x, k) result(r)
    type(tsr_array), intent(in) :: x
    class(*), intent(in), optional :: k
    r%id = c_triu(site(n_triu), x%id, whole(k, 0_int64))
  end function
  type(tsr_array) function tsr_diag(x, k) result(r)
    type(tsr_array), intent(in) :: x
    class(*), intent(in), optional :: k
    r%id = c_diag(site(n_diag), x%id, whole(k, 0_int64))
  end function
  type(tsr_array) function tsr_indices(shape, dtype) result(r)
    class(*), intent(in) :: shape(:)
    integer, intent(in), optional :: dtype
    r%id = c_indices(site(n_indices), shape_of(shape), int_or(dtype, tsr_int64))
  end function
  subroutine tsr_meshgrid(out, arrays, indexing, status)
    type(tsr_array), intent(inout) :: out(:)
    type(tsr_array), intent(in), target :: arrays(:)
    character(len=*), intent(in), optional :: indexing
    integer, intent(out), optional :: status
    integer(c_int64_t), target :: of_list(size(arrays))
    type(array_list) :: list
    integer(c_int64_t) :: ids(size(out))
    integer(c_int) :: got
    of_list = arrays%id
    list = array_list(size(of_list), c_loc(of_list))
    ids = out%id
    got = c_meshgrid(site(n_meshgrid), ids, list, text_or(indexing, 'xy'))
    out%id = ids
    call settle(got, status)
  end subroutine
  type(tsr_array) function tsr_squeeze(x, axes) result(r)
    type(tsr_array), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    r%id = c_squeeze(site(n_squeeze), x%id, axes_of(axes))
  end function
  type(tsr_array) function tsr_moveaxis(x, source, destination) result(r)
    type(tsr_array), intent(in) :: x
    integer, intent(in) :: source(:)
    integer, intent(in) :: destination(:)
    r%id = c_moveaxis(site(n_moveaxis), x%id, axes_of(source), axes_of(destination))
  end function
  type(tsr_array) function tsr_swapaxes(x, axis1, axis2) result(r)
    type(tsr_array), intent(in) :: x
    integer, intent(in) :: axis1
    integer, intent(in) :: axis2
    r%id = c_swapaxes(site(n_swapaxes), x%id, axis1, axis2)
  end function
  type(tsr_array) function tsr_flipud(x) result(r)
    type(tsr_array), intent(in) :: x
    r%id = c_flipud(site(n_flipud), x%id)
  end function
  type(tsr_array) function tsr_fliplr(x) result(r)
    type(tsr_array), intent(in) :: x
    r%id = c_fliplr(site(n_fliplr), x%id)
  end function
  type(tsr_array) function tsr_rot90(x, k, axes) result(r)
    type(tsr_array), intent(in) :: x
    integer, intent(in), optional :: k
    integer, intent(in), optional :: axes(:)
    r%id = c_rot90(site(n_rot90), x%id, int_or(k, 1), axes_of(axes))
  end function
  type(tsr_array) function tsr_atleast_1d(x) result(r)
    class(*), intent(in) :: x
    r%id = c_atleast_1d(site(n_atleast_1d), box(x))
  end function
  type(tsr_array) function tsr_atleast_2d(x) result(r)
    class(*), intent(in) :: x
    r%id = c_atleast_2d(site(n_atleast_2d), box(x))
  end function
  type(tsr_array) function tsr_atleast_3d(x) result(r)
    class(*), intent(in) :: x
    r%id = c_atleast_3d(site(n_atleast_3d), box(x))
  end function
  subroutine tsr_broadcast_arrays(out, arrays, status)
    type(tsr_array), intent(inout) :: out(:)
    type(tsr_array), intent(in), target :: arrays(:)
    integer, intent(out), optional :: status
    integer(c_int64_t), target :: of_list(size(arrays))
    type(array_list) :: list
    integer(c_int64_t) :: ids(size(out))
    integer(c_int) :: got
    of_list = arrays%id
    list = array_list(size(of_list), c_loc(of_list))
    ids = out%id
    got = c_broadcast_arrays(site(n_broadcast_arrays), ids, list)
    out%id = ids
    call settle(got, status)
  end subroutine
  type(tsr_array) function tsr_reshape(x, shape) result(r)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: shape(:)
    r%id = c_reshape(site(n_reshape), x%id, shape_of(shape))
  end function
  type(tsr_array) function tsr_ravel(x) result(r)
    type(tsr_array), intent(in) :: x
    r%id = c_ravel(site(n_ravel), x%id)
  end function
  type(tsr_array) function tsr_flatten(x) result(r)
    type(tsr_array), intent(in) :: x
    r%id = c_flatten(site(n_flatten), x%id)
  end function
  type(tsr_array) function tsr_roll(x, shift, axes) result(r)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: shift(:)
    integer, intent(in), optional :: axes(:)
    r%id = c_roll(site(n_roll), x%id, shape_of(shift), axes_of(axes))
  end function
  type(tsr_array) function tsr_concatenate(arrays, axis) result(r)
    type(tsr_array), intent(in), target :: arrays(:)
    integer, intent(in), optional :: axis
    integer(c_int64_t), target :: of_list(size(arrays))
    type(array_list) :: list
    of_list = arrays%id
    list = array_list(size(of_list), c_loc(of_list))
    r%id = c_concatenate(site(n_concatenate), list, int_or(axis, 0))
  end function
  type(tsr_array) function tsr_stack(arrays, axis) result(r)
    type(tsr_array), intent(in), target :: arrays(:)
    integer, intent(in), optional :: axis
    integer(c_int64_t), target :: of_list(size(arrays))
    type(array_list) :: list
    of_list = arrays%id
    list = array_list(size(of_list), c_loc(of_list))
    r%id = c_stack(site(n_stack), list, int_or(axis, 0))
  end function
  type(tsr_array) function tsr_vstack(arrays) result(r)
    type(tsr_array), intent(in), target :: arrays(:)
    integer(c_int64_t), target :: of_list(size(arrays))
    type(array_list) :: list
    of_list = arrays%id
    list = array_list(size(of_list), c_loc(of_list))
    r%id = c_vstack(site(n_vstack), list)
  end function
  type(tsr_array) function tsr_hstack(arrays) result(r)
    type(tsr_array), intent(in), target :: arrays(:)
    integer(c_int64_t), target :: of_list(size(arrays))
    type(array_list) :: list
    of_list = arrays%id
    list = array_list(size(of_list), c_loc(of_list))
    r%id = c_hstack(site(n_hstack), list)
  end function
  type(tsr_array) function tsr_dstack(arrays) result(r)
    type(tsr_array), intent(in), target :: arrays(:)
    integer(c_int64_t), target :: of_list(size(arrays))
    type(array_list) :: list
    of_list = arrays%id
    list = array_list(size(of_list), c_loc(of_list))
    r%id = c_dstack(site(n_dstack), list)
  end function
  type(tsr_array) function tsr_column_stack(arrays) result(r)
    type(tsr_array), intent(in), target :: arrays(:)
    integer(c_int64_t), target :: of_list(size(arrays))
    type(array_list) :: list
    of_list = arrays%id
    list = array_list(size(of_list), c_loc(of_list))
    r%id = c_column_stack(site(n_column_stack), list)
  end function
  subroutine tsr_split(out, x, sections, axis, status)
    type(tsr_array), intent(inout) :: out(:)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: sections
    integer, intent(in), optional :: axis
    integer, intent(out), optional :: status
    integer(c_int64_t) :: ids(size(out))
    integer(c_int) :: got
    ids = out%id
    got = c_split(site(n_split), ids, x%id, whole(sections), int_or(axis, 0))
    out%id = ids
    call settle(got, status)
  end subroutine
  subroutine tsr_array_split(out, x, sections, axis, status)
    type(tsr_array), intent(inout) :: out(:)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: sections
    integer, intent(in), optional :: axis
    integer, intent(out), optional :: status
    integer(c_int64_t) :: ids(size(out))
    integer(c_int) :: got
    ids = out%id
    got = c_array_split(site(n_array_split), ids, x%id, whole(sections), int_or(axis, 0))
    out%id = ids
    call settle(got, status)
  end subroutine
  type(tsr_array) function tsr_tile(x, repeats) result(r)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: repeats(:)
    r%id = c_tile(site(n_tile), x%id, shape_of(repeats))
  end function
  type(tsr_array) function tsr_repeat(x, repeats, axis) result(r)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: repeats
    integer, intent(in), optional :: axis(:)
    r%id = c_repeat(site(n_repeat), x%id, whole(repeats), axes_of(axis))
  end function
  type(tsr_array) function tsr_pad(x, before, after, mode, value, stat_length, reflect_type) result(r)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: before(:)
    class(*), intent(in) :: after(:)
    character(len=*), intent(in), optional :: mode
    class(*), intent(in), optional :: value
    integer, intent(in), optional :: stat_length(:)
    character(len=*), intent(in), optional :: reflect_type
    character(kind=c_char, len=:), allocatable, target :: line
    line = text_or(reflect_type, '')
    r%id = c_pad(site(n_pad), x%id, shape_of(before), shape_of(after), text_or(mode, 'constant'), box_or(value, 0), &
      n_padding, padding_of(line, stat_length, reflect_type))
  end function
  logical function tsr_allclose(x, y, rtol, atol, equal_nan) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    class(*), intent(in), optional :: rtol
    class(*), intent(in), optional :: atol
    logical, intent(in), optional :: equal_nan
    r = c_allclose(site(n_allclose), box(x), box(y), number(rtol, 1e-5_real64), number(atol, 1e-8_real64), &
      truth(equal_nan, .false.))
  end function
  logical function tsr_shares_memory(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r = c_shares_memory(site(n_shares_memory), box(x), box(y))
  end function
  logical function tsr_may_share_memory(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r = c_may_share_memory(site(n_may_share_memory), box(x), box(y))
  end function
  logical function tsr_array_equal(x, y, equal_nan) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    logical, intent(in), optional :: equal_nan
    r = c_array_equal(site(n_array_equal), box(x), box(y), truth(equal_nan, .false.))
  end function
  type(tsr_array) function tsr_add(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_add(site(n_add), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_subtract(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_subtract(site(n_subtract), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_multiply(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_multiply(site(n_multiply), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_divide(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_divide(site(n_divide), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_negative(x) result(r)
    class(*), intent(in) :: x
    r%id = c_negative(site(n_negative), 1, [box(x)])
  end function
  type(tsr_array) function tsr_absolute(x) result(r)
    class(*), intent(in) :: x
    r%id = c_absolute(site(n_absolute), 1, [box(x)])
  end function
  type(tsr_array) function tsr_minimum(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_minimum(site(n_minimum), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_maximum(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_maximum(site(n_maximum), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_sqrt(x) result(r)
    class(*), intent(in) :: x
    r%id = c_sqrt(site(n_sqrt), 1, [box(x)])
  end function
  type(tsr_array) function tsr_square(x) result(r)
    class(*), intent(in) :: x
    r%id = c_square(site(n_square), 1, [box(x)])
  end function
  type(tsr_array) function tsr_exp(x) result(r)
    class(*), intent(in) :: x
    r%id = c_exp(site(n_exp), 1, [box(x)])
  end function
  type(tsr_array) function tsr_expm1(x) result(r)
    class(*), intent(in) :: x
    r%id = c_expm1(site(n_expm1), 1, [box(x)])
  end function
  type(tsr_array) function tsr_log(x) result(r)
    class(*), intent(in) :: x
    r%id = c_log(site(n_log), 1, [box(x)])
  end function
  type(tsr_array) function tsr_log1p(x) result(r)
    class(*), intent(in) :: x
    r%id = c_log1p(site(n_log1p), 1, [box(x)])
  end function
  type(tsr_array) function tsr_tanh(x) result(r)
    class(*), intent(in) :: x
    r%id = c_tanh(site(n_tanh), 1, [box(x)])
  end function
  type(tsr_array) function tsr_erf(x) result(r)
    class(*), intent(in) :: x
    r%id = c_erf(site(n_erf), 1, [box(x)])
  end function
  type(tsr_array) function tsr_erfc(x) result(r)
    class(*), intent(in) :: x
    r%id = c_erfc(site(n_erfc), 1, [box(x)])
  end function
  type(tsr_array) function tsr_sin(x) result(r)
    class(*), intent(in) :: x
    r%id = c_sin(site(n_sin), 1, [box(x)])
  end function
  type(tsr_array) function tsr_cos(x) result(r)
    class(*), intent(in) :: x
    r%id = c_cos(site(n_cos), 1, [box(x)])
  end function
  type(tsr_array) function tsr_power(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_power(site(n_power), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_hypot(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_hypot(site(n_hypot), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_equal(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_equal(site(n_equal), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_not_equal(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_not_equal(site(n_not_equal), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_less(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_less(site(n_less), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_less_equal(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_less_equal(site(n_less_equal), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_greater(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_greater(site(n_greater), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_greater_equal(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_greater_equal(site(n_greater_equal), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_logical_and(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_logical_and(site(n_logical_and), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_logical_or(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_logical_or(site(n_logical_or), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_logical_xor(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_logical_xor(site(n_logical_xor), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_logical_not(x) result(r)
    class(*), intent(in) :: x
    r%id = c_logical_not(site(n_logical_not), 1, [box(x)])
  end function
  type(tsr_array) function tsr_where(condition, y, z) result(r)
    class(*), intent(in) :: condition
    class(*), intent(in) :: y
    class(*), intent(in) :: z
    r%id = c_where(site(n_where), 3, [box(condition), box(y), box(z)])
  end function
  type(tsr_array) function tsr_positive(x) result(r)
    class(*), intent(in) :: x
    r%id = c_positive(site(n_positive), 1, [box(x)])
  end function
  type(tsr_array) function tsr_sign(x) result(r)
    class(*), intent(in) :: x
    r%id = c_sign(site(n_sign), 1, [box(x)])
  end function
  type(tsr_array) function tsr_reciprocal(x) result(r)
    class(*), intent(in) :: x
    r%id = c_reciprocal(site(n_reciprocal), 1, [box(x)])
  end function
  type(tsr_array) function tsr_floor_divide(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_floor_divide(site(n_floor_divide), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_remainder(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_remainder(site(n_remainder), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_fmod(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_fmod(site(n_fmod), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_fmin(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_fmin(site(n_fmin), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_fmax(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_fmax(site(n_fmax), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_clip(x, low, high) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: low
    class(*), intent(in) :: high
    r%id = c_clip(site(n_clip), 3, [box(x), box(low), box(high)])
  end function
  type(tsr_array) function tsr_floor(x) result(r)
    class(*), intent(in) :: x
    r%id = c_floor(site(n_floor), 1, [box(x)])
  end function
  type(tsr_array) function tsr_ceil(x) result(r)
    class(*), intent(in) :: x
    r%id = c_ceil(site(n_ceil), 1, [box(x)])
  end function
  type(tsr_array) function tsr_trunc(x) result(r)
    class(*), intent(in) :: x
    r%id = c_trunc(site(n_trunc), 1, [box(x)])
  end function
  type(tsr_array) function tsr_rint(x) result(r)
    class(*), intent(in) :: x
    r%id = c_rint(site(n_rint), 1, [box(x)])
  end function
  type(tsr_array) function tsr_isnan(x) result(r)
    class(*), intent(in) :: x
    r%id = c_isnan(site(n_isnan), 1, [box(x)])
  end function
  type(tsr_array) function tsr_isinf(x) result(r)
    class(*), intent(in) :: x
    r%id = c_isinf(site(n_isinf), 1, [box(x)])
  end function
  type(tsr_array) function tsr_isfinite(x) result(r)
    class(*), intent(in) :: x
    r%id = c_isfinite(site(n_isfinite), 1, [box(x)])
  end function
  type(tsr_array) function tsr_signbit(x) result(r)
    class(*), intent(in) :: x
    r%id = c_signbit(site(n_signbit), 1, [box(x)])
  end function
  type(tsr_array) function tsr_copysign(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_copysign(site(n_copysign), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_nextafter(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_nextafter(site(n_nextafter), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_ldexp(x, n) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: n
    r%id = c_ldexp(site(n_ldexp), 2, [box(x), box(n)])
  end function
  type(tsr_array) function tsr_frexp_mantissa(x) result(r)
    class(*), intent(in) :: x
    r%id = c_frexp_mantissa(site(n_frexp_mantissa), 1, [box(x)])
  end function
  type(tsr_array) function tsr_frexp_exponent(x) result(r)
    class(*), intent(in) :: x
    r%id = c_frexp_exponent(site(n_frexp_exponent), 1, [box(x)])
  end function
  type(tsr_array) function tsr_heaviside(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_heaviside(site(n_heaviside), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_exp2(x) result(r)
    class(*), intent(in) :: x
    r%id = c_exp2(site(n_exp2), 1, [box(x)])
  end function
  type(tsr_array) function tsr_log2(x) result(r)
    class(*), intent(in) :: x
    r%id = c_log2(site(n_log2), 1, [box(x)])
  end function
  type(tsr_array) function tsr_log10(x) result(r)
    class(*), intent(in) :: x
    r%id = c_log10(site(n_log10), 1, [box(x)])
  end function
  type(tsr_array) function tsr_cbrt(x) result(r)
    class(*), intent(in) :: x
    r%id = c_cbrt(site(n_cbrt), 1, [box(x)])
  end function
  type(tsr_array) function tsr_logaddexp(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_logaddexp(site(n_logaddexp), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_tan(x) result(r)
    class(*), intent(in) :: x
    r%id = c_tan(site(n_tan), 1, [box(x)])
  end function
  type(tsr_array) function tsr_arcsin(x) result(r)
    class(*), intent(in) :: x
    r%id = c_arcsin(site(n_arcsin), 1, [box(x)])
  end function
  type(tsr_array) function tsr_arccos(x) result(r)
    class(*), intent(in) :: x
    r%id = c_arccos(site(n_arccos), 1, [box(x)])
  end function
  type(tsr_array) function tsr_arctan(x) result(r)
    class(*), intent(in) :: x
    r%id = c_arctan(site(n_arctan), 1, [box(x)])
  end function
  type(tsr_array) function tsr_arctan2(y, x) result(r)
    class(*), intent(in) :: y
    class(*), intent(in) :: x
    r%id = c_arctan2(site(n_arctan2), 2, [box(y), box(x)])
  end function
  type(tsr_array) function tsr_sinh(x) result(r)
    class(*), intent(in) :: x
    r%id = c_sinh(site(n_sinh), 1, [box(x)])
  end function
  type(tsr_array) function tsr_cosh(x) result(r)
    class(*), intent(in) :: x
    r%id = c_cosh(site(n_cosh), 1, [box(x)])
  end function
  type(tsr_array) function tsr_arcsinh(x) result(r)
    class(*), intent(in) :: x
    r%id = c_arcsinh(site(n_arcsinh), 1, [box(x)])
  end function
  type(tsr_array) function tsr_arccosh(x) result(r)
    class(*), intent(in) :: x
    r%id = c_arccosh(site(n_arccosh), 1, [box(x)])
  end function
  type(tsr_array) function tsr_arctanh(x) result(r)
    class(*), intent(in) :: x
    r%id = c_arctanh(site(n_arctanh), 1, [box(x)])
  end function
  type(tsr_array) function tsr_gamma(x) result(r)
    class(*), intent(in) :: x
    r%id = c_gamma(site(n_gamma), 1, [box(x)])
  end function
  type(tsr_array) function tsr_lgamma(x) result(r)
    class(*), intent(in) :: x
    r%id = c_lgamma(site(n_lgamma), 1, [box(x)])
  end function
  type(tsr_array) function tsr_deg2rad(x) result(r)
    class(*), intent(in) :: x
    r%id = c_deg2rad(site(n_deg2rad), 1, [box(x)])
  end function
  type(tsr_array) function tsr_rad2deg(x) result(r)
    class(*), intent(in) :: x
    r%id = c_rad2deg(site(n_rad2deg), 1, [box(x)])
  end function
  type(tsr_array) function tsr_sinc(x) result(r)
    class(*), intent(in) :: x
    r%id = c_sinc(site(n_sinc), 1, [box(x)])
  end function
  type(tsr_array) function tsr_bitwise_and(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_bitwise_and(site(n_bitwise_and), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_bitwise_or(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_bitwise_or(site(n_bitwise_or), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_bitwise_xor(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_bitwise_xor(site(n_bitwise_xor), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_invert(x) result(r)
    class(*), intent(in) :: x
    r%id = c_invert(site(n_invert), 1, [box(x)])
  end function
  type(tsr_array) function tsr_left_shift(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_left_shift(site(n_left_shift), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_right_shift(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_right_shift(site(n_right_shift), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_gcd(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_gcd(site(n_gcd), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_lcm(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_lcm(site(n_lcm), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_real(x) result(r)
    class(*), intent(in) :: x
    r%id = c_real(site(n_real), 1, [box(x)])
  end function
  type(tsr_array) function tsr_imag(x) result(r)
    class(*), intent(in) :: x
    r%id = c_imag(site(n_imag), 1, [box(x)])
  end function
  type(tsr_array) function tsr_conj(x) result(r)
    class(*), intent(in) :: x
    r%id = c_conj(site(n_conj), 1, [box(x)])
  end function
  type(tsr_array) function tsr_complex(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_complex(site(n_complex), 2, [box(x), box(y)])
  end function
  type(tsr_array) function tsr_isclose(x, y, rtol, atol, equal_nan) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    class(*), intent(in), optional :: rtol
    class(*), intent(in), optional :: atol
    logical, intent(in), optional :: equal_nan
    r%id = c_isclose(site(n_isclose), box(x), box(y), number(rtol, 1e-5_real64), number(atol, 1e-8_real64), &
      truth(equal_nan, .false.))
  end function
  type(tsr_array) function tsr_round(x, decimals) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: decimals
    r%id = c_round(site(n_round), box(x), int_or(decimals, 0))
  end function
  type(tsr_array) function tsr_angle(x) result(r)
    class(*), intent(in) :: x
    r%id = c_angle(site(n_angle), box(x))
  end function
  type(tsr_array) function tsr_logaddexp2(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_logaddexp2(site(n_logaddexp2), box(x), box(y))
  end function
  type(tsr_array) function tsr_float_power(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_float_power(site(n_float_power), box(x), box(y))
  end function
  subroutine tsr_divmod(out, x, y, status)
    type(tsr_array), intent(inout) :: out(:)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    integer, intent(out), optional :: status
    integer(c_int64_t) :: ids(size(out))
    integer(c_int) :: got
    ids = out%id
    got = c_divmod(site(n_divmod), ids, box(x), box(y))
    out%id = ids
    call settle(got, status)
  end subroutine
  subroutine tsr_frexp(out, x, status)
    type(tsr_array), intent(inout) :: out(:)
    class(*), intent(in) :: x
    integer, intent(out), optional :: status
    integer(c_int64_t) :: ids(size(out))
    integer(c_int) :: got
    ids = out%id
    got = c_frexp(site(n_frexp), ids, box(x))
    out%id = ids
    call settle(got, status)
  end subroutine
  subroutine tsr_modf(out, x, status)
    type(tsr_array), intent(inout) :: out(:)
    class(*), intent(in) :: x
    integer, intent(out), optional :: status
    integer(c_int64_t) :: ids(size(out))
    integer(c_int) :: got
    ids = out%id
    got = c_modf(site(n_modf), ids, box(x))
    out%id = ids
    call settle(got, status)
  end subroutine
  type(tsr_array) function tsr_sum(x, axes, keepdims, where, initial, dtype) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    class(*), intent(in), optional :: where
    class(*), intent(in), optional :: initial
    integer, intent(in), optional :: dtype
    r%id = c_sum(site(n_sum), box(x), 1, [axes_of(axes=axes, keepdims=keepdims, where=where, initial=initial, &
      dtype=dtype)])
  end function
  type(tsr_array) function tsr_prod(x, axes, keepdims, where, initial, dtype) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    class(*), intent(in), optional :: where
    class(*), intent(in), optional :: initial
    integer, intent(in), optional :: dtype
    r%id = c_prod(site(n_prod), box(x), 1, [axes_of(axes=axes, keepdims=keepdims, where=where, initial=initial, &
      dtype=dtype)])
  end function
  type(tsr_array) function tsr_min(x, axes, keepdims, where, initial) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    class(*), intent(in), optional :: where
    class(*), intent(in), optional :: initial
    r%id = c_min(site(n_min), box(x), 1, [axes_of(axes=axes, keepdims=keepdims, where=where, initial=initial)])
  end function
  type(tsr_array) function tsr_max(x, axes, keepdims, where, initial) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    class(*), intent(in), optional :: where
    class(*), intent(in), optional :: initial
    r%id = c_max(site(n_max), box(x), 1, [axes_of(axes=axes, keepdims=keepdims, where=where, initial=initial)])
  end function
  type(tsr_array) function tsr_mean(x, axes, keepdims, where, dtype) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    class(*), intent(in), optional :: where
    integer, intent(in), optional :: dtype
    r%id = c_mean(site(n_mean), box(x), 1, [axes_of(axes=axes, keepdims=keepdims, where=where, dtype=dtype)])
  end function
  type(tsr_array) function tsr_any(x, axes, keepdims, where) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    class(*), intent(in), optional :: where
    r%id = c_any(site(n_any), box(x), 1, [axes_of(axes=axes, keepdims=keepdims, where=where)])
  end function
  type(tsr_array) function tsr_all(x, axes, keepdims, where) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    class(*), intent(in), optional :: where
    r%id = c_all(site(n_all), box(x), 1, [axes_of(axes=axes, keepdims=keepdims, where=where)])
  end function
  type(tsr_array) function tsr_argmin(x, axes, keepdims) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    r%id = c_argmin(site(n_argmin), box(x), 1, [axes_of(axes=axes, keepdims=keepdims)])
  end function
  type(tsr_array) function tsr_argmax(x, axes, keepdims) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    r%id = c_argmax(site(n_argmax), box(x), 1, [axes_of(axes=axes, keepdims=keepdims)])
  end function
  type(tsr_array) function tsr_rng_uniform(rng, low, high, shape, dtype) result(r)
    type(tsr_rng), intent(inout) :: rng
    class(*), intent(in) :: low
    class(*), intent(in) :: high
    class(*), intent(in) :: shape(:)
    integer, intent(in), optional :: dtype
    r%id = c_rng_uniform(site(n_rng_uniform), rng, box(low), box(high), shape_of(shape), int_or(dtype, tsr_float64))
  end function
  type(tsr_array) function tsr_rng_normal(rng, loc, scale, shape, dtype) result(r)
    type(tsr_rng), intent(inout) :: rng
    class(*), intent(in) :: loc
    class(*), intent(in) :: scale
    class(*), intent(in) :: shape(:)
    integer, intent(in), optional :: dtype
    r%id = c_rng_normal(site(n_rng_normal), rng, box(loc), box(scale), shape_of(shape), int_or(dtype, tsr_float64))
  end function
  type(tsr_array) function tsr_rng_exponential(rng, scale, shape, dtype) result(r)
    type(tsr_rng), intent(inout) :: rng
    class(*), intent(in) :: scale
    class(*), intent(in) :: shape(:)
    integer, intent(in), optional :: dtype
    r%id = c_rng_exponential(site(n_rng_exponential), rng, box(scale), shape_of(shape), int_or(dtype, tsr_float64))
  end function
  type(tsr_array) function tsr_rng_integers(rng, low, high, shape, dtype) result(r)
    type(tsr_rng), intent(inout) :: rng
    class(*), intent(in) :: low
    class(*), intent(in) :: high
    class(*), intent(in) :: shape(:)
    integer, intent(in), optional :: dtype
    r%id = c_rng_integers(site(n_rng_integers), rng, box(low), box(high), shape_of(shape), int_or(dtype, tsr_int64))
  end function
  type(tsr_array) function tsr_rng_permutation(rng, x) result(r)
    type(tsr_rng), intent(inout) :: rng
    class(*), intent(in) :: x
    r%id = c_rng_permutation(site(n_rng_permutation), rng, box(x))
  end function
  subroutine tsr_rng_shuffle(rng, x, status)
    type(tsr_rng), intent(inout) :: rng
    type(tsr_array), intent(in) :: x
    integer, intent(out), optional :: status
    call settle(c_rng_shuffle(site(n_rng_shuffle), rng, x%id), status)
  end subroutine
  type(tsr_array) function tsr_rng_choice(rng, x, shape, replace) result(r)
    type(tsr_rng), intent(inout) :: rng
    class(*), intent(in) :: x
    class(*), intent(in) :: shape(:)
    logical, intent(in), optional :: replace
    r%id = c_rng_choice(site(n_rng_choice), rng, box(x), shape_of(shape), truth(replace, .true.))
  end function
  type(tsr_array) function tsr_count_nonzero(x, axes, keepdims) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    r%id = c_count_nonzero(site(n_count_nonzero), box(x), 1, [axes_of(axes=axes, keepdims=keepdims)])
  end function
  type(tsr_array) function tsr_ptp(x, axes, keepdims) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    r%id = c_ptp(site(n_ptp), box(x), 1, [axes_of(axes=axes, keepdims=keepdims)])
  end function
  type(tsr_array) function tsr_var(x, axes, keepdims, ddof, where, dtype) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    class(*), intent(in), optional :: ddof
    class(*), intent(in), optional :: where
    integer, intent(in), optional :: dtype
    r%id = c_var(site(n_var), box(x), 1, [axes_of(axes=axes, keepdims=keepdims, ddof=ddof, where=where, &
      dtype=dtype)])
  end function
  type(tsr_array) function tsr_std(x, axes, keepdims, ddof, where, dtype) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    class(*), intent(in), optional :: ddof
    class(*), intent(in), optional :: where
    integer, intent(in), optional :: dtype
    r%id = c_std(site(n_std), box(x), 1, [axes_of(axes=axes, keepdims=keepdims, ddof=ddof, where=where, &
      dtype=dtype)])
  end function
  type(tsr_array) function tsr_nansum(x, axes, keepdims, where, initial, dtype) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    class(*), intent(in), optional :: where
    class(*), intent(in), optional :: initial
    integer, intent(in), optional :: dtype
    r%id = c_nansum(site(n_nansum), box(x), 1, [axes_of(axes=axes, keepdims=keepdims, where=where, initial=initial, &
      dtype=dtype)])
  end function
  type(tsr_array) function tsr_nanprod(x, axes, keepdims, where, initial, dtype) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    class(*), intent(in), optional :: where
    class(*), intent(in), optional :: initial
    integer, intent(in), optional :: dtype
    r%id = c_nanprod(site(n_nanprod), box(x), 1, [axes_of(axes=axes, keepdims=keepdims, where=where, &
      initial=initial, dtype=dtype)])
  end function
  type(tsr_array) function tsr_nanmin(x, axes, keepdims, where, initial) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    class(*), intent(in), optional :: where
    class(*), intent(in), optional :: initial
    r%id = c_nanmin(site(n_nanmin), box(x), 1, [axes_of(axes=axes, keepdims=keepdims, where=where, &
      initial=initial)])
  end function
  type(tsr_array) function tsr_nanmax(x, axes, keepdims, where, initial) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    class(*), intent(in), optional :: where
    class(*), intent(in), optional :: initial
    r%id = c_nanmax(site(n_nanmax), box(x), 1, [axes_of(axes=axes, keepdims=keepdims, where=where, &
      initial=initial)])
  end function
  type(tsr_array) function tsr_nanmean(x, axes, keepdims, where, dtype) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    class(*), intent(in), optional :: where
    integer, intent(in), optional :: dtype
    r%id = c_nanmean(site(n_nanmean), box(x), 1, [axes_of(axes=axes, keepdims=keepdims, where=where, dtype=dtype)])
  end function
  type(tsr_array) function tsr_nanvar(x, axes, keepdims, ddof, where, dtype) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    class(*), intent(in), optional :: ddof
    class(*), intent(in), optional :: where
    integer, intent(in), optional :: dtype
    r%id = c_nanvar(site(n_nanvar), box(x), 1, [axes_of(axes=axes, keepdims=keepdims, ddof=ddof, where=where, &
      dtype=dtype)])
  end function
  type(tsr_array) function tsr_nanstd(x, axes, keepdims, ddof, where, dtype) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    class(*), intent(in), optional :: ddof
    class(*), intent(in), optional :: where
    integer, intent(in), optional :: dtype
    r%id = c_nanstd(site(n_nanstd), box(x), 1, [axes_of(axes=axes, keepdims=keepdims, ddof=ddof, where=where, &
      dtype=dtype)])
  end function
  type(tsr_array) function tsr_nanargmin(x, axes, keepdims) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    r%id = c_nanargmin(site(n_nanargmin), box(x), 1, [axes_of(axes=axes, keepdims=keepdims)])
  end function
  type(tsr_array) function tsr_nanargmax(x, axes, keepdims) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    r%id = c_nanargmax(site(n_nanargmax), box(x), 1, [axes_of(axes=axes, keepdims=keepdims)])
  end function
  type(tsr_array) function tsr_norm(x, axes, keepdims, ord) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    class(*), intent(in), optional :: ord
    r%id = c_norm(site(n_norm), box(x), 1, [axes_of(axes=axes, keepdims=keepdims, ord=ord)])
  end function
  type(tsr_array) function tsr_average(x, weights, axes, keepdims) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: weights
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    r%id = c_average(site(n_average), box(x), box(weights), 1, [axes_of(axes=axes, keepdims=keepdims)])
  end function
  type(tsr_array) function tsr_median(x, axes, keepdims) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    r%id = c_median(site(n_median), box(x), 1, [axes_of(axes=axes, keepdims=keepdims)])
  end function
  type(tsr_array) function tsr_quantile(x, q, axes, keepdims, method, weights) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: q
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    character(len=*), intent(in), optional :: method
    class(*), intent(in), optional :: weights
    character(kind=c_char, len=:), allocatable, target :: line
    line = text_or(method, '')
    r%id = c_quantile(site(n_quantile), box(x), box(q), 1, [axes_of(axes=axes, keepdims=keepdims, weights=weights, &
      method=line)])
  end function
  type(tsr_array) function tsr_percentile(x, q, axes, keepdims, method, weights) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: q
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    character(len=*), intent(in), optional :: method
    class(*), intent(in), optional :: weights
    character(kind=c_char, len=:), allocatable, target :: line
    line = text_or(method, '')
    r%id = c_percentile(site(n_percentile), box(x), box(q), 1, [axes_of(axes=axes, keepdims=keepdims, &
      weights=weights, method=line)])
  end function
  type(tsr_array) function tsr_nanmedian(x, axes, keepdims) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    r%id = c_nanmedian(site(n_nanmedian), box(x), 1, [axes_of(axes=axes, keepdims=keepdims)])
  end function
  type(tsr_array) function tsr_nanquantile(x, q, axes, keepdims, method, weights) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: q
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    character(len=*), intent(in), optional :: method
    class(*), intent(in), optional :: weights
    character(kind=c_char, len=:), allocatable, target :: line
    line = text_or(method, '')
    r%id = c_nanquantile(site(n_nanquantile), box(x), box(q), 1, [axes_of(axes=axes, keepdims=keepdims, &
      weights=weights, method=line)])
  end function
  type(tsr_array) function tsr_nanpercentile(x, q, axes, keepdims, method, weights) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: q
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    character(len=*), intent(in), optional :: method
    class(*), intent(in), optional :: weights
    character(kind=c_char, len=:), allocatable, target :: line
    line = text_or(method, '')
    r%id = c_nanpercentile(site(n_nanpercentile), box(x), box(q), 1, [axes_of(axes=axes, keepdims=keepdims, &
      weights=weights, method=line)])
  end function
  type(tsr_array) function tsr_cumsum(x, axis, dtype) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axis
    integer, intent(in), optional :: dtype
    r%id = c_cumsum(site(n_cumsum), box(x), int_or(axis, only_axis), int_or(dtype, dtype_like))
  end function
  type(tsr_array) function tsr_cumprod(x, axis, dtype) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axis
    integer, intent(in), optional :: dtype
    r%id = c_cumprod(site(n_cumprod), box(x), int_or(axis, only_axis), int_or(dtype, dtype_like))
  end function
  type(tsr_array) function tsr_cummax(x, axis) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axis
    r%id = c_cummax(site(n_cummax), box(x), int_or(axis, only_axis))
  end function
  type(tsr_array) function tsr_cummin(x, axis) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: axis
    r%id = c_cummin(site(n_cummin), box(x), int_or(axis, only_axis))
  end function
  type(tsr_array) function tsr_diff(x, times, axis, prepend, append) result(r)
    class(*), intent(in) :: x
    integer, intent(in), optional :: times
    integer, intent(in), optional :: axis
    class(*), intent(in), optional :: prepend
    class(*), intent(in), optional :: append
    r%id = c_diff(site(n_diff), box(x), int_or(times, 1), int_or(axis, -1), box_or_none(prepend), &
      box_or_none(append))
  end function
  type(tsr_array) function tsr_trapezoid(y, x, axis) result(r)
    class(*), intent(in) :: y
    class(*), intent(in), optional :: x
    integer, intent(in), optional :: axis
    r%id = c_trapezoid(site(n_trapezoid), box(y), box_or(x, 1), int_or(axis, -1))
  end function
  type(tsr_array) function tsr_inner(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_inner(site(n_inner), box(x), box(y))
  end function
  type(tsr_array) function tsr_dot(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_dot(site(n_dot), box(x), box(y))
  end function
  type(tsr_array) function tsr_vdot(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_vdot(site(n_vdot), box(x), box(y))
  end function
  type(tsr_array) function tsr_outer(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_outer(site(n_outer), box(x), box(y))
  end function
  type(tsr_array) function tsr_vecdot(x, y, axis) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    integer, intent(in), optional :: axis
    r%id = c_vecdot(site(n_vecdot), box(x), box(y), int_or(axis, -1))
  end function
  type(tsr_array) function tsr_cross(x, y, axis) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    integer, intent(in), optional :: axis
    r%id = c_cross(site(n_cross), box(x), box(y), int_or(axis, -1))
  end function
  type(tsr_array) function tsr_kron(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_kron(site(n_kron), box(x), box(y))
  end function
  type(tsr_array) function tsr_trace(x, offset, axis1, axis2) result(r)
    class(*), intent(in) :: x
    class(*), intent(in), optional :: offset
    integer, intent(in), optional :: axis1
    integer, intent(in), optional :: axis2
    r%id = c_trace(site(n_trace), box(x), whole(offset, 0_int64), int_or(axis1, 0), int_or(axis2, 1))
  end function
  type(tsr_array) function tsr_ufunc_reduce(ufunc, x, axes, keepdims, where, initial, dtype) result(r)
    character(len=*), intent(in) :: ufunc
    class(*), intent(in) :: x
    integer, intent(in), optional :: axes(:)
    logical, intent(in), optional :: keepdims
    class(*), intent(in), optional :: where
    class(*), intent(in), optional :: initial
    integer, intent(in), optional :: dtype
    r%id = c_ufunc_reduce(site(n_ufunc_reduce), trim(ufunc) // nul, box(x), 1, [axes_of(axes=axes, &
      keepdims=keepdims, where=where, initial=initial, dtype=dtype)])
  end function
  type(tsr_array) function tsr_ufunc_accumulate(ufunc, x, axis, dtype) result(r)
    character(len=*), intent(in) :: ufunc
    class(*), intent(in) :: x
    integer, intent(in), optional :: axis
    integer, intent(in), optional :: dtype
    r%id = c_ufunc_accumulate(site(n_ufunc_accumulate), trim(ufunc) // nul, box(x), int_or(axis, 0), int_or(dtype, &
      dtype_like))
  end function
  type(tsr_array) function tsr_ufunc_outer(ufunc, x, y) result(r)
    character(len=*), intent(in) :: ufunc
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_ufunc_outer(site(n_ufunc_outer), trim(ufunc) // nul, box(x), box(y))
  end function
  type(tsr_array) function tsr_matmul(x, y) result(r)
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_matmul(site(n_matmul), box(x), box(y))
  end function
  subroutine tsr_matmul_into(target, x, y, status)
    type(tsr_array), intent(in) :: target
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    integer, intent(out), optional :: status
    call written(c_matmul_into(site(n_matmul_into), target%id, box(x), box(y)), status)
  end subroutine
  type(tsr_array) function tsr_einsum(subscripts, x, y) result(r)
    character(len=*), intent(in) :: subscripts
    class(*), intent(in) :: x
    class(*), intent(in) :: y
    r%id = c_einsum(site(n_einsum), trim(subscripts) // nul, 2, [box(x), box(y)])
  end function
  subroutine tsr_assign(target, value, status)
    type(tsr_array), intent(in) :: target
    class(*), intent(in) :: value
    integer, intent(out), optional :: status
    call written(c_assign(site(n_assign), target%id, box(value)), status)
  end subroutine
  subroutine tsr_iadd(x, y, status)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: y
    integer, intent(out), optional :: status
    call written(c_iadd(site(n_iadd), x%id, box(y)), status)
  end subroutine
  subroutine tsr_isub(x, y, status)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: y
    integer, intent(out), optional :: status
    call written(c_isub(site(n_isub), x%id, box(y)), status)
  end subroutine
  subroutine tsr_imul(x, y, status)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: y
    integer, intent(out), optional :: status
    call written(c_imul(site(n_imul), x%id, box(y)), status)
  end subroutine
  subroutine tsr_idiv(x, y, status)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: y
    integer, intent(out), optional :: status
    call written(c_idiv(site(n_idiv), x%id, box(y)), status)
  end subroutine
  subroutine tsr_ifloordiv(x, y, status)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: y
    integer, intent(out), optional :: status
    call written(c_ifloordiv(site(n_ifloordiv), x%id, box(y)), status)
  end subroutine
  subroutine tsr_imod(x, y, status)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: y
    integer, intent(out), optional :: status
    call written(c_imod(site(n_imod), x%id, box(y)), status)
  end subroutine
  subroutine tsr_ipow(x, y, status)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: y
    integer, intent(out), optional :: status
    call written(c_ipow(site(n_ipow), x%id, box(y)), status)
  end subroutine
  subroutine tsr_iand(x, y, status)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: y
    integer, intent(out), optional :: status
    call written(c_iand(site(n_iand), x%id, box(y)), status)
  end subroutine
  subroutine tsr_ior(x, y, status)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: y
    integer, intent(out), optional :: status
    call written(c_ior(site(n_ior), x%id, box(y)), status)
  end subroutine
  subroutine tsr_ixor(x, y, status)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: y
    integer, intent(out), optional :: status
    call written(c_ixor(site(n_ixor), x%id, box(y)), status)
  end subroutine
  subroutine tsr_ilshift(x, y, status)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: y
    integer, intent(out), optional :: status
    call written(c_ilshift(site(n_ilshift), x%id, box(y)), status)
  end subroutine
  subroutine tsr_irshift(x, y, status)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: y
    integer, intent(out), optional :: status
    call written(c_irshift(site(n_irshift), x%id, box(y)), status)
  end subroutine
  real(real64) function tsr_item_f64(x) result(r)
    class(*), intent(in) :: x
    r = c_item_f64(site(n_item_f64), box(x))
  end function
  integer(int64) function tsr_item_i64(x) result(r)
    class(*), intent(in) :: x
    r = c_item_i64(site(n_item_i64), box(x))
  end function
  logical function tsr_item_bool(x) result(r)
    class(*), intent(in) :: x
    r = c_item_bool(site(n_item_bool), box(x))
  end function
  type(tsr_function) function tsr_kernel_elementwise(name, inputs, outputs, text) result(r)
    character(len=*), intent(in) :: name
    character(len=*), intent(in) :: inputs
    character(len=*), intent(in) :: outputs
    character(len=*), intent(in) :: text
    r%id = c_kernel_elementwise(site(n_kernel_elementwise), trim(name) // nul, trim(inputs) // nul, trim(outputs) // &
      nul, trim(text) // nul)
  end function
  type(tsr_function) function tsr_kernel_reduction(name, inputs, output, map, combine, finish, identity) result(r)
    character(len=*), intent(in) :: name
    character(len=*), intent(in) :: inputs
    character(len=*), intent(in) :: output
    character(len=*), intent(in) :: map
    character(len=*), intent(in) :: combine
    character(len=*), intent(in) :: finish
    class(*), intent(in) :: identity
    r%id = c_kernel_reduction(site(n_kernel_reduction), trim(name) // nul, trim(inputs) // nul, trim(output) // nul, &
      trim(map) // nul, trim(combine) // nul, trim(finish) // nul, box(identity))
  end function
  type(tsr_function) function tsr_task(name, inputs, outputs, function) result(r)
    character(len=*), intent(in) :: name
    character(len=*), intent(in) :: inputs
    character(len=*), intent(in) :: outputs
    procedure(tsr_task_function) :: function
    r%id = c_task(site(n_task), trim(name) // nul, trim(inputs) // nul, trim(outputs) // nul, c_funloc(function))
  end function
  subroutine tsr_task_cuda(task, entry, source, status)
    type(tsr_function), intent(in) :: task
    character(len=*), intent(in) :: entry
    character(len=*), intent(in) :: source
    integer, intent(out), optional :: status
    call settle(c_task_cuda(site(n_task_cuda), task%id, trim(entry) // nul, trim(source) // nul), status)
  end subroutine
  subroutine tsr_kernel_raw(task, entry, source, tile, status)
    type(tsr_function), intent(in) :: task
    character(len=*), intent(in) :: entry
    character(len=*), intent(in) :: source
    class(*), intent(in) :: tile(:)
    integer, intent(out), optional :: status
    call settle(c_kernel_raw(site(n_kernel_raw), task%id, trim(entry) // nul, trim(source) // nul, shape_of(tile)), &
      status)
  end subroutine
  type(tsr_array) function tsr_call(f, x) result(r)
    type(tsr_function), intent(in) :: f
    type(tsr_array), intent(in) :: x(:)
    r%id = c_call(site(n_call), f%id, size(x), boxes(x))
  end function
  subroutine tsr_call_outputs(out, f, x, status)
    type(tsr_array), intent(inout) :: out(:)
    type(tsr_function), intent(in) :: f
    type(tsr_array), intent(in) :: x(:)
    integer, intent(out), optional :: status
    integer(c_int64_t) :: ids(size(out))
    integer(c_int) :: got
    ids = out%id
    got = c_call_outputs(site(n_call_outputs), ids, f%id, size(x), boxes(x))
    out%id = ids
    call settle(got, status)
  end subroutine
  type(tsr_array) function tsr_call_axes(f, axes, keepdims, x) result(r)
    type(tsr_function), intent(in) :: f
    integer, intent(in) :: axes(:)
    logical, intent(in) :: keepdims
    type(tsr_array), intent(in) :: x(:)
    r%id = c_call_axes(site(n_call_axes), f%id, axes_of(axes), truth(keepdims), size(x), boxes(x))
  end function
  subroutine tsr_print(x, status)
    class(*), intent(in) :: x
    integer, intent(out), optional :: status
    call settle(c_print(site(n_print), box(x)), status)
  end subroutine
  subroutine tsr_save_png(x, path, vmin, vmax, colours, scale, colorbar, title, status)
    class(*), intent(in) :: x
    character(len=*), intent(in) :: path
    class(*), intent(in), optional :: vmin
    class(*), intent(in), optional :: vmax
    integer, intent(in), optional :: colours
    integer, intent(in), optional :: scale
    logical, intent(in), optional :: colorbar
    character(len=*), intent(in), optional :: title
    integer, intent(out), optional :: status
    character(kind=c_char, len=:), allocatable, target :: line
    line = text_or(title, '')
    call settle(c_save_png(site(n_save_png), box(x), trim(path) // nul, n_drawing, drawing_of(line, vmin, vmax, &
      colours, scale, colorbar, title)), status)
  end subroutine
  type(tsr_array) function tsr_picture(x, vmin, vmax, colours, scale, colorbar, title) result(r)
    class(*), intent(in) :: x
    class(*), intent(in), optional :: vmin
    class(*), intent(in), optional :: vmax
    integer, intent(in), optional :: colours
    integer, intent(in), optional :: scale
    logical, intent(in), optional :: colorbar
    character(len=*), intent(in), optional :: title
    character(kind=c_char, len=:), allocatable, target :: line
    line = text_or(title, '')
    r%id = c_picture(site(n_picture), box(x), n_drawing, drawing_of(line, vmin, vmax, colours, scale, colorbar, &
      title))
  end function
  type(tsr_array) function tsr_panels(pictures, columns) result(r)
    type(tsr_array), intent(in), target :: pictures(:)
    integer, intent(in), optional :: columns
    integer(c_int64_t), target :: of_list(size(pictures))
    type(array_list) :: list
    of_list = pictures%id
    list = array_list(size(of_list), c_loc(of_list))
    r%id = c_panels(site(n_panels), list, int_or(columns, 0))
  end function
  type(tsr_array) function tsr_load_png(path) result(r)
    character(len=*), intent(in) :: path
    r%id = c_load_png(site(n_load_png), trim(path) // nul)
  end function
  subroutine tsr_save_npy(x, path, status)
    class(*), intent(in) :: x
    character(len=*), intent(in) :: path
    integer, intent(out), optional :: status
    call settle(c_save_npy(site(n_save_npy), box(x), trim(path) // nul), status)
  end subroutine
  type(tsr_array) function tsr_load_npy(path) result(r)
    character(len=*), intent(in) :: path
    r%id = c_load_npy(site(n_load_npy), trim(path) // nul)
  end function
  type(tsr_array) function add_of_array(x, y) result(r)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: y
    r = tsr_add(x, y)
  end function
  type(tsr_array) function add_of_int32(x, y) result(r)
    integer(int32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_add(x, y)
  end function
  type(tsr_array) function add_of_int64(x, y) result(r)
    integer(int64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_add(x, y)
  end function
  type(tsr_array) function add_of_float32(x, y) result(r)
    real(real32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_add(x, y)
  end function
  type(tsr_array) function add_of_float64(x, y) result(r)
    real(real64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_add(x, y)
  end function
  type(tsr_array) function add_of_complex64(x, y) result(r)
    complex(real32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_add(x, y)
  end function
  type(tsr_array) function add_of_complex128(x, y) result(r)
    complex(real64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_add(x, y)
  end function
  type(tsr_array) function subtract_of_array(x, y) result(r)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: y
    r = tsr_subtract(x, y)
  end function
  type(tsr_array) function subtract_of_int32(x, y) result(r)
    integer(int32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_subtract(x, y)
  end function
  type(tsr_array) function subtract_of_int64(x, y) result(r)
    integer(int64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_subtract(x, y)
  end function
  type(tsr_array) function subtract_of_float32(x, y) result(r)
    real(real32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_subtract(x, y)
  end function
  type(tsr_array) function subtract_of_float64(x, y) result(r)
    real(real64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_subtract(x, y)
  end function
  type(tsr_array) function subtract_of_complex64(x, y) result(r)
    complex(real32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_subtract(x, y)
  end function
  type(tsr_array) function subtract_of_complex128(x, y) result(r)
    complex(real64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_subtract(x, y)
  end function
  type(tsr_array) function multiply_of_array(x, y) result(r)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: y
    r = tsr_multiply(x, y)
  end function
  type(tsr_array) function multiply_of_int32(x, y) result(r)
    integer(int32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_multiply(x, y)
  end function
  type(tsr_array) function multiply_of_int64(x, y) result(r)
    integer(int64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_multiply(x, y)
  end function
  type(tsr_array) function multiply_of_float32(x, y) result(r)
    real(real32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_multiply(x, y)
  end function
  type(tsr_array) function multiply_of_float64(x, y) result(r)
    real(real64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_multiply(x, y)
  end function
  type(tsr_array) function multiply_of_complex64(x, y) result(r)
    complex(real32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_multiply(x, y)
  end function
  type(tsr_array) function multiply_of_complex128(x, y) result(r)
    complex(real64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_multiply(x, y)
  end function
  type(tsr_array) function divide_of_array(x, y) result(r)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: y
    r = tsr_divide(x, y)
  end function
  type(tsr_array) function divide_of_int32(x, y) result(r)
    integer(int32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_divide(x, y)
  end function
  type(tsr_array) function divide_of_int64(x, y) result(r)
    integer(int64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_divide(x, y)
  end function
  type(tsr_array) function divide_of_float32(x, y) result(r)
    real(real32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_divide(x, y)
  end function
  type(tsr_array) function divide_of_float64(x, y) result(r)
    real(real64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_divide(x, y)
  end function
  type(tsr_array) function divide_of_complex64(x, y) result(r)
    complex(real32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_divide(x, y)
  end function
  type(tsr_array) function divide_of_complex128(x, y) result(r)
    complex(real64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_divide(x, y)
  end function
  type(tsr_array) function power_of_array(x, y) result(r)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: y
    r = tsr_power(x, y)
  end function
  type(tsr_array) function power_of_int32(x, y) result(r)
    integer(int32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_power(x, y)
  end function
  type(tsr_array) function power_of_int64(x, y) result(r)
    integer(int64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_power(x, y)
  end function
  type(tsr_array) function power_of_float32(x, y) result(r)
    real(real32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_power(x, y)
  end function
  type(tsr_array) function power_of_float64(x, y) result(r)
    real(real64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_power(x, y)
  end function
  type(tsr_array) function power_of_complex64(x, y) result(r)
    complex(real32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_power(x, y)
  end function
  type(tsr_array) function power_of_complex128(x, y) result(r)
    complex(real64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_power(x, y)
  end function
  type(tsr_array) function equal_of_array(x, y) result(r)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: y
    r = tsr_equal(x, y)
  end function
  type(tsr_array) function equal_of_int32(x, y) result(r)
    integer(int32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_equal(x, y)
  end function
  type(tsr_array) function equal_of_int64(x, y) result(r)
    integer(int64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_equal(x, y)
  end function
  type(tsr_array) function equal_of_float32(x, y) result(r)
    real(real32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_equal(x, y)
  end function
  type(tsr_array) function equal_of_float64(x, y) result(r)
    real(real64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_equal(x, y)
  end function
  type(tsr_array) function equal_of_complex64(x, y) result(r)
    complex(real32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_equal(x, y)
  end function
  type(tsr_array) function equal_of_complex128(x, y) result(r)
    complex(real64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_equal(x, y)
  end function
  type(tsr_array) function not_equal_of_array(x, y) result(r)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: y
    r = tsr_not_equal(x, y)
  end function
  type(tsr_array) function not_equal_of_int32(x, y) result(r)
    integer(int32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_not_equal(x, y)
  end function
  type(tsr_array) function not_equal_of_int64(x, y) result(r)
    integer(int64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_not_equal(x, y)
  end function
  type(tsr_array) function not_equal_of_float32(x, y) result(r)
    real(real32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_not_equal(x, y)
  end function
  type(tsr_array) function not_equal_of_float64(x, y) result(r)
    real(real64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_not_equal(x, y)
  end function
  type(tsr_array) function not_equal_of_complex64(x, y) result(r)
    complex(real32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_not_equal(x, y)
  end function
  type(tsr_array) function not_equal_of_complex128(x, y) result(r)
    complex(real64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_not_equal(x, y)
  end function
  type(tsr_array) function less_of_array(x, y) result(r)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: y
    r = tsr_less(x, y)
  end function
  type(tsr_array) function less_of_int32(x, y) result(r)
    integer(int32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_less(x, y)
  end function
  type(tsr_array) function less_of_int64(x, y) result(r)
    integer(int64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_less(x, y)
  end function
  type(tsr_array) function less_of_float32(x, y) result(r)
    real(real32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_less(x, y)
  end function
  type(tsr_array) function less_of_float64(x, y) result(r)
    real(real64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_less(x, y)
  end function
  type(tsr_array) function less_of_complex64(x, y) result(r)
    complex(real32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_less(x, y)
  end function
  type(tsr_array) function less_of_complex128(x, y) result(r)
    complex(real64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_less(x, y)
  end function
  type(tsr_array) function less_equal_of_array(x, y) result(r)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: y
    r = tsr_less_equal(x, y)
  end function
  type(tsr_array) function less_equal_of_int32(x, y) result(r)
    integer(int32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_less_equal(x, y)
  end function
  type(tsr_array) function less_equal_of_int64(x, y) result(r)
    integer(int64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_less_equal(x, y)
  end function
  type(tsr_array) function less_equal_of_float32(x, y) result(r)
    real(real32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_less_equal(x, y)
  end function
  type(tsr_array) function less_equal_of_float64(x, y) result(r)
    real(real64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_less_equal(x, y)
  end function
  type(tsr_array) function less_equal_of_complex64(x, y) result(r)
    complex(real32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_less_equal(x, y)
  end function
  type(tsr_array) function less_equal_of_complex128(x, y) result(r)
    complex(real64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_less_equal(x, y)
  end function
  type(tsr_array) function greater_of_array(x, y) result(r)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: y
    r = tsr_greater(x, y)
  end function
  type(tsr_array) function greater_of_int32(x, y) result(r)
    integer(int32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_greater(x, y)
  end function
  type(tsr_array) function greater_of_int64(x, y) result(r)
    integer(int64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_greater(x, y)
  end function
  type(tsr_array) function greater_of_float32(x, y) result(r)
    real(real32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_greater(x, y)
  end function
  type(tsr_array) function greater_of_float64(x, y) result(r)
    real(real64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_greater(x, y)
  end function
  type(tsr_array) function greater_of_complex64(x, y) result(r)
    complex(real32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_greater(x, y)
  end function
  type(tsr_array) function greater_of_complex128(x, y) result(r)
    complex(real64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_greater(x, y)
  end function
  type(tsr_array) function greater_equal_of_array(x, y) result(r)
    type(tsr_array), intent(in) :: x
    class(*), intent(in) :: y
    r = tsr_greater_equal(x, y)
  end function
  type(tsr_array) function greater_equal_of_int32(x, y) result(r)
    integer(int32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_greater_equal(x, y)
  end function
  type(tsr_array) function greater_equal_of_int64(x, y) result(r)
    integer(int64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_greater_equal(x, y)
  end function
  type(tsr_array) function greater_equal_of_float32(x, y) result(r)
    real(real32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_greater_equal(x, y)
  end function
  type(tsr_array) function greater_equal_of_float64(x, y) result(r)
    real(real64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_greater_equal(x, y)
  end function
  type(tsr_array) function greater_equal_of_complex64(x, y) result(r)
    complex(real32), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_greater_equal(x, y)
  end function
  type(tsr_array) function greater_equal_of_complex128(x, y) result(r)
    complex(real64), intent(in) :: x
    type(tsr_array), intent(in) :: y
    r = tsr_greater_equal(x, y)
  end function
  type(tsr_array) function minus_array(x) result(r)
    type(tsr_array), intent(in) :: x
    r = tsr_negative(x)
  end function
  type(tsr_array) function from_int32(a) result(r)
    integer(int32), intent(in), target, contiguous :: a(..)
    r = from_buffer(c_loc(a), tsr_int32, shape(a, kind=int64))
  end function
  subroutine to_int32(x, a, status)
    class(*), intent(in) :: x
    integer(int32), intent(inout), target, contiguous :: a(..)
    integer, intent(out), optional :: status
    call to_buffer(x, c_loc(a), tsr_int32, shape(a, kind=int64), status)
  end subroutine
  type(tsr_array) function from_int64(a) result(r)
    integer(int64), intent(in), target, contiguous :: a(..)
    r = from_buffer(c_loc(a), tsr_int64, shape(a, kind=int64))
  end function
  subroutine to_int64(x, a, status)
    class(*), intent(in) :: x
    integer(int64), intent(inout), target, contiguous :: a(..)
    integer, intent(out), optional :: status
    call to_buffer(x, c_loc(a), tsr_int64, shape(a, kind=int64), status)
  end subroutine
  type(tsr_array) function from_float32(a) result(r)
    real(real32), intent(in), target, contiguous :: a(..)
    r = from_buffer(c_loc(a), tsr_float32, shape(a, kind=int64))
  end function
  subroutine to_float32(x, a, status)
    class(*), intent(in) :: x
    real(real32), intent(inout), target, contiguous :: a(..)
    integer, intent(out), optional :: status
    call to_buffer(x, c_loc(a), tsr_float32, shape(a, kind=int64), status)
  end subroutine
  type(tsr_array) function from_float64(a) result(r)
    real(real64), intent(in), target, contiguous :: a(..)
    r = from_buffer(c_loc(a), tsr_float64, shape(a, kind=int64))
  end function
  subroutine to_float64(x, a, status)
    class(*), intent(in) :: x
    real(real64), intent(inout), target, contiguous :: a(..)
    integer, intent(out), optional :: status
    call to_buffer(x, c_loc(a), tsr_float64, shape(a, kind=int64), status)
  end subroutine
  type(tsr_array) function from_complex64(a) result(r)
    complex(real32), intent(in), target, contiguous :: a(..)
    r = from_buffer(c_loc(a), tsr_complex64, shape(a, kind=int64))
  end function
  subroutine to_complex64(x, a, status)
    class(*), intent(in) :: x
    complex(real32), intent(inout), target, contiguous :: a(..)
    integer, intent(out), optional :: status
    call to_buffer(x, c_loc(a), tsr_complex64, shape(a, kind=int64), status)
  end subroutine
  type(tsr_array) function from_complex128(a) result(r)
    complex(real64), intent(in), target, contiguous :: a(..)
    r = from_buffer(c_loc(a), tsr_complex128, shape(a, kind=int64))
  end function
  subroutine to_complex128(x, a, status)
    class(*), intent(in) :: x
    complex(real64), intent(inout), target, contiguous :: a(..)
    integer, intent(out), optional :: status
    call to_buffer(x, c_loc(a), tsr_complex128, shape(a, kind=int64), status)
  end subroutine
  recursive subroutine view_int32_1(argument, p)
    type(tsr_task_argument), intent(in) :: argument
    integer(int32), pointer, intent(out) :: p(:)
    integer(int32), pointer :: all(:)
    type(place) :: at
    at = place_of(argument, tsr_int32, 1, storage_size(p, int64)/8)
    nullify (p)
    if (.not. at%ok) return
    call c_f_pointer(at%start, all, at%across(1:1))
    p(at%bounds(1):) => all(at%first(1):at%last(1):at%step(1))
  end subroutine
  recursive subroutine view_int32_2(argument, p)
    type(tsr_task_argument), intent(in) :: argument
    integer(int32), pointer, intent(out) :: p(:,:)
    integer(int32), pointer :: all(:,:)
    type(place) :: at
    at = place_of(argument, tsr_int32, 2, storage_size(p, int64)/8)
    nullify (p)
    if (.not. at%ok) return
    call c_f_pointer(at%start, all, at%across(1:2))
    p(at%bounds(1):, at%bounds(2):) => all(at%first(1):at%last(1):at%step(1), at%first(2):at%last(2):at%step(2))
  end subroutine
  recursive subroutine view_int32_3(argument, p)
    type(tsr_task_argument), intent(in) :: argument
    integer(int32), pointer, intent(out) :: p(:,:,:)
    integer(int32), pointer :: all(:,:,:)
    type(place) :: at
    at = place_of(argument, tsr_int32, 3, storage_size(p, int64)/8)
    nullify (p)
    if (.not. at%ok) return
    call c_f_pointer(at%start, all, at%across(1:3))
    p(at%bounds(1):, at%bounds(2):, at%bounds(3):) => all(at%first(1):at%last(1):at%step(1), &
      at%first(2):at%last(2):at%step(2), at%first(3):at%last(3):at%step(3))
  end subroutine
  recursive subroutine view_int64_1(argument, p)
    type(tsr_task_argument), intent(in) :: argument
    integer(int64), pointer, intent(out) :: p(:)
    integer(int64), pointer :: all(:)
    type(place) :: at
    at = place_of(argument, tsr_int64, 1, storage_size(p, int64)/8)
    nullify (p)
    if (.not. at%ok) return
    call c_f_pointer(at%start, all, at%across(1:1))
    p(at%bounds(1):) => all(at%first(1):at%last(1):at%step(1))
  end subroutine
  recursive subroutine view_int64_2(argument, p)
    type(tsr_task_argument), intent(in) :: argument
    integer(int64), pointer, intent(out) :: p(:,:)
    integer(int64), pointer :: all(:,:)
    type(place) :: at
    at = place_of(argument, tsr_int64, 2, storage_size(p, int64)/8)
    nullify (p)
    if (.not. at%ok) return
    call c_f_pointer(at%start, all, at%across(1:2))
    p(at%bounds(1):, at%bounds(2):) => all(at%first(1):at%last(1):at%step(1), at%first(2):at%last(2):at%step(2))
  end subroutine
  recursive subroutine view_int64_3(argument, p)
    type(tsr_task_argument), intent(in) :: argument
    integer(int64), pointer, intent(out) :: p(:,:,:)
    integer(int64), pointer :: all(:,:,:)
    type(place) :: at
    at = place_of(argument, tsr_int64, 3, storage_size(p, int64)/8)
    nullify (p)
    if (.not. at%ok) return
    call c_f_pointer(at%start, all, at%across(1:3))
    p(at%bounds(1):, at%bounds(2):, at%bounds(3):) => all(at%first(1):at%last(1):at%step(1), &
      at%first(2):at%last(2):at%step(2), at%first(3):at%last(3):at%step(3))
  end subroutine
  recursive subroutine view_float32_1(argument, p)
    type(tsr_task_argument), intent(in) :: argument
    real(real32), pointer, intent(out) :: p(:)
    real(real32), pointer :: all(:)
    type(place) :: at
    at = place_of(argument, tsr_float32, 1, storage_size(p, int64)/8)
    nullify (p)
    if (.not. at%ok) return
    call c_f_pointer(at%start, all, at%across(1:1))
    p(at%bounds(1):) => all(at%first(1):at%last(1):at%step(1))
  end subroutine
  recursive subroutine view_float32_2(argument, p)
    type(tsr_task_argument), intent(in) :: argument
    real(real32), pointer, intent(out) :: p(:,:)
    real(real32), pointer :: all(:,:)
    type(place) :: at
    at = place_of(argument, tsr_float32, 2, storage_size(p, int64)/8)
    nullify (p)
    if (.not. at%ok) return
    call c_f_pointer(at%start, all, at%across(1:2))
    p(at%bounds(1):, at%bounds(2):) => all(at%first(1):at%last(1):at%step(1), at%first(2):at%last(2):at%step(2))
  end subroutine
  recursive subroutine view_float32_3(argument, p)
    type(tsr_task_argument), intent(in) :: argument
    real(real32), pointer, intent(out) :: p(:,:,:)
    real(real32), pointer :: all(:,:,:)
    type(place) :: at
    at = place_of(argument, tsr_float32, 3, storage_size(p, int64)/8)
    nullify (p)
    if (.not. at%ok) return
    call c_f_pointer(at%start, all, at%across(1:3))
    p(at%bounds(1):, at%bounds(2):, at%bounds(3):) => all(at%first(1):at%last(1):at%step(1), &
      at%first(2):at%last(2):at%step(2), at%first(3):at%last(3):at%step(3))
  end subroutine
  recursive subroutine view_float64_1(argument, p)
    type(tsr_task_argument), intent(in) :: argument
    real(real64), pointer, intent(out) :: p(:)
    real(real64), pointer :: all(:)
    type(place) :: at
    at = place_of(argument, tsr_float64, 1, storage_size(p, int64)/8)
    nullify (p)
    if (.not. at%ok) return
    call c_f_pointer(at%start, all, at%across(1:1))
    p(at%bounds(1):) => all(at%first(1):at%last(1):at%step(1))
  end subroutine
  recursive subroutine view_float64_2(argument, p)
    type(tsr_task_argument), intent(in) :: argument
    real(real64), pointer, intent(out) :: p(:,:)
    real(real64), pointer :: all(:,:)
    type(place) :: at
    at = place_of(argument, tsr_float64, 2, storage_size(p, int64)/8)
    nullify (p)
    if (.not. at%ok) return
    call c_f_pointer(at%start, all, at%across(1:2))
    p(at%bounds(1):, at%bounds(2):) => all(at%first(1):at%last(1):at%step(1), at%first(2):at%last(2):at%step(2))
  end subroutine
  recursive subroutine view_float64_3(argument, p)
    type(tsr_task_argument), intent(in) :: argument
    real(real64), pointer, intent(out) :: p(:,:,:)
    real(real64), pointer :: all(:,:,:)
    type(place) :: at
    at = place_of(argument, tsr_float64, 3, storage_size(p, int64)/8)
    nullify (p)
    if (.not. at%ok) return
    call c_f_pointer(at%start, all, at%across(1:3))
    p(at%bounds(1):, at%bounds(2):, at%bounds(3):) => all(at%first(1):at%last(1):at%step(1), &
      at%first(2):at%last(2):at%step(2), at%first(3):at%last(3):at%step(3))
  end subroutine
  recursive subroutine view_complex64_1(argument, p)
    type(tsr_task_argument), intent(in) :: argument
    complex(real32), pointer, intent(out) :: p(:)
    complex(real32), pointer :: all(:)
    type(place) :: at
    at = place_of(argument, tsr_complex64, 1, storage_size(p, int64)/8)
    nullify (p)
    if (.not. at%ok) return
    call c_f_pointer(at%start, all, at%across(1:1))
    p(at%bounds(1):) => all(at%first(1):at%last(1):at%step(1))
  end subroutine
  recursive subroutine view_complex64_2(argument, p)
    type(tsr_task_argument), intent(in) :: argument
    complex(real32), pointer, intent(out) :: p(:,:)
    complex(real32), pointer :: all(:,:)
    type(place) :: at
    at = place_of(argument, tsr_complex64, 2, storage_size(p, int64)/8)
    nullify (p)
    if (.not. at%ok) return
    call c_f_pointer(at%start, all, at%across(1:2))
    p(at%bounds(1):, at%bounds(2):) => all(at%first(1):at%last(1):at%step(1), at%first(2):at%last(2):at%step(2))
  end subroutine
  recursive subroutine view_complex64_3(argument, p)
    type(tsr_task_argument), intent(in) :: argument
    complex(real32), pointer, intent(out) :: p(:,:,:)
    complex(real32), pointer :: all(:,:,:)
    type(place) :: at
    at = place_of(argument, tsr_complex64, 3, storage_size(p, int64)/8)
    nullify (p)
    if (.not. at%ok) return
    call c_f_pointer(at%start, all, at%across(1:3))
    p(at%bounds(1):, at%bounds(2):, at%bounds(3):) => all(at%first(1):at%last(1):at%step(1), &
      at%first(2):at%last(2):at%step(2), at%first(3):at%last(3):at%step(3))
  end subroutine
  recursive subroutine view_complex128_1(argument, p)
    type(tsr_task_argument), intent(in) :: argument
    complex(real64), pointer, intent(out) :: p(:)
    complex(real64), pointer :: all(:)
    type(place) :: at
    at = place_of(argument, tsr_complex128, 1, storage_size(p, int64)/8)
    nullify (p)
    if (.not. at%ok) return
    call c_f_pointer(at%start, all, at%across(1:1))
    p(at%bounds(1):) => all(at%first(1):at%last(1):at%step(1))
  end subroutine
  recursive subroutine view_complex128_2(argument, p)
    type(tsr_task_argument), intent(in) :: argument
    complex(real64), pointer, intent(out) :: p(:,:)
    complex(real64), pointer :: all(:,:)
    type(place) :: at
    at = place_of(argument, tsr_complex128, 2, storage_size(p, int64)/8)
    nullify (p)
    if (.not. at%ok) return
    call c_f_pointer(at%start, all, at%across(1:2))
    p(at%bounds(1):, at%bounds(2):) => all(at%first(1):at%last(1):at%step(1), at%first(2):at%last(2):at%step(2))
  end subroutine
  recursive subroutine view_complex128_3(argument, p)
    type(tsr_task_argument), intent(in) :: argument
    complex(real64), pointer, intent(out) :: p(:,:,:)
    complex(real64), pointer :: all(:,:,:)
    type(place) :: at
    at = place_of(argument, tsr_complex128, 3, storage_size(p, int64)/8)
    nullify (p)
    if (.not. at%ok) return
    call c_f_pointer(at%start, all, at%across(1:3))
    p(at%bounds(1):, at%bounds(2):, at%bounds(3):) => all(at%first(1):at%last(1):at%step(1), &
      at%first(2):at%last(2):at%step(2), at%first(3):at%last(3):at%step(3))
  end subroutine
end module
