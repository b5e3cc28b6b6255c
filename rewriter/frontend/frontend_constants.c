/* frontend_constants.c - constant expressions from tokens, for what libclang
 * shows no tree of: attributes' arguments, explicit instantiations and those
 * that launch descriptions name.
 *
 * Needs the unit's tokens; names are looked up by the caller. Precedence
 * climbing over integer expressions; whatever is outside of that is NULL, and
 * NULL means "unknown". */
#include "const_eval.h"
#include "frontend_parts.h"

#include <stdlib.h>
#include <string.h>

typedef struct reader {
  const pl_unit *unit; /* whose tokens are read: the file's or a macro's */
  const pl_unit *file; /* where macros are defined */
  uint32_t before;     /* a file's token index: later definitions are unseen */
  uint32_t at, end;
  pl_name_lookup *lookup;
  void *context;
  int depth; /* brackets and macros */
} reader;

static pl_node *read_expression(reader *in, int lowest);

static bool accept(reader *in, const char *spelling) {
  in->at = pl_token_code(in->unit, in->at);
  if (in->at >= in->end || !pl_token_is(in->unit, in->at, spelling))
    return false;
  in->at++;
  return true;
}

static pl_node *make_node(reader *in, pl_node_kind kind, pl_range range) {
  pl_node *node = PL_NEW(in->unit->arena, pl_node);
  node->kind = kind;
  node->range = range;
  return node;
}

static void set_kids(reader *in, pl_node *node, pl_node *a, pl_node *b) {
  node->kids = PL_NEW_ARRAY(in->unit->arena, pl_node *, 2);
  node->kids[0] = a;
  node->kids[1] = b;
  node->nkids = b ? 2 : 1;
  a->parent = node;
  if (b)
    b->parent = node;
}

/* The types of integer literals, in the order in which they are tried. */
static const pl_type literal_types[] = {
    {.kind = PL_TYPE_INT, .size = 4, .align = 4, .spelling = {"int", 3}},
    {.kind = PL_TYPE_INT, .size = 4, .align = 4, .is_unsigned = true,
     .spelling = {"unsigned int", 12}},
    {.kind = PL_TYPE_INT, .size = 8, .align = 8, .spelling = {"long", 4}},
    {.kind = PL_TYPE_INT, .size = 8, .align = 8, .is_unsigned = true,
     .spelling = {"unsigned long", 13}}};

/* The first one that has the value; an unsigned one where the suffix has a u, or
 * the literal is no decimal number. NULL: none has. */
static const pl_type *literal_type(uint64_t value, const char *suffix,
                                   bool decimal) {
  bool u = strpbrk(suffix, "uU") != NULL;
  bool wide = strpbrk(suffix, "lLzZ") != NULL;
  for (size_t i = wide ? 2 : 0; i < 4; i++) {
    const pl_type *type = &literal_types[i];
    uint64_t most = UINT64_MAX >> (64 - 8 * type->size + !type->is_unsigned);
    if (value <= most && (type->is_unsigned ? u || !decimal : !u))
      return type;
  }
  return NULL;
}

/* An integer literal: bases, separators and suffixes as C++ has them. */
static pl_node *read_number(reader *in) {
  char digits[64];
  size_t n = 0;
  pl_range range = in->unit->tokens[in->at].range;
  pl_str text = pl_unit_slice(in->unit, range);
  for (size_t i = 0; i < text.n && n + 1 < sizeof digits; i++)
    if (text.p[i] != '\'')
      digits[n++] = text.p[i];
  digits[n] = '\0';
  bool binary = digits[0] == '0' && (digits[1] | 0x20) == 'b';
  char *end;
  unsigned long long value =
      strtoull(binary ? digits + 2 : digits, &end, binary ? 2 : 0);
  const pl_type *type = literal_type(value, end, digits[0] != '0');
  if (strspn(end, "uUlLzZ") != strlen(end) || !type)
    return NULL;
  pl_node *node = make_node(in, PL_NODE_INT, range);
  node->type = type;
  node->has_ival = true;
  node->ival = (int64_t)value;
  in->at++;
  return node;
}

/* The replacement of an object-like macro of the main file: the last #define
 * of the name before `before`. */
static pl_str macro_body(const pl_unit *unit, pl_str name, uint32_t before) {
  pl_str body = {NULL, 0};
  uint32_t end = before < unit->ntokens ? unit->tokens[before].range.begin
                                        : UINT32_MAX;
  for (size_t i = 0; i < unit->ndefines && unit->defines[i].begin < end; i++) {
    const pl_macro_line *line = &unit->defines[i];
    if (pl_str_eq(line->name, name) && line->body.n && line->body.p[0] != '(')
      body = line->body;
  }
  return body;
}

/* The literal type of a value; NULL: it has no such type, as a truth. */
static const pl_type *type_of(pl_const value) {
  for (size_t i = 0; i < 4; i++)
    if (literal_types[i].size == value.bytes &&
        literal_types[i].is_unsigned == value.is_unsigned)
      return &literal_types[i];
  return NULL;
}

/* A macro's value as a literal whose range is the name. */
static pl_node *read_macro(reader *in, pl_str name, pl_range range) {
  pl_str body = macro_body(in->file, name, in->before);
  if (!body.n || in->depth > 16)
    return NULL;
  pl_unit inner = *in->unit;
  inner.text = body;
  inner.tokens = pl_lex(inner.arena, body, &inner.ntokens);
  reader nested = {.unit = &inner,
                   .file = in->file,
                   .before = in->before,
                   .end = inner.ntokens,
                   .lookup = in->lookup,
                   .context = in->context,
                   .depth = in->depth + 1};
  pl_node *tree = read_expression(&nested, 0);
  pl_const value = tree && nested.at == nested.end
                       ? pl_const_eval(&(pl_const_scope){0}, tree)
                       : pl_const_unknown;
  if (!value.known)
    return NULL;
  pl_node *node = make_node(in, PL_NODE_INT, range);
  node->type = type_of(value);
  node->from_macro = node->has_ival = true;
  node->ival = value.bits;
  return node;
}

static pl_node *read_name(reader *in) {
  pl_range range = in->unit->tokens[in->at].range;
  pl_str name = pl_token_text(in->unit, in->at++);
  while (accept(in, "::")) {
    in->at = pl_token_code(in->unit, in->at);
    if (in->at >= in->end)
      return NULL;
    name = pl_arena_printf(in->unit->arena, "%.*s::%.*s", PL_FMT(name),
                           PL_FMT(pl_token_text(in->unit, in->at)));
    range.end = in->unit->tokens[in->at++].range.end;
  }
  pl_node *macro = read_macro(in, name, range);
  if (macro)
    return macro;
  pl_decl *decl = in->lookup ? in->lookup(in->context, name) : NULL;
  if (!decl && !pl_str_has(name, "::"))
    return NULL;
  pl_node *node = make_node(in, PL_NODE_REF, range);
  node->decl = decl;
  node->name = name;
  node->has_ival = decl && decl->has_value;
  node->ival = node->has_ival ? decl->value : 0;
  return node;
}

static pl_node *read_unary(reader *in, pl_op op, pl_range token) {
  pl_node *operand = read_expression(in, 100);
  if (!operand)
    return NULL;
  pl_node *node = make_node(in, PL_NODE_UNARY, token);
  node->op = op;
  node->range.end = operand->range.end;
  set_kids(in, node, operand, NULL);
  return node;
}

static pl_node *read_parenthesis(reader *in, pl_range open) {
  pl_node *inner = read_expression(in, 0);
  if (!inner || !accept(in, ")"))
    return NULL;
  pl_node *node = make_node(in, PL_NODE_PAREN, open);
  node->range.end = in->unit->tokens[in->at - 1].range.end;
  set_kids(in, node, inner, NULL);
  return node;
}

static pl_node *read_primary(reader *in) {
  in->at = pl_token_code(in->unit, in->at);
  if (in->at >= in->end || in->depth > 64)
    return NULL;
  const pl_token *token = &in->unit->tokens[in->at];
  if (token->kind == PL_TOK_NUMBER)
    return read_number(in);
  if (token->kind == PL_TOK_IDENT)
    return read_name(in);
  if (accept(in, "("))
    return read_parenthesis(in, token->range);
  if (accept(in, "-"))
    return read_unary(in, PL_OP_MINUS, token->range);
  if (accept(in, "+"))
    return read_unary(in, PL_OP_PLUS, token->range);
  if (accept(in, "~"))
    return read_unary(in, PL_OP_NOT, token->range);
  if (accept(in, "!"))
    return read_unary(in, PL_OP_LNOT, token->range);
  return NULL;
}

/* The binary operator at the reader, with its precedence; 0: none. */
static int binary_at(const reader *in, pl_op *op) {
  static const struct {
    pl_op op;
    int precedence;
  } table[] = {{PL_OP_MUL, 10}, {PL_OP_DIV, 10}, {PL_OP_REM, 10},
               {PL_OP_ADD, 9},  {PL_OP_SUB, 9},  {PL_OP_SHL, 8},
               {PL_OP_SHR, 8},  {PL_OP_LT, 7},   {PL_OP_GT, 7},
               {PL_OP_LE, 7},   {PL_OP_GE, 7},   {PL_OP_EQ, 6},
               {PL_OP_NE, 6},   {PL_OP_AND, 5},  {PL_OP_XOR, 4},
               {PL_OP_OR, 3},   {PL_OP_LAND, 2}, {PL_OP_LOR, 1}};
  uint32_t at = pl_token_code(in->unit, in->at);
  for (size_t i = 0; at < in->end && i < sizeof table / sizeof *table; i++)
    if (pl_token_is(in->unit, at, pl_op_name(table[i].op))) {
      *op = table[i].op;
      return table[i].precedence;
    }
  return 0;
}

/* An expression of operators that bind tighter than `lowest`. */
static pl_node *read_expression(reader *in, int lowest) {
  in->depth++;
  pl_node *left = read_primary(in);
  pl_op op = PL_OP_NONE;
  for (int level; left && (level = binary_at(in, &op)) > lowest;) {
    in->at = pl_token_code(in->unit, in->at);
    pl_range token = in->unit->tokens[in->at++].range;
    pl_node *right = read_expression(in, level);
    if (!right) {
      left = NULL;
      break;
    }
    pl_node *node = make_node(in, PL_NODE_BINARY, left->range);
    node->op = op;
    node->op_range = token;
    node->range.end = right->range.end;
    set_kids(in, node, left, right);
    left = node;
  }
  in->depth--;
  return left;
}

pl_node *pl_parse_constant(const pl_unit *unit, uint32_t first, uint32_t last,
                           pl_name_lookup *lookup, void *context) {
  reader in = {.unit = unit,
               .file = unit,
               .before = first,
               .at = first,
               .end = last,
               .lookup = lookup,
               .context = context};
  pl_node *node = read_expression(&in, 0);
  return node && pl_token_code(unit, in.at) >= last ? node : NULL;
}

/* ---- explicit instantiations -------------------------------------------- */

/* The index of the `(` that ends `template ... name<arguments>(`, with the
 * name's first token in *name; PL_NONE for anything else. */
static uint32_t instantiation_end(const pl_unit *unit, uint32_t at,
                                  uint32_t *name) {
  int depth = 0;
  *name = PL_NONE;
  for (uint32_t i = at + 1; i < unit->ntokens; i++) {
    pl_str text = pl_token_text(unit, i);
    if (pl_str_is(text, ";") || pl_str_is(text, "{"))
      return PL_NONE;
    if (pl_str_is(text, "<") && depth++ == 0 && i > at + 1 &&
        unit->tokens[i - 1].kind == PL_TOK_IDENT)
      *name = i - 1;
    else if (pl_str_is(text, ">"))
      depth--;
    else if (pl_str_is(text, ">>"))
      depth -= 2;
    else if (pl_str_is(text, ">>>"))
      depth -= 3;
    else if (pl_str_is(text, "(") && depth == 0 && *name != PL_NONE)
      return i;
    else if (pl_str_is(text, "(")) {
      uint32_t close = pl_token_match(unit, i);
      if (close == PL_NONE)
        return PL_NONE;
      i = close;
    }
  }
  return PL_NONE;
}

/* Names that stand before the name, `ns::k`: its first token. */
static uint32_t qualified_begin(const pl_unit *unit, uint32_t name) {
  while (name >= 2 && pl_token_is(unit, name - 1, "::") &&
         unit->tokens[name - 2].kind == PL_TOK_IDENT)
    name -= 2;
  return name;
}

/* The namespaces that are open at a token, as "a::b::". */
typedef struct scopes {
  pl_str names[16];
  int depth;  /* open braces */
  int opaque; /* the depth of the outermost brace that is no namespace's */
} scopes;

/* The name in `namespace a::b {` whose brace is at `brace`; empty for another
 * brace. An anonymous namespace and extern "C" have one blank. */
static pl_str namespace_name(const pl_unit *unit, uint32_t brace) {
  uint32_t first = brace;
  while (first > 0 && (unit->tokens[first - 1].kind == PL_TOK_IDENT ||
                       unit->tokens[first - 1].kind == PL_TOK_STRING ||
                       pl_token_is(unit, first - 1, "::")))
    first--;
  if (pl_token_is(unit, first, "extern"))
    return PL_STR(" ");
  if (!pl_token_is(unit, first, "namespace"))
    first++;
  if (!pl_token_is(unit, first, "namespace"))
    return (pl_str){NULL, 0};
  if (first + 1 == brace)
    return PL_STR(" ");
  pl_range range = {unit->tokens[first + 1].range.begin,
                    unit->tokens[brace - 1].range.end};
  return pl_arena_printf(unit->arena,
                         "%.*s::", PL_FMT(pl_unit_slice(unit, range)));
}

static void follow_braces(const pl_unit *unit, uint32_t at, scopes *open) {
  if (pl_token_is(unit, at, "{")) {
    pl_str name = namespace_name(unit, at);
    if (open->opaque < 0 && (!name.n || open->depth >= 16))
      open->opaque = open->depth;
    if (open->opaque < 0)
      open->names[open->depth] = name;
    open->depth++;
  } else if (pl_token_is(unit, at, "}") && open->depth > 0) {
    open->depth--;
    if (open->opaque == open->depth)
      open->opaque = -1;
  }
}

/* `k<8, 16>` in a comment `pipelinify: launch k<8, 16>`; empty for another. */
static pl_str described_instance(const pl_unit *unit, const pl_token *token) {
  static const char start[] = "pipelinify: launch ";
  pl_str text = pl_unit_slice(unit, token->range);
  while (text.n && strchr("/ \t", text.p[0])) {
    text.p++;
    text.n--;
  }
  if (!pl_str_starts(text, start))
    return (pl_str){NULL, 0};
  text.p += sizeof start - 1;
  text.n -= sizeof start - 1;
  size_t open = 0;
  while (open < text.n && !strchr("<( \t\r\n;*", text.p[open]))
    open++;
  int depth = 0;
  for (size_t i = open; i < text.n && text.p[open] == '<'; i++) {
    depth += (text.p[i] == '<') - (text.p[i] == '>');
    if (strchr(";{}\n", text.p[i]))
      break;
    if (depth == 0)
      return (pl_str){text.p, i + 1};
  }
  return (pl_str){NULL, 0};
}

/* A use of the instance, in its namespaces: the arguments are named as there. */
static void add_instance(pl_text *out, const scopes *open, pl_str name,
                         int *count) {
  int named = 0;
  pl_text_add(out, PL_STR("\n;"));
  int inner = open->opaque < 0 ? open->depth : open->opaque;
  for (int scope = 0; scope < inner; scope++) {
    pl_str space = open->names[scope];
    if (space.n < 2)
      continue;
    space.n -= 2;
    pl_text_printf(out, "namespace %.*s {", PL_FMT(space));
    named++;
  }
  pl_text_printf(out, "static auto *pl_instance_%d = &%.*s;", (*count)++,
                 PL_FMT(name));
  while (named-- > 0)
    pl_text_add(out, PL_STR("}"));
}

/* The names of the file's kernels that are templates. */
typedef struct kernel_names {
  pl_str *items;
  size_t n, cap;
} kernel_names;

static bool has_name(const kernel_names *names, pl_str name) {
  for (size_t i = 0; i < names->n; i++)
    if (pl_str_eq(names->items[i], name))
      return true;
  return false;
}

/* `k` of `__global__ void __launch_bounds__(256) k(`. */
static kernel_names find_kernels(const pl_unit *unit) {
  kernel_names names = {0};
  for (uint32_t i = 0; i + 1 < unit->ntokens; i++) {
    if (!pl_token_is(unit, i, "__global__"))
      continue;
    for (uint32_t k = i + 1; k + 1 < unit->ntokens; k++) {
      pl_str name = pl_token_text(unit, k);
      if (pl_str_is(name, ";") || pl_str_is(name, "{"))
        break;
      if (unit->tokens[k].kind != PL_TOK_IDENT || !pl_token_is(unit, k + 1, "("))
        continue;
      if (!pl_str_starts(name, "__")) {
        if (!has_name(&names, name))
          PL_PUSH(unit->arena, names.items, names.n, names.cap, name);
        break;
      }
      uint32_t close = pl_token_match(unit, k + 1);
      if (close == PL_NONE)
        break;
      k = close;
    }
  }
  return names;
}

/* Where `k<8>` ends that is no call: an element of a table of kernels, an
 * argument, `make<k<8>>()`. Clang leaves open there which instantiation is meant.
 * 0: it is something else. */
static uint32_t named_end(const pl_unit *unit, const kernel_names *names,
                          uint32_t at) {
  int depth = 0;
  if (unit->tokens[at].kind != PL_TOK_IDENT || at + 2 >= unit->ntokens ||
      !pl_token_is(unit, at + 1, "<") ||
      !has_name(names, pl_token_text(unit, at)))
    return 0;
  for (uint32_t i = at + 1; i + 1 < unit->ntokens; i++) {
    pl_str text = pl_token_text(unit, i);
    const uint32_t begin = unit->tokens[i].range.begin;
    if (pl_str_is(text, ";") || pl_str_is(text, "{") || pl_str_is(text, "}"))
      return 0;
    depth += pl_str_is(text, "<");
    int closed = pl_str_is(text, ">")     ? 1
                 : pl_str_is(text, ">>")  ? 2
                 : pl_str_is(text, ">>>") ? 3
                                          : 0;
    if (closed > depth)
      return begin + (uint32_t)depth;
    depth -= closed;
    if (depth > 0)
      continue;
    bool used = pl_token_is(unit, i + 1, "(") || pl_token_is(unit, i + 1, "<<<");
    return used ? 0 : unit->tokens[i].range.end;
  }
  return 0;
}

static bool add_named(const pl_unit *unit, const kernel_names *names,
                      uint32_t at, const scopes *open, pl_text *out,
                      int *count) {
  pl_range range = {unit->tokens[qualified_begin(unit, at)].range.begin,
                    named_end(unit, names, at)};
  if (!range.end)
    return false;
  add_instance(out, open, pl_unit_slice(unit, range), count);
  return true;
}

pl_str pl_explicit_instances(const pl_unit *unit) {
  pl_text out = {.arena = unit->arena};
  scopes open = {.opaque = -1};
  kernel_names kernels = find_kernels(unit);
  int count = 0;
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    uint32_t name;
    follow_braces(unit, i, &open);
    if (kernels.n && add_named(unit, &kernels, i, &open, &out, &count))
      continue;
    if (open.opaque >= 0)
      continue;
    if (unit->tokens[i].kind == PL_TOK_COMMENT) {
      pl_str described = described_instance(unit, &unit->tokens[i]);
      if (described.n)
        add_instance(&out, &open, described, &count);
      continue;
    }
    if (i + 1 >= unit->ntokens || !pl_token_is(unit, i, "template") ||
        pl_token_is(unit, pl_token_code(unit, i + 1), "<"))
      continue;
    uint32_t last = instantiation_end(unit, i, &name);
    if (last == PL_NONE)
      continue;
    pl_range range = {unit->tokens[qualified_begin(unit, name)].range.begin,
                      unit->tokens[last - 1].range.end};
    add_instance(&out, &open, pl_unit_slice(unit, range), &count);
  }
  return pl_text_view(&out);
}
