/* memo.h - values by digest. */
#ifndef PL_MEMO_H
#define PL_MEMO_H

#include <stdbool.h>

#include "digest.h"

typedef struct pl_memo pl_memo;

pl_memo *pl_memo_new(void);
void pl_memo_free(pl_memo *memo);
bool pl_memo_empty(const pl_memo *memo);

/* NULL: nothing was added under that digest. */
void *pl_memo_find(const pl_memo *memo, const pl_digest *digest);

/* Under a digest that is not there yet; `value` is borrowed, and not NULL. */
void pl_memo_add(pl_memo *memo, const pl_digest *digest, void *value);

#endif
