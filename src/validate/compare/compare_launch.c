/* compare_launch.c - see compare_launch.h. */
#include "compare_launch.h"

#include <stdlib.h>
#include <string.h>

#include "launch_input.h"
#include "memory.h"
#include "program.h"
#include "text.h"

/* The launches of one side's kernel. */
typedef struct own_launches {
  pl_launch *items;
  size_t n;
  pl_compare_origin origin;
  pl_launch_list *lists[2]; /* that hold them; NULL behind the last */
} own_launches;

typedef struct pairer {
  pl_arena *arena;
  const pl_command *command;
  const pl_compare_side *sides;
  pl_taken_form form;
  bool quiet;
  FILE *err;
  own_launches own[2];
} pairer;

static bool fail(const pairer *p, const char *path, const char *why) {
  fprintf(p->err, "pipelinify: error: %s: %s\n", path, why);
  return false;
}

/* ---- each side's own ------------------------------------------------------ */

/* "a<1,2>" and "a<1, 2>" are the same. */
static bool same_text(const char *a, const char *b) {
  while (*a || *b) {
    a += strspn(a, " \t");
    b += strspn(b, " \t");
    if (*a != *b)
      return false;
    a += *a != 0;
    b += *b != 0;
  }
  return true;
}

static const char *arguments_of(const char *kernel) {
  const char *angle = strchr(kernel, '<');
  return angle ? angle : "";
}

/* What -k says of the arguments picks among several instantiations. */
static bool is_asked(const pl_compare_side *side, const pl_launch_list *list,
                     const pl_launch *launch) {
  if (strcmp(launch->name, side->bare) != 0)
    return false;
  if (!side->arguments ||
      same_text(arguments_of(launch->kernel), side->arguments))
    return true;
  for (size_t i = 0; i < list->n; i++)
    if (strcmp(list->launches[i].name, side->bare) == 0 &&
        same_text(arguments_of(list->launches[i].kernel), side->arguments))
      return false;
  return true;
}

static void pick(pairer *p, size_t side, const pl_launch_list *list,
                 pl_compare_origin origin) {
  own_launches *own = &p->own[side];
  own->items = PL_NEW_ARRAY(p->arena, pl_launch, list->n + 1);
  for (size_t i = 0; i < list->n; i++)
    if (is_asked(&p->sides[side], list, &list->launches[i]))
      own->items[own->n++] = list->launches[i];
  if (own->n)
    own->origin = origin;
}

/* --launch is the first kernel's, and the second's where it has a name of its own. */
static bool read_described(pairer *p, size_t side) {
  const pl_compare_side *s = &p->sides[side];
  const char *option = p->command->launch;
  bool named_apart = strcmp(p->sides[0].bare, p->sides[1].bare) != 0;
  for (int tried = 0; tried < 2 && !p->own[side].n; tried++) {
    bool skipped = tried == 0 && (!option || (side == 1 && !named_apart));
    if (skipped || (tried == 1 && option && side == 0))
      continue;
    pl_launch_list *list = pl_read_launches(tried == 0 ? option : NULL, s->path,
                                            &s->source, p->err);
    if (!list)
      return false;
    p->own[side].lists[tried] = list;
    pick(p, side, list, PL_COMPARE_DESCRIBED);
  }
  return true;
}

static bool is_wanted(const char *kernel, void *context) {
  const pl_compare_side *side = context;
  return strcmp(kernel, side->bare) == 0;
}

/* The launches that the file's host code makes. */
static void take(pairer *p, size_t side) {
  const pl_compare_side *s = &p->sides[side];
  pl_taken taken;
  pl_taken_find(&taken, &s->source, p->form, s->flags.defines,
                s->flags.n_defines, is_wanted, (void *)s);
  pl_launch_list *list = pl_taken_launches(&taken, p->form, NULL);
  p->own[side].lists[0] = list;
  pick(p, side, list, PL_COMPARE_TAKEN);
  pl_taken_form *forms = pl_alloc(taken.n_whole + 1, sizeof *forms);
  for (size_t i = 0; i < taken.n_whole; i++)
    forms[i] = p->form;
  if (p->own[side].n && !p->quiet)
    pl_taken_say(&taken, s->path, forms, p->err);
  free(forms);
  pl_taken_free(&taken);
}

static bool find_own(pairer *p, size_t side) {
  if (!read_described(p, side))
    return false;
  if (p->own[side].n || (p->command->launch && side == 0))
    return true;
  for (size_t i = 0; i < 2; i++) /* of other kernels */
    pl_launch_list_free(p->own[side].lists[i]);
  memset(p->own[side].lists, 0, sizeof p->own[side].lists);
  take(p, side);
  return true;
}

static void say_missing(pairer *p) {
  const pl_compare_side *s = &p->sides[0];
  pl_taken taken;
  pl_taken_find(&taken, &s->source, p->form, s->flags.defines,
                s->flags.n_defines, is_wanted, (void *)s);
  fail(p, s->path, "not proven: no launch description of either kernel "
                   "(--launch, or a comment 'pipelinify: launch')");
  pl_taken_say_missing(&taken, s->path, p->err);
  pl_taken_free(&taken);
}

/* ---- the pair ------------------------------------------------------------- */

static bool is_template(const pl_kernel_report *k) {
  if (!k || k->ninstantiations)
    return k != NULL;
  for (size_t i = 0; i < k->nparameters; i++)
    if (strstr(k->parameters[i].type, "type-parameter-"))
      return true;
  return false;
}

/* A side's kernel where its own file has no launch of it: with the only arguments that
 * the file uses, or the other kernel's. */
static const char *kernel_like(pairer *p, size_t side, const pl_launch *like) {
  const pl_compare_side *s = &p->sides[side];
  const char *others = arguments_of(like->kernel);
  bool known = s->kernel && s->kernel->ninstantiations == 1;
  if (known)
    return pl_arena_printf(p->arena, "%s<%s>", s->name,
                           s->kernel->instantiations[0]).p;
  bool takes = is_template(s->kernel) || strcmp(s->bare, like->name) == 0;
  return pl_arena_printf(p->arena, "%s%s", s->name, takes ? others : "").p;
}

/* Launched as `like` is. */
static pl_launch launch_like(pairer *p, size_t side, const pl_launch *like) {
  pl_launch launch = *like;
  launch.kernel = kernel_like(p, side, like);
  launch.name = p->sides[side].bare;
  launch.types = NULL;
  return launch;
}

/* A side's launch, with the arguments that -k says. */
static pl_launch launch_of(pairer *p, size_t side, const pl_launch *own,
                           const pl_launch *like) {
  const pl_compare_side *s = &p->sides[side];
  pl_launch launch = own ? *own : launch_like(p, side, like);
  if (s->arguments)
    launch.kernel = pl_arena_printf(p->arena, "%s%s", s->name, s->arguments).p;
  return launch;
}

/* Launch `index` of a side: of as many as the other has, that one; else the first. */
static const pl_launch *own_of(const own_launches *own, size_t n, size_t index) {
  return own->n == n ? &own->items[index] : own->n ? &own->items[0] : NULL;
}

/* Sizes that were made up have to suit both: those of the second kernel, whose blocks
 * are larger as a rule. Sizes that someone wrote are all run. */
static void join_sizes(pairer *p, pl_launch *first, const pl_launch *second) {
  if (p->own[0].origin && p->own[1].origin)
    pl_launch_take_sizes(p->arena, first, second,
                         p->own[0].origin == PL_COMPARE_TAKEN);
}

static void pair(pairer *p, pl_compare_launches *to) {
  size_t n = p->own[0].n ? p->own[0].n : p->own[1].n;
  to->first.launches = PL_NEW_ARRAY(p->arena, pl_launch, n + 1);
  to->second = PL_NEW_ARRAY(p->arena, const pl_launch *, n + 1);
  for (size_t i = 0; i < n; i++) {
    const pl_launch *a = own_of(&p->own[0], n, i), *b = own_of(&p->own[1], n, i);
    pl_launch *second = PL_NEW(p->arena, pl_launch);
    pl_launch first = launch_of(p, 0, a, b);
    *second = launch_of(p, 1, b, a);
    join_sizes(p, &first, second);
    to->first.launches[to->first.n++] = first;
    to->second[i] = second;
  }
  to->first.arena = p->arena;
  for (size_t i = 0; i < 2; i++)
    to->origins[i] = p->own[i].origin;
}

/* ---- the only sizes ------------------------------------------------------- */

/* "M=33 N=48" as one size set; false: it is none. */
static bool read_sizes(pl_arena *arena, const char *text, pl_sizes *to) {
  *to = (pl_sizes){.dims = PL_NEW_ARRAY(arena, pl_dim_values, strlen(text) + 1)};
  for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
    size_t n = strcspn(text, "= ");
    char *end;
    if (!n || text[n] != '=')
      return false;
    int64_t *value = PL_NEW(arena, int64_t);
    *value = strtoll(text + n + 1, &end, 10);
    if (end == text + n + 1 || (*end && *end != ' '))
      return false;
    to->dims[to->n++] =
        (pl_dim_values){pl_arena_cstr(arena, (pl_str){text, n}), value, 1};
    text = end;
  }
  return true;
}

static bool has_dim(const pl_sizes *sizes, const char *name) {
  for (size_t i = 0; i < sizes->n; i++)
    if (strcmp(sizes->dims[i].name, name) == 0)
      return true;
  return false;
}

/* Whether the launch has these dimensions and no other. */
static bool fits(const pl_launch *launch, const pl_sizes *sizes) {
  const pl_sizes none = {0}, *own = launch->n_sizes ? launch->sizes : &none;
  for (size_t i = 0; i < own->n; i++)
    if (!has_dim(sizes, own->dims[i].name))
      return false;
  return own->n == sizes->n;
}

/* Leaves the launches that have such sizes, with these alone. */
static bool only_sizes(pairer *p, const char *text, pl_compare_launches *to) {
  pl_sizes *sizes = PL_NEW(p->arena, pl_sizes);
  if (!read_sizes(p->arena, text, sizes))
    return fail(p, text, "no sizes, 'M=33 N=48', for '--replay'");
  size_t n = 0;
  for (size_t i = 0; i < to->first.n; i++) {
    pl_launch launch = to->first.launches[i];
    if (!fits(&launch, sizes))
      continue;
    launch.sizes = sizes;
    launch.n_sizes = sizes->n > 0;
    to->second[n] = to->second[i];
    to->first.launches[n++] = launch;
  }
  to->first.n = n;
  return n || fail(p, text, "no launch has these sizes ('--replay')");
}

void pl_compare_launches_free(pl_compare_launches *launches) {
  for (size_t i = 0; i < 4; i++)
    pl_launch_list_free(launches->lists[i]);
}

int pl_compare_launch(pl_arena *arena, const pl_command *command,
                      const pl_compare_side sides[2], pl_taken_form form,
                      const char *sizes, bool quiet, FILE *err,
                      pl_compare_launches *to) {
  pairer p = {.arena = arena, .command = command, .sides = sides, .form = form,
              .quiet = quiet, .err = err};
  *to = (pl_compare_launches){0};
  bool found = find_own(&p, 0) && find_own(&p, 1);
  for (size_t i = 0; i < 4; i++)
    to->lists[i] = p.own[i / 2].lists[i % 2];
  if (!found)
    return PL_EXIT_ERROR;
  if (!p.own[0].n && !p.own[1].n) {
    say_missing(&p);
    return PL_EXIT_NOT_PROVEN;
  }
  pair(&p, to);
  if (sizes && !only_sizes(&p, sizes, to))
    return PL_EXIT_ERROR;
  return PL_EXIT_FINE;
}
