/* loops_callers.c - is a parameter the callers' shared memory?
 *
 * Needs: every call of a device function in the file. Gives: parameters that
 * are tiles of this function's loops alone (adopted), or of the callers'.
 * Raises: PL3009 for the latter. */
#include "loops_parts.h"

typedef struct call_search {
  pl_finder *f;
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
static bool receives_shared(pl_finder *f, const pl_decl *decl) {
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
const pl_decl *pl_caller_tile(pl_finder *f, pl_node *body) {
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
  pl_finder *f;
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
static bool is_adoptable(pl_finder *f, uint32_t index) {
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

void pl_adopt_tiles(pl_finder *f) {
  for (uint32_t i = 0; !f->func->is_global && i < f->func->nparams; i++)
    if (is_adoptable(f, i))
      f->func->params[i]->points_to_shared = true;
}

/* A loop that fills a tile of the caller's: no stage can be declared here. */
void pl_refuse_caller_tile(pl_finder *f, pl_loop *loop, const pl_decl *tile) {
  if (pl_check_problems(loop))
    pl_refuse(loop, false, "PL3009", NULL,
              "tile '%.*s' belongs to the callers of '%.*s', so its stages "
              "cannot be declared here",
              PL_FMT(tile->name), PL_FMT(f->func->name));
}
