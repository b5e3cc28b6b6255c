/* events_again.c - variables from ahead of the loop that the text makes anew in it.
 *
 * Needs: a walker's state. Gives: which variable of the source a declaration of the text
 * is word for word, whose value cannot have changed since: `float *as = tile;`, for the
 * stage that `tile` is there. Raises: nothing. */
#include "events_state.h"
#include "reaching_definitions.h"

/* Whether an object is named for more than its members. */
static bool is_named_whole(pl_node *node, const void *object) {
  const pl_node *up = node->parent;
  return node->kind == PL_NODE_REF && node->decl == object &&
         !(up && up->kind == PL_NODE_MEMBER && !up->is_arrow);
}

/* Whether a declaration makes an object that nothing changes once it is made. */
static bool stays_as_made(const pl_source_loop *l, const pl_decl *decl) {
  pl_effects effects = {0};
  if (!decl->init || !pl_makes_plainly(decl->init) ||
      pl_node_find(l->func->body, is_named_whole, decl))
    return false;
  pl_effects_of(l->effects, l->func, l->func->body, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *e = &effects.items[i];
    if (e->kind != PL_EFFECT_READ && e->root.decl == decl && !e->root.member.n &&
        e->node != decl->node)
      return false;
  }
  return true;
}

typedef struct outer_walk {
  const pl_source_loop *source;
  const pl_node *loop;
  pl_str name;
  pl_decl *found;
  bool is_open; /* there are several, or a use may find another value */
} outer_walk;

/* Whether a use is in the loop, or in what another such variable is made of. */
static bool counts(const outer_walk *o, const pl_node *use) {
  const pl_node *up = use;
  while (up && up != o->loop && up->kind != PL_NODE_VAR)
    up = up->parent;
  return up && (up == o->loop || pl_node_within(use, o->loop) ||
                up->range.end <= o->loop->range.begin);
}

/* Uses of a variable from ahead of the loop. */
static bool find_outer(pl_node *node, void *context) {
  outer_walk *o = context;
  pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  if (!decl || decl->kind != PL_DECL_VAR || !decl->node || decl->is_shared ||
      decl->is_static || !decl->init || !pl_str_eq(decl->name, o->name) ||
      pl_node_within(decl->node, o->loop) || !counts(o, node))
    return true;
  bool fixed = pl_is_reference(decl->type) || decl->type->is_const ||
               pl_reaching_initialiser(node) == decl->init || stays_as_made(o->source, decl);
  o->is_open |= !fixed || (o->found && o->found != decl);
  o->found = decl;
  return true;
}

typedef struct change_walk {
  const pl_source_loop *loop;
  const pl_node *var;
  bool changes;
} change_walk;

/* Whether a name may lead elsewhere in the loop than where the variable was made. */
static bool find_change(pl_node *node, void *context) {
  change_walk *c = context;
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  if (!decl || (decl->kind != PL_DECL_VAR && decl->kind != PL_DECL_PARAM))
    return true;
  bool object = decl->is_shared || pl_is_reference(decl->type) ||
                (decl->type && decl->type->kind == PL_TYPE_ARRAY);
  size_t var = pl_clocked_of(c->loop, decl);
  c->changes |= (var < c->loop->nvars && c->loop->vars[var].writers) ||
                (!object && !decl->is_constexpr && !decl->type->is_const &&
                 pl_is_set_between(decl, c->var, c->loop->node) != PL_NO);
  return true;
}

bool pl_is_of_making(const pl_decl *decl, const pl_effect *e) {
  const pl_node *init = decl->init;
  if (!init || !pl_makes_plainly(init))
    return false;
  for (uint32_t i = 0; i < init->nkids; i++)
    if (init->kids[i] && e->node == pl_node_bare(init->kids[i]) &&
        !pl_takes_value(init, init->kids[i]))
      return true;
  return e->kind == PL_EFFECT_UNSEEN && (e->node == init || e->node == decl->node);
}

/* Whether an initialiser makes the same of the same names whenever it is evaluated. What
 * a reference is of is not read. */
static bool makes_the_same(const pl_walker *w, const pl_decl *decl) {
  const pl_source_loop *l = w->source;
  const pl_node *named = pl_is_reference(decl->type) ? pl_node_bare(decl->init) : NULL;
  change_walk walk = {.loop = l, .var = decl->node};
  pl_effects effects = {0};
  pl_effects_of(l->effects, l->func, decl->init, &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].node != named && !pl_is_of_making(decl, &effects.items[i]) &&
        (effects.items[i].kind != PL_EFFECT_READ ||
         (effects.items[i].space != PL_SPACE_LOCAL &&
          effects.items[i].space != PL_SPACE_CONSTANT)))
      return false;
  pl_node_walk(decl->init, find_change, &walk);
  return !walk.changes;
}

bool pl_try_made_again(pl_walker *w, pl_node *var) {
  outer_walk walk = {.source = w->source, .loop = w->source->node, .name = var->decl->name};
  pl_pairing p = {.item = NULL};
  pl_node_walk(w->source->func->body, find_outer, &walk);
  if (!walk.found || walk.is_open || !walk.found->node || !var->nkids ||
      !makes_the_same(w, walk.found) ||
      !pl_match_trees(&p, w, walk.found->node, var) || p.n)
    return false;
  pl_set_entry(w, var->decl,
               (pl_value){.kind = PL_VALUE_AGAIN, .to = walk.found,
                          .leads = pl_leads_of(w, var->kids[0])});
  return true;
}
