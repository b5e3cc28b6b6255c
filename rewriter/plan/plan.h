/* plan.h - what plan.c (the order of decisions) and its neighbours share. */
#ifndef PL_PLAN_H
#define PL_PLAN_H

#include "loop.h"

#define MOST_STAGING_BYTES 512 /* of registers a thread, in any variant */
#define PL_BOUND_REGISTERS 64 /* a thread, of --launch-bounds */
#define AUTO_STAGING_BYTES 256 /* in one that `auto` takes */

/* plan_memory.c */

/* Static and dynamic bytes of a block, and of each tile. */
void pl_measure_shared(pl_loop *loop);
/* A block's bytes of shared memory with so many stages, -1: unknown. */
int64_t pl_bytes_with(const pl_loop *loop, int stages);
/* Blocks of a multiprocessor with `smem` bytes a block, -1: unknown. */
int pl_blocks_for(const pl_loop *loop, int64_t smem);
/* Bytes that a block may have. */
int64_t pl_smem_limit(const pl_loop *loop);
/* Whether `stages` fit; `strict`: and do not leave one block of many. Sets a
 * reason where they do not. */
bool pl_stages_fit(pl_loop *loop, int stages, bool strict, const char **id,
                   pl_str *why);

/* plan_once.c */

/* Which side's text can be written once. */
void pl_find_once(pl_loop *loop);

/* plan_stage_count.c */

/* Which loops can name their number of stages. */
void pl_find_stage_counts(pl_loops *loops);

/* plan_rows.c */

/* Finds the rows that bulk copies may take. */
void pl_choose_rows(pl_loop *loop);

/* plan_roles.c */

/* Refuses loops with roles whose kernel has another loop that waits for the whole block. */
void pl_check_roles(pl_loops *loops);

/* plan_total.c */

typedef struct pl_shared_sum {
  int64_t bytes; /* static, as far as they are known */
  int64_t open;  /* of them, beside tiles, those of objects whose size is open */
  bool dynamic, unknown;
} pl_shared_sum;

/* sizeof a shared object of a function under an instantiation, -1: unknown. */
int64_t pl_object_bytes(const pl_loop *loop, const pl_decl *decl,
                        const pl_func *func, const pl_instance *instance);
/* What one more stage of a tile adds, -1: unknown. */
int64_t pl_stage_bytes(const pl_tile *tile);
/* What a function declares, and those that it calls. */
pl_shared_sum pl_sum_shared(const pl_loop *loop, const pl_func *func,
                            const pl_instance *instance);
/* Dynamic bytes of a kernel, the most over the launches, -1: unknown. */
int64_t pl_dynamic_bytes(const pl_loop *loop, const pl_func *func);

/* Whether a block of a kernel has dynamic shared memory: it names some, or a launch in
 * sight gives it bytes, as one does that leaves room for fewer blocks beside it. */
bool pl_has_dynamic(const pl_loop *loop, const pl_func *kernel,
                    const pl_shared_sum *sum);
/* The most that a kernel with the loop in it takes, where the loop has so many
 * stages and others have those that are chosen; `open`: beside dynamic bytes of
 * a number that is not known. */
int64_t pl_total_bytes(const pl_loop *loop, int stages, bool *open);
/* The same without dynamic memory. */
int64_t pl_static_bytes(const pl_loop *loop, int stages);
/* Whether a function is the loop's own, or a kernel that may call it; a kernel is
 * called by nobody. */
bool pl_may_lead_to(const pl_loop *loop, const pl_func *func);

/* plan_launches.c */

/* Finds what each launch of the kernel says of its block; false: why not is set. */
bool pl_find_launch_blocks(pl_loop *loop, pl_roles *roles);

/* Sets `dynamic` of a loop whose tile lies in dynamic shared memory, or why there
 * cannot be more of that. */
void pl_find_dynamic(pl_loop *loop);
/* What would be made of launches, as notes, where they are why there are no stages. */
void pl_note_launches(pl_loop *loop, int stages);

/* Whether a kernel is named elsewhere than in its declarations and in front of <<<. */
bool pl_is_handed_on(const pl_unit *unit, const pl_func *kernel);

/* Whether text that no build sees may name a variable, which `nnames` nodes of the function
 * name. */
bool pl_is_named_besides(const pl_unit *unit, const pl_func *func, const pl_decl *decl,
                         size_t nnames);

/* plan_configs.c: what a launch by a configuration, or a question, gives; NULL: nothing,
 * or where `config` is not set, it is not known. `held`: a variable that holds the kernel,
 * or NULL. */
pl_node *pl_configured_bytes(const pl_unit *unit, const pl_func *kernel, const pl_decl *held,
                             const pl_func *caller, const pl_node *call,
                             const pl_decl **config);
/* Whether such a launch of a kernel may give bytes. */
bool pl_gives_configured(const pl_unit *unit, const pl_func *kernel, const pl_func *caller,
                         const pl_node *call);

/* plan_resident.c */

/* Whether all blocks of a kernel with the loop in it may have to run at once, and the file
 * asks the runtime how many do. */
void pl_find_grid_waits(pl_loop *loop);
/* Notes what is not known of that, with a loop that is rewritten. */
void pl_note_grid(pl_loop *loop);

/* plan_obstacles.c */

/* Notes the reason against more than one buffer, unless there is one. */
void pl_no_double(pl_loop *loop, const char *id, const char *why, pl_str name);
/* Sets double_id and double_why, and the tiles' alignment. */
void pl_find_double(pl_loop *loop);
/* Why registers do not stage what a thread loads. */
pl_str pl_staging_text(const pl_loop *loop);
/* Whether a call of a load helper reads global memory and locals alone. */
bool pl_reads_only_global(const pl_loop *loop, const pl_node *call);
/* Sets async_id and async_why, can_mix and mixed_bytes, as far as the text of the
 * copies tells. */
void pl_find_async(pl_loop *loop);
/* Sets them anew where two copies of a thread meet in a cell; once. The proof that
 * none do is the dearest of all passes. */
void pl_prove_async(pl_loop *loop);
/* Bytes of the narrowest copy that can be asynchronous, in the mixed form that
 * is; at most 16. */
int pl_narrowest_copy(const pl_loop *loop);
/* Whether a copy that can be asynchronous has 16 bytes. */
bool pl_has_wide_copy(const pl_loop *loop);
/* Whether tiles that are copied by less than 16 bytes at a time are a small part of
 * all: at most one byte in MOSTLY_WIDE. */
bool pl_is_mostly_wide(pl_loop *loop);
/* The ID of why a variant does not apply, NULL: it does. */
const char *pl_obstacle(pl_loop *loop, pl_variant variant, pl_str *why);
/* The same without pl_prove_async. */
const char *pl_obstacle_in_sight(pl_loop *loop, pl_variant variant,
                                 pl_str *why);

/* plan_mixed.c */

/* Whether some tiles can be copied asynchronously where not all can be, and the
 * others staged: sets can_mix and mixed_bytes. async_id is known. */
void pl_find_mixed(pl_loop *loop);
/* Splits the loop for the mixed form, or for one way for all tiles again. */
void pl_set_mixed(pl_loop *loop, bool mixed);
/* "copied asynchronously: 'As'; through registers: 'Bs' (why)". */
pl_str pl_mixed_text(pl_loop *loop);

/* plan_traits.c */

bool pl_is_persistent(const pl_loop *loop);
/* Iterations of a loop where the tile is full, -1: unknown. */
int64_t pl_full_trips(pl_loop *loop, pl_node *node);
/* Whether compute waits for loads of its own from global memory. */
bool pl_computes_on_global(pl_loop *loop);
/* Reads of the tiles by one thread's compute, at least. */
double pl_reads_of_tiles(pl_loop *loop);
/* The same for each copy that the
 * thread makes; 0: not known. */
double pl_reads_per_copy(pl_loop *loop);

/* plan_ratio.c */

/* Sets ratio: operations of one tile's compute for each byte loaded, where all of
 * them can be counted. */
void pl_measure_ratio(pl_loop *loop);

/* plan_facts.c */

/* Sets the loop's facts but for what plan_ratio.c counts. */
void pl_find_facts(pl_loop *loop);
/* What was compiled of the kernels that get to the loop, the most of all; false: it is
 * not known. */
bool pl_compiled_as(const pl_loop *loop, pl_variant variant, pl_compiled *most);

/* plan_gain.c */

/* Sets the gain that the form which was taken is expected to make. */
void pl_foresee_gain(pl_loop *loop);
/* Whether the grid is known to leave a multiprocessor one block, or a warp for each of
 * its four schedulers. */
bool pl_leaves_gpu_empty(const pl_loop *loop);

/* plan_sharing.c */

/* Whether a loop's tiles have stages, as far as is decided. */
bool pl_is_staged(const pl_loop *loop);
/* False: the loop cannot have stages, for the reason it now has. */
bool pl_check_shared_use(pl_loops *loops, pl_loop *loop);

/* plan_outside.c */

/* Whether a use of a tile outside the loop can do with one of its stages: behind
 * the loop with the last tile's. */
bool pl_may_name_a_stage(const pl_loops *loops, pl_loop *loop,
                         const pl_tile *tile, const pl_node *ref);
/* Whether the function names a tile between #if and #endif in text that is not
 * compiled now, and would not be rewritten. */
bool pl_is_named_in_left_out_text(const pl_loop *loop, const pl_decl *decl);

/* plan_choose.c */

/* Sets variant and stages, or settles the loop. */
void pl_choose(pl_loop *loop);
/* A refusal because of a variant, at the #if where that is the reason. */
void pl_refuse_at(pl_loop *loop, bool certain, const char *id, const char *what,
                  pl_str why);
/* Whether an asynchronous variant may apply to all tiles, but for the proof that no
 * copies meet; sets a reason. */
bool pl_may_be_async(pl_loop *loop, pl_variant variant, pl_str *why);
/* Whether it does. */
bool pl_is_async(pl_loop *loop, pl_variant variant, pl_str *why);
/* Takes a variant with so many stages. */
void pl_adopt(pl_loop *loop, pl_variant variant, int stages);
/* What the blocks of a multiprocessor count for beside tiles in flight. */
typedef enum pl_blocks_count {
  PL_BLOCKS_HIDE,   /* they hide latency too: half of them have to be left */
  PL_BLOCKS_STREAM, /* less: as many as hold a quarter of the threads */
  PL_BLOCKS_FEW     /* nothing: the grid gives a multiprocessor one */
} pl_blocks_count;
/* Takes the most stages up to `most` that fit, `least` or more, if the variant
 * applies. */
bool pl_try_stages(pl_loop *loop, pl_variant variant, int least, int most,
                   pl_blocks_count blocks);
/* Takes a variant that stages in registers, if it applies and they are few enough. */
bool pl_try_staging(pl_loop *loop, pl_variant variant);

/* plan_auto.c */

/* Sets variant and stages as is expected to pay, or settles the loop. */
void pl_choose_auto(pl_loop *loop);
/* No variant applies. */
void pl_refuse_all(pl_loop *loop);

#endif
