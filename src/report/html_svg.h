/* html_svg.h - the pictures of the HTML report, as inline SVG. */
#ifndef PL_HTML_SVG_H
#define PL_HTML_SVG_H

#include <jansson.h>
#include <stdio.h>

/* HTML text: & < > " escaped, bytes that are not UTF-8 as question marks. */
void pl_html_escape(FILE *out, const char *text, size_t length);

/* Loads and computes of the first tiles over time, before and after. It shows
 * the order of things, not measured times. */
void pl_svg_timeline(FILE *out, const json_t *loop);

/* What a block takes of each architecture's limit, a bar each. */
void pl_svg_budget(FILE *out, const json_t *loop);

#endif
