"""A machine that is attacked: a home folder of its own and a real huddled, on the loopback."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from . import pairing
from .hosts import Host
from .peer import Link
from .tls import Address, Gone, Key

ALONE = ("--no-advertise", "--no-browse")


class Machine:
    """Starts huddled in a new home folder, and runs `huddle` there. Use it in `with`."""

    def __init__(
        self,
        programs: Path,
        name: str = "Desk",
        options: tuple[str, ...] = ALONE,
        descriptors: int | None = None,
        cgroup: Path | None = None,
        at: Host | None = None,
    ) -> None:
        self._programs, self.name, self.options, self._descriptors = programs, name, options, descriptors
        self._cgroup = cgroup
        self.host = at.address if at else "127.0.0.1"
        self._prefix = at.prefix if at else ()
        self.home = Path(tempfile.mkdtemp(prefix="huddle-attack-"))
        self.process: subprocess.Popen[bytes] | None = None
        self.port = 0
        self._major: int | None = None

    def __enter__(self) -> Machine:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self.home, ignore_errors=True)

    @property
    def log(self) -> Path:
        return self.home / "huddled.log"

    @property
    def address(self) -> Address:
        return self.host, self.port

    def environment(self) -> dict[str, str]:
        return {
            "HOME": str(self.home),
            "PATH": f"{self._programs}:{os.environ['PATH']}",
            "LANG": "C.UTF-8",
            "HUDDLE_STATE": str(self.home / ".local/state/huddle"),
        }

    def _before(self) -> None:
        if self._descriptors:
            resource.setrlimit(resource.RLIMIT_NOFILE, (self._descriptors, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        if self._cgroup:
            (self._cgroup / "cgroup.procs").write_text(str(os.getpid()))

    def start(self, within: float = 60) -> None:
        """Returns once it listens and answers `huddle status`. Raises where it ends before that."""
        words = [*self._prefix, "huddled", "--name", self.name, "--address", self.host, *self.options]
        with self.log.open("ab") as log:
            begun = log.tell()
            self.process = subprocess.Popen(
                words, env=self.environment(), stdout=log, stderr=log, preexec_fn=self._before, cwd=self.home
            )
        deadline = time.monotonic() + within
        while time.monotonic() < deadline:
            said = self.log.read_bytes()[begun:].decode(errors="replace")
            if found := re.search(r"listening on port (\d+)", said):
                self.port = int(found[1])
                if self.huddle("status").returncode == 0:
                    return
            if self.process.poll() is not None:
                raise RuntimeError(f"huddled ended with {self.process.returncode}: {said.strip()[-400:]}")
            time.sleep(0.02)
        raise RuntimeError("huddled was not ready in time")

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    @property
    def is_alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def huddle(self, *words: str, within: float = 60) -> subprocess.CompletedProcess[str]:
        try:
            return subprocess.run(
                [*self._prefix, "huddle", *words],
                env=self.environment(),
                cwd=self.home,
                capture_output=True,
                text=True,
                timeout=within,
            )
        except subprocess.TimeoutExpired as error:
            return subprocess.CompletedProcess(words, 124, (error.stdout or b"").decode(), f"no end within {within} s")

    def begin(self, *words: str) -> subprocess.Popen[str]:
        """A command that goes on while something else happens."""
        return subprocess.Popen(
            [*self._prefix, "huddle", *words],
            env=self.environment(),
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def told(self, *words: str, within: float = 60) -> list[dict[str, Any]]:
        """What a command prints with --json."""
        return [json.loads(line) for line in self.huddle(*words, "--json", within=within).stdout.splitlines()]

    def share(self, name: str, key: Key) -> bytes:
        """Makes a set of a folder with one save and offers it to that machine. Gives the set's id."""
        folder = self.home / name
        folder.mkdir()
        (folder / "save").write_text(f"what {name} saved")
        for words in ([str(folder), "--name", name, "--only-here"], [name, "--with", key.text]):
            if (done := self.huddle("share", *words)).returncode != 0:
                raise RuntimeError(f"huddle share {words[0]}: {done.stderr}")
        return bytes.fromhex(next(line["set"] for line in self.told("list") if line["name"] == name))

    # What the kernel says of it

    def _status(self, key: str) -> int:
        assert self.process
        found = re.search(rf"{key}:\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text())
        return int(found[1]) if found else 0

    @property
    def memory(self) -> float:
        """MiB of memory that is its own, without the pages of programs, which come and go; 0 once it has ended."""
        try:
            return self._status("RssAnon") / 1024
        except OSError:
            return 0

    @property
    def resident(self) -> float:
        """MiB of memory, with the pages of programs; 0 once it has ended."""
        try:
            return self._status("VmRSS") / 1024
        except OSError:
            return 0

    @property
    def threads(self) -> int:
        return self._status("Threads")

    @property
    def descriptors(self) -> int:
        """0 where only root may look."""
        assert self.process
        try:
            return len(os.listdir(f"/proc/{self.process.pid}/fd"))
        except PermissionError:
            return 0

    # Meeting it

    def key_below(self) -> Key:
        """A key whose id is smaller than this machine's: of invitations that cross, its own then counts (wire-protocol.md)."""
        link = Link.dial(self.address, Key(), "Probe")
        link.close()
        while (key := Key()).peer_id > link.peer_id:
            pass
        return key

    def asks_for(self, key: Key, within: float = 5) -> bool:
        """Waits until the person here is asked about that key; false where that doesn't happen in time."""
        deadline = time.monotonic() + within
        while time.monotonic() < deadline:
            if f"({key.text[:9]}) waits to be let in" in self.huddle("status").stdout:
                return True
            time.sleep(0.05)
        return False

    def befriend(self, key: Key, name: str = "Mallory", tries: int = 3) -> None:
        """Has the person here invite this key, and let it in for good with all permissions. On a busy machine a try may run out of time."""
        while (failure := self._meet(key, name)) and (tries := tries - 1) > 0:
            pass
        if failure:
            raise RuntimeError(f"huddle invite: {failure}")
        self.huddle("policy", key.text, "--set", "accept")

    def _meet(self, key: Key, name: str) -> str | None:
        """Why that came to nothing, or None."""
        with socket.create_server((self.host, 0)) as listener:
            words = ["invite", f"{self.host}:{listener.getsockname()[1]}", "--json", "--wait", "20s"]
            inviting = self.begin(*words, *(["--yes"] if self.major == 1 else []))
            try:
                link = Link.answer(listener, key, name, within=20)
                pairing.be_invited(link, lambda: shown_code(inviting))
                said = inviting.communicate(timeout=20)[0]
                link.close()
            except (Gone, OSError, pairing.Refused, subprocess.TimeoutExpired) as error:
                return str(error)
            finally:
                if inviting.poll() is None:
                    inviting.kill()
        return None if inviting.returncode == 0 else said

    @property
    def major(self) -> int:
        """Which protocol it speaks: in huddle/1 persons compare codes, in huddle/2 one types what the other reads."""
        if self._major is None:
            link = Link.dial(self.address, Key(), "Probe")
            self._major = link.major
            link.close()
        return self._major


def shown_code(inviting: subprocess.Popen[str]) -> str:
    """The code that `huddle invite --json` prints."""
    for line in inviting.stdout or []:
        if '"code"' in line and line.startswith("{"):
            return str(json.loads(line)["code"]).replace(" ", "")
    raise RuntimeError("no code was shown")
