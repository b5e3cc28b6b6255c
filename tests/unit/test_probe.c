/* test_probe.c - forms that no compiler looked at: linked with a pl_find_nvcc that
 * finds none, whatever the machine has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "probe.h"

char *__wrap_pl_find_nvcc(void);
char *__wrap_pl_find_nvcc(void) { return NULL; }

static void nothing_is_said_without_nvcc(void **state) {
  (void)state;
  static const char text[] = "__global__ void k(float *x) { *x = 0; }\n";
  const pl_source source = {"k.cu", text, sizeof text - 1};
  const pl_options options = {.variant = PL_VARIANT_AUTO};
  static const pl_variant asked[] = {PL_VARIANT_AUTO, PL_VARIANT_LDG,
                                     PL_VARIANT_LDG_SINGLE, PL_VARIANT_CP_ASYNC};
  pl_command *command = pl_command_new();
  pl_digest identity;
  assert_false(pl_probe_identity(&identity));
  pl_probe *probe = pl_probe_run(&source, &options, command, NULL);
  assert_string_equal(pl_probe_trouble(probe), "no nvcc");
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
    pl_compiled compiled;
    assert_false(pl_probe_compiled("k", asked[i], probe, &compiled));
  }
  pl_probe_free(probe);
  pl_command_free(command);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_said_without_nvcc),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
