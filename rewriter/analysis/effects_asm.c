/* effects_asm.c - what does inline assembly do to memory?
 *
 * Needs: the text, roots of operands. Gives: its effects. Raises: nothing. */
#include "assembly.h"
#include "call_summary.h"
#include "effects_parts.h"

#include <string.h>

/* Whether an instruction of the assembly begins with one of the words. */
static bool asm_has(pl_str text, const char *const *words) {
  for (pl_ptx p = {.text = text}; pl_ptx_next(&p);)
    for (size_t i = 0; words[i]; i++)
      if (pl_str_starts(p.opcode, words[i]))
        return true;
  return false;
}

/* Whether a load of the assembly has one of the qualifiers, wherever they stand among the
 * others: `ld.acquire.gpu.global`, `ld.global.acquire.gpu` (PTX, ld). */
static bool loads_as(pl_str text, const char *const *qualifiers, size_t n) {
  for (pl_ptx p = {.text = text}; pl_ptx_next(&p);) {
    pl_str rest = p.opcode;
    for (bool loads = pl_str_starts(rest, "ld."); loads && rest.n;) {
      pl_str one = {rest.p, 0};
      while (one.n < rest.n && rest.p[one.n] != '.')
        one.n++;
      if (pl_str_is_one(one, qualifiers, n))
        return true;
      size_t behind = one.n + (one.n < rest.n);
      rest = (pl_str){rest.p + behind, rest.n - behind};
    }
  }
  return false;
}

bool pl_reads_past_cache(const pl_unit *unit, const pl_node *node) {
  static const char *const past[] = {"cg"};
  return pl_calls_builtin(node, "__ldcg") ||
         (node->kind == PL_NODE_ASM && loads_as(pl_assembly_text(unit, node), past, 1));
}

/* Instructions that compute in registers or read memory, and those that
 * pl_visit_asm looks for. Any other may write, wait or order. */
static bool is_known(pl_str opcode) {
  static const char *const known[] = {
      "abs",      "activemask", "add",      "addc",     "and",     "bfe",
      "bfi",      "bfind",      "bmsk",     "brev",     "clz",     "cnot",
      "copysign", "cos",        "createpolicy",         "cvt",     "cvta",
      "div",      "dp2a",       "dp4a",     "ex2",      "fma",     "fns",
      "isspacep", "ld",         "ldmatrix", "ldu",      "lg2",     "lop3",
      "mad",      "mad24",      "madc",     "mapa",     "match",   "max",
      "min",      "mma",        "mov",      "movmatrix", "mul",    "mul24",
      "neg",      "not",        "or",       "popc",     "prefetch",
      "prefetchu", "prmt",      "rcp",      "redux",    "rem",     "rsqrt",
      "sad",      "selp",       "set",      "setp",     "shf",     "shfl",
      "shl",      "shr",        "sin",      "slct",     "sqrt",    "sub",
      "subc",     "szext",      "tanh",     "testp",    "tex",     "tld4",
      "vabsdiff", "vabsdiff2",  "vabsdiff4", "vadd",    "vadd2",   "vadd4",
      "vavrg2",   "vavrg4",     "vmad",     "vmax",     "vmax2",   "vmax4",
      "vmin",     "vmin2",      "vmin4",    "vote",     "vset",    "vset2",
      "vset4",    "vshl",       "vshr",     "vsub",     "vsub2",   "vsub4",
      "xor",
      /* looked for */
      "atom",     "bar",        "barrier",  "bra",      "brkpt",   "brx",
      "call",     "cp",         "exit",     "fence",    "mbarrier", "membar",
      "red",      "ret",        "st",       "stmatrix", "trap",    "wmma"};
  return PL_STR_IS_ONE(opcode, known);
}

/* Whether all instructions of the assembly are known. */
static bool all_known(pl_str text) {
  for (pl_ptx p = {.text = text}; pl_ptx_next(&p);) {
    pl_str name = {p.opcode.p, 0};
    while (name.n < p.opcode.n && name.p[name.n] != '.')
      name.n++;
    if (name.n && !is_known(name))
      return false;
  }
  return true;
}

/* The number behind a `%`; -1: none is. */
static int64_t operand_at(pl_str text, size_t i) {
  int64_t number = 0;
  size_t at = i + 1;
  for (; i < text.n && text.p[i] == '%' && at < text.n && text.p[at] >= '0' &&
         text.p[at] <= '9';
       at++)
    number = number * 10 + (text.p[at] - '0');
  return at > i + 1 ? number : -1;
}

pl_asm_use pl_used_by_asm(pl_str text, int64_t operand) {
  pl_asm_use use = {0};
  bool inside = false;
  for (size_t i = 0; i < text.n; i++) {
    size_t at = i + 1;
    bool opens = text.p[i] == '[' && !(i && text.p[i - 1] == '%');
    inside = (inside || opens) && text.p[i] != ']';
    while (opens && at < text.n && text.p[at] == ' ')
      at++;
    use.others = use.others || (opens && operand_at(text, at) < 0);
    if (operand_at(text, i) == operand)
      *(inside ? &use.in_brackets : &use.bare) = true;
  }
  return use;
}

/* Whether a macro stands among the strings of the assembly's own text. */
static bool hides_text(const pl_unit *unit, pl_str source) {
  bool open = false;
  uint32_t ntokens;
  const pl_token *tokens = pl_lex(unit->arena, source, &ntokens);
  for (uint32_t i = 0; i < ntokens; i++) {
    pl_str word = pl_token_in(source, &tokens[i]);
    if (open && tokens[i].kind == PL_TOK_IDENT)
      return true;
    open = open || pl_str_is(word, "(");
    if (pl_str_starts(word, ":"))
      return false;
  }
  return false;
}

/* What the address in an operand leads to. */
static void visit_pointee(pl_walk *w, pl_node *operand, int access) {
  pl_roots roots = {0}, seen = {0};
  pl_address_roots(w, operand, &roots);
  for (size_t i = 0; i < roots.n; i++)
    if (!roots.items[i].decl || pl_root_space(roots.items[i]) != PL_SPACE_LOCAL)
      pl_add_root(w->context->unit->arena, &seen, roots.items[i]);
  pl_emit_access(w, &seen, operand, access, false, false);
}

/* Whether an operand may be an address: where the brackets name others than
 * operands, or a macro hides them, any pointer and what is as wide. */
static bool may_be_address(const pl_node *operand, pl_str text, bool hidden,
                           int64_t index) {
  pl_asm_use use = pl_used_by_asm(text, index);
  if (use.in_brackets)
    return true;
  const pl_type *type = pl_no_reference(operand->type);
  bool wide = !type || pl_is_pointer_like(type) ||
              type->kind == PL_TYPE_DEPENDENT ||
              (type->kind == PL_TYPE_INT && type->size >= 4 &&
               !operand->has_ival);
  return pl_is_pointer_like(type) || ((hidden || use.others) && wide);
}

/* Inline assembly: what the text says it does. A read-only or arithmetic form
 * (mma, ldmatrix, cvt) reads what its address operands point into; anything
 * that stores, waits or orders is reported as such, and so is what is not
 * known. */
void pl_visit_asm(pl_walk *w, pl_node *node) {
  static const char *const async[] = {"cp.async", "mbarrier", "cp.reduce",
                                      NULL};
  static const char *const barrier[] = {"bar.", "barrier.", NULL};
  static const char *const fence[] = {"membar", "fence.", NULL};
  static const char *const ordered[] = {"acquire", "relaxed"};
  static const char *const fresh[] = {"volatile", "mmio", "cv"};
  static const char *const store[] = {"st.",      "red.",       "atom.",
                                      "stmatrix", "wmma.store", NULL};
  static const char *const trap[] = {"trap", "brkpt", NULL};
  static const char *const remote[] = {"mapa", NULL};
  static const char *const leave[] = {"exit", "ret",  "bra",
                                      "brx",  "call", NULL};
  pl_str text = pl_asm_source(w->context->unit, node);
  bool is_seen = node->range.end > 0 || text.n > 0;
  bool hidden = text.n == 0 || hides_text(w->context->unit, text);
  pl_str says = pl_assembly_text(w->context->unit, node);
  if (is_seen && asm_has(says, async))
    pl_emit_kind(w, PL_EFFECT_ASYNC, node);
  if (is_seen && asm_has(says, barrier))
    pl_emit_kind(w, PL_EFFECT_SPECIAL_BARRIER, node);
  if (is_seen && (asm_has(says, fence) || loads_as(says, ordered, 2)))
    pl_emit_kind(w, PL_EFFECT_FENCE, node);
  if (is_seen && loads_as(says, fresh, 3))
    pl_emit_kind(w, PL_EFFECT_VOLATILE, node);
  if (is_seen && asm_has(says, trap))
    pl_emit_kind(w, PL_EFFECT_SIDE, node);
  bool stores = hidden || asm_has(says, store);
  bool clobbers = pl_str_has(text, "\"memory\"");
  bool leaves = is_seen && asm_has(says, leave);
  if (stores || clobbers || leaves || (is_seen && !all_known(says)))
    pl_emit_kind(w, PL_EFFECT_ASM, node);
  int64_t operand = 0;
  for (uint32_t i = 0; i < node->nkids; i++) {
    pl_node *kid = node->kids[i];
    if (!kid || kid->kind == PL_NODE_STRING)
      continue;
    pl_visit_node(w, kid, ACCESS_READ);
    if (is_seen && asm_has(says, remote))
      pl_emit_escape(w, kid);
    bool address = may_be_address(kid, says, hidden, operand);
    if (operand < node->ival && pl_reads_past_cache(w->context->unit, node) &&
        pl_is_waited_for(node, pl_node_bare(kid)->decl))
      pl_emit_kind(w, PL_EFFECT_VOLATILE, node);
    if (operand++ < node->ival)
      pl_reference_argument(w, kid, ACCESS_WRITE);
    else if (address)
      visit_pointee(w, kid, stores ? ACCESS_READ | ACCESS_WRITE : ACCESS_READ);
  }
}
