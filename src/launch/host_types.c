/* host_types.c - type names: which are integers, how many bytes they have. See
 * host.h.
 *
 * Needs: aliases, classes. Gives: sizes. Raises: nothing; 0 is "not known". */
#include "host.h"

#include <string.h>

static const struct {
  const char *name;
  int size;
  char kind; /* 'i' integer, 'r' real, 'o' other */
} types[] = {
    {"int", 4, 'i'}, {"unsigned", 4, 'i'}, {"unsigned int", 4, 'i'},
    {"long", 8, 'i'}, {"long long", 8, 'i'}, {"long int", 8, 'i'},
    {"long long int", 8, 'i'}, {"short", 2, 'i'}, {"char", 1, 'i'},
    {"bool", 1, 'i'}, {"size_t", 8, 'i'}, {"ptrdiff_t", 8, 'i'},
    {"ssize_t", 8, 'i'}, {"uint", 4, 'i'}, {"uchar", 1, 'i'},
    {"ushort", 2, 'i'}, {"ulong", 8, 'i'}, {"int8_t", 1, 'i'},
    {"uint8_t", 1, 'i'}, {"int16_t", 2, 'i'}, {"uint16_t", 2, 'i'},
    {"int32_t", 4, 'i'}, {"uint32_t", 4, 'i'}, {"int64_t", 8, 'i'},
    {"uint64_t", 8, 'i'}, {"float", 4, 'r'},
    {"double", 8, 'r'}, {"half", 2, 'o'}, {"__half", 2, 'o'},
    {"__nv_bfloat16", 2, 'o'}, {"nv_bfloat16", 2, 'o'}, {"half2", 4, 'o'},
    {"__half2", 4, 'o'}, {"__nv_bfloat162", 4, 'o'}, {"float2", 8, 'o'},
    {"float3", 12, 'o'}, {"float4", 16, 'o'}, {"int2", 8, 'o'},
    {"int3", 12, 'o'}, {"int4", 16, 'o'}, {"uint2", 8, 'o'},
    {"uint4", 16, 'o'}, {"char4", 4, 'o'}, {"uchar4", 4, 'o'},
    {"uchar3", 3, 'o'}, {"double2", 16, 'o'}, {"cuComplex", 8, 'o'},
    {"cuFloatComplex", 8, 'o'}, {"cuDoubleComplex", 16, 'o'},
};

static int find_type(const char *name) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp(types[i].name, name) == 0)
      return (int)i;
  return -1;
}

bool pl_host_is_integer(const char *type) {
  int i = type ? find_type(type) : -1;
  return i >= 0 && types[i].kind == 'i';
}

bool pl_host_is_real(const char *type) {
  int i = type ? find_type(type) : -1;
  return i >= 0 && types[i].kind == 'r';
}

static const char *alias_of(const pl_host *h, const char *name) {
  for (size_t i = h->n_aliases; i-- > 0;)
    if (strcmp(h->aliases[i].name, name) == 0)
      return h->aliases[i].type;
  return NULL;
}

bool pl_host_is_alias(const pl_host *h, const char *name) {
  return alias_of(h, name) != NULL;
}

const char *pl_host_type(const pl_host *h, const char *name) {
  if (!name)
    return NULL;
  for (int i = 0; i < 8; i++) {
    if (strncmp(name, "std::", 5) == 0)
      name += 5;
    const pl_host_binding *bound = pl_host_bound(h, name);
    const char *next = bound ? bound->type : alias_of(h, name);
    if (!next && strcmp(name, "scalar_t") == 0)
      next = "float"; /* of AT_DISPATCH_FLOATING_TYPES, the first */
    if (!next || strcmp(next, name) == 0)
      return name;
    name = next;
  }
  return name;
}

const char *pl_host_last_name(const char *type) {
  const char *angle = strchr(type, '<'), *name = type;
  for (const char *p = type; *p && (!angle || p < angle); p++)
    if (*p == ':')
      name = p + 1;
  return name;
}

bool pl_host_is_container(const char *type) {
  static const char *const names[] = {
      "vector<", "device_vector<", "host_vector<", "universal_vector<",
      "unique_ptr<", "array<", NULL};
  if (!type)
    return false;
  const char *name = pl_host_last_name(type);
  for (size_t i = 0; names[i]; i++)
    if (strncmp(name, names[i], strlen(names[i])) == 0)
      return true;
  return false;
}

const char *pl_host_first_argument(pl_host *h, const char *type) {
  const char *open = type ? strchr(type, '<') : NULL;
  if (!open)
    return NULL;
  int depth = 0;
  const char *p = open + 1;
  for (; *p && !(depth == 0 && (*p == ',' || *p == '>')); p++)
    depth += (*p == '<') - (*p == '>');
  size_t n = (size_t)(p - open - 1);
  while (n && strchr("[]* ", open[n]))
    n--;
  return pl_host_type(h, pl_arena_cstr(h->arena, (pl_str){open + 1, n}));
}

/* Members of builtin types, each a declaration: the size of the whole. */
static int64_t class_size(pl_host *h, const pl_host_class *c) {
  int64_t size = 0, align = 1;
  for (size_t i = c->body + 1; i < c->end;) {
    size_t end = i, names = 1;
    while (end < c->end && !pl_host_is(h, end, ";")) {
      if (pl_host_is(h, end, "(") || pl_host_is(h, end, "{") ||
          pl_host_is(h, end, "["))
        return 0;
      names += pl_host_is(h, end++, ",");
    }
    size_t head = i;
    while (head < end && !pl_host_is(h, head, ","))
      head++;
    pl_host_param p = pl_host_read_param(h, i, head);
    int64_t one = p.stars ? 8 : pl_host_type_size(h, p.type);
    if (!one)
      return 0;
    int64_t to = one > 8 ? 4 : one;
    align = to > align ? to : align;
    size = (size + to - 1) / to * to + one * (int64_t)names;
    i = end + 1;
  }
  return (size + align - 1) / align * align;
}

int64_t pl_host_type_size(pl_host *h, const char *name) {
  const char *type = pl_host_type(h, name);
  if (!type)
    return 0;
  if (strchr(type, '*'))
    return 8;
  int i = find_type(type);
  if (i < 0)
    i = find_type(pl_host_last_name(type));
  if (i >= 0)
    return types[i].size;
  const pl_host_class *c = pl_host_find_class(h, type);
  return c && c->n_templates == 0 ? class_size(h, c) : 0;
}

/* `int`, `const float *`, `T`, `std::vector<float>`: no expression. */
bool pl_host_names_type(pl_host *h, size_t from, size_t end) {
  if (from >= end)
    return false;
  for (size_t i = from; i < end; i++) {
    const pl_host_token *t = &h->text.tokens[i];
    bool fits = t->kind == 'n' || pl_host_is(h, i, "*") ||
                pl_host_is(h, i, "&") || pl_host_is(h, i, "::") ||
                pl_host_is(h, i, "<") || pl_host_is(h, i, ">") ||
                pl_host_is(h, i, ",");
    if (!fits)
      return false;
  }
  if (pl_host_is(h, end - 1, "*"))
    return true;
  pl_host_param p = pl_host_read_param(h, from, end);
  const char *written = *p.name ? pl_arena_printf(h->arena, "%s %s", p.type,
                                                  p.name).p : p.type;
  const char *type = pl_host_type(h, written);
  const pl_host_binding *bound = pl_host_bound(h, written);
  return pl_host_is_integer(type) || pl_host_type_size(h, type) > 0 ||
         strcmp(type, "void") == 0 || strcmp(type, "unsigned") == 0 ||
         (bound && bound->type) || pl_host_find_class(h, type);
}
