/* run_fibers.h - a thread of the kernel: a stack, and the way to and from
 * it. */
#ifndef PL_RUN_FIBERS_H
#define PL_RUN_FIBERS_H

#include "run_hooks.h"

#if defined(__x86_64__)
extern "C" void pl_switch(void **save, void *to);
asm(".text\n.globl pl_switch\n.type pl_switch, @function\npl_switch:\n"
    "push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\n"
    "mov %rsp, (%rdi)\nmov %rsi, %rsp\n"
    "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\nret\n"
    ".size pl_switch, . - pl_switch\n");

static void *fresh_stack(char *top, void (*start)()) {
  void **sp = (void **)top;
  *--sp = NULL;
  *--sp = (void *)start;
  sp -= 6;
  memset(sp, 0, 6 * sizeof *sp);
  return sp;
}
#else
#include <ucontext.h>
static ucontext_t contexts[MAX_THREADS + 1];

static void *fresh_stack(char *top, void (*start)()) {
  size_t which = (size_t)(self - fibers);
  ucontext_t *c = &contexts[which];
  getcontext(c);
  c->uc_stack.ss_sp = stacks + which * STACK;
  c->uc_stack.ss_size = (size_t)(top - (stacks + which * STACK));
  c->uc_link = NULL;
  makecontext(c, start, 0);
  return c;
}

static void pl_switch(void **save, void *to) {
  if (!*save)
    *save = save == &scheduler_sp ? &contexts[MAX_THREADS]
                                  : &contexts[self - fibers];
  swapcontext((ucontext_t *)*save, (ucontext_t *)to);
}
#endif

static void yield_to_scheduler() {
  if (twin.n)
    settle_twin();
  if (crossing.n)
    settle_crossing();
  pl_switch(&self->sp, scheduler_sp);
}

#endif
