"""Opens reports of the tuner in headless Chromium, at a desktop's and a phone's width, in the light and the
dark scheme, and checks that nothing overflows, overlaps or is crossed (check.js has the rules).

    reports.py TUNER [REPORT.html ...] [--pictures FOLDER]

Without reports it makes three of the golden runs in tests/data/golden: a finished one of four phases, one
of moves alone, and one that is cut in the middle. Exit codes: 0 all is well, 1 faults, 2 no browser.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

# No compiled file is left among the sources.
sys.dont_write_bytecode = True
import chromium  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
GOLDEN = HERE.parent / "data" / "golden"
WIDTHS = (1280, 390)
SCHEMES = ("light", "dark")
# Faults of a report that are told.
MOST = 20
KINDS = ("overflow", "overlap", "hint", "crossed", "empty", "contrast")


def made(tuner, folder):
    """Reports of golden runs, by what they are."""
    reports = {}
    for name, kind, part in (("finished", "night", 1.0), ("moves", "grandmaster", 1.0),
                             ("unfinished", "night", 0.6)):
        run = folder / name
        shutil.copytree(GOLDEN / kind, run)
        journal = run / "journal.jsonl"
        lines = journal.read_text(encoding="utf-8").splitlines(keepends=True)
        journal.write_text("".join(lines[:int(len(lines) * part)]), encoding="utf-8")
        subprocess.run([tuner, "report", run], check=True, stdout=subprocess.DEVNULL)
        reports[name] = run / "report.html"
    text = reports["unfinished"].read_text(encoding="utf-8")
    if "Not finished" not in text:
        raise SystemExit("the unfinished report does not say so")
    return reports


def faults(browser, page, script, pictures=None, name=""):
    """What is wrong with a page, in each width and scheme."""
    found = []
    for width in WIDTHS:
        for scheme in SCHEMES:
            browser.open(page.as_uri(), width, scheme)
            if pictures:
                browser.screenshot(pictures / f"{name}-{width}-{scheme}.png")
            found += [(width, scheme, fault) for fault in browser.evaluate(script)]
    return found


def main():
    arguments = argparse.ArgumentParser(description="Checks the layout of reports in Chromium.")
    arguments.add_argument("tuner", type=pathlib.Path)
    arguments.add_argument("reports", nargs="*", type=pathlib.Path)
    arguments.add_argument("--pictures", type=pathlib.Path, help="folder for screenshots")
    arguments = arguments.parse_args()
    path = chromium.find()
    if path is None:
        print("Chromium is missing; on Debian: apt install chromium", file=sys.stderr)
        return 2
    if arguments.pictures:
        arguments.pictures.mkdir(parents=True, exist_ok=True)
    script = (HERE / "check.js").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder, chromium.Chromium(path) as browser:
        # A check that finds nothing anywhere would prove nothing.
        known = {fault.split(":")[0] for _, _, fault in faults(browser, HERE / "broken.html", script)}
        missed = [kind for kind in KINDS if kind not in known]
        if missed:
            print(f"the check does not find in broken.html: {', '.join(missed)}", file=sys.stderr)
            return 1
        reports = {str(report): report.resolve() for report in arguments.reports}
        reports = reports or made(arguments.tuner.resolve(), pathlib.Path(folder))
        bad = 0
        for number, (name, page) in enumerate(reports.items(), 1):
            short = name if page.parent.name == name else f"report-{number}"
            found = faults(browser, page, script, arguments.pictures, short)
            bad += len(found)
            print(f"{name}: {len(found) or 'no'} faults")
            for width, scheme, fault in found[:MOST]:
                print(f"  {width} {scheme}  {fault}")
            if len(found) > MOST:
                print(f"  and {len(found) - MOST} more")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
