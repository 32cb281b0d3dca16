/* Slice texts: items, positions and reasons of errors, and that no text crashes. */
#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "array/views/slice_text.h"

static tsr_status parse(const char *text, int n, const int64_t *ints, char *got, size_t size,
                        size_t *at, char *why, size_t why_size)
{
  tsr_slice_item items[TSR_SLICE_MAX_ITEMS];
  int n_items = -1;
  tsr_status status = tsr__slice_parse(text, n, ints, NULL, items, &n_items, at, why, why_size);
  if (status == TSR_OK) tsr__slice_text(n_items, items, got, size);
  return status;
}

Test(slice_text, accepts)
{
  static const struct {
    const char *text, *items;
  } cases[] = {
      {"1:-1, ::2, 5, ..., newaxis, -3", "1:-1, ::2, 5, ..., newaxis, -3"},
      {":", ":"},
      {"  1 : - 1 ,\t: :\n-2 ", "1:-1, ::-2"},
      {"::", ":"},
      {"1::", "1:"},
      {"+3,", "3"},
      {"None,None", "newaxis, newaxis"},
      {"...", "..."},
      {"-9223372036854775808:9223372036854775807", "-9223372036854775808:9223372036854775807"},
      {"00000000000000000000000012", "12"},
      {":5", ":5"},
      {"5:", "5:"},
      {"1:2:3", "1:2:3"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char got[256], why[128] = "";
    size_t at = 0;
    tsr_status status = parse(cases[k].text, 0, NULL, got, sizeof got, &at, why, sizeof why);
    cr_assert_eq(status, TSR_OK, "%s: %s", cases[k].text, why);
    cr_assert_str_eq(got, (char *)cases[k].items);
  }
}

Test(slice_text, arguments_take_their_places_in_order)
{
  const int64_t ints[] = {7, -2, INT64_MIN, 3};
  char got[256], why[128];
  size_t at;
  cr_assert_eq(parse("$, :$, $:4:$", 4, ints, got, sizeof got, &at, why, sizeof why), TSR_OK);
  cr_assert_str_eq(got, "7, :-2, -9223372036854775808:4:3");
}

Test(slice_text, tells_what_is_wrong_and_where)
{
  static const struct {
    const char *text;
    int n;
    tsr_status status;
    size_t at;
    const char *why;
  } cases[] = {
      {"", 0, TSR_ERR_SYNTAX, 0, "the slice is empty: `...` takes the whole array"},
      {"  ", 0, TSR_ERR_SYNTAX, 2, "the slice is empty: `...` takes the whole array"},
      {"1,,2", 0, TSR_ERR_SYNTAX, 2, "expected a number, `:`, `$`, `...` or `newaxis` here"},
      {"1 2", 0, TSR_ERR_SYNTAX, 2, "expected `,`, `:` or the end of the slice"},
      {"1:n", 0, TSR_ERR_SYNTAX, 2,
       "a name has no value here: `$` stands for an integer that follows, as in tsr_slice(u, "
       "\"1:$\", n)"},
      {"1:2 3", 0, TSR_ERR_SYNTAX, 4, "expected `,`, `:` or a number or the end of the slice"},
      {"1:2:3:4", 0, TSR_ERR_SYNTAX, 5, "expected `,`, `:` or a number or the end of the slice"},
      {"..., 1, ...", 0, TSR_ERR_SYNTAX, 8, "a slice has only one `...`"},
      {"::0", 0, TSR_ERR_SYNTAX, 2, "the step of a slice cannot be 0"},
      {":, ::$", 1, TSR_ERR_SYNTAX, 5, "the step of a slice cannot be 0"},
      {"1.5", 0, TSR_ERR_SYNTAX, 1, "a slice takes whole numbers, not `1.`"},
      {"12ab", 0, TSR_ERR_SYNTAX, 2, "a slice takes whole numbers, not `12a`"},
      {"- x", 0, TSR_ERR_SYNTAX, 2, "expected digits after the sign"},
      {"-$", 1, TSR_ERR_SYNTAX, 0, "a sign before `$` is not taken: give the argument its sign"},
      {"$1", 1, TSR_ERR_SYNTAX, 1, "`$` stands alone here: it takes the next integer argument"},
      {"i:", 0, TSR_ERR_SYNTAX, 0,
       "a name has no value here: `$` stands for an integer that follows, as in tsr_slice(u, "
       "\"1:$\", n)"},
      {"Nonesuch", 0, TSR_ERR_SYNTAX, 0,
       "a name has no value here: `$` stands for an integer that follows, as in tsr_slice(u, "
       "\"1:$\", n)"},
      {"9223372036854775808", 0, TSR_ERR_SYNTAX, 0, "the number does not fit in 64 bits"},
      {"1, -99999999999999999999", 0, TSR_ERR_SYNTAX, 3, "the number does not fit in 64 bits"},
      {"$, $", 1, TSR_ERR_ARGUMENT, 3, "this `$` has no argument: the call gives 1 integer"},
      {"$, 1", 2, TSR_ERR_ARGUMENT, 4, "the call gives 2 integers for 1 `$`"},
  };
  const int64_t zeros[4] = {0};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char got[256], why[128] = "";
    size_t at = 1000;
    tsr_status status =
        parse(cases[k].text, cases[k].n, zeros, got, sizeof got, &at, why, sizeof why);
    cr_assert_eq(status, cases[k].status, "%s", cases[k].text);
    cr_assert_str_eq(why, (char *)cases[k].why);
    cr_assert_eq(at, cases[k].at, "%s", cases[k].text);
  }
}

Test(slice_text, at_most_32_items)
{
  char text[80] = "", got[256], why[128];
  size_t at;
  for (int i = 0; i < 32; i++) strcat(text, i ? ",1" : "1");
  cr_assert_eq(parse(text, 0, NULL, got, sizeof got, &at, why, sizeof why), TSR_OK);
  strcat(text, ",1");
  cr_assert_eq(parse(text, 0, NULL, got, sizeof got, &at, why, sizeof why), TSR_ERR_SYNTAX);
  cr_assert_eq(at, 64);
  cr_assert_str_eq(why, "a slice has at most 32 items");
}

Test(slice_text, short_buffers_are_respected)
{
  char why[8], got[8] = "";
  size_t at;
  cr_assert_eq(parse("1,,", 0, NULL, got, sizeof got, &at, why, sizeof why), TSR_ERR_SYNTAX);
  cr_assert_str_eq(why, "expecte");
  cr_assert_eq(parse("1,,", 0, NULL, got, sizeof got, &at, NULL, 0), TSR_ERR_SYNTAX);
  cr_assert_eq(parse("1, 22, 333", 0, NULL, got, sizeof got, &at, why, sizeof why), TSR_OK);
  cr_assert_str_eq(got, "1, 22");
}

/* What parses is written as a text that parses to the same; what does not points into the text. */
Test(slice_text, random_texts)
{
  static const char *const pieces[] = {"1",  "-",   ":",    ",",       " ", "$",
                                       "..", "...", "None", "newaxis", "0", "9223372036854775807",
                                       "+",  "\t",  "x",    "\xff"};
  uint64_t seed = 20260101;
  const int64_t ints[] = {1, -1, 5, 7};
  int n_good = 0;
  for (int round = 0; round < 200000; round++) {
    char text[160] = "", got[256], again[256], why[128];
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    int n = (int)(seed >> 60);
    for (int i = 0; i < n; i++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      strcat(text, pieces[seed >> 60]);
    }
    size_t at = 0;
    int n_ints = 0;
    for (const char *p = text; *p; p++) n_ints += *p == '$';
    if (n_ints > 4) continue;
    tsr_status status = parse(text, n_ints, ints, got, sizeof got, &at, why, sizeof why);
    if (status < 0) {
      cr_assert_leq(at, strlen(text));
      continue;
    }
    n_good++;
    cr_assert_eq(parse(got, 0, NULL, again, sizeof again, &at, why, sizeof why), TSR_OK);
    cr_assert_str_eq(got, again);
  }
  cr_assert_gt(n_good, 1000);
}
