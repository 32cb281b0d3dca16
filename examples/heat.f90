! The plate of stencil.c in Fortran: slices by text and by Fortran's bounds, a picture, an array of Fortran's.
!
!   heat_f90 [N [STEPS [PICTURE.png]]]
!   gfortran $(pkg-config --variable=fortran tessera) heat.f90 $(pkg-config --libs tessera) -Wl,-rpath,$HOME/tessera/lib -o heat_f90
program heat
  use tessera
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  type(tsr_array) :: grid, center, north, east, west, south
  real(real64), allocatable :: plate(:, :)
  real(real64) :: mean
  character(len=200) :: word
  integer :: n, steps, i

  call tsr_init()
  n = 100
  steps = 100
  if (command_argument_count() > 0) then
    call get_command_argument(1, word)
    read (word, *) n
  end if
  if (command_argument_count() > 1) then
    call get_command_argument(2, word)
    read (word, *) steps
  end if

  grid = tsr_zeros([n + 2, n + 2])
  call tsr_assign(tsr_slice(grid, ':, 0'), -273.15_real64)
  call tsr_assign(tsr_slice(grid, ':, -1'), -273.15_real64)
  call tsr_assign(tsr_slice(grid, '-1, :'), -273.15_real64)
  call tsr_assign(tsr_section(grid, [1, 1], [1, n + 2]), 40)

  center = tsr_section(grid, [2, 2], [n + 1, n + 1])
  north = tsr_section(grid, [1, 2], [n, n + 1])
  east = tsr_section(grid, [2, 3], [n + 1, n + 2])
  west = tsr_section(grid, [2, 1], [n + 1, n])
  south = tsr_section(grid, [3, 2], [n + 2, n + 1])
  do i = 1, steps
    block
      type(tsr_block) :: scope
      call scope%open()
      call tsr_assign(center, 0.2_real64*(center + north + east + west + south))
    end block
  end do

  if (command_argument_count() > 2) then
    call get_command_argument(3, word)
    call tsr_save_png(grid, word)
  end if
  mean = tsr_item_f64(tsr_mean(grid))
  allocate (plate(n + 2, n + 2))
  call tsr_to_host(grid, plate)
  if (tsr_rank() == 0) print '(a, es23.16, a, 2f9.2)', 'result check=', mean, ' at (2, 3) and (3, 2): ', plate(2, 3), plate(3, 2)
  call tsr_finalize()
end program
