/* effects_asm.c - what does inline assembly do to memory?
 *
 * Needs: the text, roots of operands. Gives: its effects. Raises: nothing. */
#include "effects_parts.h"

#include <string.h>

static bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.';
}

/* Whether an instruction of the assembly begins with one of the words. */
static bool asm_has(pl_str text, const char *const *words) {
  for (; *words; words++) {
    size_t n = strlen(*words);
    for (size_t i = 1; i + n <= text.n; i++)
      if (memcmp(text.p + i, *words, n) == 0 && !is_word_byte(text.p[i - 1]))
        return true;
  }
  return false;
}

/* Inline assembly: what the text says it does. A read-only or arithmetic form
 * (mma, ldmatrix, cvt) reads what its address operands point into; anything
 * that stores, waits or orders is reported as such. */
void pl_visit_asm(pl_walk *w, pl_node *node) {
  static const char *const async[] = {"cp.async", "mbarrier", "cp.reduce",
                                      NULL};
  static const char *const barrier[] = {"bar.", "barrier.", NULL};
  static const char *const fence[] = {"membar", "fence.", "ld.acquire",
                                      "ld.relaxed", NULL};
  static const char *const fresh[] = {"ld.volatile", "ld.mmio", NULL};
  static const char *const store[] = {"st.", "red.", "atom.", "stmatrix", NULL};
  static const char *const trap[] = {"trap", "brkpt", NULL};
  static const char *const remote[] = {"mapa", NULL};
  static const char *const leave[] = {"exit", "ret",  "bra",
                                      "brx",  "call", NULL};
  pl_str text = pl_unit_slice(w->context->unit, node->range);
  bool in_main = node->range.end > 0;
  if (in_main && asm_has(text, async))
    pl_emit_kind(w, PL_EFFECT_ASYNC, node);
  if (in_main && asm_has(text, barrier))
    pl_emit_kind(w, PL_EFFECT_SPECIAL_BARRIER, node);
  if (in_main && asm_has(text, fence))
    pl_emit_kind(w, PL_EFFECT_FENCE, node);
  if (in_main && (asm_has(text, fresh) || pl_str_has(text, "ld.global.cv")))
    pl_emit_kind(w, PL_EFFECT_VOLATILE, node);
  if (in_main && asm_has(text, trap))
    pl_emit_kind(w, PL_EFFECT_SIDE, node);
  bool stores = !in_main || asm_has(text, store) || node->from_macro;
  bool clobbers = pl_str_has(text, "\"memory\"");
  bool leaves = in_main && asm_has(text, leave);
  if (stores || clobbers || leaves)
    pl_emit_kind(w, PL_EFFECT_ASM, node);
  int64_t operand = 0;
  for (uint32_t i = 0; i < node->nkids; i++) {
    pl_node *kid = node->kids[i];
    if (!kid || kid->kind == PL_NODE_STRING)
      continue;
    pl_visit_node(w, kid, ACCESS_READ);
    if (in_main && asm_has(text, remote))
      pl_emit_escape(w, kid);
    if (operand++ < node->ival)
      pl_reference_argument(w, kid, ACCESS_WRITE);
    pl_roots addresses = {0};
    pl_value_roots(w, kid, &addresses);
    for (size_t j = 0; j < addresses.n; j++) {
      pl_root root = addresses.items[j];
      if (!root.decl || pl_root_space(root) == PL_SPACE_LOCAL)
        continue;
      pl_emit_access(w, &(pl_roots){&root, 1, 1}, kid,
                     stores ? ACCESS_READ | ACCESS_WRITE : ACCESS_READ, false,
                     false);
    }
  }
}
