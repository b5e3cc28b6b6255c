/* html_timeline.h - a loop's copies, registers, computes and barriers over its first
 * tiles, before and after, as inline SVG. It shows their order, not measured times. */
#ifndef PL_HTML_TIMELINE_H
#define PL_HTML_TIMELINE_H

#include <jansson.h>
#include <stdio.h>

void pl_html_timeline(FILE *out, const json_t *loop);

#endif
