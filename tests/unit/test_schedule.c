/* test_schedule.c - which orders keep the order of memory: those of all forms, and
 * no order that lacks one of their steps. */
#include "build_model.h"
#include "forms.h"

#include <string.h>

enum { MOST_STEPS = 16 };

/* A schedule of a test's own: a form's, to be spoilt. */
typedef struct own_schedule {
  pl_step prologue[MOST_STEPS], round[MOST_STEPS], epilogue[MOST_STEPS];
  pl_schedule schedule;
} own_schedule;

static size_t copy_list(pl_step *to, const pl_step *from) {
  size_t n = 0;
  do
    to[n] = from[n];
  while (from[n++].kind != PL_STEP_END && n < MOST_STEPS);
  return n - 1;
}

static void copy_schedule(own_schedule *own, const pl_schedule *of) {
  copy_list(own->prologue, of->prologue);
  copy_list(own->round, of->round);
  copy_list(own->epilogue, of->epilogue);
  own->schedule = (pl_schedule){of->rounds, of->lead, own->prologue, own->round,
                                own->epilogue, of->batches};
}

/* Takes the first step of a kind out of a list. */
static void drop(pl_step *list, pl_step_kind kind) {
  while (list->kind != kind) {
    assert_int_not_equal(list->kind, PL_STEP_END);
    list++;
  }
  do
    list[0] = list[1];
  while ((++list)[-1].kind != PL_STEP_END);
}

static pl_step *find(pl_step *list, pl_step_kind kind) {
  while (list->kind != kind) {
    assert_int_not_equal(list->kind, PL_STEP_END);
    list++;
  }
  return list;
}

static own_schedule schedule_of(pl_variant variant, int stages, bool mixed) {
  own_schedule own;
  copy_schedule(&own, pl_form_for(NULL, variant, stages, mixed)->schedule);
  return own;
}

/* That of loops whose block may vote to leave. */
static own_schedule near_schedule(void) {
  extern const pl_form pl_form_cp_async_near;
  own_schedule own;
  copy_schedule(&own, pl_form_cp_async_near.schedule);
  return own;
}

/* (The lists are where they are now, not where they were copied from.) */
static const char *fault(own_schedule *own, int buffers) {
  own->schedule.prologue = own->prologue;
  own->schedule.round = own->round;
  own->schedule.epilogue = own->epilogue;
  return pl_schedule_fault(&own->schedule, buffers);
}

static void fails(own_schedule *own, int buffers, const char *what) {
  const char *found = fault(own, buffers);
  if (!found || !strstr(found, what))
    fail_msg("'%s', not '%s'", found ? found : "no fault", what);
}

/* ---- right --------------------------------------------------------------- */

static void test_all_forms(void **state) {
  (void)state;
  size_t n;
  const pl_form_row *rows = pl_form_rows(&n);
  assert_true(n >= 5);
  for (size_t i = 0; i < n; i++)
    for (int buffers = rows[i].least; buffers <= rows[i].most; buffers++) {
      const char *found = pl_schedule_fault(rows[i].form->schedule, buffers);
      if (found)
        fail_msg("row %zu, %d buffers: %s", i, buffers, found);
    }
}

/* Whether a step can be missed in the text alone: what waits for nothing. */
static bool may_be_missed(const pl_schedule *of, const pl_step *list,
                          pl_step_kind kind) {
  return of->rounds == PL_ROUNDS_OF_ALL && list == of->epilogue &&
         kind == PL_STEP_WAIT;
}

/* No step of any form is there for nothing. */
static void test_every_step_counts(void **state) {
  (void)state;
  size_t n;
  const pl_form_row *rows = pl_form_rows(&n);
  for (size_t i = 0; i < n; i++) {
    const pl_schedule *of = rows[i].form->schedule;
    const pl_step *lists[] = {of->prologue, of->round, of->epilogue};
    for (int k = 0; k < 3; k++)
      for (size_t s = 0; lists[k][s].kind != PL_STEP_END; s++) {
        pl_step fewer[MOST_STEPS];
        pl_schedule spoilt = *of;
        size_t steps = copy_list(fewer, lists[k]);
        memmove(&fewer[s], &fewer[s + 1], (steps - s) * sizeof *fewer);
        *(k == 0 ? &spoilt.prologue : k == 1 ? &spoilt.round : &spoilt.epilogue) =
            fewer;
        if (!pl_schedule_fault(&spoilt, rows[i].most) &&
            !may_be_missed(of, lists[k], lists[k][s].kind))
          fail_msg("row %zu, list %d does not need step %zu", i, k, s);
      }
  }
}

/* ---- broken -------------------------------------------------------------- */

static void test_dropped_wait(void **state) {
  (void)state;
  own_schedule two = near_schedule();
  drop(two.round, PL_STEP_WAIT);
  fails(&two, 2, "not waited for");
  own_schedule first = near_schedule();
  drop(first.prologue, PL_STEP_WAIT);
  fails(&first, 2, "not waited for");
  own_schedule deep = schedule_of(PL_VARIANT_CP_ASYNC, 4, false);
  drop(deep.round, PL_STEP_WAIT);
  fails(&deep, 4, "not waited for");
  own_schedule mixed = schedule_of(PL_VARIANT_CP_ASYNC, 2, true);
  drop(mixed.round, PL_STEP_WAIT);
  fails(&mixed, 2, "not waited for");
}

/* One batch too many may still be on its way. */
static void test_weak_wait(void **state) {
  (void)state;
  own_schedule deep = schedule_of(PL_VARIANT_CP_ASYNC, 3, false);
  find(deep.round, PL_STEP_WAIT)->n.plus++;
  fails(&deep, 3, "not waited for");
}

/* The block's pipeline has no barriers: what a step waits for is what it is there
 * for. */
static void test_block(void **state) {
  (void)state;
  own_schedule taken = schedule_of(PL_VARIANT_PIPELINE_BLOCK, 3, false);
  drop(taken.round, PL_STEP_ACQUIRE);
  fails(&taken, 3, "not acquired");
  own_schedule early = schedule_of(PL_VARIANT_PIPELINE_BLOCK, 3, false);
  pl_step *compute = find(early.round, PL_STEP_COMPUTE), swap = compute[0];
  compute[0] = compute[1];
  compute[1] = swap;
  fails(&early, 3, "not in order");
  own_schedule own = schedule_of(PL_VARIANT_PIPELINE_BLOCK, 3, false);
  own.schedule.batches = PL_BATCHES_OF_THREAD;
  fails(&own, 3, "no barrier makes a tile visible");
  own_schedule left = schedule_of(PL_VARIANT_PIPELINE_BLOCK, 3, false);
  drop(left.epilogue, PL_STEP_DRAIN);
  fails(&left, 3, "before they have landed");
  own_schedule far = schedule_of(PL_VARIANT_PIPELINE_UNIFIED, 3, false);
  far.schedule.lead.plus++;
  fails(&far, 3, "more buffers are acquired");
  own_schedule near = schedule_of(PL_VARIANT_PIPELINE_UNIFIED, 3, false);
  near.schedule.lead.plus--;
  fails(&near, 3, "not in order");
}

/* Copies may still be on their way, or others read. */
static void test_meeting(void **state) {
  (void)state;
  own_schedule deep = schedule_of(PL_VARIANT_BARRIER, 4, false);
  drop(deep.round, PL_STEP_MEET);
  fails(&deep, 4, "not waited for");
  own_schedule other = schedule_of(PL_VARIANT_BARRIER, 4, false);
  find(other.round, PL_STEP_MEET)->n.plus++;
  fails(&other, 4, "not waited for");
  own_schedule late = schedule_of(PL_VARIANT_BARRIER, 4, false);
  pl_step *meet = find(late.round, PL_STEP_MEET);
  pl_step step = meet[0];
  meet[0] = meet[1];
  meet[1] = step;
  fails(&late, 4, "still read");
}

static void test_dropped_commit(void **state) {
  (void)state;
  own_schedule deep = schedule_of(PL_VARIANT_CP_ASYNC, 3, false);
  drop(deep.round, PL_STEP_COMMIT);
  fails(&deep, 3, "");
}

static void test_dropped_barrier(void **state) {
  (void)state;
  own_schedule ldg = schedule_of(PL_VARIANT_LDG, 2, false);
  drop(ldg.round, PL_STEP_BARRIER);
  fails(&ldg, 2, "barrier");
  own_schedule deep = schedule_of(PL_VARIANT_CP_ASYNC, 3, false);
  drop(deep.round, PL_STEP_BARRIER);
  fails(&deep, 3, "barrier");
}

/* Of two barriers a round, the first keeps readers from the store, the second makes
 * the store visible. */
static void test_one_of_two_barriers(void **state) {
  (void)state;
  own_schedule reuse = schedule_of(PL_VARIANT_LDG_SINGLE, 1, false);
  drop(reuse.round, PL_STEP_BARRIER);
  fails(&reuse, 1, "other threads may still read");
  own_schedule use = schedule_of(PL_VARIANT_LDG_SINGLE, 1, false);
  drop(find(use.round, PL_STEP_STORE), PL_STEP_BARRIER);
  fails(&use, 1, "no barrier makes a tile visible");
}

/* A wait behind the barrier is one thread's own. */
static void test_wait_behind_barrier(void **state) {
  (void)state;
  own_schedule two = schedule_of(PL_VARIANT_CP_ASYNC, 2, false);
  pl_step *wait = find(two.round, PL_STEP_WAIT);
  pl_step swap = wait[0];
  wait[0] = wait[1];
  wait[1] = swap;
  fails(&two, 2, "no barrier makes a tile visible");
}

static void test_too_few_buffers(void **state) {
  (void)state;
  own_schedule ldg = schedule_of(PL_VARIANT_LDG, 2, false);
  fails(&ldg, 1, "other threads may still read");
  own_schedule two = near_schedule();
  fails(&two, 1, "written over before its compute");
  own_schedule deep = schedule_of(PL_VARIANT_CP_ASYNC, 4, false);
  find(deep.round, PL_STEP_ISSUE)->n = (pl_count)PL_BUFFERS_AND(0);
  deep.schedule.lead = (pl_count)PL_BUFFERS_AND(0);
  fails(&deep, 4, "written over before its compute");
}

static void test_last_stage_skipped(void **state) {
  (void)state;
  own_schedule ldg = schedule_of(PL_VARIANT_LDG, 2, false);
  drop(ldg.epilogue, PL_STEP_COMPUTE);
  fails(&ldg, 2, "not computed on");
  own_schedule deep = schedule_of(PL_VARIANT_CP_ASYNC, 4, false);
  deep.schedule.lead = (pl_count)PL_BUFFERS_AND(-2);
  fails(&deep, 4, "not waited for");
  find(deep.round, PL_STEP_WAIT)->n.plus--;
  fails(&deep, 4, "another tile");
}

/* Copies go where the tile before is still computed on. */
static void test_issue_too_early(void **state) {
  (void)state;
  own_schedule deep = schedule_of(PL_VARIANT_CP_ASYNC, 3, false);
  pl_step *barrier = find(deep.round, PL_STEP_BARRIER);
  pl_step issue = barrier[1], commit = barrier[2];
  barrier[2] = barrier[0];
  barrier[1] = commit;
  barrier[0] = issue;
  find(deep.round, PL_STEP_WAIT)->n.plus++;
  fails(&deep, 3, "");
}

static void test_no_advance(void **state) {
  (void)state;
  own_schedule ldg = schedule_of(PL_VARIANT_LDG, 2, false);
  drop(ldg.round, PL_STEP_ADVANCE);
  fails(&ldg, 2, "");
}

/* Right as an order, but nothing the printer knows: a fetch has no guard of its own. */
static void test_no_text(void **state) {
  (void)state;
  own_schedule deep = schedule_of(PL_VARIANT_CP_ASYNC, 3, false);
  find(deep.round, PL_STEP_ISSUE)->kind = PL_STEP_FETCH;
  fails(&deep, 3, "no text is known");
  own_schedule ldg = schedule_of(PL_VARIANT_LDG, 2, false);
  ldg.schedule.lead = (pl_count)PL_N(2);
  fails(&ldg, 2, "no text is known");
}

static void test_no_such_buffers(void **state) {
  (void)state;
  own_schedule ldg = schedule_of(PL_VARIANT_LDG, 2, false);
  fails(&ldg, 0, "no such number");
  fails(&ldg, 1000, "no such number");
}

/* ---- loops --------------------------------------------------------------- */

static const char gemm[] = B_KERNEL(B_LOOP(B_COMPUTE));

/* A plan that no form is for is refused, not printed. */
static void test_refused(void **state) {
  (void)state;
  built *b = b_passes(gemm, B_PLAN);
  pl_check_schedules(&b->loops);
  b_open(b_loop(b, 0));
  b_loop(b, 0)->stages = 40;
  pl_check_schedules(&b->loops);
  b_refused(b_loop(b, 0), "PL9001", NULL);
  b_free(b);
}

/* Tiles that are loaded ahead of the block's vote. */
static void test_obstacle_of_a_form(void **state) {
  (void)state;
  built *b = b_passes(gemm, B_PLAN);
  pl_loop *loop = b_loop(b, 0);
  pl_str why = {0};
  assert_null(pl_form_obstacle(loop, PL_VARIANT_PIPELINE, &why));
  loop->nvotes = 1;
  assert_string_equal(pl_form_obstacle(loop, PL_VARIANT_PIPELINE, &why), "PL2003");
  assert_true(why.n > 0);
  assert_null(pl_form_obstacle(loop, PL_VARIANT_CP_ASYNC, &why));
  loop->nvotes = 0;
  b_free(b);
}

/* ---- words --------------------------------------------------------------- */

static void test_words(void **state) {
  (void)state;
  built *b = b_read(gemm);
  const pl_copy_values values = {.name = PL_STR("pipe"), .n = PL_STR("2"),
                                 .stage = PL_STR("s"), .to = PL_STR("&a[i]"),
                                 .from = PL_STR("&A[j]"), .bytes = PL_STR("16"),
                                 .state = PL_STR("kept")};
  pl_str text = pl_copy_text(
      b->arena, "f($NAME[$STAGE], $N, $TO, $FROM, $BYTES, $STATE); $ $n", &values);
  assert_true(pl_str_is(text, "f(pipe[s], 2, &a[i], &A[j], 16, kept); $ $n"));
  b_free(b);
}

/* Every step that a form makes has its words. */
static void test_words_for_steps(void **state) {
  (void)state;
  size_t n;
  const pl_form_row *rows = pl_form_rows(&n);
  for (size_t i = 0; i < n; i++) {
    const pl_schedule *s = rows[i].form->schedule;
    const pl_copy_words *words = rows[i].form->words;
    const pl_step *lists[] = {s->prologue, s->round, s->epilogue};
    assert_int_equal(words != NULL, rows[i].form->async);
    assert_true(!words || (words->header && words->known_by && words->copy));
    assert_true(!words || !words->object || words->name);
    assert_true(!words || !words->parameter || words->object);
    for (int k = 0; k < 3; k++)
      for (const pl_step *step = lists[k]; step->kind != PL_STEP_END; step++) {
        const char *said = step->kind == PL_STEP_ACQUIRE       ? words->acquire
                           : step->kind == PL_STEP_COMMIT      ? words->commit
                           : step->kind == PL_STEP_WAIT        ? words->wait
                           : step->kind == PL_STEP_WAIT_OLDEST ? words->wait_oldest
                           : step->kind == PL_STEP_RELEASE     ? words->release
                           : step->kind == PL_STEP_MEET        ? words->meet
                                                               : "";
        assert_non_null(said);
      }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_forms),
      cmocka_unit_test(test_every_step_counts),
      cmocka_unit_test(test_dropped_wait),
      cmocka_unit_test(test_weak_wait),
      cmocka_unit_test(test_block),
      cmocka_unit_test(test_meeting),
      cmocka_unit_test(test_dropped_commit),
      cmocka_unit_test(test_dropped_barrier),
      cmocka_unit_test(test_one_of_two_barriers),
      cmocka_unit_test(test_wait_behind_barrier),
      cmocka_unit_test(test_too_few_buffers),
      cmocka_unit_test(test_last_stage_skipped),
      cmocka_unit_test(test_issue_too_early),
      cmocka_unit_test(test_no_advance),
      cmocka_unit_test(test_no_text),
      cmocka_unit_test(test_no_such_buffers),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_obstacle_of_a_form),
      cmocka_unit_test(test_words),
      cmocka_unit_test(test_words_for_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
