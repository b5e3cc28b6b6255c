/* loops_head.c - where is a loop left, and which tiles does it pass over?
 *
 * Needs: the statements of the body. Gives: the tests that decide whether there
 * is a tile, taken out of the body: the header's condition, breaks and continues
 * at the head of the body, a branch around all of it, a break at its very end.
 * Raises: PL2003, PL2004, PL2012.
 *
 * `for (;;) { if (k >= K) break; ...` asks what `for (; k < K;) { ...` asks.
 * `if (!mask[t]) continue;` and `if (mask[t]) { ... }` around the body pass a
 * tile over: the next one has to be looked for. */
#include "cfg.h"
#include "values.h"
#include "loops_parts.h"

#include <string.h>

/* ---- jumps of the loop's own ---------------------------------------------- */

/* The first break or continue of a statement that binds to the loop around it. */
static const pl_node *own_jump(const pl_node *node) {
  return pl_cfg_jump_out(node, PL_JUMP_LOOP);
}

/* A branch around the rest of the body has no word of its own for it. */
static const char *jump_name(const pl_node *jump) {
  if (jump->range.begin == jump->range.end)
    return "the branch around the tile";
  return jump->kind == PL_NODE_BREAK ? "'break'" : "'continue'";
}

/* `break;`, in braces or not. */
static bool is_break(const pl_node *node) {
  if (node && node->kind == PL_NODE_COMPOUND && node->nkids == 1)
    node = node->kids[0];
  return node && node->kind == PL_NODE_BREAK;
}

/* `if (done) break;` and nothing else. */
static bool is_plain_break(const pl_node *stmt) {
  return stmt->kind == PL_NODE_IF && is_break(stmt->kids[1]) &&
         (stmt->nkids < 3 || !stmt->kids[2]);
}

/* Collects the conditions of the branches that lead to a jump; false where
 * something else than branches does. */
static bool collect_tests(pl_loop *loop, pl_node *node) {
  if (!node || !own_jump(node) || node->kind == PL_NODE_BREAK ||
      node->kind == PL_NODE_CONTINUE)
    return true;
  if (node->kind == PL_NODE_IF) {
    PL_PUSH(loop->arena, loop->tests, loop->ntests, loop->tests_cap,
            node->kids[0]);
  } else if (node->kind != PL_NODE_COMPOUND) {
    return false;
  }
  for (uint32_t i = node->kind == PL_NODE_IF; i < node->nkids; i++)
    if (!collect_tests(loop, node->kids[i]))
      return false;
  return true;
}

/* ---- a branch around the body --------------------------------------------- */

/* Whether a branch is spelled `if (condition) {`. */
static bool is_spelled_branch(const pl_unit *unit, const pl_node *branch) {
  pl_range range = {branch->range.begin, branch->kids[0]->range.begin};
  pl_str text = pl_unit_slice(unit, range);
  return range.end > range.begin && pl_str_starts(text, "if") &&
         !pl_str_has(text, "constexpr") &&
         memchr(text.p + 2, '(', text.n - 2) &&
         unit->text.p[branch->kids[1]->range.begin] == '{' &&
         pl_range_inside(branch->kids[1]->range, branch->range) &&
         branch->kids[0]->kind != PL_NODE_DECL_STMT &&
         branch->kids[0]->kind != PL_NODE_VAR;
}

/* The one branch without `else` that holds the barriers of the body. */
static pl_node *find_branch(const pl_loop *loop) {
  pl_node *found = NULL;
  for (uint32_t i = 0; i < loop->body->nkids; i++) {
    pl_node *stmt = loop->body->kids[i];
    if (!stmt || stmt->kind != PL_NODE_IF || !stmt->kids[0] ||
        !stmt->kids[1] || stmt->kids[1]->kind != PL_NODE_COMPOUND ||
        !pl_holds_barrier(stmt->kids[1]))
      continue;
    if (found || (stmt->nkids > 2 && stmt->kids[2]) ||
        !is_spelled_branch(loop->unit, stmt))
      return NULL;
    found = stmt;
  }
  return found && !pl_holds_barrier(loop->body) ? found : NULL;
}

static pl_node *negation(pl_arena *arena, pl_node *cond) {
  pl_node *node = PL_NEW(arena, pl_node);
  node->kind = PL_NODE_UNARY;
  node->op = PL_OP_LNOT;
  node->range = cond->range;
  node->type = cond->type;
  node->parent = cond->parent;
  node->nkids = 1;
  node->kids = PL_NEW_ARRAY(arena, pl_node *, 1);
  node->kids[0] = cond;
  return node;
}

/* `if (wanted) { ... }` becomes `if (!wanted) continue; ...` in the tree. */
static void turn_branch(pl_loop *loop, pl_node *branch) {
  pl_node *jump = PL_NEW(loop->arena, pl_node);
  jump->kind = PL_NODE_CONTINUE;
  jump->range = (pl_range){loop->branch_body->range.begin,
                           loop->branch_body->range.begin};
  jump->parent = branch;
  branch->kids[0] = negation(loop->arena, branch->kids[0]);
  branch->kids[1] = jump;
  branch->range.end = loop->branch_body->range.begin;
}

void pl_unwrap_body(pl_loop *loop) {
  pl_node *branch = find_branch(loop), *body = loop->body;
  if (!branch)
    return;
  loop->branch = branch;
  loop->branch_body = branch->kids[1];
  turn_branch(loop, branch);
  pl_node *inner = loop->branch_body;
  pl_node **kids =
      PL_NEW_ARRAY(loop->arena, pl_node *, body->nkids + inner->nkids);
  uint32_t n = 0;
  for (uint32_t i = 0; i < body->nkids; i++) {
    kids[n++] = body->kids[i];
    for (uint32_t k = 0; body->kids[i] == branch && k < inner->nkids; k++) {
      kids[n++] = inner->kids[k];
      if (inner->kids[k])
        inner->kids[k]->parent = body;
    }
  }
  body->kids = kids;
  body->nkids = n;
  pl_cfg_forget(body);
}

/* ---- what stands before a jump -------------------------------------------- */

/* What a statement does that is still there when the loop is left, or the tile
 * passed over; NULL: nothing. */
static const pl_effect *lasting_effect(const pl_loop *loop,
                                       const pl_stmt *stmt) {
  for (size_t i = 0; i < stmt->effects.n; i++) {
    const pl_effect *effect = &stmt->effects.items[i];
    bool local = effect->space == PL_SPACE_LOCAL && effect->root.decl &&
                 pl_declared_inside(effect->root.decl, loop->body);
    if (effect->kind != PL_EFFECT_READ &&
        !(effect->kind == PL_EFFECT_WRITE && local))
      return effect;
  }
  return NULL;
}

static bool refuse_vote(pl_loop *loop, const char *id, const pl_effect *vote,
                        const pl_node *jump) {
  return pl_refuse(loop, true, id, vote->node,
                   "'%.*s' waits for all threads to be done with the tile before, "
                   "and %s may follow: no tile can be loaded ahead of that",
                   PL_FMT(vote->node->name), jump_name(jump));
}

/* Refuses a jump behind, or with, something that lasts. */
static bool check_lasting(pl_loop *loop, const pl_stmt *stmt,
                          const pl_node *jump) {
  const pl_effect *lasting = lasting_effect(loop, stmt);
  const pl_decl *decl = lasting ? lasting->root.decl : NULL;
  if (!lasting)
    return true;
  if (pl_is_vote(lasting))
    return refuse_vote(loop, "PL2003", lasting, jump);
  pl_refuse(loop, true, "PL2003", jump,
            "%s stands behind what is done for every tile", jump_name(jump));
  pl_loop_note(loop, lasting->node,
               "this happens for a tile that is not loaded, too%s%.*s%s",
               decl ? ": '" : "", decl ? (int)decl->name.n : 0,
               decl ? decl->name.p : "", decl ? "' changes" : "");
  return false;
}

static bool refuse_midway(pl_loop *loop, const pl_node *jump) {
  return pl_refuse(loop, true, "PL2003", jump,
                   "%s leaves the tile loop midway", jump_name(jump));
}

/* Whether nothing but the making of the test stands before a jump, and barriers
 * that the loop can wait at before it asks. */
static bool check_before(pl_loop *loop, size_t index, pl_node *stmt,
                         const pl_node *jump) {
  bool waits = false;
  for (size_t i = 0; i < index; i++)
    waits = waits || loop->stmts[i].is_barrier;
  if (waits && !pl_may_wait_first(loop, index, stmt)) {
    refuse_midway(loop, jump);
    pl_loop_note(loop, stmt,
                 "asked ahead of the first barrier, it would be no hindrance");
    return false;
  }
  for (size_t i = 0; i < index; i++) {
    const pl_stmt *stmt_before = &loop->stmts[i];
    if (stmt_before->is_barrier)
      continue;
    if (waits && lasting_effect(loop, stmt_before))
      return refuse_midway(loop, jump);
    if (!check_lasting(loop, stmt_before, jump))
      return false;
  }
  return true;
}

/* Takes the tests of one statement, which must do nothing else. */
static bool take_tests(pl_loop *loop, const pl_stmt *stmt,
                       const pl_node *jump) {
  size_t before = loop->ntests;
  if (!collect_tests(loop, stmt->node))
    return refuse_midway(loop, jump);
  for (size_t i = 0; i < stmt->effects.n; i++)
    if (pl_is_vote(&stmt->effects.items[i]))
      return refuse_vote(loop, "PL2004", &stmt->effects.items[i], jump);
  for (size_t i = before; i < loop->ntests; i++)
    if (!pl_is_pure(loop, loop->tests[i]))
      return pl_all_is_seen(loop, loop->tests[i]) &&
             pl_refuse(loop, true, "PL2004", loop->tests[i],
                       "the condition of %s has side effects",
                       jump_name(jump));
  return pl_repeats_end(loop, stmt) || check_lasting(loop, stmt, jump);
}

/* ---- head and end ---------------------------------------------------------- */

bool pl_is_endless(const pl_loop *loop) {
  return !loop->cond || (loop->cond->has_ival && loop->cond->ival &&
                         loop->node->kind != PL_NODE_DO &&
                         !pl_build_may_change(loop->unit, loop->cond));
}

/* Whether a test can be part of an expression in the header: a plain break whose
 * condition names nothing from inside the body. */
bool pl_is_header_test(const pl_loop *loop, pl_node *stmt) {
  return is_plain_break(stmt) &&
         !pl_node_find(stmt->kids[0], pl_is_named_inside, loop->body);
}

/* `k += T;` of a variable from outside the body. */
static bool is_step(const pl_loop *loop, const pl_node *node) {
  bool sum = node->kind == PL_NODE_ASSIGN &&
             (node->op == PL_OP_ADD || node->op == PL_OP_SUB);
  const pl_node *target =
      sum || pl_node_is_step(node) ? pl_node_bare(node->kids[0]) : NULL;
  return target && target->kind == PL_NODE_REF && target->decl &&
         target->decl->owner && !target->decl->is_shared &&
         !pl_declared_inside(target->decl, loop->body) && !node->from_macro &&
         node->range.end > node->range.begin &&
         loop->unit->text.p[node->range.end - 1] == ';';
}

/* A step behind the last break is what a for loop's header does. */
static pl_node *as_header_step(const pl_loop *loop, const pl_node *node) {
  pl_node *step = PL_NEW(loop->arena, pl_node);
  const char *text = loop->unit->text.p;
  *step = *node;
  do
    step->range.end--;
  while (text[step->range.end - 1] == ' ');
  return step;
}

/* Where the last break stands, behind which there are barriers alone and what a
 * header could do: the loop is left as well behind the barriers. */
static size_t find_last_break(const pl_loop *loop, size_t *step) {
  *step = loop->nstmts;
  for (size_t i = loop->nstmts; i-- > 0;) {
    const pl_stmt *stmt = &loop->stmts[i];
    if (pl_is_header_test(loop, stmt->node))
      return i;
    if (!stmt->is_barrier && (loop->inc || *step < loop->nstmts ||
                              !is_step(loop, stmt->node)))
      break;
    *step = stmt->is_barrier ? *step : i;
  }
  return loop->nstmts;
}

/* `if (++t == n) break;` at the end of a loop without end. */
static void take_last_break(pl_loop *loop) {
  size_t step, at = find_last_break(loop, &step), kept = 0;
  if (at == loop->nstmts || !pl_is_endless(loop) || loop->branch)
    return;
  for (size_t i = 0; i < loop->nstmts; i++)
    if (i != at && own_jump(loop->stmts[i].node))
      return;
  collect_tests(loop, loop->stmts[at].node);
  loop->last_jump = loop->stmts[at].node;
  loop->asks_last = true;
  if (step < loop->nstmts)
    loop->inc = as_header_step(loop, loop->stmts[step].node);
  for (size_t i = 0; i < loop->nstmts; i++)
    if (i != at && i != step)
      loop->stmts[kept++] = loop->stmts[i];
  loop->nstmts = kept;
}

/* How many statements the head has: up to the last jump, 0: none. */
static size_t head_length(const pl_loop *loop) {
  size_t n = 0;
  for (size_t i = 0; i < loop->nstmts; i++)
    if (own_jump(loop->stmts[i].node))
      n = i + 1;
  return n;
}

/* Takes the jumps of the head out of the body. */
static bool take_head(pl_loop *loop, size_t length) {
  size_t kept = 0;
  for (size_t i = 0; i < loop->nstmts; i++) {
    pl_stmt *stmt = &loop->stmts[i];
    const pl_node *jump = own_jump(stmt->node);
    pl_head_item item = {stmt->node, stmt->chunk, jump != NULL, jump != NULL};
    if (i < length)
      PL_PUSH(loop->arena, loop->head, loop->nhead, loop->head_cap, item);
    if (!jump) {
      loop->stmts[kept++] = *stmt;
      continue;
    }
    if (!check_before(loop, kept, stmt->node, jump) ||
        !take_tests(loop, stmt, jump))
      return false;
    loop->searches = loop->searches || !pl_is_header_test(loop, stmt->node);
    loop->passes_over = loop->passes_over ||
                        pl_cfg_jump_out(stmt->node, PL_JUMP_CONTINUE);
  }
  loop->nstmts = kept;
  return true;
}

/* ---- names that scopes keep apart ------------------------------------------- */

static bool is_namesake(pl_node *node, const void *context) {
  const pl_decl *decl = context;
  return node->kind == PL_NODE_REF && node->decl && node->decl != decl &&
         pl_str_eq(node->decl->name, decl->name);
}

static bool hides_name(pl_loop *loop, const pl_decl *decl) {
  bool hides = pl_node_find(loop->inc, is_namesake, decl) ||
               pl_node_find(loop->cond, is_namesake, decl);
  for (size_t i = 0; i < loop->nstmts; i++)
    hides = hides || (loop->stmts[i].always &&
                      pl_node_find(loop->stmts[i].node, is_namesake, decl));
  for (size_t i = 0; i < loop->nhead; i++)
    hides = hides || pl_node_find(loop->head[i].node, is_namesake, decl);
  return hides;
}

/* A local of the body may not hide what the text beside it needs: a scope of the
 * user's, that of a branch or of the body, is not there in the pipelined loop. */
static bool check_names(pl_loop *loop) {
  if (!loop->searches && !loop->asks_last)
    return true;
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_node *stmt = loop->stmts[i].node;
    for (uint32_t k = 0; stmt->kind == PL_NODE_DECL_STMT && k < stmt->nkids;
         k++)
      if (stmt->kids[k]->decl && hides_name(loop, stmt->kids[k]->decl))
        return pl_refuse(loop, false, "PL2012", stmt,
                         "'%.*s' hides a variable that the loop's own test or "
                         "step names",
                         PL_FMT(stmt->kids[k]->decl->name));
  }
  return true;
}

/* ---- one condition --------------------------------------------------------- */

static pl_node *conjunction(pl_arena *arena, pl_node *left, pl_node *right) {
  if (!left)
    return right;
  pl_node *node = PL_NEW(arena, pl_node);
  node->kind = PL_NODE_BINARY;
  node->op = PL_OP_LAND;
  node->range = left->range;
  node->type = right->type;
  node->parent = left->parent;
  node->nkids = 2;
  node->kids = PL_NEW_ARRAY(arena, pl_node *, 2);
  node->kids[0] = left;
  node->kids[1] = right;
  return node;
}

/* Header and tests as one expression, for all that asks what decides whether
 * there is a tile. Its text is emit_head.c's. */
static void join_conditions(pl_loop *loop) {
  loop->header = pl_is_endless(loop) ? NULL : loop->cond;
  loop->cond = loop->header;
  for (size_t i = 0; i < loop->ntests; i++)
    loop->cond = conjunction(loop->arena, loop->cond,
                             negation(loop->arena, loop->tests[i]));
}

pl_node *pl_loop_condition(const pl_loop *loop, size_t index) {
  if (loop->header && index == 0)
    return loop->header;
  index -= loop->header != NULL;
  return index < loop->ntests ? loop->tests[index] : NULL;
}

/* `while (t++ < n) { ... }` steps where it asks, each time once: it is
 * `if (t++ < n) do { ... } while (t++ < n);`. */
static void turn_asking(pl_loop *loop) {
  if (!loop->header || loop->asks_last || loop->ntests || loop->branch ||
      loop->inc)
    return;
  loop->asks_last = loop->asks_first = pl_node_changes(loop->header);
}

bool pl_find_tests(pl_loop *loop) {
  pl_take_vote(loop);
  take_last_break(loop);
  size_t length = head_length(loop);
  if (length && loop->node->kind == PL_NODE_DO)
    return pl_refuse(loop, true, "PL2003",
                     own_jump(loop->stmts[length - 1].node),
                     "a do loop may not be left, nor a tile passed over, "
                     "before its condition");
  if (length && !take_head(loop, length))
    return false;
  join_conditions(loop);
  turn_asking(loop);
  if (!loop->cond)
    return pl_refuse(loop, false, "PL2012", NULL,
                     "the loop has no condition to run ahead of");
  if (!loop->nstmts)
    return pl_refuse(loop, false, "PL2012", NULL, "the loop's body is empty");
  return check_names(loop);
}
