/* codec.h - structures to bytes and back, by one description for both ways.
 *
 *   static void point_fields(pl_codec *c, point *p) {
 *     pl_code_u32(c, &p->x);
 *     pl_code_u32(c, &p->y);
 *   }
 *
 * Writing appends what the fields hold, reading fills them in. Bytes that are
 * not what they should be set `bad` and leave zeroes: nothing is read outside
 * of them. Texts that are read lie in the bytes, which have to outlive them.
 * The bytes are for the machine that wrote them. */
#ifndef PL_CODEC_H
#define PL_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "digest.h"
#include "output.h"

typedef struct pl_codec {
  bool reading, bad;
  pl_bytes bytes; /* written so far, or to be read */
  size_t at;      /* of reading */
  size_t room;    /* of writing */
  pl_arena *arena; /* of reading: where arrays go */
} pl_codec;

pl_codec pl_codec_writer(void);
pl_codec pl_codec_reader(pl_bytes bytes, pl_arena *arena);

void pl_code_u32(pl_codec *codec, uint32_t *value);
void pl_code_unsigned(pl_codec *codec, unsigned *value);
void pl_code_int(pl_codec *codec, int *value);
void pl_code_i64(pl_codec *codec, int64_t *value);
void pl_code_double(pl_codec *codec, double *value);
void pl_code_bool(pl_codec *codec, bool *value);
void pl_code_digest(pl_codec *codec, pl_digest *digest);
/* A terminated text, or NULL. */
void pl_code_text(pl_codec *codec, const char **text);
/* Bytes that may hold anything; terminated where they are read. */
void pl_code_bytes(pl_codec *codec, const char **data, size_t *size);

/* The number of an array's items; reading gives back new, zeroed ones. Each
 * item has to take at least one byte. `items` are those to be written. */
void *pl_code_array(pl_codec *codec, const void *items, size_t *count,
                    size_t item_size);

/* Whether all bytes were read, and all were good. */
bool pl_codec_ended(const pl_codec *codec);

#endif
