/* loops_callers.c - is what a loop fills the callers' shared memory?
 *
 * Needs: every call of a device function in the file, and which of its parameters were
 * adopted (handed_tiles.h). Gives: tiles that are the callers' all the same. Raises:
 * PL3009 for those. */
#include "loops_parts.h"

typedef struct call_search {
  pl_finder *f;
  const pl_func *caller;
  bool shared; /* or what is not known */
} call_search;

/* Whether a call of the function changes shared memory that is not its own, or memory
 * of which the caller does not show what it is. */
static bool fills_shared(pl_node *node, void *context) {
  call_search *search = context;
  const pl_func *func = search->f->func;
  if (!pl_is_call_of(node, func))
    return !search->shared;
  pl_effects effects = {0};
  pl_effects_of(search->f->effects, search->caller, node, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_decl *decl = effects.items[i].root.decl;
    bool shared = effects.items[i].space == PL_SPACE_SHARED && decl->owner != func;
    search->shared = search->shared || (effects.items[i].kind == PL_EFFECT_WRITE &&
                                        (!decl || shared));
  }
  return !search->shared;
}

/* Whether some function of the file hands this one shared memory to fill. */
static bool receives_shared(pl_finder *f) {
  call_search search = {f, NULL, false};
  for (uint32_t i = 0; i < f->unit->nfuncs && !search.shared; i++) {
    search.caller = f->unit->funcs[i];
    if (search.caller->body && search.caller != f->func)
      pl_node_walk(search.caller->body, fills_shared, &search);
  }
  return search.shared;
}

/* Memory of the caller's: what a parameter, a member of one, or a member of the
 * object leads to. A record that is handed over by value is the function's own. */
static bool is_of_caller(const pl_effect *effect) {
  const pl_decl *decl = effect->root.decl;
  bool own = decl && decl->type && decl->type->kind == PL_TYPE_RECORD &&
             !effect->root.member.n;
  return pl_root_is_this(effect->root) ||
         (decl && decl->kind == PL_DECL_PARAM && !effect->direct && !own);
}

static pl_str tile_name(pl_root root) {
  if (root.member.n > 1)
    return root.member.p[0] == '*'
               ? (pl_str){root.member.p + 1, root.member.n - 1}
               : root.member;
  return pl_root_is_this(root) ? PL_STR("*this") : root.decl->name;
}

/* Two members of an object may lead to one place. */
static bool may_be_one(pl_root a, pl_root b) {
  return pl_root_eq(a, b) || (pl_root_is_this(a) && pl_root_is_this(b) &&
                              a.member.n && b.member.n);
}

/* The name of what a loop writes and reads, and that is the caller's shared
 * memory: `void sum(float (&tile)[64], ...)`. Empty: none. */
pl_str pl_caller_tile(pl_finder *f, pl_node *body) {
  pl_effects effects = {0};
  pl_effects_of(f->effects, f->func, body, &effects);
  for (size_t i = 0; !f->func->is_global && i < effects.n; i++) {
    const pl_effect *write = &effects.items[i];
    if (write->kind != PL_EFFECT_WRITE || !is_of_caller(write) ||
        pl_of_space_in_callers(f->effects, f->func, write->root, PL_SPACE_LOCAL))
      continue;
    for (size_t k = 0; k < effects.n; k++)
      if (effects.items[k].kind == PL_EFFECT_READ &&
          !effects.items[k].direct && may_be_one(effects.items[k].root, write->root))
        return receives_shared(f) ? tile_name(write->root) : PL_STR("");
  }
  return PL_STR("");
}

/* A loop that fills a tile of the caller's: no stage can be declared here. */
void pl_refuse_caller_tile(pl_finder *f, pl_loop *loop, pl_str tile) {
  if (pl_check_problems(loop))
    pl_refuse(loop, false, "PL3009", NULL,
              "tile '%.*s' belongs to the callers of '%.*s', so its stages "
              "cannot be declared here",
              PL_FMT(tile), PL_FMT(f->func->name));
}
