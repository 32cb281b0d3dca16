/* Runs the C++ programs of cpp_program.cpp and cpp_arrays.cpp. */
#include "array_test.h"

int cpp_program(const char **failed);
int cpp_arrays(const char **failed);
void cpp_arrays_of_a_rank(void *n_wrong, int rank);

Test(cpp, the_header_works_from_cpp, .init = begin, .fini = end)
{
  const char *failed = "";
  cr_expect_eq(cpp_program(&failed), 0, "%s", failed);
}

Test(cpp, arrays_that_own, .init = begin, .fini = end)
{
  const char *failed = "";
  cr_expect_eq(cpp_arrays(&failed), 0, "%s", failed);
}

Test(cpp, arrays_that_own_on_two_ranks)
{
  int wrong[] = {1, 1};
  RUN_RANKS(2, cpp_arrays_of_a_rank, wrong, "threads", "1");
  cr_expect_eq(wrong[0] + wrong[1], 0);
}
