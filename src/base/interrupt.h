/* interrupt.h - what is removed before SIGINT, SIGTERM or SIGHUP end the
 * program: one file and one directory at a time. */
#ifndef PL_INTERRUPT_H
#define PL_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* From here on those signals are caught, where the parent had not ignored them
 * (nohup); a file that must not become as large is an error. */
void pl_catch_signals(void);

/* Between these two no signal comes: a file is made, or gets its name, and is
 * known to be there, in one step. */
void pl_hold_signals(sigset_t *before);
void pl_release_signals(const sigset_t *before);

/* NULL: there is none any more. False where the path is too long to be kept. */
bool pl_interrupt_removes_file(const char *path);
bool pl_interrupt_removes_directory(const char *path);

/* `rm -rf path`. */
void pl_remove_directory(const char *path);

#endif
