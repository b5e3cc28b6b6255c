/* model.c - reading the model: names, positions, walks, values and dumps.
 *
 * Needs a filled pl_unit and nothing else; libclang is not known here. */
#include "model.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *pl_node_kind_name(pl_node_kind kind) {
  static const char *const names[] = {
#define X(name, children) #name,
      PL_NODE_KINDS(X)
#undef X
  };
  size_t at = (size_t)kind;
  return at < sizeof names / sizeof *names ? names[at] : "?";
}

const char *pl_op_name(pl_op op) {
  static const char *const names[] = {
#define X(name, spelling) spelling,
      PL_OPS(X)
#undef X
  };
  size_t at = (size_t)op;
  return at < sizeof names / sizeof *names ? names[at] : "?";
}

pl_str pl_unit_slice(const pl_unit *unit, pl_range range) {
  if (range.begin >= range.end || range.end > unit->text.n)
    return (pl_str){NULL, 0};
  return (pl_str){unit->text.p + range.begin, range.end - range.begin};
}

static void find_lines(pl_unit *unit) {
  uint32_t n = 1;
  for (size_t i = 0; i < unit->text.n; i++)
    n += unit->text.p[i] == '\n';
  unit->lines = PL_NEW_ARRAY(unit->arena, uint32_t, n);
  unit->nlines = 1;
  for (size_t i = 0; i < unit->text.n; i++)
    if (unit->text.p[i] == '\n')
      unit->lines[unit->nlines++] = (uint32_t)i + 1;
}

void pl_unit_index(pl_unit *unit) {
  find_lines(unit);
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    pl_macro_line line = pl_macro_of(pl_directive_at(unit, i));
    line.begin = unit->tokens[i].range.begin;
    if (line.defines)
      PL_PUSH(unit->arena, unit->defines, unit->ndefines, unit->defines_cap,
              line);
  }
}

void pl_unit_position(const pl_unit *unit, uint32_t offset, unsigned *line,
                      unsigned *column) {
  uint32_t end = offset < unit->text.n ? offset : (uint32_t)unit->text.n;
  uint32_t first = 0, behind = unit->nlines;
  while (behind - first > 1) {
    uint32_t middle = first + (behind - first) / 2;
    if (unit->lines[middle] <= end)
      first = middle;
    else
      behind = middle;
  }
  *line = first + 1;
  *column = end - (unit->nlines ? unit->lines[first] : 0) + 1;
}

/* Of a text of which nothing is looked up: the source of an expanded one. */
static void find_position(pl_str text, uint32_t offset, unsigned *line,
                          unsigned *column) {
  uint32_t end = offset < text.n ? offset : (uint32_t)text.n;
  unsigned lines = 1;
  uint32_t line_begin = 0;
  for (uint32_t i = 0; i < end; i++)
    if (text.p[i] == '\n') {
      lines++;
      line_begin = i + 1;
    }
  *line = lines;
  *column = end - line_begin + 1;
}

pl_range pl_origin_of(const pl_expanded *expanded, pl_range range) {
  uint32_t n = expanded ? (uint32_t)expanded->text.n : 0;
  if (!n || !expanded->origins)
    return range;
  uint32_t begin = range.begin < n ? expanded->origins[range.begin].begin
                                   : expanded->origins[n - 1].end;
  uint32_t end = range.end > range.begin && range.end <= n
                     ? expanded->origins[range.end - 1].end
                     : begin;
  return (pl_range){begin, end};
}

pl_range pl_unit_place(const pl_unit *unit, pl_range range, unsigned *line,
                       unsigned *column) {
  range = pl_origin_of(unit->expanded, range);
  if (unit->expanded)
    find_position(unit->expanded->source, range.begin, line, column);
  else
    pl_unit_position(unit, range.begin, line, column);
  return range;
}

pl_node *pl_node_bare(pl_node *node) {
  while (node && node->kind == PL_NODE_PAREN && node->nkids > 0)
    node = node->kids[0];
  return node;
}

bool pl_node_is_array_range(const pl_node *node) {
  if (node->kind != PL_NODE_RANGE_FOR || node->nkids != 3 || !node->kids[0] ||
      node->kids[0]->kind != PL_NODE_VAR || node->kids[0]->nkids != 1)
    return false;
  pl_node_kind kind = node->kids[0]->kids[0]->kind;
  return kind == PL_NODE_SUBSCRIPT || kind == PL_NODE_EMPTY;
}

bool pl_node_is_loop(const pl_node *node) {
  return node->kind == PL_NODE_FOR || node->kind == PL_NODE_WHILE ||
         node->kind == PL_NODE_DO || node->kind == PL_NODE_RANGE_FOR;
}

bool pl_node_is_step(const pl_node *node) {
  return node->kind == PL_NODE_UNARY && node->op >= PL_OP_PREINC &&
         node->op <= PL_OP_POSTDEC;
}

bool pl_node_changes(const pl_node *node) {
  if (!node)
    return false;
  if (node->kind == PL_NODE_ASSIGN || pl_node_is_step(node))
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (pl_node_changes(node->kids[i]))
      return true;
  return false;
}

pl_node *pl_node_loop_body(const pl_node *node) {
  switch (node->kind) {
  case PL_NODE_FOR:
    return node->kids[3];
  case PL_NODE_WHILE:
    return node->kids[1];
  case PL_NODE_DO:
    return node->kids[0];
  default:
    return NULL;
  }
}

/* `({ a; b; })`, whose value is that of its last statement. */
static bool gives_last(const pl_node *block) {
  pl_node_kind kind = block->parent ? block->parent->kind : PL_NODE_COMPOUND;
  return kind == PL_NODE_CONSTRUCT || kind == PL_NODE_UNKNOWN ||
         kind == PL_NODE_PAREN || kind == PL_NODE_CAST;
}

pl_origin pl_omitted_arguments(const pl_func *func, const pl_node *call) {
  pl_origin origin = PL_ORIGIN_NUMBERS;
  for (uint32_t i = call->nkids ? call->nkids - 1 : 0; i < func->nparams; i++)
    if (func->params[i]->unless_given > origin)
      origin = func->params[i]->unless_given;
  return origin;
}

bool pl_node_is_statement(const pl_node *node) {
  const pl_node *up = node->parent;
  if (!up)
    return true;
  switch (up->kind) {
  case PL_NODE_COMPOUND:
    return !gives_last(up) || up->kids[up->nkids - 1] != node;
  case PL_NODE_LABEL:
  case PL_NODE_CASE:
    return true;
  case PL_NODE_IF:
    return up->kids[0] != node;
  case PL_NODE_FOR:
  case PL_NODE_WHILE:
  case PL_NODE_DO:
    return pl_node_loop_body(up) == node;
  default:
    return false;
  }
}

bool pl_if_has_init(const pl_node *node) {
  return node->kind == PL_NODE_IF && node->parent &&
         node->parent->kind == PL_NODE_COMPOUND &&
         pl_str_is(node->parent->name, "if");
}

bool pl_node_has(const pl_node *node, pl_node_kind kind) {
  bool found = node && node->kind == kind;
  for (uint32_t i = 0; node && i < node->nkids && !found; i++)
    found = pl_node_has(node->kids[i], kind);
  return found;
}

bool pl_node_within(const pl_node *node, const pl_node *ancestor) {
  for (; node; node = node->parent)
    if (node == ancestor)
      return true;
  return false;
}

bool pl_range_inside(pl_range inner, pl_range outer) {
  return inner.begin >= outer.begin && inner.end <= outer.end;
}

void pl_node_walk(pl_node *node, pl_visit *visit, void *context) {
  if (!node || !visit(node, context))
    return;
  for (uint32_t i = 0; i < node->nkids; i++)
    pl_node_walk(node->kids[i], visit, context);
}

/* ---- dumps -------------------------------------------------------------- */

static void dump_indent(int depth, pl_text *out) {
  for (int i = 0; i < depth; i++)
    pl_text_add(out, PL_STR("  "));
}

/* "line:column-line:column", or "-" for what is not in the main file. */
static void dump_range(const pl_unit *unit, pl_range range, pl_text *out) {
  unsigned line, column, end_line, end_column;
  if (range.end == 0) {
    pl_text_add(out, PL_STR(" -"));
    return;
  }
  pl_unit_position(unit, range.begin, &line, &column);
  pl_unit_position(unit, range.end, &end_line, &end_column);
  pl_text_printf(out, " %u:%u-%u:%u", line, column, end_line, end_column);
}

static void dump_type(const pl_type *type, pl_text *out) {
  if (type)
    pl_text_printf(out, " '%s%s%.*s'", type->is_const ? "const " : "",
                   type->is_volatile ? "volatile " : "",
                   PL_FMT(type->spelling));
}

/* What a variable, parameter or function is, behind its name. */
static void dump_decl(const pl_decl *decl, pl_text *out) {
  static const char *const kinds[] = {"var",    "param",  "func",
                                      "tvalue", "ttype",  "enum",
                                      "field",  "method", "other"};
  pl_text_printf(out, " %s", kinds[decl->kind]);
  dump_type(decl->type, out);
  const struct {
    bool on;
    const char *name;
  } flags[] = {
      {decl->is_shared, "shared"},     {decl->is_extern, "extern"},
      {decl->is_static, "static"},     {decl->is_constant_memory, "constant"},
      {decl->is_device, "device"},     {decl->is_constexpr, "constexpr"},
      {decl->is_volatile, "volatile"}, {decl->from_macro, "macro"}};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (flags[i].on)
      pl_text_printf(out, " %s", flags[i].name);
  if (decl->align_attr)
    pl_text_printf(out, " align=%" PRId64, decl->align_attr);
  if (decl->has_value)
    pl_text_printf(out, " value=%" PRId64, decl->value);
}

static void dump_dims(const pl_unit *unit, const pl_decl *decl, int depth,
                      pl_text *out) {
  for (uint32_t i = 0; i < decl->ndims; i++) {
    dump_indent(depth, out);
    pl_text_add(out, PL_STR("dim:\n"));
    pl_node_dump(unit, decl->dims[i], depth + 1, out);
  }
}

/* One line: everything that a node says about itself. */
static void dump_line(const pl_unit *unit, const pl_node *node, pl_text *out) {
  pl_text_printf(out, "%s", pl_node_kind_name(node->kind));
  if (node->op != PL_OP_NONE)
    pl_text_printf(
        out, " %s%s", pl_op_name(node->op),
        node->kind == PL_NODE_ASSIGN && node->op != PL_OP_ASSIGN ? "=" : "");
  if (node->op == PL_OP_POSTINC || node->op == PL_OP_POSTDEC)
    pl_text_add(out, PL_STR(" post"));
  if (node->name.n)
    pl_text_printf(out, " %.*s", PL_FMT(node->name));
  if (node->is_arrow)
    pl_text_add(out, PL_STR(" ->"));
  if (node->has_ival)
    pl_text_printf(out, " =%" PRId64, node->ival);
  if (node->kind == PL_NODE_VAR && node->decl)
    dump_decl(node->decl, out);
  else if (node->decl)
    pl_text_printf(out, " {%.*s}", PL_FMT(node->decl->qualified));
  if (node->kind != PL_NODE_VAR)
    dump_type(node->type, out);
  dump_range(unit, node->range, out);
  if (node->op_range.end) {
    pl_text_add(out, PL_STR(" op"));
    dump_range(unit, node->op_range, out);
  }
  if (node->from_macro)
    pl_text_add(out, PL_STR(" macro"));
  pl_text_add(out, PL_STR("\n"));
}

void pl_node_dump(const pl_unit *unit, const pl_node *node, int depth,
                  pl_text *out) {
  dump_indent(depth, out);
  if (!node) {
    pl_text_add(out, PL_STR("null\n"));
    return;
  }
  dump_line(unit, node, out);
  if (node->kind == PL_NODE_VAR && node->decl)
    dump_dims(unit, node->decl, depth + 1, out);
  for (uint32_t i = 0; i < node->nkids; i++)
    pl_node_dump(unit, node->kids[i], depth + 1, out);
}

static void dump_instances(const pl_func *func, pl_text *out) {
  for (uint32_t i = 0; i < func->ninstances; i++)
    pl_text_printf(out, "  instance <%.*s>\n",
                   PL_FMT(func->instances[i].spelling));
}

static void dump_launches(const pl_unit *unit, const pl_func *func,
                          pl_text *out) {
  for (uint32_t i = 0; i < func->nlaunches; i++) {
    const pl_launch_site *site = &func->launches[i];
    pl_text_printf(
        out, "  launch threads=%" PRId64 " shared=%" PRId64 " instance=%d",
        site->threads, site->shared_bytes, site->instance);
    dump_range(unit, site->range, out);
    pl_text_add(out, PL_STR("\n"));
  }
}

static void dump_func(const pl_unit *unit, const pl_func *func, pl_text *out) {
  pl_text_printf(out, "func %.*s", PL_FMT(func->qualified));
  const struct {
    bool on;
    const char *name;
  } flags[] = {{func->is_global, "global"},     {func->is_device, "device"},
               {func->is_host, "host"},         {func->is_template, "template"},
               {func->is_extern_c, "extern_c"}, {func->is_method, "method"},
               {func->from_macro, "macro"},     {!func->in_main, "header"}};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (flags[i].on)
      pl_text_printf(out, " %s", flags[i].name);
  if (func->launch_bounds)
    pl_text_printf(out, " bounds=%" PRId64, func->launch_bounds);
  dump_range(unit, func->range, out);
  pl_text_add(out, PL_STR("\n"));
  for (uint32_t i = 0; i < func->ntemplate_params + func->nparams; i++) {
    const pl_decl *param = i < func->ntemplate_params
                               ? func->template_params[i]
                               : func->params[i - func->ntemplate_params];
    pl_text_printf(out, "  %.*s", PL_FMT(param->name));
    dump_decl(param, out);
    dump_range(unit, param->range, out);
    pl_text_add(out, PL_STR("\n"));
  }
  dump_instances(func, out);
  dump_launches(unit, func, out);
  pl_node_dump(unit, func->body, 1, out);
}

void pl_unit_dump(const pl_unit *unit, pl_text *out) {
  for (uint32_t i = 0; i < unit->nfuncs; i++)
    dump_func(unit, unit->funcs[i], out);
  for (uint32_t i = 0; i < unit->nproblems; i++) {
    const pl_problem *problem = &unit->problems[i];
    pl_text_printf(out, "problem%s", problem->uncovered ? " uncovered" : "");
    dump_range(unit, problem->range, out);
    pl_text_printf(out, " %.*s\n", PL_FMT(problem->message));
  }
}

/* ---- types and values --------------------------------------------------- */

/* The template argument that the template parameter `name` of `func` stands
 * for, NULL where there is none. */
static const struct pl_template_arg *
argument_named(const pl_func *func, const pl_instance *instance, pl_str name) {
  if (!func || !instance)
    return NULL;
  for (uint32_t i = 0; i < func->ntemplate_params; i++)
    if (i < instance->nargs && pl_str_eq(func->template_params[i]->name, name))
      return &instance->args[i];
  return NULL;
}

/* Clang's canonical name of a parameter, "type-parameter-0-INDEX". */
static const struct pl_template_arg *
argument_canonical(const pl_instance *instance, pl_str spelling) {
  static const char prefix[] = "type-parameter-0-";
  uint32_t index = 0;
  if (!instance || !pl_str_starts(spelling, prefix) ||
      spelling.n == sizeof prefix - 1 || spelling.n > sizeof prefix + 4)
    return NULL;
  for (size_t i = sizeof prefix - 1; i < spelling.n; i++) {
    if (spelling.p[i] < '0' || spelling.p[i] > '9')
      return NULL;
    index = index * 10 + (uint32_t)(spelling.p[i] - '0');
  }
  return index < instance->nargs ? &instance->args[index] : NULL;
}

/* What a type that hangs on the template becomes, by its canonical name. */
static const pl_type *type_by_spelling(const pl_instance *instance,
                                       pl_str spelling) {
  for (size_t i = 0; instance && i < instance->ntypes; i++)
    if (pl_str_eq(instance->types[i].spelling, spelling))
      return instance->types[i].type;
  return NULL;
}

const pl_type *pl_type_settled(const pl_type *type, const pl_func *func,
                               const pl_instance *instance) {
  if (!type || type->kind != PL_TYPE_DEPENDENT)
    return type;
  const struct pl_template_arg *arg =
      argument_canonical(instance, type->spelling);
  if (!arg)
    arg = argument_named(func, instance, type->written);
  if (arg)
    return arg->is_value ? NULL : arg->type;
  return type_by_spelling(instance, type->spelling);
}

const pl_type *pl_decl_type(const pl_decl *decl, const pl_instance *instance) {
  uint32_t at = decl->name_range.begin;
  for (size_t i = 0; instance && decl->name_range.end && i < instance->nfacts;
       i++)
    if (instance->facts[i].type && instance->facts[i].at.begin == at &&
        instance->facts[i].at.end == at)
      return instance->facts[i].type;
  return decl->type;
}

int64_t pl_type_size(const pl_type *type, const pl_func *func,
                     const pl_instance *instance) {
  type = pl_type_settled(type, func, instance);
  if (!type)
    return -1;
  if (type->size >= 0)
    return type->size;
  if (type->kind == PL_TYPE_ARRAY && type->count >= 0) {
    int64_t each = pl_type_size(type->element, func, instance), size;
    return each < 0 || __builtin_mul_overflow(each, type->count, &size) ? -1
                                                                        : size;
  }
  return -1;
}

/* `value` as an object of the integer type `type` would hold it. */
static int64_t wrapped(int64_t value, const pl_type *type) {
  if (!type || (type->kind != PL_TYPE_INT && type->kind != PL_TYPE_BOOL))
    return value;
  if (type->kind == PL_TYPE_BOOL)
    return value != 0;
  if (type->size <= 0 || type->size >= 8)
    return value;
  unsigned bits = (unsigned)type->size * 8;
  uint64_t mask = ((uint64_t)1 << bits) - 1, low = (uint64_t)value & mask;
  if (!type->is_unsigned && (low >> (bits - 1)) != 0)
    return (int64_t)(low | ~mask);
  return (int64_t)low;
}

/* True where C++ computes in unsigned: 8 byte and 4 byte operands. */
static bool is_unsigned_arithmetic(const pl_type *type) {
  return type && type->kind == PL_TYPE_INT && type->is_unsigned &&
         type->size >= 4;
}

static bool divide(pl_op op, int64_t a, int64_t b, bool is_unsigned,
                   int64_t *value) {
  if (b == 0 || (!is_unsigned && a == INT64_MIN && b == -1))
    return false;
  if (is_unsigned)
    *value = (int64_t)(op == PL_OP_DIV ? (uint64_t)a / (uint64_t)b
                                       : (uint64_t)a % (uint64_t)b);
  else
    *value = op == PL_OP_DIV ? a / b : a % b;
  return true;
}

static bool shift(pl_op op, int64_t a, int64_t b, int64_t *value) {
  if (b < 0 || b > 62 || (op == PL_OP_SHL && a < 0))
    return false;
  *value = op == PL_OP_SHL ? (int64_t)((uint64_t)a << b) : a >> b;
  return true;
}

static int64_t compared(pl_op op, int64_t a, int64_t b, bool is_unsigned) {
  bool less = is_unsigned ? (uint64_t)a < (uint64_t)b : a < b;
  switch (op) {
  case PL_OP_LT:
    return less;
  case PL_OP_GE:
    return !less;
  case PL_OP_GT:
    return !less && a != b;
  case PL_OP_LE:
    return less || a == b;
  case PL_OP_EQ:
    return a == b;
  default:
    return a != b;
  }
}

/* a OP b; false for what overflows or has no value. */
static bool binary_value(pl_op op, int64_t a, int64_t b, bool is_unsigned,
                         int64_t *value) {
  switch (op) {
  case PL_OP_ADD:
    return !__builtin_add_overflow(a, b, value);
  case PL_OP_SUB:
    return !__builtin_sub_overflow(a, b, value);
  case PL_OP_MUL:
    return !__builtin_mul_overflow(a, b, value);
  case PL_OP_DIV:
  case PL_OP_REM:
    return divide(op, a, b, is_unsigned, value);
  case PL_OP_SHL:
  case PL_OP_SHR:
    return shift(op, a, b, value);
  case PL_OP_AND:
    return *value = a & b, true;
  case PL_OP_OR:
    return *value = a | b, true;
  case PL_OP_XOR:
    return *value = a ^ b, true;
  case PL_OP_LT:
  case PL_OP_GT:
  case PL_OP_LE:
  case PL_OP_GE:
  case PL_OP_EQ:
  case PL_OP_NE:
    return *value = compared(op, a, b, is_unsigned), true;
  default:
    return false;
  }
}

/* The arguments that every evaluation step hands on. */
typedef struct evaluation {
  const pl_func *func;
  const pl_instance *instance;
  int depth; /* stops initialisers that name themselves */
} evaluation;

static bool evaluate(const pl_node *node, evaluation eval, int64_t *value);

static bool evaluate_logical(const pl_node *node, evaluation eval,
                             int64_t *value) {
  int64_t a, b;
  if (!evaluate(node->kids[0], eval, &a))
    return false;
  if ((node->op == PL_OP_LAND) == (a == 0))
    return *value = a != 0, true;
  if (!evaluate(node->kids[1], eval, &b))
    return false;
  return *value = b != 0, true;
}

static bool evaluate_binary(const pl_node *node, evaluation eval,
                            int64_t *value) {
  int64_t a, b;
  if (node->nkids != 2)
    return false;
  if (node->op == PL_OP_LAND || node->op == PL_OP_LOR)
    return evaluate_logical(node, eval, value);
  if (!evaluate(node->kids[0], eval, &a) || !evaluate(node->kids[1], eval, &b))
    return false;
  bool is_unsigned = is_unsigned_arithmetic(node->kids[0]->type) ||
                     is_unsigned_arithmetic(node->kids[1]->type);
  if (!binary_value(node->op, a, b, is_unsigned, value))
    return false;
  *value = wrapped(*value, node->type);
  return true;
}

static bool evaluate_unary(const pl_node *node, evaluation eval,
                           int64_t *value) {
  int64_t a;
  if (node->nkids != 1 || !evaluate(node->kids[0], eval, &a))
    return false;
  switch (node->op) {
  case PL_OP_PLUS:
    *value = a;
    break;
  case PL_OP_MINUS:
    if (__builtin_sub_overflow((int64_t)0, a, value))
      return false;
    break;
  case PL_OP_NOT:
    *value = ~a;
    break;
  case PL_OP_LNOT:
    *value = a == 0;
    break;
  default:
    return false;
  }
  *value = wrapped(*value, node->type);
  return true;
}

static bool same_range(pl_range a, pl_range b) {
  return a.begin == b.begin && a.end == b.end;
}

/* What an instantiation says about a name: at its own place, or where the text
 * shows it elsewhere, in an attribute, by what all places say that bear it. */
static bool evaluate_fact(const pl_node *node, const pl_instance *instance,
                          int64_t *value) {
  for (int by_name = 0; by_name < 2; by_name++) {
    bool found = false;
    for (size_t i = 0; instance && i < instance->nfacts; i++) {
      const pl_instance_fact *fact = &instance->facts[i];
      bool here = by_name ? node->name.n && pl_str_eq(fact->name, node->name)
                          : node->range.end && same_range(fact->at, node->range);
      if (!here || !fact->has_value)
        continue;
      if (found && *value != fact->value)
        return false;
      found = true;
      *value = fact->value;
    }
    if (found)
      return true;
  }
  return false;
}

/* `T::name`, where T is a template parameter that stands for a record. */
static bool evaluate_member_constant(const pl_node *node, evaluation eval,
                                     int64_t *value) {
  if (evaluate_fact(node, eval.instance, value))
    return true;
  size_t at = node->name.n;
  while (at >= 2 && memcmp(node->name.p + at - 2, "::", 2) != 0)
    at--;
  if (at < 2)
    return false;
  pl_str scope = {node->name.p, at - 2};
  pl_str name = {node->name.p + at, node->name.n - at};
  const struct pl_template_arg *arg =
      argument_named(eval.func, eval.instance, scope);
  if (!arg || arg->is_value || !arg->type)
    return false;
  for (uint32_t i = 0; i < arg->type->nconstants; i++)
    if (pl_str_eq(arg->type->constants[i]->name, name))
      return *value = arg->type->constants[i]->value, true;
  return false;
}

/* A name: a template parameter under the instance, or a constant. */
static bool evaluate_ref(const pl_node *node, evaluation eval, int64_t *value) {
  const pl_decl *decl = node->decl;
  if (!decl)
    return evaluate_member_constant(node, eval, value);
  if (decl->has_value)
    return *value = decl->value, true;
  if (decl->kind == PL_DECL_TEMPLATE_VALUE) {
    const struct pl_template_arg *arg =
        argument_named(eval.func, eval.instance, decl->name);
    if (!arg || !arg->is_value)
      return false;
    return *value = arg->value, true;
  }
  bool fixed = decl->is_constexpr || (decl->type && decl->type->is_const &&
                                      decl->type->kind != PL_TYPE_REFERENCE);
  if (decl->kind != PL_DECL_VAR || !fixed || decl->is_volatile)
    return false;
  if (!evaluate(decl->init, eval, value))
    return false;
  *value = wrapped(*value, decl->type);
  return true;
}

/* sizeof: of an operand expression, or of the type that the node carries in
 * its decl's stead; plain values were taken from clang already. */
static bool evaluate_sizeof(const pl_node *node, evaluation eval,
                            int64_t *value) {
  if (evaluate_fact(node, eval.instance, value))
    return true;
  if (!pl_str_is(node->name, "sizeof") || node->nkids != 1 || !node->kids[0])
    return false;
  *value = pl_type_size(node->kids[0]->type, eval.func, eval.instance);
  return *value >= 0;
}

static bool evaluate_cond(const pl_node *node, evaluation eval,
                          int64_t *value) {
  int64_t condition;
  if (node->nkids != 3 || !evaluate(node->kids[0], eval, &condition))
    return false;
  return evaluate(node->kids[condition ? 1 : 2], eval, value);
}

static bool evaluate(const pl_node *node, evaluation eval, int64_t *value) {
  if (!node || eval.depth > 200)
    return false;
  if (node->has_ival)
    return *value = node->ival, true;
  eval.depth++;
  switch (node->kind) {
  case PL_NODE_PAREN:
    return node->nkids == 1 && evaluate(node->kids[0], eval, value);
  case PL_NODE_CAST:
    if (node->nkids != 1 || !node->type ||
        (node->type->kind != PL_TYPE_INT && node->type->kind != PL_TYPE_BOOL) ||
        !evaluate(node->kids[0], eval, value))
      return false;
    *value = wrapped(*value, node->type);
    return true;
  case PL_NODE_REF:
    return evaluate_ref(node, eval, value);
  case PL_NODE_UNARY:
    return evaluate_unary(node, eval, value);
  case PL_NODE_BINARY:
    return evaluate_binary(node, eval, value);
  case PL_NODE_COND:
    return evaluate_cond(node, eval, value);
  case PL_NODE_SIZEOF:
    return evaluate_sizeof(node, eval, value);
  default:
    return false;
  }
}

bool pl_node_eval(const pl_node *node, const pl_func *func,
                  const pl_instance *instance, int64_t *value) {
  return evaluate(node, (evaluation){func, instance, 0}, value);
}
