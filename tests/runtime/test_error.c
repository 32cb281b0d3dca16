/* Texts of errors, carets and shapes; and the arenas and growing texts that they are made of. */
#include "runtime/base/blocks.h"
#include "runtime/base/error.h"
#include "tests/runtime/capture.h"
#include "runtime/base/alloc.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* AddressSanitizer ends a program that asks malloc for too much unless told that it may return
 * NULL. */
const char *__asan_default_options(void);
__attribute__((weak)) const char *__asan_default_options(void)
{
  return "allocator_may_return_null=1";
}

const char *__tsan_default_options(void);
__attribute__((weak)) const char *__tsan_default_options(void)
{
  return "allocator_may_return_null=1";
}

static const tsr_location here = {"heat.c", "step", 57, "tsr_add", "a, b"};

static void check_text(tsr_error *e, const char *ranks, bool colour, const char *expected)
{
  char *text = tsr__error_text(e, ranks, colour);
  cr_assert_str_eq(text, expected);
  free(text);
  tsr__error_clear(e);
}

Test(error, whole_message)
{
  tsr_error e = {0};
  tsr__error_begin(&e, TSR_ERR_BROADCAST, &here, "cannot broadcast shapes %s and %s", "(4096, 128)",
                   "(4096, 64)");
  tsr__error_note(&e, "a: (4096, 128) float32, made at heat.c:31 by tsr_zeros");
  tsr__error_note(&e, "b: (4096,  64) float32, made at heat.c:44 by tsr_slice(u, \":, ::2\")");
  tsr__error_rule(&e, "axis 1 differs: %d and %d; broadcasting needs equal lengths or 1", 128, 64);
  cr_assert_eq(e.status, TSR_ERR_BROADCAST);
  check_text(&e, "ranks 0-3", false,
             "error[TSR0203]: cannot broadcast shapes (4096, 128) and (4096, 64) in `tsr_add`\n"
             "  --> heat.c:57 in step()          (ranks 0-3)\n"
             "   a: (4096, 128) float32, made at heat.c:31 by tsr_zeros\n"
             "   b: (4096,  64) float32, made at heat.c:44 by tsr_slice(u, \":, ::2\")\n"
             "   = axis 1 differs: 128 and 64; broadcasting needs equal lengths or 1\n"
             "help: `tessera explain TSR0203` shows the rule with examples\n");
  cr_assert_eq(e.status, TSR_OK, "cleared");
}

Test(error, names_the_operation_once)
{
  tsr_error e = {0};
  tsr__error_begin(&e, TSR_ERR_AXIS, &here, "`tsr_add` has no axis 3");
  tsr__error_help(&e, "axes run from -2 to 1");
  tsr__error_help(&e, "see tsr_moveaxis");
  check_text(&e, NULL, false,
             "error[TSR0205]: `tsr_add` has no axis 3\n"
             "  --> heat.c:57 in step()\n"
             "help: axes run from -2 to 1\n"
             "help: see tsr_moveaxis\n");
}

Test(error, without_a_place)
{
  tsr_error e = {0};
  tsr__error_begin(&e, TSR_ERR_MEMORY, NULL, "out of memory");
  check_text(&e, "rank 2", false,
             "error[TSR0402]: out of memory\n"
             "  --> (rank 2)\n"
             "help: `tessera explain TSR0402` shows the rule with examples\n");
}

Test(error, colour)
{
  tsr_error e = {0};
  tsr__error_begin(&e, TSR_ERR_SIZE, NULL, "too large");
  tsr__error_help(&e, "smaller");
  check_text(&e, NULL, true,
             "\033[1;31merror[TSR0401]\033[0m: \033[1mtoo large\033[0m\n"
             "\033[1;36mhelp:\033[0m smaller\n");
}

Test(error, begin_starts_anew)
{
  tsr_error e = {0};
  tsr__error_begin(&e, TSR_ERR_SIZE, &here, "first");
  tsr__error_note(&e, "gone");
  tsr__error_help(&e, "gone");
  tsr__error_begin(&e, TSR_ERR_INDEX, NULL, "second");
  check_text(&e, NULL, false,
             "error[TSR0206]: second\n"
             "help: `tessera explain TSR0206` shows the rule with examples\n");
}

static void check_caret(const char *source, size_t at, const char *expected)
{
  tsr_error e = {0};
  tsr__error_begin(&e, TSR_ERR_SYNTAX, NULL, "x");
  tsr__error_caret(&e, source, at);
  cr_assert_str_eq(e.notes.s, expected);
  tsr__error_clear(&e);
}

Test(error, carets)
{
  check_caret("0:2x, 1", 3, "   | 0:2x, 1\n   |    ^\n");
  check_caret("abc", 0, "   | abc\n   | ^\n");
  check_caret("abc", 3, "   | abc\n   |    ^\n");
  check_caret("abc", 99, "   | abc\n   |    ^\n");
  check_caret("", 0, "   | \n   | ^\n");
  check_caret("\tab", 2, "   | \tab\n   | \t ^\n");
  check_caret("one\ntwo\nthree", 5, "   | two\n   |  ^\n");
  check_caret("\xc3\xa9\xc3\xa9 b", 5, "   | \xc3\xa9\xc3\xa9 b\n   |    ^\n");
}

Test(error, caret_in_a_long_line)
{
  char source[301];
  memset(source, 'a', 300);
  source[300] = 0;
  source[150] = '!';
  tsr_error e = {0};
  tsr__error_begin(&e, TSR_ERR_SYNTAX, NULL, "x");
  tsr__error_caret(&e, source, 150);
  const char *line = e.notes.s, *mark = strchr(line, '\n') + 1;
  cr_assert_eq(strchr(line, '!') - line, strchr(mark, '^') - mark);
  cr_assert_lt(mark - line, 120);
  cr_assert_eq(strncmp(line, "   | ...aaa", 11), 0);
  tsr__error_clear(&e);
}

Test(error, codes_and_shapes)
{
  char code[8], buf[64], tiny[6];
  cr_assert_str_eq(tsr__status_code(TSR_ERR_ARGUMENT, code), "TSR0101");
  cr_assert_str_eq(tsr__status_code(TSR_ERR_INTERNAL, code), "TSR0901");
  int64_t shape[] = {4096, 128, INT64_MAX};
  cr_assert_str_eq(tsr__shape_text(0, shape, buf, sizeof buf), "()");
  cr_assert_str_eq(tsr__shape_text(1, shape, buf, sizeof buf), "(4096,)");
  cr_assert_str_eq(tsr__shape_text(2, shape, buf, sizeof buf), "(4096, 128)");
  cr_assert_str_eq(tsr__shape_text(3, shape, buf, sizeof buf), "(4096, 128, 9223372036854775807)");
  cr_assert_str_eq(tsr__shape_text(2, shape, tiny, sizeof tiny), "(4096");
}

Test(error, bytes_are_in_a_unit_that_shows_them)
{
  static const struct {
    size_t bytes;
    const char *text;
  } cases[] = {{0, "0 bytes"},
               {1, "1 byte"},
               {1023, "1023 bytes"},
               {1024, "1.0 KiB"},
               {3584, "3.5 KiB"},
               {1048524, "1023.9 KiB"},
               {1048525, "1.0 MiB"},
               {(size_t)64 << 20, "64.0 MiB"},
               {(size_t)3 << 29, "1.5 GiB"},
               {(size_t)5 << 50, "5120.0 TiB"},
               {SIZE_MAX, "16777216.0 TiB"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    cr_expect_str_eq(tsr__bytes_text(cases[i].bytes).s, cases[i].text);
}

static void die_fatally(void)
{
  tsr__fatal("rank %d cannot go on", 3);
}

static void die_by_assertion(void)
{
  tsr__assert_failed("n > 0", "a.c", 12, "f");
}

static void die_for_memory(void)
{
  volatile size_t bytes = SIZE_MAX / 4;
  free(tsr__malloc(bytes));
}

Test(error, the_ways_to_die)
{
  char text[1024];
  cr_assert_eq(capture_stderr(die_fatally, text, sizeof text), SIGABRT);
  cr_assert_str_eq(text, "fatal: tessera: rank 3 cannot go on\n");
  cr_assert_eq(capture_stderr(die_by_assertion, text, sizeof text), SIGABRT);
  cr_assert_str_eq(text, "error[TSR0901]: a defect of Tessera: `n > 0` does not hold\n"
                         "  --> a.c:12 in f()\n"
                         "help: please report this message together with the program\n");
  cr_assert_eq(capture_stderr(die_for_memory, text, sizeof text), SIGABRT);
  cr_assert_not_null(strstr(text, "fatal: tessera: out of memory: the system refuses "
                                  "4611686018427387903 bytes for the runtime\n"),
                     "%s", text);
}

Test(text, grows)
{
  tsr_text t = {0};
  size_t n = 0;
  for (int i = 0; i < 1000; i++) {
    tsr__text_add(&t, "%d,", i);
    n += i < 10 ? 2 : i < 100 ? 3 : 4;
  }
  cr_assert_eq(t.n, n);
  cr_assert_eq(strlen(t.s), n);
  cr_assert_str_eq(t.s + n - 8, "998,999,");
  tsr__text_add(&t, "%s", "");
  cr_assert_eq(t.n, n);
  tsr__text_free(&t);
  cr_assert_null(t.s);
  cr_assert_eq(t.n, 0);
}

Test(text, edit_distance)
{
  cr_expect_eq(tsr__edit_distance("", ""), 0);
  cr_expect_eq(tsr__edit_distance("", "run"), 3);
  cr_expect_eq(tsr__edit_distance("run", ""), 3);
  cr_expect_eq(tsr__edit_distance("rnu", "run"), 1);
  cr_expect_eq(tsr__edit_distance("kitten", "sitting"), 3);
  cr_expect_eq(tsr__edit_distance("sqtr", "sqrt"), 1);
  char a[101] = "", b[101] = "";
  memset(a, 'a', 100);
  memset(b, 'b', 100);
  cr_expect_eq(tsr__edit_distance(a, b), 64);
}

Test(arena, aligned_distinct_and_reused)
{
  tsr_arena a = {0};
  char *first = tsr__arena_alloc(&a, 1);
  cr_assert_eq((uintptr_t)first % 16, 0);
  enum { N = 2000 };
  unsigned char *p[N];
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < N; i++) {
      p[i] = tsr__arena_alloc(&a, (size_t)i);
      cr_assert_eq((uintptr_t)p[i] % 16, 0);
      memset(p[i], i & 255, (size_t)i);
    }
    for (int i = 0; i < N; i++)
      for (int j = 0; j < i; j++) cr_assert(p[i][j] == (i & 255));
    tsr__arena_reset(&a);
    cr_assert_eq((char *)tsr__arena_alloc(&a, 8), first, "reset keeps the memory");
    tsr__arena_reset(&a);
  }
  unsigned char *zeros = tsr__arena_calloc(&a, 100, 1000);
  for (int i = 0; i < 100000; i++) cr_assert(zeros[i] == 0);
  tsr__arena_destroy(&a);
  cr_assert_null(a.first);
}

/* What grows keeps its elements: where it lies if it was allocated last, else in another place. */
Test(arena, growing_arrays)
{
  tsr_arena a = {0};
  int32_t *v = NULL, *w = NULL, capacity = 0, other = 0;
  for (int32_t n = 0; n < 8; n++) {
    v = tsr__arena_grow(&a, v, n, &capacity, sizeof *v);
    v[n] = n;
  }
  int32_t *const before = v;
  for (int32_t n = 8; n < 1000; n++) {
    v = tsr__arena_grow(&a, v, n, &capacity, sizeof *v);
    v[n] = n;
  }
  cr_expect_eq(v, before, "nothing lies behind it");
  for (int32_t n = 0; n < 10000; n++) {
    w = tsr__arena_grow(&a, w, n, &other, sizeof *w);
    w[n] = -n;
    v = tsr__arena_grow(&a, v, 1000 + n, &capacity, sizeof *v);
    v[1000 + n] = 1000 + n;
  }
  cr_expect_neq(v, before);
  for (int32_t n = 0; n < 11000; n++) cr_assert_eq(v[n], n);
  for (int32_t n = 0; n < 10000; n++) cr_assert_eq(w[n], -n);
  tsr__arena_destroy(&a);
}

Test(arena, shared_blocks_are_used_again)
{
  enum { MANY = 100, EACH = 20000 };
  tsr_blocks blocks = {0};
  static tsr_arena a[MANY];
  static unsigned char *p[MANY], *more[MANY];
  for (int turn = 0; turn < 2; turn++) {
    for (int i = 0; i < MANY; i++) {
      tsr__blocks_begin(&blocks, &a[i]);
      p[i] = tsr__arena_alloc(&a[i], EACH);
      more[i] = tsr__arena_alloc(&a[i], EACH); /* the allocation does not fit the block */
      cr_assert_eq((uintptr_t)p[i] % 16, 0);
      memset(p[i], i, EACH);
      memset(more[i], i, EACH);
    }
    for (int i = 0; i < MANY; i++) {
      cr_assert(p[i][0] == i && p[i][EACH - 1] == i);
      cr_assert(more[i][0] == i && more[i][EACH - 1] == i);
    }
    const size_t total = blocks.total_bytes;
    for (int i = 0; i < MANY; i++) tsr__blocks_end(&blocks, &a[i]);
    tsr__blocks_begin(&blocks, &a[0]);
    cr_assert_eq((unsigned char *)tsr__arena_alloc(&a[0], 1), p[MANY - 1], "the last one's again");
    tsr__blocks_end(&blocks, &a[0]);
    cr_assert_eq(blocks.total_bytes, total);
    cr_assert_lt(total, (size_t)12 << 20);
  }
  tsr__blocks_free(&blocks);
}

/* Arenas of many sizes, some with blocks of their own: nothing overlaps, and once all sizes were
 * seen, no chunk comes. */
Test(arena, shared_blocks_of_all_sizes)
{
  enum { MANY = 12, TURNS = 40 };
  tsr_blocks blocks = {0};
  tsr_arena a[MANY];
  unsigned char *p[MANY][4];
  size_t bytes[4], total = 0;
  for (int turn = 0; turn < TURNS; turn++) {
    for (int i = 0; i < MANY; i++) {
      tsr__blocks_begin(&blocks, &a[i]);
      for (int k = 0; k < 4; k++) {
        bytes[k] = (size_t)20000 << (2 * k); /* 20 KB to 1.3 MB */
        p[i][k] = tsr__arena_alloc(&a[i], bytes[k]);
        cr_assert_eq((uintptr_t)p[i][k] % 16, 0);
        memset(p[i][k], 4 * i + k, bytes[k]);
      }
    }
    for (int i = 0; i < MANY; i++)
      for (int k = 0; k < 4; k++)
        cr_assert(p[i][k][0] == 4 * i + k && p[i][k][bytes[k] - 1] == 4 * i + k);
    if (turn == 0) total = blocks.total_bytes;
    cr_assert_eq(blocks.total_bytes, total);
    for (int i = 0; i < MANY; i++) tsr__blocks_end(&blocks, &a[(i + turn) % MANY]);
  }
  tsr__blocks_free(&blocks);
}

static void die_for_an_arena(void)
{
  tsr_arena a = {0};
  tsr__arena_calloc(&a, SIZE_MAX / 2, 3);
}

Test(arena, absurd_size_is_fatal)
{
  char text[256];
  cr_assert_eq(capture_stderr(die_for_an_arena, text, sizeof text), SIGABRT);
  cr_assert_str_eq(text, "fatal: tessera: cannot allocate 9223372036854775807 times 3 bytes from "
                         "an arena\n");
}
