/* legality.c - may the load side run ahead?
 *
 * Needs: slices and copies. Gives: a verdict with a reason and a place, or
 * none; and for each tile what speaks against more than one stage. Raises:
 * what the rules of rules.def raise.
 *
 * The rules and their order are rules.def's. */
#include "legality_parts.h"

static const pl_rule rules[] = {
#define PL_RULE(function, stage, ids, question)                                \
  {#function, PL_RULE_##stage, ids, question, pl_check_##function, NULL},
#define PL_MARK(function, stage, question)                                     \
  {#function, PL_RULE_##stage, "", question, NULL, pl_find_##function},
#include "rules.def"
#undef PL_RULE
#undef PL_MARK
};

#define RULES (sizeof rules / sizeof *rules)

const pl_rule *pl_rules(size_t *count) {
  *count = RULES;
  return rules;
}

/* Whether a rule has nothing against a loop. */
static bool passes(pl_loop *loop, const pl_rule *rule) {
  if (rule->find) {
    rule->find(loop);
    return true;
  }
  return rule->check(loop);
}

void pl_check_legality(pl_loop *loop) {
  for (size_t i = 0; !loop->settled && i < RULES; i++)
    if (!passes(loop, &rules[i]))
      return;
}
