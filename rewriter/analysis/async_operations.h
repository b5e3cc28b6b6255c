/* async_operations.h - asynchronous copies, as the accesses that they are.
 *
 * An asynchronous copy writes N bytes of shared memory with what N bytes of global
 * memory hold, at any time between its issue and the wait that covers it. So an
 * execution in which it is made at once is one of those that it allows: where all
 * copies of a loop are waited for in the iteration that issues them, they may be read
 * as plain loads and stores. */
#ifndef PL_ASYNC_OPERATIONS_H
#define PL_ASYNC_OPERATIONS_H

#include "loop.h"

typedef enum pl_async_role {
  PL_ASYNC_COPY,
  PL_ASYNC_COMMIT,
  PL_ASYNC_WAIT, /* for all but the last `prior` batches */
  PL_ASYNC_WAIT_OLDEST,
  PL_ASYNC_ACQUIRE,
  PL_ASYNC_RELEASE,
  PL_ASYNC_ARRIVE,
  PL_ASYNC_ARRIVE_AND_WAIT,
  PL_ASYNC_WAIT_TOKEN,
  PL_ASYNC_QUIT
} pl_async_role;

typedef enum pl_async_keeper {
  PL_KEPT_BY_THREAD,
  PL_KEPT_BY_GROUP,
  PL_KEPT_BY_OBJECT
} pl_async_keeper;

/* Who a statement is done by together. */
typedef enum pl_async_group {
  PL_GROUP_THREAD, /* each thread for itself */
  PL_GROUP_TILE,   /* a tile of a warp */
  PL_GROUP_BLOCK
} pl_async_group;

/* One operation. All nodes are of the text of the function that it stands in, also
 * where a function or macro of the user's holds it. */
typedef struct pl_async_op {
  pl_async_role role;
  pl_async_keeper keeper;
  pl_node *node;         /* the statement */
  const pl_func *helper; /* a function that the loop calls, whose text has it and all
                            nodes; NULL: it is of the loop's own function */
  pl_node *call;         /* helper: its call in the loop */
  const pl_decl *object; /* the pipeline or barrier; NULL: none */
  bool of_block;         /* object: all threads of the block take part in it */
  bool of_several;       /* object: one of an array, which a variable chooses */
  pl_node *group;        /* GROUP_TILE, GROUP_BLOCK: what is written for it */
  pl_async_group by;
  /* of a copy */
  pl_node *to, *from;    /* pointers */
  pl_node *offset;       /* bytes from `to` on, NULL: none */
  pl_node *bytes;        /* how many */
  int64_t nbytes;        /* -1: not known */
  pl_node *places, *limit; /* instead: elements there, and at most so many; NULL: bytes */
  int64_t aligned;       /* both addresses to so many bytes; 0: to their elements' */
  pl_node *when;         /* made where this holds, NULL: always */
  bool unless;           /* ... does not hold */
  bool zeros;            /* ... and zeros are stored otherwise */
  bool commits;          /* of a wait in assembly: what was issued is a batch before it */
  int64_t prior;         /* of a wait, -1: not known */
#define PL_ASYNC_OF_ALL (-2) /* ... of those that were not committed as well */
  const pl_decl *token;  /* of an arrival, and of the wait for it; NULL: none */
  const char *problem;   /* why no more is known of it; NULL: all is */
} pl_async_op;

/* Whether a statement of a function is one asynchronous operation and nothing else. */
bool pl_async_operation(const pl_loop *loop, pl_node *stmt, pl_async_op *op);
/* Whether an expression is an address in shared memory, as a number, of a pointer that is
 * seen. */
bool pl_async_makes_address(const pl_loop *loop, pl_node *node);

/* How a copy is made of elements, or of words that both addresses are cast to. */
typedef struct pl_async_pieces {
  const char *word;     /* NULL: elements */
  pl_str type;          /* of a piece */
  const char *zero;     /* of that type, where zeros may be stored */
  int64_t bytes, count; /* of a piece; how many, -1: a text says so */
  pl_str counted;       /* that text */
  pl_str limit;         /* as many at most; empty: no fewer than counted */
  bool one_each;        /* as many as the group has threads */
} pl_async_pieces;
/* async_pieces.c: NULL, or why there are none. */
const char *pl_async_take_pieces(const pl_loop *loop, const pl_async_op *op,
                                 pl_async_pieces *pieces);
/* Whether a node's text is the source's own, without comments. */
bool pl_async_is_spelt(const pl_unit *unit, const pl_node *node);

/* What is in flight around and in a loop. */
typedef struct pl_async_use {
  bool any;            /* the loop has such operations */
  bool waited;         /* all of them are known, and what is issued in an iteration
                          is waited for in it */
  bool ahead;          /* else: copies are in flight from one iteration to another */
  pl_node *at;         /* !waited: what stands in the way, NULL: the loop */
  const char *why;
  pl_async_op *ops;    /* the loop's, in the order of the text */
  size_t n, cap;
} pl_async_use;
/* async_builds.c: whether other builds have no calls around a loop that this one does not
 * see; whether an #if stands in a text. */
bool pl_async_is_all_seen(const pl_loop *loop);
bool pl_async_has_condition(const pl_unit *unit, pl_range range);
/* async_order.c. Whether nothing that calls the loop's function, and is seen to, copies
 * asynchronously itself. */
bool pl_async_callers_copy_nothing(pl_loop *loop);
void pl_async_in_loop(pl_loop *loop, pl_async_use *use);

#endif
