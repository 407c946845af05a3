#!/usr/bin/env python3
"""Prints the README's table of reductions. Run it at the root of the workspace."""

import json
import subprocess

ROWS = [
    ("alternating_bit", "--capacity 4"),
    ("alternating_bit", "--capacity 4 --loss limited"),
    ("chain", "--length 1000"),
    ("injected", "--steps 100"),
    ("injected_states", "--steps 100"),
    ("leader_dkr", "--n 8"),
    ("leader_election", "--n 7"),
    ("leader_election", "--n 7 --variant repeated"),
    ("peterson", "--n 4 --variant questionable"),
    ("peterson", "--n 4 --variant revealing"),
    ("peterson", "--n 4 --variant correct"),
    ("peterson", "--n 4 --variant mutex-violating"),
    ("peterson_enter", "--n 3"),
    ("philosophers", "--n 10"),
    ("philosophers", "--n 10 --variant deadlocking"),
    ("sliding_window", "--window 4"),
    ("token_ring", "--n 8"),
    ("two_phase_commit", "--n 9"),
]
RUNS = 3
# A formula is decided by a search of its own, in full: the other checks of the model.
CHECKS = {
    "alternating_bit": [
        "values_arrive_in_order", "everything_has_arrived", "value_may_get_through",
    ],
    "peterson_enter": ["mutual_exclusion", "customer_0_is_served"],
    "philosophers": ["everybody_has_left", "philosopher_0_may_eat"],
}


def run(model, options, reduction):
    """The run with the least total time out of a few."""
    command = ["cargo", "run", "--quiet", "--release", "--example", model, "--"]
    command += options.split() + ["--json", "--reduction", reduction]
    command += [f"--check={name}" for name in CHECKS.get(model, [])]
    results = []
    for _ in range(RUNS):
        done = subprocess.run(command, capture_output=True, text=True)
        if not done.stdout:
            raise SystemExit(done.stderr)
        results.append(json.loads(done.stdout))
    return min(results, key=lambda result: result["seconds"]["total"])


print("| model | full: states | time | verdict | stubborn: states | time | verdict | states left |")
print("|---|--:|--:|---|--:|--:|---|--:|")
for model, options in ROWS:
    full, stubborn = (run(model, options, r) for r in ("full", "stubborn"))
    cells = [f"`{model} {options}`"]
    for result in (full, stubborn):
        seconds = result["seconds"]["total"]
        cells += [f"{result['states']:,}", f"{seconds:.2f} s", result["verdict"]]
    left = 100 * stubborn["states"] / full["states"]
    cells.append(f"{left:.0f} %" if left >= 10 else f"{left:.2g} %")
    print("| " + " | ".join(cells) + " |", flush=True)
