/* memo.c - see memo.h. */
#include "memo.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "text.h"

/* Open addressing; the room is a power of two and never more than half full. */
typedef struct slot {
  pl_digest digest;
  void *value; /* NULL: empty */
} slot;

struct pl_memo {
  slot *slots;
  size_t count, room;
};

enum { FIRST_ROOM = 256 };

pl_memo *pl_memo_new(void) {
  pl_memo *memo = pl_alloc(1, sizeof *memo);
  memo->room = FIRST_ROOM;
  memo->slots = pl_alloc(memo->room, sizeof *memo->slots);
  return memo;
}

void pl_memo_free(pl_memo *memo) {
  if (!memo)
    return;
  free(memo->slots);
  free(memo);
}

bool pl_memo_empty(const pl_memo *memo) { return memo->count == 0; }

/* Where a digest is, or the empty slot where it would be. */
static slot *slot_of(const pl_memo *memo, const pl_digest *digest) {
  size_t at;
  memcpy(&at, digest->bytes, sizeof at);
  for (;; at++) {
    slot *s = &memo->slots[at & (memo->room - 1)];
    if (!s->value || pl_digest_same(&s->digest, digest))
      return s;
  }
}

void *pl_memo_find(const pl_memo *memo, const pl_digest *digest) {
  return slot_of(memo, digest)->value;
}

static void grow(pl_memo *memo) {
  pl_memo old = *memo;
  memo->room *= 2;
  memo->slots = pl_alloc(memo->room, sizeof *memo->slots);
  for (size_t i = 0; i < old.room; i++)
    if (old.slots[i].value)
      *slot_of(memo, &old.slots[i].digest) = old.slots[i];
  free(old.slots);
}

void pl_memo_add(pl_memo *memo, const pl_digest *digest, void *value) {
  if (2 * memo->count >= memo->room)
    grow(memo);
  *slot_of(memo, digest) = (slot){*digest, value};
  memo->count++;
}
