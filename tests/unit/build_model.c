/* build_model.c - see build_model.h.
 *
 * A recursive descent over pl_lex's tokens. Ranges are those of the tokens, so
 * they are right by construction. */
#include "assembly.h"
#include "build_model.h"

#include "barrier_order.h"

#include <stdlib.h>
#include <string.h>

typedef struct macro {
  pl_str name;
  int64_t value;
} macro;

typedef struct reader {
  built *b;
  pl_arena *arena;
  pl_token *tokens; /* without comments and directives */
  uint32_t n, at;
  pl_decl **scope; /* what is visible, innermost last */
  size_t nscope, scope_cap;
  macro *macros;
  size_t nmacros, macros_cap;
  pl_decl **foreign; /* the toolkit's, as they were met */
  size_t nforeign, foreign_cap;
  pl_func *func;
} reader;

static pl_node *read_expression(reader *r);
static pl_node *read_assignment(reader *r);
static pl_node *read_statement(reader *r);

/* ---- tokens ---------------------------------------------------------------
 */

static pl_str word_at(const reader *r, uint32_t at) {
  return at < r->n ? pl_unit_slice(r->b->unit, r->tokens[at].range)
                   : PL_STR("");
}

static bool next_is(const reader *r, const char *word) {
  return pl_str_is(word_at(r, r->at), word);
}

static bool take(reader *r, const char *word) {
  bool is = next_is(r, word);
  r->at += is;
  return is;
}

static void expect(reader *r, const char *word) {
  if (!take(r, word))
    fail_msg("'%s' expected at '%.*s'", word, PL_FMT(word_at(r, r->at)));
}

static uint32_t here(const reader *r) {
  return r->at < r->n ? r->tokens[r->at].range.begin
                      : (uint32_t)r->b->unit->text.n;
}

/* The end of the last token that was taken. */
static uint32_t behind(const reader *r) {
  return r->at ? r->tokens[r->at - 1].range.end : 0;
}

static pl_token_kind kind_of(const reader *r) {
  return r->at < r->n ? r->tokens[r->at].kind : PL_TOK_DIRECTIVE;
}

static pl_str take_name(reader *r) {
  if (kind_of(r) != PL_TOK_IDENT)
    fail_msg("a name expected at '%.*s'", PL_FMT(word_at(r, r->at)));
  return word_at(r, r->at++);
}

/* ---- nodes ----------------------------------------------------------------
 */

static pl_node *node_new(reader *r, pl_node_kind kind, uint32_t begin) {
  pl_node *node = PL_NEW(r->arena, pl_node);
  node->kind = kind;
  node->range = (pl_range){begin, behind(r)};
  return node;
}

static void adopt(reader *r, pl_node *node, pl_node *kid) {
  pl_node **kids = PL_NEW_ARRAY(r->arena, pl_node *, node->nkids + 1);
  for (uint32_t i = 0; i < node->nkids; i++)
    kids[i] = node->kids[i];
  kids[node->nkids++] = kid;
  node->kids = kids;
  if (kid)
    kid->parent = node;
}

/* Clang's own evaluation: the value of what is constant as it stands. */
static pl_node *folded(pl_node *node) {
  bool constant = node->nkids > 0;
  for (uint32_t i = 0; i < node->nkids; i++)
    constant = constant && node->kids[i] && node->kids[i]->has_ival;
  if (constant)
    node->has_ival = pl_node_eval(node, NULL, NULL, &node->ival);
  return node;
}

/* ---- types ----------------------------------------------------------------
 */

static const struct base_type {
  const char *name;
  pl_type_kind kind;
  int size;
  bool is_unsigned;
} base_types[] = {{"void", PL_TYPE_VOID, 1, false},
                  {"bool", PL_TYPE_BOOL, 1, true},
                  {"char", PL_TYPE_INT, 1, false},
                  {"short", PL_TYPE_INT, 2, false},
                  {"int", PL_TYPE_INT, 4, false},
                  {"unsigned", PL_TYPE_INT, 4, true},
                  {"float", PL_TYPE_FLOAT, 4, false},
                  {"double", PL_TYPE_FLOAT, 8, false},
                  {"__half", PL_TYPE_RECORD, 2, false},
                  {"float2", PL_TYPE_RECORD, 8, false},
                  {"float4", PL_TYPE_RECORD, 16, false},
                  {"uint3", PL_TYPE_RECORD, 12, false},
                  {"thread_block", PL_TYPE_RECORD, 8, false}};

static pl_type *type_new(reader *r, pl_type_kind kind, int64_t size,
                         pl_str spelling) {
  pl_type *type = PL_NEW(r->arena, pl_type);
  type->kind = kind;
  type->size = type->align = size;
  type->count = -1;
  type->is_trivially_copyable = true;
  type->spelling = type->written = spelling;
  return type;
}

static const pl_type *base_type(reader *r, const char *name) {
  for (size_t i = 0; i < sizeof base_types / sizeof *base_types; i++)
    if (strcmp(base_types[i].name, name) == 0) {
      bool word = strcmp(name, "unsigned") == 0;
      pl_str spelling = word ? PL_STR("unsigned int")
                             : (pl_str){base_types[i].name, strlen(name)};
      pl_type *type =
          type_new(r, base_types[i].kind, base_types[i].size, spelling);
      type->is_unsigned = base_types[i].is_unsigned;
      if (base_types[i].size == 12)
        type->align = 4;
      return type;
    }
  return NULL;
}

/* The same type, const or not. */
static const pl_type *with_const(reader *r, const pl_type *type, bool on) {
  if (!type || type->is_const == on)
    return type;
  pl_type *copy = PL_NEW(r->arena, pl_type);
  *copy = *type;
  copy->is_const = on;
  return copy;
}

static pl_str qualified_spelling(reader *r, const pl_type *type) {
  return pl_arena_printf(r->arena, "%s%s%.*s", type->is_const ? "const " : "",
                         type->is_volatile ? "volatile " : "",
                         PL_FMT(type->spelling));
}

/* `element` with `mark` behind it: "*" or "&". */
static pl_type *derived_type(reader *r, pl_type_kind kind,
                             const pl_type *element, const char *mark) {
  pl_str inner = qualified_spelling(r, element);
  bool space = !inner.n || !strchr("*&", inner.p[inner.n - 1]);
  size_t at = strcspn(inner.p, "[");
  pl_str spelling = element->kind == PL_TYPE_ARRAY
                        ? pl_arena_printf(r->arena, "%.*s (%s)%s", (int)at,
                                          inner.p, mark, inner.p + at)
                        : pl_arena_printf(r->arena, "%.*s%s%s", PL_FMT(inner),
                                          space ? " " : "", mark);
  pl_type *type = type_new(r, kind, 8, spelling);
  type->element = element;
  return type;
}

/* An array of `count`; the bounds of an array of arrays stand in order. */
static pl_type *array_type(reader *r, const pl_type *element, int64_t count) {
  pl_str inner = qualified_spelling(r, element);
  size_t at = 0;
  while (at < inner.n && inner.p[at] != '[')
    at++;
  pl_str bound = count < 0
                     ? PL_STR("[]")
                     : pl_arena_printf(r->arena, "[%lld]", (long long)count);
  pl_str spelling =
      pl_arena_printf(r->arena, "%.*s%.*s%.*s", (int)at, inner.p, PL_FMT(bound),
                      (int)(inner.n - at), inner.p + at);
  bool known = count >= 0 && element->size >= 0;
  pl_type *type =
      type_new(r, PL_TYPE_ARRAY, known ? element->size * count : -1, spelling);
  type->align = element->align;
  type->element = element;
  type->count = count;
  return type;
}

static const pl_type *no_reference(const pl_type *type) {
  return type && type->kind == PL_TYPE_REFERENCE ? type->element : type;
}

static pl_decl *lookup(const reader *r, pl_str name) {
  for (size_t i = r->nscope; i-- > 0;)
    if (pl_str_eq(r->scope[i]->name, name))
      return r->scope[i];
  return NULL;
}

static const pl_type *named_type(reader *r, pl_str name) {
  const pl_decl *decl = lookup(r, name);
  if (decl)
    return decl->kind == PL_DECL_TEMPLATE_TYPE ? decl->type : NULL;
  return base_type(r, pl_arena_cstr(r->arena, name));
}

static bool starts_type(reader *r) {
  return next_is(r, "const") || next_is(r, "volatile") ||
         next_is(r, "decltype") ||
         (kind_of(r) == PL_TOK_IDENT && named_type(r, word_at(r, r->at)));
}

static const pl_type *read_decltype(reader *r) {
  expect(r, "(");
  const pl_type *type = read_expression(r)->type;
  expect(r, ")");
  return type;
}

/* `const float`, with the qualifiers on a copy. */
static const pl_type *read_base_type(reader *r) {
  bool is_const = false, is_volatile = false;
  for (;; r->at++)
    if (next_is(r, "const"))
      is_const = true;
    else if (next_is(r, "volatile"))
      is_volatile = true;
    else
      break;
  if (take(r, "decltype"))
    return read_decltype(r);
  pl_str name = take_name(r);
  const pl_type *base = named_type(r, name);
  if (!base)
    fail_msg("'%.*s' is no type", PL_FMT(name));
  pl_type *type = PL_NEW(r->arena, pl_type);
  *type = *base;
  type->is_const = is_const;
  type->is_volatile = is_volatile;
  return type;
}

static const pl_type *read_marks(reader *r, const pl_type *type) {
  for (;;) {
    if (take(r, "*")) {
      pl_type *pointer = derived_type(r, PL_TYPE_POINTER, type, "*");
      pointer->is_restrict = take(r, "__restrict__");
      pointer->is_const = take(r, "const");
      type = pointer;
    } else if (take(r, "&")) {
      type = derived_type(r, PL_TYPE_REFERENCE, type, "&");
    } else {
      return type;
    }
  }
}

/* ---- declarations ---------------------------------------------------------
 */

static pl_decl *decl_new(reader *r, pl_decl_kind kind, pl_str name,
                         const pl_type *type) {
  pl_decl *decl = PL_NEW(r->arena, pl_decl);
  decl->kind = kind;
  decl->name = decl->qualified = name;
  decl->type = type;
  decl->in_main = decl->is_user = true;
  decl->owner = r->func;
  return decl;
}

static void enter(reader *r, pl_decl *decl) {
  PL_PUSH(r->arena, r->scope, r->nscope, r->scope_cap, decl);
}

/* The toolkit's own: threadIdx and relatives, or a function. */
static pl_decl *foreign_decl(reader *r, pl_str name, bool called) {
  for (size_t i = 0; i < r->nforeign; i++)
    if (pl_str_eq(r->foreign[i]->name, name))
      return r->foreign[i];
  pl_decl *decl = PL_NEW(r->arena, pl_decl);
  decl->kind = called ? PL_DECL_FUNC : PL_DECL_VAR;
  decl->name = decl->qualified = name;
  decl->type = called ? NULL : with_const(r, base_type(r, "uint3"), true);
  PL_PUSH(r->arena, r->foreign, r->nforeign, r->foreign_cap, decl);
  return decl;
}

/* What stands in front of a declaration's type. */
typedef struct specifiers {
  bool is_shared, is_extern, is_static, is_constexpr, is_constant, is_device;
  bool is_global;
  int64_t align, bounds;
} specifiers;

static int64_t read_attribute(reader *r) {
  expect(r, "(");
  int64_t value = strtoll(word_at(r, r->at++).p, NULL, 0);
  expect(r, ")");
  return value;
}

static specifiers read_specifiers(reader *r) {
  specifiers s = {0};
  for (;;) {
    if (take(r, "__shared__"))
      s.is_shared = true;
    else if (take(r, "extern"))
      s.is_extern = true;
    else if (take(r, "static"))
      s.is_static = true;
    else if (take(r, "constexpr"))
      s.is_constexpr = true;
    else if (take(r, "__constant__"))
      s.is_constant = true;
    else if (take(r, "__device__"))
      s.is_device = true;
    else if (take(r, "__global__"))
      s.is_global = true;
    else if (take(r, "__align__"))
      s.align = read_attribute(r);
    else if (take(r, "__launch_bounds__"))
      s.bounds = read_attribute(r);
    else
      return s;
  }
}

/* The bounds behind a name; the type from the innermost one out. */
static void read_dims(reader *r, pl_decl *decl) {
  pl_node *dims[8];
  while (take(r, "[")) {
    dims[decl->ndims++] = next_is(r, "]") ? NULL : read_expression(r);
    expect(r, "]");
  }
  decl->dims = PL_NEW_ARRAY(r->arena, pl_node *, decl->ndims + 1);
  for (uint32_t i = decl->ndims; i-- > 0;) {
    int64_t count = -1;
    decl->dims[i] = dims[i];
    pl_node_eval(dims[i], r->func, NULL, &count);
    decl->type = array_type(r, decl->type, count);
  }
}

static void read_initialiser(reader *r, pl_node *var) {
  pl_decl *decl = var->decl;
  if (!take(r, "="))
    return;
  decl->init = read_assignment(r);
  adopt(r, var, decl->init);
  bool fixed = decl->is_constexpr ||
               (decl->type->is_const && decl->type->kind == PL_TYPE_INT);
  if (fixed && pl_node_eval(decl->init, r->func, NULL, &decl->value))
    decl->has_value = decl->is_constexpr = true;
}

/* One `*name[bounds] = value`; `begin` is where its range is to begin: at the
 * statement's specifiers for the first, at its own name for others. */
static pl_node *read_declarator(reader *r, const specifiers *s,
                                const pl_type *type, uint32_t begin) {
  type = read_marks(r, type);
  pl_str name = take_name(r);
  pl_decl *decl = decl_new(r, PL_DECL_VAR, name, type);
  decl->name_range = (pl_range){behind(r) - (uint32_t)name.n, behind(r)};
  decl->is_shared = s->is_shared;
  decl->is_extern = s->is_extern;
  decl->is_static = s->is_static;
  decl->is_constexpr = s->is_constexpr;
  decl->is_constant_memory = s->is_constant;
  decl->is_device = s->is_device;
  decl->is_volatile = type->is_volatile;
  decl->align_attr = s->align;
  read_dims(r, decl);
  enter(r, decl);
  pl_node *var = node_new(r, PL_NODE_VAR, begin);
  var->decl = decl;
  var->name = name;
  var->type = decl->type;
  decl->node = var;
  read_initialiser(r, var);
  var->range.end = behind(r);
  decl->range = var->range;
  return var;
}

static pl_node *read_declaration(reader *r) {
  uint32_t begin = here(r);
  specifiers s = read_specifiers(r);
  const pl_type *type = read_base_type(r);
  type = with_const(r, type, type->is_const || s.is_constexpr);
  pl_node *stmt = node_new(r, PL_NODE_DECL_STMT, begin);
  adopt(r, stmt, read_declarator(r, &s, type, begin));
  while (take(r, ","))
    adopt(r, stmt, read_declarator(r, &s, type, here(r)));
  expect(r, ";");
  stmt->range.end = behind(r);
  return stmt;
}

/* ---- expressions ----------------------------------------------------------
 */

static const struct binary_operator {
  const char *text;
  pl_op op;
  int binds;
} binary_operators[] = {
    {"*", PL_OP_MUL, 10}, {"/", PL_OP_DIV, 10},  {"%", PL_OP_REM, 10},
    {"+", PL_OP_ADD, 9},  {"-", PL_OP_SUB, 9},   {"<<", PL_OP_SHL, 8},
    {">>", PL_OP_SHR, 8}, {"<", PL_OP_LT, 7},    {">", PL_OP_GT, 7},
    {"<=", PL_OP_LE, 7},  {">=", PL_OP_GE, 7},   {"==", PL_OP_EQ, 6},
    {"!=", PL_OP_NE, 6},  {"&", PL_OP_AND, 5},   {"^", PL_OP_XOR, 4},
    {"|", PL_OP_OR, 3},   {"&&", PL_OP_LAND, 2}, {"||", PL_OP_LOR, 1}};

static const struct unary_operator {
  const char *text;
  pl_op op;
} unary_operators[] = {{"++", PL_OP_PREINC}, {"--", PL_OP_PREDEC},
                       {"-", PL_OP_MINUS},   {"!", PL_OP_LNOT},
                       {"~", PL_OP_NOT},     {"*", PL_OP_DEREF},
                       {"&", PL_OP_ADDR}};

static bool is_relation(pl_op op) {
  return (op >= PL_OP_LT && op <= PL_OP_NE) || op == PL_OP_LAND ||
         op == PL_OP_LOR;
}

/* The usual conversions, as far as the tests need them. */
static const pl_type *binary_type(reader *r, const pl_node *node) {
  const pl_type *a = node->kids[0]->type, *b = node->kids[1]->type;
  if (is_relation(node->op))
    return base_type(r, "bool");
  if (node->op == PL_OP_COMMA)
    return b;
  if (a && a->kind == PL_TYPE_ARRAY)
    return derived_type(r, PL_TYPE_POINTER, a->element, "*");
  if (a && b &&
      (b->kind == PL_TYPE_POINTER ||
       (b->kind == PL_TYPE_FLOAT && a->kind == PL_TYPE_INT) ||
       (b->is_unsigned && a->kind == PL_TYPE_INT)))
    return with_const(r, b, false);
  return with_const(r, a, false);
}

static const pl_type *element_of(const pl_type *type) {
  type = no_reference(type);
  return type ? type->element : NULL;
}

static pl_node *read_number(reader *r) {
  pl_str word = word_at(r, r->at++);
  bool real = pl_str_has(word, ".") || word.p[word.n - 1] == 'f';
  pl_node *node = node_new(r, real ? PL_NODE_FLOATING : PL_NODE_INT,
                           behind(r) - (uint32_t)word.n);
  node->type =
      base_type(r, real ? (word.p[word.n - 1] == 'f' ? "float" : "double")
                   : word.p[word.n - 1] == 'u' ? "unsigned"
                                               : "int");
  node->has_ival = !real;
  node->ival = real ? 0 : strtoll(word.p, NULL, 0);
  return node;
}

static pl_node *read_macro(reader *r) {
  pl_str word = word_at(r, r->at);
  for (size_t i = 0; i < r->nmacros; i++)
    if (pl_str_eq(r->macros[i].name, word)) {
      r->at++;
      pl_node *node = node_new(r, PL_NODE_INT, behind(r) - (uint32_t)word.n);
      node->type = base_type(r, "int");
      node->from_macro = node->has_ival = true;
      node->ival = r->macros[i].value;
      return node;
    }
  return NULL;
}

static pl_node *read_name(reader *r) {
  pl_node *node = read_macro(r);
  if (node)
    return node;
  pl_str name = take_name(r);
  node = node_new(r, PL_NODE_REF, behind(r) - (uint32_t)name.n);
  node->name = name;
  node->decl = lookup(r, name);
  if (!node->decl)
    node->decl = foreign_decl(r, name, next_is(r, "("));
  node->type = no_reference(node->decl->type);
  node->has_ival = node->decl->has_value;
  node->ival = node->decl->value;
  return node;
}

/* `reinterpret_cast<T>(x)`, `(T)x`: the target's type is the node's. */
static pl_node *read_cast(reader *r, uint32_t begin, bool named) {
  const pl_type *type = read_marks(r, read_base_type(r));
  expect(r, named ? ">" : ")");
  if (named)
    expect(r, "(");
  pl_node *operand = named ? read_expression(r) : NULL;
  if (named)
    expect(r, ")");
  pl_node *node = node_new(r, PL_NODE_CAST, begin);
  node->type = type;
  adopt(r, node, operand);
  return node;
}

/* `[&](int i) { ... }`: the captures are not told apart. */
static pl_node *read_lambda(reader *r) {
  uint32_t begin = here(r);
  while (!take(r, "]"))
    r->at++;
  expect(r, "(");
  expect(r, ")");
  pl_node *body = read_statement(r);
  pl_node *node = node_new(r, PL_NODE_LAMBDA, begin);
  adopt(r, node, body);
  return node;
}

static pl_node *read_parens(reader *r) {
  uint32_t begin = here(r);
  expect(r, "(");
  pl_node *inner = read_expression(r);
  expect(r, ")");
  pl_node *node = node_new(r, PL_NODE_PAREN, begin);
  node->type = inner->type;
  adopt(r, node, inner);
  return folded(node);
}

static pl_node *read_sizeof(reader *r) {
  uint32_t begin = here(r);
  r->at++;
  expect(r, "(");
  const pl_type *type = starts_type(r) ? read_marks(r, read_base_type(r))
                                       : read_expression(r)->type;
  expect(r, ")");
  pl_node *node = node_new(r, PL_NODE_SIZEOF, begin);
  node->name = PL_STR("sizeof");
  node->type = base_type(r, "unsigned");
  node->has_ival = type->size >= 0;
  node->ival = type->size;
  return node;
}

static pl_node *read_primary(reader *r) {
  uint32_t begin = here(r);
  if (kind_of(r) == PL_TOK_NUMBER)
    return read_number(r);
  if (kind_of(r) == PL_TOK_STRING) {
    r->at++;
    return node_new(r, PL_NODE_STRING, begin);
  }
  if (next_is(r, "("))
    return read_parens(r);
  if (next_is(r, "["))
    return read_lambda(r);
  if (next_is(r, "sizeof"))
    return read_sizeof(r);
  if (take(r, "reinterpret_cast")) {
    expect(r, "<");
    return read_cast(r, begin, true);
  }
  return read_name(r);
}

static pl_node *read_call(reader *r, pl_node *callee) {
  pl_node *node = PL_NEW(r->arena, pl_node);
  node->kind = PL_NODE_CALL;
  node->name = callee->name;
  node->decl = callee->decl;
  adopt(r, node, callee);
  expect(r, "(");
  while (!take(r, ")")) {
    adopt(r, node, read_assignment(r));
    take(r, ",");
  }
  node->range = (pl_range){callee->range.begin, behind(r)};
  bool seen = node->decl && node->decl->in_main && node->decl->type;
  node->type = seen ? element_of(node->decl->type) : base_type(r, "float");
  if (node->decl && pl_str_starts(node->name, "__sync"))
    node->type = base_type(r, "void");
  return node;
}

static pl_node *read_subscript(reader *r, pl_node *base) {
  r->at++;
  pl_node *index = read_expression(r);
  expect(r, "]");
  pl_node *node = node_new(r, PL_NODE_SUBSCRIPT, base->range.begin);
  node->type = element_of(base->type);
  adopt(r, node, base);
  adopt(r, node, index);
  return node;
}

static pl_node *read_member(reader *r, pl_node *base) {
  bool arrow = next_is(r, "->");
  r->at++;
  pl_str name = take_name(r);
  pl_node *node = node_new(r, PL_NODE_MEMBER, base->range.begin);
  node->name = name;
  node->is_arrow = arrow;
  bool index = base->type && pl_str_is(base->type->spelling, "uint3");
  node->type = with_const(r, base_type(r, index ? "unsigned" : "float"),
                          base->type && base->type->is_const);
  node->decl = PL_NEW(r->arena, pl_decl);
  node->decl->kind = next_is(r, "(") ? PL_DECL_METHOD : PL_DECL_FIELD;
  node->decl->name = node->decl->qualified = name;
  adopt(r, node, base);
  return node;
}

static pl_node *read_postfix(reader *r) {
  pl_node *node = read_primary(r);
  for (;;) {
    if (next_is(r, "(")) {
      node = read_call(r, node);
    } else if (next_is(r, "[")) {
      node = read_subscript(r, node);
    } else if (next_is(r, ".") || next_is(r, "->")) {
      node = read_member(r, node);
    } else if (next_is(r, "++") || next_is(r, "--")) {
      pl_op op = next_is(r, "++") ? PL_OP_POSTINC : PL_OP_POSTDEC;
      r->at++;
      pl_node *outer = node_new(r, PL_NODE_UNARY, node->range.begin);
      outer->op = op;
      outer->type = node->type;
      adopt(r, outer, node);
      node = outer;
    } else {
      return node;
    }
  }
}

static const pl_type *unary_type(reader *r, pl_op op, const pl_type *type) {
  if (op == PL_OP_ADDR)
    return derived_type(r, PL_TYPE_POINTER, type, "*");
  return op == PL_OP_DEREF ? element_of(type) : type;
}

/* Whether the parenthesis ahead holds a type. */
static bool is_cast_ahead(reader *r) {
  if (!next_is(r, "("))
    return false;
  r->at++;
  bool is = starts_type(r);
  r->at--;
  return is;
}

static pl_node *read_unary(reader *r) {
  uint32_t begin = here(r);
  if (is_cast_ahead(r)) {
    r->at++;
    pl_node *cast = read_cast(r, begin, false);
    cast->nkids = 0;
    adopt(r, cast, read_unary(r));
    cast->range.end = behind(r);
    return folded(cast);
  }
  for (size_t i = 0; i < sizeof unary_operators / sizeof *unary_operators; i++)
    if (take(r, unary_operators[i].text)) {
      pl_node *operand = read_unary(r);
      pl_node *node = node_new(r, PL_NODE_UNARY, begin);
      node->op = unary_operators[i].op;
      node->type = unary_type(r, node->op, operand->type);
      adopt(r, node, operand);
      return folded(node);
    }
  return read_postfix(r);
}

static pl_node *join(reader *r, pl_node_kind kind, pl_op op, pl_node *left,
                     pl_range at, pl_node *right) {
  pl_node *node = node_new(r, kind, left->range.begin);
  node->op = op;
  node->op_range = at;
  adopt(r, node, left);
  adopt(r, node, right);
  node->type = kind == PL_NODE_ASSIGN ? left->type : binary_type(r, node);
  return folded(node);
}

static pl_node *read_binary(reader *r, int least) {
  pl_node *left = read_unary(r);
  for (;;) {
    const struct binary_operator *found = NULL;
    for (size_t i = 0; i < sizeof binary_operators / sizeof *binary_operators;
         i++)
      if (next_is(r, binary_operators[i].text))
        found = &binary_operators[i];
    if (!found || found->binds < least)
      return left;
    pl_range at = r->tokens[r->at++].range;
    left = join(r, PL_NODE_BINARY, found->op, left, at,
                read_binary(r, found->binds + 1));
  }
}

static pl_node *read_conditional(reader *r) {
  pl_node *condition = read_binary(r, 1);
  if (!next_is(r, "?"))
    return condition;
  pl_range at = r->tokens[r->at++].range;
  pl_node *yes = read_assignment(r);
  expect(r, ":");
  pl_node *no = read_assignment(r);
  pl_node *node = node_new(r, PL_NODE_COND, condition->range.begin);
  node->op_range = at;
  bool whole = yes->type && yes->type->kind == PL_TYPE_INT;
  node->type = with_const(r, whole ? no->type : yes->type, false);
  adopt(r, node, condition);
  adopt(r, node, yes);
  adopt(r, node, no);
  return folded(node);
}

static pl_op assignment_operator(pl_str word) {
  if (pl_str_is(word, "="))
    return PL_OP_ASSIGN;
  if (word.n < 2 || word.p[word.n - 1] != '=')
    return PL_OP_NONE;
  pl_str op = {word.p, word.n - 1};
  for (size_t i = 0; i < sizeof binary_operators / sizeof *binary_operators;
       i++)
    if (pl_str_is(op, binary_operators[i].text) &&
        binary_operators[i].op != PL_OP_LT &&
        binary_operators[i].op != PL_OP_GT)
      return binary_operators[i].op;
  return PL_OP_NONE;
}

static pl_node *read_assignment(reader *r) {
  pl_node *left = read_conditional(r);
  pl_op op = assignment_operator(word_at(r, r->at));
  if (op == PL_OP_NONE)
    return left;
  pl_range at = r->tokens[r->at++].range;
  return join(r, PL_NODE_ASSIGN, op, left, at, read_assignment(r));
}

static pl_node *read_expression(reader *r) {
  pl_node *left = read_assignment(r);
  while (next_is(r, ",")) {
    pl_range at = r->tokens[r->at++].range;
    left = join(r, PL_NODE_BINARY, PL_OP_COMMA, left, at, read_assignment(r));
  }
  return left;
}

/* ---- statements -----------------------------------------------------------
 */

static bool starts_declaration(reader *r) {
  static const char *const words[] = {"__shared__", "extern", "static",
                                      "constexpr", NULL};
  for (size_t i = 0; words[i]; i++)
    if (next_is(r, words[i]))
      return true;
  return starts_type(r);
}

static pl_node *read_compound(reader *r) {
  uint32_t begin = here(r);
  size_t visible = r->nscope;
  expect(r, "{");
  pl_node *node = node_new(r, PL_NODE_COMPOUND, begin);
  while (!take(r, "}"))
    adopt(r, node, read_statement(r));
  node->range.end = behind(r);
  r->nscope = visible;
  return node;
}

/* A statement that is an expression is that expression, semicolon included. */
static pl_node *read_simple(reader *r) {
  pl_node *node = read_expression(r);
  expect(r, ";");
  node->range.end = behind(r);
  return node;
}

static pl_node *read_for(reader *r) {
  uint32_t begin = here(r);
  size_t visible = r->nscope;
  r->at++;
  expect(r, "(");
  pl_node *init = take(r, ";")            ? NULL
                  : starts_declaration(r) ? read_declaration(r)
                                          : read_simple(r);
  pl_node *cond = next_is(r, ";") ? NULL : read_expression(r);
  expect(r, ";");
  pl_node *inc = next_is(r, ")") ? NULL : read_expression(r);
  expect(r, ")");
  pl_node *body = read_statement(r);
  pl_node *node = node_new(r, PL_NODE_FOR, begin);
  pl_node *kids[] = {init, cond, inc, body};
  for (size_t i = 0; i < 4; i++)
    adopt(r, node, kids[i]);
  r->nscope = visible;
  return node;
}

static pl_node *read_while(reader *r) {
  uint32_t begin = here(r);
  r->at++;
  expect(r, "(");
  pl_node *cond = read_expression(r);
  expect(r, ")");
  pl_node *body = read_statement(r);
  pl_node *node = node_new(r, PL_NODE_WHILE, begin);
  adopt(r, node, cond);
  adopt(r, node, body);
  return node;
}

static pl_node *read_do(reader *r) {
  uint32_t begin = here(r);
  r->at++;
  pl_node *body = read_statement(r);
  expect(r, "while");
  expect(r, "(");
  pl_node *cond = read_expression(r);
  expect(r, ")");
  expect(r, ";");
  pl_node *node = node_new(r, PL_NODE_DO, begin);
  adopt(r, node, body);
  adopt(r, node, cond);
  return node;
}

static pl_node *read_if(reader *r) {
  uint32_t begin = here(r);
  r->at++;
  expect(r, "(");
  pl_node *cond = read_expression(r);
  expect(r, ")");
  pl_node *yes = read_statement(r);
  pl_node *no = take(r, "else") ? read_statement(r) : NULL;
  pl_node *node = node_new(r, PL_NODE_IF, begin);
  adopt(r, node, cond);
  adopt(r, node, yes);
  adopt(r, node, no);
  return node;
}

/* `asm volatile("text" : outputs : inputs : clobbers);` */
static pl_node *read_asm(reader *r) {
  uint32_t begin = here(r);
  r->at++;
  take(r, "volatile");
  expect(r, "(");
  pl_node *node = node_new(r, PL_NODE_ASM, begin);
  while (!take(r, ")")) {
    if (next_is(r, "("))
      adopt(r, node, read_parens(r)->kids[0]);
    else
      r->at++;
  }
  expect(r, ";");
  node->range.end = behind(r);
  node->ival = pl_asm_outputs(r->b->unit, node);
  return node;
}

/* return, break, continue and goto. */
static pl_node *read_jump(reader *r, pl_node_kind kind) {
  uint32_t begin = here(r);
  r->at++;
  pl_str name = kind == PL_NODE_GOTO ? take_name(r) : (pl_str){0};
  pl_node *value = next_is(r, ";") ? NULL : read_expression(r);
  expect(r, ";");
  pl_node *node = node_new(r, kind, begin);
  node->name = name;
  if (value)
    adopt(r, node, value);
  return node;
}

static pl_node *read_label(reader *r) {
  uint32_t begin = here(r);
  pl_str name = take_name(r);
  expect(r, ":");
  pl_node *stmt = read_statement(r);
  pl_node *node = node_new(r, PL_NODE_LABEL, begin);
  node->name = name;
  adopt(r, node, stmt);
  return node;
}

static const struct keyword {
  const char *word;
  pl_node *(*read)(reader *r);
} keywords[] = {{"{", read_compound}, {"for", read_for}, {"while", read_while},
                {"do", read_do},      {"if", read_if},   {"asm", read_asm}};

static const struct jump {
  const char *word;
  pl_node_kind kind;
} jumps[] = {{"return", PL_NODE_RETURN},
             {"break", PL_NODE_BREAK},
             {"continue", PL_NODE_CONTINUE},
             {"goto", PL_NODE_GOTO},
             {";", PL_NODE_EMPTY}};

static pl_node *read_statement(reader *r) {
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    if (next_is(r, keywords[i].word))
      return keywords[i].read(r);
  if (next_is(r, ";")) {
    r->at++;
    return node_new(r, PL_NODE_EMPTY, behind(r) - 1);
  }
  for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++)
    if (next_is(r, jumps[i].word))
      return read_jump(r, jumps[i].kind);
  if (kind_of(r) == PL_TOK_IDENT && pl_str_is(word_at(r, r->at + 1), ":"))
    return read_label(r);
  return starts_declaration(r) ? read_declaration(r) : read_simple(r);
}

/* ---- functions and the file -----------------------------------------------
 */

static pl_decl *read_param(reader *r) {
  uint32_t begin = here(r);
  const pl_type *type = read_base_type(r);
  type = read_marks(r, type);
  bool array = take(r, "("); /* `float (&tile)[16][16]` */
  bool reference = array && take(r, "&");
  pl_str name = take_name(r);
  pl_decl *decl = decl_new(r, PL_DECL_PARAM, name, type);
  decl->name_range = (pl_range){behind(r) - (uint32_t)name.n, behind(r)};
  if (array)
    expect(r, ")");
  read_dims(r, decl);
  if (reference)
    decl->type = derived_type(r, PL_TYPE_REFERENCE, decl->type, "&");
  decl->range = (pl_range){begin, behind(r)};
  enter(r, decl);
  return decl;
}

static void read_params(reader *r, pl_func *func) {
  size_t cap = 0, n = 0;
  expect(r, "(");
  while (!take(r, ")")) {
    pl_decl *decl = read_param(r);
    PL_PUSH(r->arena, func->params, n, cap, decl);
    take(r, ",");
  }
  func->nparams = (uint32_t)n;
}

/* `template <int BM, typename T>`. */
static void read_template(reader *r, pl_func *func) {
  size_t cap = 0, n = 0;
  expect(r, "<");
  while (!take(r, ">")) {
    uint32_t begin = here(r);
    bool is_type = take(r, "typename");
    const pl_type *type = is_type ? NULL : read_base_type(r);
    pl_str name = take_name(r);
    pl_decl *decl =
        decl_new(r, is_type ? PL_DECL_TEMPLATE_TYPE : PL_DECL_TEMPLATE_VALUE,
                 name, type);
    if (is_type) {
      pl_type *dependent =
          type_new(r, PL_TYPE_DEPENDENT, -1,
                   pl_arena_printf(r->arena, "type-parameter-0-%d", (int)n));
      dependent->written = name;
      decl->type = dependent;
    }
    decl->range = (pl_range){begin, behind(r)};
    enter(r, decl);
    PL_PUSH(r->arena, func->template_params, n, cap, decl);
    take(r, ",");
  }
  func->ntemplate_params = (uint32_t)n;
  func->is_template = true;
}

/* "void (float (&)[8], int)"; the element is what it returns. */
static void give_function_type(reader *r, const pl_func *func) {
  pl_text out = {.arena = r->arena};
  const pl_type *returned = func->decl->type;
  pl_text_printf(&out, "%.*s (", PL_FMT(qualified_spelling(r, returned)));
  for (uint32_t i = 0; i < func->nparams; i++)
    pl_text_printf(&out, "%s%.*s", i ? ", " : "",
                   PL_FMT(func->params[i]->type->spelling));
  pl_text_add(&out, PL_STR(")"));
  pl_type *type = type_new(r, PL_TYPE_FUNCTION, -1, pl_text_view(&out));
  type->element = returned;
  func->decl->type = type;
}

static void add_func(reader *r, pl_func *func) {
  pl_unit *unit = r->b->unit;
  pl_func **funcs = PL_NEW_ARRAY(r->arena, pl_func *, unit->nfuncs + 1);
  for (uint32_t i = 0; i < unit->nfuncs; i++)
    funcs[i] = unit->funcs[i];
  funcs[unit->nfuncs++] = func;
  unit->funcs = funcs;
}

static void read_function(reader *r, pl_func *func, const specifiers *s,
                          pl_decl *decl, uint32_t begin, size_t visible) {
  func->name = func->qualified = decl->name;
  func->decl = decl;
  func->in_main = true;
  func->is_global = s->is_global;
  func->is_device = s->is_device;
  func->launch_bounds = s->bounds;
  decl->kind = PL_DECL_FUNC;
  r->func = func;
  read_params(r, func);
  give_function_type(r, func);
  if (!take(r, ";")) {
    decl->func = func;
    func->body = read_compound(r);
    func->body->func = func;
    func->arena = r->arena;
    add_func(r, func);
  }
  func->range = (pl_range){begin, behind(r)};
  r->nscope = visible;
  r->func = NULL;
  enter(r, decl);
}

static void read_top(reader *r) {
  uint32_t begin = here(r);
  size_t visible = r->nscope;
  pl_func *func = PL_NEW(r->arena, pl_func);
  if (take(r, "template"))
    read_template(r, func);
  specifiers s = read_specifiers(r);
  const pl_type *type = read_marks(r, read_base_type(r));
  if (s.is_global || pl_str_is(word_at(r, r->at + 1), "(")) {
    pl_decl *decl = decl_new(r, PL_DECL_FUNC, take_name(r), type);
    decl->name_range =
        (pl_range){behind(r) - (uint32_t)decl->name.n, behind(r)};
    read_function(r, func, &s, decl, begin, visible);
    return;
  }
  read_declarator(r, &s, type, begin);
  expect(r, ";");
}

/* `#define TS 16`; other directives are tokens and nothing else. */
static void read_define(reader *r, pl_str text) {
  const char *at = text.p + sizeof "#define" - 1;
  if (!pl_str_starts(text, "#define "))
    return;
  at += strspn(at, " ");
  size_t n = strcspn(at, " \n");
  macro one = {{at, n}, strtoll(at + n, NULL, 0)};
  PL_PUSH(r->arena, r->macros, r->nmacros, r->macros_cap, one);
}

static void keep_tokens(reader *r) {
  pl_unit *unit = r->b->unit;
  r->tokens = PL_NEW_ARRAY(r->arena, pl_token, unit->ntokens + 1);
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    if (unit->tokens[i].kind == PL_TOK_DIRECTIVE)
      read_define(r, pl_unit_slice(unit, unit->tokens[i].range));
    else if (unit->tokens[i].kind != PL_TOK_COMMENT)
      r->tokens[r->n++] = unit->tokens[i];
  }
}

built *b_read(const char *text) {
  pl_arena *arena = pl_arena_new(abort);
  built *b = PL_NEW(arena, built);
  b->arena = arena;
  b->unit = PL_NEW(arena, pl_unit);
  b->unit->arena = arena;
  b->unit->path = PL_STR("test.cu");
  b->unit->text = (pl_str){text, strlen(text)};
  b->unit->tokens = pl_lex(arena, b->unit->text, &b->unit->ntokens);
  pl_unit_index(b->unit);
  reader r = {.b = b, .arena = arena};
  keep_tokens(&r);
  while (r.at < r.n)
    read_top(&r);
  return b;
}

void b_free(built *b) { pl_arena_free(b->arena); }

/* ---- running --------------------------------------------------------------
 */

static void order_and_split(pl_loop *loop) {
  pl_order_barriers(loop);
  pl_split(loop);
}

void b_run(built *b, b_pass last) {
  static void (*const passes[])(pl_loop *) = {
      NULL,    pl_split_phases, pl_slice, pl_describe_copies, pl_check_legality,
      order_and_split};
  b->effects = pl_effect_context_new(b->unit);
  pl_find_loops(b->unit, b->effects, &b->options, &b->loops);
  for (int p = B_PHASES; p <= B_SPLIT && p <= (int)last; p++)
    for (size_t i = 0; i < b->loops.n; i++)
      passes[p](b->loops.items[i]);
  if (last >= B_PLAN)
    pl_plan(&b->loops);
  if (last >= B_EMIT)
    pl_emit(b->unit, &b->loops, &b->edits, &b->nedits);
}

built *b_passes(const char *text, b_pass last) {
  built *b = b_read(text);
  b_run(b, last);
  return b;
}

/* ---- finding --------------------------------------------------------------
 */

pl_func *b_func(const built *b, const char *name) {
  for (uint32_t i = 0; i < b->unit->nfuncs; i++)
    if (pl_str_is(b->unit->funcs[i]->name, name))
      return b->unit->funcs[i];
  fail_msg("no function %s", name);
  return NULL;
}

typedef struct search {
  const built *b;
  pl_node_kind kind;
  const char *text;
  pl_node *found;
} search;

static bool match(pl_node *node, void *context) {
  search *at = context;
  pl_str text = pl_unit_slice(at->b->unit, node->range);
  if (!at->found && node->kind == at->kind && pl_str_is(text, at->text))
    at->found = node;
  return !at->found;
}

pl_node *b_node(const built *b, pl_node_kind kind, const char *text) {
  search at = {b, kind, text, NULL};
  for (uint32_t i = 0; i < b->unit->nfuncs && !at.found; i++)
    pl_node_walk(b->unit->funcs[i]->body, match, &at);
  if (!at.found)
    fail_msg("no %s '%s'", pl_node_kind_name(kind), text);
  return at.found;
}

static bool match_name(pl_node *node, void *context) {
  search *at = context;
  if (!at->found && node->kind == PL_NODE_VAR &&
      pl_str_is(node->name, at->text))
    at->found = node;
  return !at->found;
}

pl_decl *b_decl(const built *b, const char *name) {
  search at = {b, PL_NODE_VAR, name, NULL};
  for (uint32_t i = 0; i < b->unit->nfuncs; i++) {
    const pl_func *func = b->unit->funcs[i];
    for (uint32_t k = 0; k < func->nparams; k++)
      if (pl_str_is(func->params[k]->name, name))
        return func->params[k];
    pl_node_walk(func->body, match_name, &at);
  }
  if (!at.found)
    fail_msg("no variable %s", name);
  return at.found->decl;
}

pl_loop *b_loop(const built *b, size_t index) {
  if (index >= b->loops.n)
    fail_msg("%zu loops found, no loop %zu", b->loops.n, index);
  return b->loops.items[index];
}

pl_stmt *b_stmt(const pl_loop *loop, const char *text) {
  for (size_t i = 0; i < loop->nstmts; i++)
    if (pl_str_starts(pl_unit_slice(loop->unit, loop->stmts[i].node->range),
                      text))
      return &loop->stmts[i];
  fail_msg("no statement '%s'", text);
  return NULL;
}

pl_tile *b_tile(const pl_loop *loop, const char *name) {
  for (size_t i = 0; i < loop->ntiles; i++)
    if (pl_str_is(loop->tiles[i].decl->name, name))
      return &loop->tiles[i];
  fail_msg("no tile %s", name);
  return NULL;
}

pl_copy *b_copy(const pl_loop *loop, const char *text) {
  for (size_t i = 0; i < loop->fill.ncopies; i++)
    if (pl_str_starts(
            pl_unit_slice(loop->unit, loop->fill.copies[i].store->range), text))
      return &loop->fill.copies[i];
  fail_msg("no copy '%s'", text);
  return NULL;
}

/* ---- what the text cannot say ---------------------------------------------
 */

void b_instance(built *b, const char *name, int64_t first, int64_t second) {
  pl_func *func = b_func(b, name);
  size_t n = func->ninstances;
  pl_instance *all = PL_NEW_ARRAY(b->arena, pl_instance, n + 1);
  for (size_t i = 0; i < n; i++)
    all[i] = func->instances[i];
  all[n].nargs = func->ntemplate_params;
  all[n].args = PL_NEW_ARRAY(b->arena, struct pl_template_arg, 2);
  all[n].args[0] = (struct pl_template_arg){true, first, NULL};
  all[n].args[1] = (struct pl_template_arg){true, second, NULL};
  all[n].spelling = PL_STR("");
  func->instances = all;
  func->ninstances++;
}

void b_launch(built *b, const char *name, int64_t threads, int64_t shared) {
  pl_func *func = b_func(b, name);
  size_t n = func->nlaunches;
  pl_launch_site *all = PL_NEW_ARRAY(b->arena, pl_launch_site, n + 1);
  for (size_t i = 0; i < n; i++)
    all[i] = func->launches[i];
  all[n] = (pl_launch_site){
      .threads = threads, .shared_bytes = shared, .instance = -1};
  func->launches = all;
  func->nlaunches++;
}

pl_str b_output(const built *b) {
  pl_text out = {.arena = b->arena};
  pl_str source = b->unit->text;
  uint32_t at = 0;
  for (size_t i = 0; i < b->nedits; i++) {
    const pl_edit *edit = &b->edits[i];
    assert_true(edit->offset >= at);
    pl_text_add(&out, (pl_str){source.p + at, edit->offset - at});
    pl_text_add(&out, (pl_str){edit->text, edit->text_length});
    at = edit->offset + edit->length;
    assert_true(at <= source.n);
  }
  pl_text_add(&out, (pl_str){source.p + at, source.n - at});
  return pl_text_view(&out);
}

/* ---- expectations ---------------------------------------------------------
 */

void b_expect(const pl_loop *loop, pl_verdict verdict, const char *id,
              const char *at) {
  if (!loop->settled)
    fail_msg("nothing settled the loop, %s expected", id);
  pl_str place = pl_unit_slice(loop->unit, loop->at);
  if (strcmp(loop->id, id) != 0 || loop->verdict != verdict)
    fail_msg("%s %s '%.*s' at '%.*s', not %s %s",
             pl_verdict_name(loop->verdict), loop->id, PL_FMT(loop->message),
             PL_FMT(place), pl_verdict_name(verdict), id);
  if (at ? !pl_str_is(place, at) : loop->at.begin != loop->node->range.begin)
    fail_msg("%s at '%.*s', not at '%s'", id, PL_FMT(place), at ? at : "loop");
}

void b_refused(const pl_loop *loop, const char *id, const char *at) {
  b_expect(loop, PL_VERDICT_REFUSED, id, at);
}

void b_open(const pl_loop *loop) {
  if (loop->settled)
    fail_msg("%s %s '%.*s' at '%.*s'", pl_verdict_name(loop->verdict),
             loop->id ? loop->id : "", PL_FMT(loop->message),
             PL_FMT(pl_unit_slice(loop->unit, loop->at)));
}
