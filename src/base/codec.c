/* codec.c - see codec.h. */
#include "codec.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "text.h"

pl_codec pl_codec_writer(void) {
  enum { FIRST_ROOM = 4096 };
  return (pl_codec){.bytes.data = pl_alloc(FIRST_ROOM, 1), .room = FIRST_ROOM};
}

pl_codec pl_codec_reader(pl_bytes bytes, pl_arena *arena) {
  return (pl_codec){.reading = true, .bytes = bytes, .arena = arena};
}

static void append(pl_codec *c, const void *data, size_t size) {
  while (c->room - c->bytes.size < size) {
    c->room *= 2;
    c->bytes.data = pl_resize(c->bytes.data, c->room, 1);
  }
  if (size)
    memcpy(c->bytes.data + c->bytes.size, data, size);
  c->bytes.size += size;
}

/* The next bytes; NULL where there are not so many. */
static const char *take(pl_codec *c, size_t size) {
  if (c->bad || c->bytes.size - c->at < size) {
    c->bad = true;
    return NULL;
  }
  c->at += size;
  return c->bytes.data + c->at - size;
}

static void code_plain(pl_codec *c, void *value, size_t size) {
  if (!c->reading) {
    append(c, value, size);
    return;
  }
  const char *data = take(c, size);
  if (data)
    memcpy(value, data, size);
  else
    memset(value, 0, size);
}

void pl_code_u32(pl_codec *c, uint32_t *value) {
  code_plain(c, value, sizeof *value);
}

void pl_code_unsigned(pl_codec *c, unsigned *value) {
  code_plain(c, value, sizeof *value);
}

void pl_code_int(pl_codec *c, int *value) {
  code_plain(c, value, sizeof *value);
}

void pl_code_i64(pl_codec *c, int64_t *value) {
  code_plain(c, value, sizeof *value);
}

void pl_code_double(pl_codec *c, double *value) {
  code_plain(c, value, sizeof *value);
}

void pl_code_bool(pl_codec *c, bool *value) {
  uint8_t byte = c->reading ? 0 : *value;
  code_plain(c, &byte, sizeof byte);
  c->bad |= byte > 1;
  *value = byte == 1;
}

void pl_code_digest(pl_codec *c, pl_digest *digest) {
  code_plain(c, digest->bytes, sizeof digest->bytes);
}

static void code_size(pl_codec *c, size_t *size) {
  uint64_t number = c->reading ? 0 : *size;
  code_plain(c, &number, sizeof number);
  *size = (size_t)number;
}

/* The terminator is among the bytes, so that texts need no copy. */
void pl_code_bytes(pl_codec *c, const char **data, size_t *size) {
  code_size(c, size);
  if (!c->reading) {
    append(c, *data, *size);
    append(c, "", 1);
    return;
  }
  *data = *size < c->bytes.size ? take(c, *size + 1) : NULL;
  if (!*data || (*data)[*size]) {
    c->bad = true;
    *data = "";
    *size = 0;
  }
}

void pl_code_text(pl_codec *c, const char **text) {
  bool there = c->reading ? false : *text;
  pl_code_bool(c, &there);
  if (!there) {
    *text = NULL;
    return;
  }
  size_t size = c->reading ? 0 : strlen(*text);
  pl_code_bytes(c, text, &size);
  c->bad |= c->reading && strlen(*text) != size;
}

/* No count is believed that the bytes left could not hold. */
void *pl_code_array(pl_codec *c, const void *items, size_t *count,
                    size_t item_size) {
  code_size(c, count);
  if (!c->reading)
    return (void *)items;
  if (c->bad || *count > c->bytes.size - c->at) {
    c->bad = true;
    *count = 0;
  }
  return pl_arena_alloc(c->arena, (*count + 1) * item_size);
}

bool pl_codec_ended(const pl_codec *c) {
  return !c->bad && c->at == c->bytes.size;
}
