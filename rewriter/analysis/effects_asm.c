/* effects_asm.c - what does inline assembly do to memory?
 *
 * Needs: the text, roots of operands. Gives: its effects. Raises: nothing. */
#include "effects_parts.h"

#include <string.h>

static bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.';
}

/* What a string says: `\n` as a blank that ends a comment. */
static void add_string(pl_text *text, pl_str s) {
  bool raw = s.n > 0 && memchr(s.p, 'R', s.n) && s.p[0] != '"';
  size_t i = 0, end = s.n;
  while (i < end && s.p[i] != (raw ? '(' : '"'))
    i++;
  while (end > i + 1 && s.p[end - 1] != (raw ? ')' : '"'))
    end--;
  for (i++; i + 1 < end; i++) {
    char c = s.p[i];
    if (c == '\\' && !raw) {
      char next = s.p[++i];
      c = next == 'n' ? '\n' : next == 't' || next == 'r' ? ' ' : next;
    }
    pl_text_add(text, (pl_str){&c, 1});
  }
}

static pl_str word_of(pl_str source, const pl_token *token) {
  return (pl_str){source.p + token->range.begin,
                  token->range.end - token->range.begin};
}

pl_str pl_assembly_text(const pl_unit *unit, const pl_node *node) {
  pl_text text = {.arena = unit->arena}, bare = {.arena = unit->arena};
  pl_text_add(&bare, PL_STR(" "));
  pl_str source = pl_asm_source(unit, node);
  uint32_t ntokens;
  const pl_token *tokens = pl_lex(unit->arena, source, &ntokens);
  for (uint32_t i = 0; i < ntokens; i++) {
    pl_str word = word_of(source, &tokens[i]);
    if (pl_str_starts(word, ":"))
      break;
    if (tokens[i].kind == PL_TOK_STRING)
      add_string(&text, word);
  }
  pl_str s = pl_text_view(&text);
  for (size_t i = 0; i < s.n; i++) {
    bool line = s.p[i] == '/' && i + 1 < s.n && s.p[i + 1] == '/';
    bool block = s.p[i] == '/' && i + 1 < s.n && s.p[i + 1] == '*';
    while (line && i < s.n && s.p[i] != '\n')
      i++;
    for (i += block ? 3 : 0; block && i < s.n; i++)
      if (s.p[i - 1] == '*' && s.p[i] == '/')
        break;
    pl_text_add(&bare, line || block ? PL_STR(" ") : (pl_str){s.p + i, 1});
  }
  return pl_text_view(&bare);
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

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The opcode of the statement that begins at `at`, without what follows its first
 * point; empty: a directive, or nothing. Braces, labels and a predicate may stand
 * in front of it. */
static pl_str opcode_at(pl_str text, size_t at) {
  for (;;) {
    while (at < text.n &&
           (is_blank(text.p[at]) || text.p[at] == '{' || text.p[at] == '}'))
      at++;
    size_t end = at;
    while (end < text.n && !is_blank(text.p[end]) && text.p[end] != ':' &&
           text.p[end] != ';')
      end++;
    size_t behind = end;
    while (behind < text.n && is_blank(text.p[behind]))
      behind++;
    bool label = behind < text.n && text.p[behind] == ':' &&
                 (behind + 1 >= text.n || text.p[behind + 1] != ':');
    if (!label && (at >= text.n || text.p[at] != '@')) {
      pl_str opcode = {text.p + at, 0};
      while (at + opcode.n < end && opcode.p[opcode.n] != '.' &&
             opcode.p[opcode.n] != ':')
        opcode.n++;
      return opcode;
    }
    at = label ? behind + 1 : end;
  }
}

/* Whether all instructions of the assembly are known. */
static bool all_known(pl_str text) {
  for (size_t at = 0; at < text.n; at++) {
    pl_str opcode = opcode_at(text, at);
    if (opcode.n && !is_known(opcode))
      return false;
    while (at < text.n && text.p[at] != ';')
      at++;
  }
  return true;
}

/* Whether brackets of the assembly, which hold addresses, name operand `index`,
 * `[%1+4]`; `other`: whether they name anything else, as `[p]` does. Brackets
 * outside its strings are the operands' own. */
static bool is_in_brackets(pl_str text, size_t index, bool *other) {
  bool found = false, quoted = false;
  *other = false;
  for (size_t i = 1; i + 1 < text.n; i++) {
    quoted ^= text.p[i] == '"' && text.p[i - 1] != '\\';
    if (!quoted || text.p[i] != '[' || text.p[i - 1] == '%')
      continue;
    while (i + 1 < text.n && text.p[i + 1] == ' ')
      i++;
    size_t at = i + 2, number = 0;
    bool named = i + 2 < text.n && text.p[i + 1] == '%' &&
                 text.p[at] >= '0' && text.p[at] <= '9';
    for (; named && at < text.n && text.p[at] >= '0' && text.p[at] <= '9'; at++)
      number = number * 10 + (size_t)(text.p[at] - '0');
    found = found || (named && number == index);
    *other = *other || !named;
  }
  return found;
}

/* Whether a macro stands among the strings of the assembly's own text. */
static bool hides_text(const pl_unit *unit, pl_str source) {
  bool open = false;
  uint32_t ntokens;
  const pl_token *tokens = pl_lex(unit->arena, source, &ntokens);
  for (uint32_t i = 0; i < ntokens; i++) {
    pl_str word = word_of(source, &tokens[i]);
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
                           size_t index) {
  bool other;
  if (is_in_brackets(text, index, &other))
    return true;
  const pl_type *type = pl_no_reference(operand->type);
  bool wide = !type || pl_is_pointer_like(type) ||
              type->kind == PL_TYPE_DEPENDENT ||
              (type->kind == PL_TYPE_INT && type->size >= 4 &&
               !operand->has_ival);
  return pl_is_pointer_like(type) || ((hidden || other) && wide);
}

/* Inline assembly: what the text says it does. A read-only or arithmetic form
 * (mma, ldmatrix, cvt) reads what its address operands point into; anything
 * that stores, waits or orders is reported as such, and so is what is not
 * known. */
void pl_visit_asm(pl_walk *w, pl_node *node) {
  static const char *const async[] = {"cp.async", "mbarrier", "cp.reduce",
                                      NULL};
  static const char *const barrier[] = {"bar.", "barrier.", NULL};
  static const char *const fence[] = {"membar", "fence.", "ld.acquire",
                                      "ld.relaxed", NULL};
  static const char *const fresh[] = {"ld.volatile", "ld.mmio", NULL};
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
  if (is_seen && asm_has(says, fence))
    pl_emit_kind(w, PL_EFFECT_FENCE, node);
  if (is_seen && (asm_has(says, fresh) || pl_str_has(says, "ld.global.cv")))
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
    bool address = may_be_address(kid, text, hidden, (size_t)operand);
    if (operand++ < node->ival)
      pl_reference_argument(w, kid, ACCESS_WRITE);
    else if (address)
      visit_pointee(w, kid, stores ? ACCESS_READ | ACCESS_WRITE : ACCESS_READ);
  }
}
