/* lint_asm.c - inline assembly: copies, groups, barriers, accesses.
 *
 * Needs: the text of the strings, PTX's grammar as far as an instruction, its
 * predicate and its operands go. Gives: events. Raises: an instruction that may access
 * shared memory, or wait, in a way that is not known. Source: PTX ISA, cp.async,
 * ldmatrix, bar, ld, st, cvta. */
#include "lint_parts.h"

#include "call_summary.h"

#include <stdlib.h>
#include <string.h>

/* The strings of a statement, one behind the other, without escapes. */
static pl_str assembly_of(pl_lint_run *r, const pl_node *node) {
  pl_str source = pl_asm_source(r->unit, node);
  pl_text out = {.arena = r->arena};
  uint32_t n;
  const pl_token *tokens = pl_lex(r->arena, source, &n);
  for (uint32_t i = 0; i < n; i++) {
    pl_str word = {source.p + tokens[i].range.begin,
                   tokens[i].range.end - tokens[i].range.begin};
    if (pl_str_is(word, ":") || pl_str_is(word, "::"))
      break;
    if (tokens[i].kind != PL_TOK_STRING)
      continue;
    for (size_t k = 1; k + 1 < word.n; k++) {
      bool escape = word.p[k] == '\\' && k + 2 < word.n;
      k += escape;
      char c = escape && (word.p[k] == 'n' || word.p[k] == 't') ? ' ' : word.p[k];
      pl_text_add(&out, (pl_str){&c, 1});
    }
  }
  return pl_text_view(&out);
}

/* What the text's own registers and predicates hold. */
typedef struct registers {
  pl_str names[8];
  int64_t values[8];
  bool known[8];
  int n;
} registers;

typedef struct instruction {
  pl_lint_run *run;
  registers *own;
  const pl_node *node;
  pl_str opcode;
  pl_str operands[8];
  int noperands;
  pl_str predicate; /* without '@' and '!' */
  bool negated;
} instruction;

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static pl_str take_word(pl_str *s) {
  size_t n = 0;
  while (n < s->n && !is_blank(s->p[n]))
    n++;
  pl_str word = {s->p, n};
  *s = pl_str_trimmed((pl_str){s->p + n, s->n - n});
  return word;
}

static void take_operands(instruction *in, pl_str rest) {
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= rest.n; i++) {
    char c = i < rest.n ? rest.p[i] : ',';
    depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    if (c != ',' || (depth > 0 && i < rest.n))
      continue;
    pl_str one = pl_str_trimmed((pl_str){rest.p + begin, i - begin});
    if (one.n && in->noperands < 8)
      in->operands[in->noperands++] = one;
    begin = i + 1;
  }
}

/* What `%k` stands for; NULL: it is no operand of the statement. */
static const pl_node *operand(const instruction *in, pl_str word) {
  word = pl_str_trimmed(word);
  if (word.n < 2 || word.p[0] != '%' || word.p[1] < '0' || word.p[1] > '9')
    return NULL;
  uint32_t wanted = (uint32_t)atoi(word.p + 1), k = 0;
  for (uint32_t i = 0; i < in->node->nkids; i++)
    if (in->node->kids[i] && in->node->kids[i]->kind != PL_NODE_STRING && k++ == wanted)
      return in->node->kids[i];
  return NULL;
}

/* Which of the text's own registers a word is; -1: none. */
static int register_named(const registers *own, pl_str word) {
  for (int i = own->n - 1; i >= 0; i--)
    if (pl_str_eq(own->names[i], word))
      return i;
  return -1;
}

static void set_register(registers *own, pl_str name, bool known, int64_t value) {
  if (own->n == 8)
    return;
  own->names[own->n] = name;
  own->known[own->n] = known;
  own->values[own->n++] = value;
}

static bool number(const instruction *in, pl_str word, int64_t *value) {
  word = pl_str_trimmed(word);
  int own = register_named(in->own, word);
  if (own >= 0) {
    *value = in->own->values[own];
    return in->own->known[own];
  }
  if (word.n && ((word.p[0] >= '0' && word.p[0] <= '9') || word.p[0] == '-')) {
    *value = strtoll(pl_arena_cstr(in->run->arena, word), NULL, 0);
    return true;
  }
  const pl_node *node = operand(in, word);
  pl_lint_value v = node ? pl_lint_eval(in->run, node) : pl_lint_unknown(0);
  *value = v.c.bits;
  return v.c.known;
}

/* `[%1]`, `[%1 + 16]`. */
static bool address(const instruction *in, pl_str word, int64_t *value) {
  word = pl_str_trimmed(word);
  if (word.n < 2 || word.p[0] != '[' || word.p[word.n - 1] != ']')
    return false;
  word = pl_str_trimmed((pl_str){word.p + 1, word.n - 2});
  size_t plus = 0;
  while (plus < word.n && word.p[plus] != '+')
    plus++;
  int64_t offset = 0;
  if (plus < word.n &&
      !number(in, (pl_str){word.p + plus + 1, word.n - plus - 1}, &offset))
    return false;
  if (!number(in, (pl_str){word.p, plus}, value))
    return false;
  *value += offset;
  return true;
}

static bool says(const instruction *in, const char *word) {
  return pl_str_has(in->opcode, word);
}

static bool starts(const instruction *in, const char *word) {
  return pl_str_starts(in->opcode, word);
}

static void not_known(const instruction *in) {
  pl_lint_fail(in->run, in->node, "what '%.*s' does is not known here",
               PL_FMT(in->opcode));
}

/* ---- instructions ---------------------------------------------------------------------- */

static void do_copy(const instruction *in) {
  int64_t to, from = 0, bytes;
  if (in->noperands < 3 || !address(in, in->operands[0], &to) ||
      !number(in, in->operands[2], &bytes)) {
    pl_lint_fail(in->run, in->node, "what is copied where depends on data");
    return;
  }
  if (!address(in, in->operands[1], &from))
    from = 0;
  pl_lint_async_copy(in->run, in->node, to, from, bytes, 0);
}

static void do_group(const instruction *in) {
  int64_t prior = 0;
  pl_lint_run *r = in->run;
  pl_lint_note_sync(r);
  if (r->maybe)
    pl_lint_fail(r, in->node, "data decides whether copies are waited for");
  if (starts(in, "cp.async.commit_group")) {
    pl_lint_emit(r, PL_LINT_COMMIT, in->node);
    r->groups++;
    return;
  }
  if (starts(in, "cp.async.wait_all")) {
    /* of those that were not committed as well */
    pl_lint_emit(r, PL_LINT_COMMIT, in->node);
    r->groups++;
  } else if (in->noperands != 1 || !number(in, in->operands[0], &prior)) {
    pl_lint_fail(r, in->node, "for which copies this waits is not known");
  }
  pl_lint_emit(r, PL_LINT_WAIT, in->node)->arg = prior;
}

static void do_barrier(const instruction *in) {
  int64_t name = 0, threads = 0;
  pl_lint_run *r = in->run;
  pl_lint_note_sync(r);
  if (r->maybe)
    pl_lint_fail(r, in->node, "data decides whether a barrier is come to");
  bool known = in->noperands < 1 || number(in, in->operands[0], &name);
  known = known && (in->noperands < 2 || number(in, in->operands[1], &threads));
  if (!known || says(in, ".red") || says(in, ".cluster")) {
    not_known(in);
    return;
  }
  pl_lint_event *event = pl_lint_emit(
      r, says(in, ".arrive") ? PL_LINT_ARRIVE_AT : PL_LINT_BARRIER, in->node);
  event->object = -(int32_t)name;
  event->arg = threads;
}

/* Lane i names row i of the matrices, 16 bytes each. */
static void do_ldmatrix(const instruction *in) {
  int64_t at;
  pl_lint_run *r = in->run;
  int rows = says(in, ".x4") ? 32 : says(in, ".x2") ? 16 : 8;
  if (in->noperands < 2 || !address(in, in->operands[in->noperands - 1], &at)) {
    not_known(in);
    return;
  }
  pl_lint_event *warp = pl_lint_emit(r, PL_LINT_WARP, in->node);
  warp->object = 32;
  warp->arg = -1;
  if (r->thread % 32 < rows && pl_lint_is_shared(r, at)) {
    pl_lint_event *event = pl_lint_emit(r, PL_LINT_READ, in->node);
    event->addr = at;
    event->width = 16;
  }
}

static int64_t width_of(const instruction *in) {
  int64_t width = says(in, "128")  ? 16
                  : says(in, "64") ? 8
                  : says(in, "16") ? 2
                  : says(in, "8")  ? 1
                                   : 4;
  return width * (says(in, ".v4") ? 4 : says(in, ".v2") ? 2 : 1);
}

static void do_access(const instruction *in, bool writes) {
  int64_t at;
  if (in->noperands < 2 || !address(in, in->operands[writes ? 0 : 1], &at)) {
    if (says(in, "shared"))
      not_known(in);
    return;
  }
  if (!pl_lint_is_shared(in->run, at))
    return;
  pl_lint_event *event =
      pl_lint_emit(in->run, writes ? PL_LINT_WRITE : PL_LINT_READ, in->node);
  event->addr = at;
  event->width = (uint16_t)width_of(in);
}

static void do_instruction(const instruction *in) {
  if (starts(in, "cp.async.bulk") || starts(in, "mbarrier") ||
      starts(in, "cp.async.mbarrier") || starts(in, "wgmma") || starts(in, "tcgen05") ||
      starts(in, "cp.reduce") || starts(in, "barrier.cluster"))
    not_known(in);
  else if (starts(in, "cp.async.commit_group") || starts(in, "cp.async.wait_"))
    do_group(in);
  else if (starts(in, "cp.async."))
    do_copy(in);
  else if (starts(in, "bar.") || starts(in, "barrier."))
    do_barrier(in);
  else if (starts(in, "ldmatrix"))
    do_ldmatrix(in);
  else if (starts(in, "ld."))
    do_access(in, false);
  else if (starts(in, "st."))
    do_access(in, true);
  else if ((starts(in, "atom") || starts(in, "red.") || starts(in, "stmatrix")) &&
           says(in, "shared"))
    not_known(in);
}

/* `@p`: whether it is done; -1: data decides. */
static int is_done(const instruction *in) {
  if (!in->predicate.n)
    return 1;
  int own = register_named(in->own, in->predicate);
  return own < 0 || !in->own->known[own]
             ? -1
             : (in->own->values[own] != 0) != in->negated;
}

/* Whether an instruction only sets one of the text's own registers. */
static bool sets_register(const instruction *in) {
  int64_t a, b;
  if (starts(in, "setp.") && in->noperands == 3) {
    bool known = (says(in, ".ne") || says(in, ".eq")) &&
                 number(in, in->operands[1], &a) && number(in, in->operands[2], &b);
    set_register(in->own, in->operands[0], known, known && (a == b) == says(in, ".eq"));
    return true;
  }
  bool moves = starts(in, "cvta.") || starts(in, "cvt.u") || starts(in, "mov.");
  if (!moves || in->noperands != 2 || operand(in, in->operands[0]))
    return false;
  bool known = number(in, in->operands[1], &a) && !in->predicate.n;
  set_register(in->own, in->operands[0], known, a);
  return true;
}

static void set_outputs(pl_lint_run *r, const pl_node *node, pl_str text) {
  bool same = pl_str_has(text, "cvta.to.shared") && node->nkids == 2;
  pl_lint_value value = same ? pl_lint_eval(r, node->kids[1]) : pl_lint_unknown(0);
  for (int64_t i = 0; i < node->ival && i < (int64_t)node->nkids; i++) {
    int64_t addr;
    if (node->kids[i] && pl_lint_place(r, node->kids[i], &addr) && pl_lint_is_local(addr))
      pl_lint_store(r, addr, node->kids[i]->type, value, node);
  }
}

void pl_lint_asm(pl_lint_run *r, const pl_node *node) {
  pl_str text = assembly_of(r, node), whole = text;
  registers own = {0};
  if (!text.n) {
    pl_lint_fail(r, node, "the text of this assembly is not seen");
    return;
  }
  for (size_t i = 0; i < text.n && !pl_lint_failed(r);) {
    size_t end = i;
    while (end < text.n && text.p[end] != ';')
      end++;
    pl_str rest = pl_str_trimmed((pl_str){text.p + i, end - i});
    i = end + 1;
    while (rest.n && (rest.p[0] == '{' || rest.p[0] == '}'))
      rest = pl_str_trimmed((pl_str){rest.p + 1, rest.n - 1});
    instruction in = {.run = r, .own = &own, .node = node};
    if (rest.n && rest.p[0] == '@') {
      pl_str word = take_word(&rest);
      in.negated = word.n > 1 && word.p[1] == '!';
      in.predicate = (pl_str){word.p + 1 + in.negated, word.n - 1 - in.negated};
    }
    in.opcode = take_word(&rest);
    take_operands(&in, rest);
    if (sets_register(&in))
      continue;
    int done = is_done(&in);
    if (done == 0)
      continue;
    size_t mark = done < 0 ? pl_lint_begin_maybe(r) : 0;
    do_instruction(&in);
    if (done < 0)
      pl_lint_end_maybe(r, mark);
  }
  set_outputs(r, node, whole);
}
