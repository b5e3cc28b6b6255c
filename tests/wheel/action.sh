#!/usr/bin/env bash
# action.sh BUILD PYTHON: action.yml fits GitHub's schema, and its shell steps do in
# a scratch checkout what they say (action.py). The step that uploads is GitHub's own
# and is not run. Skipped where the schema's checker cannot be had.
set -u
build=${1:?build directory} python=${2:?python}
. "$(dirname "$0")/house.sh"
action=$root/packaging/action
tools=$build/wheel/action-tools
if [ ! -x "$tools/bin/check-jsonschema" ]; then
  new_venv "$tools" || skip "no virtual environment"
  timeout 300 "$tools/bin/pip" -q --disable-pip-version-check install check-jsonschema \
    >"$box/log" 2>&1 || skip "no check-jsonschema: $(tail -1 "$box/log")"
fi
clean "$tools/bin/check-jsonschema" -q --builtin-schema vendor.github-actions \
  "$action/action.yml" || fail "the schema"
for script in install check verdict; do
  grep -q "run: sh \"\$GITHUB_ACTION_PATH/$script.sh\"" "$action/action.yml" ||
    fail "no step runs $script.sh"
done
cd "$box" || exit 2
clean env PIP_NO_INDEX=1 PIP_FIND_LINKS="$house" PL_PYTHON="$python" \
  "$tools/bin/python" -B "$root/tests/wheel/action.py" "$action" || failed=1
[ $failed = 0 ] && echo fine
exit $failed
