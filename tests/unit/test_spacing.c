/* test_spacing.c - blanks around the brackets of the emitted text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "spacing.h"

static pl_arena *arena;

static int set_up(void **state) {
  (void)state;
  arena = pl_arena_new(NULL);
  return arena ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  pl_arena_free(arena);
  return 0;
}

static pl_str str(const char *text) { return (pl_str){text, strlen(text)}; }

static void becomes_in(const char *source, const char *text, const char *spaced) {
  pl_edit edit = {0, 0, text, strlen(text)};
  bool any = pl_keep_spacing(arena, str(source), &edit, 1);
  assert_int_equal(any, strcmp(text, spaced) != 0);
  assert_string_equal(pl_arena_str(arena, edit.text, edit.text_length).p, spaced);
}

static void stays_in(const char *source, const char *text) { becomes_in(source, text, text); }

static void test_keywords(void **state) {
  (void)state;
  becomes_in("for(;;) f(a);\n", "  if (c) for (;;) f(a);\n", "  if(c) for(;;) f(a);\n");
  stays_in("for(;;) if (c) f(a);\n", "  if (c)\n    while (d) f(a);\n");
  becomes_in("for(;;) if (c) f(a);\n", "  for (;;) if (c) f(a);\n", "  for(;;) if (c) f(a);\n");
  stays_in("// for(;;)\n#define X for(;;)\n", "  for (;;)\n");
  stays_in("\"if(x)\";\n", "  if (c)\n    \"if (c)\";\n");
}

static void test_calls(void **state) {
  (void)state;
  const char *gnu = "f (a); g (); h (b, c);\n";
  becomes_in(gnu, "  copy_tile(stage ^ 1);\n", "  copy_tile (stage ^ 1);\n");
  becomes_in(gnu, "  x = (float)(y) + [&](int i) { return(i); }(1);\n",
             "  x = (float)(y) + [&](int i) { return(i); }(1);\n");
  stays_in("f (a); g (); h(b, c); i (d);\n", "  copy_tile(stage);\n");
  stays_in("f (a); g ();\n", "  copy_tile(stage);\n");
  /* What is lined up with the bracket stays so. */
  becomes_in(gnu, "\n  copy(first,\n       second);\n", "\n  copy (first,\n        second);\n");
}

static void test_inside(void **state) {
  (void)state;
  const char *wide = "f( a ); g(); h( b, c ); p( d ); for( ;; ) x[ i ][ j ] = y[ k ];\n";
  becomes_in(wide, "  if (c) copy(&a[stage][0], g(), n);\n",
             "  if( c ) copy( &a[ stage ][ 0 ], g(), n );\n");
  becomes_in(wide, "  auto f = [&](int i) { return a[i]; };\n",
             "  auto f = [&](int i) { return a[ i ]; };\n");
  becomes_in(wide, "\n  copy(first[0],\n       second);\n", "\n  copy( first[ 0 ],\n        second );\n");
  stays_in("f( a ); g(b); h( c ); i( d );\n", "  copy(a);\n");
  becomes_in("if( a ) f(x); if( b ) for( ;; ) f(y);\n", "  if (c) copy(a);\n", "  if( c ) copy(a);\n");
  becomes_in("f( a ); g( float (&x)[4] ); h( c );\n", "  copy(a);\n", "  copy( a );\n");
  becomes_in("f( a ); g( b );\r\nh( c );\r\n", "  copy(a);\r\n  copy(b,\r\n       c);\r\n",
             "  copy( a );\r\n  copy( b,\r\n        c );\r\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_keywords),
      cmocka_unit_test(test_calls),
      cmocka_unit_test(test_inside),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
