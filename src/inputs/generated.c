/* generated.c - see generated.h. */
#define _GNU_SOURCE
#include "generated.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "text.h"

static const char stamp_start[] = "// pipelinify: generated from ";
static const char written_start[] = "// pipelinify: written from ";

const char *pl_generated_name(pl_generated_state state) {
  static const char *const names[] = {"up to date", "missing", "stale",
                                      "edited by hand",
                                      "not written by pipelinify"};
  return names[state];
}

/* FNV-1a: it guards against slips, not against forgers. */
static uint64_t hash_of(const char *text, size_t length) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < length; i++)
    if (text[i] != '\r')
      hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
  return hash;
}

static pl_bytes stamped_text(const char *start, const pl_source *source,
                             const char *text, size_t length) {
  bool ended = length && text[length - 1] == '\n';
  bool crlf = length > 1 && text[length - 1] == '\n' && text[length - 2] == '\r';
  char *body = pl_alloc(length + 2, 1);
  memcpy(body, text, length);
  if (!ended)
    body[length++] = '\n';
  char *stamp = pl_format("%s%s, source %016" PRIx64 ", text %016" PRIx64 "%s",
                          start, pl_base_name(source->path),
                          hash_of(source->text, source->length),
                          hash_of(body, length), crlf ? "\r\n" : "\n");
  size_t size = length + strlen(stamp);
  body = pl_resize(body, size + 1, 1);
  memcpy(body + length, stamp, strlen(stamp) + 1);
  free(stamp);
  return (pl_bytes){body, size};
}

pl_bytes pl_generated_text(const pl_source *source, const char *text,
                           size_t length) {
  return stamped_text(stamp_start, source, text, length);
}

pl_bytes pl_written_text(const pl_source *source, const char *text,
                         size_t length) {
  return stamped_text(written_start, source, text, length);
}

/* Where the last line begins. */
static size_t last_line(const pl_bytes *bytes) {
  size_t at = bytes->size;
  at -= at && bytes->data[at - 1] == '\n';
  while (at && bytes->data[at - 1] != '\n')
    at--;
  return at;
}

/* The hash that the last line gives of the text above it. */
static bool stamped_hash(const pl_bytes *bytes, uint64_t *hash) {
  const char *line = bytes->data + last_line(bytes);
  const char *text = strstr(line, ", text ");
  bool stamp = pl_starts_with(line, stamp_start) ||
               pl_starts_with(line, written_start);
  return stamp && text &&
         sscanf(text, ", text %16" SCNx64, hash) == 1;
}

void pl_generated_mark(const pl_bytes *text, char mark[PL_MARK_SIZE]) {
  snprintf(mark, PL_MARK_SIZE, "%016" PRIx64, hash_of(text->data, text->size));
}

/* The file's own mark knows best. Where there is none: a stamp anywhere shows
 * that text was added behind it. */
static pl_generated_state state_of(const char *path, const pl_bytes *bytes) {
  uint64_t hash;
  char then[PL_MARK_SIZE], now[PL_MARK_SIZE];
  pl_generated_mark(bytes, now);
  if (pl_mark_of(path, then))
    return strcmp(then, now) == 0 ? PL_GENERATED_STALE : PL_GENERATED_EDITED;
  if (!stamped_hash(bytes, &hash))
    return strstr(bytes->data, stamp_start) ||
                   strstr(bytes->data, written_start)
               ? PL_GENERATED_EDITED
               : PL_GENERATED_FOREIGN;
  return hash == hash_of(bytes->data, last_line(bytes)) ? PL_GENERATED_STALE
                                                        : PL_GENERATED_EDITED;
}

bool pl_is_stamped(const pl_source *source) {
  return pl_is_generated(source) || strstr(source->text, written_start);
}

bool pl_is_generated(const pl_source *source) {
  return strstr(source->text, stamp_start);
}

static bool same_text(const pl_bytes *a, const pl_bytes *b) {
  size_t i = 0, k = 0;
  for (;;) {
    while (i < a->size && a->data[i] == '\r')
      i++;
    while (k < b->size && b->data[k] == '\r')
      k++;
    if (i == a->size || k == b->size)
      return i == a->size && k == b->size;
    if (a->data[i++] != b->data[k++])
      return false;
  }
}

pl_generated_state pl_generated_at(const char *path, const pl_bytes *wanted) {
  pl_bytes there;
  if (access(path, F_OK) != 0 || !pl_read_file(path, &there))
    return PL_GENERATED_MISSING;
  pl_generated_state state = same_text(&there, wanted)
                                 ? PL_GENERATED_CURRENT
                                 : state_of(path, &there);
  free(there.data);
  return state;
}

/* dir/kernel.cu of dir/kernel_pipe.cu where there is one, else NULL. */
static char *source_of(const char *path, const char *suffix) {
  const char *name = pl_base_name(path), *dot = strrchr(name, '.');
  size_t stem = dot && dot != name ? (size_t)(dot - path) : strlen(path);
  size_t tail = strlen(suffix), name_at = (size_t)(name - path);
  if (stem < name_at + tail + 1 ||
      strncmp(path + stem - tail, suffix, tail) != 0)
    return NULL;
  char *source = pl_format("%.*s%s", (int)(stem - tail), path, path + stem);
  if (access(source, F_OK) == 0)
    return source;
  free(source);
  return NULL;
}

size_t pl_generated_to_sources(const char **inputs, size_t count,
                               const char *suffix, char **owned) {
  size_t left = 0;
  for (size_t i = 0; i < count; i++) {
    owned[i] = source_of(inputs[i], suffix);
    const char *input = owned[i] ? owned[i] : inputs[i];
    bool known = false;
    for (size_t k = 0; k < left && !known; k++)
      known = strcmp(inputs[k], input) == 0;
    if (!known)
      inputs[left++] = input;
  }
  return left;
}
