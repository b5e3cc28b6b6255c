/* arena.h - one arena per translation unit, dropped whole.
 *
 * Everything that the passes make lives until the result is freed, so no pass
 * frees anything. Strings are slices into the source or into the arena. */
#ifndef PL_ARENA_H
#define PL_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pl_arena pl_arena;

/* A borrowed run of bytes, not terminated. {NULL, 0} is the empty string. */
typedef struct pl_str {
  const char *p;
  size_t n;
} pl_str;

#define PL_STR(lit) ((pl_str){(lit), sizeof(lit) - 1})
#define PL_FMT(s) (int)(s).n, (s).p

/* What is called where memory is out: it does not return. */
typedef void pl_arena_full(void);

/* NULL where memory is out already. `full` is for allocations outside
 * pl_arena_try; NULL: there are none. */
pl_arena *pl_arena_new(pl_arena_full *full);
void pl_arena_free(pl_arena *arena);

/* One for what is done with before `parent` is; it is freed with it at the latest.
 * Where memory is out for both and nothing is tried in this one, what is left is
 * the innermost pl_arena_try of `parent`. Never NULL. */
pl_arena *pl_arena_child(pl_arena *parent);

/* Does `work`; false where memory ran out on the way, and `work` was left
 * where it stood. Between here and the allocations there must be no frames but
 * of this project: code of others that calls back tries inside its callback.
 * What was allocated stays until the arena is freed. */
bool pl_arena_try(pl_arena *arena, void (*work)(void *context), void *context);

/* Memory is out: leaves the innermost pl_arena_try. */
_Noreturn void pl_arena_out_of_memory(pl_arena *arena);

/* Zeroed memory of `size` bytes, aligned for any type. Never NULL. */
void *pl_arena_alloc(pl_arena *arena, size_t size);

#define PL_NEW(arena, type) ((type *)pl_arena_alloc((arena), sizeof(type)))
#define PL_NEW_ARRAY(arena, type, n)                                           \
  ((type *)pl_arena_alloc((arena), sizeof(type) * (size_t)(n)))

/* Copies into the arena; the copy is also NUL-terminated. */
pl_str pl_arena_str(pl_arena *arena, const char *p, size_t n);
char *pl_arena_cstr(pl_arena *arena, pl_str s);
pl_str pl_arena_printf(pl_arena *arena, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

pl_str pl_arena_vprintf(pl_arena *arena, const char *fmt, va_list args);

/* Grows an arena-backed array so that index `n` exists; returns the (possibly
 * moved) array. `cap` is updated. */
void *pl_arena_grow(pl_arena *arena, void *array, size_t n, size_t *cap,
                    size_t item_size);

/* PUSH(arena, array, n, cap, value): append to an arena-backed array. */
#define PL_PUSH(arena, array, n, cap, value)                                   \
  do {                                                                         \
    (array) = pl_arena_grow((arena), (array), (n), &(cap), sizeof *(array));   \
    (array)[(n)++] = (value);                                                  \
  } while (0)

bool pl_str_eq(pl_str a, pl_str b);
/* Whether it is one of the words of an array. */
#define PL_STR_IS_ONE(a, words) pl_str_is_one(a, words, sizeof(words) / sizeof *(words))
bool pl_str_is_one(pl_str a, const char *const *words, size_t n);
/* Whether a pointer is one of an array of such. */
bool pl_is_among(const void *item, const void *items, size_t n);
bool pl_str_is(pl_str a, const char *literal);
bool pl_str_starts(pl_str a, const char *literal);
/* Without the blanks and ends of lines around it. */
pl_str pl_str_trimmed(pl_str text);
/* A name without its template arguments. */
pl_str pl_before_angle(pl_str name);
/* The `c` of `a::b<x::y>::template c<z>`. */
pl_str pl_last_name(pl_str name);
/* Whether a word is a name and a suffix behind it, with a number if it was taken:
 * `t_load2` of `t`. */
bool pl_is_name_for(pl_str word, pl_str name, const char *suffix);
bool pl_str_has(pl_str a, const char *literal);
/* Whether a text may have a comment in it. */
bool pl_has_comment(pl_str text);

/* A growing text, arena-backed. */
typedef struct pl_text {
  pl_arena *arena;
  char *p;
  size_t n, cap;
} pl_text;

void pl_text_add(pl_text *text, pl_str s);
void pl_text_printf(pl_text *text, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
pl_str pl_text_view(const pl_text *text);

#endif
