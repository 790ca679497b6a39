"""Reads an experiment's logs back by iohinspector and compares them with its results.csv.

Usage: ioh.py TUNER [DIR]; without DIR the example is run first. `make test-ioh` installs what it needs.
"""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import iohinspector
import polars


def check(folder):
    rows = list(csv.DictReader(open(folder / "results.csv")))
    manager = iohinspector.DataManager()
    manager.add_folder(str(folder / "ioh"))
    print(iohinspector.__name__, "finds", len(manager.overview), "runs of", manager.overview["algorithm_name"].n_unique(), "cells")
    assert len(manager.overview) == len(rows), "not as many runs as results.csv has"
    cells = list(dict.fromkeys(row["cell"] for row in rows))
    for cell in cells:
        own = [row for row in rows if row["cell"] == cell]
        logged = manager.select(algorithms=[cell]).load(monotonic=False, include_meta_data=True)
        for instance, row in enumerate(own, 1):
            run = logged.filter(polars.col("instance") == instance).sort("evaluations")
            best = 100 * int(row["last_best"]) / int(row["positions"])
            assert run["evaluations"].max() == int(row["evaluations"]), (cell, instance)
            assert abs(run["raw_y"].max() - best) < 1e-6, (cell, instance, run["raw_y"].max(), best)
            assert run["raw_y"].is_sorted(), (cell, instance)
    print("evaluations and best values are those of results.csv")


def main():
    if len(sys.argv) > 2:
        return check(Path(sys.argv[2]))
    with tempfile.TemporaryDirectory() as out:
        example = "tuner/experiments/history-small.toml"
        subprocess.run([sys.argv[1], "experiment", example, "--out", out], check=True)
        check(Path(out))


main()
