"""A control group that ends what takes more memory than it may, of version 1 or 2, whichever this machine has."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")


class MemoryLimit:
    """A group below this process's own root. `folder` is None where none can be made."""

    def __init__(self, mebibytes: int) -> None:
        self.folder: Path | None = None
        is_first = (ROOT / "memory").is_dir()
        folder = (ROOT / "memory" if is_first else ROOT) / f"huddle-attack-{os.getpid()}"
        limits = (
            {"memory.limit_in_bytes": mebibytes << 20, "memory.memsw.limit_in_bytes": mebibytes << 20}
            if is_first
            else {"memory.max": mebibytes << 20, "memory.swap.max": 0}
        )
        try:
            if not is_first:
                (ROOT / "cgroup.subtree_control").write_text("+memory")
            folder.mkdir()
        except OSError:
            return
        for name, value in limits.items():
            try:
                (folder / name).write_text(str(value))
            except OSError:
                # Kernels without accounts of swap have no such file.
                if "swap" not in name and "memsw" not in name:
                    folder.rmdir()
                    return
        self.folder = folder

    @property
    def used(self) -> float:
        """MiB, with what the kernel holds for it."""
        if not self.folder:
            return 0
        for name in ("memory.usage_in_bytes", "memory.current"):
            if (self.folder / name).exists():
                return int((self.folder / name).read_text()) / 2**20
        return 0

    @property
    def kills(self) -> int:
        """How many processes the kernel has ended for want of memory."""
        if not self.folder:
            return 0
        for name in ("memory.oom_control", "memory.events"):
            path = self.folder / name
            if path.exists():
                return sum(int(line.split()[1]) for line in path.read_text().splitlines() if line.startswith("oom_kill "))
        return 0

    def remove(self) -> None:
        if self.folder:
            try:
                self.folder.rmdir()
            except OSError:
                pass
