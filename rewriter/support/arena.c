/* arena.c - see arena.h. */
#define _GNU_SOURCE /* memmem */
#include "arena.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK ((size_t)32 * 1024)
#define FEW_BYTES 128 /* for a list that has just begun: most stay short */

typedef struct chunk {
  struct chunk *next;
  size_t used, size;
  max_align_t data[];
} chunk;

struct pl_arena {
  chunk *head;
  pl_arena_full *full;
  jmp_buf *escape; /* of the innermost pl_arena_try; NULL: none */
  pl_arena *parent, *children, *next; /* `next`: of the same parent */
};

pl_arena *pl_arena_new(pl_arena_full *full) {
  pl_arena *arena = calloc(1, sizeof *arena);
  if (arena)
    arena->full = full;
  return arena;
}

pl_arena *pl_arena_child(pl_arena *parent) {
  pl_arena *arena = pl_arena_new(NULL);
  if (!arena)
    pl_arena_out_of_memory(parent);
  arena->parent = parent;
  arena->next = parent->children;
  parent->children = arena;
  return arena;
}

bool pl_arena_try(pl_arena *arena, void (*work)(void *context), void *context) {
  jmp_buf here, *outer = arena->escape;
  arena->escape = &here;
  bool done = setjmp(here) == 0;
  if (done)
    work(context);
  arena->escape = outer;
  return done;
}

_Noreturn void pl_arena_out_of_memory(pl_arena *arena) {
  while (!arena->escape && arena->parent)
    arena = arena->parent;
  if (arena->escape)
    longjmp(*arena->escape, 1);
  for (;;)
    arena->full();
}

static void leave_parent(pl_arena *arena) {
  pl_arena **at = &arena->parent->children;
  while (*at != arena)
    at = &(*at)->next;
  *at = arena->next;
}

void pl_arena_free(pl_arena *arena) {
  if (!arena)
    return;
  while (arena->children)
    pl_arena_free(arena->children);
  if (arena->parent)
    leave_parent(arena);
  for (chunk *c = arena->head; c;) {
    chunk *next = c->next;
    free(c);
    c = next;
  }
  free(arena);
}

/* A fresh chunk in front, large enough for `size` bytes. */
static chunk *add_chunk(pl_arena *arena, size_t size) {
  size_t room = size > CHUNK ? size : CHUNK;
  chunk *c = room < SIZE_MAX - sizeof *c ? calloc(1, sizeof *c + room) : NULL;
  if (!c)
    pl_arena_out_of_memory(arena);
  c->size = room;
  c->next = arena->head;
  arena->head = c;
  return c;
}

void *pl_arena_alloc(pl_arena *arena, size_t size) {
  size_t step = sizeof(max_align_t);
  size = (size + step - 1) / step * step;
  chunk *c = arena->head;
  if (!c || c->size - c->used < size)
    c = add_chunk(arena, size);
  void *p = (char *)c->data + c->used;
  c->used += size;
  return p;
}

pl_str pl_arena_str(pl_arena *arena, const char *p, size_t n) {
  char *copy = pl_arena_alloc(arena, n + 1);
  if (n)
    memcpy(copy, p, n);
  return (pl_str){copy, n};
}

char *pl_arena_cstr(pl_arena *arena, pl_str s) {
  return (char *)pl_arena_str(arena, s.p, s.n).p;
}

pl_str pl_arena_vprintf(pl_arena *arena, const char *fmt, va_list args) {
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, fmt, args);
  char *p = pl_arena_alloc(arena, (size_t)n + 1);
  vsnprintf(p, (size_t)n + 1, fmt, again);
  va_end(again);
  return (pl_str){p, (size_t)n};
}

pl_str pl_arena_printf(pl_arena *arena, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  pl_str s = pl_arena_vprintf(arena, fmt, args);
  va_end(args);
  return s;
}

void *pl_arena_grow(pl_arena *arena, void *array, size_t n, size_t *cap,
                    size_t item_size) {
  if (n < *cap)
    return array;
  size_t room = *cap ? *cap * 2 : item_size < FEW_BYTES / 8 ? 8 : 2;
  void *moved = pl_arena_alloc(arena, room * item_size);
  if (n)
    memcpy(moved, array, n * item_size);
  *cap = room;
  return moved;
}

bool pl_str_eq(pl_str a, pl_str b) {
  return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

/* Most texts differ in their first byte. */
bool pl_str_is(pl_str a, const char *literal) {
  if (a.n && a.p[0] != literal[0])
    return false;
  return pl_str_eq(a, (pl_str){literal, strlen(literal)});
}

bool pl_str_is_one(pl_str a, const char *const *words, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (pl_str_is(a, words[i]))
      return true;
  return false;
}

bool pl_has_comment(pl_str text) {
  return pl_str_has(text, "//") || pl_str_has(text, "/*");
}

bool pl_is_among(const void *item, const void *items, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (memcmp((const char *)items + i * sizeof item, &item, sizeof item) == 0)
      return true;
  return false;
}

pl_str pl_str_trimmed(pl_str text) {
  while (text.n && strchr(" \t\r\n", text.p[text.n - 1]))
    text.n--;
  while (text.n && strchr(" \t\r\n", text.p[0])) {
    text.p++;
    text.n--;
  }
  return text;
}

bool pl_str_starts(pl_str a, const char *literal) {
  if (a.n && literal[0] && a.p[0] != literal[0])
    return false;
  size_t n = strlen(literal);
  return a.n >= n && memcmp(a.p, literal, n) == 0;
}

pl_str pl_before_angle(pl_str name) {
  for (size_t i = 0; i < name.n; i++)
    if (name.p[i] == '<')
      return (pl_str){name.p, i};
  return name;
}

bool pl_is_name_for(pl_str word, pl_str name, const char *suffix) {
  size_t n = name.n + strlen(suffix);
  if (word.n < n || memcmp(word.p, name.p, name.n) != 0 ||
      memcmp(word.p + name.n, suffix, n - name.n) != 0)
    return false;
  while (n < word.n && word.p[n] >= '0' && word.p[n] <= '9')
    n++;
  return n == word.n;
}

pl_str pl_last_name(pl_str name) {
  static const char word[] = "template ";
  int depth = 0;
  for (size_t i = 0; i + 1 < name.n; i++) {
    char c = name.p[i];
    depth += (c == '<' || c == '(') - (c == '>' || c == ')');
    if (!depth && c == ':' && name.p[i + 1] == ':')
      return pl_last_name((pl_str){name.p + i + 2, name.n - i - 2});
  }
  size_t skip = pl_str_starts(name, word) ? sizeof word - 1 : 0;
  return pl_before_angle((pl_str){name.p + skip, name.n - skip});
}

bool pl_str_has(pl_str a, const char *literal) {
  size_t n = strlen(literal);
  return !n || (a.n && memmem(a.p, a.n, literal, n));
}

void pl_text_add(pl_text *text, pl_str s) {
  if (text->n + s.n + 1 > text->cap) {
    size_t room = (text->n + s.n + 1) * 2 + 256;
    char *moved = pl_arena_alloc(text->arena, room);
    if (text->n)
      memcpy(moved, text->p, text->n);
    text->p = moved;
    text->cap = room;
  }
  if (s.n)
    memcpy(text->p + text->n, s.p, s.n);
  text->n += s.n;
  text->p[text->n] = 0;
}

void pl_text_printf(pl_text *text, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  pl_str s = pl_arena_vprintf(text->arena, fmt, args);
  va_end(args);
  pl_text_add(text, s);
}

pl_str pl_text_view(const pl_text *text) {
  return (pl_str){text->p, text->n};
}
