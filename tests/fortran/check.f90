! The Fortran module: each check prints a line where it fails, and the last line says how many passed.
module check_tasks
  use tessera
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: real32, real64
  implicit none
contains

  ! y = what is left of x, plus what is below, and 100 times the column.
  recursive function around(box) bind(c) result(r)
    type(tsr_task_box), intent(in) :: box
    integer(c_int) :: r
    real(real64), pointer :: x(:, :), y(:, :)
    integer :: i, j
    r = 1
    call tsr_view(tsr_task_in(box, 1), x)
    call tsr_view(tsr_task_out(box, 1), y)
    if (.not. associated(x) .or. .not. associated(y)) return
    do i = 1, size(y, 2)
      do j = 1, size(y, 1)
        y(j, i) = 100*(box%offset(2) + j - 1)
        if (j > lbound(x, 1)) y(j, i) = y(j, i) + x(j - 1, i)
        if (i < ubound(x, 2)) y(j, i) = y(j, i) + x(j, i + 1)
      end do
    end do
    r = 0
  end function

  ! The sum of what a box has, of three axes.
  recursive function summed(box) bind(c) result(r)
    type(tsr_task_box), intent(in) :: box
    integer(c_int) :: r
    real(real32), pointer :: x(:, :, :), total(:)
    type(tsr_task_argument) :: out
    out = tsr_task_out(box, 1)
    out%ndim = 1 ! a number alone: one element
    out%shape(1) = 1
    out%stride_bytes(1) = 4
    r = 1
    call tsr_view(tsr_task_in(box, 1), x)
    call tsr_view(out, total)
    if (.not. associated(x) .or. .not. associated(total)) return
    total(1) = sum(x)
    r = 0
  end function

  recursive function refuses(box) bind(c) result(r)
    type(tsr_task_box), intent(in) :: box
    integer(c_int) :: r
    real(real32), pointer :: other(:)
    call tsr_view(tsr_task_in(box, 1), other)
    r = merge(7, 0, .not. associated(other))
  end function
end module

program check_module
  use tessera
  use check_tasks
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  implicit none
  integer :: n_passed = 0, n_failed = 0

  call tsr_init()
  call hosts()
  call operators()
  call functions()
  call slices()
  call text()
  call lives()
  call blocks()
  call options()
  call tasks()
  call views()
  call tiles()
  call errors()
  if (tsr_rank() == 0) print '(i0, a, i0, a)', n_passed, ' passed, ', n_failed, ' failed'
  call tsr_finalize()
  if (n_failed > 0) stop 1, quiet=.true.

contains

  subroutine check(ok, what)
    logical, intent(in) :: ok
    character(len=*), intent(in) :: what
    if (ok) then
      n_passed = n_passed + 1
    else
      n_failed = n_failed + 1
      print '(a, i0, 2a)', 'rank ', tsr_rank(), ' FAIL ', what
    end if
  end subroutine

  real(real64) function total(x)
    type(tsr_array), intent(in) :: x
    total = tsr_item_f64(tsr_sum(x))
  end function

  ! Fortran's a(i, j, k) is the element i-1, j-1, k-1; parts of arrays and other types, too.
  subroutine hosts()
    real(real64) :: a(3, 4), b(3, 4), cube(2, 3, 4), back(2, 3, 4), line(5), four(2, 1, 2, 2), four_back(2, 1, 2, 2), one
    real(real32) :: s(2, 2)
    integer(int32) :: i4(2, 3), i4_back(2, 3)
    integer(int64) :: i8(3), i8_back(3)
    complex(real64) :: z(2, 2), z_back(2, 2)
    complex(real32) :: c(2), c_back(2)
    type(tsr_array) :: x
    integer :: i, j, status
    a = reshape([(real(i, real64), i=1, 12)], [3, 4])
    x = tsr_from_host(a)
    call check(all(tsr_shape(x) == [3, 4]), 'the shape of a matrix')
    do j = 1, 4
      do i = 1, 3
        call check(tsr_item_f64(tsr_slice(x, '$, $', [i - 1, j - 1])) == a(i, j), 'the elements of a matrix')
      end do
    end do
    b = 0
    call tsr_to_host(x*2, b)
    call check(all(b == 2*a), 'a matrix to the host')
    call tsr_to_host(tsr_transpose(tsr_from_host(a(1:3:2, 2:4))), b(1:3, 1:2))
    call check(all(b(:, 1:2) == transpose(a(1:3:2, 2:4))) .and. all(b(:, 3:) == 2*a(:, 3:)), 'parts of matrices')
    cube = reshape([(real(i, real64), i=1, 24)], [2, 3, 4])
    x = tsr_from_host(cube)
    call check(all(tsr_shape(x) == [2, 3, 4]) .and. tsr_item_f64(tsr_slice(x, '1, 2, 0')) == cube(2, 3, 1), 'a cube')
    call tsr_to_host(x, back)
    call check(all(back == cube), 'a cube to the host')
    four = reshape([(real(i, real64), i=1, 8)], [2, 1, 2, 2])
    call tsr_to_host(tsr_from_host(four), four_back)
    call check(all(four == four_back), 'four axes')
    line = [1, 2, 3, 4, 5]
    x = tsr_from_host(line)
    call tsr_to_host(x + 1, line)
    call check(all(line == [2, 3, 4, 5, 6]), 'a vector')
    call tsr_to_host(tsr_sum(x), one)
    call check(one == 15, 'no axes')
    i4 = reshape([1, 2, 3, 4, 5, 6], [2, 3])
    x = tsr_from_host(i4)
    call check(tsr_dtype_of(x) == tsr_int32 .and. tsr_item_i64(tsr_slice(x, '1, 2')) == 6, 'int32')
    call tsr_to_host(x, i4_back)
    call check(all(i4 == i4_back), 'int32 to the host')
    call tsr_to_host(x, b(1:2, 1:3))
    call check(all(b(1:2, 1:3) == i4), 'int32 as real64')
    i8 = [1_int64, 2_int64**40, -1_int64]
    call tsr_to_host(tsr_from_host(i8), i8_back)
    call check(all(i8 == i8_back), 'int64')
    s = reshape([1., 2., 3., 4.], [2, 2])
    x = tsr_from_host(s)
    call check(tsr_dtype_of(x) == tsr_float32 .and. tsr_item_f64(tsr_slice(x, '1, 0')) == 2, 'real32')
    call tsr_to_host(-x, s)
    call check(s(2, 1) == -2, 'real32 to the host')
    z = reshape([(1, 2), (3, 4), (5, 6), (7, 8)], [2, 2])
    call tsr_to_host(tsr_conj(tsr_from_host(z)), z_back)
    call check(all(z_back == conjg(z)), 'complex128')
    c = [(1, 2), (3, 4)]
    x = tsr_from_host(c)
    call tsr_to_host(x*(0., 1.), c_back)
    call check(tsr_dtype_of(x) == tsr_complex64 .and. all(c_back == c*(0., 1.)), 'complex64')
    call tsr_to_host(3, b)
    call check(all(b == 3), 'a number fills')
    call tsr_set_error_mode(tsr_errors_return)
    call tsr_to_host(tsr_zeros([2, 2]), b, status)
    call check(status == -203 .and. tsr_take_error() == -203 .and. all(b == 3), 'a shape that does not fit')
    call tsr_to_host(tsr_zeros([2, 3]) + 0.5, i4, status)
    call check(status == -202 .and. tsr_take_error() == -202 .and. i4(1, 1) == 1, 'a kind that does not fit')
    call tsr_set_error_mode(tsr_errors_abort)
  end subroutine

  subroutine operators()
    type(tsr_array) :: x, y
    x = tsr_arange(0, 6)
    y = x*x - 2*x + 1
    call check(total(y) == 55 - 30 + 6, 'x*x - 2*x + 1')
    call check(total((x - 1)**2 - y) == 0 .and. total(2_int64**x) == 63, '**')
    call check(total(1/(x + 1.0)) > 2.44 .and. total(x/2.0_real64) == 7.5, '/')
    call check(total(x > 2) == 3 .and. total(x >= 2) == 4 .and. total(x < 2) == 2 .and. total(x <= 2) == 3, '<')
    call check(total(x == 3) == 1 .and. total(x /= 3) == 5 .and. total(3 > x) == 3 .and. total(x == x) == 6, '==')
    call check(total(-x) == -15, '-x')
    call check(total(tsr_add(x, 3_int8)) == 33 .and. total(tsr_add(x, -1_int16)) == 9, 'small integers')
    call check(total(tsr_where(logical(.true., int8), x, 0)) == 15 .and. total(tsr_where(logical(.false., int64), x, 1)) == 6 &
      .and. total(tsr_where(logical(.true., int16), x, 0)) == 15, 'kinds of logical')
    call check(tsr_dtype_of(tsr_astype(x, tsr_float32) + 1.0_real64) == tsr_float32, 'numbers are weak')
    call check(tsr_dtype_of(x + (0.0, 1.0)) == tsr_complex128, 'complex numbers')
    y = x
    call tsr_iadd(y, 1)
    call check(total(x) == 21, '= is another handle')
  end subroutine

  subroutine functions()
    type(tsr_array) :: x, parts(3)
    type(tsr_rng) :: rng
    type(tsr_function) :: square
    integer :: status
    x = tsr_reshape(tsr_arange(0, 6, 1, tsr_float64), [2, 3])
    call check(total(tsr_sqrt(x*x)) == 15, 'sqrt')
    call check(total(tsr_sum(x, [0])) == 15 .and. tsr_size(tsr_sum(x, [0])) == 3, 'sum of an axis')
    call check(tsr_ndim(tsr_sum(x, axes=[-1], keepdims=.true.)) == 2, 'keepdims')
    call check(tsr_item_f64(tsr_var(tsr_ravel(x), ddof=1)) == 3.5_real64, 'ddof')
    call check(total(tsr_sum(x, where=x > 2, initial=100)) == 112, 'where and initial')
    call check(tsr_dtype_of(tsr_sum(x, dtype=tsr_float32)) == tsr_float32, 'dtype')
    call check(tsr_dtype_of(tsr_cumsum(x, dtype=tsr_int32)) == tsr_int32, 'dtype of a running sum')
    call check(tsr_item_f64(tsr_norm(tsr_ravel(x), ord=1)) == 15, 'ord')
    call check(total(tsr_diff(x, 1, -1, prepend=1)) == 5, 'prepend')
    call check(total(tsr_linspace(x, 5, num=2)) == 45, 'a space between arrays')
    call check(total(tsr_ufunc_reduce('subtract', x, [0], initial=1)) == -12, 'reduce')
    call check(total(tsr_ufunc_accumulate('fmax', x, 1)) == 15, 'accumulate')
    call check(total(tsr_ufunc_outer('maximum', x, 3)) == 21, 'outer')
    call check(tsr_item_i64(tsr_argmax(x)) == 5 .and. tsr_item_bool(tsr_any(x > 4)), 'items')
    call check(total(tsr_where(x > 2, x, 0)) == 12, 'where')
    call check(all(tsr_shape(tsr_zeros([3_int64, 4_int64], tsr_int32)) == [3, 4]), 'int64 lengths')
    call check(total(tsr_full([2, 2], 1.5)) == 6 .and. total(tsr_eye(3)) == 3, 'full, eye')
    call check(total(tsr_linspace(0, 1, 5)) == 2.5_real64 .and. total(tsr_linspace(0, 1, 4, .false.)) == 1.5_real64, 'linspace')
    call check(tsr_size(tsr_concatenate([x, x], 1)) == 12 .and. tsr_ndim(tsr_stack([x, x])) == 3, 'lists of arrays')
    call tsr_split(parts, x, 3, 1, status)
    call check(status == tsr_ok .and. total(parts(3)) == 7, 'several results')
    call check(total(tsr_cumsum(x, 1)) == 0 + 1 + 3 + 3 + 7 + 12 .and. total(tsr_diff(x)) == 4, 'axis')
    call check(total(tsr_matmul(x, tsr_transpose(x))) == 5 + 14 + 14 + 50, 'matmul')
    call check(total(tsr_einsum('ij,ij->i', x, x)) == 55, 'einsum')
    call check(tsr_allclose(x, x + 1e-9_real64) .and. .not. tsr_array_equal(x, x + 1), 'allclose')
    rng = tsr_default_rng(7_int64)
    x = tsr_rng_uniform(rng, 2, 3, [100])
    call check(tsr_item_f64(tsr_min(x)) >= 2 .and. rng%n_draws == 1, 'random numbers')
    square = tsr_kernel_elementwise('square', 'float64 x', 'float64 y', 'y = x*x')
    call check(total(tsr_call(square, [tsr_arange(0, 4)])) == 14, 'a kernel')
    call check(index(tsr_version(), '.') > 0, 'version')
    x = tsr_arange(0, 11)
    call check(tsr_item_f64(tsr_quantile(x, 0.33, method='higher')) == 4, 'a method of quantiles')
    call check(tsr_item_f64(tsr_quantile(x, 0.33, method='lower', axes=[0])) == 3, 'a method and axes')
    call check(tsr_item_f64(tsr_nanpercentile(x, 50)) == 5, 'no method of quantiles')
    call check(tsr_item_f64(tsr_quantile(x, 0.5, method='inverted_cdf', weights=x > 7)) == 9, 'weights')
  end subroutine

  ! Text counts as Python does; tsr_section as Fortran does.
  subroutine slices()
    real(real64) :: a(5, 6), b(3, 2)
    type(tsr_array) :: x
    integer :: i
    a = reshape([(real(i, real64), i=1, 30)], [5, 6])
    x = tsr_from_host(a)
    call check(total(tsr_section(x, [2, 1], [4, 6])) == sum(a(2:4, :)), 'a(2:4, 1:6)')
    call check(total(tsr_section(x, [1, 3], [5, 3], [2, 1])) == sum(a(1:5:2, 3)), 'a(1:5:2, 3:3)')
    call tsr_to_host(tsr_section(x, [5, 2], [1, 1], [-2, -1]), b)
    call check(all(b == a(5:1:-2, 2:1:-1)), 'a(5:1:-2, 2:1:-1)')
    call check(tsr_size(tsr_section(x, [3, 1], [2, 6])) == 0, 'a(3:2, 1:6)')
    call check(tsr_size(tsr_section(x, [1, 1], [0, 6])) == 0, 'a(1:0, 1:6)')
    call check(tsr_size(tsr_section(x, [1, 9], [5, 8])) == 0, 'a(1:5, 9:8)')
    call check(tsr_size(tsr_section(x, [1, 1], [5, 6], [-1, 1])) == 0, 'a(1:5:-1, 1:6)')
    call check(total(tsr_slice(x, '1:4')) == sum(a(2:4, :)) .and. total(tsr_slice(x, ':, $', [2])) == sum(a(:, 3)), 'text')
    call tsr_assign(tsr_section(x, [1, 1], [2, 2]), 0)
    a(1:2, 1:2) = 0
    call check(total(x) == sum(a), 'a section is written')
  end subroutine

  subroutine text()
    type(tsr_array) :: u
    u = tsr_ones([4, 4])
    call tsr_exec('$1[1:-1] += $2*$1[1:-1]', u, 2)
    call check(total(u) == 8 + 24, 'exec')
    call check(tsr_item_f64(tsr_eval('sum($1) - $2', u, 0.5_real64)) == 31.5_real64, 'eval')
  end subroutine

  subroutine lives()
    type(tsr_array) :: x, kept, held
    type(tsr_scope) :: scope
    scope = tsr_scope_open()
    x = tsr_ones([3])
    kept = tsr_keep(x + 1)
    held = tsr_hold(x + 2)
    call tsr_scope_close(scope)
    call check(total(kept) == 6 .and. total(held) == 9, 'keep and hold')
    call tsr_set_error_mode(tsr_errors_return)
    x = x + 1
    call check(tsr_take_error() == -102, 'what the scope held is released')
    call tsr_set_error_mode(tsr_errors_abort)
    call tsr_replace(held, held*2)
    call check(total(held) == 18, 'replace')
    call tsr_release(held)
    call check(held%id /= kept%id .and. total(kept) == 6, 'release')
  end subroutine

  ! Options of pictures and of borders, which C takes as values in any order.
  subroutine options()
    type(tsr_array) :: x, p, small
    integer :: status
    x = tsr_reshape(tsr_arange(0, 6, dtype=tsr_float64), [2, 3])
    p = tsr_picture(x, scale=4, colours=tsr_grey)
    call check(all(tsr_shape(p) == [8, 12, 3]), 'a scale')
    call check(tsr_item_i64(tsr_slice(p, '0, 0, 0')) == 0 .and. tsr_item_i64(tsr_slice(p, '7, 11, 2')) == 255, 'grey')
    p = tsr_picture(x, 0, 10, tsr_grey, 1)
    call check(all(tsr_shape(p) == [2, 3, 3]) .and. tsr_item_i64(tsr_slice(p, '1, 2, 0')) < 200, 'from vmin to vmax')
    p = tsr_picture(x, scale=1, vmax=2.5_real64, colours=tsr_grey)
    call check(tsr_item_i64(tsr_slice(p, '1, 0, 0')) == 255 .and. tsr_item_i64(tsr_slice(p, '0, 0, 0')) == 0, 'vmax alone')
    small = tsr_picture(x, scale=100)
    p = tsr_picture(x, scale=100, colorbar=.true.)
    call check(tsr_size(p) > tsr_size(small), 'a bar of colours')
    p = tsr_picture(x, scale=100, title='six numbers')
    call check(tsr_size(p) > tsr_size(small), 'a title')
    call tsr_set_error_mode(tsr_errors_return)
    p = tsr_picture(x, scale=0)
    call check(tsr_take_error() == -101, 'a scale of 0')
    p = tsr_picture(x, colours=7)
    call check(tsr_take_error() == -101, 'colours that are none')
    call tsr_save_png(x, '', title='no path', status=status)
    call check(status < 0 .and. tsr_take_error() == status, 'no path')
    x = tsr_arange(0, 6, dtype=tsr_float64)
    p = tsr_pad(x, [1], [1], 'reflect', stat_length=[2])
    call check(tsr_take_error() == -101, 'lengths of a mode without')
    call tsr_set_error_mode(tsr_errors_abort)
    p = tsr_pad(x, [1], [1], 'mean', stat_length=[2])
    call check(total(p) == 15 + 0.5_real64 + 4.5_real64, 'lengths of statistics')
    p = tsr_pad(x, [2], [1], 'reflect', reflect_type='odd')
    call check(total(p) == 15 - 1 - 2 + 6, 'an odd mirror image')
  end subroutine

  subroutine tasks()
    real(real64) :: a(40, 50), got(40, 50), want(40, 50)
    type(tsr_function) :: f
    type(tsr_array) :: x
    integer :: i, j
    do j = 1, 50
      do i = 1, 40
        a(i, j) = i*i + 3*j
        want(i, j) = 100*(j - 1)
      end do
    end do
    want(:, 2:) = want(:, 2:) + a(:, :49)
    want(:39, :) = want(:39, :) + a(2:, :)
    f = tsr_task('around', 'float64 x halo(1), grain(64)', 'float64 y', around)
    x = tsr_from_host(a)
    call tsr_to_host(tsr_call(f, [x]), got)
    call check(all(got == want), 'a task with a halo')
    call tsr_to_host(tsr_call(f, [tsr_slice(x, '::2, ::-1')]), got(:20, :))
    want(:20, :) = 0
    do j = 1, 50
      want(:20, j) = 100*(j - 1)
    end do
    want(:20, 2:) = want(:20, 2:) + a(1::2, 50:2:-1)
    want(:19, :) = want(:19, :) + a(3::2, 50:1:-1)
    call check(all(got(:20, :) == want(:20, :)), 'a task of a part')
    f = tsr_task('summed', 'float32 x', 'float32 y sum', summed)
    x = tsr_reshape(tsr_arange(0, 60, dtype=tsr_float32), [3, 4, 5])
    call check(total(tsr_call(f, [x])) == 59*30, 'a task that reduces, of three axes')
    call tsr_set_error_mode(tsr_errors_return)
    f = tsr_task('refuses', 'float64 x', 'float64 y', refuses)
    call check(total(tsr_call(f, [tsr_ones([3])])) /= 0, 'what a task that fails gives')
    call check(index(tsr_last_error(), 'refuses') > 0 .and. tsr_take_error() < 0, 'a task that fails')
    call tsr_set_error_mode(tsr_errors_abort)
  end subroutine

  ! Elements of 1 to 24 as they lie: which a pointer reaches, with its bounds.
  subroutine views()
    use, intrinsic :: iso_c_binding
    real(real64), target :: m(24)
    real(real64), pointer :: p(:, :), line(:), cube(:, :, :)
    integer(int32), pointer :: other(:)
    type(tsr_task_argument) :: a
    integer :: i
    m = [(real(i, real64), i=1, 24)]
    a = tsr_task_argument(c_loc(m), tsr_float64, 2, 1, 8, 0, 0)
    a%shape(1:2) = [4, 6]
    a%stride_bytes(1:2) = [48, 8]
    call tsr_view(a, p)
    call check(all(shape(p) == [6, 4]) .and. p(2, 3) == 14, 'rows')
    a = tsr_task_argument(c_loc(m(8)), tsr_float64, 2, 1, 8, 0, 0)
    a%shape(1:2) = [2, 2]
    a%stride_bytes(1:2) = [48, 16]
    a%before(1:2) = [1, 0]
    a%after(1:2) = [0, 1]
    call tsr_view(a, p)
    call check(all(lbound(p) == [1, 0]) .and. all(ubound(p) == [3, 2]), 'bounds of a halo')
    call check(p(1, 0) == 2 .and. p(3, 2) == 18, 'steps and a halo')
    a = tsr_task_argument(c_loc(m(24)), tsr_float64, 2, 1, 8, 0, 0)
    a%shape(1:2) = [4, 3]
    a%stride_bytes(1:2) = [-48, -16]
    call tsr_view(a, p)
    call check(p(1, 1) == 24 .and. p(3, 1) == 20 .and. p(1, 4) == 6 .and. p(3, 4) == 2, 'backwards')
    a%stride_bytes(1:2) = [8, 48]
    call tsr_view(a, p)
    call check(.not. associated(p), 'axes in another order')
    a%stride_bytes(1:2) = [48, 0]
    call tsr_view(a, p)
    call check(.not. associated(p), 'elements that repeat')
    a%stride_bytes(1:2) = [48, 4]
    call tsr_view(a, p)
    call check(.not. associated(p), 'steps of half an element')
    a%stride_bytes(1:2) = [48, 8]
    call tsr_view(a, line)
    call check(.not. associated(line), 'another number of axes')
    a = tsr_task_argument(c_loc(m(3)), tsr_float64, 1, 5, 16, 0, 0)
    call tsr_view(a, other)
    call check(.not. associated(other), 'another dtype')
    call tsr_view(a, line)
    call check(all(line == [3, 5, 7, 9, 11]), 'a line')
    a = tsr_task_argument(c_loc(m), tsr_float64, 3, 1, 0, 0, 0)
    a%shape(1:3) = [2, 1, 3]
    a%stride_bytes(1:3) = [96, 0, 8]
    call tsr_view(a, cube)
    call check(all(shape(cube) == [3, 1, 2]) .and. cube(3, 1, 2) == 15, 'an axis of one element')
    a%shape(1:3) = 1
    a%stride_bytes(1:3) = 0
    call tsr_view(a, cube)
    call check(size(cube) == 1 .and. cube(1, 1, 1) == 1, 'one element')
    a%shape(1) = 0
    call tsr_view(a, cube)
    call check(.not. associated(cube), 'no elements')
  end subroutine

  ! Each rank's part, with what lies around, is written in place.
  subroutine tiles()
    real(real64), allocatable :: a(:, :), got(:, :)
    real(real64), pointer :: p(:, :)
    type(tsr_array) :: x, none
    type(tsr_local_tile) :: tile
    integer :: i, j, status
    a = reshape([(real(i, real64), i=1, 12000)], [300, 40])
    allocate (got(300, 40))
    x = tsr_from_host(a)
    call tsr_local(x, tile, halo=[1, 2])
    call tsr_view(tsr_tile_argument(tile, halo=[1, 2]), p)
    if (associated(p)) then
      call check(all(transpose(p) == a(tile%lo(1) + lbound(p, 2):tile%lo(1) + ubound(p, 2), &
        tile%lo(2) + lbound(p, 1):tile%lo(2) + ubound(p, 1))), 'a tile with its halo')
      call check(all(lbound(p) <= 1) .and. ubound(p, 2) >= tile%n(1) .and. size(p) >= tile%n(1)*tile%n(2), 'a tile')
    else
      call check(tile%n(1)*tile%n(2) == 0, 'no tile')
      call check(.not. associated(p), 'no tile')
    end if
    call tsr_set_error_mode(tsr_errors_return)
    call tsr_assign(x, 0, status)
    call check(status == -101 .and. tsr_take_error() == -101, 'what is lent is not written')
    call tsr_set_error_mode(tsr_errors_abort)
    call tsr_local_end(tile)
    call tsr_local(x, tile, writable=.true.)
    call tsr_view(tsr_tile_argument(tile), p)
    if (associated(p)) then
      do i = 1, size(p, 2)
        do j = 1, size(p, 1)
          p(j, i) = -p(j, i)
        end do
      end do
    end if
    call tsr_local_end(tile, status)
    call tsr_to_host(x, got)
    call check(status == tsr_ok .and. all(got == -a), 'a tile is written')
    x = x + 1
    call tsr_set_error_mode(tsr_errors_return)
    call tsr_local(x, tile, halo=[-1, 0], status=status)
    call check(status == -101 .and. tsr_take_error() == -101, 'a halo below 0')
    call tsr_local(none, tile, halo=[1, 1], status=status)
    call check(status == -102, 'a tile of no array')
    call tsr_set_error_mode(tsr_errors_abort)
    call tsr_view(tsr_tile_argument(tile), p)
    call check(.not. associated(p), 'a tile that is not lent')
  end subroutine

  ! What a block made is released where it ends: at its last line, by cycle, exit and return.
  subroutine blocks()
    type(tsr_array) :: u, made(5), kept
    integer :: i
    u = tsr_zeros([3])
    do i = 1, 4
      block
        type(tsr_block) :: scope
        call scope%open()
        made(i) = u + i
        call tsr_assign(u, made(i))
        if (i == 2) cycle
        if (i == 3) exit
        kept = tsr_keep(made(i)*2)
      end block
    end do
    call leave(u, made(4))
    block
      type(tsr_block) :: scope
      call scope%open()
      made(5) = u + 1
      call scope%open()
      call gone(made(5), 'a block that is opened anew')
    end block
    block
      type(tsr_block) :: unused
      if (total(u) < 0) call unused%open()
      call check(total(u) == 18, 'a block that is not opened')
    end block
    call check(total(u) == 18 .and. total(kept) == 6, 'blocks release their own')
    do i = 1, 5
      call gone(made(i), 'what a block held')
    end do
  end subroutine

  subroutine leave(u, made)
    type(tsr_array), intent(in) :: u
    type(tsr_array), intent(out) :: made
    type(tsr_block) :: scope
    call scope%open()
    made = u*2
    if (total(made) < 0) return
    made = u*2
  end subroutine

  subroutine gone(x, what)
    type(tsr_array), intent(in) :: x
    character(len=*), intent(in) :: what
    type(tsr_array) :: more
    call tsr_set_error_mode(tsr_errors_return)
    more = x + 1
    call check(tsr_take_error() == -102 .and. more%id /= x%id, what)
    call tsr_set_error_mode(tsr_errors_abort)
  end subroutine

  subroutine errors()
    type(tsr_array) :: x
    integer :: before, status
    call tsr_set_error_mode(tsr_errors_return, before)
    call check(before == tsr_errors_abort, 'the mode before')
    x = tsr_ones([3]) + tsr_ones([4])
    call check(index(tsr_last_error(), 'tsr_add') > 0 .and. index(tsr_last_error(), '(3,) and (4,)') > 0, 'the text')
    call check(tsr_take_error() == -203, 'the code')
    call check(tsr_last_error() == '', 'an error that is taken')
    call tsr_assign(tsr_ones([3]), tsr_ones([2]), status)
    call check(status == -203 .and. tsr_take_error() == -203, 'status')
    x = tsr_sum(tsr_ones([3]), [1])
    call check(tsr_take_error() == -205, 'an axis')
    x = tsr_ones([3]) + x
    call check(tsr_take_error() == tsr_ok, 'what failed fails in silence')
    call tsr_set_error_mode(before)
  end subroutine
end program
