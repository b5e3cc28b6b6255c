/* digest.h - SHA-256 over fields, of which none runs into the next. */
#ifndef PL_DIGEST_H
#define PL_DIGEST_H

#include <nettle/sha2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PL_DIGEST_SIZE = SHA256_DIGEST_SIZE };

typedef struct pl_digest {
  uint8_t bytes[PL_DIGEST_SIZE];
} pl_digest;

typedef struct pl_hasher {
  struct sha256_ctx state;
} pl_hasher;

void pl_hasher_start(pl_hasher *hasher);
/* A field: its length, then its bytes. */
void pl_hasher_add(pl_hasher *hasher, const void *data, size_t size);
/* A field; NULL is not "". */
void pl_hasher_add_text(pl_hasher *hasher, const char *text);
void pl_hasher_add_number(pl_hasher *hasher, int64_t number);
/* Bytes of one field that comes in pieces. */
void pl_hasher_more(pl_hasher *hasher, const void *data, size_t size);
pl_digest pl_hasher_end(pl_hasher *hasher);

/* Of bytes alone. */
pl_digest pl_digest_of(const void *data, size_t size);

bool pl_digest_same(const pl_digest *a, const pl_digest *b);

/* In hexadecimal, terminated. */
typedef struct pl_digest_name {
  char text[2 * PL_DIGEST_SIZE + 1];
} pl_digest_name;
pl_digest_name pl_digest_hex(const pl_digest *digest);

#endif
