"""A desktop that shows notifications, for tests: it tells what it is asked, a JSON object a line, and does what it is told.

On its standard input: `press NUMBER KEY`, `close NUMBER`. Its arguments are what it says it can do.
"""

import json
import os
import sys

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

NAME = "org.freedesktop.Notifications"


def tell(**what):
    print(json.dumps(what), flush=True)


class Service(dbus.service.Object):
    last = 0

    @dbus.service.method(NAME, out_signature="as")
    def GetCapabilities(self):
        return dbus.Array(sys.argv[1:], signature="s")

    @dbus.service.method(NAME, in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, app, replaces, icon, summary, body, actions, hints, timeout):
        self.last += 1
        tell(
            call="Notify", number=self.last, title=str(summary), body=str(body), actions=[str(a) for a in actions],
            timeout=int(timeout), replaces=int(replaces), urgency=int(hints["urgency"]),
        )
        return self.last

    @dbus.service.method(NAME, in_signature="u")
    def CloseNotification(self, number):
        tell(call="CloseNotification", number=int(number))

    @dbus.service.signal(NAME, signature="us")
    def ActionInvoked(self, number, key):
        pass

    @dbus.service.signal(NAME, signature="uu")
    def NotificationClosed(self, number, reason):
        pass


def obey(source, condition):
    # Each order is written at once and is short, so what is read ends with a line.
    orders = os.read(sys.stdin.fileno(), 4096).decode()
    if not orders:
        loop.quit()
        return False
    for words in map(str.split, orders.splitlines()):
        if words[0] == "press":
            service.ActionInvoked(dbus.UInt32(words[1]), words[2])
        else:
            service.NotificationClosed(dbus.UInt32(words[1]), dbus.UInt32(2))
    return True


DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
name = dbus.service.BusName(NAME, bus)
service = Service(bus, "/" + NAME.replace(".", "/"))
loop = GLib.MainLoop()
GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_IN | GLib.IO_HUP, obey)
tell(call="ready")
loop.run()
