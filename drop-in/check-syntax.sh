#!/bin/sh
# Checks the two drop-in scripts: shellcheck reads the shell script, a PowerShell grammar the other. The grammar is
# installed into a temporary directory; it must also find the fault in a broken copy, so that it cannot pass unread.

set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

shellcheck --shell=sh -- "$here/validate_handoff.sh" "$here/check-syntax.sh"

python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target "$work/packages" \
    tree-sitter==0.26.1 tree-sitter-powershell==0.26.4

cat >"$work/check.py" <<'PYTHON'
import sys

import tree_sitter
import tree_sitter_powershell

parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_powershell.language()))


def has_error(text: bytes) -> bool:
    return parser.parse(text).root_node.has_error


with open(sys.argv[1], "rb") as script:
    text = script.read()
if not has_error(text.replace(b"{", b"", 1)):
    sys.exit("the grammar does not see a missing brace")
if has_error(text):
    sys.exit(f"{sys.argv[1]}: not valid PowerShell")
PYTHON
PYTHONPATH=$work/packages python3 "$work/check.py" "$here/validate_handoff.ps1"
