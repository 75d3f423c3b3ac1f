#!/usr/bin/env bash
# Whole processes on one valid document, in turn, against `sha256sum` of the same file: time and peak memory.
# Usage: benches/compare.sh [ROUNDS [BYTES]]; needs cargo, python3 and sha256sum, for the memory also GNU time.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-400}
bytes=${2:-12288}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
document=$scratch/document.handoff.md

cargo build --quiet --release
cargo bench --quiet --bench speed -- document "$bytes" >"$document"
programs=${CARGO_TARGET_DIR:-target}/release
"$programs/handoff-guard" check "$document" >/dev/null

echo "$(wc -c <"$document") bytes, $rounds rounds"
python3 - "$rounds" "$document" "$programs" <<'PYTHON'
import os, shutil, statistics, subprocess, sys, time

rounds, document, programs = int(sys.argv[1]), sys.argv[2], sys.argv[3]
commands = [
    [shutil.which("sha256sum"), document],
    [f"{programs}/handoff-guard", "check", document],
    [f"{programs}/validate_handoff", document],
    [shutil.which("true")],
]
nowhere = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]


def milliseconds(command):
    start = time.perf_counter_ns()
    child = os.posix_spawn(command[0], command, os.environ, file_actions=nowhere)
    _, status = os.waitpid(child, 0)
    assert status == 0, command
    return (time.perf_counter_ns() - start) / 1e6


def peak_kib(command):
    # A child inherits the peak of the process that starts it, so a small one has to.
    gnu_time = shutil.which("time")
    if not gnu_time:
        return "?"
    run = subprocess.run([gnu_time, "-f", "%M", *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return run.stderr.split()[-1].decode()


turns = [[milliseconds(command) for command in commands] for _ in range(rounds)]
print(f"{'':<18}{'median ms':>10}{'least ms':>10}{'ratio':>8}{'peak KiB':>10}")
for index, command in enumerate(commands):
    times = [turn[index] for turn in turns]
    ratio = statistics.median(turn[index] / turn[0] for turn in turns)
    name = os.path.basename(command[0])
    print(f"{name:<18}{statistics.median(times):>10.3f}{min(times):>10.3f}{ratio:>8.2f}{peak_kib(command):>10}")
PYTHON
