/* plainer.c - the same statements in a form that the passes know.
 *
 * Needs: an attempt in which a loop is refused for the form of a statement. Gives:
 * what may stand in its place and does the same: branches for a switch, a counter for a
 * range, an assignment for an object made in its place, a test in the header for a break
 * that steps, one break for a continue and a break, a branch for a continue of compute, a
 * class's own method for one of its base that calls it, a type for the decltype of a
 * variable, the name of a barrier for its assembly, or for its two halves, brackets for
 * digraphs, what a block around a barrier holds for that block. Raises nothing. */
#include "assembly.h"
#include "call_summary.h"
#include "cfg.h"
#include "copies.h"
#include "expansions.h"
#include "values.h"

#include <string.h>

typedef struct plainer {
  const pl_loop *loop;
  pl_arena *arena;
  pl_replacements *out;
} plainer;

static pl_str text_of(const plainer *p, const pl_node *node) {
  return pl_unit_slice(p->loop->unit, node->range);
}

static void put(const plainer *p, uint32_t begin, uint32_t end, pl_str text) {
  pl_put(p->arena, p->out, (pl_range){begin, end}, text);
}

static bool has_text(const pl_node *node) {
  return node->range.end > node->range.begin;
}

/* Whether the text of a node is all its own. */
static bool is_spelt(const pl_node *node) {
  return node && !node->from_macro && has_text(node);
}

/* Whether the user has an operator of his own, given without spaces: `operator==`. */
static bool has_own_operator(const pl_unit *unit, const char *name) {
  const char *sign = name + strlen("operator");
  bool own = false;
  for (uint32_t i = 0; i + 1 < unit->ntokens && !own; i++)
    own = pl_token_is(unit, i, "operator") &&
          pl_token_is(unit, i + 1, sign + strspn(sign, " "));
  for (uint32_t i = 0; i < unit->nfuncs && !own; i++)
    own = pl_str_starts(unit->funcs[i]->name, name) && unit->funcs[i]->decl &&
          unit->funcs[i]->decl->is_user;
  return own;
}

/* ---- a switch as branches -------------------------------------------------- */

typedef struct arm {
  pl_node **labels; /* NULL among them: default */
  size_t nlabels, cap;
  bool is_default;
  uint32_t begin, end; /* of its text, without the break */
  const char *behind;  /* "}" where the break was the last of a block */
} arm;

/* The offset behind the next colon that stands at or behind `at`. */
static uint32_t behind_colon(const pl_unit *unit, uint32_t at) {
  for (uint32_t i = pl_token_from(unit, at); i < unit->ntokens; i++)
    if (pl_token_is(unit, i, ":"))
      return unit->tokens[i].range.end;
  return at;
}

/* Takes the labels of `case 0: case 1: statement`; the statement. */
static pl_node *take_labels(const plainer *p, pl_node *node, arm *a) {
  while (node && node->kind == PL_NODE_CASE) {
    pl_node *label = node->kids[0];
    if (node->from_macro || (label && !has_text(label)))
      return NULL;
    a->is_default = a->is_default || !label;
    if (label)
      PL_PUSH(p->arena, a->labels, a->nlabels, a->cap, label);
    a->begin = behind_colon(p->loop->unit,
                            label ? label->range.end : node->range.begin);
    node = node->kids[1];
  }
  return node;
}

/* Ends an arm with its last statement: a break, a block that ends with one, or, at
 * the end of the switch, anything. */
static bool end_arm(arm *a, pl_node *last, bool is_last) {
  pl_node *inner = last->kind == PL_NODE_COMPOUND && last->nkids
                       ? last->kids[last->nkids - 1]
                       : NULL;
  a->behind = "";
  a->end = last->range.end;
  if (last->kind == PL_NODE_BREAK) {
    a->end = last->range.begin;
    return !last->from_macro;
  }
  if (inner && inner->kind == PL_NODE_BREAK) {
    a->end = inner->range.begin;
    a->behind = "}";
    return !inner->from_macro && !last->from_macro;
  }
  return is_last;
}

/* Whether a statement leaves the switch elsewhere than at its end. */
static bool leaves_switch(const pl_node *node, const pl_node *last) {
  if (!node || node == last || node->kind == PL_NODE_LAMBDA ||
      pl_node_is_loop(node) || node->kind == PL_NODE_SWITCH)
    return false;
  if (node->kind == PL_NODE_BREAK || node->kind == PL_NODE_CASE)
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (leaves_switch(node->kids[i], last))
      return true;
  return false;
}

/* Whether a statement of a switch's body declares what the kids from `end` on use. */
static bool is_used_behind(const pl_node *stmt, const pl_node *body,
                           uint32_t end) {
  while (stmt && stmt->kind == PL_NODE_CASE)
    stmt = stmt->kids[1];
  if (!stmt || stmt->kind != PL_NODE_DECL_STMT)
    return false;
  for (uint32_t i = 0; i < stmt->nkids; i++) {
    if (!stmt->kids[i]->decl)
      return true; /* a type: its uses are not looked for */
    for (uint32_t k = end; k < body->nkids; k++)
      if (pl_mentions(body->kids[k], stmt->kids[i]->decl))
        return true;
  }
  return false;
}

/* The arm that begins with kid `*at` of a switch's body, which is moved behind it. */
static bool take_arm(const plainer *p, const pl_node *body, uint32_t *at,
                     arm *a) {
  pl_node *stmt = take_labels(p, body->kids[*at], a), *last = stmt;
  uint32_t begin = *at;
  if (!stmt)
    return false;
  while (++*at < body->nkids && body->kids[*at] &&
         body->kids[*at]->kind != PL_NODE_CASE)
    last = body->kids[*at];
  if (!end_arm(a, last, *at == body->nkids))
    return false;
  const pl_node *jump =
      last->kind == PL_NODE_COMPOUND && *a->behind ? last->kids[last->nkids - 1]
      : last->kind == PL_NODE_BREAK                ? last
                                                   : NULL;
  for (uint32_t i = begin; i < *at; i++)
    if ((i > begin && leaves_switch(body->kids[i], jump)) ||
        is_used_behind(body->kids[i], body, *at))
      return false;
  if (stmt == last && *a->behind) {
    a->begin = stmt->range.begin + 1;
    a->behind = "";
  }
  return !leaves_switch(stmt, jump);
}

static bool is_operand(const pl_node *node) {
  return node->kind == PL_NODE_REF || node->kind == PL_NODE_INT ||
         node->kind == PL_NODE_MEMBER || node->kind == PL_NODE_PAREN;
}

static void add_operand(const plainer *p, pl_text *out, const pl_node *node) {
  pl_text_printf(out, is_operand(node) ? "%.*s" : "(%.*s)",
                 PL_FMT(text_of(p, node)));
}

static void add_condition(const plainer *p, pl_text *out, const pl_node *of,
                          const arm *a) {
  for (size_t i = 0; i < a->nlabels; i++) {
    pl_text_printf(out, "%s", i ? " || " : "");
    add_operand(p, out, of);
    pl_text_printf(out, " == ");
    add_operand(p, out, a->labels[i]);
  }
}

static void add_block(const plainer *p, pl_text *out, const arm *a,
                      pl_str indent) {
  pl_range range = {a->begin, a->end};
  pl_str text = pl_str_trimmed(pl_unit_slice(p->loop->unit, range));
  pl_text_printf(out, "{\n%.*s    %.*s%s%s\n%.*s}", PL_FMT(indent), PL_FMT(text),
                 *a->behind ? " " : "", a->behind, PL_FMT(indent));
}

/* `switch (x) { case 0: a; break; default: b; }` as `if (x == 0) { a; } else { b; }`,
 * where x is but asked for and no arm goes on into the next one. In a block of its
 * own where an else may stand behind it. */
static void replace_switch(const plainer *p, const pl_node *node) {
  const pl_node *of = node->kids[0], *body = node->kids[1];
  pl_str indent = pl_indent_at(p->loop->unit, node->range.begin);
  pl_text out = {.arena = p->arena};
  arm other = {0};
  bool ok = is_spelt(node) && has_text(of) && body->kind == PL_NODE_COMPOUND &&
            of->kind != PL_NODE_DECL_STMT && of->type &&
            of->type->kind != PL_TYPE_RECORD && pl_is_pure((pl_loop *)p->loop, (pl_node *)of) &&
            !has_own_operator(p->loop->unit, "operator==");
  for (uint32_t at = 0; ok && at < body->nkids;) {
    arm a = {0};
    ok = body->kids[at] && body->kids[at]->kind == PL_NODE_CASE &&
         take_arm(p, body, &at, &a);
    if (ok && a.is_default) {
      other = a;
    } else if (ok) {
      pl_text_printf(&out, out.n ? " else if (" : "if (");
      add_condition(p, &out, of, &a);
      pl_text_printf(&out, ") ");
      add_block(p, &out, &a, indent);
    }
  }
  if (!ok || !out.n)
    return;
  if (other.begin) {
    pl_text_printf(&out, " else ");
    add_block(p, &out, &other, indent);
  }
  pl_str text = pl_text_view(&out);
  if (!node->parent || node->parent->kind != PL_NODE_COMPOUND)
    text = pl_arena_printf(p->arena, "{ %.*s }", PL_FMT(text));
  put(p, node->range.begin, node->range.end, text);
}

static bool is_switch_at(pl_node *node, const void *context) {
  const pl_range *at = context;
  return node->kind == PL_NODE_SWITCH && node->nkids == 2 &&
         node->range.begin == at->begin && node->range.end == at->end;
}

static pl_node *refused_switch(const pl_loop *loop) {
  pl_range at = loop->macro_at.end ? loop->macro_at : loop->at;
  pl_node *found = NULL;
  for (uint32_t i = 0; at.end && i < loop->unit->nfuncs && !found; i++)
    if (loop->unit->funcs[i]->in_main)
      found = pl_node_find(loop->unit->funcs[i]->body, is_switch_at, &at);
  return found;
}

/* ---- a loop over an array, by a counter ------------------------------------------ */

static bool is_range_at(pl_node *node, const void *context) {
  return node->kind == PL_NODE_RANGE_FOR &&
         node->range.begin == ((const pl_range *)context)->begin;
}

/* What stands between two tokens, of one of them on. */
static pl_str between(const plainer *p, uint32_t after, uint32_t before) {
  const pl_token *tokens = p->loop->unit->tokens;
  pl_range range = {tokens[after].range.end, tokens[before].range.begin};
  return pl_str_trimmed(pl_unit_slice(p->loop->unit, range));
}

/* `for (int r : rows) s[r] = a[r];` is `for (int i = 0; i < 4; ++i) { int r = rows[i]; s[r] =
 * a[r]; }`, of a list behind `const int list[] = {0, 1, 2, 3};`. */
static void count_range(const plainer *p) {
  const pl_unit *unit = p->loop->unit;
  const pl_node *node = pl_node_find(p->loop->node, is_range_at, &p->loop->at);
  if (!node || !pl_node_is_array_range(node) || !is_spelt(node) || p->loop->func->pattern ||
      pl_has_comment(text_of(p, node)))
    return;
  const pl_node *over = pl_node_bare(node->kids[1]), *body = node->kids[2];
  bool list = over->kind == PL_NODE_INIT_LIST;
  uint32_t first = pl_token_from(unit, node->range.begin), colon = first + 2;
  while (colon < unit->ntokens && !pl_token_is(unit, colon, ":") && !pl_token_is(unit, colon, ";"))
    colon++;
  uint32_t close = pl_token_from(unit, body->range.begin) - 1;
  int64_t count = list ? (int64_t)over->nkids : over->type ? over->type->count : 0;
  if (!pl_token_is(unit, first + 1, "(") || !pl_token_is(unit, close, ")") || colon >= close ||
      !pl_token_is(unit, colon, ":") || count < 1 || !is_spelt(body) || over->from_macro ||
      (!list && over->kind != PL_NODE_REF))
    return;
  pl_str i = pl_name_not_taken(unit, p->arena, PL_STR("at")), of = between(p, colon, close);
  pl_str indent = pl_indent_at(unit, node->range.begin), head = PL_STR("");
  if (list) {
    pl_str name = pl_name_not_taken(unit, p->arena, PL_STR("list"));
    head = pl_arena_printf(p->arena, "const %.*s %.*s[] = %.*s;\n%.*s",
                           PL_FMT(pl_behind_const(pl_no_reference(node->kids[0]->decl->type)->spelling)),
                           PL_FMT(name), PL_FMT(of), PL_FMT(indent));
    of = name;
  }
  put(p, node->range.begin, node->range.end,
      pl_arena_printf(p->arena,
                      "%.*sfor (int %.*s = 0; %.*s < %lld; ++%.*s) {\n%.*s    %.*s = %.*s[%.*s];\n"
                      "%.*s    %.*s\n%.*s}",
                      PL_FMT(head), PL_FMT(i), PL_FMT(i), (long long)count, PL_FMT(i),
                      PL_FMT(indent), PL_FMT(between(p, first + 1, colon)), PL_FMT(of), PL_FMT(i),
                      PL_FMT(indent), PL_FMT(text_of(p, body)), PL_FMT(indent)));
}

/* ---- an object made in its place ------------------------------------------------- */

static bool is_unknown_at(pl_node *node, const void *context) {
  return node->kind == PL_NODE_UNKNOWN &&
         node->range.begin == ((const pl_range *)context)->begin;
}

/* `new (&s[t]) Body(x, m);` is `s[t] = Body(x, m);` of a class whose objects are copied as
 * they are, and end by no code. */
static void assign_in_place(const plainer *p) {
  const pl_node *node = pl_node_find(p->loop->node, is_unknown_at, &p->loop->at);
  const pl_node *to = node && node->nkids == 2 && node->kids[0] ? pl_node_bare(node->kids[0]) : NULL;
  const pl_node *made = to ? node->kids[1] : NULL;
  while (to && to->kind == PL_NODE_CAST)
    to = pl_node_bare(to->kids[0]);
  const pl_type *type = made ? made->type : NULL, *of = to && to->type ? to->type->element : NULL;
  if (!type || !of || made->kind != PL_NODE_CONSTRUCT || to->type->kind != PL_TYPE_POINTER ||
      !is_spelt(node) || !is_spelt(to) || !is_spelt(made) || !pl_same_type(type, of) ||
      type->kind != PL_TYPE_RECORD || !type->is_trivially_copyable || type->copies_by_code ||
      type->ends_by_code || type->has_volatile || type->has_own_address ||
      !pl_node_is_statement(node) || !pl_str_starts(text_of(p, node), "new") ||
      has_own_operator(p->loop->unit, "operator new"))
    return;
  bool address = to->kind == PL_NODE_UNARY && to->op == PL_OP_ADDR;
  pl_str place = text_of(p, address ? to->kids[0] : to);
  put(p, node->range.begin, made->range.end,
      pl_arena_printf(p->arena, address ? "%.*s = %.*s" : "*(%.*s) = %.*s", PL_FMT(place),
                      PL_FMT(text_of(p, made))));
}

/* ---- steps and breaks -------------------------------------------------------- */

/* `if (test) jump;`, perhaps with `else other;`. */
static bool is_test(const pl_node *node, pl_node_kind jump) {
  return node && node->kind == PL_NODE_IF && !pl_if_has_init(node) &&
         is_spelt(node) && is_spelt(node->kids[0]) &&
         pl_is_only(node->kids[1], jump);
}

static bool has_else(const pl_node *node) {
  return node->nkids > 2 && node->kids[2];
}

/* The body of a loop as its text has it, with at least one statement. */
static const pl_node *own_body(const pl_loop *loop) {
  const pl_node *body = pl_node_loop_body(loop->node);
  return body && body->kind == PL_NODE_COMPOUND && body->nkids &&
                 is_spelt(body) && !loop->branch
             ? body
             : NULL;
}

/* Whether a range says a name, also by way of a macro. */
static bool says(const pl_unit *unit, pl_range range, pl_str name) {
  pl_run run = pl_tokens_in(unit, range);
  for (uint32_t i = run.first; i < run.end; i++)
    if (pl_is_name_at(unit, i) && (pl_str_eq(pl_token_text(unit, i), name) ||
                                   pl_macro_says(unit, pl_token_text(unit, i), name)))
      return true;
  return false;
}

/* Whether a range says a name that a declaration makes, or may make: of a type, an
 * alias or a list of constants any of its words. */
static bool says_name_of(const pl_unit *unit, const pl_node *made, pl_range range) {
  if (made->decl)
    return says(unit, range, made->decl->name);
  pl_run run = pl_tokens_in(unit, made->range);
  for (uint32_t i = run.first; i < run.end; i++)
    if (pl_token_is(unit, i, "namespace") ||
        (unit->tokens[i].kind == PL_TOK_IDENT &&
         says(unit, range, pl_token_text(unit, i))))
      return true;
  return false;
}

/* Whether a part of the header, or of a test, says a name that the body declares, by a
 * statement other than one: elsewhere in the body it may mean something else. */
static bool is_hidden(const plainer *p, const pl_node *part, const pl_node *body,
                      const pl_node *but) {
  for (uint32_t i = 0; i < body->nkids; i++) {
    const pl_node *stmt = body->kids[i];
    for (uint32_t k = 0; stmt && stmt != but && stmt->kind == PL_NODE_DECL_STMT &&
                         k < stmt->nkids; k++)
      if (says_name_of(p->loop->unit, stmt->kids[k], part->range))
        return true;
  }
  return false;
}

/* `if (more) continue; break;` at the end of a loop is `if (!(more)) break;`. */
static void join_last_jumps(const plainer *p, const pl_node *body) {
  const pl_node *last = body->kids[body->nkids - 1];
  const pl_node *before = body->nkids > 1 ? body->kids[body->nkids - 2] : NULL;
  const pl_node *test = NULL;
  if (is_test(last, PL_NODE_CONTINUE) && has_else(last) &&
      pl_is_only(last->kids[2], PL_NODE_BREAK))
    test = last;
  else if (last && pl_is_only(last, PL_NODE_BREAK) &&
           is_test(before, PL_NODE_CONTINUE) && !has_else(before))
    test = before;
  if (test && !pl_is_plain_test(test->kids[0]))
    return;
  if (test)
    put(p, test->range.begin, last->range.end,
        pl_arena_printf(p->arena, "if (!(%.*s)) break;",
                        PL_FMT(text_of(p, test->kids[0]))));
  else if (is_test(last, PL_NODE_BREAK) && has_else(last) &&
           pl_is_only(last->kids[2], PL_NODE_CONTINUE))
    put(p, last->range.begin, last->range.end,
        pl_arena_printf(p->arena, "if (%.*s) break;",
                        PL_FMT(text_of(p, last->kids[0]))));
  else if (last && last->kind == PL_NODE_CONTINUE && before)
    put(p, last->range.begin, last->range.end, PL_STR(";"));
}

/* The offset behind the parenthesis that closes a header, behind its condition. */
static uint32_t behind_header(const plainer *p, const pl_node *cond) {
  uint32_t at = cond->range.end;
  pl_str text = p->loop->unit->text;
  while (at < text.n && strchr(" \t\r\n", text.p[at]))
    at++;
  return at < text.n && text.p[at] == ')' ? at + 1 : 0;
}

/* `while (more) { ...; if (done) break; }` is
 * `if (more) while (true) { ...; if (done || !more) break; }`. */
static void ask_last(const plainer *p, const pl_node *body) {
  const pl_node *node = p->loop->node, *last = body->kids[body->nkids - 1];
  pl_node *cond = node->kind == PL_NODE_WHILE ? node->kids[0] : NULL;
  if (!cond || !is_spelt(cond) || cond->has_ival ||
      pl_cfg_jump_out(body, PL_JUMP_CONTINUE) ||
      !is_test(last, PL_NODE_BREAK) || has_else(last) || !node->parent ||
      node->parent->kind != PL_NODE_COMPOUND || !behind_header(p, cond) ||
      !pl_is_pure((pl_loop *)p->loop, cond) || is_hidden(p, cond, body, NULL) ||
      !pl_is_plain_test(cond) || !pl_is_plain_test(last->kids[0]))
    return;
  pl_str more = text_of(p, cond);
  put(p, node->range.begin, behind_header(p, cond),
      pl_arena_printf(p->arena, "if (%.*s) while (true)", PL_FMT(more)));
  put(p, last->range.begin, last->range.end,
      pl_arena_printf(p->arena, "if ((%.*s) || !(%.*s)) break;",
                      PL_FMT(text_of(p, last->kids[0])), PL_FMT(more)));
}

/* The step ahead of its value that one side of a comparison is, of a variable which the
 * other side does not name; NULL: it is no such comparison. */
static const pl_node *first_step(const pl_loop *loop, const pl_node *cond) {
  cond = pl_node_bare((pl_node *)cond);
  for (uint32_t i = 0; cond->kind == PL_NODE_BINARY && i < 2; i++) {
    const pl_node *step = pl_node_bare(cond->kids[i]), *other = cond->kids[1 - i];
    const pl_node *of =
        step->kind == PL_NODE_UNARY ? pl_node_bare(step->kids[0]) : NULL;
    if (of && (step->op == PL_OP_PREINC || step->op == PL_OP_PREDEC) &&
        of->kind == PL_NODE_REF && of->decl && of->decl->type &&
        of->decl->type->kind == PL_TYPE_INT && is_spelt(step) && is_spelt(of) &&
        cond->op >= PL_OP_LT && cond->op <= PL_OP_NE && pl_is_private(of->decl) &&
        !pl_mentions(other, of->decl) && pl_is_pure((pl_loop *)loop, (pl_node *)other))
      return step;
  }
  return NULL;
}

/* `while (++t < n) { ... }` is `for (++t; t < n; ++t) { ... }`, whatever continues it. */
static void step_in_header(const plainer *p, const pl_node *body) {
  const pl_node *node = p->loop->node;
  const pl_node *cond = node->kind == PL_NODE_WHILE ? node->kids[0] : NULL;
  const pl_node *step = cond && is_spelt(cond) ? first_step(p->loop, cond) : NULL;
  uint32_t behind = step ? behind_header(p, cond) : 0;
  if (!behind || is_hidden(p, cond, body, NULL))
    return;
  pl_range before = {cond->range.begin, step->range.begin};
  pl_range rest = {step->range.end, cond->range.end};
  put(p, node->range.begin, behind,
      pl_arena_printf(p->arena, "for (%.*s; %.*s%.*s%.*s; %.*s)",
                      PL_FMT(text_of(p, step)),
                      PL_FMT(pl_unit_slice(p->loop->unit, before)),
                      PL_FMT(text_of(p, pl_node_bare(step->kids[0]))),
                      PL_FMT(pl_unit_slice(p->loop->unit, rest)),
                      PL_FMT(text_of(p, step))));
}

/* `while (true) { if (n-- == 0) break; ...` is `while (!(n-- == 0)) { ...`. */
static void raise_first_break(const plainer *p, const pl_node *body) {
  const pl_node *first = body->kids[0], *node = p->loop->node;
  const pl_node *cond = node->kind == PL_NODE_WHILE ? node->kids[0] : NULL;
  bool endless = cond && is_spelt(cond) && cond->has_ival && cond->ival &&
                 !pl_build_may_change(p->loop->unit, cond);
  if (!endless || !is_test(first, PL_NODE_BREAK) || has_else(first) ||
      !pl_is_plain_test(first->kids[0]))
    return;
  put(p, cond->range.begin, cond->range.end,
      pl_arena_printf(p->arena, "!(%.*s)", PL_FMT(text_of(p, first->kids[0]))));
  put(p, first->range.begin, first->range.end, PL_STR(""));
}

static bool waits_in(const plainer *p, const pl_node *stmt) {
  pl_effects effects = {0};
  pl_effects_of(p->loop->effects, p->loop->func, (pl_node *)stmt, &effects);
  return pl_effects_find(&effects, PL_EFFECT_BARRIER) ||
         pl_effects_find(&effects, PL_EFFECT_SPECIAL_BARRIER);
}

/* `barrier; if (idle) continue; use(s); }` is `barrier; if (!(idle)) { use(s); } }`: what
 * threads pass by behind the last barrier is a branch of the use. The last such test of a
 * body is taken, so that those before it are next. */
static void branch_around_rest(const plainer *p, const pl_node *body) {
  pl_loop *loop = (pl_loop *)p->loop;
  uint32_t at = body->nkids;
  while (at-- > 0 && body->kids[at] && !waits_in(p, body->kids[at])) {
    const pl_node *test = body->kids[at];
    if (!is_test(test, PL_NODE_CONTINUE) || has_else(test) || at + 1 == body->nkids)
      continue;
    uint32_t brace = body->range.end - 1;
    bool waited = false;
    for (uint32_t i = 0; i < at; i++)
      waited |= body->kids[i] && waits_in(p, body->kids[i]);
    if (!waited || !pl_is_plain_test(test->kids[0]) ||
        pl_under_inner_condition(loop, test->range))
      return;
    put(p, test->range.begin, test->range.end,
        pl_arena_printf(p->arena, "if (!(%.*s)) {", PL_FMT(text_of(p, test->kids[0]))));
    put(p, brace, brace + 1,
        pl_arena_printf(p->arena, "    }\n%.*s}",
                        PL_FMT(pl_indent_at(loop->unit, loop->node->range.begin))));
    return;
  }
}

/* `for (; n-- > 0; p += T) { ... }` is `for (; n-- > 0;) { ... p += T; }`. */
static void lower_step(const plainer *p, const pl_node *body) {
  pl_node *node = p->loop->node;
  pl_node *inc = node->kind == PL_NODE_FOR ? node->kids[2] : NULL;
  if (!inc || !is_spelt(inc) || is_hidden(p, inc, body, NULL) ||
      pl_cfg_jump_out(body, PL_JUMP_CONTINUE))
    return;
  uint32_t brace = body->range.end - 1;
  put(p, inc->range.begin, inc->range.end, PL_STR(""));
  put(p, brace, brace + 1,
      pl_arena_printf(p->arena, "    %.*s;\n%.*s}", PL_FMT(text_of(p, inc)),
                      PL_FMT(pl_indent_at(p->loop->unit, node->range.begin))));
}

/* ---- a vote at the end -------------------------------------------------------- */

static bool is_set_by(pl_node *node, const void *text) {
  return node->kind == PL_NODE_REF && node->decl &&
         pl_assigned_anywhere(text, node->decl);
}

static bool is_a_vote(pl_node *node, const void *context) {
  (void)context;
  return pl_calls_builtin(node, "__syncthreads_*");
}

static bool is_another_call(pl_node *node, const void *context) {
  return node->kind == PL_NODE_CALL && !is_a_vote(node, context);
}

/* Whether what a header steps is its own, so that nobody sees one step more. */
static bool steps_its_own(const pl_node *node) {
  const pl_node *init = node->kids[0], *inc = node->kids[2];
  const pl_node *to = inc && inc->nkids ? pl_node_bare(inc->kids[0]) : NULL;
  bool step = to && to->kind == PL_NODE_REF && to->decl && to->decl->node &&
              (inc->kind == PL_NODE_ASSIGN || pl_node_is_step(inc));
  return !inc || (step && init && pl_node_within(to->decl->node, init));
}

static pl_str operand_text(const plainer *p, const pl_node *node) {
  pl_text out = {.arena = p->arena};
  if (node->kind == PL_NODE_CALL)
    return text_of(p, node);
  add_operand(p, &out, node);
  return pl_text_view(&out);
}

/* Behind `for` or `while`. */
static uint32_t header_word(const plainer *p, const pl_node *node) {
  return p->loop->unit->tokens[pl_token_from(p->loop->unit, node->range.begin)].range.end;
}

typedef struct vote {
  const pl_node *body, *test;
  const pl_node *made; /* `int n = __syncthreads_count(done);` ahead of it; NULL: none */
} vote;

/* The vote that a body ends with; no test: it ends otherwise. */
static vote last_vote(const pl_node *body) {
  const pl_node *last = body->kids[body->nkids - 1];
  const pl_node *before = body->nkids > 1 ? body->kids[body->nkids - 2] : NULL;
  vote v = {.body = body};
  if (!is_test(last, PL_NODE_BREAK) || has_else(last))
    return v;
  v.test = last->kids[0];
  if (before && before->kind == PL_NODE_DECL_STMT && before->nkids == 1 &&
      is_spelt(before) && pl_node_find(before, is_a_vote, NULL))
    v.made = before;
  return v;
}

/* Whether all that a vote does is to ask, of what is seen at the head as well. */
static bool asks_alone(const plainer *p, const vote *v, const pl_node *of, const pl_node *inc) {
  return !pl_node_changes(of) && !pl_node_find(of, is_another_call, NULL) &&
         !is_hidden(p, of, v->body, v->made) && !(inc && pl_node_find(of, is_set_by, inc));
}

/* `{ ...; if (__syncthreads_and(done)) break; }` is
 * `{ if (__syncthreads_and(done) && voted) break; ...; voted = true; } __syncthreads();`:
 * the vote waits for compute either way. */
static void vote_first(const plainer *p, const pl_node *body) {
  const pl_node *node = p->loop->node, *last = body->kids[body->nkids - 1];
  const vote v = last_vote(body);
  bool counts = node->kind == PL_NODE_FOR;
  pl_node *cond = counts || node->kind == PL_NODE_WHILE ? node->kids[counts] : NULL;
  const pl_node *inc = counts ? node->kids[2] : NULL;
  if (!v.test || !cond || pl_node_changes(cond) || !pl_is_pure((pl_loop *)p->loop, cond) ||
      !node->parent || node->parent->kind != PL_NODE_COMPOUND || !is_spelt(node) ||
      !pl_node_find(v.made ? v.made : v.test, is_a_vote, NULL) ||
      !pl_is_plain_test(v.test) || !asks_alone(p, &v, v.test, inc) ||
      (v.made && !asks_alone(p, &v, v.made, inc)) ||
      (counts && !steps_its_own(node)) || pl_cfg_jump_out(body, PL_JUMP_CONTINUE))
    return;
  pl_str voted = pl_name_not_taken(p->loop->unit, p->arena, PL_STR("voted"));
  pl_str indent = pl_indent_at(p->loop->unit, node->range.begin);
  pl_range word = {node->range.begin, header_word(p, node)};
  pl_str made = v.made ? pl_arena_printf(p->arena, "%.*s    %.*s\n", PL_FMT(indent),
                                         PL_FMT(text_of(p, v.made)))
                       : PL_STR("");
  put(p, word.begin, word.end,
      pl_arena_printf(p->arena, "bool %.*s = false;\n%.*s%.*s", PL_FMT(voted), PL_FMT(indent),
                      PL_FMT(pl_unit_slice(p->loop->unit, word))));
  put(p, body->range.begin, body->range.begin + 1,
      pl_arena_printf(p->arena, "{\n%.*s%.*s    if (%.*s && %.*s)\n%.*s        break;",
                      PL_FMT(made), PL_FMT(indent), PL_FMT(operand_text(p, v.test)),
                      PL_FMT(voted), PL_FMT(indent)));
  put(p, v.made ? v.made->range.begin : last->range.begin, last->range.end,
      pl_arena_printf(p->arena, "%.*s = true;", PL_FMT(voted)));
  put(p, body->range.end - 1, body->range.end,
      pl_arena_printf(p->arena, "}\n%.*s__syncthreads();", PL_FMT(indent)));
}

/* ---- a method of the base that calls one of the object's class ------------------ */

/* Whether an expression is the own object, as one of a class that derives from it:
 * `*static_cast<Derived *>(this)`, or a call that gives that back. */
static bool is_own_object(const pl_node *node, int depth) {
  node = node ? pl_node_bare((pl_node *)node) : NULL;
  while (node && (node->kind == PL_NODE_CAST ||
                  (node->kind == PL_NODE_UNARY && node->op == PL_OP_DEREF)))
    node = pl_node_bare(node->kids[0]);
  if (!node || node->kind != PL_NODE_CALL || node->nkids != 1 || depth > 2)
    return node && node->kind == PL_NODE_THIS;
  const pl_func *callee = node->decl ? node->decl->func : NULL;
  const pl_node *only = callee && callee->body ? pl_only_statement(callee->body) : NULL;
  return only && only->kind == PL_NODE_RETURN && only->nkids &&
         is_own_object(only->kids[0], depth + 1);
}

/* The call that is all that a method does, of the own object's and with its parameters
 * as they are; NULL: it does otherwise. */
static const pl_node *handed_on(const pl_func *method) {
  const pl_node *call = method && method->body && method->is_method
                            ? pl_only_statement(method->body)
                            : NULL;
  const pl_node *member = call && call->kind == PL_NODE_CALL ? call->kids[0] : NULL;
  const pl_func *to = member && call->decl ? call->decl->func : NULL;
  if (!to || !to->body || to->decl->is_virtual || member->kind != PL_NODE_MEMBER ||
      !member->nkids || !member->kids[0] ||
      member->kids[0]->kind == PL_NODE_THIS || !is_own_object(member->kids[0], 0) ||
      to->nparams != method->nparams || call->nkids != method->nparams + 1)
    return NULL;
  for (uint32_t i = 0; i < method->nparams; i++) {
    const pl_type *a = method->params[i]->type, *b = to->params[i]->type;
    const pl_node *arg = pl_node_bare(call->kids[i + 1]);
    bool plain = a && b && a->kind == b->kind &&
                 (a->kind == PL_TYPE_REFERENCE || a->kind == PL_TYPE_POINTER ||
                  pl_is_number_type(a));
    if (!plain || !pl_same_type(a, b) || arg->kind != PL_NODE_REF ||
        arg->decl != method->params[i])
      return NULL;
  }
  return call;
}

/* Whether it is the only one of its name in the class of an object. */
static bool is_one_of_class(const pl_unit *unit, const pl_func *method,
                            const pl_type *class) {
  size_t n = 0, of = method->qualified.n - method->name.n, end = 0;
  while (class && end < class->spelling.n && class->spelling.p[end] != '<')
    end++;
  for (uint32_t i = 0; i < unit->nfuncs; i++)
    n += !unit->funcs[i]->pattern &&
         pl_str_eq(unit->funcs[i]->qualified, method->qualified);
  return n == 1 && of > 2 && class &&
         pl_str_eq((pl_str){method->qualified.p, of - 2},
                   (pl_str){class->spelling.p, end});
}

/* `loader.run(tile, k);` of a base that does `self().load(tile, k);` is
 * `loader.load(tile, k);`. */
static void call_own_method(const plainer *p, const pl_node *call) {
  const pl_unit *unit = p->loop->unit;
  const pl_node *member = call->kind == PL_NODE_CALL ? call->kids[0] : NULL;
  const pl_node *object = member && member->kind == PL_NODE_MEMBER && member->nkids &&
                                  !member->is_arrow && member->kids[0]
                              ? member->kids[0]
                              : NULL;
  const pl_node *inner = object && object->kind == PL_NODE_REF && call->decl
                             ? handed_on(call->decl->func)
                             : NULL;
  if (!inner || inner->nkids != call->nkids || !is_spelt(call) || !is_spelt(object) ||
      !object->decl || object->decl->kind != PL_DECL_VAR || !object->decl->type ||
      !is_one_of_class(unit, inner->decl->func, object->decl->type))
    return;
  uint32_t name = pl_token_from(unit, object->range.end) + 1;
  if (pl_token_is(unit, name - 1, ".") &&
      pl_str_eq(pl_token_text(unit, name), call->decl->func->name))
    put(p, unit->tokens[name].range.begin, unit->tokens[name].range.end,
        inner->decl->func->name);
}

/* ---- the type of a variable ----------------------------------------------------- */

static bool declares_type(pl_node *node, const void *name) {
  return node->kind == PL_NODE_OTHER_DECL && pl_str_eq(node->name, *(const pl_str *)name);
}

/* The variable of the loop's function that stands ahead of it under a name, if that is all
 * its declaration declares. */
static const pl_decl *variable_ahead(const pl_loop *loop, pl_str name) {
  const pl_decl *found = NULL;
  for (size_t i = 0; i < loop->nrecurrences; i++)
    if (pl_str_eq(loop->recurrences[i].decl->name, name))
      found = loop->recurrences[i].decl;
  const pl_node *node = found ? found->node : NULL;
  bool alone = node && node->parent && node->parent->kind == PL_NODE_DECL_STMT &&
               node->parent->nkids == 1 && !pl_node_within(node, loop->node);
  return alone && !found->from_macro && !found->is_static && !found->ndims &&
                 !pl_node_find(loop->node, pl_declares_named, &name)
             ? found
             : NULL;
}

/* The type that a variable is declared with, where all its words mean the same in the
 * loop; empty: it is not said, or more than that is. */
static pl_str said_type(const plainer *p, const pl_decl *decl) {
  static const char *const others[] = {"auto", "decltype", "constexpr", "alignas", "__align__",
                                       "struct", "class", "register", "typename", "&", "&&"};
  const pl_unit *unit = p->loop->unit;
  pl_range range = {decl->range.begin, decl->name_range.begin};
  pl_run run = pl_tokens_in(unit, range);
  for (uint32_t i = run.first; i < run.end; i++) {
    pl_str word = pl_token_text(unit, i);
    if (PL_STR_IS_ONE(word, others) || unit->tokens[i].kind == PL_TOK_COMMENT ||
        unit->tokens[i].kind == PL_TOK_DIRECTIVE || pl_macro_definitions(unit, word, UINT32_MAX) ||
        pl_node_find(p->loop->node, pl_declares_named, &word) ||
        pl_node_find(p->loop->node, declares_type, &word))
      return PL_STR("");
  }
  return range.begin < range.end ? pl_str_trimmed(pl_unit_slice(unit, range)) : PL_STR("");
}

static bool is_qualifier(const pl_unit *unit, uint32_t token) {
  return pl_token_is(unit, token, "const") || pl_token_is(unit, token, "volatile");
}

/* Whether a declaration has a const of its own beside a type that begins at a token, and
 * ends ahead of another one: as text it would be one of what a pointer leads to. */
static bool is_qualified_there(const pl_unit *unit, uint32_t first, uint32_t behind) {
  static const char *const words[] = {"static", "constexpr", "inline", "register"};
  while (first > 0 && PL_STR_IS_ONE(pl_token_text(unit, first - 1), words))
    first--;
  return is_qualifier(unit, behind) || (first > 0 && is_qualifier(unit, first - 1));
}

static bool declares_several(pl_node *node, const void *token) {
  return pl_range_inside(((const pl_token *)token)->range, node->range) &&
         ((node->kind == PL_NODE_DECL_STMT && node->nkids > 1) ||
          node->kind == PL_NODE_OTHER_DECL);
}

/* Whether a type can stand as text at a token: of a pointer in a declaration of one
 * variable alone, as its star is but the first one's. */
static bool may_stand_there(const plainer *p, pl_str type, uint32_t token) {
  const pl_unit *unit = p->loop->unit;
  return !is_qualified_there(unit, token, token + 4) &&
         !(pl_str_has(type, "*") &&
           pl_node_find(p->loop->node, declares_several, &unit->tokens[token]));
}

/* `typename decltype(it)::Fragment` is `typename Iterator<8>::Fragment`. */
static void say_types(const plainer *p) {
  const pl_unit *unit = p->loop->unit;
  pl_run run = pl_tokens_in(unit, p->loop->node->range);
  for (uint32_t i = run.first; i + 3 < run.end; i++) {
    if (!pl_token_is(unit, i, "decltype") || !pl_token_is(unit, i + 1, "(") ||
        !pl_token_is(unit, i + 3, ")"))
      continue;
    const pl_decl *decl = variable_ahead(p->loop, pl_token_text(unit, i + 2));
    pl_str type = decl ? said_type(p, decl) : PL_STR("");
    if (type.n && may_stand_there(p, type, i))
      put(p, unit->tokens[i].range.begin, unit->tokens[i + 3].range.end, type);
  }
}

/* ---- brackets by other names -------------------------------------------------- */

/* `s<:i:>` is `s[i]`, and `<% ... %>` a block. */
static void name_brackets(const plainer *p) {
  static const char *const pairs[][2] = {{"<%", "{"}, {"%>", "}"}, {"<:", "["}, {":>", "]"}};
  const pl_unit *unit = p->loop->unit;
  for (uint32_t i = 0; i < unit->ntokens; i++)
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
      if (pl_token_is(unit, i, pairs[k][0]))
        put(p, unit->tokens[i].range.begin, unit->tokens[i].range.end,
            (pl_str){pairs[k][1], 1});
}

/* ---- blocks around barriers --------------------------------------------------- */

static bool waits_in_block(const pl_node *node) {
  for (uint32_t i = 0; node && node->kind == PL_NODE_COMPOUND && i < node->nkids; i++)
    if (node->kids[i] && (pl_is_barrier(node->kids[i]) || waits_in_block(node->kids[i])))
      return true;
  return false;
}

/* Whether user's code runs where a block ends. */
static bool block_ends_by_code(const pl_loop *loop, const pl_node *block) {
  for (uint32_t i = 0; i < block->nkids; i++) {
    const pl_node *stmt = block->kids[i];
    for (uint32_t k = 0; stmt && stmt->kind == PL_NODE_DECL_STMT && k < stmt->nkids; k++)
      if (pl_ends_by_code(loop->unit, loop->func, stmt->kids[k]))
        return true;
  }
  return false;
}

/* What a block holds, where its first statement stands on a line of its own as far to the
 * left as the block did. */
static pl_str in_the_open(const pl_loop *loop, pl_arena *arena, const pl_node *block) {
  const pl_unit *unit = loop->unit;
  pl_str all = pl_unit_slice(unit, (pl_range){block->range.begin + 1, block->range.end - 1});
  pl_str to = pl_indent_at(unit, block->range.begin);
  bool own_line = to.p + to.n == unit->text.p + block->range.begin;
  return own_line && block->kids[0]
             ? pl_reindented(arena, pl_str_trimmed(all),
                             pl_indent_at(unit, block->kids[0]->range.begin), to)
             : all;
}

void pl_open_blocks(pl_loop *loop, pl_arena *arena, pl_replacements *out) {
  const pl_node *body = pl_is_refused_for(loop, "PL2006") ? own_body(loop) : NULL;
  for (uint32_t i = 0; body && i < body->nkids; i++) {
    const pl_node *block = body->kids[i];
    if (waits_in_block(block) && is_spelt(block) && !block_ends_by_code(loop, block))
      pl_put(arena, out, block->range, in_the_open(loop, arena, block));
  }
}

/* ---- a barrier that some iterations leave out -------------------------------- */

/* `if (k + T < n) __syncthreads();` where all threads of the block go the same way: one
 * more barrier does no harm. */
static void wait_always(const plainer *p) {
  pl_loop *loop = (pl_loop *)p->loop;
  const pl_func *pattern = loop->func->pattern;
  bool alone = !pattern || pattern->nbodies == 1; /* others might part */
  for (size_t i = 0; alone && i < loop->nstmts; i++) {
    const pl_node *node = loop->stmts[i].node;
    if (node->kind != PL_NODE_IF || !is_spelt(node) || pl_if_has_init(node) ||
        has_else(node) || !node->kids[1] || !is_spelt(node->kids[1]) ||
        !pl_is_barrier(node->kids[1]) || !pl_is_pure(loop, node->kids[0]) ||
        !pl_is_uniform(loop, node->kids[0]))
      continue;
    put(p, node->range.begin, node->range.end, text_of(p, node->kids[1]));
  }
}

/* ---- a barrier in two halves ----------------------------------------------------- */

/* The group of the block on which a method of a name is called; NULL: it is no such call. */
static const pl_node *asked_group(const pl_node *call, const char *name) {
  const pl_node *object = call && call->kind == PL_NODE_CALL && pl_str_is(call->name, name) &&
                                  pl_is_member_function(call) && call->kids[0]->nkids
                              ? pl_node_bare(call->kids[0]->kids[0]) : NULL;
  return object && object->kind == PL_NODE_REF && object->decl && is_spelt(object) &&
                 pl_is_thread_block(object->type) ? object : NULL;
}

/* Whether a statement reads and writes alone: nobody waits for it, and it for nobody. */
static bool waits_for_nobody(const pl_loop *loop, pl_node *stmt) {
  pl_effects effects = pl_effects_in(loop, stmt);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind != PL_EFFECT_READ && effects.items[i].kind != PL_EFFECT_WRITE)
      return false;
  return !pl_cfg_jump_out(stmt, PL_JUMP_ANY);
}

/* The number of the statement that arrives for a token, made by it alone, at which the group
 * waits for it at `wait`; `wait` itself: by none that can be left out. */
static uint32_t arrival_of(const plainer *p, const pl_node *body, uint32_t wait,
                           const pl_node *group, const pl_decl *token) {
  for (uint32_t i = wait; i-- > 0;) {
    pl_node *stmt = body->kids[i];
    const pl_node *var = stmt && stmt->kind == PL_NODE_DECL_STMT && stmt->nkids == 1
                             ? stmt->kids[0] : NULL;
    if (var && var->decl == token && token) {
      const pl_node *by = var->nkids ? asked_group(pl_node_bare(var->kids[0]), "barrier_arrive")
                                     : NULL;
      return by && by->decl == group->decl && is_spelt(stmt) &&
                     pl_count_names(p->loop->func->body, token) == 1 ? i : wait;
    }
    if (stmt && !waits_for_nobody(p->loop, stmt))
      return wait;
  }
  return wait;
}

/* `token = block.barrier_arrive(); ...; block.barrier_wait(move(token));` is `...;
 * block.sync();`, which orders more. */
static void join_halves(const plainer *p, const pl_node *body) {
  for (uint32_t i = 0; i < body->nkids; i++) {
    const pl_node *stmt = body->kids[i], *group = asked_group(stmt, "barrier_wait");
    if (!group || !is_spelt(stmt) || stmt->nkids != 2 || !stmt->kids[1])
      continue;
    pl_node *arg = pl_node_bare(stmt->kids[1]);
    while (arg->kind == PL_NODE_CALL && pl_str_is(arg->name, "move") && arg->nkids == 2)
      arg = pl_node_bare(arg->kids[1]);
    const pl_node *by = asked_group(arg, "barrier_arrive");
    uint32_t from = arg->kind == PL_NODE_REF ? arrival_of(p, body, i, group, arg->decl) : i;
    if (from == i && !(by && by->decl == group->decl))
      continue;
    if (from < i) {
      pl_range whole = pl_with_line(p->loop->unit, body->kids[from]->range);
      put(p, whole.begin, whole.end, PL_STR(""));
    }
    put(p, stmt->range.begin, stmt->range.end,
        pl_arena_printf(p->arena, "%.*s.sync();", PL_FMT(text_of(p, group))));
  }
}

static bool leaves_before(pl_node *jump, void *context) {
  const pl_loop **loop = context;
  if (jump->kind == PL_NODE_GOTO ||
      (jump->kind == PL_NODE_RETURN && jump->range.begin < (*loop)->node->range.begin))
    *loop = NULL;
  return *loop != NULL;
}

/* Whether all threads of the block come to a loop, and go round it equally often. */
static bool all_come(pl_loop *loop) {
  const pl_loop *at = loop;
  const pl_node *up = loop->node->parent;
  while (up && up != loop->func->body && up->kind == PL_NODE_COMPOUND)
    up = up->parent;
  if (up != loop->func->body || !loop->func->is_global || !loop->header || !loop->body ||
      pl_cfg_jump_out(loop->body, PL_JUMP_ANY) || !pl_is_uniform(loop, loop->header))
    return false;
  pl_cfg_each_jump(loop->node, leaves_before, &at);
  return at != NULL;
}

/* Whether assembly waits at a barrier, and does nothing else; sets its number. */
static bool is_waiting(pl_str text, pl_str *number) {
  static const char *const all[] = {"bar.sync",         "bar.cta.sync",
                                    "barrier.sync",     "barrier.sync.aligned",
                                    "barrier.cta.sync", "barrier.cta.sync.aligned"};
  pl_ptx p = {.text = text};
  if (!pl_ptx_next(&p) || !PL_STR_IS_ONE(p.opcode, all) || p.predicate.n || !p.noperands)
    return false;
  *number = p.noperands == 1 ? p.operands[0] : PL_STR("");
  return !pl_ptx_next(&p);
}

/* Whether a node may arrive at a barrier of the block's by number, and not wait there
 * (PTX ISA, bar): assembly, what of it a macro hides, or a function that is not seen. */
static bool may_arrive(pl_node *node, const void *context) {
  const pl_unit *unit = context;
  if (node->kind == PL_NODE_CALL)
    return node->decl && node->decl->kind == PL_DECL_FUNC && node->decl->is_user &&
           !pl_called_body(node);
  if (node->kind != PL_NODE_ASM)
    return false;
  pl_str source = pl_asm_source(unit, node);
  pl_ptx p = {.text = pl_assembly_text(unit, node)};
  while (pl_ptx_next(&p))
    if (pl_str_starts(p.opcode, "bar") && pl_str_has(p.opcode, ".arrive") &&
        !pl_str_has(p.opcode, ".cluster"))
      return true;
  return !pl_asm_is_plain(unit, source);
}

/* Whether all threads come to the loop's barriers alike, and none arrives at one of a
 * number elsewhere: also where an object ends. */
static bool all_wait(pl_loop *loop) {
  if (!all_come(loop))
    return false;
  for (uint32_t i = 0; i < loop->unit->nfuncs; i++) {
    const pl_func *end = loop->unit->funcs[i];
    if (pl_str_starts(end->name, "~") && end->body &&
        pl_node_find(end->body, may_arrive, loop->unit))
      return false;
  }
  pl_func_list run = pl_functions_of(loop->unit, loop->func);
  for (size_t i = 0; i < run.n; i++)
    if (run.items[i]->body && pl_node_find(run.items[i]->body, may_arrive, loop->unit))
      return false;
  return true;
}

/* `asm volatile("bar.sync 0;" ::: "memory");` is what `__syncthreads()` is. Where all
 * threads of the block come to it each time, that may stand for a barrier of some of them
 * as well: it orders more, and nobody is missing. Threads that arrive elsewhere, and do not
 * wait, are what others may count on. */
static void wait_by_name(const plainer *p) {
  bool named = all_wait((pl_loop *)p->loop);
  for (size_t i = 0; i < p->loop->nstmts; i++) {
    const pl_node *node = p->loop->stmts[i].node;
    pl_str number;
    if (node->kind == PL_NODE_ASM && is_spelt(node) && !pl_node_changes(node) &&
        is_waiting(pl_assembly_text(p->loop->unit, node), &number) &&
        (named || pl_str_is(number, "0")))
      put(p, node->range.begin, node->range.end, PL_STR("__syncthreads();"));
  }
}

void pl_plainer_forms(pl_loop *loop, pl_arena *arena, pl_replacements *out) {
  const plainer p = {loop, arena, out};
  const pl_node *body = own_body(loop);
  pl_node *chosen =
      pl_is_refused_for(loop, "PL4006") ? refused_switch(loop) : NULL;
  if (chosen)
    replace_switch(&p, chosen);
  if (pl_is_refused_for(loop, "PL4006"))
    count_range(&p);
  if (pl_is_refused_for(loop, "PL4004"))
    assign_in_place(&p);
  if (pl_is_refused_for(loop, "PL3009"))
    say_types(&p);
  for (uint32_t k = 0; body && pl_is_refused_for(loop, "PL4006") && k < body->nkids; k++)
    if (body->kids[k])
      call_own_method(&p, body->kids[k]);
  if (loop->verdict == PL_VERDICT_REFUSED && !out->n)
    name_brackets(&p);
  if (body && pl_is_refused_for(loop, "PL2006"))
    wait_always(&p);
  if (body && pl_is_refused_for(loop, "PL2102"))
    join_halves(&p, body);
  if (body && pl_is_refused_for(loop, "PL2001") && loop->inc &&
      loop->at.begin == loop->inc->range.begin &&
      !pl_effects_find(&loop->header_effects, PL_EFFECT_BARRIER))
    lower_step(&p, body);
  if (body && pl_is_refused_for(loop, "PL2007"))
    wait_by_name(&p);
  if (body && pl_is_refused_for(loop, "PL2003")) {
    size_t before = out->n;
    join_last_jumps(&p, body);
    if (out->n == before)
      vote_first(&p, body);
    if (out->n == before)
      ask_last(&p, body);
    if (out->n == before)
      branch_around_rest(&p, body);
  }
  if (body && pl_is_refused_for(loop, "PL2004")) {
    size_t before = out->n;
    step_in_header(&p, body);
    if (out->n == before)
      raise_first_break(&p, body);
    if (out->n == before)
      lower_step(&p, body);
  }
}
