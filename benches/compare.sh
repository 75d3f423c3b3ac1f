#!/usr/bin/env bash
# Whole processes in turn: on one valid document against `sha256sum` of the same file, then on a folder of valid documents
# against reading and hashing the same files, and against Markdown linters that are installed. Time and peak memory.
# Usage: benches/compare.sh [ROUNDS [BYTES [FILES]]]; needs cargo, python3 and sha256sum, for the memory also GNU time.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-400}
bytes=${2:-12288}
files=${3:-10000}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
document=$scratch/document.handoff.md
tree=$scratch/tree

cargo build --quiet --release
# Cargo would be measured too, so the benchmark is called by its own name.
speed=$(cargo bench --quiet --bench speed --no-run --message-format=json | python3 -c '
import json, sys
messages = map(json.loads, sys.stdin)
print(*(built["executable"] for built in messages if built.get("target", {}).get("name") == "speed"))')
"$speed" document "$bytes" >"$document"
"$speed" tree "$tree" "$files"
"$speed" tree "$tree-half" "$((files / 2))"
programs=${CARGO_TARGET_DIR:-target}/release
"$programs/handoff-guard" check "$document" "$tree"

python3 - "$rounds" "$document" "$tree" "$programs" "$speed" <<'PYTHON'
import os, shutil, statistics, subprocess, sys, time

rounds, document, tree, programs, speed = int(sys.argv[1]), *sys.argv[2:]
guard, processors = f"{programs}/handoff-guard", str(len(os.sched_getaffinity(0)))
nowhere = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_WRONLY, 0) for fd in (1, 2)]


def milliseconds(command, success):
    start = time.perf_counter_ns()
    child = os.posix_spawn(command[0], command, os.environ, file_actions=nowhere)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) in success, command
    return (time.perf_counter_ns() - start) / 1e6


def peak_kib(command):
    # A child inherits the peak of the process that starts it, so a small one has to.
    gnu_time = shutil.which("time")
    if not gnu_time:
        return "?"
    run = subprocess.run([gnu_time, "-f", "%M", *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return run.stderr.split()[-1].decode()


def compare(title, rounds, commands, success=(0,)):
    turns = [[milliseconds(command, success) for _, command in commands] for _ in range(rounds)]
    print(f"\n{title}, {rounds} rounds, load {os.getloadavg()[0]:.1f}")
    print(f"{'':<32}{'median ms':>10}{'least ms':>10}{'ratio':>8}{'peak KiB':>10}")
    for index, (name, command) in enumerate(commands):
        times = [turn[index] for turn in turns]
        ratio = statistics.median(turn[index] / turn[0] for turn in turns)
        print(f"{name:<32}{statistics.median(times):>10.3f}{min(times):>10.3f}{ratio:>8.2f}{peak_kib(command):>10}")


compare(f"{os.path.getsize(document)} bytes", rounds, [
    ("sha256sum", [shutil.which("sha256sum"), document]),
    ("handoff-guard check", [guard, "check", document]),
    ("validate_handoff", [f"{programs}/validate_handoff", document]),
    ("true", [shutil.which("true")]),
])

several = max(rounds // 20, 5)
compare("a folder", several, [
    (f"read and hash, {processors} threads", [speed, "hash", tree, processors]),
    ("read and hash, 1 thread", [speed, "hash", tree, "1"]),
    (f"handoff-guard check, {processors} threads", [guard, "check", tree]),
    ("handoff-guard check, 1 thread", [guard, "check", tree, "--threads", "1"]),
    ("half of the folder, 1 thread", [guard, "check", f"{tree}-half", "--threads", "1"]),
])

# Without the rules that every document breaks, because printing would be measured.
quiet = ["--silent", "--disable", "MD012,MD013,MD022,MD025,MD032,MD058"]
linters = {"rumdl": ["check", "--no-cache", *quiet, tree], "mado": ["check", tree]}
found = [(name, [shutil.which(name), *args]) for name, args in linters.items() if shutil.which(name)]
if found:
    compare("Markdown linters", max(several // 4, 3), [("handoff-guard check", [guard, "check", tree]), *found], (0, 1))
PYTHON
