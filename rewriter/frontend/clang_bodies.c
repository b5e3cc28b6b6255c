/* clang_bodies.c - the bodies of instantiations: functions of the model, with
 * every type concrete, every overload and operator resolved, and the discarded
 * arms of `if constexpr` gone.
 *
 * Clang shows them below the cursor of the specialisation. All their places are
 * those of the template's text. */
#include "clang_parts.h"

pl_func *pl_fe_pattern_of(pl_fe *f, CXCursor cursor) {
  if (!pl_fe_is_function_kind(pl_fe_decl_kind(clang_getCursorKind(cursor))))
    return NULL;
  pl_decl *own = pl_fe_decls_find(f, clang_getCanonicalCursor(cursor));
  if (own && own->func)
    return own->func->pattern;
  CXCursor pattern = clang_getSpecializedCursorTemplate(cursor);
  for (int i = 0; i < 16 && !clang_Cursor_isNull(pattern); i++) {
    pl_decl *decl = pl_fe_decls_find(f, clang_getCanonicalCursor(pattern));
    if (decl && decl->func)
      return decl->func->pattern ? decl->func->pattern : decl->func;
    pattern = clang_getSpecializedCursorTemplate(pattern);
  }
  return NULL;
}

/* The declaration of an instantiation with its body; the null cursor: clang made
 * none. */
static CXCursor definition_of(CXCursor cursor) {
  CXCursor definition = clang_getCursorDefinition(cursor);
  if (clang_Cursor_isNull(definition))
    return definition;
  CXCursor body = pl_fe_child_of_kind(definition, CXCursor_CompoundStmt);
  return clang_Cursor_isNull(body) ? body : definition;
}

static pl_func *make_func(pl_fe *f, pl_func *pattern, pl_decl *decl,
                          CXCursor definition) {
  pl_func *func = PL_NEW(f->arena, pl_func);
  pl_fe_fill_signature(f, func, definition);
  func->decl = decl;
  func->name = pattern->name;
  func->qualified = pattern->qualified;
  func->range = pattern->range;
  func->name_range = pattern->name_range;
  func->in_main = pattern->in_main;
  func->is_global = pattern->is_global;
  func->is_device = pattern->is_device;
  func->is_host = pattern->is_host;
  func->is_template = pattern->is_template;
  func->is_extern_c = pattern->is_extern_c;
  func->is_method = pattern->is_method;
  func->from_macro = pattern->from_macro;
  func->template_params = pattern->template_params;
  func->ntemplate_params = pattern->ntemplate_params;
  func->pattern = pattern;
  func->own = pattern->nbodies++;
  return func;
}

pl_decl *pl_fe_instance_decl(pl_fe *f, CXCursor cursor) {
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (!f->knows_patterns || !pl_fe_is_function_kind(pl_fe_decl_kind(kind)) ||
      kind == CXCursor_Destructor)
    return NULL;
  CXCursor key = clang_getCanonicalCursor(cursor);
  if (pl_fe_decls_find(f, key))
    return pl_fe_decls_find(f, key);
  pl_func *pattern = pl_fe_pattern_of(f, cursor);
  if (!pattern || pattern->nbodies >= PL_MAX_INSTANCES)
    return NULL;
  CXCursor definition = definition_of(cursor);
  if (clang_Cursor_isNull(definition))
    return NULL;
  pl_decl *decl = pl_fe_make_decl(f, key);
  pl_fe_decls_add(f, key, decl);
  decl->func = make_func(f, pattern, decl, definition);
  size_t n = f->unit->nfuncs;
  PL_PUSH(f->arena, f->unit->funcs, n, f->funcs_cap, decl->func);
  f->unit->nfuncs = (uint32_t)n;
  size_t at = f->nbodies;
  PL_PUSH(f->arena, f->bodies, f->nbodies, f->bodies_cap,
          ((pl_fe_body){decl->func, definition, -1, NULL}));
  int instance = pl_fe_note_instance(f, cursor);
  f->bodies[at].instance = instance;
  return decl;
}

/* An instantiation whose arguments no list of the pattern's parameters says. */
static int add_nameless(pl_fe *f, const pl_fe_body *body) {
  pl_func *pattern = body->func->pattern;
  pl_instance *grown =
      PL_NEW_ARRAY(f->arena, pl_instance, pattern->ninstances + 1);
  for (uint32_t i = 0; i < pattern->ninstances; i++)
    grown[i] = pattern->instances[i];
  grown[pattern->ninstances] = (pl_instance){
      .index = pattern->ninstances,
      .spelling =
          pl_fe_take_string(f, clang_getCursorDisplayName(body->cursor))};
  pattern->instances = grown;
  return (int)pattern->ninstances++;
}

static void own_instance(pl_fe *f, const pl_fe_body *body) {
  int at = body->instance >= 0 ? body->instance : add_nameless(f, body);
  body->func->own = (uint32_t)at;
}

/* Numbers are asked for all instantiations together, so that one text comes of
 * them; each has the types of its own tree. */
static void share_instances(const pl_fe_body *body) {
  body->func->instances = body->func->pattern->instances;
  body->func->ninstances = body->func->pattern->ninstances;
}

/* A source shows all that its own templates are used for, unless an error hides a
 * use. */
static bool has_all_bodies(const pl_fe *f, const pl_func *pattern) {
  return pattern->nbodies && pattern->nbodies < PL_MAX_INSTANCES &&
         pattern->ninstances <= pattern->nbodies && pattern->in_main &&
         !pattern->is_named_openly && !pl_unit_is_header(f->unit) && !f->nerrors;
}

void pl_fe_build_instances(pl_fe *f) {
  for (size_t i = 0; f->knows_patterns && i < f->nnoted; i++)
    pl_fe_instance_decl(f, f->noted[i]);
  if (f->knows_patterns)
    pl_fe_note_instances(f);
  for (size_t i = 0; i < f->nbodies; i++) {
    f->closure = f->bodies[i].closure;
    pl_fe_build_body(f, f->bodies[i].func, f->bodies[i].cursor);
  }
  f->closure = NULL;
  for (uint32_t i = 0; i < f->unit->nfuncs; i++) {
    pl_func *func = f->unit->funcs[i];
    func->is_all_in_sight = has_all_bodies(f, func);
    func->is_others_too = func->ntemplate_params && !func->pattern && pl_unit_is_header(f->unit);
  }
  for (size_t i = 0; i < f->nbodies; i++)
    if (!f->bodies[i].closure)
      own_instance(f, &f->bodies[i]);
  f->knows_patterns = false; /* what is met from here on is not built */
  for (size_t i = 0; i < f->nbodies; i++)
    if (!f->bodies[i].closure)
      share_instances(&f->bodies[i]);
}
