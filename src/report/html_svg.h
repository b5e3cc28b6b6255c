/* html_svg.h - the pictures of the HTML report, as inline SVG. */
#ifndef PL_HTML_SVG_H
#define PL_HTML_SVG_H

#include <jansson.h>
#include <stdio.h>

/* HTML text: & < > " escaped, bytes that are not UTF-8 as question marks. */
void pl_html_escape(FILE *out, const char *text, size_t length);

void pl_svg_open(FILE *out, int width, int height, const char *label);

/* What a block takes of each architecture's limit, a bar each; that of `target` (90;
 * 0: not known) stands out. */
void pl_svg_budget(FILE *out, const json_t *loop, long long target);

#endif
