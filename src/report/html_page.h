/* html_page.h - the frame of a page: what it looks like in light and dark, on wide
 * screens and narrow ones. Nothing in it asks for a network or a script. */
#ifndef PL_HTML_PAGE_H
#define PL_HTML_PAGE_H

#include <stdio.h>

/* Up to the heading; the title needs no escaping. */
void pl_html_open(FILE *out, const char *title);
/* The command that made the page, NULL: not known; and when it was run. */
void pl_html_origin(FILE *out, const char *command, const char *date);
void pl_html_close(FILE *out);

#endif
