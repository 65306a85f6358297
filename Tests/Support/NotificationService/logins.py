"""A login manager for tests: gives delay locks, and prints when a lock is taken and released, a JSON object a line.

Commands on its standard input: `sleep`, `wake`.
"""

import json
import os
import sys

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

NAME = "org.freedesktop.login1"
INTERFACE = "org.freedesktop.login1.Manager"


def tell(**what):
    print(json.dumps(what), flush=True)


class Manager(dbus.service.Object):
    @dbus.service.method(INTERFACE, in_signature="ssss", out_signature="h")
    def Inhibit(self, what, who, why, mode):
        reading, writing = os.pipe()
        # The pipe hangs up once the last copy of the other end is closed.
        GLib.io_add_watch(reading, GLib.PRIORITY_DEFAULT, GLib.IO_HUP, self.released)
        tell(event="locked", what=str(what), who=str(who), mode=str(mode))
        descriptor = dbus.types.UnixFd(writing)
        os.close(writing)
        return descriptor

    def released(self, descriptor, _):
        os.close(descriptor)
        tell(event="released")
        return False

    @dbus.service.signal(INTERFACE, signature="b")
    def PrepareForSleep(self, isBeginning):
        pass


DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
name = dbus.service.BusName(NAME, bus)
manager = Manager(bus, "/org/freedesktop/login1")
loop = GLib.MainLoop()


def command(source, _):
    line = source.readline()
    if not line:
        loop.quit()
        return False
    manager.PrepareForSleep(line.strip() == "sleep")
    return True


GLib.io_add_watch(sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, command)
tell(event="ready")
loop.run()
