/* Writes a kernel as text, for dumps and golden tests: accesses, parameters, then one instruction
 * per line. */
#include "kernel/ir/kernel.h"
#include "runtime/base/text.h"

static const char *suffix(int dtype)
{
  return tsr__dtype_info(dtype)->suffix;
}

static void add_instr(tsr_text *t, const tsr_kernel *k, int at)
{
  const tsr_instr *in = &k->instrs[at];
  if (in->kind != TSR_I_STORE) tsr__text_add(t, "  %%%d = ", at);
  switch (in->kind) {
  case TSR_I_LOAD:
    tsr__text_add(t, "load.%s a%d", suffix(in->dtype), in->index);
    break;
  case TSR_I_SCALAR:
    tsr__text_add(t, "scalar.%s s%d", suffix(in->dtype), in->index);
    break;
  case TSR_I_IOTA:
    tsr__text_add(t, "iota.%s axis %d", suffix(in->dtype), in->index);
    break;
  case TSR_I_CAST:
    tsr__text_add(t, "cast.%s", suffix(in->dtype));
    break;
  case TSR_I_RANDOM:
    tsr__text_add(t, "%s.%s", tsr__random_info(in->index)->name, suffix(in->dtype));
    break;
  case TSR_I_STORE:
    tsr__text_add(t, "  store.%s a%d", suffix(in->dtype), in->index);
    break;
  default:
    tsr__text_add(t, "%s.%s", tsr__op_info(in->index)->name, suffix(in->compute));
  }
  for (int i = 0; i < in->n_args; i++) tsr__text_add(t, " %%%d", k->args[in->first_arg + i]);
  tsr__text_add(t, "\n");
}

char *tsr__kernel_text(const tsr_kernel *k)
{
  tsr_text t = {0};
  tsr__text_add(&t, "kernel %dd\n", k->ndim);
  for (int i = 0; i < k->n_accesses; i++) {
    const tsr_kernel_access *a = &k->accesses[i];
    tsr__text_add(&t, "  a%d: %s %s, buffer %d, pattern %u\n", i, a->is_store ? "store" : "load",
                  suffix(a->dtype), a->buffer, a->pattern);
  }
  for (int i = 0; i < k->n_scalars; i++) {
    tsr__text_add(&t, "  s%d: %s\n", i, suffix(k->scalar_dtypes[i]));
  }
  if (k->n_source > 0) tsr__text_add(&t, "  CUDA C of %d bytes\n", k->n_source - 1);
  for (int i = 0; i < k->n_instrs; i++) add_instr(&t, k, i);
  return t.s;
}
