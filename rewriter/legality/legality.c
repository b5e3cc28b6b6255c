/* legality.c - may the load side run ahead?
 *
 * Needs: slices and copies. Gives: a verdict with a reason and a place, or
 * none; and for each tile what speaks against more than one stage. Raises:
 * what the rules of rules.def do. */
#include "legality_parts.h"

typedef bool rule(pl_loop *loop);

static rule *const rules[] = {
#define X(name, ids, question) pl_check_##name,
#include "rules.def"
#undef X
};

void pl_check_legality(pl_loop *loop) {
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (loop->settled || !rules[i](loop))
      return;
  pl_ask_for_default_types(loop);
  pl_find_participants(loop);
  pl_find_fixed_tiles(loop);
  pl_find_outside_uses(loop);
  pl_check_voted_tiles(loop);
}
