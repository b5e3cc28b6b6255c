/* meaning.c - do the statements that were moved still mean what they did?
 *
 * Needs: a loop with its slices, and the model of the rewritten text. Gives: the
 * first name that means something else in it. Raises nothing; pipelinify.c does.
 *
 * Each statement of the loop is looked for, word for word, in what the loop has
 * become. There every name must lead to the same declaration: one inside the
 * statement to that very one, one of the loop to one that the rewritten loop
 * makes, and one from outside to none of those. Variables and casts must have
 * their types, and sizes of types their numbers. Tiles, and what steps, have new declarations under their names, or a stage
 * and a copy are named in their place: `As_stage[stage]` for `As`, `t_load` for `t`.
 * What was rewritten itself is not looked at. */
#include "loop.h"

#include <string.h>

typedef struct comparison {
  const pl_loop *loop;
  const pl_unit *after;
  pl_range region; /* of the rewritten loop */
  const pl_node *was, *is; /* the statement, and where it has gone */
  pl_str name;             /* that means something else; empty: none */
} comparison;

/* ---- text ---------------------------------------------------------------- */

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_blanks(pl_str text, size_t *at) {
  while (*at < text.n && is_blank(text.p[*at]))
    ++*at;
}

static bool same_words(pl_str a, pl_str b) {
  size_t i = 0, k = 0;
  for (;; i++, k++) {
    skip_blanks(a, &i);
    skip_blanks(b, &k);
    if (i == a.n || k == b.n)
      return i == a.n && k == b.n;
    if (a.p[i] != b.p[k])
      return false;
  }
}

/* ---- other names ------------------------------------------------------------ */

/* The tile of which a word names the stages, or what a word is a copy of; else empty. */
static pl_str name_behind(const pl_loop *loop, pl_str word, bool picks) {
  for (size_t i = 0; picks && i < loop->ntiles; i++)
    if (pl_is_name_for(word, loop->tiles[i].decl->name, "_stage"))
      return loop->tiles[i].decl->name;
  for (size_t i = 0; i < loop->nrecurrences; i++)
    if (pl_is_name_for(word, loop->recurrences[i].decl->name, "_load") ||
        pl_is_name_for(word, loop->recurrences[i].decl->name, "_tile"))
      return loop->recurrences[i].decl->name;
  return (pl_str){0};
}

typedef struct lexed {
  pl_str text;
  const pl_token *tokens;
  uint32_t n;
} lexed;

static pl_str word_at(const lexed *w, uint32_t i) {
  if (i >= w->n)
    return PL_STR("");
  pl_range at = w->tokens[i].range;
  return (pl_str){w->text.p + at.begin, at.end - at.begin};
}

/* Behind `[stage]` or `[stage].tile`. */
static uint32_t behind_pick(const lexed *w, uint32_t i) {
  int depth = 0;
  for (; i < w->n; i++) {
    depth += pl_str_is(word_at(w, i), "[");
    if (pl_str_is(word_at(w, i), "]") && --depth == 0)
      break;
  }
  i++;
  return pl_str_is(word_at(w, i), ".") && pl_str_is(word_at(w, i + 1), "tile") ? i + 2 : i;
}

/* A text with the source's names in the place of those. */
static pl_str with_own_names(const pl_loop *loop, pl_str text) {
  if (!pl_str_has(text, "_stage") && !pl_str_has(text, "_load") &&
      !pl_str_has(text, "_tile"))
    return text;
  lexed w = {.text = text};
  w.tokens = pl_lex(loop->arena, text, &w.n);
  pl_text out = {.arena = loop->arena};
  uint32_t at = 0;
  for (uint32_t i = 0; i < w.n;) {
    bool picks = pl_str_is(word_at(&w, i + 1), "[");
    pl_str name = w.tokens[i].kind == PL_TOK_IDENT
                      ? name_behind(loop, word_at(&w, i), picks) : (pl_str){0};
    if (!name.n) {
      i++;
      continue;
    }
    bool copy = !pl_is_name_for(word_at(&w, i), name, "_stage");
    uint32_t next = copy ? i + 1 : behind_pick(&w, i + 1);
    pl_text_add(&out, (pl_str){text.p + at, w.tokens[i].range.begin - at});
    pl_text_add(&out, name);
    at = next > w.n ? (uint32_t)text.n : w.tokens[next - 1].range.end;
    i = next;
  }
  pl_text_add(&out, (pl_str){text.p + at, text.n - at});
  return pl_text_view(&out);
}

/* ---- names --------------------------------------------------------------- */

static bool has_new_declaration(const pl_loop *loop, const pl_decl *decl) {
  if (pl_loop_tile(loop, decl) || pl_loop_recurrence(loop, decl))
    return true;
  for (size_t i = 0; i < loop->nderived; i++)
    for (uint32_t k = 0; k < loop->derived[i]->nkids; k++)
      if (loop->derived[i]->kids[k]->decl == decl)
        return true;
  return false;
}

static bool lies_in(const pl_decl *decl, pl_range range) {
  return decl->owner && decl->name_range.end &&
         pl_range_inside(decl->name_range, range);
}

/* A member template's call leads to the template in the pattern's text, and to a
 * method of an instantiation. */
static bool is_same_function(const pl_decl *was, const pl_decl *is) {
  bool both = (was->kind == PL_DECL_FUNC || was->kind == PL_DECL_METHOD) &&
              (is->kind == PL_DECL_FUNC || is->kind == PL_DECL_METHOD);
  return both && pl_str_eq(was->qualified, is->qualified);
}

/* Whether two uses of a name, in the statement and where it has gone, lead to
 * the same. */
static bool same_meaning(const comparison *c, const pl_decl *was,
                         const pl_decl *is) {
  if (!was || !is || has_new_declaration(c->loop, was))
    return true;
  if (is->kind == PL_DECL_TEMPLATE_VALUE && !was->owner)
    return true; /* an instantiation's argument, and its parameter */
  if (was->kind != is->kind)
    return is_same_function(was, is);
  if (was->kind != PL_DECL_VAR && was->kind != PL_DECL_PARAM)
    return true;
  if (lies_in(was, c->was->range))
    return lies_in(is, c->is->range);
  if (lies_in(was, c->loop->node->range))
    return lies_in(is, c->region);
  return !lies_in(is, c->region) && !was->owner == !is->owner;
}

static bool is_placed(pl_str spelling) {
  return pl_str_has(spelling, "(lambda") || pl_str_has(spelling, "(unnamed") ||
         pl_str_has(spelling, "(anonymous");
}

static bool same_type(const pl_type *was, const pl_type *is) {
  was = pl_written_type(was);
  is = pl_written_type(is);
  return !was || !is || is_placed(was->spelling) || is_placed(is->spelling) ||
         pl_str_eq(was->spelling, is->spelling);
}

/* ---- trees --------------------------------------------------------------- */

static void compare(comparison *c, const pl_node *was, const pl_node *is) {
  if (!was || !is || c->name.n ||
      (was->kind == PL_NODE_REF && is->kind != PL_NODE_REF && was->decl &&
       has_new_declaration(c->loop, was->decl)))
    return;
  const pl_type *type = was->kind == PL_NODE_VAR && was->decl ? was->decl->type
                                                              : was->type;
  const pl_type *other = is->kind == PL_NODE_VAR && is->decl ? is->decl->type
                                                             : is->type;
  bool typed = was->kind == PL_NODE_VAR || was->kind == PL_NODE_CAST;
  if (was->kind == PL_NODE_REF && is->kind == PL_NODE_REF &&
      !same_meaning(c, was->decl, is->decl))
    c->name = was->decl->name;
  else if (typed && was->kind == is->kind && !same_type(type, other))
    c->name = pl_unit_slice(c->loop->unit, was->range);
  else if (was->kind == PL_NODE_SIZEOF && is->kind == PL_NODE_SIZEOF && was->has_ival &&
           is->has_ival && was->ival != is->ival)
    c->name = pl_unit_slice(c->loop->unit, was->range);
  for (uint32_t i = 0; was->nkids == is->nkids && i < was->nkids; i++)
    compare(c, was->kids[i], is->kids[i]);
}

static pl_str words_of(const pl_unit *unit, const pl_node *node) {
  pl_str text = pl_unit_slice(unit, node->range);
  while (text.n && (text.p[text.n - 1] == ';' || is_blank(text.p[text.n - 1])))
    text.n--;
  return text;
}

/* Whether a text, with or without its end, may be the words of another. */
static bool may_begin(pl_str text, pl_str words) {
  size_t i = 0, k = 0;
  for (;; i++, k++) {
    skip_blanks(text, &i);
    skip_blanks(words, &k);
    if (i == text.n || text.p[i] == ';')
      return true;
    if (k == words.n || text.p[i] != words.p[k])
      return false;
  }
}

/* The loop's own, by number; the last is its step. NULL: it has none. */
static const pl_node *statement_of(const pl_loop *loop, size_t i) {
  if (i == loop->nstmts)
    return loop->inc;
  return loop->stmts[i].is_shared_decl ? NULL : loop->stmts[i].node;
}

bool pl_may_have_moved(const pl_loop *loop, pl_str text) {
  text = with_own_names(loop, text);
  for (size_t i = 0; i <= loop->nstmts; i++) {
    const pl_node *was = statement_of(loop, i);
    if (was && may_begin(text, words_of(loop->unit, was)))
      return true;
  }
  return false;
}

/* Whether a node is one of the loop's statements, or its step, word for word;
 * the name is kept that means something else, if it does for all of those. */
static bool is_moved(comparison *c, const pl_node *node) {
  bool found = false;
  pl_str wrong = {0}, words = with_own_names(c->loop, words_of(c->after, node));
  for (size_t i = 0; i <= c->loop->nstmts; i++) {
    const pl_node *was = statement_of(c->loop, i);
    if (!was || was->kind != node->kind ||
        !same_words(words_of(c->loop->unit, was), words))
      continue;
    c->was = was;
    c->is = node;
    c->name = (pl_str){0};
    compare(c, was, node);
    if (!c->name.n)
      return true;
    found = true;
    wrong = c->name;
  }
  c->name = wrong;
  return found;
}

static bool visit(pl_node *node, void *context) {
  comparison *c = context;
  if (c->name.n)
    return false;
  bool statement = node->parent && node->parent->kind == PL_NODE_COMPOUND &&
                   pl_range_inside(node->range, c->region);
  return !statement || !is_moved(c, node);
}

pl_str pl_changed_meaning(const pl_loop *loop, const pl_unit *after,
                          const pl_func *func, pl_range region) {
  comparison c = {.loop = loop, .after = after, .region = region};
  pl_node_walk(func->body, visit, &c);
  return c.name;
}
