/* version.c - see version.h. */
#include "version.h"

#include "budget.h"
#include "pipelinify.h"

void pl_print_version(FILE *out) {
  const pl_arch *archs[PL_BUDGET_ARCHS];
  size_t count = pl_budget_archs(archs);
  fprintf(out, "pipelinify %s\n", PL_VERSION);
  fprintf(out, "libclang: %s\n", pl_libclang_version());
  if (count)
    fprintf(out, "architectures: sm_%d to sm_%d\n", archs[0]->sm,
            archs[count - 1]->sm);
  fputs("CUDA: tested with 13.0; none needed to rewrite\n", out);
}
