"""Hosts of their own on one machine: namespaces on a bridge. They live as long as a pipe that this process holds."""

from __future__ import annotations

import ctypes
import os
import subprocess
import time
from pathlib import Path
from types import TracebackType

HOST = """
mount --make-rprivate / && mount -t tmpfs -o mode=755 tmpfs /run && mkdir -p /run/dbus /run/avahi-daemon && hostname "$0" && ip link set lo up
echo ready; exec cat
"""

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><auth>EXTERNAL</auth><listen>unix:path=/run/dbus/system_bus_socket</listen>
<policy context="default"><allow user="*"/><allow own="*"/><allow send_type="method_call"/><allow send_type="signal"/>
<allow send_requested_reply="true" send_type="method_return"/><allow send_requested_reply="true" send_type="error"/>
<allow receive_type="method_call"/><allow receive_type="method_return"/><allow receive_type="error"/><allow receive_type="signal"/></policy>
</busconfig>
"""

AVAHI = "[server]\nuse-ipv4=yes\nuse-ipv6=no\n[publish]\npublish-hinfo=no\npublish-workstation=no\n"


def why_not() -> str | None:
    """Why no hosts can be made here, or None."""
    if os.geteuid() != 0:
        return "hosts need root"
    if (
        subprocess.run(
            ["unshare", "--net", "--mount", "--uts", "ip", "link", "add", "name", "lan", "type", "bridge"], capture_output=True
        ).returncode
        != 0
    ):
        return "this machine makes no namespaces"
    return None


class Host:
    """A host with a network of its own."""

    def __init__(self, name: str) -> None:
        self.name, self.address, self.hardware = name, "", ""
        self._keeper = subprocess.Popen(
            ["unshare", "--net", "--mount", "--uts", "sh", "-c", HOST, name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._daemons: list[subprocess.Popen[bytes]] = []
        assert self._keeper.stdout and self._keeper.stdout.readline() == "ready\n"
        # A command that runs on it begins with this.
        self.prefix = ("nsenter", f"--target={self._keeper.pid}", "--net", "--mount", "--uts", "--")

    @property
    def process(self) -> int:
        return self._keeper.pid

    def run(self, *words: str) -> None:
        subprocess.run([*self.prefix, *words], check=True, capture_output=True)

    def enter(self) -> None:
        """From now on this thread's sockets are on that host."""
        with open(f"/proc/{self._keeper.pid}/ns/net") as space:
            if ctypes.CDLL(None, use_errno=True).setns(space.fileno(), 0) != 0:
                raise OSError(ctypes.get_errno(), "setns")

    def start_avahi(self, folder: Path) -> None:
        """A system bus and an Avahi for this host alone."""
        (folder / "bus.conf").write_text(BUS)
        (folder / "avahi.conf").write_text(AVAHI)
        self._start(
            folder, "dbus-daemon", f"--config-file={folder}/bus.conf", "--nofork", "--nopidfile", "--print-address", until="unix:"
        )
        words = ["avahi-daemon", "--no-drop-root", "--no-chroot", "--no-rlimits", "--file", f"{folder}/avahi.conf"]
        self._start(folder, *words, until="Server startup complete")

    def _start(self, folder: Path, *words: str, until: str) -> None:
        log = folder / f"{words[0]}.log"
        with log.open("wb") as file:
            process = subprocess.Popen([*self.prefix, *words], stdout=file, stderr=file)
        self._daemons.append(process)
        deadline = time.monotonic() + 15
        while until not in log.read_text():
            if time.monotonic() > deadline or process.poll() is not None:
                raise RuntimeError(f"{words[0]} is not ready: {log.read_text()}")
            time.sleep(0.02)

    def end(self) -> None:
        for process in reversed(self._daemons):
            process.terminate()
            process.wait(5)
        assert self._keeper.stdin
        self._keeper.stdin.close()
        self._keeper.wait(5)


class Network:
    """Hosts on one bridge, 10.99.0.1 and so on. Use it in `with`."""

    def __init__(self, *names: str) -> None:
        self._switch = Host("switch")
        self._switch.run("ip", "link", "add", "name", "lan", "type", "bridge", "mcast_snooping", "0")
        self._switch.run("ip", "link", "set", "lan", "up")
        self.hosts = []
        for number, name in enumerate(names, 1):
            host = Host(name)
            host.address, host.hardware = f"10.99.0.{number}", f"02:99:00:00:00:{number:02x}"
            plug = [
                "ip",
                "link",
                "add",
                f"p{number}",
                "type",
                "veth",
                "peer",
                "name",
                "eth0",
                "address",
                host.hardware,
                "netns",
                str(host.process),
            ]
            self._switch.run(*plug)
            self._switch.run("ip", "link", "set", f"p{number}", "master", "lan", "up")
            host.run("ip", "address", "add", f"{host.address}/24", "dev", "eth0")
            host.run("ip", "link", "set", "eth0", "up")
            host.run("ip", "route", "add", "224.0.0.0/4", "dev", "eth0")
            self.hosts.append(host)

    def __enter__(self) -> Network:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for host in [*self.hosts, self._switch]:
            host.end()
