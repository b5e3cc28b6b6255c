/* shard.h - one part of N of a list of inputs, for a machine of N.
 *
 * A file's part follows from its name alone: the real path below the working
 * directory, else the whole real path. So the parts are the same on every
 * machine that has the tree at hand, in whatever order the files are named, and
 * a new file moves no other. */
#ifndef PL_SHARD_H
#define PL_SHARD_H

#include <stdint.h>

#include "walk.h"

/* Leaves the inputs of part `shard` of `shards`, from 1, and numbers them by
 * their place among all. What tells the whole list from another one, whatever
 * the order: equal in all parts. */
uint64_t pl_shard_keep(pl_inputs *inputs, int shard, int shards);

#endif
