/* callbacks.c - a helper that is handed a lambda, as the statement that it is.
 *
 * Needs: an attempt in which a loop is refused whose load phase calls such a helper.
 * Gives: the helper's text in the place of the call, with the arguments for its
 * parameters, and the lambda's body where it calls that. Raises nothing.
 *
 * `team_for(n, [&](int i) { s[i] = x[i]; });` is `for (int i = threadIdx.x; i < n; i +=
 * blockDim.x) { s[i] = x[i]; }`, where no name comes to mean something else. */
#include "cfg.h"
#include "copies.h"
#include "expansions.h"

#define MOST_ARGS 8

typedef struct callback {
  const pl_loop *loop;
  const pl_unit *unit;
  pl_arena *arena;
  const pl_node *call;
  const pl_func *helper, *lambda;
  uint32_t at;           /* which parameter is the lambda */
  uint32_t begin, end;   /* tokens of what the helper does */
  uint32_t first, after; /* ... of its call of the lambda, with the semicolon */
  pl_str given[MOST_ARGS]; /* what the lambda is handed, and where that stands */
  pl_range given_at[MOST_ARGS];
} callback;

static pl_str word(const callback *c, uint32_t token) {
  return pl_token_text(c->unit, token);
}

static const pl_node *argument(const callback *c, uint32_t param) {
  return c->call->kids[param + 1];
}

/* ---- what the helper is handed ---------------------------------------------------- */

static bool may_change(pl_node *node, const void *context) {
  const callback *c = context;
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  bool number = node->has_ival || (decl && decl->kind == PL_DECL_TEMPLATE_VALUE);
  return node->kind == PL_NODE_SUBSCRIPT || node->kind == PL_NODE_CALL ||
         (node->kind == PL_NODE_UNARY && node->op == PL_OP_DEREF) ||
         (node->kind == PL_NODE_MEMBER && node->is_arrow) ||
         (decl && decl->is_user && !number &&
          (!decl->owner || decl->is_shared ||
           pl_assigned_anywhere(c->lambda->body, decl)));
}

/* One type, or one kind of numbers. */
static bool is_one_type(const pl_type *param, const pl_type *arg) {
  if (param && param->kind == PL_TYPE_REFERENCE)
    param = param->element;
  if (!param || !arg)
    return false;
  return pl_same_type(param, arg) ||
         (param->kind == PL_TYPE_INT && arg->kind == PL_TYPE_INT &&
          param->size == arg->size && param->is_unsigned == arg->is_unsigned);
}

static bool can_stand_for(const callback *c, uint32_t param) {
  const pl_decl *decl = c->helper->params[param];
  pl_node *arg = (pl_node *)argument(c, param);
  if (!arg || !arg->type || !arg->range.end ||
      !pl_range_inside(arg->range, c->call->range) ||
      (arg->type->kind != PL_TYPE_INT && arg->type->kind != PL_TYPE_POINTER) ||
      !is_one_type(decl->type, arg->type) || decl->from_macro ||
      !pl_is_pure((pl_loop *)c->loop, arg) ||
      pl_reads_global((pl_loop *)c->loop, arg) ||
      pl_assigned_anywhere(c->helper->body, decl))
    return false;
  return !pl_node_find(arg, may_change, c);
}

/* ---- names ---------------------------------------------------------------------------- */

static bool is_handed_on(const callback *c, pl_str name) {
  for (uint32_t i = 0; i < c->lambda->nparams; i++)
    if (pl_str_eq(c->given[i], name) &&
        pl_str_eq(c->lambda->params[i]->name, name))
      return true;
  return false;
}

/* Whether a text of the caller's means something by a name, a macro's body in it
 * included; what the lambda declares is its own. */
static bool means_by(const callback *c, const pl_node *node, pl_str name) {
  const pl_decl *decl = node && node->kind == PL_NODE_REF ? node->decl : NULL;
  if (decl && pl_str_eq(decl->name, name) && pl_param_index(c->lambda, decl) < 0 &&
      !(decl->node && pl_node_within(decl->node, c->lambda->body)))
    return true;
  for (uint32_t i = 0; node && i < node->nkids; i++)
    if (means_by(c, node->kids[i], name))
      return true;
  return false;
}

static bool clashes(pl_node *node, const void *context) {
  const callback *c = context;
  const pl_decl *decl = node->decl;
  if (node->kind == PL_NODE_REF && decl && decl->is_user)
    return pl_param_index(c->helper, decl) >= 0
               ? node->from_macro
               : !decl->node || !pl_node_within(decl->node, c->helper->body);
  if (node->kind != PL_NODE_VAR || !decl)
    return node->kind == PL_NODE_LAMBDA || node->kind == PL_NODE_RETURN ||
           node->kind == PL_NODE_GOTO || node->kind == PL_NODE_LABEL;
  for (uint32_t i = 0; i < c->helper->nparams; i++)
    if (pl_str_eq(c->helper->params[i]->name, decl->name) ||
        (i != c->at && (means_by(c, argument(c, i), decl->name) ||
                        pl_says_name(c->unit, argument(c, i)->range, decl->name))))
      return true;
  return decl->from_macro || decl->is_shared || decl->is_static ||
         means_by(c, c->lambda->body, decl->name) ||
         (!is_handed_on(c, decl->name) &&
          pl_says_name(c->unit, c->lambda->body->range, decl->name));
}

static bool begins_line(const pl_unit *unit, uint32_t offset) {
  while (offset && (unit->text.p[offset - 1] == ' ' ||
                    unit->text.p[offset - 1] == '\t'))
    offset--;
  return offset && unit->text.p[offset - 1] == '\n';
}

/* Whether what the helper has from outside is the same where it is called. */
static bool words_stay(const callback *c) {
  for (uint32_t t = c->begin; t < c->end; t++) {
    pl_str name = word(c, t);
    bool own = c->unit->tokens[t].kind != PL_TOK_IDENT ||
               (t > c->begin && !pl_is_name_at(c->unit, t));
    for (uint32_t i = 0; i < c->helper->nparams; i++)
      own = own || pl_str_eq(c->helper->params[i]->name, name);
    if (!own && !pl_node_find(c->helper->body, pl_declares_named, &name) &&
        !pl_word_stays(c->unit, c->helper, c->loop->func, name))
      return false;
  }
  return true;
}

static bool names_stay(const callback *c) {
  bool fine = !pl_node_find(c->helper->body, clashes, c) && words_stay(c);
  for (uint32_t i = 0; i < c->helper->ntemplate_params; i++)
    for (uint32_t t = c->begin; t < c->end; t++)
      fine = fine && !pl_str_eq(word(c, t), c->helper->template_params[i]->name);
  for (uint32_t t = c->begin; t < c->end; t++)
    fine = fine && (c->unit->tokens[t].kind != PL_TOK_DIRECTIVE ||
                    (pl_str_has(word(c, t), "pragma") &&
                     begins_line(c->unit, c->call->range.begin)));
  return fine;
}

/* ---- the call of the lambda ---------------------------------------------------------- */

/* Whether a statement begins at a token: behind a brace, or a header. */
static bool begins_statement(const callback *c, uint32_t token) {
  pl_str before = word(c, token - 1);
  if (pl_str_is(before, "{") || pl_str_is(before, "}") || pl_str_is(before, ";"))
    return true;
  int depth = 0;
  for (uint32_t i = token; pl_str_is(before, ")") && i-- > c->begin;) {
    depth += pl_str_is(word(c, i), ")") - pl_str_is(word(c, i), "(");
    if (depth == 0)
      return i > 0 && (pl_str_is(word(c, i - 1), "for") ||
                       pl_str_is(word(c, i - 1), "while") ||
                       pl_str_is(word(c, i - 1), "if"));
  }
  return false;
}

/* Takes the arguments of the call that begins at c->first. */
static bool take_given(callback *c) {
  uint32_t n = 0, from = c->first + 2, i = from;
  int depth = 1;
  if (c->first + 2 >= c->end || !pl_str_is(word(c, c->first + 1), "("))
    return false;
  for (; i < c->end; i++) {
    pl_str at = word(c, i);
    depth += pl_str_is(at, "(") || pl_str_is(at, "[") || pl_str_is(at, "{");
    depth -= pl_str_is(at, ")") || pl_str_is(at, "]") || pl_str_is(at, "}");
    if (depth && !(depth == 1 && pl_str_is(at, ",")))
      continue;
    if (i == from || n == MOST_ARGS)
      return false;
    c->given_at[n] = (pl_range){c->unit->tokens[from].range.begin,
                                c->unit->tokens[i - 1].range.end};
    c->given[n] = pl_unit_slice(c->unit, c->given_at[n]);
    n++;
    from = i + 1;
    if (!depth)
      break;
  }
  c->after = i + 2;
  return n == c->lambda->nparams && c->after <= c->end &&
         pl_str_is(word(c, i + 1), ";");
}

/* The one place at which the helper names the lambda: it calls it there. */
static bool find_call(callback *c) {
  pl_str name = c->helper->params[c->at]->name;
  uint32_t n = 0;
  for (uint32_t i = c->begin; i < c->end; i++)
    if (pl_str_eq(word(c, i), name)) {
      c->first = i;
      n++;
    }
  return n == 1 && pl_is_name_at(c->unit, c->first) && c->first > c->begin &&
         begins_statement(c, c->first) && take_given(c);
}

/* Whether what the lambda is handed can be written with the helper's arguments: none
 * of them has a name that the lambda's parameters take. */
static bool can_be_spelt(const callback *c, pl_range given) {
  for (uint32_t i = 0; i < c->helper->nparams; i++)
    for (uint32_t k = 0; pl_says_name(c->unit, given, c->helper->params[i]->name) &&
                         k < c->lambda->nparams;
         k++)
      if (i == c->at ||
          pl_says_name(c->unit, argument(c, i)->range, c->lambda->params[k]->name))
        return false;
  return true;
}

/* Whether a parameter of the lambda's can be what it is handed, or a variable that
 * begins with that. */
static bool can_take(const callback *c, uint32_t param) {
  const pl_decl *decl = c->lambda->params[param];
  if (decl->from_macro || !decl->range.end ||
      pl_str_has(pl_unit_slice(c->unit, decl->range), "="))
    return false;
  if (pl_str_eq(c->given[param], decl->name)) {
    const pl_node *var = pl_node_find(c->helper->body, pl_declares_named, &decl->name);
    const pl_type *type = var ? var->decl->type : NULL;
    bool same = is_one_type(decl->type, type) ||
                pl_str_starts(pl_unit_slice(c->unit, decl->range), "auto ");
    return type && same && !pl_assigned_anywhere(c->lambda->body, decl);
  }
  for (uint32_t i = 0; i < c->lambda->nparams; i++)
    if (pl_says_name(c->unit, c->given_at[param], c->lambda->params[i]->name))
      return false;
  return can_be_spelt(c, c->given_at[param]);
}

/* `[&](int i) {`, with nothing between parameters and body. */
static bool is_plain_lambda(const callback *c) {
  const pl_node *node = argument(c, c->at);
  uint32_t first = pl_token_from(c->unit, node->range.begin);
  uint32_t body = pl_token_from(c->unit, c->lambda->body->range.begin);
  return !node->from_macro && body > first + 4 &&
         pl_str_is(word(c, first), "[") && pl_str_is(word(c, first + 1), "&") &&
         pl_str_is(word(c, first + 2), "]") &&
         pl_str_is(word(c, first + 3), "(") &&
         pl_str_is(word(c, body - 1), ")") &&
         !pl_cfg_jump_out(c->lambda->body, PL_JUMP_AWAY);
}

/* ---- the text -------------------------------------------------------------------------- */

static bool is_one_of(pl_str text, const char *const *words) {
  while (*words && !pl_str_is(text, *words))
    words++;
  return *words != NULL;
}

/* Whether a parameter stands where a sum or product needs no parentheses. */
static bool stands_alone(const callback *c, uint32_t token) {
  static const char *const before[] = {"<", "<=", ">", ">=", "=",  "+=",
                                       "-=", "(", ",", ";",  NULL};
  static const char *const behind[] = {";", ")", ",", NULL};
  return is_one_of(word(c, token - 1), before) &&
         is_one_of(word(c, token + 1), behind);
}

static void add_argument(const callback *c, uint32_t param, uint32_t token,
                         pl_text *out) {
  const pl_node *arg = argument(c, param);
  bool sum = arg->kind == PL_NODE_BINARY &&
             (arg->op == PL_OP_MUL || arg->op == PL_OP_ADD ||
              arg->op == PL_OP_SUB || arg->op == PL_OP_DIV);
  bool plain = arg->kind == PL_NODE_REF || arg->kind == PL_NODE_INT ||
               arg->kind == PL_NODE_PAREN || arg->kind == PL_NODE_MEMBER ||
               (sum && stands_alone(c, token));
  pl_text_printf(out, plain && !arg->from_macro ? "%.*s" : "(%.*s)",
                 PL_FMT(pl_unit_slice(c->unit, arg->range)));
}

static void add_word(const callback *c, uint32_t token, pl_text *out) {
  for (uint32_t i = 0; i < c->helper->nparams; i++)
    if (pl_is_name_at(c->unit, token) &&
        pl_str_eq(word(c, token), c->helper->params[i]->name)) {
      add_argument(c, i, token, out);
      return;
    }
  pl_text_add(out, word(c, token));
}

/* What the lambda is handed, with the helper's arguments for its parameters. */
static pl_str given_text(const callback *c, uint32_t given) {
  pl_text out = {.arena = c->arena};
  const uint32_t first = pl_token_from(c->unit, c->given_at[given].begin);
  uint32_t at = c->given_at[given].begin;
  for (uint32_t i = first; c->unit->tokens[i].range.begin < c->given_at[given].end;
       i++) {
    pl_text_add(&out, pl_unit_slice(c->unit, (pl_range){
                          at, c->unit->tokens[i].range.begin}));
    add_word(c, i, &out);
    at = c->unit->tokens[i].range.end;
  }
  return pl_text_view(&out);
}

static void add_body(const callback *c, pl_text *out) {
  pl_str body = pl_unit_slice(c->unit, c->lambda->body->range);
  pl_text_printf(out, "{");
  for (uint32_t i = 0; i < c->lambda->nparams; i++) {
    const pl_decl *param = c->lambda->params[i];
    if (!pl_str_eq(c->given[i], param->name))
      pl_text_printf(out, " %.*s = %.*s;",
                     PL_FMT(pl_unit_slice(c->unit, param->range)),
                     PL_FMT(given_text(c, i)));
  }
  pl_text_add(out, (pl_str){body.p + 1, body.n - 1});
}

static pl_str text_of(const callback *c) {
  pl_text out = {.arena = c->arena};
  uint32_t at = c->unit->tokens[c->begin].range.begin;
  for (uint32_t i = c->begin; i < c->end; i++) {
    const pl_range range = c->unit->tokens[i].range;
    bool header = i == c->first && pl_str_is(word(c, i - 1), ")");
    if (header)
      pl_text_printf(&out, " ");
    else
      pl_text_add(&out, pl_unit_slice(c->unit, (pl_range){at, range.begin}));
    if (i == c->first) {
      add_body(c, &out);
      i = c->after - 1;
    } else {
      add_word(c, i, &out);
    }
    at = c->unit->tokens[i].range.end;
  }
  return pl_text_view(&out);
}

/* ---- which calls -------------------------------------------------------------------- */

static bool find_lambda(callback *c) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < c->helper->nparams; i++) {
    const pl_node *arg = argument(c, i);
    const pl_node *bare = arg ? pl_node_bare((pl_node *)arg) : NULL;
    if (!bare || bare->kind != PL_NODE_LAMBDA || !bare->func ||
        !bare->func->body || bare->func->nparams > MOST_ARGS)
      continue;
    c->lambda = bare->func;
    c->at = i;
    n++;
  }
  return n == 1;
}

/* The helper's statement, without the braces of its body. */
static bool take_helper(callback *c) {
  const pl_func *helper = c->helper;
  if (!helper || !helper->body || !helper->in_main || helper->from_macro ||
      helper->is_method || helper->body->kind != PL_NODE_COMPOUND ||
      helper->body->nkids != 1 || helper->body->from_macro ||
      c->call->nkids != helper->nparams + 1 || helper == c->loop->func ||
      !pl_helper_is_there(c->unit, helper, c->call->range.begin))
    return false;
  c->begin = pl_token_from(c->unit, helper->body->range.begin) + 1;
  c->end = pl_token_from(c->unit, helper->body->range.end) - 1;
  return c->begin < c->end;
}

static bool can_be_put(callback *c) {
  if (!take_helper(c) || !find_lambda(c) || !is_plain_lambda(c) ||
      !find_call(c) || !names_stay(c))
    return false;
  for (uint32_t i = 0; i < c->helper->nparams; i++)
    if (i != c->at && !can_stand_for(c, i))
      return false;
  for (uint32_t i = 0; i < c->lambda->nparams; i++)
    if (!can_take(c, i))
      return false;
  return true;
}

void pl_callbacks_in_place(const pl_loop *loop, pl_arena *arena,
                           pl_replacements *out) {
  for (size_t i = 0; loop->settled && i < loop->nstmts; i++) {
    const pl_node *call = loop->stmts[i].node;
    callback c = {.loop = loop, .unit = loop->unit, .arena = arena, .call = call};
    if (loop->stmts[i].phase != loop->load_phase || call->kind != PL_NODE_CALL ||
        call->from_macro || !call->decl || call->parent != loop->body ||
        loop->unit->text.p[call->range.end - 1] != ';')
      continue;
    c.helper = call->decl->func;
    if (!can_be_put(&c))
      continue;
    pl_replacement one = {call->range, text_of(&c)};
    PL_PUSH(arena, out->items, out->n, out->cap, one);
  }
}
