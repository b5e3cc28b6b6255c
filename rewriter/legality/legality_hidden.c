/* legality_hidden.c - does a declaration of the body hide a name?
 *
 * Needs: the statements of the body, slices. Gives: whether each name means the
 * same wherever its text is put. Raises: PL2013.
 *
 * The two sides of a pipelined loop are scopes of their own, tiles are declared
 * in front of both, and the header's step ends up behind the body's
 * declarations. So a name that the body declares at its own level may not mean
 * something else in the rest of the loop; a type that it declares is seen by
 * compute alone. Names of inner blocks move with their blocks. */
#include "legality_parts.h"

typedef struct hidden_walk {
  pl_loop *loop;
  const pl_decl *decl; /* of the body */
  const pl_node *use;  /* of another declaration of that name */
} hidden_walk;

static bool find_other(pl_node *node, void *context) {
  hidden_walk *w = context;
  if (node->kind == PL_NODE_VAR && node->decl)
    for (uint32_t i = 0; i < node->decl->ndims; i++)
      pl_node_walk(node->decl->dims[i], find_other, w);
  if (node->kind != PL_NODE_REF || !node->decl || node->decl == w->decl ||
      !pl_str_eq(node->decl->name, w->decl->name) ||
      pl_declared_inside(node->decl, w->loop->body))
    return !w->use;
  pl_str text = pl_unit_slice(w->loop->unit, node->range);
  if (node->from_macro || !pl_str_has(text, "::"))
    w->use = node;
  return !w->use;
}

/* ---- by words: types, and what the model does not show --------------------- */

static bool is_known_at(pl_node *node, const void *offset) {
  uint32_t begin = *(const uint32_t *)offset;
  const pl_decl *decl = node->decl;
  return decl && ((node->kind == PL_NODE_VAR && decl->name_range.begin == begin) ||
                  (node->kind == PL_NODE_REF && node->range.begin == begin &&
                   (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM)));
}

bool pl_find_other_word(const pl_loop *loop, pl_range within, pl_str name,
                        pl_range *where) {
  pl_run run = pl_tokens_in(loop->unit, within);
  for (uint32_t i = run.first; i < run.end; i++) {
    const pl_token *token = &loop->unit->tokens[i];
    if (token->kind != PL_TOK_IDENT ||
        !pl_str_eq(pl_token_text(loop->unit, i), name) ||
        pl_is_qualified(loop->unit, i))
      continue;
    *where = token->range;
    if (!pl_node_find(loop->node, is_known_at, &token->range.begin) &&
        !pl_under_inner_condition(loop, token->range))
      return true;
  }
  return false;
}

static bool refuse_hidden(pl_loop *loop, const pl_node *use, pl_str name,
                          const pl_node *declared) {
  pl_refuse(loop, false, "PL2013", use,
            "'%.*s' means something else here than behind its declaration in "
            "the loop",
            PL_FMT(name));
  pl_loop_note(loop, declared, "'%.*s' is declared here", PL_FMT(name));
  return false;
}

static bool check_variable(pl_loop *loop, pl_node *var) {
  hidden_walk w = {.loop = loop, .decl = var->decl};
  if (!var->decl || !var->decl->name.n)
    return true;
  pl_node_walk(loop->node, find_other, &w);
  if (w.use)
    return refuse_hidden(loop, w.use, var->decl->name, var);
  pl_range before = {loop->node->range.begin, var->decl->name_range.begin};
  pl_node at = {0};
  if (var->decl->name_range.end &&
      pl_find_other_word(loop, before, var->decl->name, &at.range))
    return refuse_hidden(loop, &at, var->decl->name, var);
  return true;
}

/* ---- types ----------------------------------------------------------------- */

/* The statements that the load side runs, and the header, do not see the types
 * of the body. */
static bool check_type_name(pl_loop *loop, const pl_node *declaration,
                            pl_str name) {
  pl_node at = {0};
  pl_range before = {loop->node->range.begin, declaration->range.begin};
  if (pl_find_other_word(loop, before, name, &at.range))
    return refuse_hidden(loop, &at, name, declaration);
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    if ((!stmt->in_load && !stmt->is_shared_decl) ||
        stmt->node == declaration ||
        !pl_find_other_word(loop, stmt->node->range, name, &at.range))
      continue;
    pl_refuse(loop, false, "PL2013", &at,
              "'%.*s' is declared in the loop's body, where the load side "
              "that runs ahead does not see it",
              PL_FMT(name));
    pl_loop_note(loop, declaration, "'%.*s' is declared here", PL_FMT(name));
    return false;
  }
  return true;
}

/* What of a declaration's words may be names that it declares: of `using V =`
 * and of a record the first, of a typedef the last, else any. */
typedef enum declared { DECLARES_FIRST, DECLARES_LAST, DECLARES_ANY } declared;

static declared declared_words(pl_str text) {
  if (pl_str_starts(text, "typedef"))
    return DECLARES_LAST;
  if ((pl_str_starts(text, "using") && pl_str_has(text, "=")) ||
      pl_str_starts(text, "struct") || pl_str_starts(text, "class") ||
      pl_str_starts(text, "union"))
    return DECLARES_FIRST;
  return DECLARES_ANY;
}

static bool check_declared_words(pl_loop *loop, const pl_node *declaration) {
  const pl_unit *unit = loop->unit;
  pl_str text = pl_unit_slice(unit, declaration->range);
  declared which = declared_words(text);
  pl_str last = {0};
  int depth = 0;
  if (pl_str_starts(text, "static_assert") || pl_str_starts(text, "_Static"))
    return true;
  pl_run run = pl_tokens_in(unit, declaration->range);
  for (uint32_t i = run.first; i < run.end; i++) {
    const pl_token *token = &unit->tokens[i];
    pl_str word = pl_token_text(unit, i);
    depth += pl_str_is(word, "[") ? 1 : pl_str_is(word, "]") ? -1 : 0;
    if (token->kind != PL_TOK_IDENT || pl_is_keyword(word) || depth)
      continue;
    last = word;
    if (which != DECLARES_LAST && !check_type_name(loop, declaration, word))
      return false;
    if (which == DECLARES_FIRST)
      return true;
  }
  return which != DECLARES_LAST || !last.n ||
         check_type_name(loop, declaration, last);
}

/* ---- names of types that move in front of the loop -------------------------- */

/* The one type that a statement gives a name, `using T = Traits;`; NULL: none, or
 * more than a name. */
static const pl_node *named_type(const pl_loop *loop, const pl_node *stmt) {
  const pl_node *type = stmt->kind == PL_NODE_DECL_STMT && stmt->nkids == 1
                            ? stmt->kids[0]
                            : NULL;
  pl_str text = pl_unit_slice(loop->unit, stmt->range);
  bool alias = pl_str_starts(text, "typedef ") ||
               (pl_str_starts(text, "using ") && pl_str_has(text, "="));
  return type && type->kind == PL_NODE_OTHER_DECL && type->name.n && alias &&
                 !type->from_macro && !pl_str_has(text, "{") &&
                 !pl_under_inner_condition(loop, stmt->range)
             ? type
             : NULL;
}

typedef struct text_within {
  const pl_unit *unit;
  pl_range within;
} text_within;

static bool is_said(pl_node *node, const void *context) {
  const text_within *t = context;
  return node->kind == PL_NODE_VAR && node->decl &&
         pl_unit_says(t->unit, t->within, node->decl->name);
}

static bool is_of_outside(const pl_loop *loop, const pl_node *stmt) {
  text_within text = {loop->unit, stmt->range};
  if (pl_node_find(loop->node, is_said, &text))
    return false;
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_node *other = loop->stmts[i].node;
    for (uint32_t k = 0; other->kind == PL_NODE_DECL_STMT && k < other->nkids;
         k++)
      if (other->kids[k]->kind == PL_NODE_OTHER_DECL && !named_type(loop, other) &&
          pl_unit_says(loop->unit, stmt->range, other->kids[k]->name))
        return false;
  }
  return true;
}

static bool load_side_says(pl_loop *loop, pl_str name) {
  pl_range at;
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    if ((stmt->in_load || stmt->is_shared_decl) &&
        !named_type(loop, stmt->node) &&
        pl_find_other_word(loop, stmt->node->range, name, &at))
      return true;
  }
  return false;
}

/* Where the load side needs a name that the body gives a type, the body's names of
 * types move in front of the loop, where both sides see them. */
static void move_types_ahead(pl_loop *loop) {
  bool needed = false;
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_node *type = named_type(loop, loop->stmts[i].node);
    if (type && !is_of_outside(loop, loop->stmts[i].node))
      return;
    needed = needed || (type && load_side_says(loop, type->name));
  }
  for (size_t i = 0; needed && i < loop->nstmts; i++) {
    pl_stmt *stmt = &loop->stmts[i];
    if (!named_type(loop, stmt->node))
      continue;
    stmt->ahead = true;
    stmt->in_load = stmt->in_compute = false;
  }
}

static bool check_ahead(pl_loop *loop, const pl_node *declaration) {
  pl_node at = {0};
  pl_range before = {loop->node->range.begin, declaration->range.begin};
  return !pl_find_other_word(loop, before, declaration->name, &at.range) ||
         refuse_hidden(loop, &at, declaration->name, declaration);
}

/* ---- arrays that move in front of the loop --------------------------------- */

/* The size of a shared array of the body may not rest on the body's names. */
static bool check_size(pl_loop *loop, const pl_node *var) {
  const pl_node *use = NULL;
  for (uint32_t i = 0; var->decl && i < var->decl->ndims && !use; i++)
    use = pl_node_find(var->decl->dims[i], pl_is_named_inside, loop->body);
  return !use ||
         pl_refuse(loop, false, "PL2013", use,
                   "'%.*s' is declared in the loop's body, where '%.*s', which "
                   "moves in front of the loop, does not see it",
                   PL_FMT(use->decl->name), PL_FMT(var->decl->name));
}

static bool check_sizes(pl_loop *loop, const pl_stmt *stmt) {
  for (uint32_t k = 0; stmt->is_shared_decl && k < stmt->node->nkids; k++)
    if (!check_size(loop, stmt->node->kids[k]))
      return false;
  return true;
}

bool pl_check_hidden_names(pl_loop *loop) {
  move_types_ahead(loop);
  for (size_t i = 0; i < loop->nstmts; i++) {
    pl_node *stmt = loop->stmts[i].node;
    if (!check_sizes(loop, &loop->stmts[i]))
      return false;
    if (pl_is_directive(loop, stmt) && !pl_check_directive(loop, i))
      return false;
    if (pl_is_directive(loop, stmt))
      continue;
    if (loop->stmts[i].ahead && !check_ahead(loop, stmt->kids[0]))
      return false;
    if (loop->stmts[i].ahead)
      continue;
    if (stmt->kind == PL_NODE_OTHER_DECL && !check_declared_words(loop, stmt))
      return false;
    for (uint32_t k = 0; stmt->kind == PL_NODE_DECL_STMT && k < stmt->nkids;
         k++)
      if (stmt->kids[k]->kind == PL_NODE_VAR
              ? !check_variable(loop, stmt->kids[k])
              : !check_declared_words(loop, stmt->kids[k]))
        return false;
  }
  return true;
}
