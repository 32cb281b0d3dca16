/* Functions of the text language have NumPy's parameters, in NumPy's places: the rows against
 * NumPy 2.4's signatures (tools/numpy_signatures.txt). */
#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/text/functions.h"

/* The functions whose parameters are others, with the reason. */
static const char *const others[][2] = {
    {"add", "takes 2 to 16 operands"},
    {"multiply", "takes 2 to 16 operands"},
    {"einsum", "NumPy's *operands begin with the subscripts"},
    {"arange", "NumPy's takes start= and stop=, too, and its dtype by place"},
    {"astype", "takes what the method astype takes, too"},
    {"atleast_1d", "takes one array"},
    {"atleast_2d", "takes one array"},
    {"atleast_3d", "takes one array"},
    {NULL, NULL},
};

typedef struct parameter {
  char name[32], otherwise[32]; /* otherwise: "" where it must be given */
  bool by_position, by_name, is_rest;
} parameter;

enum { MOST = 16 };

static char *read_file(const char *path)
{
  FILE *f = fopen(path, "r");
  cr_assert(f != NULL);
  char *text = calloc(1, 1 << 20); /* each name behind a newline */
  text[0] = '\n';
  cr_assert_gt(fread(text + 1, 1, (1 << 20) - 2, f), 10000);
  fclose(f);
  return text;
}

/* Behind "name (" of its line, or NULL. */
static const char *find(const char *text, const char *name)
{
  char key[64];
  snprintf(key, sizeof key, "\n%s (", strcmp(name, "norm") == 0 ? "linalg.norm" : name);
  const char *at = strstr(text, key);
  return at ? at + strlen(key) : NULL;
}

static const char *item_end(const char *p)
{
  for (int depth = 0; depth > 0 || (*p != ',' && *p != ')'); p++)
    depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
  return p;
}

/* Of NumPy's text; the rest is what stands behind "**". */
static int read_signature(const char *p, parameter out[MOST])
{
  int n = 0;
  bool by_position = true;
  while (*p != ')') {
    const char *end = item_end(p);
    const char *name = p + strspn(p, "*"), *equals = memchr(p, '=', (size_t)(end - p));
    if (*p == '/')
      for (int i = 0; i < n; i++) out[i].by_name = false;
    if (*p == '*') by_position = false;
    if (*p != '/' && name < end) {
      cr_assert_lt(n, MOST);
      parameter *o = &out[n++];
      *o = (parameter){.by_position = by_position || p[0] == '*', .by_name = name == p};
      o->is_rest = name == p + 2;
      snprintf(o->name, sizeof o->name, "%.*s", (int)((equals ? equals : end) - name), name);
      if (equals)
        snprintf(o->otherwise, sizeof o->otherwise, "%.*s", (int)(end - equals - 1), equals + 1);
    }
    p = end + strspn(end, ", ");
  }
  return n;
}

static int read_row(const char *row, parameter out[MOST])
{
  tsr_text_parameter p[TSR_TEXT_PARAMETERS];
  const int n = tsr__text_parameters(row, p);
  for (int i = 0; i < n; i++) {
    out[i] = (parameter){.by_position = p[i].by_position, .by_name = p[i].by_name};
    snprintf(out[i].name, sizeof out[i].name, "%.*s", (int)p[i].n_name, p[i].name);
    snprintf(out[i].otherwise, sizeof out[i].otherwise, "%.*s", (int)p[i].n_otherwise,
             p[i].otherwise ? p[i].otherwise : "");
  }
  return n;
}

/* What NumPy says "<no value>" of has a default that it does not tell. */
static bool is_same(const parameter *a, const parameter *numpy)
{
  const bool is_untold = strcmp(numpy->otherwise, "<no value>") == 0 && a->otherwise[0];
  return strcmp(a->name, numpy->name) == 0 && a->by_position == numpy->by_position &&
         a->by_name == numpy->by_name && (is_untold || strcmp(a->otherwise, numpy->otherwise) == 0);
}

static bool agrees(const char *row, const char *signature)
{
  parameter a[MOST], b[MOST];
  int n = read_row(row, a);
  const int n_numpy = read_signature(signature, b);
  if (n_numpy > 0 && b[n_numpy - 1].is_rest) { /* names of our own are among them */
    while (n >= n_numpy && !a[n - 1].by_position) n--;
    if (n != n_numpy - 1) return false;
  } else if (n != n_numpy) {
    return false;
  }
  for (int i = 0; i < n; i++)
    if (!is_same(&a[i], &b[i])) return false;
  return true;
}

/* Does the row of tools/api.table say that NumPy has no such function? A row ends where a line does
 * not begin with a space. */
static bool is_own(const char *table, const char *name)
{
  char key[64];
  snprintf(key, sizeof key, "\ntsr_array %s(", name);
  const char *row = strstr(table, key), *end = row ? row + 1 : NULL;
  while (end && (end = strchr(end, '\n')) != NULL && end[1] == ' ') end++;
  const char *own = row ? strstr(row, "| own") : NULL;
  return own && end && own < end;
}

static bool is_listed(const char *name)
{
  for (int i = 0; others[i][0]; i++)
    if (strcmp(others[i][0], name) == 0) return true;
  return false;
}

typedef struct numpys {
  const char *text, *table;
  int n_compared, n_own;
} numpys;

static void compare(void *context, const char *name)
{
  numpys *with = context;
  if (is_listed(name)) return;
  const char *row = tsr__text_parameters_of(name), *signature = find(with->text, name);
  if (is_own(with->table, name)) {
    cr_expect(signature == NULL, "NumPy has %s", name);
    with->n_own++;
    return;
  }
  cr_assert(signature != NULL, "NumPy has no %s", name);
  cr_expect(agrees(row, signature), "%s: `%s` is not (%.*s", name, row,
            (int)strcspn(signature, "\n"), signature);
  with->n_compared++;
}

Test(text_signatures, are_numpys)
{
  char *text = read_file(TESSERA_SOURCE_DIR "/tools/numpy_signatures.txt");
  char *table = read_file(TESSERA_SOURCE_DIR "/tools/api.table");
  numpys with = {.text = text, .table = table};
  tsr__text_each_name(compare, &with);
  cr_assert_gt(with.n_compared, 150);
  cr_assert_gt(with.n_own, 5);
  free(table);
  free(text);
}

Test(text_signatures, of_listed_functions_differ)
{
  char *text = read_file(TESSERA_SOURCE_DIR "/tools/numpy_signatures.txt");
  for (int i = 0; others[i][0]; i++)
    cr_expect_not(agrees(tsr__text_parameters_of(others[i][0]), find(text, others[i][0])), "%s",
                  others[i][0]);
  free(text);
}
