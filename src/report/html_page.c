/* html_page.c - see html_page.h. */
#include "html_page.h"

#include <string.h>

#include "html_svg.h"
#include "pipelinify.h"

static const char style[] =
    ":root{color-scheme:light dark;--bg:#fff;--fg:#1c2024;--dim:#5b6570;"
    "--line:#d5dae0;--card:#f6f8fa;--load:#b6540a;--compute:#1f6feb;"
    "--ok:#1a7f37;--no:#b42318;--track:#e3e7ec;--store:#6d3404;--held:#8c5a24;"
    "--add:#e6f5ea;--del:#fdebe9}\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#14171a;--fg:#e6e9ec;"
    "--dim:#9aa5b1;--line:#333a42;--card:#1c2126;--load:#f0883e;"
    "--compute:#58a6ff;--ok:#4ac26b;--no:#ff7b72;--track:#2b3138;--store:#d9731a;"
    "--held:#c99a6b;--add:#12301c;--del:#3a1a18}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;max-width:60rem;padding:1rem;background:var(--bg);"
    "color:var(--fg);font:16px/1.5 system-ui,sans-serif;"
    "overflow-wrap:anywhere}\n"
    "h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.15rem;margin:2rem 0"
    " .5rem}h3{font-size:1rem;margin:1rem 0 .25rem}\n"
    "details{border:1px solid var(--line);border-radius:6px;margin:.5rem 0;"
    "background:var(--card)}\n"
    "summary{cursor:pointer;padding:.5rem .75rem}\n"
    "summary:focus-visible,a:focus-visible,pre:focus-visible{outline:3px solid"
    " var(--compute);outline-offset:2px}\n"
    ".body{padding:0 .75rem .75rem}\n"
    ".tag{font-weight:600}.pipelined{color:var(--ok)}.refused,.failed{"
    "color:var(--no)}\n"
    ".small,figcaption,caption{color:var(--dim);font-size:.85rem}"
    "caption{text-align:left}\n"
    "pre{overflow-x:auto;margin:.5rem 0;padding:.5rem;background:var(--bg);"
    "border:1px solid var(--line);border-radius:4px;font:13px/1.45 ui-monospace"
    ",monospace;overflow-wrap:normal}\n"
    "pre mark{background:none;color:inherit;font-weight:700;border-left:3px"
    " solid var(--no);margin-left:-.5rem;padding-left:calc(.5rem - 3px)}\n"
    "figure{margin:.5rem 0}svg{width:100%;height:auto;display:block}"
    "svg text{fill:var(--fg);font:13px system-ui,sans-serif}svg .in{fill:"
    "var(--bg);text-anchor:middle;font-weight:600}\n"
    ".load{fill:var(--load)}.compute{fill:var(--compute)}.over{fill:var(--no)}"
    ".track{fill:var(--track)}.mark{fill:var(--fg)}\n"
    "table{border-collapse:collapse;width:100%}td,th{padding:.15rem .5rem"
    " .15rem 0;text-align:left;font-weight:400;vertical-align:middle}\n"
    ".budget td:nth-child(2){width:40%}.figures{font-variant-numeric:"
    "tabular-nums}\n"
    ".counts{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;padding:0;"
    "list-style:none}.counts b{font-size:1.3rem;display:block}\n"
    ".times td:nth-child(2){width:45%}.times th{white-space:nowrap}"
    ".note{color:var(--dim);font-size:.85rem}"
    ".original{fill:var(--dim)}.form{fill:var(--compute)}"
    ".best{fill:var(--ok)}.bad{fill:var(--no)}.side{fill:var(--load)}\n"
    ".store{fill:var(--store)}.held{fill:var(--held)}"
    ".sw{display:inline-block;width:.75em;height:.75em;border-radius:2px;"
    "margin-right:.15em}.legend>span{margin-right:.6em}.sw.load{background:var("
    "--load)}.sw.store{background:var(--store)}.sw.held{background:var(--held)}"
    ".sw.compute{background:var(--compute)}.sw.mark{background:var(--fg);"
    "width:2px;height:1em;vertical-align:-.15em}\n"
    ".legend>span{white-space:nowrap}.tag{white-space:nowrap}"
    ".body>p:first-child{margin-top:.25rem}.facts{width:auto}.facts th{"
    "padding-right:2rem}\n"
    "a{color:var(--compute)}.index [scope=rowgroup]{font-weight:600;padding-top:"
    ".6rem}.index td:first-child{padding-left:1rem}.index{margin:.5rem 0 1rem}.index th{font-weight:"
    "600;border-bottom:2px solid var(--line)}.index td{border-bottom:1px solid"
    " var(--line);vertical-align:top}\n"
    ".budget .target th,.budget .target .figures{font-weight:600}.budget details"
    "{margin:0}.body details{background:var(--bg)}\n"
    ".diff span{display:inline-block;min-width:100%}.add{background:var(--add)}"
    ".del{background:var(--del)}.hunk{color:var(--dim)}\n"
    "@media(max-width:34rem){.wide{display:none}td,th{padding-right:.35rem}.figures .small{display:none}.times th{white-space:normal}body{padding:"
    ".5rem}}\n";

void pl_html_open(FILE *out, const char *title) {
  fprintf(out,
          "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,"
          "initial-scale=1\">\n<title>%s</title>\n"
          "<style>\n%s</style></head><body><main>\n<h1>%s</h1>\n",
          title, style, title);
}

void pl_html_origin(FILE *out, const char *command, const char *date) {
  if (!command)
    return;
  fputs("<p class=\"small\"><code>", out);
  pl_html_escape(out, command, strlen(command));
  fprintf(out, "</code>%s%s</p>\n", date ? "<br>" : "", date ? date : "");
}

void pl_html_close(FILE *out) {
  fprintf(out, "<p class=\"small\">pipelinify %s</p>\n</main></body></html>\n",
          PL_VERSION);
}
