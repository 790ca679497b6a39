"""Runs every shipped profile at about a tenth of its size, without hours, on the embedded samples, with two
programs, and compares what they leave: journal, history, statistics and parameters.

    python tests/clients/versions.py OLD_TUNER [NEW_TUNER] [--keep FOLDER] [PROFILE ...]

With one program, its results are kept in FOLDER; a later call with another program and the same FOLDER
compares with them. A change that is to change nothing says so with this. Needs no packages.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROFILES = ROOT / "tuner/profiles"
# What makes a run long, and the least of it that is still a run of its kind.
SIZES = {
    "generations": 4, "duels": 4, "pairs": 16, "nodes": 200, "cap": 1000, "gauge_pairs": 2,
    "gauge_every": 2, "from": 2, "confirmation_pairs": 4, "sample": 5,
}


def tenth(text: str) -> str:
    """A profile at a tenth of its size; games by a clock become games by nodes, which can be repeated."""
    def smaller(line: re.Match) -> str:
        key, number = line.group(1), int(line.group(2))
        return f"{key} = {max(min(number, SIZES[key]), number // 10)}"

    text = re.sub(r"^hours = .*\n", "", text, flags=re.M)
    text = re.sub(r"^seconds = .*$", "nodes = 4000", text, flags=re.M)
    text = re.sub(r"^(increment|speed) = .*\n", "", text, flags=re.M)
    text = re.sub(rf"^({'|'.join(SIZES)}) = (\d+)$", smaller, text, flags=re.M)
    # Runs, not positions.
    text = re.sub(r"^count = (10|\d)$", "count = 2", text, flags=re.M)
    # The clock's genes do nothing in games by nodes.
    return text.replace('layout = "time"', 'layout = "search-2014"') \
               .replace('"../data/', f'"{ROOT}/tuner/data/') \
               .replace('"../../params/', f'"{ROOT}/params/')


def run(tuner: str, profile: pathlib.Path, folder: pathlib.Path) -> None:
    with tempfile.TemporaryDirectory() as place:
        small = pathlib.Path(place) / profile.name
        small.write_text(tenth(profile.read_text()))
        done = subprocess.run([tuner, "run", small, "--out", folder, "--threads", "2"],
                              capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{profile.stem}: {done.stderr}")


def results(folder: pathlib.Path) -> dict[str, str]:
    """What may not change: everything but wall times, the version and where the data lies."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if not path.is_file() or name in ("timing.csv", "report.html", "profile.toml"):
            continue
        if path.suffix not in (".toml", ".csv", ".jsonl", ".txt", ".pgn"):
            continue
        text = path.read_text()
        if path.suffix == ".jsonl":
            # The header names the program and paths, and every sum follows from it.
            lines = text.splitlines()[1:]
            text = "\n".join(line.split('"record":', 1)[-1] for line in lines)
        found[name] = re.sub(r"^(#.*|program = .*)$", "", text, flags=re.M)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tuners", nargs="+", help="one or two programs, then names of profiles")
    parser.add_argument("--keep", type=pathlib.Path)
    given = parser.parse_args()
    tuners = [word for word in given.tuners if "/" in word][:2]
    names = [word for word in given.tuners if "/" not in word]
    keep = given.keep or pathlib.Path(tempfile.mkdtemp())
    for profile in sorted(PROFILES.glob("*.toml")):
        if names and profile.stem not in names:
            continue
        first = keep / profile.stem
        if not first.is_dir():
            run(tuners[0], profile, first)
        before = results(first)
        with tempfile.TemporaryDirectory() as place:
            second = pathlib.Path(place) / "run"
            run(tuners[-1], profile, second)
            after = results(second)
        differ = [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)]
        print(f"{profile.stem}: {len(before)} files, {'alike' if not differ else 'DIFFER: ' + ', '.join(differ[:5])}",
              flush=True)
        if differ:
            sys.exit(1)


main()
