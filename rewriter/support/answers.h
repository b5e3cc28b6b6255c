/* answers.h - what an analysis says.
 *
 * Needs nothing. Gives: three answers, of which PL_UNKNOWN never lets anything be
 * rewritten. Raises nothing. */
#ifndef PL_ANSWERS_H
#define PL_ANSWERS_H

typedef enum pl_answer { PL_NO, PL_YES, PL_UNKNOWN } pl_answer;

#endif
