#!/bin/sh
# handoff-guard drop-in: passes every argument to the program validate_handoff and returns its exit code.
#
# The program is $VALIDATE_HANDOFF if set, else the one beside this script, else the first one on PATH.

set -u

name=validate_handoff

fail() {
    printf 'error: %s\n' "$1" >&2
    exit 2
}

# The second line of this script: a file that has it is a copy of this script, not the program.
is_this_script() {
    {
        IFS= read -r _ && IFS= read -r second
    } 2>/dev/null <"$1" || return 1
    case $second in
    '# handoff-guard drop-in:'*) return 0 ;;
    *) return 1 ;;
    esac
}

is_program() {
    [ -f "$1" ] && [ -x "$1" ] && ! is_this_script "$1"
}

if [ -n "${VALIDATE_HANDOFF-}" ]; then
    program=$(command -v -- "$VALIDATE_HANDOFF") || program=
    is_program "$program" || fail 'VALIDATE_HANDOFF names no program'
    exec "$program" "$@"
fi

# The script may be called through a link; the program stands beside the script itself.
script=$(readlink -f -- "$0" 2>/dev/null) || script=$0
case $script in
*/*) beside=${script%/*}/ ;;
*) beside=. ;;
esac

set -f
IFS=:
for directory in "$beside" $PATH; do
    program=${directory:-.}/$name
    if is_program "$program"; then
        exec "$program" "$@"
    fi
done

fail "the program $name was not found; install handoff-guard, which brings it ('cargo install --path . --locked' in its checkout), or set VALIDATE_HANDOFF"
