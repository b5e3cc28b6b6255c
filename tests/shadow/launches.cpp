/* launches.cpp - in the place of the checker: prints each launch that arrives,
 * so that redirection can be tested without a GPU. */
#include "pl_shadow_abi.h"

#include <cstdio>

extern "C" int pl_shadow_run(const pl_shadow_call *call) {
  static const char *const how[] = {"plain", "cooperative", "extended"};
  fprintf(stderr, "line %d: %s, grid %u,%u,%u, block %u,%u,%u, shared %zu\n",
          call->line, how[call->how], call->grid[0], call->grid[1],
          call->grid[2], call->block[0], call->block[1], call->block[2],
          call->shared);
  return call->run(call);
}

extern "C" void pl_shadow_note(void *, int, const char *) {}
extern "C" void pl_shadow_forget(void) {}
