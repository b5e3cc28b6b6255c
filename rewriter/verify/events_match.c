/* events_match.c - are two trees, of two texts, the same statement?
 *
 * Needs: two units. Gives: whether two nodes are word for word the same, names by
 * the caller's question. Raises: nothing. */
#include "events.h"

#include <ctype.h>

typedef struct match {
  const pl_unit *before, *after;
  pl_same_name *same, *alike; /* `alike`: NULL: only the same are */
  void *context;
} match;

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\';
}

static pl_str trimmed(pl_str text) {
  while (text.n && (is_blank(text.p[text.n - 1]) || text.p[text.n - 1] == ';'))
    text.n--;
  return text;
}

bool pl_same_but_blanks(pl_str a, pl_str b) {
  size_t i = 0, k = 0;
  a = trimmed(a);
  b = trimmed(b);
  for (;; i++, k++) {
    while (i < a.n && is_blank(a.p[i]))
      i++;
    while (k < b.n && is_blank(b.p[k]))
      k++;
    if (i == a.n || k == b.n)
      return i == a.n && k == b.n;
    if (a.p[i] != b.p[k])
      return false;
  }
}

bool pl_same_words(const pl_unit *before, const pl_node *was, const pl_unit *after,
                   const pl_node *is) {
  return was->range.end && is->range.end &&
         pl_same_but_blanks(pl_unit_slice(before, was->range),
                            pl_unit_slice(after, is->range));
}

static bool same_text(const match *m, const pl_node *was, const pl_node *is) {
  return pl_same_words(m->before, was, m->after, is);
}

static bool is_placed(pl_str spelling) {
  return pl_str_has(spelling, "(lambda") || pl_str_has(spelling, "(unnamed") ||
         pl_str_has(spelling, "(anonymous");
}

static bool same_type(const pl_type *was, const pl_type *is) {
  if (!was || !is)
    return !was == !is;
  was = was->in_text ? was->in_text : was;
  is = is->in_text ? is->in_text : is;
  return pl_str_eq(was->spelling, is->spelling) ||
         (is_placed(was->spelling) && is_placed(is->spelling));
}

static bool trees(const match *m, const pl_node *was, const pl_node *is);

static bool is_variable(const pl_decl *decl) {
  return decl && (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM);
}

/* A member of one specialization of a class is none of another one's. */
static bool same_constant(const pl_node *was, const pl_node *is) {
  return !was->has_ival || !is->has_ival || was->ival == is->ival;
}

/* The word that a node's text begins with. */
static pl_str first_word(const pl_unit *unit, const pl_node *node) {
  pl_str text = pl_unit_slice(unit, node->range);
  size_t n = 0;
  while (n < text.n && (isalnum((unsigned char)text.p[n]) || text.p[n] == '_'))
    n++;
  return (pl_str){text.p, n};
}

/* Whether a macro that is handed other names makes a function's name of its own words: no
 * template argument can be among those. */
static bool same_by_macro(const match *m, const pl_node *was, const pl_node *is) {
  const pl_func *func = was->decl ? was->decl->func : NULL;
  pl_str word = first_word(m->before, was);
  return was->from_macro && is->from_macro && was->range.end && is->range.end && word.n &&
         pl_str_eq(word, first_word(m->after, is)) && same_type(was->type, is->type) &&
         !was->has_template_value && !is->has_template_value &&
         !(func && (func->pattern || func->is_template));
}

/* Of a function, its template arguments stand in the text alone. */
static bool same_name(const match *m, const pl_node *was, const pl_node *is) {
  if (is_variable(was->decl) || is_variable(is->decl))
    return is_variable(was->decl) && is_variable(is->decl) && same_constant(was, is) &&
           m->same(was, is, m->context);
  return !was->decl == !is->decl && (same_text(m, was, is) || same_by_macro(m, was, is)) &&
         (!was->decl || pl_str_eq(was->decl->qualified, is->decl->qualified));
}

/* What a node says of itself, its children aside. */
static bool same_node(const match *m, const pl_node *was, const pl_node *is) {
  if (was->kind != is->kind || was->op != is->op || was->nkids != is->nkids ||
      was->is_arrow != is->is_arrow)
    return false;
  switch (was->kind) {
  case PL_NODE_REF:
    return same_name(m, was, is);
  case PL_NODE_INT:
    return was->has_ival == is->has_ival && was->ival == is->ival;
  case PL_NODE_VAR:
    return was->decl && is->decl && pl_str_eq(was->decl->name, is->decl->name) &&
           same_type(was->decl->type, is->decl->type);
  case PL_NODE_CAST:
  case PL_NODE_CONSTRUCT:
    return same_type(was->type, is->type);
  case PL_NODE_MEMBER:
  case PL_NODE_CALL:
  case PL_NODE_GOTO:
  case PL_NODE_LABEL:
    return pl_str_eq(was->name, is->name);
  case PL_NODE_FLOATING:
  case PL_NODE_STRING:
  case PL_NODE_SIZEOF:
  case PL_NODE_ASM:
  case PL_NODE_OTHER_DECL:
  case PL_NODE_LAMBDA:
  case PL_NODE_UNKNOWN:
    return same_text(m, was, is);
  default:
    return true;
  }
}

/* `As`, and `As_stage[n]` or `As_stage[n].tile` in its place: asked with that node. */
static bool is_stage(const match *m, const pl_node *was, const pl_node *is) {
  return is_variable(was->decl) && was->kind == PL_NODE_REF &&
         (is->kind == PL_NODE_SUBSCRIPT || is->kind == PL_NODE_MEMBER) &&
         m->same(was, is, m->context);
}

static bool same_kids(const match *m, const pl_node *was, const pl_node *is) {
  for (uint32_t i = 0; i < was->nkids; i++)
    if (!trees(m, was->kids[i], is->kids[i]))
      return false;
  return true;
}

static bool trees(const match *m, const pl_node *was, const pl_node *is) {
  if (!was || !is)
    return !was == !is;
  return is_stage(m, was, is) || (same_node(m, was, is) && same_kids(m, was, is)) ||
         (m->alike && m->alike(was, is, m->context));
}

bool pl_alike_tree(const pl_unit *before, const pl_node *was, const pl_unit *after,
                   const pl_node *is, pl_same_name *same, pl_same_name *alike,
                   void *context) {
  match m = {before, after, same, alike, context};
  return trees(&m, was, is);
}

bool pl_same_tree(const pl_unit *before, const pl_node *was, const pl_unit *after,
                  const pl_node *is, pl_same_name *same, void *context) {
  return pl_alike_tree(before, was, after, is, same, NULL, context);
}
