/* test_output.c - files are replaced whole or not at all. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "output.h"
#include "memory.h"
#include "interrupt.h"
#include "replace.h"
#include "text.h"

/* A directory of the test's own, which is also the current one. */
static int enter_directory(void **state) {
  char *path = strdup("/tmp/pl_output.XXXXXX");
  *state = path;
  return mkdtemp(path) && chdir(path) == 0 ? 0 : -1;
}

static int leave_directory(void **state) {
  char *command = pl_format("rm -rf '%s'", (char *)*state);
  int code = chdir("/") == 0 ? system(command) : -1;
  free(command);
  free(*state);
  return code;
}

static pl_write_status put(const char *path, const char *text) {
  return pl_write_file(path, text, strlen(text));
}

static void expect_text(const char *path, const char *text) {
  pl_bytes bytes;
  assert_true(pl_read_file(path, &bytes));
  assert_int_equal(bytes.size, strlen(text));
  assert_string_equal(bytes.data, text);
  free(bytes.data);
}

static struct stat status_of(const char *path) {
  struct stat status;
  assert_int_equal(stat(path, &status), 0);
  return status;
}

static int count_files(void) {
  DIR *directory = opendir(".");
  int count = 0;
  for (struct dirent *e; (e = readdir(directory));)
    count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
  closedir(directory);
  return count;
}

static void test_fresh_file(void **state) {
  (void)state;
  mode_t before = umask(027);
  assert_int_equal(put("a", "text"), PL_WRITE_DONE);
  umask(before);
  expect_text("a", "text");
  assert_int_equal(status_of("a").st_mode & 07777, 0640);
  assert_int_equal(count_files(), 1);
}

static void test_mode_is_kept(void **state) {
  (void)state;
  assert_int_equal(put("a", "old"), PL_WRITE_DONE);
  assert_int_equal(chmod("a", 0751), 0);
  assert_int_equal(put("a", "new"), PL_WRITE_DONE);
  expect_text("a", "new");
  assert_int_equal(status_of("a").st_mode & 07777, 0751);
}

static void test_same_bytes_are_left(void **state) {
  (void)state;
  assert_int_equal(put("a", "same"), PL_WRITE_DONE);
  ino_t before = status_of("a").st_ino;
  assert_int_equal(put("a", "same"), PL_WRITE_SAME);
  assert_int_equal(status_of("a").st_ino, before);
  assert_int_equal(put("a", "sama"), PL_WRITE_DONE);
}

static void test_links_are_followed(void **state) {
  (void)state;
  assert_int_equal(mkdir("d", 0777), 0);
  assert_int_equal(put("d/real", "old"), PL_WRITE_DONE);
  assert_int_equal(symlink("d/real", "link"), 0);
  assert_int_equal(put("link", "new"), PL_WRITE_DONE);
  expect_text("d/real", "new");
  struct stat link;
  assert_int_equal(lstat("link", &link), 0);
  assert_true(S_ISLNK(link.st_mode));
}

static void test_link_to_nothing(void **state) {
  (void)state;
  assert_int_equal(mkdir("d", 0777), 0);
  assert_int_equal(symlink("real", "d/link"), 0);
  assert_int_equal(put("d/link", "new"), PL_WRITE_DONE);
  expect_text("d/real", "new");
}

static void test_link_to_a_link_to_nothing(void **state) {
  (void)state;
  assert_int_equal(symlink("b", "a"), 0);
  assert_int_equal(symlink("real", "b"), 0);
  assert_int_equal(put("a", "new"), PL_WRITE_DONE);
  expect_text("real", "new");
  assert_int_equal(count_files(), 3);
}

static void test_links_in_a_circle(void **state) {
  (void)state;
  struct stat link;
  assert_int_equal(symlink("b", "a"), 0);
  assert_int_equal(symlink("a", "b"), 0);
  assert_int_equal(put("a", "new"), PL_WRITE_FAILED);
  assert_int_equal(errno, ELOOP);
  assert_int_equal(lstat("b", &link), 0);
  assert_true(S_ISLNK(link.st_mode));
}

/* Names as long as they may be, and as long that only their ends differ. */
static void test_long_names(void **state) {
  (void)state;
  char name[256];
  memset(name, 'n', 255);
  name[255] = 0;
  assert_int_equal(put(name, "old"), PL_WRITE_DONE);
  assert_int_equal(put(name, "new"), PL_WRITE_DONE);
  expect_text(name, "new");
  name[254] = 'm';
  assert_int_equal(put(name, "old"), PL_WRITE_DONE);
  assert_int_equal(put(name, "other"), PL_WRITE_DONE);
  expect_text(name, "other");
  for (size_t i = 0; i + 1 < 255; i += 2)
    memcpy(name + i, "\xc3\xa9", 2);
  assert_int_equal(put(name, "old"), PL_WRITE_DONE);
  assert_int_equal(put(name, "new"), PL_WRITE_DONE);
  expect_text(name, "new");
  assert_int_equal(count_files(), 3);
}

static void test_failures_leave_nothing(void **state) {
  (void)state;
  assert_int_equal(put("no/such/a", "x"), PL_WRITE_FAILED);
  assert_int_equal(errno, ENOENT);
  assert_int_equal(mkdir("d", 0777), 0);
  assert_int_equal(put("d", "x"), PL_WRITE_FAILED);
  assert_int_equal(errno, EISDIR);
  assert_int_equal(count_files(), 1);
}

static void test_full_disk(void **state) {
  (void)state;
  assert_int_equal(put("/dev/full", "x"), PL_WRITE_FAILED);
  assert_int_equal(errno, ENOSPC);
  assert_int_equal(put("/dev/null", "x"), PL_WRITE_DONE);
  assert_true(S_ISCHR(status_of("/dev/null").st_mode));
}

static void test_reading(void **state) {
  (void)state;
  pl_bytes bytes;
  assert_false(pl_read_file("none", &bytes));
  assert_int_equal(errno, ENOENT);
  assert_false(pl_read_file(".", &bytes));
  assert_int_equal(errno, EISDIR);
  const char with_nul[] = "a\0b";
  assert_int_equal(pl_write_file("a", with_nul, 3), PL_WRITE_DONE);
  assert_true(pl_read_file("a", &bytes));
  assert_int_equal(bytes.size, 3);
  assert_memory_equal(bytes.data, with_nul, 4);
  free(bytes.data);
}

static void test_large_file(void **state) {
  (void)state;
  size_t size = 300000;
  char *text = pl_alloc(size + 1, 1);
  memset(text, 'x', size);
  assert_int_equal(put("a", text), PL_WRITE_DONE);
  expect_text("a", text);
  free(text);
}

static bool temporary_there(void) {
  DIR *directory = opendir(".");
  bool found = false;
  for (struct dirent *e; (e = readdir(directory));)
    found |= pl_starts_with(e->d_name, ".big.");
  closedir(directory);
  return found;
}

/* Signals a child in the midst of a long write; true where that was before the
 * child was done. */
static bool interrupt_write(int signal_number, const char *text,
                            size_t size) {
  pid_t child = fork();
  int status = 0;
  if (child == 0) {
    pl_catch_signals();
    pl_write_file("big", text, size);
    _exit(0);
  }
  nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
  kill(child, signal_number);
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == signal_number;
}

static void test_signals_leave_nothing(void **state) {
  (void)state;
  size_t size = (size_t)128 << 20;
  char *text = pl_alloc(size, 1);
  const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGKILL};
  int interrupted = 0;
  /* On a busy machine a child may be done before its signal comes. */
  for (size_t i = 0; i < 4 || (i < 100 && !interrupted); i++) {
    interrupted += interrupt_write(signals[i % 4], text, size);
    assert_false(temporary_there());
    unlink("big");
  }
  assert_true(interrupted > 0);
  free(text);
}

/* What a kill -9 in the wrong moment left goes with the next write to the same
 * place, but for what may be at work, and what is not ours. */
static void test_left_files_go(void **state) {
  (void)state;
  char own[64], parent[64];
  snprintf(own, sizeof own, ".left.%d.pipelinify", (int)getppid());
  snprintf(parent, sizeof parent, ".left.%d.pipelinif", 999999998);
  const char *const stay[] = {own, parent, ".left.12x.pipelinify",
                              ".other.999999998.pipelinify",
                              "left.999999998.pipelinify"};
  assert_int_equal(put("left", "old"), PL_WRITE_DONE);
  assert_int_equal(put(".left.999999998.pipelinify", "x"), PL_WRITE_DONE);
  for (size_t i = 0; i < sizeof stay / sizeof *stay; i++)
    assert_int_equal(put(stay[i], "x"), PL_WRITE_DONE);
  nanosleep(&(struct timespec){.tv_sec = 2, .tv_nsec = 50000000}, NULL);
  time_t before = time(NULL);
  assert_int_equal(put(".left.999999997.pipelinify", "new"), PL_WRITE_DONE);
  assert_int_equal(put("left", "new"), PL_WRITE_DONE);
  assert_int_not_equal(access(".left.999999998.pipelinify", F_OK), 0);
  if (time(NULL) - before <= 1) /* else the disk took its time */
    assert_int_equal(access(".left.999999997.pipelinify", F_OK), 0);
  for (size_t i = 0; i < sizeof stay / sizeof *stay; i++)
    assert_int_equal(access(stay[i], F_OK), 0);
  expect_text("left", "new");
}

static void expect_path(char *path, const char *expected) {
  assert_string_equal(path, expected);
  free(path);
}

static void test_paths(void **state) {
  (void)state;
  expect_path(pl_path_with_suffix("d.x/k.cu", "_p"), "d.x/k_p.cu");
  expect_path(pl_path_with_suffix("d.x/k", "_p"), "d.x/k_p");
  expect_path(pl_path_with_suffix(".cu", "_p"), ".cu_p");
  expect_path(pl_path_with_suffix("a.b.cuh", "_p"), "a.b_p.cuh");
  expect_path(pl_path_below("out", "a/k.cu"), "out/a/k.cu");
  expect_path(pl_path_below("out", "./a/k.cu"), "out/a/k.cu");
  expect_path(pl_path_below("out", "../../a/k.cu"), "out/a/k.cu");
  expect_path(pl_path_below("out", "/usr/a/k.cu"), "out/k.cu");
  expect_path(pl_path_below("out", "a/../../b/./k.cu"), "out/b/k.cu");
  expect_path(pl_path_below("out", "a//b/../.k.cu"), "out/a/.k.cu");
  expect_path(pl_path_below("/", "../k.cu"), "//k.cu");
}

static void test_parents(void **state) {
  (void)state;
  assert_true(pl_make_parents("x/y/z/file"));
  assert_true(pl_make_parents("x/y/z/file"));
  assert_true(S_ISDIR(status_of("x/y/z").st_mode));
  assert_int_equal(put("plain", "x"), PL_WRITE_DONE);
  assert_int_equal(put("plain/file", "x"), PL_WRITE_FAILED);
}

#define IN_DIRECTORY(test) \
  cmocka_unit_test_setup_teardown(test, enter_directory, leave_directory)

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_DIRECTORY(test_fresh_file),
      IN_DIRECTORY(test_mode_is_kept),
      IN_DIRECTORY(test_same_bytes_are_left),
      IN_DIRECTORY(test_links_are_followed),
      IN_DIRECTORY(test_link_to_nothing),
      IN_DIRECTORY(test_link_to_a_link_to_nothing),
      IN_DIRECTORY(test_links_in_a_circle),
      IN_DIRECTORY(test_long_names),
      IN_DIRECTORY(test_failures_leave_nothing),
      IN_DIRECTORY(test_full_disk),
      IN_DIRECTORY(test_reading),
      IN_DIRECTORY(test_large_file),
      IN_DIRECTORY(test_signals_leave_nothing),
      IN_DIRECTORY(test_left_files_go),
      IN_DIRECTORY(test_parents),
      cmocka_unit_test(test_paths),
  };
  return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
