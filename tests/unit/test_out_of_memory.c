/* test_out_of_memory.c - the program when memory runs out: whichever way it was
 * asked for, one sentence on standard error and exit code 2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void *volatile taken;

static void take_zeroed(void) { taken = pl_alloc(SIZE_MAX, 2); }
static void take_more(void) { taken = pl_resize(NULL, SIZE_MAX / 2, 4); }
static void take_all(void) { taken = pl_resize(NULL, SIZE_MAX / 2, 1); }
static void take_made(void) { taken = pl_made(NULL); }
static void take_of_arena(void) {
  taken = pl_arena_alloc(pl_new_arena(), SIZE_MAX / 2);
}

/* In a process of its own, where half a line stands in standard output. */
static int run(void (*take)(void), char *said, size_t room) {
  int pipes[2], status;
  assert_int_equal(pipe(pipes), 0);
  pid_t child = fork();
  if (child == 0) {
    dup2(pipes[1], STDOUT_FILENO);
    dup2(pipes[1], STDERR_FILENO);
    printf("half a line");
    take();
    _exit(0);
  }
  close(pipes[1]);
  ssize_t n = read(pipes[0], said, room - 1);
  said[n > 0 ? n : 0] = 0;
  close(pipes[0]);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void test_each_way(void **state) {
  (void)state;
  void (*const ways[])(void) = {take_zeroed, take_more, take_all, take_made,
                                take_of_arena};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    char said[200];
    fflush(stdout);
    assert_int_equal(run(ways[i], said, sizeof said), 2);
    assert_string_equal(said, "pipelinify: out of memory\n");
  }
}

static void test_nothing_is_something(void **state) {
  (void)state;
  void *none = pl_alloc(0, 0);
  assert_non_null(none);
  none = pl_resize(none, 0, 8);
  assert_non_null(none);
  char *text = memset(pl_resize(none, 3, 100), 1, 300);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_way),
      cmocka_unit_test(test_nothing_is_something)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
