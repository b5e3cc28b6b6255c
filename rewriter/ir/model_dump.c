/* model_dump.c - a unit as text, for --dump-after and the tests of the frontend.
 *
 * Needs a filled pl_unit. Raises nothing. */
#include "model.h"

#include <inttypes.h>

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
  for (uint32_t i = func->pattern ? func->own : 0;
       i < (func->pattern ? func->own + 1 : func->ninstances); i++)
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
               {func->pattern != NULL, "instantiation"},
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
