/* legality_arguments.c - which of a template's arguments choose the code that runs?
 *
 * Needs: a loop of an instantiation, all others in sight. Gives: the arguments that
 * the rewritten text asks to be one of those in sight, in `loop->asked_types`.
 * Raises: PL6004.
 *
 * `op(s[j], x)` and `Policy::wait()` are what the argument says, and so is
 * `Load<N>::row(p)` where the file has another `Load` for some N, that does more than
 * to read. Of those in sight all is looked at; another one may wait at a barrier, or
 * store to what is loaded. A class without a
 * name at the template, as a lambda's, cannot be asked for: a header is then left
 * alone, as other sources include it; a source shows all that it is used for. */
#include "legality_parts.h"

typedef struct argument_walk {
  const pl_loop *loop;
  const pl_func *pattern;
  const pl_func *func; /* the instantiation that is looked at */
  pl_range text;       /* what runs ahead of the loop, in it, or before it again */
  const pl_node **settled; /* calls that the template's text alone decides */
  size_t nsettled, settled_cap;
  struct choice {
    bool asked;   /* what is called is the argument's, or a class's made with it */
    bool others; /* the file has others of that name, which do more */
    bool is_function;   /* the argument is what is called */
    pl_str *functions;  /* those in sight, as the template can name them; empty: it cannot */
    size_t n, cap;
  } *choices;     /* a template parameter each */
  bool marked, others;
  struct known_name {
    const pl_decl *called;
    bool others;
  } *names;
  size_t nnames, names_cap;
} argument_walk;

static const pl_type *argument(const pl_func *func, uint32_t instance,
                               uint32_t param) {
  const pl_instance *one = &func->instances[instance];
  return param < one->nargs && !one->args[param].is_value ? one->args[param].type
                                                          : NULL;
}

/* ---- what a call names ----------------------------------------------------- */

/* Whether a function does more than to read, and to work on variables of its own. */
static bool does_more(const argument_walk *w, const pl_func *func) {
  pl_effects effects = {0};
  pl_effects_of(w->loop->effects, (pl_func *)func, func->body, &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind != PL_EFFECT_READ &&
        !(effects.items[i].kind == PL_EFFECT_WRITE &&
          effects.items[i].space == PL_SPACE_LOCAL))
      return true;
  return false;
}

/* Whether the file has another function under the name of one that is called, which
 * does more: an overload, or what `template <> struct Load<1>` has. */
static bool has_other(argument_walk *w, const pl_decl *called) {
  const pl_unit *unit = w->loop->unit;
  bool found = false;
  for (size_t i = 0; i < w->nnames; i++)
    if (w->names[i].called == called)
      return w->names[i].others;
  for (uint32_t i = 0; i < unit->nfuncs && !found; i++) {
    const pl_func *func = unit->funcs[i];
    found = func->body && !func->pattern && func->decl != called &&
            !(called->func && func == pl_written_func(called->func)) &&
            pl_str_eq(func->qualified, called->qualified) && does_more(w, func);
  }
  PL_PUSH(w->loop->arena, w->names, w->nnames, w->names_cap,
          ((struct known_name){called, found}));
  return found;
}

static bool marks(argument_walk *w, pl_str text, bool others) {
  bool any = false;
  for (uint32_t k = 0; k < w->pattern->ntemplate_params; k++)
    if (pl_text_says(w->loop->arena, text, w->pattern->template_params[k]->name)) {
      any = w->choices[k].asked = true;
      w->choices[k].others |= others;
    }
  return any;
}

static bool mark_named(pl_node *node, void *context) {
  argument_walk *w = context;
  const pl_type *type = node->type ? pl_no_reference(node->type) : NULL;
  const pl_type *in_text = type ? type->in_text : NULL;
  bool object = node->kind == PL_NODE_REF && node->decl &&
                (node->decl->kind == PL_DECL_VAR ||
                 node->decl->kind == PL_DECL_PARAM);
  if (object && in_text && type->kind == PL_TYPE_RECORD)
    w->marked |= marks(w, in_text->written, w->others);
  return true;
}

/* The variable that a call is made by: a constant pointer to a function; NULL: none. */
static const pl_decl *called_pointer(const pl_node *call) {
  const pl_node *callee = call->nkids ? pl_node_bare(call->kids[0]) : NULL;
  const pl_decl *decl = callee && callee->kind == PL_NODE_REF ? callee->decl : NULL;
  return decl && decl->kind == PL_DECL_VAR ? decl : NULL;
}

static bool has_name(const argument_walk *w, pl_str spelling);

/* A function as the template can name it, `load<64, 8>`: one of its name alone, that is
 * declared ahead; empty: it cannot. */
static pl_str function_name(const argument_walk *w, const pl_decl *decl) {
  const pl_func *func = decl->func;
  const pl_instance *own = func ? pl_own_instance(func) : NULL;
  size_t n = 0;
  for (uint32_t i = 0; i < w->loop->unit->nfuncs; i++)
    n += !w->loop->unit->funcs[i]->pattern &&
         pl_str_eq(w->loop->unit->funcs[i]->qualified, decl->qualified);
  if (!func || n != 1 || func->outer || (func->pattern && !own) ||
      (decl->in_main && decl->range.begin >= w->text.begin) ||
      (own && !has_name(w, own->spelling)))
    return PL_STR("");
  return own ? pl_arena_printf(w->loop->arena, "%.*s<%.*s>", PL_FMT(decl->qualified),
                               PL_FMT(own->spelling))
             : decl->qualified;
}

/* `load(p)` with a parameter `load` of the template. */
static void mark_function(argument_walk *w, const pl_node *call) {
  pl_str callee = pl_unit_slice(w->loop->unit, call->kids[0]->range);
  for (uint32_t k = 0; k < w->pattern->ntemplate_params; k++) {
    struct choice *choice = &w->choices[k];
    if (w->pattern->template_params[k]->kind != PL_DECL_TEMPLATE_VALUE ||
        !pl_str_eq(callee, w->pattern->template_params[k]->name))
      continue;
    choice->is_function = true;
    PL_PUSH(w->loop->arena, choice->functions, choice->n, choice->cap,
            function_name(w, call->decl));
  }
}

/* `op(x)`, `Policy::wait()`: what the call's text names, and the types of its
 * objects. Of a method behind names of its own, `using Op = typename Policy::Op;`,
 * and of a pointer, `constexpr auto dot = Policy::dot;`, any argument may be what has
 * it. */
static void mark_choosing(argument_walk *w, pl_node *call) {
  const pl_decl *pointer = called_pointer(call);
  w->others = pointer || has_other(w, call->decl);
  w->marked = marks(w, pl_unit_slice(w->loop->unit, call->range), w->others);
  if (pointer && pointer->init)
    w->marked |= marks(w, pl_unit_slice(w->loop->unit, pointer->init->range), w->others);
  pl_node_walk(call, mark_named, w);
  for (uint32_t k = 0; k < w->pattern->ntemplate_params && !w->marked; k++) {
    w->choices[k].asked |= call->decl->kind == PL_DECL_METHOD || pointer ||
                           pl_unit_is_header(w->loop->unit);
    w->choices[k].others |= w->others;
  }
}

/* ---- calls ------------------------------------------------------------------ */

static bool is_function(const pl_decl *decl) {
  return decl && (decl->kind == PL_DECL_FUNC || decl->kind == PL_DECL_METHOD);
}

static bool note_settled(pl_node *node, void *context) {
  argument_walk *w = context;
  if (node->kind == PL_NODE_CALL && is_function(node->decl))
    PL_PUSH(w->loop->arena, w->settled, w->nsettled, w->settled_cap, node);
  return true;
}

/* Whether a call of a header's template may mean what another source has for arguments of
 * its own. */
static bool is_open_to_others(const argument_walk *w, const pl_node *call) {
  bool open = call->decl->func && call->decl->func->is_others_too;
  if (!pl_unit_is_header(w->loop->unit))
    return false;
  for (uint32_t i = 1; i < call->nkids && !open; i++) {
    const pl_type *type = call->kids[i] ? pl_no_reference(call->kids[i]->type) : NULL;
    open = type && type->kind == PL_TYPE_DEPENDENT;
  }
  return open;
}

/* Whether a call's text says what is called, whatever the arguments are: `fetch<P>(a)`
 * is one template, and what that does is P's. */
static bool is_settled(const argument_walk *w, const pl_node *call) {
  pl_str callee = call->nkids && call->kids[0]
                      ? pl_unit_slice(w->loop->unit, call->kids[0]->range)
                      : (pl_str){0};
  for (uint32_t k = 0; k < w->pattern->ntemplate_params; k++)
    if (pl_text_says(w->loop->arena, callee, w->pattern->template_params[k]->name))
      return false;
  for (size_t i = 0; i < w->nsettled; i++)
    if (!is_open_to_others(w, w->settled[i]) &&
        w->settled[i]->range.begin == call->range.begin &&
        w->settled[i]->range.end == call->range.end)
      return true;
  return false;
}

/* Whether it is of the user's own code, and no lambda of the function itself. */
static bool calls_user(const argument_walk *w, const pl_node *call) {
  const pl_decl *decl = call->decl;
  return is_function(decl) && decl->is_user &&
         !(decl->func && decl->func->outer == w->func);
}

static bool find_call(pl_node *node, void *context) {
  argument_walk *w = context;
  if (node->range.end && node->range.begin >= w->text.end)
    return false;
  if (node->kind != PL_NODE_CALL || !calls_user(w, node) || is_settled(w, node))
    return true;
  mark_choosing(w, node);
  if (node->nkids && node->kids[0])
    mark_function(w, node);
  return true;
}

/* The loop, or the outermost one around it: what stands behind it runs again. */
static pl_range text_ahead(const pl_loop *loop) {
  const pl_node *outermost = loop->node;
  for (const pl_node *up = loop->node->parent; up; up = up->parent)
    if (pl_node_is_loop(up))
      outermost = up;
  return (pl_range){loop->func->pattern->range.begin, outermost->range.end};
}

static void find_choices(argument_walk *w) {
  const pl_unit *unit = w->loop->unit;
  pl_node_walk(w->pattern->body, note_settled, w);
  for (uint32_t i = 0; i < unit->nfuncs; i++) {
    w->func = unit->funcs[i];
    if (w->func->pattern == w->pattern && w->func->body)
      pl_node_walk(w->func->body, find_call, w);
  }
}

/* ---- what is asked for ------------------------------------------------------- */

static bool declares(const pl_unit *unit, uint32_t token) {
  static const char *const kinds[] = {"struct", "class", "union", "enum"};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (token > 0 && pl_token_is(unit, token - 1, kinds[k]))
      return true;
  return false;
}

/* Whether a word means a type at the template, and the same one in each build: no
 * class of the file's that follows, and nothing that an #if gives a name to. */
static bool means_one(const argument_walk *w, pl_str word) {
  const pl_unit *unit = w->loop->unit->conditional;
  bool ahead = true, seen = false;
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    const uint32_t at = unit->tokens[i].range.begin;
    if (unit->tokens[i].kind != PL_TOK_IDENT ||
        !pl_str_eq(pl_token_text(unit, i), word))
      continue;
    if (at < w->text.begin && pl_is_conditional(unit, at))
      return false;
    if (declares(unit, i) && !seen) {
      ahead = at < w->text.begin;
      seen = true;
    }
  }
  return ahead;
}

/* Whether a type can be named where the template stands. */
static bool has_name(const argument_walk *w, pl_str spelling) {
  uint32_t n = 0;
  const pl_token *tokens = pl_lex(w->loop->arena, spelling, &n);
  if (!n || pl_str_has(spelling, "(") || pl_str_has(spelling, "unnamed"))
    return false;
  for (uint32_t i = 0; i < n; i++) {
    pl_str word = pl_token_in(spelling, &tokens[i]);
    if (tokens[i].kind == PL_TOK_IDENT && !means_one(w, word))
      return false;
  }
  return true;
}

static bool has_same(const pl_asked_type *asked, pl_str text) {
  for (size_t i = 0; i < asked->nsame; i++)
    if (pl_str_eq(asked->same[i], text))
      return true;
  return false;
}

static bool is_parameter(const argument_walk *w, pl_str word) {
  for (uint32_t i = 0; i < w->pattern->ntemplate_params; i++)
    if (pl_str_eq(w->pattern->template_params[i]->name, word))
      return true;
  return false;
}

/* A type's name, as it is said inside the template: `::Arg<double>` where a parameter
 * of the template is called `Arg`. */
static pl_str name_inside(const argument_walk *w, const pl_type *type) {
  pl_arena *arena = w->loop->arena;
  pl_str from = type->spelling;
  pl_str text = type->is_const ? PL_STR("const ") : PL_STR("");
  uint32_t n = 0, done = 0;
  const pl_token *tokens = pl_lex(arena, from, &n);
  for (uint32_t i = 0; i < n; i++) {
    pl_range at = tokens[i].range;
    pl_str word = {from.p + at.begin, at.end - at.begin};
    bool first = at.begin < 2 || from.p[at.begin - 1] != ':';
    if (tokens[i].kind != PL_TOK_IDENT || !first || !is_parameter(w, word))
      continue;
    text = pl_arena_printf(arena, "%.*s%.*s::", PL_FMT(text),
                           (int)(at.begin - done), from.p + done);
    done = at.begin;
  }
  return pl_arena_printf(arena, "%.*s%.*s", PL_FMT(text), (int)(from.n - done),
                         from.p + done);
}

/* A type by its name; false: it has none. */
static bool add_type(const argument_walk *w, pl_asked_type *asked,
                     const pl_type *type) {
  if (!type || type->is_volatile || !has_name(w, type->spelling))
    return false;
  pl_str text = name_inside(w, type);
  if (has_same(asked, text))
    return true;
  PL_PUSH(w->loop->arena, asked->same, asked->nsame, asked->same_cap, text);
  return true;
}

static void add_value(const argument_walk *w, pl_asked_type *asked, int64_t value) {
  pl_str text = pl_arena_printf(w->loop->arena, "%lld", (long long)value);
  asked->is_value = true;
  if (!has_same(asked, text))
    PL_PUSH(w->loop->arena, asked->same, asked->nsame, asked->same_cap, text);
}

/* Every function in sight that an argument is; false: some have no name. */
static bool name_functions(const argument_walk *w, const struct choice *choice,
                           pl_asked_type *asked) {
  asked->is_function = true;
  for (size_t i = 0; i < choice->n; i++) {
    if (!choice->functions[i].n)
      return false;
    if (!has_same(asked, choice->functions[i]))
      PL_PUSH(w->loop->arena, asked->same, asked->nsame, asked->same_cap, choice->functions[i]);
  }
  return true;
}

/* Every argument in sight, by its name or value; false: some have none. */
static bool name_all(const argument_walk *w, uint32_t param, pl_asked_type *asked) {
  const pl_func *pattern = w->pattern;
  if (w->choices[param].is_function)
    return name_functions(w, &w->choices[param], asked);
  for (uint32_t i = 0; i < pattern->ninstances; i++) {
    const pl_instance *one = &pattern->instances[i];
    if (param < one->nargs && one->args[param].is_value)
      add_value(w, asked, one->args[param].value);
    else if (!add_type(w, asked, argument(pattern, i, param)))
      return false;
  }
  return true;
}

/* Whether other arguments may be other code: numbers, and types that are no classes of
 * the user's, have none but what the file has for them. Of a header, sources that include
 * it may have more, `template <> struct Step<half>`. */
static bool may_be_other_code(const argument_walk *w, uint32_t param) {
  const pl_func *pattern = w->pattern;
  bool plain = true;
  for (uint32_t i = 0; i < pattern->ninstances; i++) {
    const pl_instance *one = &pattern->instances[i];
    const pl_type *type = argument(pattern, i, param);
    plain = plain && param < one->nargs &&
            (one->args[param].is_value ||
             (type && !(type->kind == PL_TYPE_RECORD && type->is_user)));
  }
  return w->choices[param].asked &&
         (!plain || w->choices[param].others || pl_unit_is_header(w->loop->unit));
}

/* In the place of what is asked of the type already. */
static void put_asked(pl_loop *loop, const pl_asked_type *asked) {
  for (size_t i = 0; i < loop->nasked_types; i++)
    if (pl_str_eq(loop->asked_types[i].name, asked->name)) {
      loop->asked_types[i] = *asked;
      return;
    }
  PL_PUSH(loop->arena, loop->asked_types, loop->nasked_types, loop->asked_cap,
          *asked);
}

static bool refuse_unnamed(pl_loop *loop, pl_str name) {
  return pl_refuse(loop, false, "PL6004", loop->node,
                   "'%.*s' says what is called here, and what it stands for "
                   "has no name where the template does: %s, and bring others",
                   PL_FMT(name),
                   pl_unit_is_header(loop->unit) ? "other sources may include this header"
                                                 : "other builds may use the template");
}

bool pl_check_open_arguments(pl_loop *loop) {
  const pl_func *pattern = loop->func->pattern;
  if (!pattern || !pattern->body || !loop->func->in_main)
    return true;
  argument_walk w = {.loop = loop, .pattern = pattern, .text = text_ahead(loop)};
  w.choices = PL_NEW_ARRAY(loop->arena, struct choice, pattern->ntemplate_params + 1);
  find_choices(&w);
  for (uint32_t k = 0; k < pattern->ntemplate_params; k++) {
    const pl_decl *param = pattern->template_params[k];
    pl_asked_type asked = {.name = param->name};
    if (!may_be_other_code(&w, k))
      continue;
    if (name_all(&w, k, &asked))
      put_asked(loop, &asked);
    else if (pl_unit_is_header(loop->unit) || w.choices[k].is_function)
      return refuse_unnamed(loop, param->name);
  }
  return true;
}

/* Whether some parameter of a template, or of its function, stands for several. */
static bool has_pack(const argument_walk *w) {
  pl_range head = {w->pattern->range.begin, w->pattern->body->range.begin};
  return pl_str_has(pl_unit_slice(w->loop->unit, head), "...");
}

bool pl_ask_for_arguments(pl_loop *loop, bool numbers_alone) {
  const pl_func *pattern = loop->func->pattern;
  argument_walk w = {.loop = loop, .pattern = pattern, .text = text_ahead(loop)};
  pl_asked_type *all = PL_NEW_ARRAY(loop->arena, pl_asked_type, pattern->ntemplate_params);
  size_t n = 0;
  w.choices = PL_NEW_ARRAY(loop->arena, struct choice, pattern->ntemplate_params + 1);
  for (uint32_t k = 0; k < pattern->ntemplate_params; k++) {
    const pl_decl *param = pattern->template_params[k];
    bool number = param->kind == PL_DECL_TEMPLATE_VALUE && pl_is_number_type(param->type);
    if (numbers_alone && !number)
      continue;
    all[n].name = param->name;
    if (has_pack(&w) || !param->name.n || !name_all(&w, k, &all[n++]))
      return false;
  }
  for (size_t i = 0; i < n; i++)
    put_asked(loop, &all[i]);
  return true;
}

/* ---- what need not be asked --------------------------------------------------- */

/* Whether a type hangs on one name alone, an argument that has to be one of those in
 * sight: of these it was seen. */
static bool follows_from_another(const pl_loop *loop, pl_str type) {
  uint32_t n = 0, known = 0, others = 0;
  const pl_token *tokens = pl_lex(loop->arena, type, &n);
  for (uint32_t i = 0; i < n; i++) {
    pl_str word = pl_token_in(type, &tokens[i]);
    bool qualified = tokens[i].range.begin > 0 &&
                     type.p[tokens[i].range.begin - 1] == ':';
    if (tokens[i].kind != PL_TOK_IDENT || qualified || pl_str_is(word, "typename") ||
        pl_str_is(word, "const"))
      continue;
    bool found = false;
    for (size_t k = 0; k < loop->nasked_types && !found; k++)
      found = loop->asked_types[k].same &&
              pl_str_eq(loop->asked_types[k].name, word);
    known += found;
    others += !found;
  }
  return known == 1 && others == 0;
}

void pl_find_types_that_follow(pl_loop *loop) {
  size_t kept = 0;
  for (size_t i = 0; i < loop->nasked_types; i++) {
    pl_asked_type one = loop->asked_types[i];
    if (one.same || !follows_from_another(loop, one.name))
      loop->asked_types[kept++] = one;
  }
  loop->nasked_types = kept;
}
