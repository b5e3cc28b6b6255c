/* emit_dynamic.c - stages of a tile in dynamic shared memory.
 *
 * Needs: the block's declaration, what its launches give (plan_launches.c). Gives: text
 * that says where its stages are, and traps where the launch has not been edited.
 * Raises nothing.
 *
 * The block stays as it is declared. Where each launch gives the same, its stages are an
 * array; else, or where those behind it are shorter, an object finds them. */
#include "emit.h"

/* A name that tiles of the same name in other kernels may have, too. */
static pl_str shared_name(pl_emitter *e, const pl_staged_tile *tile,
                          const char *fmt, bool of_type) {
  for (size_t i = 0; i < e->ntiles; i++) {
    const pl_staged_tile *other = &e->tiles[i];
    pl_str name = of_type ? other->stages_type : other->given;
    if (name.n && pl_str_eq(other->decl->name, tile->decl->name) &&
        other->func != tile->func)
      return name;
  }
  return pl_emit_name(e, fmt, tile->decl->name);
}

/* The first stage is the block; those behind it are as long as what the tiles take. */
static bool is_apart_from_block(const pl_dynamic_memory *memory) {
  return !memory->varies && memory->behind != memory->stride;
}

void pl_name_dynamic(pl_emitter *e, pl_staged_tile *tile) {
  tile->given = shared_name(e, tile, "%.*s_given", false);
  if (tile->dynamic->varies || is_apart_from_block(tile->dynamic))
    tile->stages_type = shared_name(e, tile, "%.*s_stages", true);
}

pl_str pl_bytes_text(pl_arena *arena, const pl_dynamic_memory *memory, int64_t bytes) {
  int64_t stages = (bytes - PL_TOLD_APART) / memory->stride;
  if (stages < 1 || (bytes - PL_TOLD_APART) % memory->stride)
    return pl_arena_printf(arena, "%lld", (long long)bytes);
  return stages == 1 ? pl_arena_printf(arena, "%lld + %d", (long long)memory->stride,
                                       PL_TOLD_APART)
                     : pl_arena_printf(arena, "%lld * %lld + %d", (long long)stages,
                                       (long long)memory->stride, PL_TOLD_APART);
}

/* Where each launch gives the same number of bytes. */
static void add_array(pl_emitter *e, pl_text *out, const pl_staged_tile *tile,
                      pl_str indent) {
  const pl_dynamic_memory *memory = tile->dynamic;
  const pl_decl *decl = tile->decl;
  pl_str type = pl_element_text(e, decl);
  pl_str bytes = pl_bytes_text(e->arena, memory, pl_dynamic_with(memory, tile->stages));
  long long element = pl_type_size(decl->type->element, NULL, NULL);
  pl_text_printf(out, "%.*sif (%.*s != %.*s)\n%.*s%.*s__trap();\n", PL_FMT(indent),
                 PL_FMT(tile->given), PL_FMT(bytes), PL_FMT(indent), PL_FMT(e->step));
  pl_text_printf(out, "%.*sauto &%.*s = reinterpret_cast<%.*s (&)[%d][%lld]>(%.*s);",
                 PL_FMT(indent), PL_FMT(tile->stage), PL_FMT(type), tile->stages,
                 (long long)memory->stride / element, PL_FMT(decl->name));
}

/* A line of the object's type. */
static void add_line(pl_emitter *e, pl_text *out, pl_str indent, int level,
                     pl_str line) {
  pl_text_add(out, indent);
  for (int i = 0; i < level; i++)
    pl_text_add(out, e->step);
  pl_text_add(out, line);
  pl_text_add(out, PL_STR("\n"));
}

/* Where stage `stage` is, in bytes behind the block's begin. */
static pl_str place_of_stage(pl_emitter *e, const pl_dynamic_memory *memory) {
  if (memory->varies)
    return PL_STR("stage * bytes");
  return pl_arena_printf(e->arena, "(stage ? %lld + stage * %lld : 0)",
                         (long long)(memory->behind - memory->stride),
                         (long long)memory->stride);
}

static void add_trap(pl_emitter *e, pl_text *out, const pl_staged_tile *tile,
                     pl_str indent) {
  const pl_dynamic_memory *memory = tile->dynamic;
  add_line(e, out, indent, 0,
           memory->varies
               ? pl_arena_printf(e->arena, "if (%.*s %% %d != %d)", PL_FMT(tile->given),
                                 tile->stages * (int)memory->align, PL_TOLD_APART)
               : pl_arena_printf(e->arena, "if (%.*s != %lld + %d * %lld + %d)",
                                 PL_FMT(tile->given), (long long)pl_dynamic_block(memory),
                                 tile->stages - 1, (long long)memory->stride,
                                 PL_TOLD_APART));
  add_line(e, out, indent, 1, PL_STR("__trap();"));
}

static void add_object(pl_emitter *e, pl_text *out, const pl_staged_tile *tile,
                       pl_str indent) {
  const pl_decl *decl = tile->decl;
  const bool varies = tile->dynamic->varies;
  pl_str type = pl_element_text(e, decl);
  pl_arena *arena = e->arena;
  add_trap(e, out, tile, indent);
  add_line(e, out, indent, 0,
           pl_arena_printf(arena, "struct %.*s {", PL_FMT(tile->stages_type)));
  add_line(e, out, indent, 1, pl_arena_printf(arena, "%.*s *first;", PL_FMT(type)));
  if (varies)
    add_line(e, out, indent, 1, PL_STR("unsigned bytes;"));
  add_line(e, out, indent, 1,
           pl_arena_printf(arena, "__device__ %.*s (&operator[](int stage) const)[] {",
                           PL_FMT(type)));
  add_line(e, out, indent, 2,
           pl_arena_printf(arena,
                           "return *reinterpret_cast<%.*s (*)[]>("
                           "reinterpret_cast<char *>(first) + %.*s);",
                           PL_FMT(type), PL_FMT(place_of_stage(e, tile->dynamic))));
  add_line(e, out, indent, 1, PL_STR("}"));
  add_line(e, out, indent, 0, PL_STR("};"));
  pl_text_printf(out, "%.*sconst %.*s %.*s = {%.*s", PL_FMT(indent),
                 PL_FMT(tile->stages_type), PL_FMT(tile->stage), PL_FMT(decl->name));
  if (varies)
    pl_text_printf(out, ", %.*s / %d", PL_FMT(tile->given), tile->stages);
  pl_text_add(out, PL_STR("};"));
}

uint32_t pl_end_with_comment(const pl_unit *unit, const pl_node *stmt) {
  uint32_t next = pl_token_from(unit, stmt->range.end);
  if (next == unit->ntokens || unit->tokens[next].kind != PL_TOK_COMMENT)
    return stmt->range.end;
  pl_range comment = unit->tokens[next].range;
  bool apart = pl_newline_between(unit, stmt->range.end, comment.begin);
  bool alone = next + 1 == unit->ntokens ||
               pl_newline_between(unit, comment.end,
                                  unit->tokens[next + 1].range.begin);
  bool carriage = unit->text.p[comment.end - 1] == '\r'; /* belongs to the line */
  return apart || !alone ? stmt->range.end : comment.end - carriage;
}

/* Launches of other files have not been edited, nor those of who changes the number of
 * bytes: they fail. */
pl_str pl_emit_dynamic_stages(pl_emitter *e, const pl_staged_tile *tile,
                              pl_str indent) {
  const pl_dynamic_memory *memory = tile->dynamic;
  pl_text out = {.arena = e->arena};
  pl_text_printf(&out, "\n%.*s// %d stages", PL_FMT(indent), tile->stages);
  if (is_apart_from_block(memory))
    pl_text_printf(&out, ", of which %d of %lld bytes are behind the block", tile->stages - 1,
                   (long long)memory->stride);
  else if (!memory->varies)
    pl_text_printf(&out, " of %lld bytes", (long long)memory->stride);
  pl_text_printf(&out, ", and %d byte more: a launch that gives another number is trapped\n",
                 PL_TOLD_APART);
  pl_text_printf(&out, "%.*sunsigned %.*s;\n", PL_FMT(indent), PL_FMT(tile->given));
  pl_text_printf(&out,
                 "%.*sasm(\"mov.u32 %%0, %%%%dynamic_smem_size;\" : \"=r\"(%.*s));\n",
                 PL_FMT(indent), PL_FMT(tile->given));
  if (memory->varies || is_apart_from_block(memory))
    add_object(e, &out, tile, indent);
  else
    add_array(e, &out, tile, indent);
  return pl_text_view(&out);
}

pl_str pl_emit_dynamic(pl_emitter *e, const pl_staged_tile *tile,
                       const pl_node *stmt) {
  pl_str indent = pl_emit_indent_of(e->unit, stmt->range.begin);
  pl_range declaration = {stmt->range.begin, pl_end_with_comment(e->unit, stmt)};
  return pl_arena_printf(e->arena, "%.*s%.*s",
                         PL_FMT(pl_unit_slice(e->unit, declaration)),
                         PL_FMT(pl_emit_dynamic_stages(e, tile, indent)));
}
