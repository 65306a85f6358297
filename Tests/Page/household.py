"""Machines of a household on this one: each has a home, a daemon, and a page in a browser."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time


class Machine:
    def __init__(self, name, folder, programs):
        self.name, self.home, self.programs = name, os.path.join(folder, f"home-{len(os.listdir(folder))}"), programs
        self.run = os.path.join(self.home, "run")
        os.makedirs(self.run, mode=0o700)
        self.daemon = None

    @property
    def environment(self):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "HUDDLE_"))}
        return {**kept, "HOME": self.home, "HUDDLE_NAME": self.name, "XDG_RUNTIME_DIR": self.run,
                "PATH": self.programs + ":" + os.environ["PATH"]}

    def begin(self):
        log = os.path.join(self.home, "log")
        with open(log, "w") as file:
            self.daemon = subprocess.Popen(["huddled"], env=self.environment, cwd=self.home, stderr=file)
        until(lambda: "listening on port" in open(log).read(), f"{self.name} listens")

    def end(self):
        if self.daemon and self.daemon.poll() is None:
            self.daemon.send_signal(signal.SIGTERM)
            self.daemon.wait(30)

    def huddle(self, *words, within=60):
        return subprocess.run(["huddle", *words], env=self.environment, cwd=self.home, capture_output=True, text=True, timeout=within)

    def ask(self, method, path, body=None):
        """Asks the daemon over its socket."""
        words = ["curl", "--silent", "--unix-socket", f"{self.run}/huddle/control", "-X", method, f"http://h{path}"]
        if body is not None:
            words += ["--json", json.dumps(body)]
        return subprocess.run(words, capture_output=True, text=True, timeout=60).stdout

    def lines(self, method, path, body=None):
        return [json.loads(line) for line in self.ask(method, path, body).splitlines() if line]

    def id(self):
        return self.lines("GET", "/v1/status")[0]["peer"]["id"]

    def address(self):
        """An address that signs a browser in, once."""
        answer = self.huddle("open", "--url", "--json")
        return json.loads(answer.stdout)["text"]

    def write(self, path, content):
        whole = os.path.join(self.home, path)
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        with open(whole, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())

    def read(self, path):
        try:
            with open(os.path.join(self.home, path), "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def state(self, game):
        return next((line["state"] for line in self.lines("GET", "/v1/saves") if line.get("name") == game and "state" in line), None)


class Household:
    def __init__(self, programs):
        self.folder = tempfile.mkdtemp(prefix="huddle-page-")
        self.programs = programs
        self.machines = []

    def machine(self, name):
        machine = Machine(name, self.folder, self.programs)
        self.machines.append(machine)
        machine.begin()
        return machine

    def close(self):
        for machine in self.machines:
            machine.end()
        shutil.rmtree(self.folder, ignore_errors=True)


def pair(one, other):
    """Pairs two machines by their commands."""
    other_id, one_id = other.id(), one.id()
    until(lambda: other_id in one.ask("GET", "/v1/peers"), f"{one.name} sees {other.name}")
    inviting = subprocess.Popen(["huddle", "invite", other_id], env=one.environment, cwd=one.home, stdout=subprocess.PIPE, text=True)
    code = None
    while code is None:
        line = inviting.stdout.readline()
        if not line:
            raise AssertionError("huddle invite shows no code")
        found = re.search(r"\d{3} \d{3}", line)
        code = found and found.group()
    until(lambda: one.name in other.ask("GET", "/v1/invitations"), f"{other.name} is asked")
    assert other.huddle("accept", one_id, code).returncode == 0
    assert inviting.wait(30) == 0


def until(condition, what, within=30):
    deadline = time.monotonic() + within
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"it did not come: {what}")
        time.sleep(0.05)
