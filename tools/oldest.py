"""The oldest versions that pyproject.toml allows, in an environment of their own, and the tests of reading and scoring with them.

python tools/oldest.py            # makes .lowest/ where it is not there, and runs the tests with it
python tools/oldest.py --extra dev,spark
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = ("test_statistics", "test_power", "test_show", "test_first_steps", "test_convert", "test_one_reader")
# Nothing of the package depends on these: they check it, and their latest version is what is wanted.
_TOOLS = ("import-linter", "mypy", "ruff", "pytest-cov", "pytest-xdist")


def lowest(extras: list[str]) -> list[str]:
    """Each requirement at its lowest version: ``numpy>=2.1`` is ``numpy==2.1.0``."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *(one for extra in extras for one in project["optional-dependencies"][extra])]
    found = []
    for one in wanted:
        match = re.fullmatch(r"([A-Za-z0-9_.-]+)>=([0-9.]+)", one)
        if match is None:
            raise SystemExit(f"{one}: a requirement has a lowest version, as in numpy>=2.1")
        if match[1] not in _TOOLS:
            found.append(f"{match[1]}=={match[2]}" if match[2].count(".") >= 2 else f"{match[1]}=={match[2]}.0")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--extra", default="dev", help="which extras of pyproject.toml, with commas between them")
    parser.add_argument("--folder", default=".lowest", help="where the environment is made")
    given = parser.parse_args()
    folder = ROOT / given.folder
    python = folder / "bin/python"
    if not python.is_file():
        venv.create(folder, with_pip=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, *lowest(given.extra.split(",")), "pytest-xdist", "pytest-cov"], check=True)
        subprocess.run([*install, "--no-deps", "--editable", str(ROOT)], check=True)
    listed = subprocess.run([str(python), "-m", "pip", "list", "--format", "freeze"], check=True, capture_output=True, text=True)
    versions = dict(line.lower().replace("_", "-").split("==", 1) for line in listed.stdout.splitlines() if "==" in line)
    names = [one.partition("==")[0] for one in lowest(given.extra.split(","))]
    print(", ".join(f"{name} {versions.get(name, '?')}" for name in names), flush=True)
    files = [str(next((ROOT / "tests").rglob(f"{name}.py"))) for name in TESTS]
    # Warnings of old versions about still older ones are not ours to mend.
    options = ["-q", "-n", "0", "-p", "no:cacheprovider", "-W", "default", "-k", "not spark"]
    return subprocess.run([str(python), "-m", "pytest", *options, *files], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
