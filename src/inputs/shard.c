/* shard.c - see shard.h. */
#define _GNU_SOURCE
#include "shard.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "above.h"
#include "text.h"

/* FNV-1a, its bits mixed as in MurmurHash3's last step: a remainder of FNV
 * alone depends on few of them. */
static uint64_t hash_of(const char *text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
  hash = (hash ^ hash >> 33) * 0xff51afd7ed558ccdu;
  hash = (hash ^ hash >> 33) * 0xc4ceb9fe1a85ec53u;
  return hash ^ hash >> 33;
}

/* The part of a real path below a directory; all of it elsewhere. */
static const char *below(const char *path, const char *directory) {
  size_t length = directory ? strlen(directory) : 0;
  bool inside = length && strncmp(path, directory, length) == 0 &&
                path[length] == '/';
  return inside ? path + length + 1 : path;
}

/* What is not there has a place all the same. Free with free. */
static char *real_name(const char *path) {
  char *real = realpath(path, NULL);
  if (real || strcmp(path, "-") == 0)
    return real ? real : pl_format("-");
  char *directory = pl_real_directory(path);
  real = pl_format("%s/%s", directory, pl_base_name(path));
  free(directory);
  return real;
}

static uint64_t hash_of_input(const pl_input *input, const char *here) {
  char *real = real_name(input->path);
  uint64_t hash = hash_of(below(real, here));
  free(real);
  return hash;
}

uint64_t pl_shard_keep(pl_inputs *inputs, int shard, int shards) {
  char *here = realpath(".", NULL);
  uint64_t list = 0;
  size_t kept = 0;
  for (size_t i = 0; i < inputs->count; i++) {
    pl_input *input = &inputs->items[i];
    uint64_t hash = hash_of_input(input, here);
    list += hash;
    input->position = i;
    if (hash % (uint64_t)shards + 1 == (uint64_t)shard)
      inputs->items[kept++] = *input;
    else
      pl_input_free(input);
  }
  inputs->count = kept;
  free(here);
  return list;
}
