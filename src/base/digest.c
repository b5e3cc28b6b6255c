/* digest.c - see digest.h. */
#include "digest.h"

#include <stdio.h>
#include <string.h>

void pl_hasher_start(pl_hasher *hasher) { sha256_init(&hasher->state); }

void pl_hasher_more(pl_hasher *hasher, const void *data, size_t size) {
  if (size)
    sha256_update(&hasher->state, size, data);
}

void pl_hasher_add_number(pl_hasher *hasher, int64_t number) {
  pl_hasher_more(hasher, &number, sizeof number);
}

void pl_hasher_add(pl_hasher *hasher, const void *data, size_t size) {
  pl_hasher_add_number(hasher, (int64_t)size);
  pl_hasher_more(hasher, data, size);
}

void pl_hasher_add_text(pl_hasher *hasher, const char *text) {
  if (text)
    pl_hasher_add(hasher, text, strlen(text));
  else
    pl_hasher_add_number(hasher, -1);
}

pl_digest pl_hasher_end(pl_hasher *hasher) {
  pl_digest digest;
  sha256_digest(&hasher->state, sizeof digest.bytes, digest.bytes);
  return digest;
}

pl_digest pl_digest_of(const void *data, size_t size) {
  pl_hasher hasher;
  pl_hasher_start(&hasher);
  pl_hasher_more(&hasher, data, size);
  return pl_hasher_end(&hasher);
}

bool pl_digest_same(const pl_digest *a, const pl_digest *b) {
  return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

pl_digest_name pl_digest_hex(const pl_digest *digest) {
  pl_digest_name name;
  for (size_t i = 0; i < PL_DIGEST_SIZE; i++)
    snprintf(name.text + 2 * i, 3, "%02x", digest->bytes[i]);
  return name;
}
