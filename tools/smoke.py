"""Does what is released work where there is nothing but it? Installs each file into a new environment outside the checkout, and
runs the commands that a new user runs first.

python -m build && python tools/smoke.py dist/*                        with this Python
python tools/smoke.py dist/* --python python3.12 --python python3.13   with these
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

_PAGE = 100_000  # bytes; the page of the demo has more
_SCORE = "import metameasure as mm; print(mm.score([1, 2, 3, 1], [1, 2, 3, 3], 'accuracy', classes=[1, 2, 3]), mm.__file__)"


def called(*words: object, where: Path) -> str:
    """What a command prints, in a folder, without anything of the environment that started this."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV", "COV"))}
    done = subprocess.run([str(word) for word in words], cwd=where, env=own, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, words))} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def smoke(python: str, released: Path, folder: Path) -> str:
    """The version of a released file that works with a Python; SystemExit where it does not."""
    called(python, "-m", "venv", folder / "clean", where=folder)
    own = folder / "clean" / ("Scripts" if os.name == "nt" else "bin")
    called(own / "python", "-m", "pip", "--disable-pip-version-check", "--quiet", "install", released.resolve(), where=folder)
    scored, place = called(own / "python", "-c", _SCORE, where=folder).split()
    demo = called(own / "metameasure", "demo", "-o", "page.html", where=folder)
    checks = {
        "the installed package is the one that runs": Path(place).is_relative_to(folder.resolve()),
        "accuracy is .75": float(scored) == 0.75,
        "the demo scores": "cem_ord" in demo,
        "the demo writes its page": (folder / "page.html").stat().st_size > _PAGE,
    }
    wrong = [name for name, good in checks.items() if not good]
    if wrong:
        raise SystemExit(f"{released.name} with {python}: not so: {'; '.join(wrong)}")
    return called(own / "metameasure", "--version", where=folder).strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, help="wheels and source distributions")
    parser.add_argument("--python", action="append", default=[], help="a Python to try (may be repeated; default: this one)")
    options = parser.parse_args()
    for python in options.python or [sys.executable]:
        for released in options.files:
            with tempfile.TemporaryDirectory(prefix="metameasure-smoke-") as folder:
                print(f"{released.name} with {python}: {smoke(python, released, Path(folder))}", flush=True)


if __name__ == "__main__":
    main()
