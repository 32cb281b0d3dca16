/* Runs the C++ program of cpp_program.cpp. */
#include "array_test.h"

int cpp_program(const char **failed);

Test(cpp, the_header_works_from_cpp, .init = begin, .fini = end)
{
  const char *failed = "";
  cr_expect_eq(cpp_program(&failed), 0, "%s", failed);
}
