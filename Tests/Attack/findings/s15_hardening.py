"""What programs that people get are like: what a linker and a compiler can do against abuse."""

from __future__ import annotations

import subprocess
from pathlib import Path

from client.finding import Outcome, Place, Skipped

TITLE = "hardening"
# It also looks at each program that is packed.
CHECK = Path(__file__).resolve().parents[3] / ".ci/check-hardening"


def attack(place: Place) -> Outcome | Skipped:
    programs = [str(place.programs / name) for name in ("huddled", "huddle")]
    linked = subprocess.run(["readelf", "--wide", "--dynamic", programs[0]], capture_output=True, text=True, check=True).stdout
    if "libswiftCore" in linked:
        return Skipped("these programs were built for development: `make release`, then --programs .build/release")
    check = subprocess.run([CHECK, *programs], capture_output=True, text=True, check=False)
    said = "; ".join(line.removeprefix(f"{place.programs}/") for line in check.stderr.splitlines())
    return Outcome(check.returncode == 0, said or "position independent, full RELRO, no search path, checked calls")
