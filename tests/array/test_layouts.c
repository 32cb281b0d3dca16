/* The layouts of the public structs, with which programs are compiled. A change of a number here is
 * a change of what links: from the first release on SOVERSION in cmake/TesseraTargets.cmake goes up
 * with it, and the numbers of fortran/tessera.f90.in and python's follow. What may grow has room:
 * `reserved`. */
#include "array_test.h"

#define EXPECT_SIZE(type, n) cr_expect_eq(sizeof(type), n, #type " has %zu bytes", sizeof(type))
#define EXPECT_AT(type, field, n)                                                                  \
  cr_expect_eq(offsetof(type, field), n, #type "." #field " is at %zu", offsetof(type, field))

/* Handed over by value: they never grow. */
Test(layouts, values)
{
  EXPECT_SIZE(tsr_array, 8);
  EXPECT_SIZE(tsr_function, 8);
  EXPECT_SIZE(tsr_read, 8);
  EXPECT_SIZE(tsr_parts, 16);
  EXPECT_SIZE(tsr_rng, 16);
  EXPECT_SIZE(tsr_operand, 24);
  EXPECT_AT(tsr_operand, as, 8);
  EXPECT_SIZE(tsr_dims, 72);
  EXPECT_AT(tsr_dims, n, 8);
  EXPECT_SIZE(tsr_arrays, 16);
  EXPECT_SIZE(tsr_point, 72);
  EXPECT_SIZE(tsr_slice_item, 32);
  EXPECT_AT(tsr_slice_item, start, 8);
  EXPECT_SIZE(tsr_drawing, 24);
  EXPECT_SIZE(tsr_axes, 120);
  EXPECT_AT(tsr_axes, keepdims, 36);
  EXPECT_AT(tsr_axes, has_dtype, 41);
  EXPECT_AT(tsr_axes, ord, 48);
  EXPECT_AT(tsr_axes, where, 64);
  EXPECT_SIZE(tsr_padding, 160);
  EXPECT_AT(tsr_padding, before, 16);
  EXPECT_SIZE(tsr_host_option, 96);
  EXPECT_SIZE(tsr_host_tile, 200);
  EXPECT_SIZE(tsr_option, 56);
  EXPECT_SIZE(tsr_location, 40);
  EXPECT_AT(tsr_location, op, 24);
}

/* Kept by the program for the library, or filled by it. */
Test(layouts, what_the_library_fills)
{
  EXPECT_SIZE(tsr_scope, 32);
  EXPECT_SIZE(tsr_device_choice, 24);
  EXPECT_SIZE(tsr_local_tile, 256);
  EXPECT_AT(tsr_local_tile, data, 200);
  EXPECT_AT(tsr_local_tile, device, 224);
  EXPECT_SIZE(tsr_memory_use, 120);
  EXPECT_AT(tsr_memory_use, reserved, 88);
  EXPECT_SIZE(tsr_facts, 416);
  EXPECT_AT(tsr_facts, reserved, 384);
  EXPECT_SIZE(tsr_task_argument, 272);
  EXPECT_SIZE(tsr_task_box, 240);
}

Test(layouts, reserved_room_is_empty, .init = begin, .fini = end)
{
  const tsr_memory_use use = tsr_memory_info(0), none = tsr_memory_info(99);
  cr_expect_eq(tsr_take_error(NULL, 0), TSR_ERR_ARGUMENT);
  const tsr_facts facts = tsr_facts_of(tsr_ones(3));
  tsr_local_tile tile;
  memset(&tile, 1, sizeof tile);
  cr_assert_eq(tsr_local(tsr_ones(3), NULL, false, &tile), TSR_OK);
  for (int i = 0; i < 4; i++) {
    cr_expect_eq(use.reserved[i], 0);
    cr_expect_eq(none.reserved[i], 0);
    if (i < 2) cr_expect_eq(tile.reserved[i], 0);
    cr_expect_eq(facts.reserved[i], 0);
  }
  tsr_local_end(&tile);
}
