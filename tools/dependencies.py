"""The licences of what is installed with the package, and the vulnerabilities that are known of it.

    python tools/dependencies.py           # licences, and vulnerabilities where pip-audit and the network are there
    python tools/dependencies.py --offline # licences alone

It ends with status 1 where a licence is copyleft or unknown, or a vulnerability is known.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).parents[1]
# What a dependency may be licensed under: licences that ask for their notice to be kept, and for little else.
_FINE = re.compile(
    r"\b(MIT|BSD|Apache|PSF|Python Software Foundation|ISC|HPND|Zlib|Unlicense|MPL|Mozilla|CC0|0BSD)\b|BSD|MIT", re.IGNORECASE
)
_COPYLEFT = re.compile(r"\b(A?GPL|GNU (Affero )?General Public)", re.IGNORECASE)


def installed() -> list[str]:
    """What pyproject.toml names and what that needs in turn, extras left out."""
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    found: dict[str, None] = {}
    while wanted:
        required, _, marker = wanted.pop().partition(";")
        name = re.split(r"[^A-Za-z0-9_.-]", required.strip())[0].lower()
        if name in found or "extra ==" in marker:
            continue
        try:
            wanted += distribution(name).requires or []
        except PackageNotFoundError:
            continue  # it is for another platform
        found[name] = None
    return list(found)


def licences() -> dict[str, str]:
    """The licence of every dependency, in its own words."""
    return {name: _licence(name) for name in installed()}


def _licence(name: str) -> str:
    facts = distribution(name).metadata
    classified = [one.rpartition(" :: ")[2] for one in facts.get_all("Classifier") or [] if one.startswith("License ::")]
    return facts.get("License-Expression") or ", ".join(classified) or (facts.get("License") or "").strip().partition("\n")[0]


def refused(found: dict[str, str]) -> dict[str, str]:
    """The licences that are copyleft, or that nobody knows."""
    return {name: one or "unknown" for name, one in found.items() if _COPYLEFT.search(one) or not _FINE.search(one)}


def vulnerabilities() -> int:
    """By pip-audit, which asks a database on the network: 0 where none is known, or where it cannot be asked."""
    if importlib.util.find_spec("pip_audit") is None:
        print("vulnerabilities: not looked for; pip install pip-audit")
        return 0
    pinned = "".join(f"{name}=={distribution(name).version}\n" for name in installed())
    audit = [sys.executable, "-m", "pip_audit", "--disable-pip", "--no-deps", "--progress-spinner", "off", "-r", "/dev/stdin"]
    done = subprocess.run(audit, input=pinned, capture_output=True, text=True, check=False)
    if "Traceback" in done.stderr or "Connection" in done.stderr:
        print("vulnerabilities: not looked for; the database cannot be reached")
        return 0
    unknown = (done.stdout + done.stderr).count("could not be audited")
    if unknown:
        print(f"vulnerabilities: the database does not know {unknown} of {pinned.count('==')} packages, or cannot be reached")
    else:
        print(done.stdout or done.stderr, end="")
    return done.returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offline", action="store_true", help="licences alone")
    given = parser.parse_args()
    found = licences()
    for name, one in sorted(found.items()):
        print(f"{name} {distribution(name).version}: {one}")
    wrong = refused(found)
    for name, one in wrong.items():
        print(f"{name}: its licence is {one}", file=sys.stderr)
    return 1 if wrong or (not given.offline and vulnerabilities()) else 0


if __name__ == "__main__":
    sys.exit(main())
