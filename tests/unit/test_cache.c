/* What the cache is made of: bytes that may be anything, a directory that others
 * write to, and questions to the file system whose answers change. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "answer.h"
#include "cache.h"
#include "facts.h"
#include "memo.h"
#include "store.h"
#include "text.h"

/* Each test has an empty directory, and is in it. */
static char *begin(void) {
  char *directory = pl_format("/tmp/test_cache.XXXXXX");
  assert_non_null(mkdtemp(directory));
  assert_int_equal(chdir(directory), 0);
  return directory;
}

static void end(char *directory) {
  char *command = pl_format("rm -rf '%s'", directory);
  assert_int_equal(chdir("/"), 0);
  assert_int_equal(system(command), 0);
  free(command);
  free(directory);
}

static void write_text(const char *path, const char *text) {
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  fputs(text, out);
  fclose(out);
}

/* Until what was written no longer counts as fresh: by the clock that files have
 * their times from, which may be set meanwhile. */
static void settle(void) {
  enum { WAIT_NS = 40 * 1000 * 1000 };
  struct timespec begun, now;
  long long age;
  clock_gettime(CLOCK_REALTIME, &begun);
  do {
    usleep(5000);
    clock_gettime(CLOCK_REALTIME, &now);
    age = (now.tv_sec - begun.tv_sec) * 1000000000LL + now.tv_nsec -
          begun.tv_nsec;
  } while (age >= 0 && age < WAIT_NS);
  if (age < 0)
    settle();
}

/* ---- bytes ------------------------------------------------------------------- */

static pl_answer sample(void) {
  static const pl_note notes[] = {{3, 4, 30, 31, "a note"}, {5, 6, 7, 8, NULL}};
  static const int copies[] = {4, 16};
  static const pl_loop_report loops[] = {
      {.line = 1, .column = 2, .begin = 3, .end = 4,
       .verdict = PL_VERDICT_REFUSED, .certain = true, .id = "PL3001",
       .message = "why", .at_line = 5, .at_column = 6, .at_begin = 7,
       .at_end = 8, .notes = notes, .nnotes = 2, .variant = PL_VARIANT_CP_ASYNC,
       .stages = 3, .copy_bytes = copies, .ncopies = 2, .smem_before = -1,
       .smem_after = 1LL << 40, .smem_limit = 9, .blocks_before = -1,
       .blocks_after = 10, .threads = 256, .staging_bytes = 12, .ratio = 0.1,
       .measured = ", as measured", .why = "so"},
      {.verdict = PL_VERDICT_NOT_A_TILE_LOOP}};
  static const char *const instances[] = {"16, float", ""};
  static const pl_parameter parameters[] = {{"a", "const float *"}, {"", "T"}};
  static const pl_kernel_report kernels[] = {
      {"ns::gemm", 7, instances, 2, true, "0123456789abcdef", parameters, 2,
       loops, 2, "2 * smem + 1", 2},
      {"other", 9, NULL, 0, false, NULL, NULL, 0, NULL, 0, NULL, 1}};
  static const pl_pragma_report pragmas[] = {{1, 2, 3, 4, "unmet", true}};
  static const pl_edit edits[] = {{2, 1, "a\0b", 3}, {5, 0, "", 0}};
  static const char *const headers[] = {"tile.h"};
  return (pl_answer){.kernels = kernels, .nkernels = 2, .pragmas = pragmas,
                     .npragmas = 1, .edits = edits, .nedits = 2,
                     .headers = headers, .nheaders = 1};
}

static pl_bytes encoded(pl_answer answer) {
  pl_codec c = pl_codec_writer();
  pl_answer_fields(&c, &answer);
  return c.bytes;
}

static void test_answer_comes_back(void **state) {
  (void)state;
  pl_bytes bytes = encoded(sample());
  pl_arena *arena = pl_arena_new(abort);
  pl_codec c = pl_codec_reader(bytes, arena);
  pl_answer got = {0};
  pl_answer_fields(&c, &got);
  assert_true(pl_codec_ended(&c));
  const pl_loop_report *loop = &got.kernels[0].loops[0];
  assert_string_equal(got.kernels[0].instantiations[0], "16, float");
  assert_string_equal(got.kernels[0].parameters[0].type, "const float *");
  assert_string_equal(loop->measured, ", as measured");
  assert_null(loop->notes[1].message);
  assert_true(loop->smem_after == 1LL << 40);
  assert_true(loop->ratio == 0.1);
  assert_memory_equal(got.edits[0].text, "a\0b", 3);
  /* What is not compared above is compared here. */
  pl_bytes again = encoded(got);
  assert_int_equal(again.size, bytes.size);
  assert_memory_equal(again.data, bytes.data, bytes.size);
  free(again.data);
  pl_arena_free(arena);
  free(bytes.data);
}

/* A copy in memory of its very size, so that a sanitizer sees what is read
 * beyond it. */
static bool decodes(const char *data, size_t size) {
  pl_bytes bytes = {malloc(size ? size : 1), size};
  memcpy(bytes.data, data, size);
  pl_arena *arena = pl_arena_new(abort);
  pl_codec c = pl_codec_reader(bytes, arena);
  pl_answer got = {0};
  pl_answer_fields(&c, &got);
  bool good = pl_codec_ended(&c);
  pl_arena_free(arena);
  free(bytes.data);
  return good;
}

static void test_no_bytes_do_harm(void **state) {
  (void)state;
  pl_bytes bytes = encoded(sample());
  for (size_t size = 0; size < bytes.size; size++)
    assert_false(decodes(bytes.data, size));
  for (size_t i = 0; i < bytes.size; i++)
    for (int bit = 0; bit < 8; bit++) {
      bytes.data[i] ^= (char)(1 << bit);
      decodes(bytes.data, bytes.size);
      bytes.data[i] ^= (char)(1 << bit);
    }
  assert_true(decodes(bytes.data, bytes.size));
  free(bytes.data);
}

static bool text_is(pl_edit *edits, size_t count, const char *text,
                    const char *wanted) {
  pl_source source = {"k.cu", text, strlen(text)};
  pl_arena *arena = pl_arena_new(abort);
  pl_answer answer = {.edits = edits, .nedits = count};
  bool good = pl_answer_make_text(&answer, &source, arena);
  if (good)
    assert_int_equal(answer.length, wanted ? strlen(wanted) : 0);
  good = good && wanted && memcmp(answer.text, wanted, answer.length) == 0;
  pl_arena_free(arena);
  return good;
}

static void test_edits_have_to_fit(void **state) {
  (void)state;
  pl_edit good[] = {{0, 1, "AB", 2}, {1, 0, "-", 1}, {3, 1, "", 0}};
  pl_edit outside[] = {{3, 2, "", 0}}, backwards[] = {{2, 1, "", 0},
                                                      {1, 1, "", 0}};
  pl_edit wraps[] = {{1, UINT32_MAX, "", 0}}, behind[] = {{5, 0, "x", 1}};
  assert_true(text_is(NULL, 0, "abcd", "abcd"));
  assert_true(text_is(good, 3, "abcd", "AB-bc"));
  assert_false(text_is(outside, 1, "abcd", NULL));
  assert_false(text_is(backwards, 2, "abcd", NULL));
  assert_false(text_is(wraps, 1, "abcd", NULL));
  assert_false(text_is(behind, 1, "abcd", NULL));
}

/* ---- the directory --------------------------------------------------------------- */

enum { LEAST = 16 << 20, SHARE = LEAST / 256, BLOB = 8000 };

/* Names that share their directory. */
static pl_digest name_of(int number) {
  pl_digest name = {{0xab}};
  name.bytes[1] = (uint8_t)(number >> 8);
  name.bytes[2] = (uint8_t)number;
  return name;
}

static char *path_of(int number) {
  pl_digest name = name_of(number);
  return pl_format("store/v1/ab/%s", pl_digest_hex(&name).text + 2);
}

static void put(const pl_store *store, int number, char byte) {
  char bytes[BLOB];
  pl_digest name = name_of(number);
  memset(bytes, byte, sizeof bytes);
  pl_store_put(store, &name, (pl_bytes){bytes, sizeof bytes});
}

/* The first byte of a blob; -1: there is none. */
static int get(const pl_store *store, int number) {
  pl_bytes bytes;
  pl_digest name = name_of(number);
  if (!pl_store_get(store, &name, &bytes))
    return -1;
  int byte = bytes.data[0];
  assert_int_equal(bytes.size, BLOB);
  free(bytes.data);
  return byte;
}

static void test_store_gives_what_it_got(void **state) {
  (void)state;
  char *directory = begin();
  pl_store store = {"store", LEAST};
  assert_true(pl_store_open(&store));
  assert_true(pl_store_open(&store));
  assert_int_equal(get(&store, 1), -1);
  put(&store, 1, 'a');
  put(&store, 2, 'b');
  assert_int_equal(get(&store, 1), 'a');
  put(&store, 1, 'c');
  assert_int_equal(get(&store, 1), 'c');
  assert_int_equal(get(&store, 2), 'b');
  char *path = path_of(1);
  assert_int_equal(truncate(path, 100), 0);
  assert_int_equal(get(&store, 1), -1);
  put(&store, 1, 'd');
  assert_int_equal(get(&store, 1), 'd');
  free(path);
  end(directory);
}

static void make_older(const char *path, int seconds) {
  struct timespec times[2] = {{time(NULL) - seconds, 0},
                              {time(NULL) - seconds, 0}};
  assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void test_store_keeps_within_its_size(void **state) {
  (void)state;
  char *directory = begin();
  pl_store store = {"store", LEAST};
  assert_true(pl_store_open(&store));
  put(&store, 0, 'x');
  write_text("store/v1/ab/README", "not ours");
  write_text("store/v1/ab/tmp.1.1", "of one that was killed");
  write_text("store/v1/ab/tmp.1.2", "of one at work");
  make_older("store/v1/ab/tmp.1.1", 7200);
  for (int i = 1; i < 40; i++) {
    put(&store, i, 'x');
    char *path = path_of(i);
    make_older(path, 100000 - i);
    free(path);
    assert_int_equal(get(&store, 0), 'x'); /* used all the time */
    int64_t size = 0;
    for (int k = 0; k <= i; k++) {
      struct stat at;
      char *other = path_of(k);
      size += stat(other, &at) == 0 ? at.st_blocks * 512 : 0;
      free(other);
    }
    assert_true(size <= SHARE + 2 * BLOB);
  }
  assert_int_equal(get(&store, 1), -1);
  assert_int_equal(get(&store, 39), 'x');
  assert_int_equal(access("store/v1/ab/README", F_OK), 0);
  assert_int_equal(access("store/v1/ab/tmp.1.2", F_OK), 0);
  assert_int_not_equal(access("store/v1/ab/tmp.1.1", F_OK), 0);
  end(directory);
}

/* Writers of one blob that are killed at any time: what is there is whole. */
static void test_store_survives_its_writers(void **state) {
  (void)state;
  char *directory = begin();
  pl_store store = {"store", LEAST};
  assert_true(pl_store_open(&store));
  put(&store, 1, 'a');
  for (int round = 0; round < 30; round++) {
    pid_t pids[3];
    for (int i = 0; i < 3; i++) {
      pids[i] = fork();
      if (pids[i] == 0)
        for (;;)
          put(&store, 1, (char)('a' + i));
    }
    usleep((useconds_t)(500 + 100 * round));
    for (int i = 0; i < 3; i++)
      kill(pids[i], SIGKILL);
    for (int i = 0; i < 3; i++)
      waitpid(pids[i], NULL, 0);
    assert_in_range(get(&store, 1), 'a', 'c');
  }
  end(directory);
}

/* ---- what was asked ---------------------------------------------------------------- */

static void ask_everything(void) {
  struct stat at;
  char link[100];
  stat("file", &at);
  stat("none", &at);
  lstat("link", &at);
  (void)!access("file", R_OK);
  close(open("file", O_RDONLY));
  (void)!readlink("link", link, sizeof link);
  free(realpath("link", NULL));
  DIR *directory = opendir("dir");
  if (directory)
    closedir(directory);
}

static void make_everything(void) {
  write_text("file", "text");
  write_text("dir-file", "text");
  assert_int_equal(mkdir("dir", 0777), 0);
  write_text("dir/a", "");
  assert_int_equal(symlink("file", "link"), 0);
  settle();
}

/* Whether all answers, asked for once more, are those of the facts. */
static bool hold(const pl_facts *facts) {
  bool same = true;
  for (size_t i = 0; i < facts->count; i++) {
    pl_fact now = pl_fact_now(&facts->items[i]);
    same &= pl_fact_same(&facts->items[i], &now);
  }
  return same;
}

static void test_each_answer_counts(void **state) {
  (void)state;
  static const char *const changes[] = {
      "printf texu >file",             /* the same size */
      "rm file",
      "rm file; mkdir file",
      "rm file; mkfifo file",          /* which must not be opened */
      "echo >none",
      "rm link; ln -s dir-file link",
      "rm link; cp file link",
      "touch dir/b",
      "mv dir/a dir/b",
      "rm -r dir"};
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    char *directory = begin();
    pl_facts facts;
    make_everything();
    pl_watch_begin();
    ask_everything();
    pl_sights sights = pl_watch_end();
    assert_int_equal(sights.count, 8);
    assert_true(pl_facts_from(&sights, &facts));
    assert_int_equal(facts.count, 8);
    assert_true(hold(&facts));
    assert_int_equal(system("touch file link"), 0);
    assert_true(hold(&facts));
    assert_int_equal(system(changes[i]), 0);
    if (hold(&facts))
      fail_msg("nothing noticed: %s", changes[i]);
    pl_facts_free(&facts);
    pl_sights_free(&sights);
    end(directory);
  }
}

/* Whether the facts of a watch are good, after a command ran. */
static bool good_after(const char *command, void (*work)(void)) {
  pl_facts facts;
  pl_watch_begin();
  work();
  pl_sights sights = pl_watch_end();
  if (command)
    assert_int_equal(system(command), 0);
  bool good = pl_facts_from(&sights, &facts);
  pl_facts_free(&facts);
  pl_sights_free(&sights);
  return good;
}

static void do_nothing(void) {}
static void open_file(void) { close(open("file", O_RDONLY)); }
static void open_twice(void) {
  open_file();
  assert_int_equal(system("printf TEXT >file"), 0);
  open_file();
}
static void write_file(void) { close(open("file", O_WRONLY)); }
static void make_file(void) {
  close(open("new", O_RDONLY | O_CREAT, 0666));
}
static void list_directory(void) { closedir(opendir("dir")); }

/* On a busy machine a moment may pass between the two steps. */
static bool fresh_is_noticed(void) {
  for (int tries = 0; tries < 100; tries++) {
    write_text("file", "TEXT");
    if (!good_after(NULL, open_file))
      return true;
  }
  return false;
}

static void test_what_changes_meanwhile_is_not_kept(void **state) {
  (void)state;
  char *directory = begin();
  make_everything();
  assert_true(good_after(NULL, open_file));
  assert_false(good_after(NULL, do_nothing));
  assert_false(good_after("printf TEXT >file", open_file));
  assert_true(fresh_is_noticed());
  settle();
  assert_true(good_after(NULL, open_file));
  assert_false(good_after("cp file other; mv other file", open_file));
  settle();
  assert_false(good_after(NULL, open_twice));
  settle();
  assert_false(good_after(NULL, write_file));
  assert_false(good_after(NULL, make_file));
  settle();
  assert_true(good_after(NULL, list_directory));
  assert_false(good_after("touch dir/new", list_directory));
  assert_int_equal(system("echo __TIME__ >file"), 0);
  settle();
  assert_false(good_after(NULL, open_file));
  end(directory);
}

/* errno and the results are those of the C library. */
static void test_watched_functions_do_their_work(void **state) {
  (void)state;
  char *directory = begin();
  char buffer[PATH_MAX];
  struct stat at;
  make_everything();
  for (int watched = 0; watched < 2; watched++) {
    if (watched)
      pl_watch_begin();
    errno = 0;
    assert_int_equal(open("none", O_RDONLY), -1);
    assert_int_equal(errno, ENOENT);
    errno = 0;
    assert_int_equal(stat("file/x", &at), -1);
    assert_int_equal(errno, ENOTDIR);
    assert_int_equal(stat("link", &at), 0);
    assert_true(S_ISREG(at.st_mode));
    assert_int_equal(lstat("link", &at), 0);
    assert_true(S_ISLNK(at.st_mode));
    assert_int_equal(readlink("link", buffer, sizeof buffer), 4);
    assert_ptr_equal(realpath("link", buffer), buffer);
    assert_true(pl_ends_with(buffer, "/file"));
    assert_null(realpath("none", buffer));
    assert_null(opendir("file"));
    int fd = open("made", O_RDWR | O_CREAT | O_EXCL, 0640);
    assert_true(fd >= 0);
    assert_int_equal(fstat(fd, &at), 0);
    assert_int_equal(at.st_mode & 0777, 0640);
    close(fd);
    unlink("made");
  }
  pl_sights sights = pl_watch_end();
  pl_sights_free(&sights);
  end(directory);
}

static void test_which_paths_are_one(void **state) {
  (void)state;
  const pl_object one[] = {{1, 2}, {1, 3}, {1, 2}, {0, 0}, {0, 0}};
  const pl_object two[] = {{4, 9}, {5, 9}, {4, 9}, {0, 0}, {0, 0}};
  const pl_object other[] = {{1, 2}, {1, 3}, {1, 3}, {0, 0}, {0, 0}};
  pl_digest a = pl_objects_digest(one, 5), b = pl_objects_digest(two, 5),
            c = pl_objects_digest(other, 5);
  assert_true(pl_digest_same(&a, &b));
  assert_false(pl_digest_same(&a, &c));
}

static void test_memo_finds_what_it_got(void **state) {
  (void)state;
  enum { MANY = 3000 };
  static int values[MANY];
  pl_memo *memo = pl_memo_new();
  assert_true(pl_memo_empty(memo));
  for (int i = 0; i < MANY; i++) {
    pl_digest name = {{0}};
    memcpy(name.bytes + (i % 2 ? 0 : 16), &i, sizeof i);
    assert_null(pl_memo_find(memo, &name));
    pl_memo_add(memo, &name, &values[i]);
  }
  for (int i = 0; i < MANY; i++) {
    pl_digest name = {{0}};
    memcpy(name.bytes + (i % 2 ? 0 : 16), &i, sizeof i);
    assert_ptr_equal(pl_memo_find(memo, &name), &values[i]);
  }
  assert_false(pl_memo_empty(memo));
  pl_memo_free(memo);
}

/* ---- with the parser ------------------------------------------------------------------ */

static bool was_asked(const pl_sights *sights, pl_question question,
                      const char *tail, bool found) {
  for (size_t i = 0; i < sights->count; i++) {
    const pl_sight *sight = &sights->items[i];
    if (sight->question == question && pl_ends_with(sight->path, tail) &&
        (sight->error == 0) == found)
      return true;
  }
  return false;
}

static void test_parser_is_seen(void **state) {
  (void)state;
  char *directory = begin();
  static const char text[] = "#include \"h.h\"\n#include <deep.h>\n"
                             "#if __has_include(\"asked.h\")\n#endif\n"
                             "#include \"missing.h\"\n";
  static const char *const flags[] = {"-Ia", "-Ib"};
  const pl_options options = {.clang_args = flags, .clang_nargs = 2};
  assert_int_equal(system("mkdir a b; echo >h.h; echo >b/deep.h"), 0);
  pl_watch_begin();
  pl_result *result = pl_rewrite("k.cu", text, strlen(text), &options);
  pl_sights sights = pl_watch_end();
  assert_null(pl_result_error(result));
  assert_true(was_asked(&sights, PL_ASK_OPEN, "h.h", true));
  assert_true(was_asked(&sights, PL_ASK_OPEN, "b/deep.h", true));
  assert_true(was_asked(&sights, PL_ASK_STAT, "a/deep.h", false) ||
              was_asked(&sights, PL_ASK_OPEN, "a/deep.h", false));
  assert_true(was_asked(&sights, PL_ASK_STAT, "asked.h", false) ||
              was_asked(&sights, PL_ASK_OPEN, "asked.h", false));
  assert_true(was_asked(&sights, PL_ASK_STAT, "missing.h", false) ||
              was_asked(&sights, PL_ASK_OPEN, "missing.h", false));
  assert_false(sights.unclear);
  pl_sights_free(&sights);
  pl_result_free(result);
  end(directory);
}

static bool key_differs(const pl_cache *cache, pl_cache_request changed,
                        const pl_digest *key) {
  pl_digest other;
  return pl_cache_key(cache, &changed, &other) && !pl_digest_same(key, &other);
}

/* Each option by itself. */
static void test_key_has_every_option(void **state) {
  (void)state;
  static const char *const flags[] = {"-DX=1", "-DX=2"};
  static const char *const split[] = {"-DX", "=1"};
  static const char *const plugin[] = {"-fplugin=x.so"};
  static const char *const names[] = {"gemm"};
  const pl_source source = {"k.cu", "text", 4};
  const pl_options plain = {.clang_args = flags, .clang_nargs = 1};
  const pl_cache_request request = {.source = &source, .options = &plain};
  pl_cache *cache = pl_cache_new(pl_format("PATH=/bin\n"));
  pl_digest key, record = {{1}};
  assert_true(pl_cache_key(cache, &request, &key));
#define DIFFERS(member, value)                                                 \
  do {                                                                         \
    pl_options changed = plain;                                                \
    changed.member = value;                                                    \
    assert_true(key_differs(                                                   \
        cache, (pl_cache_request){.source = &source, .options = &changed},     \
        &key));                                                                \
  } while (0)
  DIFFERS(variant, PL_VARIANT_LDG);
  DIFFERS(stages, 3);
  DIFFERS(arch, 90);
  DIFFERS(max_smem, 4096);
  DIFFERS(block_threads, 128);
  DIFFERS(variant_fixed, true);
  DIFFERS(stages_fixed, true);
  DIFFERS(only, PL_SIDE_LOADS);
  DIFFERS(assume_no_alias, true);
  DIFFERS(certify, true);
  DIFFERS(cuda_path, "");
  DIFFERS(cuda_path, "/usr/local/cuda");
  DIFFERS(clang_nargs, 0);
  DIFFERS(clang_nargs, 2);
  DIFFERS(clang_args, flags + 1);
  DIFFERS(clang_args, split);
  pl_cache_request changed = request;
  changed.kernels = names;
  changed.nkernels = 1;
  assert_true(key_differs(cache, changed, &key));
  changed = request;
  changed.record = &record;
  assert_true(key_differs(cache, changed, &key));
  const pl_source others[] = {{"l.cu", "text", 4}, {"k.cu", "texu", 4},
                              {"k.cu", "text", 3}};
  for (size_t i = 0; i < 3; i++) {
    changed.source = &others[i];
    assert_true(key_differs(cache, changed, &key));
  }
  pl_options bad = {.clang_args = plugin, .clang_nargs = 1};
  changed = request;
  changed.options = &bad;
  assert_false(pl_cache_key(cache, &changed, &key));
  pl_cache_free(cache);
  pl_cache *elsewhere = pl_cache_new(pl_format("PATH=/usr/bin\n"));
  assert_true(key_differs(elsewhere, request, &key));
  pl_cache_free(elsewhere);
  char *directory = begin();
  elsewhere = pl_cache_new(pl_format("PATH=/bin\n"));
  assert_true(key_differs(elsewhere, request, &key));
  pl_cache_free(elsewhere);
  end(directory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_answer_comes_back),
      cmocka_unit_test(test_no_bytes_do_harm),
      cmocka_unit_test(test_edits_have_to_fit),
      cmocka_unit_test(test_store_gives_what_it_got),
      cmocka_unit_test(test_store_keeps_within_its_size),
      cmocka_unit_test(test_store_survives_its_writers),
      cmocka_unit_test(test_each_answer_counts),
      cmocka_unit_test(test_what_changes_meanwhile_is_not_kept),
      cmocka_unit_test(test_watched_functions_do_their_work),
      cmocka_unit_test(test_which_paths_are_one),
      cmocka_unit_test(test_memo_finds_what_it_got),
      cmocka_unit_test(test_parser_is_seen),
      cmocka_unit_test(test_key_has_every_option),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
