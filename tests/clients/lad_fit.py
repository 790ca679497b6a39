"""The least mean absolute error that 35 weights within their genes can have against an expert's scores.

The static evaluation of the papers' 35 terms is linear, so the mean of |own score - expert's score| has
its minimum where a linear program says: least absolute deviations, with the bounds of the layout `eval-2011` (10 bits
for a piece, 6 for everything else). What evolution of a phase `expert-2011` with `score = "static"` comes
to can be no better on the same training positions; how far from it it stays is what evolution leaves behind. For a
score by quiescence this is no bound.

Counts of the terms come from the engine itself (`eval --all`). Weights are fitted as real numbers and rounded for
the last column. Material alone is fitted too, and whoever always says zero stands beside. Only somebody who wants the
figures anew has to run this:

    python3 -m venv venv && venv/bin/pip install scipy==1.17.1 numpy==2.4.6
    venv/bin/python tests/clients/lad_fit.py target/release/eyas train.epd test.epd
"""

import subprocess
import sys

import numpy
from scipy.optimize import linprog
from scipy.sparse import csr_matrix, hstack, identity

TERMS = 35
PIECES = 5
# As fitness/expert_2011.rs has it: beyond this a position is left out.
MOST = 1500


def read(engine, path):
    """Counts and scores of the positions of a file, and how many were left out."""
    rows, scores, left_out = [], [], 0
    for line in open(path):
        if line.startswith("#") or not line.strip():
            continue
        score = int(line.split(" ce ")[1].split(";")[0])
        if abs(score) > MOST:
            left_out += 1
            continue
        board = " ".join(line.split()[:4])
        engine.stdin.write(f"position fen {board} 0 1\neval --all\nisready\n")
        engine.stdin.flush()
        counts = []
        for said in iter(engine.stdout.readline, ""):
            words = said.split()
            if words == ["readyok"]:
                break
            if len(words) == 4 and words[0].islower() and len(counts) < TERMS:
                counts.append(int(words[1]))
        assert len(counts) == TERMS, line
        rows.append(counts)
        scores.append(score)
    return numpy.array(rows, float), numpy.array(scores, float), left_out


def fit(counts, scores, columns):
    """Weights of the least mean absolute error, others 0: minimise u + v where counts @ w + u - v = scores."""
    chosen = counts[:, :columns]
    many = len(scores)
    both = hstack([csr_matrix(chosen), identity(many), -identity(many)], format="csr")
    cost = numpy.concatenate([numpy.zeros(columns), numpy.ones(2 * many) / many])
    genes = [(0, 1023) if term < PIECES else (0, 63) for term in range(columns)]
    solved = linprog(cost, A_eq=both, b_eq=scores, bounds=genes + [(0, None)] * (2 * many), method="highs")
    assert solved.success, solved.message
    return numpy.concatenate([solved.x[:columns], numpy.zeros(TERMS - columns)])


def error(counts, scores, weights):
    return numpy.abs(counts @ weights - scores).mean()


def main():
    binary, train, test = sys.argv[1:]
    engine = subprocess.Popen([binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    sets = [read(engine, path) for path in (train, test)]
    engine.stdin.write("quit\n")
    engine.stdin.flush()
    engine.wait()
    for name, (_, scores, left_out) in zip(("training", "held out"), sets):
        print(f"{name}: {len(scores)} positions, {left_out} left out")
    counts, scores, _ = sets[0]
    print("mean absolute error in centipawns, training and held out, and with whole weights")
    nothing = numpy.zeros(TERMS)
    fits = [("always zero", nothing), ("material alone", fit(counts, scores, PIECES)), ("all terms", fit(counts, scores, TERMS))]
    for name, weights in fits:
        both = [error(*part[:2], weights) for part in sets]
        whole = [error(*part[:2], weights.round()) for part in sets]
        print(f"{name}: {both[0]:.2f} {both[1]:.2f}, whole {whole[0]:.2f} {whole[1]:.2f}")
    print("weights:", " ".join(f"{weight:.0f}" for weight in fits[-1][1]))


main()
