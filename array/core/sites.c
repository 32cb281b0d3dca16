/* Call sites of C++ callers, which cannot declare a static record inside an expression. Each site
 * has one record, made at its first call and owned by the context. The key is the addresses of the
 * compiler's own strings; a site that appears under two addresses gets two equal records. */
#include "array/core/array_int.h"
#include "runtime/base/alloc.h"
#include "runtime/base/table.h"

#include <stdlib.h>

struct tsr_sites {
  tsr_table locations; /* owns its values */
};

const tsr_location *tsr_site(const char *file, int line, const char *function, const char *op)
{
  TSR_IN_CALL tsr_context *c = tsr__call_enter(&(tsr_location){.op = op});
  if (c->statement_waits) {
    c->statement_waits = false;
    tsr__statement_ended(c);
  }
  if (!c->sites) c->sites = tsr__calloc(1, sizeof *c->sites);
  tsr_table *t = &c->sites->locations;
  uint64_t hash = tsr__hash_word((uint64_t)(uintptr_t)file, (uint64_t)line);
  hash = tsr__hash_word(hash, (uint64_t)(uintptr_t)op);
  uint32_t at = 0;
  for (tsr_location *l; (l = tsr__table_next(t, hash, &at)) != NULL;)
    if (l->file == file && l->line == line && l->op == op) return l;
  tsr_location *made = tsr__malloc(sizeof *made);
  *made = (tsr_location){.file = file, .function = function, .line = line, .op = op, .args = ""};
  tsr__table_add(t, hash, made);
  return made;
}

void tsr__sites_destroy(struct tsr_sites *sites)
{
  if (!sites) return;
  for (uint32_t i = 0; i < sites->locations.capacity; i++) free(sites->locations.v[i].value);
  tsr__table_free(&sites->locations);
  free(sites);
}
