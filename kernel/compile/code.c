/* The kinds of code. */
#include "kernel/compile/code.h"
#include "kernel/cuda/render_cuda.h"
#include "kernel/ops/functions.h"

static bool runs_everywhere(const tsr_target *target)
{
  return target != NULL;
}

const tsr_code_kind tsr__code_c = {
    .name = "c",
    .runs_on = runs_everywhere,
    .add_prelude = tsr__render_prelude,
    .add_functions = tsr__render_functions,
    .render = tsr__render_c,
    .maker = &tsr__maker_cc,
};

/* Without instructions for roundings and fused multiply-adds the text would call the C
 * library's. */
static bool has_instructions(const tsr_target *target)
{
  return target->x86_vex;
}

static void add_cuda_as_c(const tsr_target *target, tsr_text *out)
{
  (void)target;
  tsr__text_add(out, "%s%s", tsr__words_cuda_as_c, tsr__words_cuda);
}

static void add_scalar_functions(const tsr_target *target, const tsr_function_uses *uses,
                                 tsr_text *out)
{
  (void)target;
  tsr__render_scalar_functions(uses, out);
}

static bool render_cuda(const tsr_kernel *k, const uint8_t *form, const tsr_target *target,
                        const char *name, tsr_text *out, tsr_function_uses *uses)
{
  (void)target;
  return tsr__render_cuda(k, (const tsr_cuda_form *)form, name, out, uses);
}

const tsr_code_kind tsr__code_cuda_as_c = {
    .name = "cuda_as_c",
    .runs_on = has_instructions,
    .add_prelude = add_cuda_as_c,
    .add_functions = add_scalar_functions,
    .render = render_cuda,
    .maker = &tsr__maker_cc_image,
    .is_image = true,
};

static bool runs_on_devices(const tsr_target *target)
{
  (void)target;
  return true;
}

static void add_cuda(const tsr_target *target, tsr_text *out)
{
  (void)target;
  tsr__text_add(out, "%s", tsr__words_cuda);
}

const tsr_code_kind tsr__code_cuda = {
    .name = "cuda",
    .runs_on = runs_on_devices,
    .add_prelude = add_cuda,
    .add_functions = add_scalar_functions,
    .render = render_cuda,
    .maker = &tsr__maker_nvrtc,
    .is_image = true,
};
