/* compare_bundle.c - see compare_bundle.h. */
#include "compare_bundle.h"

#include <ctype.h>
#include <string.h>

#include "bundle.h"
#include "program.h"
#include "text.h"

/* A file's name without its ending. */
static pl_str stem_of(const char *path) {
  const char *base = pl_base_name(path), *dot = strrchr(base, '.');
  return (pl_str){base, dot ? (size_t)(dot - base) : strlen(base)};
}

static bool is_taken(const char *label) {
  return strcmp(label, "original") == 0 || strcmp(label, "loads-alone") == 0 ||
         strcmp(label, "compute-alone") == 0;
}

/* A name for files: what else it has becomes one dash. */
static const char *plain(pl_arena *arena, pl_str from) {
  pl_text text = {.arena = arena};
  for (size_t i = 0; i < from.n; i++) {
    char c = from.p[i];
    bool fits = isalnum((unsigned char)c) || c == '_';
    if (fits || (text.n && text.p[text.n - 1] != '-'))
      pl_text_printf(&text, "%c", fits ? c : '-');
  }
  while (text.n && text.p[text.n - 1] == '-')
    text.n--;
  return pl_arena_cstr(arena, pl_text_view(&text));
}

/* "gemm-64-2": with the arguments that -k says. */
static const char *plain_kernel(pl_arena *arena, const pl_compare_side *side) {
  return plain(arena, pl_arena_printf(arena, "%s%s", side->bare,
                                      side->arguments ? side->arguments : ""));
}

/* What the second kernel is called in the bundle: its own name, or its file's where both
 * have one name. The harness reads labels of up to 63 bytes. */
static const char *label_of(pl_arena *arena, const pl_compare_side sides[2]) {
  bool alike = strcmp(sides[0].bare, sides[1].bare) == 0;
  const char *label = alike ? plain(arena, stem_of(sides[1].path))
                            : plain_kernel(arena, &sides[1]);
  bool fits = *label && !is_taken(label) && strlen(label) < 64;
  return fits ? label : pl_arena_printf(arena, "other-%.50s", label).p;
}

int pl_compare_pack(pl_arena *arena, const pl_compare_side sides[2],
                    const pl_compare_launches *launches,
                    pl_gpu_packing *packing, FILE *err) {
  const pl_compare_side *a = &sides[0], *b = &sides[1];
  bool *all = PL_NEW_ARRAY(arena, bool, launches->first.n + 1);
  memset(all, true, launches->first.n * sizeof *all);
  pl_bundle_form second = {
      .label = label_of(arena, sides), .text = b->source.data,
      .len = b->source.size, .launches = all, .path = b->path,
      .flags = &b->flags, .own_launches = launches->second};
  pl_bundle_case c = {
      .path = a->path,
      .beside = pl_arena_printf(arena, "%s-as-%s", plain_kernel(arena, a),
                                plain_kernel(arena, b)).p,
      .text = a->source.data, .len = a->source.size, .forms = &second,
      .n_forms = 1, .launches = &launches->first, .flags = a->flags};
  pl_bundle *bundle = pl_bundle_open(packing->dir, packing->anew, err);
  if (!bundle)
    return PL_EXIT_ERROR;
  bool added = pl_bundle_add(bundle, &c);
  bool closed = pl_bundle_close(bundle);
  packing->kernels = added && closed ? launches->first.n : 0;
  return added && closed ? PL_EXIT_FINE : PL_EXIT_ERROR;
}
