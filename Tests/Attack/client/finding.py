"""What each file in `findings` gives: whether the daemon held, and the figures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Outcome:
    held: bool
    figures: str
    # False where something went wrong, so that nothing can be said.
    is_tried: bool = True


@dataclass(frozen=True)
class Skipped:
    """This machine can't try it."""

    why: str


@dataclass(frozen=True)
class Place:
    """Where an attack takes place."""

    programs: Path
