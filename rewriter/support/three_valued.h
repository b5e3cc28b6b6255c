/* three_valued.h - what an analysis answers: no, yes, or that it does not know.
 *
 * Needs: nothing. Gives: the type of answers. What is not known never rewrites. */
#ifndef PL_THREE_VALUED_H
#define PL_THREE_VALUED_H

typedef enum pl_answer { PL_NO, PL_YES, PL_UNKNOWN } pl_answer;

#endif
