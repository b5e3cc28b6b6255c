/* inlining.c - a helper that waits at a barrier, is handed a lambda, or fills a tile and
 * cannot be split, as the statements that it is.
 *
 * Needs: an attempt in which a loop is refused whose body calls such a helper. Gives:
 * the helper's text in the place of the call, with the arguments for its parameters and
 * for those of its template, and the lambda's body where it calls that. Raises nothing.
 *
 * `step(src, tile, &acc, k);` is `tile[x] = src[k + x]; __syncthreads(); acc += ...;`
 * and `team_for(n, [&](int i) { s[i] = x[i]; });` is `for (int i = threadIdx.x; i < n; i +=
 * blockDim.x) { s[i] = x[i]; }`, where no name comes to mean something else, and no
 * argument another value while the helper runs. Barriers count where they stand in the
 * loop itself. */
#include "cfg.h"
#include "copies.h"
#include "expansions.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PARTS 512
#define MOST_PARAMS 64
#define MOST_LOCALS 64

typedef struct inlining {
  const pl_loop *loop;
  const pl_unit *unit;
  pl_arena *arena;
  const pl_node *stmt, *call;
  const pl_func *helper;
  const pl_node *result; /* what it hands back, NULL: nothing */
  const pl_node *handed; /* the call of the lambda that the helper is handed, NULL: none yet */
  pl_replacement *parts; /* of the helper's text: names of parameters */
  size_t nparts, parts_cap;
  pl_str local[MOST_PARAMS]; /* of a parameter that is a variable of its own: its
                                name; empty: the argument's text stands for it */
  struct renamed {
    const pl_decl *decl;
    pl_str name;
  } renamed[MOST_LOCALS]; /* the helper's, whose names mean something at the call */
  size_t nrenamed;
  bool own;          /* a method, called on the object whose method holds the loop */
  pl_str object;     /* `t.`, of a method that is called on another one; else empty */
  pl_range *members; /* of the helper's text: members of that object */
  size_t nmembers, members_cap;
  bool fine;
} inlining;

static pl_str word(const inlining *c, uint32_t token) {
  return pl_token_text(c->unit, token);
}

static pl_node *argument(const inlining *c, uint32_t param) {
  return param + 1 < c->call->nkids ? c->call->kids[param + 1] : NULL;
}

/* ---- lambdas --------------------------------------------------------------- */

/* The lambda that a parameter stands for; NULL: it is no such one. */
static const pl_func *lambda_of(const inlining *c, uint32_t param) {
  const pl_node *arg = argument(c, param);
  const pl_node *bare = arg ? pl_node_bare((pl_node *)arg) : NULL;
  return bare && bare->kind == PL_NODE_LAMBDA && bare->func && bare->func->body ? bare->func
                                                                               : NULL;
}

static bool takes_lambda(const inlining *c) {
  for (uint32_t i = 0; i < c->helper->nparams; i++)
    if (lambda_of(c, i))
      return true;
  return false;
}

/* `[&](int i) {`, with nothing between parameters and body. */
static bool is_plain_lambda(const inlining *c, uint32_t param) {
  const pl_node *node = argument(c, param);
  const pl_func *lambda = lambda_of(c, param);
  uint32_t first = pl_token_from(c->unit, node->range.begin);
  uint32_t body = pl_token_from(c->unit, lambda->body->range.begin);
  for (uint32_t i = 0; i < lambda->nparams; i++)
    if (lambda->params[i]->from_macro || !lambda->params[i]->range.end ||
        pl_str_has(pl_unit_slice(c->unit, lambda->params[i]->range), "="))
      return false;
  return !node->from_macro && body > first + 4 && pl_str_is(word(c, first), "[") &&
         pl_str_is(word(c, first + 1), "&") && pl_str_is(word(c, first + 2), "]") &&
         pl_str_is(word(c, first + 3), "(") && pl_str_is(word(c, body - 1), ")") &&
         !pl_cfg_jump_out(lambda->body, PL_JUMP_AWAY);
}

/* The lambda that a call calls by way of the helper's parameter; NULL: it does not. */
static const pl_func *called_lambda(const inlining *c, const pl_node *call) {
  const pl_node *called = pl_node_bare(call->kids[0]);
  if (called->kind == PL_NODE_MEMBER) /* operator() */
    called = pl_node_bare(called->kids[0]);
  int at = called->kind == PL_NODE_REF ? pl_param_index(c->helper, called->decl) : -1;
  return at >= 0 ? lambda_of(c, (uint32_t)at) : NULL;
}

/* A call of a lambda, which is a statement. */
static bool is_call_of_lambda(const inlining *c, const pl_node *node) {
  const pl_func *lambda = node->kind == PL_NODE_CALL ? called_lambda(c, node) : NULL;
  uint32_t first = pl_token_from(c->unit, node->range.begin);
  static const char *const before[] = {"{", "}", ";", ")"};
  return lambda && !node->from_macro && node->parent &&
         (node->parent->kind == PL_NODE_COMPOUND || node->parent->kind == PL_NODE_IF ||
          pl_node_is_loop(node->parent)) &&
         lambda->nparams == node->nkids - 1 &&
         c->unit->text.p[node->range.end - 1] == ';' && PL_STR_IS_ONE(word(c, first - 1), before);
}

/* Whether a lambda's parameter may be the helper's variable of its name. */
static bool is_one_variable(const inlining *c, const pl_func *lambda, uint32_t param,
                            const pl_node *given) {
  const pl_decl *decl = lambda->params[param], *var = pl_node_bare((pl_node *)given)->decl;
  return given->kind == PL_NODE_REF && var && pl_str_eq(var->name, decl->name) &&
         (pl_same_type(decl->type, var->type) ||
          pl_str_starts(pl_unit_slice(c->unit, decl->range), "auto ")) &&
         !pl_assigned_anywhere(lambda->body, decl);
}

typedef struct meaning {
  const pl_func *lambda;
  const pl_decl *than;
} meaning;

/* A name that is spelt like the helper's, and is neither the lambda's nor its parameter's. */
static bool means_otherwise(pl_node *node, const void *context) {
  const meaning *m = context;
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  return decl && pl_str_eq(decl->name, m->than->name) && pl_param_index(m->lambda, decl) < 0 &&
         !(decl->node && pl_node_within(decl->node, m->lambda->body));
}

/* Whether a variable of the helper's is what a lambda's parameter of its name is handed,
 * so that the lambda's body says it as it stands. */
static bool is_handed_on(const inlining *c, const pl_decl *decl) {
  const pl_func *lambda = c->handed ? called_lambda(c, c->handed) : NULL;
  bool handed = false;
  for (uint32_t i = 0; lambda && i < lambda->nparams; i++)
    handed = handed || (pl_node_bare(c->handed->kids[i + 1])->decl == decl &&
                        is_one_variable(c, lambda, i, c->handed->kids[i + 1]));
  for (uint32_t i = 0; handed && i < c->helper->nparams; i++)
    handed = lambda_of(c, i) == lambda || !pl_says_name(c->unit, argument(c, i)->range, decl->name);
  return handed && !pl_node_find(lambda->body, means_otherwise, &(meaning){lambda, decl});
}

static bool find_call_of_lambda(pl_node *node, void *context) {
  inlining *c = context;
  if (is_call_of_lambda(c, node)) {
    c->fine = c->fine && !c->handed;
    c->handed = node;
  }
  return true;
}

/* ---- arguments ------------------------------------------------------------- */

/* Whether something is written of which it is not known what it is. */
static bool writes_unknown(const pl_effects *effects) {
  for (size_t i = 0; i < effects->n; i++)
    if (effects->items[i].kind != PL_EFFECT_READ &&
        effects->items[i].kind != PL_EFFECT_BARRIER &&
        (!effects->items[i].root.decl ||
         effects->items[i].space == PL_SPACE_UNKNOWN))
      return true;
  return false;
}

/* Whether a member of the caller's object may be written. */
static bool writes_own_object(const pl_effects *effects) {
  for (size_t i = 0; i < effects->n; i++)
    if (effects->items[i].kind != PL_EFFECT_READ && pl_root_is_this(effects->items[i].root))
      return true;
  return writes_unknown(effects);
}

static bool is_of_this(const pl_node *member) {
  const pl_node *of = member->nkids && member->kids[0] ? pl_node_bare(member->kids[0]) : NULL;
  return !of || of->kind == PL_NODE_THIS;
}

/* Whether what the call does may change what a part of an argument gives. */
static bool may_change(pl_node *node, const void *effects) {
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  bool by_address = node->parent && node->parent->kind == PL_NODE_UNARY &&
                    node->parent->op == PL_OP_ADDR;
  bool array = decl && decl->type && decl->type->kind == PL_TYPE_ARRAY;
  bool number = decl && (decl->kind == PL_DECL_TEMPLATE_VALUE ||
                         decl->kind == PL_DECL_ENUM_CONSTANT || node->has_ival);
  if (node->kind == PL_NODE_CALL || node->kind == PL_NODE_LAMBDA ||
      node->kind == PL_NODE_CONSTRUCT || node->kind == PL_NODE_INIT_LIST ||
      node->kind == PL_NODE_UNKNOWN)
    return !node->has_ival;
  if (node->kind == PL_NODE_MEMBER && is_of_this(node))
    return writes_own_object(effects);
  return decl && !array && !by_address && !number &&
         (pl_writes_decl(effects, decl) || writes_unknown(effects));
}

/* Whether an effect is the address of an array, which a name of it stands for. */
static bool is_address_of_array(const pl_effect *effect) {
  return effect->kind == PL_EFFECT_READ && effect->node &&
         effect->node->kind == PL_NODE_REF && effect->node->type &&
         effect->node->type->kind == PL_TYPE_ARRAY &&
         (!effect->node->parent ||
          effect->node->parent->kind != PL_NODE_SUBSCRIPT);
}

/* Whether what the call does may write what an argument reads, by whichever name: an
 * element, a member behind a pointer, what a reference is of. */
static bool may_write_read(const inlining *c, pl_node *arg, const pl_effects *effects) {
  pl_effects reads = pl_effects_in(c->loop, arg);
  for (size_t i = 0; i < reads.n; i++)
    for (size_t k = 0; k < effects->n && !is_address_of_array(&reads.items[i]); k++) {
      const pl_effect *read = &reads.items[i], *write = &effects->items[k];
      const pl_type *type = read->root.decl ? read->root.decl->type : NULL;
      if (pl_is_write(write) && read->space != PL_SPACE_CONSTANT &&
          (!read->root.decl || !write->root.decl || read->root.decl == write->root.decl ||
           !type || type->kind == PL_TYPE_REFERENCE))
        return true;
    }
  return false;
}

static bool reads_no_memory(const inlining *c, pl_node *arg) {
  pl_effects effects = pl_effects_in(c->loop, arg);
  for (size_t i = 0; i < effects.n; i++)
    if (!is_address_of_array(&effects.items[i]) &&
        (effects.items[i].kind != PL_EFFECT_READ ||
         (effects.items[i].space != PL_SPACE_LOCAL &&
          effects.items[i].space != PL_SPACE_CONSTANT)))
      return false;
  return true;
}

static bool is_one_element(const pl_type *a, const pl_type *b) {
  return a && b && a->kind != PL_TYPE_DEPENDENT && !a->is_volatile &&
         !b->is_volatile &&
         pl_str_eq(pl_behind_const(a->spelling), pl_behind_const(b->spelling));
}

/* Whether a number's type may hang on the arguments of the template that it stands in. */
static bool is_of_arguments(const inlining *c, const pl_node *arg) {
  bool named = arg->kind == PL_NODE_REF && arg->decl && !arg->decl->from_macro &&
               arg->decl->type && !arg->decl->type->in_text;
  return c->loop->func->pattern &&
         !((named || arg->kind == PL_NODE_INT) && !arg->from_macro && !arg->type->in_text);
}

/* Whether the text of an argument can stand for a parameter; *cast: behind a conversion
 * to its type. In a template the text is that of all its instantiations: a number is
 * converted in each, and no object may be one of a derived class in another. */
static bool can_be(const inlining *c, uint32_t at, const pl_node *arg, bool *cast) {
  const pl_type *param = c->helper->params[at]->type;
  bool open = c->loop->func->pattern;
  const pl_func *text = pl_written_func(c->helper);
  const pl_type *type = arg->type;
  const pl_node *bare = pl_node_bare((pl_node *)arg);
  bool names = bare->kind == PL_NODE_REF && bare->decl &&
               (bare->decl->kind == PL_DECL_VAR ||
                bare->decl->kind == PL_DECL_PARAM);
  if (!param || !type || param->is_volatile || type->is_volatile)
    return false;
  if (type->kind == PL_TYPE_REFERENCE)
    type = type->element;
  if (open && type->element && type->element->kind == PL_TYPE_RECORD)
    return false;
  if (param->kind == PL_TYPE_REFERENCE)
    return names && is_one_element(param->element, type) &&
           !(open && type->kind == PL_TYPE_RECORD);
  if (pl_is_number_type(param) && pl_is_number_type(type)) {
    *cast = is_of_arguments(c, arg) || !pl_str_eq(pl_behind_const(param->spelling),
                               pl_behind_const(type->spelling));
    return !open || pl_is_number_type(text->params[at]->type);
  }
  if (param->kind == PL_TYPE_POINTER &&
      (type->kind == PL_TYPE_POINTER || type->kind == PL_TYPE_ARRAY))
    return is_one_element(param->element, type->element);
  return param->kind == PL_TYPE_RECORD && names && !open && !param->runs_code &&
         is_one_element(param, type);
}

/* Whether a text says a parameter of the helper's template, which the call has not. */
static bool says_template(const inlining *c, pl_range range) {
  for (uint32_t i = 0; i < c->helper->ntemplate_params; i++)
    if (pl_says_name(c->unit, range, c->helper->template_params[i]->name))
      return true;
  return false;
}

/* `&x`: what it is the address of, NULL: it is no such thing. */
static const pl_node *pointee(const pl_node *arg) {
  arg = pl_node_bare((pl_node *)arg);
  const pl_node *of = arg->kind == PL_NODE_UNARY && arg->op == PL_OP_ADDR
                          ? pl_node_bare(arg->kids[0])
                          : NULL;
  return of && of->kind == PL_NODE_REF ? of : NULL;
}

/* A name that the file does not have, made of a helper's and of one of its own. */
static pl_str new_name(const inlining *c, pl_str name) {
  pl_range all = {0, (uint32_t)c->unit->text.n};
  for (int i = 0; i < 9; i++) {
    pl_str made = i ? pl_arena_printf(c->arena, "%.*s_%.*s%d", PL_FMT(name),
                                      PL_FMT(c->helper->name), i + 1)
                    : pl_arena_printf(c->arena, "%.*s_%.*s", PL_FMT(name),
                                      PL_FMT(c->helper->name));
    if (!pl_count_words(c->unit, all, made))
      return made;
  }
  return PL_STR("");
}

/* Whether a parameter can be a variable that begins with its argument, under its own
 * name where nothing else has that. */
static bool can_be_variable(inlining *c, uint32_t param) {
  const pl_decl *decl = c->helper->params[param];
  pl_node *arg = argument(c, param);
  bool cast = false;
  if (!arg || !arg->range.end || param >= MOST_PARAMS || decl->from_macro ||
      !pl_range_inside(arg->range, c->call->range) ||
      pl_has_comment(pl_unit_slice(c->unit, arg->range)) ||
      (!pl_is_number_type(decl->type) && decl->type->kind != PL_TYPE_POINTER) ||
      !can_be(c, param, arg, &cast) || !pl_is_pure((pl_loop *)c->loop, arg) ||
      says_template(c, decl->range) || !decl->name_range.end || decl->name_range.end != decl->range.end ||
      !pl_range_inside(decl->name_range, decl->range))
    return false;
  c->local[param] = pl_says_name(c->unit, c->loop->node->range, decl->name)
                        ? new_name(c, decl->name)
                        : decl->name;
  return c->local[param].n > 0;
}

typedef struct object_use {
  const pl_decl *param;
  bool array;  /* the argument is an array, for a pointer */
  bool object; /* one that the helper has or sees otherwise, or several */
} object_use;

/* A use of a parameter that its argument's text may not be: of an object that is the
 * helper's own or that it may not change, all but the value of a member, as a method or
 * a reference could be another one's or change it; of an array, which is no pointer
 * where a reference is bound to it. */
static bool is_other_use(pl_node *node, const void *context) {
  const object_use *use = context;
  const pl_node *up = node->parent;
  if (node->kind != PL_NODE_REF || node->decl != use->param)
    return false;
  while (up && (up->kind == PL_NODE_PAREN || (up->kind == PL_NODE_CAST && use->array)))
    up = up->parent;
  if (use->array) {
    const pl_func *called = up && up->kind == PL_NODE_CALL && up->decl ? up->decl->func : NULL;
    for (uint32_t i = 0; called && i < called->nparams && i + 1 < up->nkids; i++)
      if (pl_node_within(node, up->kids[i + 1]) && called->params[i]->type &&
          called->params[i]->type->kind == PL_TYPE_REFERENCE)
        return true;
    if (!up || (up->kind == PL_NODE_CALL && !called && !up->decl) ||
        (up->kind == PL_NODE_VAR &&
         (!up->decl || !up->decl->type || up->decl->type->kind == PL_TYPE_REFERENCE)))
      return true;
  }
  if (!use->object)
    return false;
  while (up && (up->kind == PL_NODE_PAREN || up->kind == PL_NODE_CAST ||
                up->kind == PL_NODE_SUBSCRIPT))
    up = up->parent;
  if (!up || up->kind != PL_NODE_MEMBER || !up->decl || up->decl->kind != PL_DECL_FIELD)
    return true;
  const pl_type *type = up->decl->type;
  const pl_node *over = up->parent;
  while (type && type->kind == PL_TYPE_ARRAY && over && over->kind == PL_NODE_SUBSCRIPT) {
    type = type->element;
    over = over->parent;
  }
  return !pl_is_value_type(type) ||
         (over && over->kind == PL_NODE_UNARY && over->op == PL_OP_ADDR);
}

/* Whether an argument's text is the same as the parameter wherever the helper says that. */
static bool is_used_alike(const inlining *c, uint32_t at, const pl_node *arg) {
  const pl_decl *named = pl_node_bare((pl_node *)arg)->decl;
  const pl_type *param = c->helper->params[at]->type, *type = named ? named->type : arg->type;
  const pl_type *object = param->kind == PL_TYPE_RECORD ? param : param->element;
  if (type && type->kind == PL_TYPE_REFERENCE)
    type = type->element;
  object_use use = {.param = c->helper->params[at],
                    .array = param->kind == PL_TYPE_POINTER && type &&
                             type->kind == PL_TYPE_ARRAY};
  if (param->kind == PL_TYPE_POINTER && type)
    type = type->element;
  while (object && type && object->kind == PL_TYPE_ARRAY) {
    object = object->element;
    type = type->element;
  }
  bool other = object && object->kind == PL_TYPE_RECORD &&
               (object == param || !type || object->is_const != type->is_const);
  use.object = other;
  return (!other && !use.array) || !pl_node_find(c->helper->body, is_other_use, &use);
}

static bool can_stand_for(const inlining *c, uint32_t param,
                          const pl_effects *effects) {
  const pl_decl *decl = c->helper->params[param];
  pl_node *arg = argument(c, param);
  bool cast = false;
  if (arg && lambda_of(c, param))
    return is_plain_lambda(c, param);
  if (!arg || !arg->range.end || !pl_range_inside(arg->range, c->call->range) ||
      pl_has_comment(pl_unit_slice(c->unit, arg->range)) || decl->from_macro ||
      !can_be(c, param, arg, &cast) || !is_used_alike(c, param, arg) ||
      !reads_no_memory(c, arg) ||
      (decl->type->kind != PL_TYPE_REFERENCE &&
       pl_assigned_anywhere(c->helper->body, decl)))
    return false;
  return decl->type->kind == PL_TYPE_REFERENCE ||
         (!pl_node_find(arg, may_change, effects) && !may_write_read(c, arg, effects));
}

/* ---- the helper's text ------------------------------------------------------ */

static void put_part(inlining *c, pl_range range, pl_str text) {
  pl_replacement one = {range, text};
  c->fine = c->fine && c->nparts < MOST_PARTS;
  if (c->fine)
    PL_PUSH(c->arena, c->parts, c->nparts, c->parts_cap, one);
}

/* A sum or product beside what binds less than it does. */
static bool binds_more(const pl_node *arg, const pl_node *place) {
  const pl_node *up = place->parent;
  return arg->kind == PL_NODE_BINARY && up && up->kind == PL_NODE_BINARY &&
         (arg->op == PL_OP_ADD || arg->op == PL_OP_SUB || arg->op == PL_OP_MUL ||
          arg->op == PL_OP_DIV) &&
         (up->op == PL_OP_LT || up->op == PL_OP_LE || up->op == PL_OP_GT || up->op == PL_OP_GE);
}

static pl_str argument_text(const inlining *c, uint32_t param, const pl_node *place) {
  const pl_node *arg = argument(c, param);
  pl_str text = pl_unit_slice(c->unit, arg->range);
  const pl_type *type = c->helper->params[param]->type;
  bool cast = false;
  bool plain = (arg->kind == PL_NODE_REF || arg->kind == PL_NODE_INT ||
                arg->kind == PL_NODE_PAREN || binds_more(arg, place)) &&
               !arg->from_macro;
  can_be(c, param, arg, &cast);
  if (cast)
    return pl_arena_printf(c->arena, "((%.*s)(%.*s))",
                           PL_FMT(pl_behind_const(type->spelling)), PL_FMT(text));
  return plain ? text : pl_arena_printf(c->arena, "(%.*s)", PL_FMT(text));
}

static pl_str text_between(const inlining *c, uint32_t at, uint32_t end) {
  pl_text out = {.arena = c->arena};
  for (size_t i = 0; i < c->nparts; i++) {
    if (c->parts[i].range.begin < at || c->parts[i].range.end > end)
      continue;
    pl_text_add(&out, pl_unit_slice(c->unit, (pl_range){
                          at, c->parts[i].range.begin}));
    pl_text_add(&out, c->parts[i].text);
    at = c->parts[i].range.end;
  }
  pl_text_add(&out, pl_unit_slice(c->unit, (pl_range){at, end}));
  return pl_text_view(&out);
}

/* `count` or `this->count` becomes `t.count`, where everybody may say that. */
static bool take_member(inlining *c, const pl_node *node) {
  const pl_decl *decl = node->decl;
  c->fine = c->fine && decl && decl->is_public && !decl->is_static && !node->from_macro &&
            (pl_unit_says(c->unit, node->range, PL_STR("this")) ||
             pl_str_eq(pl_unit_slice(c->unit, node->range), decl->name));
  if (!c->fine)
    return false;
  put_part(c, node->range, pl_arena_printf(c->arena, "%.*s%.*s", PL_FMT(c->object),
                                           PL_FMT(decl->name)));
  PL_PUSH(c->arena, c->members, c->nmembers, c->members_cap, node->range);
  return false;
}

static bool take_part(pl_node *node, void *context);

/* Whether a text says a name, or an argument that may stand in it. */
static bool is_said(const inlining *c, pl_str text, pl_str name) {
  bool said = pl_text_says(c->arena, text, name);
  for (uint32_t i = 0; i < c->helper->nparams; i++)
    said = said || (!lambda_of(c, i) && pl_says_name(c->unit, argument(c, i)->range, name));
  return said;
}

/* The lambda's body in the place of its call, with variables that begin with what it is
 * handed. */
static void put_lambda(inlining *c, pl_node *node) {
  const pl_func *lambda = called_lambda(c, node);
  pl_range place = node->range;
  pl_text out = {.arena = c->arena};
  uint32_t before = pl_token_from(c->unit, place.begin) - 1;
  if (pl_str_is(word(c, before), ")"))
    place.begin = c->unit->tokens[before].range.end;
  pl_text_printf(&out, "%s{", place.begin < node->range.begin ? " " : "");
  for (uint32_t i = 0; i < lambda->nparams; i++) {
    const pl_node *given = node->kids[i + 1];
    size_t first = c->nparts;
    pl_node_walk((pl_node *)given, take_part, c);
    pl_str text = text_between(c, given->range.begin, given->range.end);
    c->nparts = first;
    if (pl_str_eq(text, lambda->params[i]->name) && is_one_variable(c, lambda, i, given))
      continue;
    for (uint32_t k = 0; k < lambda->nparams; k++)
      c->fine = c->fine && given->range.end && !given->from_macro &&
                !is_said(c, text, lambda->params[k]->name);
    pl_text_printf(&out, " %.*s = %.*s;",
                   PL_FMT(pl_unit_slice(c->unit, lambda->params[i]->range)), PL_FMT(text));
  }
  pl_str body = pl_unit_slice(c->unit, lambda->body->range);
  pl_text_add(&out, (pl_str){body.p + 1, body.n - 1});
  pl_str own = pl_indent_at(c->unit, c->helper->body->kids[0]->range.begin);
  put_part(c, place, pl_reindented(c->arena, pl_text_view(&out),
                                   pl_indent_at(c->unit, c->stmt->range.begin), own));
}

/* What a part of the helper's text becomes: `*acc` of an `&sum` is `sum`. Parts that
 * cannot be put elsewhere are the end of it. */
static bool take_part(pl_node *node, void *context) {
  inlining *c = context;
  switch (node->kind) {
  case PL_NODE_LAMBDA: case PL_NODE_GOTO: case PL_NODE_LABEL: case PL_NODE_ASM:
  case PL_NODE_UNKNOWN: case PL_NODE_SIZEOF: case PL_NODE_OTHER_DECL:
  case PL_NODE_LAUNCH:
    c->fine = false;
    return false;
  case PL_NODE_THIS:
    return c->fine = c->fine && c->own;
  case PL_NODE_MEMBER:
    return c->object.n && is_of_this(node) ? take_member(c, node) : c->fine;
  case PL_NODE_CALL:
    if (!is_call_of_lambda(c, node))
      return c->fine;
    put_lambda(c, node);
    return false;
  case PL_NODE_RETURN:
    c->fine = c->fine && node->nkids && node->kids[0] == c->result;
    return c->fine;
  case PL_NODE_UNARY: {
    const pl_node *of = pl_node_bare(node->kids[0]);
    int at = node->op == PL_OP_DEREF && of->kind == PL_NODE_REF
                 ? pl_param_index(c->helper, of->decl)
                 : -1;
    const pl_node *to = at >= 0 && !c->local[at].n
                            ? pointee(argument(c, (uint32_t)at))
                            : NULL;
    if (!to)
      return c->fine;
    c->fine = c->fine && !node->from_macro && !of->from_macro;
    put_part(c, node->range, pl_unit_slice(c->unit, to->range));
    return false;
  }
  case PL_NODE_VAR:
  case PL_NODE_REF: {
    int at = node->decl ? pl_param_index(c->helper, node->decl) : -1;
    pl_range name = node->kind == PL_NODE_VAR && node->decl
                        ? node->decl->name_range
                        : node->range;
    for (size_t i = 0; i < c->nrenamed; i++)
      if (c->renamed[i].decl == node->decl) {
        c->fine = c->fine && name.end &&
                  pl_str_eq(pl_unit_slice(c->unit, name), node->decl->name);
        put_part(c, name, c->renamed[i].name);
      }
    if (at < 0)
      return c->fine;
    c->fine = c->fine && !lambda_of(c, (uint32_t)at) && !node->from_macro && node->range.end &&
              pl_str_eq(pl_unit_slice(c->unit, node->range), node->decl->name);
    if (c->local[at].n)
      put_part(c, node->range, c->local[at]);
    else
      put_part(c, node->range, argument_text(c, (uint32_t)at, node));
    return c->fine;
  }
  default:
    return c->fine;
  }
}

/* ---- parameters of a template --------------------------------------------------- */

/* The name of the class of a method, with those that it stands in. */
static pl_str class_of(const pl_func *method) {
  bool scoped = method->qualified.n > method->name.n + 2;
  return scoped ? (pl_str){method->qualified.p, method->qualified.n - method->name.n - 2}
                : PL_STR("");
}

/* Where template arguments for the helper may stand, behind which name: in its call, or, of
 * a method, those of its class in its object's declaration. */
static pl_run arguments_in(const inlining *c, pl_str *behind) {
  if (!c->object.n) {
    *behind = c->own ? PL_STR("") : c->helper->name;
    return pl_tokens_in(c->unit, c->call->range);
  }
  const pl_decl *object = pl_node_bare(pl_node_bare(c->call->kids[0])->kids[0])->decl;
  *behind = class_of(c->helper);
  return pl_tokens_in(c->unit, object->range);
}

/* What the text says for a parameter of the helper's template, if that is a word or a
 * number: of `load<BM, 4>(s)` both; empty: it is deduced, or says more. */
static pl_str said_argument(const inlining *c, uint32_t param) {
  pl_str name;
  pl_run run = arguments_in(c, &name);
  uint32_t at = run.first;
  while (at < run.end && !pl_str_eq(word(c, at), name))
    at++;
  at += 2 + 2 * param;
  bool list = at + 1 < run.end && pl_str_is(word(c, at - 1 - 2 * param), "<");
  for (uint32_t i = 1; list && i <= param; i++)
    list = pl_str_is(word(c, at - 2 * i + 1), ",");
  bool alone = list && (pl_str_is(word(c, at + 1), ",") || pl_str_is(word(c, at + 1), ">"));
  return alone ? word(c, at) : PL_STR("");
}

/* Whether a word or number is an int of itself: digits, or a parameter of the caller's
 * template that is one, or what this made. */
static bool is_int(const inlining *c, pl_str said) {
  const pl_func *caller = pl_written_func(c->loop->func);
  bool digits = said.n < 10;
  for (size_t i = 0; i < said.n; i++)
    digits = digits && ((said.p[i] >= '0' && said.p[i] <= '9') || strchr("(-)", said.p[i]));
  for (uint32_t i = 0; !digits && i < caller->ntemplate_params; i++)
    if (pl_str_eq(caller->template_params[i]->name, said))
      return caller->template_params[i]->type &&
             pl_str_is(caller->template_params[i]->type->spelling, "int");
  return digits;
}

/* What stands for a parameter of the helper's template: in a kernel that is none, what
 * it is; else what the call says; empty: neither is known. */
static pl_str template_text(const inlining *c, uint32_t param) {
  const pl_func *of = c->helper;
  const pl_decl *decl = of->template_params[param];
  bool value = decl->kind == PL_DECL_TEMPLATE_VALUE && pl_is_number_type(decl->type);
  pl_str said = said_argument(c, param);
  if (!c->loop->func->pattern && of->pattern && of->own < of->ninstances &&
      of->instances[of->own].nargs == of->ntemplate_params) {
    const struct pl_template_arg *arg = &of->instances[of->own].args[param];
    if (!arg->is_value)
      said = pl_is_number_type(arg->type) ? arg->type->spelling : PL_STR("");
    else if (value)
      said = pl_arena_printf(c->arena, arg->value < 0 ? "(%lld)" : "%lld",
                             (long long)arg->value);
  }
  if (!value || !said.n || (pl_str_is(decl->type->spelling, "int") && is_int(c, said)))
    return value || decl->kind == PL_DECL_TEMPLATE_TYPE ? said : PL_STR("");
  return pl_arena_printf(c->arena, "((%.*s)%.*s)", PL_FMT(decl->type->spelling), PL_FMT(said));
}

/* Whether a parameter of the helper's template is one of the class that both are methods of. */
static bool is_of_own_class(const inlining *c, uint32_t param) {
  return c->own && param < c->loop->func->ntemplate_params &&
         pl_str_eq(c->helper->template_params[param]->name,
                   c->loop->func->template_params[param]->name);
}

/* Puts what stands for them in the place of parameters of the helper's template. */
static void take_template(inlining *c) {
  pl_run run = pl_tokens_in(c->unit, c->helper->body->range);
  for (uint32_t t = run.first; t < run.end; t++)
    for (uint32_t i = 0; i < c->helper->ntemplate_params; i++)
      if (pl_str_eq(word(c, t), c->helper->template_params[i]->name) &&
          !is_of_own_class(c, i)) {
        pl_str text = template_text(c, i);
        c->fine = c->fine && text.n && pl_is_name_at(c->unit, t);
        put_part(c, c->unit->tokens[t].range, text);
      }
}

/* ---- names ------------------------------------------------------------------ */

/* A local of the helper's may not take a name that an argument means otherwise, nor,
 * where it stands in the loop's own block, any that the loop knows: it gets another. */
static bool is_renamed(const inlining *c, pl_str name) {
  for (size_t i = 0; i < c->nrenamed; i++)
    if (pl_str_eq(c->renamed[i].name, name))
      return true;
  return false;
}

/* Whether the call is the only one, in a function that has one body: what the helper
 * keeps in shared memory from call to call is then the caller's as well. */
static bool is_called_once(const inlining *c) {
  pl_range all = {0, (uint32_t)c->unit->text.n};
  return !pl_unit_is_header(c->unit) && !c->loop->func->pattern && !c->loop->func->is_template &&
         pl_count_words(c->unit, all, c->helper->name) == 2;
}

static bool find_clash(pl_node *node, void *context) {
  inlining *c = context;
  const pl_decl *decl = node->decl;
  if (node->kind != PL_NODE_VAR || !decl)
    return c->fine;
  bool outermost = node->parent && node->parent->kind == PL_NODE_DECL_STMT &&
                   node->parent->parent == c->helper->body;
  c->fine = c->fine && !decl->from_macro && !decl->is_static && !decl->is_extern &&
            pl_param_index(c->helper, decl) < 0 && (!decl->is_shared || is_called_once(c));
  if (!is_handed_on(c, decl) &&
      pl_says_name(c->unit, outermost ? c->loop->node->range : c->call->range, decl->name)) {
    pl_str name = new_name(c, decl->name);
    c->fine = c->fine && c->nrenamed < MOST_LOCALS && name.n && !decl->is_shared &&
              !decl->in_parts && !is_renamed(c, name);
    if (c->fine)
      c->renamed[c->nrenamed++] = (struct renamed){decl, name};
  }
  for (uint32_t i = 0; i < c->helper->nparams; i++)
    c->fine = c->fine && !pl_str_eq(c->helper->params[i]->name, decl->name);
  return c->fine;
}

/* The one function of a name that the file has, in no namespace and ahead of the
 * helper: the same at the call. */
static bool is_one_function(const inlining *c, pl_str name) {
  const pl_func *found = NULL;
  bool local = pl_node_find(c->loop->func->body, pl_declares_named, &name);
  for (uint32_t i = 0; i < c->unit->nfuncs; i++)
    if (pl_str_eq(c->unit->funcs[i]->name, name)) {
      if (found && found != pl_written_func(c->unit->funcs[i]))
        return false;
      found = pl_written_func(c->unit->funcs[i]);
    }
  for (uint32_t i = 0; i < c->loop->func->nparams; i++)
    local = local || pl_str_eq(c->loop->func->params[i]->name, name);
  return found && !local && found->in_main && !found->is_method &&
         found->range.end <= c->helper->range.begin &&
         pl_str_eq(found->qualified, found->name) &&
         pl_str_eq(c->helper->qualified, c->helper->name) &&
         pl_str_eq(c->loop->func->qualified, c->loop->func->name);
}

/* Whether what the helper has from outside is the same where it is called. */
static bool words_stay(const inlining *c) {
  pl_run run = pl_tokens_in(c->unit, c->helper->body->range);
  for (uint32_t t = run.first; t < run.end; t++) {
    pl_str name = word(c, t);
    bool own = !pl_is_name_at(c->unit, t);
    if (c->helper->pattern && pl_str_is(name, "constexpr"))
      return false; /* an arm may be gone */
    for (uint32_t i = 0; i < c->helper->nparams; i++)
      own = own || pl_str_eq(c->helper->params[i]->name, name);
    for (uint32_t i = 0; i < c->helper->ntemplate_params; i++)
      own = own || pl_str_eq(c->helper->template_params[i]->name, name);
    for (size_t i = 0; i < c->nmembers; i++)
      own = own || pl_range_inside(c->unit->tokens[t].range, c->members[i]);
    if (!own && !pl_node_find(c->helper->body, pl_declares_named, &name) &&
        !pl_str_is(name, "return") && !pl_str_is(name, "__shared__") &&
        !pl_str_is(name, "this") &&
        !pl_word_stays(c->unit, c->helper, pl_written_func(c->loop->func), name) &&
        !is_one_function(c, name))
      return false;
  }
  for (uint32_t t = run.first; t < run.end; t++)
    if (c->unit->tokens[t].kind == PL_TOK_DIRECTIVE &&
        !pl_str_has(word(c, t), "pragma"))
      return false;
  return true;
}

/* ---- the text --------------------------------------------------------------- */

/* A text whose lines begin as those of the call do. */
static pl_str indented(const inlining *c, pl_str text) {
  const pl_node *first = c->helper->body->kids[0];
  return pl_reindented(c->arena, text, pl_indent_at(c->unit, first->range.begin),
                       pl_indent_at(c->unit, c->stmt->range.begin));
}

/* Where the helper's statements end: ahead of its last one, if that hands back what
 * they come to. */
static uint32_t end_of_statements(const inlining *c) {
  const pl_node *body = c->helper->body;
  return c->result ? body->kids[body->nkids - 1]->range.begin
                   : body->kids[body->nkids - 1]->range.end;
}

static pl_str result_text(const inlining *c) {
  pl_str text = text_between(c, c->result->range.begin, c->result->range.end);
  const pl_type *type = c->call->type;
  if (!pl_str_eq(pl_behind_const(type->spelling),
                 pl_behind_const(c->result->type->spelling)))
    return pl_arena_printf(c->arena, "(%.*s)(%.*s)",
                           PL_FMT(pl_behind_const(type->spelling)), PL_FMT(text));
  return pl_arena_printf(c->arena, "(%.*s)", PL_FMT(text));
}

static pl_str text_of(const inlining *c) {
  pl_text out = {.arena = c->arena};
  uint32_t first = c->helper->body->kids[0]->range.begin;
  for (uint32_t i = 0; i < c->helper->nparams; i++)
    if (c->local[i].n) {
      const pl_decl *decl = c->helper->params[i];
      pl_range type = {decl->range.begin, decl->name_range.begin};
      pl_text_printf(&out, "%.*s%.*s = %.*s;\n%.*s",
                     PL_FMT(pl_unit_slice(c->unit, type)), PL_FMT(c->local[i]),
                     PL_FMT(pl_unit_slice(c->unit, argument(c, i)->range)),
                     PL_FMT(pl_indent_at(c->unit, c->stmt->range.begin)));
    }
  pl_text_add(&out, indented(c, text_between(c, first, end_of_statements(c))));
  if (!c->result)
    return pl_text_view(&out);
  pl_text_add(&out, pl_unit_slice(c->unit, (pl_range){c->stmt->range.begin,
                                                      c->call->range.begin}));
  pl_text_add(&out, result_text(c));
  pl_text_add(&out, pl_unit_slice(c->unit, (pl_range){c->call->range.end,
                                                      c->stmt->range.end}));
  return pl_text_view(&out);
}

/* ---- which calls ------------------------------------------------------------ */

/* The call that a statement is: by itself, as all that a variable is set to or added
 * to, or begins with. */
static const pl_node *call_of(const pl_node *stmt) {
  const pl_node *call = stmt;
  if (stmt->kind == PL_NODE_ASSIGN &&
      pl_node_bare(stmt->kids[0])->kind == PL_NODE_REF)
    call = stmt->kids[1];
  else if (stmt->kind == PL_NODE_DECL_STMT && stmt->nkids == 1 &&
           stmt->kids[0]->kind == PL_NODE_VAR && stmt->kids[0]->nkids == 1)
    call = stmt->kids[0]->kids[0];
  return call && call->kind == PL_NODE_CALL && call->decl && !call->from_macro
             ? call
             : NULL;
}

/* What the helper hands back at its end; false: it does otherwise than the call has
 * need of. */
static bool take_result(inlining *c) {
  const pl_node *body = c->helper->body, *last = body->kids[body->nkids - 1];
  if (last->kind == PL_NODE_RETURN && last->nkids && last->kids[0])
    c->result = last->kids[0];
  if ((c->stmt == c->call) != !c->result)
    return false;
  if (!c->result)
    return true;
  if (c->helper->pattern && c->loop->func->pattern)
    return false;
  const pl_type *type = c->call->type, *given = c->result->type;
  return type && given &&
         ((pl_is_number_type(type) && pl_is_number_type(given)) ||
          is_one_element(type, given));
}

/* Whether the variable that takes the result is left alone until then. */
static bool is_free_target(const inlining *c, const pl_effects *effects) {
  if (c->stmt->kind != PL_NODE_ASSIGN)
    return true;
  const pl_decl *to = pl_node_bare(c->stmt->kids[0])->decl;
  return to && !pl_writes_decl(effects, to);
}

/* Whether the call calls the helper whatever a template's arguments are: no other
 * function, or method of its class, has its name. */
static bool is_chosen_by_all(const inlining *c) {
  const pl_func *caller = pl_written_func(c->loop->func);
  size_t n = 0;
  for (uint32_t i = 0; i < c->unit->nfuncs; i++)
    n += !c->unit->funcs[i]->pattern &&
         (c->own || c->object.n
              ? pl_str_eq(c->unit->funcs[i]->qualified, c->helper->qualified)
              : pl_str_eq(c->unit->funcs[i]->name, c->helper->name));
  return n == 1 || (!caller->ntemplate_params && !c->loop->func->pattern);
}

/* Whether the loop is refused for this call, which fills a tile and cannot be split. */
static bool is_refused(const inlining *c) {
  return pl_is_refused_for(c->loop, "PL4006") && c->loop->at.begin == c->call->range.begin;
}

/* Whether an instantiation of a class has the arguments of another one. */
static bool has_class_arguments(const pl_func *a, const pl_func *b) {
  const pl_instance *of = pl_own_instance(a), *other = pl_own_instance(b);
  for (uint32_t i = 0; i < a->ntemplate_params && i < b->ntemplate_params; i++) {
    if (!pl_str_eq(a->template_params[i]->name, b->template_params[i]->name))
      return true; /* a method's own */
    if (!of || !other || i >= of->nargs || i >= other->nargs ||
        of->args[i].is_value != other->args[i].is_value ||
        of->args[i].value != other->args[i].value ||
        (!of->args[i].is_value && !pl_same_type(of->args[i].type, other->args[i].type)))
      return false;
  }
  return true;
}

/* Whether a method that leaves its object as it is names members for which another
 * function, or the same under another name, could be meant where the object may change. */
static bool asks_for_const(pl_node *node, const void *unused) {
  (void)unused;
  if (node->kind != PL_NODE_MEMBER || !is_of_this(node))
    return false;
  const pl_type *type = node->decl ? node->decl->type : NULL;
  while (type && type->kind == PL_TYPE_ARRAY)
    type = type->element;
  return !pl_is_value_type(type);
}

static bool is_const_method(const inlining *c) {
  uint32_t body = pl_token_from(c->unit, c->helper->body->range.begin);
  return pl_str_is(word(c, body - 1), "const");
}

/* A type of the caller's own that may have a name. */
typedef struct own_type {
  const pl_unit *unit;
  pl_str name;
} own_type;

static bool may_be_named(pl_node *node, const void *context) {
  const own_type *t = context;
  return node->kind == PL_NODE_OTHER_DECL &&
         (node->from_macro || pl_unit_says(t->unit, node->range, t->name));
}

/* Whether an object is of the helper's class whatever a template's arguments are: its
 * declaration says that. */
static bool is_of_class(const inlining *c, const pl_decl *object) {
  const pl_func *caller = pl_written_func(c->loop->func);
  pl_str name = class_of(c->helper);
  uint32_t at = pl_token_from(c->unit, object->range.begin);
  at += pl_str_is(word(c, at), "const");
  for (uint32_t i = 0; i < caller->ntemplate_params; i++)
    if (pl_str_eq(caller->template_params[i]->name, name))
      return false;
  return !caller->ntemplate_params ||
         (pl_str_eq(word(c, at), name) &&
          !pl_node_find(caller->body, may_be_named, &(own_type){c->unit, name}));
}

/* Whether an object's own class is the helper's, and no class derived from it, where a
 * member's name may mean one of that class. */
static bool is_no_derived(const inlining *c, const pl_decl *object) {
  const pl_type *type = pl_no_reference(object->type);
  if (type && type->kind == PL_TYPE_POINTER)
    type = type->element;
  pl_str name = class_of(c->helper), spelling = type ? pl_behind_const(type->spelling) : name;
  size_t end = 0;
  while (end < spelling.n && spelling.p[end] != '<')
    end++;
  return end >= name.n && !memcmp(spelling.p + end - name.n, name.p, name.n) &&
         (end == name.n || spelling.p[end - name.n - 1] == ':');
}

/* How the text at the call says the members of a method's object; false: it cannot. */
static bool take_object(inlining *c) {
  const pl_func *helper = c->helper;
  const pl_node *member = c->call->kids[0] ? pl_node_bare(c->call->kids[0]) : NULL;
  if (!helper->is_method || helper->decl->is_static)
    return true;
  if (helper->decl->is_virtual || !member || member->kind != PL_NODE_MEMBER ||
      member->from_macro)
    return false;
  if (pl_is_called_on_this(c->call))
    return c->own = pl_is_one_class(c->unit, helper, c->loop->func) &&
                    has_class_arguments(helper, c->loop->func) &&
                    !pl_str_has(pl_unit_slice(c->unit, member->range), "::");
  const pl_node *of = pl_node_bare(member->kids[0]);
  if (of->kind != PL_NODE_REF || !of->decl || of->from_macro || !helper->decl->is_public ||
      (of->decl->kind != PL_DECL_VAR && of->decl->kind != PL_DECL_PARAM) ||
      !pl_str_eq(pl_unit_slice(c->unit, of->range), of->decl->name) ||
      !is_of_class(c, of->decl) || !is_no_derived(c, of->decl) ||
      (is_const_method(c) && pl_node_find(helper->body, asks_for_const, NULL)))
    return false;
  c->object = pl_arena_printf(c->arena, "%.*s%s", PL_FMT(of->decl->name),
                              member->is_arrow ? "->" : ".");
  return true;
}

static bool can_be_put(inlining *c) {
  const pl_func *helper = c->helper;
  pl_effects effects = {0};
  if (!helper || !helper->body || !helper->in_main || helper->from_macro ||
      helper->outer || !take_object(c) || !is_chosen_by_all(c) || helper->body->from_macro ||
      helper->body->kind != PL_NODE_COMPOUND || !helper->body->nkids ||
      !helper->body->kids[0] || !helper->body->kids[helper->body->nkids - 1] ||
      c->call->nkids != helper->nparams + 1 || helper->nparams > MOST_PARAMS ||
      helper == c->loop->func || pl_node_has(helper->body, PL_NODE_SWITCH) ||
      pl_names_its_place(c->unit, helper->body->range) ||
      !(c->own ? pl_is_there_as_well(c->unit, helper->range, c->call->range)
               : pl_helper_is_there(c->unit, helper, c->call->range.begin)))
    return false;
  pl_effects_of(c->loop->effects, c->loop->func, (pl_node *)c->call, &effects);
  if ((!takes_lambda(c) && !pl_effects_find(&effects, PL_EFFECT_BARRIER) && !is_refused(c)) ||
      !take_result(c) ||
      !is_free_target(c, &effects))
    return false;
  for (uint32_t i = 0; i < helper->nparams; i++)
    if (!can_stand_for(c, i, &effects) && !can_be_variable(c, i))
      return false;
  pl_node_walk(helper->body, find_call_of_lambda, c);
  pl_node_walk(helper->body, find_clash, c);
  pl_node_walk(helper->body, take_part, c);
  take_template(c);
  if (c->nparts)
    qsort(c->parts, c->nparts, sizeof *c->parts, pl_by_place);
  for (size_t i = 1; i < c->nparts; i++)
    c->fine = c->fine && c->parts[i - 1].range.end <= c->parts[i].range.begin;
  return c->fine && words_stay(c);
}

/* Whether some name of the text is not the user's. */
static bool takes_names(const inlining *c) {
  for (uint32_t i = 0; i < c->helper->nparams; i++)
    if (c->local[i].n && !pl_str_eq(c->local[i], c->helper->params[i]->name))
      return true;
  return c->nrenamed > 0;
}

static bool is_load(const pl_loop *loop, const pl_node *stmt) {
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].node == stmt)
      return loop->stmts[i].phase == loop->load_phase;
  return false;
}

/* Puts a text that is to say all that the helper's body says. */
static void put_body(const inlining *c, pl_range place, pl_str text, pl_replacements *out) {
  pl_put_saying(c->arena, out, (pl_replacement){place, text}, text, c->helper->body->range);
}

/* Puts the helper in the place of a loop's whole body, in braces. */
static void put_in_braces(const inlining *c, pl_replacements *out) {
  pl_range place = c->stmt->range;
  uint32_t before = pl_token_from(c->unit, place.begin) - 1;
  pl_str outer = pl_indent_at(c->unit, c->loop->node->range.begin);
  pl_str inner = pl_indent_at(c->unit, place.begin);
  bool own_line = !pl_str_eq(outer, inner);
  pl_range gap = {c->unit->tokens[before].range.end, place.begin};
  if (pl_str_is(word(c, before), ")") && !pl_has_comment(pl_unit_slice(c->unit, gap)))
    place.begin = gap.begin;
  put_body(c, place,
           pl_arena_printf(c->arena, "%s{\n%.*s%.*s\n%.*s}",
                           place.begin < c->stmt->range.begin ? " " : "", PL_FMT(inner),
                           PL_FMT(text_of(c)), PL_FMT(own_line ? outer : inner)),
           out);
}

/* Whether a part of a statement has been given another form. */
static bool is_put_already(const pl_replacements *out, const pl_node *stmt) {
  for (size_t i = 0; i < out->n; i++)
    if (pl_range_inside(out->items[i].range, stmt->range))
      return true;
  return false;
}

/* Puts the helper that a statement calls in its place; false: it calls none that is to be. */
static bool put_helper(const pl_loop *loop, const pl_node *stmt, bool refused,
                       pl_arena *arena, pl_replacements *out) {
  const pl_node *call = stmt ? call_of(stmt) : NULL;
  inlining c = {.loop = loop, .unit = loop->unit, .arena = arena, .stmt = stmt,
                .call = call, .fine = true};
  if (!call || stmt->from_macro || pl_is_barrier(stmt) || is_put_already(out, stmt) ||
      loop->unit->text.p[stmt->range.end - 1] != ';')
    return false;
  c.helper = call->decl->func;
  if (!(c.helper && takes_lambda(&c) ? is_load(loop, stmt) : refused) || !can_be_put(&c))
    return false;
  if (stmt == loop->body)
    put_in_braces(&c, out);
  else
    put_body(&c, stmt->range, text_of(&c), out);
  out->renames = out->renames || takes_names(&c);
  return true;
}

void pl_helpers_in_place(pl_loop *loop, pl_arena *arena,
                         pl_replacements *out) {
  const pl_node *body = loop->body;
  bool refused = pl_is_refused_for(loop, "PL2006") ||
                 pl_is_refused_for(loop, "PL2008") ||
                 pl_is_refused_for(loop, "PL4006");
  if (!loop->settled || !body || loop->branch)
    return;
  if (body->kind != PL_NODE_COMPOUND)
    put_helper(loop, body, refused, arena, out);
  else
    for (uint32_t i = 0; i < body->nkids; i++)
      if (put_helper(loop, body->kids[i], refused, arena, out))
        return;
}
