/* loops.c - which loops may hold a tile?
 *
 * Needs: the model. Gives: candidates, outermost to innermost, each with the
 * statements of its body. Raises: PL1001, PL1002, PL1003, PL1004, PL2006,
 * PL2008, PL2012, PL2100 (by marker).
 *
 * A candidate is a loop with a barrier of its own (at its own level or inside
 * a branch, but not inside a loop within it), or one that fills and uses shared
 * memory with no barrier at all. */
#include "loop.h"

#include <stdio.h>
#include <string.h>

#define MARKER "// pipelinify: "

bool pl_loop_settle(pl_loop *loop, pl_verdict verdict, bool certain,
                    const char *id, const pl_node *at, const char *fmt, ...) {
  if (loop->settled)
    return false;
  va_list args;
  va_start(args, fmt);
  char text[512];
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  loop->settled = true;
  loop->verdict = verdict;
  loop->certain = certain;
  loop->id = id;
  loop->message = pl_arena_str(loop->arena, text, strlen(text));
  loop->at = at && at->range.end ? at->range : loop->node->range;
  return false;
}

void pl_loop_note(pl_loop *loop, const pl_node *at, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  char text[512];
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  pl_note note = {.message = pl_arena_str(loop->arena, text, strlen(text)).p};
  pl_range range = at && at->range.end ? at->range : loop->node->range;
  note.begin = range.begin;
  note.end = range.end;
  pl_unit_position(loop->unit, range.begin, &note.line, &note.column);
  PL_PUSH(loop->arena, loop->notes, loop->nnotes, loop->notes_cap, note);
}

pl_tile *pl_loop_tile(const pl_loop *loop, const pl_decl *decl) {
  for (size_t i = 0; i < loop->ntiles; i++)
    if (loop->tiles[i].decl == decl)
      return &loop->tiles[i];
  return NULL;
}

pl_recurrence *pl_loop_recurrence(const pl_loop *loop, const pl_decl *decl) {
  for (size_t i = 0; i < loop->nrecurrences; i++)
    if (loop->recurrences[i].decl == decl)
      return &loop->recurrences[i];
  return NULL;
}

bool pl_declared_inside(const pl_decl *decl, const pl_node *node) {
  return decl && decl->node && pl_node_within(decl->node, node);
}

static bool is_loop(const pl_node *node) {
  return node->kind == PL_NODE_FOR || node->kind == PL_NODE_WHILE ||
         node->kind == PL_NODE_DO || node->kind == PL_NODE_RANGE_FOR;
}

static pl_node *loop_body(pl_node *node) {
  switch (node->kind) {
  case PL_NODE_FOR:
    return node->kids[3];
  case PL_NODE_WHILE:
    return node->kids[1];
  case PL_NODE_DO:
    return node->kids[0];
  default:
    break;
  }
  pl_node *last = node->nkids ? node->kids[node->nkids - 1] : NULL;
  return last && last->kind == PL_NODE_COMPOUND ? last : NULL;
}

/* `while (int left = n - k) {...}`: the tree has no place for the variable. */
static bool is_odd_loop(const pl_unit *unit, const pl_node *node) {
  pl_str text = pl_unit_slice(unit, node->range);
  return node->kind == PL_NODE_UNKNOWN && node->range.end &&
         loop_body((pl_node *)node) &&
         (pl_str_starts(text, "while") || pl_str_starts(text, "for"));
}

/* What a loop does about barriers, without looking into loops inside it. */
typedef struct barrier_scan {
  pl_node *own;         /* barrier at the body's own level */
  pl_node *conditional; /* inside a branch or block */
  pl_node *special;
  bool in_inner_loop;
} barrier_scan;

static bool is_special_name(const pl_node *node) {
  return node->kind == PL_NODE_CALL &&
         (pl_str_starts(node->name, "__syncthreads_") ||
          pl_str_starts(node->name, "__barrier_sync") ||
          (pl_str_is(node->name, "sync") && !pl_is_barrier(node) &&
           node->decl &&
           (pl_str_has(node->decl->qualified, "grid") ||
            pl_str_has(node->decl->qualified, "cluster"))));
}

static const pl_node *callee_body(const pl_node *node) {
  return node->kind == PL_NODE_CALL && node->decl && node->decl->func
             ? node->decl->func->body
             : NULL;
}

/* A barrier inside a branch of a function that the loop calls. */
static bool branches_to_barrier(const pl_node *node, bool branch) {
  if (!node)
    return false;
  if (branch && pl_is_barrier(node))
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (branches_to_barrier(node->kids[i], branch || node->kind == PL_NODE_IF))
      return true;
  return false;
}

static bool is_barrier_asm(const pl_unit *unit, const pl_node *node) {
  const pl_node *callee = callee_body(node);
  if (callee && callee->nkids == 1 && callee->kids[0])
    node = callee->kids[0];
  pl_str text = pl_unit_slice(unit, node->range);
  return node->kind == PL_NODE_ASM &&
         (pl_str_has(text, "bar.sync") || pl_str_has(text, "barrier."));
}

static void scan_barriers(const pl_unit *unit, pl_node *node, bool own_level,
                          bool inner, barrier_scan *scan) {
  if (!node || node->kind == PL_NODE_LAMBDA)
    return;
  if (pl_is_barrier(node) || is_special_name(node) ||
      is_barrier_asm(unit, node)) {
    if (inner)
      scan->in_inner_loop = true;
    else if (!pl_is_barrier(node))
      scan->special = node;
    else if (own_level)
      scan->own = scan->own ? scan->own : node;
    else if (!scan->conditional)
      scan->conditional = node;
    return;
  }
  const pl_node *callee = callee_body(node);
  if (callee && !inner && !scan->conditional &&
      branches_to_barrier(callee, false))
    scan->conditional = node;
  for (uint32_t i = 0; i < node->nkids; i++)
    scan_barriers(unit, node->kids[i], false,
                  inner || (node->kids[i] && is_loop(node->kids[i])), scan);
}

static barrier_scan scan_loop(const pl_unit *unit, pl_node *body) {
  barrier_scan scan = {0};
  if (!body)
    return scan;
  if (body->kind != PL_NODE_COMPOUND) {
    scan_barriers(unit, body, true, is_loop(body), &scan);
    return scan;
  }
  for (uint32_t i = 0; i < body->nkids; i++)
    if (body->kids[i])
      scan_barriers(unit, body->kids[i], true, is_loop(body->kids[i]), &scan);
  return scan;
}

/* Whether the text between two offsets is blank or comment only; sets *end to
 * just before the newline that ends the line of `from`. */
static bool rest_of_line_is_comment(const pl_unit *unit, uint32_t from,
                                    uint32_t limit, uint32_t *end) {
  const char *p = unit->text.p;
  uint32_t i = from;
  while (i < limit) {
    if (p[i] == ' ' || p[i] == '\t' || p[i] == '\r') {
      i++;
    } else if (p[i] == '\n') {
      *end = i;
      return true;
    } else if (i + 1 < limit && p[i] == '/' && p[i + 1] == '/') {
      while (i < limit && p[i] != '\n')
        i++;
    } else if (i + 1 < limit && p[i] == '/' && p[i + 1] == '*') {
      uint32_t j = i + 2;
      while (j + 1 < limit && !(p[j] == '*' && p[j + 1] == '/')) {
        if (p[j] == '\n')
          return false;
        j++;
      }
      i = j + 2;
    } else {
      return false;
    }
  }
  return false;
}

/* Gives every statement its chunk of text, so that the chunks of a body, one
 * after the other, are the body's text. */
static void assign_chunks(pl_loop *loop) {
  uint32_t at = loop->body->range.begin + 1;
  uint32_t limit = loop->body->range.end;
  uint32_t line_end = at;
  if (rest_of_line_is_comment(loop->unit, at, limit, &line_end))
    at = line_end;
  for (size_t i = 0; i < loop->nstmts; i++) {
    pl_stmt *stmt = &loop->stmts[i];
    uint32_t end = stmt->node->range.end;
    if (rest_of_line_is_comment(loop->unit, end, limit, &line_end))
      end = line_end;
    stmt->chunk = (pl_range){at, end};
    at = end;
  }
}

static bool declares_only_shared(const pl_node *node) {
  if (node->kind != PL_NODE_DECL_STMT || node->nkids == 0)
    return false;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (node->kids[i]->kind != PL_NODE_VAR || !node->kids[i]->decl->is_shared)
      return false;
  return true;
}

static void fill_statements(pl_loop *loop) {
  pl_node *body = loop->body;
  loop->stmts = PL_NEW_ARRAY(loop->arena, pl_stmt, body->nkids + 1);
  for (uint32_t i = 0; i < body->nkids; i++) {
    if (!body->kids[i])
      continue;
    pl_stmt *stmt = &loop->stmts[loop->nstmts++];
    stmt->node = body->kids[i];
    stmt->is_barrier = pl_is_barrier(stmt->node);
    stmt->is_shared_decl = declares_only_shared(stmt->node);
    if (!stmt->is_barrier)
      pl_effects_of(loop->effects, loop->func, stmt->node, &stmt->effects);
  }
  assign_chunks(loop);
}

static const pl_problem *problem_inside(const pl_unit *unit, pl_range range) {
  const pl_problem *uncovered = NULL;
  for (uint32_t i = 0; i < unit->nproblems; i++) {
    if (!pl_range_inside(unit->problems[i].range, range))
      continue;
    if (!unit->problems[i].uncovered)
      return &unit->problems[i];
    if (!uncovered)
      uncovered = &unit->problems[i];
  }
  return uncovered;
}

/* An error anywhere in the function may have hidden part of the loop. */
static bool check_problems(pl_loop *loop) {
  const pl_problem *problem = problem_inside(loop->unit, loop->func->range);
  if (!problem)
    return true;
  pl_node at = {.range = problem->range};
  return pl_refuse(loop, false, problem->uncovered ? "PL1002" : "PL1001", &at,
                   "%.*s", PL_FMT(problem->message));
}

static bool is_conditional_directive(pl_str text) {
  size_t i = 1;
  while (i < text.n && (text.p[i] == ' ' || text.p[i] == '\t'))
    i++;
  pl_str word = {text.p + i, text.n - i};
  return pl_str_starts(word, "if") || pl_str_starts(word, "el") ||
         pl_str_starts(word, "endif") || pl_str_starts(word, "define") ||
         pl_str_starts(word, "undef");
}

static bool check_directives(pl_loop *loop) {
  for (uint32_t i = 0; i < loop->unit->ntokens; i++) {
    const pl_token *token = &loop->unit->tokens[i];
    if (token->kind != PL_TOK_DIRECTIVE ||
        !pl_range_inside(token->range, loop->node->range))
      continue;
    pl_str text = pl_unit_slice(loop->unit, token->range);
    pl_node at = {.range = token->range};
    if (is_conditional_directive(text))
      return pl_refuse(loop, false, "PL1004", &at,
                       "a preprocessor condition inside the loop hides what "
                       "other builds see");
  }
  return true;
}

/* `do { ... } while (0)` of a macro: a statement, not a loop. */
static bool is_statement_macro(const pl_node *node) {
  return node->kind == PL_NODE_DO && node->from_macro && node->nkids == 2 &&
         node->kids[1] && node->kids[1]->has_ival && !node->kids[1]->ival;
}

/* Macros may be used inside statements, but may not make them. */
static bool check_macros(pl_loop *loop) {
  if (loop->node->from_macro && loop->node->kind != PL_NODE_FOR &&
      loop->node->kind != PL_NODE_WHILE)
    return false;
  pl_str word = pl_unit_slice(loop->unit, loop->node->range);
  if (!pl_str_starts(word, "for") && !pl_str_starts(word, "while") &&
      !pl_str_starts(word, "do"))
    return pl_refuse(loop, false, "PL1003", loop->node,
                     "the loop is spelled by a macro");
  for (size_t i = 0; i < loop->nstmts; i++) {
    pl_stmt *stmt = &loop->stmts[i];
    bool structural = stmt->is_barrier || stmt->node->kind == PL_NODE_DECL_STMT ||
                      is_loop(stmt->node);
    bool from_macro = stmt->node->from_macro;
    if (stmt->node->kind == PL_NODE_DECL_STMT)
      from_macro = stmt->node->nkids && stmt->node->kids[0]->decl &&
                   stmt->node->kids[0]->decl->from_macro;
    if (is_loop(stmt->node)) {
      pl_str text = pl_unit_slice(loop->unit, stmt->node->range);
      from_macro = !pl_str_starts(text, "for") &&
                   !pl_str_starts(text, "while") &&
                   !pl_str_starts(text, "do") && !pl_str_starts(text, "#");
    }
    pl_effects effects = {0};
    pl_effects_of(loop->effects, loop->func, stmt->node, &effects);
    bool barrier = stmt->is_barrier ||
                   pl_effects_find(&effects, PL_EFFECT_BARRIER) ||
                   pl_effects_find(&effects, PL_EFFECT_SPECIAL_BARRIER);
    if (structural && from_macro &&
        (barrier || !is_statement_macro(stmt->node)))
      return pl_refuse(loop, false, "PL1003", stmt->node,
                       "a macro's body holds this %s",
                       barrier               ? "barrier"
                       : is_loop(stmt->node) ? "loop"
                                             : "declaration");
  }
  for (size_t i = 0; i + 1 < loop->nstmts; i++)
    if (loop->stmts[i].node->range.begin >= loop->stmts[i + 1].node->range.begin)
      return pl_refuse(loop, false, "PL1003", loop->stmts[i].node,
                       "one macro makes several statements");
  return true;
}

/* The marker that earlier output carries, on the lines just above. */
static bool has_marker(const pl_loop *loop) {
  uint32_t at = loop->node->range.begin;
  uint32_t low = loop->func->range.begin;
  pl_str between = {loop->unit->text.p + low, at - low};
  (void)between;
  for (uint32_t i = 0; i < loop->unit->ntokens; i++) {
    const pl_token *token = &loop->unit->tokens[i];
    if (token->kind != PL_TOK_COMMENT)
      continue;
    pl_str text = pl_unit_slice(loop->unit, token->range);
    if (!pl_str_starts(text, MARKER "ldg") &&
        !pl_str_starts(text, MARKER "cp.async"))
      continue;
    if (token->range.end > at || at - token->range.end > 16384)
      continue;
    uint32_t block = token->range.end;
    int depth = 0;
    bool inside = true;
    for (uint32_t j = i + 1; j < loop->unit->ntokens && inside; j++) {
      const pl_token *next = &loop->unit->tokens[j];
      if (next->range.begin >= at)
        break;
      if (next->kind != PL_TOK_PUNCT)
        continue;
      char c = loop->unit->text.p[next->range.begin];
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      if (depth < 0 || (depth == 0 && c == '}'))
        inside = false;
    }
    (void)block;
    if (inside)
      return true;
  }
  return false;
}

typedef struct finder {
  pl_unit *unit;
  pl_func *func;
  pl_effect_context *effects;
  const pl_options *options;
  pl_loops *loops;
} finder;

static pl_loop *new_loop(finder *f, pl_node *node, pl_loop *outer,
                         bool nested) {
  pl_loop *loop = PL_NEW(f->unit->arena, pl_loop);
  loop->unit = f->unit;
  loop->func = f->func;
  loop->arena = f->unit->arena;
  loop->effects = f->effects;
  loop->options = f->options;
  loop->node = node;
  loop->outer = outer;
  loop->nested = nested;
  loop->body = loop_body(node);
  loop->smem_before = loop->smem_after = loop->smem_limit = -1;
  loop->blocks_before = loop->blocks_after = -1;
  loop->threads = -1;
  loop->ratio = -1;
  if (node->kind == PL_NODE_FOR) {
    loop->init = node->kids[0];
    loop->cond = node->kids[1];
    loop->inc = node->kids[2];
  } else if (node->kind == PL_NODE_WHILE) {
    loop->cond = node->kids[0];
  }
  PL_PUSH(f->unit->arena, f->loops->items, f->loops->n, f->loops->cap, loop);
  return loop;
}

/* Checks of form that do not need the slices. */
static void examine(pl_loop *loop, const barrier_scan *scan) {
  if (!check_problems(loop))
    return;
  if (has_marker(loop)) {
    pl_loop_settle(loop, PL_VERDICT_ALREADY_PIPELINED, true, "PL2100", NULL,
                   "the loop is software-pipelined already");
    return;
  }
  if (loop->node->kind == PL_NODE_DO) {
    pl_refuse(loop, false, "PL2012", NULL,
              "a do loop tests its condition after the body");
    return;
  }
  if (loop->node->kind != PL_NODE_FOR && loop->node->kind != PL_NODE_WHILE) {
    pl_refuse(loop, false, "PL2012", NULL,
              loop->node->kind == PL_NODE_RANGE_FOR
                  ? "a range loop hides how it goes on"
                  : "the loop's condition declares a variable");
    return;
  }
  if (!loop->cond) {
    pl_refuse(loop, false, "PL2012", NULL,
              "the loop has no condition to run ahead of");
    return;
  }
  if (!loop->body || loop->body->kind != PL_NODE_COMPOUND) {
    pl_refuse(loop, false, "PL2012", NULL, "the loop's body is no block");
    return;
  }
  if (!check_directives(loop))
    return;
  fill_statements(loop);
  if (!check_macros(loop))
    return;
  if (scan->conditional && !scan->special)
    pl_refuse(loop, true, "PL2006", scan->conditional,
              "a barrier stands inside a branch of the loop");
}

static bool touches_shared(finder *f, pl_node *body, bool *fills, bool *uses) {
  pl_effects effects = {0};
  pl_effects_of(f->effects, f->func, body, &effects);
  *fills = *uses = false;
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    if (effect->space != PL_SPACE_SHARED)
      continue;
    if (effect->kind == PL_EFFECT_WRITE)
      *fills = true;
    if (effect->kind == PL_EFFECT_READ)
      *uses = true;
  }
  return *fills || *uses;
}

static bool reads_global(finder *f, pl_node *body) {
  pl_effects effects = {0};
  pl_effects_of(f->effects, f->func, body, &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind == PL_EFFECT_READ &&
        effects.items[i].space == PL_SPACE_GLOBAL)
      return true;
  return false;
}

typedef struct call_search {
  finder *f;
  const pl_func *caller;
  uint32_t index; /* of the parameter of f->func */
  bool shared;
} call_search;

static bool passes_shared(pl_node *node, void *context) {
  call_search *search = context;
  if (node->kind != PL_NODE_CALL || !node->decl ||
      node->decl->func != search->f->func || search->index + 1 >= node->nkids)
    return !search->shared;
  pl_roots roots = {0};
  pl_roots_of(search->f->effects, search->caller,
              node->kids[search->index + 1], &roots);
  for (size_t i = 0; i < roots.n; i++)
    search->shared =
        search->shared || pl_root_space(roots.items[i]) == PL_SPACE_SHARED;
  return !search->shared;
}

/* Whether some function of the file passes shared memory for a parameter. */
static bool receives_shared(finder *f, const pl_decl *decl) {
  for (uint32_t p = 0; p < f->func->nparams; p++) {
    if (f->func->params[p] != decl)
      continue;
    call_search search = {f, NULL, p, false};
    for (uint32_t i = 0; i < f->unit->nfuncs && !search.shared; i++) {
      search.caller = f->unit->funcs[i];
      if (search.caller->body)
        pl_node_walk(search.caller->body, passes_shared, &search);
    }
    return search.shared;
  }
  return false;
}

/* A parameter that a loop writes and reads, and that is the caller's shared
 * memory: `void sum(float (&tile)[64], ...)`. NULL: none. */
static const pl_decl *caller_tile(finder *f, pl_node *body) {
  pl_effects effects = {0};
  pl_effects_of(f->effects, f->func, body, &effects);
  for (size_t i = 0; !f->func->is_global && i < effects.n; i++) {
    const pl_decl *decl = effects.items[i].root.decl;
    if (effects.items[i].kind != PL_EFFECT_WRITE || !decl ||
        decl->kind != PL_DECL_PARAM || effects.items[i].root.member.n)
      continue;
    for (size_t k = 0; k < effects.n; k++)
      if (effects.items[k].kind == PL_EFFECT_READ &&
          effects.items[k].root.decl == decl && !effects.items[k].direct &&
          receives_shared(f, decl))
        return decl;
  }
  return NULL;
}

/* What adoptable looks at: every call of the function. */
typedef struct adoption {
  finder *f;
  const pl_func *caller;
  uint32_t index; /* of the parameter */
  bool any, all;
} adoption;

static bool adoptable_in(pl_node *node, void *context) {
  adoption *a = context;
  if (node->kind != PL_NODE_CALL || !node->decl ||
      node->decl->func != a->f->func)
    return a->all;
  pl_roots tile = {0};
  if (a->index + 1 < node->nkids)
    pl_roots_of(a->f->effects, a->caller, node->kids[a->index + 1], &tile);
  a->any = true;
  a->all = a->all && tile.n == 1 && tile.items[0].decl &&
           tile.items[0].decl->is_shared &&
           pl_root_space(tile.items[0]) == PL_SPACE_SHARED;
  for (uint32_t i = 1; a->all && i < node->nkids; i++) {
    pl_roots other = {0};
    if (i != a->index + 1)
      pl_roots_of(a->f->effects, a->caller, node->kids[i], &other);
    for (size_t k = 0; k < other.n; k++)
      a->all = a->all && other.items[k].decl != tile.items[0].decl;
  }
  return a->all;
}

/* Whether every call passes a shared object of its own for a parameter, which
 * then is a tile like any other, but for its one place. */
static bool is_adoptable(finder *f, uint32_t index) {
  const pl_decl *param = f->func->params[index];
  const pl_type *type = param->type;
  bool array = type && type->kind == PL_TYPE_REFERENCE && type->element &&
               type->element->kind == PL_TYPE_ARRAY;
  if (!type || (!array && type->kind != PL_TYPE_POINTER) ||
      pl_assigned_anywhere(f->func->body, param))
    return false;
  adoption a = {f, NULL, index, false, true};
  for (uint32_t i = 0; i < f->unit->nfuncs && a.all; i++) {
    a.caller = f->unit->funcs[i];
    if (a.caller->body)
      pl_node_walk(a.caller->body, adoptable_in, &a);
  }
  return a.any && a.all;
}

static void adopt_tiles(finder *f) {
  for (uint32_t i = 0; !f->func->is_global && i < f->func->nparams; i++)
    if (is_adoptable(f, i))
      f->func->params[i]->points_to_shared = true;
}

/* A loop that fills a tile of the caller's: no stage can be declared here. */
static void refuse_caller_tile(finder *f, pl_loop *loop,
                               const pl_decl *tile) {
  if (check_problems(loop))
    pl_refuse(loop, false, "PL3009", NULL,
              "tile '%.*s' belongs to the callers of '%.*s', so its stages "
              "cannot be declared here",
              PL_FMT(tile->name), PL_FMT(f->func->name));
}

static void find_in(finder *f, pl_node *node, pl_loop *outer, bool nested) {
  if (!node || node->kind == PL_NODE_LAMBDA)
    return;
  if (!is_loop(node) && !is_odd_loop(f->unit, node)) {
    for (uint32_t i = 0; i < node->nkids; i++)
      find_in(f, node->kids[i], outer, nested);
    return;
  }
  pl_node *body = loop_body(node);
  barrier_scan scan = scan_loop(f->unit, body);
  bool fills = false, uses = false;
  bool barrier = scan.own || scan.conditional || scan.special;
  if (barrier)
    adopt_tiles(f);
  bool shared = touches_shared(f, body, &fills, &uses);
  pl_loop *loop = NULL;
  if ((barrier && shared) || (barrier && reads_global(f, body) && fills)) {
    loop = new_loop(f, node, outer, nested);
    examine(loop, &scan);
  } else if (!barrier && !scan.in_inner_loop && fills && uses &&
             reads_global(f, body) && !outer) {
    loop = new_loop(f, node, outer, nested);
    if (check_problems(loop))
      pl_refuse(loop, false, "PL2008", NULL,
                "no block barrier separates filling shared memory from using "
                "it");
  }
  const pl_decl *tile = barrier && !loop && !outer ? caller_tile(f, body) : NULL;
  if (tile) {
    loop = new_loop(f, node, outer, nested);
    refuse_caller_tile(f, loop, tile);
  }
  for (uint32_t i = 0; i < node->nkids; i++)
    find_in(f, node->kids[i], loop ? loop : outer, true);
}

/* A function whose errors left no loop in the tree is reported all the same. */
static void report_lost(finder *f, size_t before) {
  const pl_problem *problem = problem_inside(f->unit, f->func->range);
  if (!problem || f->loops->n > before || !f->func->is_global)
    return;
  for (uint32_t i = 0; i < f->unit->ntokens; i++) {
    pl_token *token = &f->unit->tokens[i];
    pl_str word = pl_unit_slice(f->unit, token->range);
    if (token->kind != PL_TOK_IDENT ||
        !pl_range_inside(token->range, f->func->range) ||
        !(pl_str_is(word, "for") || pl_str_is(word, "while")))
      continue;
    pl_node *node = PL_NEW(f->unit->arena, pl_node);
    node->kind = PL_NODE_UNKNOWN;
    node->range = token->range;
    pl_loop *loop = new_loop(f, node, NULL, false);
    pl_node at = {.range = problem->range};
    pl_refuse(loop, false, problem->uncovered ? "PL1002" : "PL1001", &at,
              "%.*s", PL_FMT(problem->message));
    return;
  }
}

void pl_find_loops(pl_unit *unit, pl_effect_context *effects,
                   const pl_options *options, pl_loops *loops) {
  for (uint32_t i = 0; i < unit->nfuncs; i++) {
    pl_func *func = unit->funcs[i];
    if (!func->in_main || !func->body || !(func->is_global || func->is_device))
      continue;
    finder f = {unit, func, effects, options, loops};
    size_t before = loops->n;
    find_in(&f, func->body, NULL, false);
    report_lost(&f, before);
  }
}
