#!/usr/bin/env python3
"""Makes the files beside it as other programs write them: Python's own plistlib, json and sqlite3, and bpylist2 from PyPI.

They are committed, so that the tests need none of these; this says where they come from. The first games' own forms,
scene2.json and scene3.xml, are typed by hand.
"""
import json
import os
import plistlib
import sqlite3

from bpylist2 import archiver

here = os.path.dirname(os.path.abspath(__file__))


def path(name):
    return os.path.join(here, name)


def write(name, data):
    with open(path(name), "wb") as file:
        file.write(data)


write(
    "tictactoe.json",
    json.dumps(
        {
            "TTTGameKeyCurrentPlayer": 1,
            "TTTGameKeyState": 0,
            "TTTGameKeyGridState": "1, 0, 2, 0, 1, 0, 0, 0, 0",
            "TTTGameKeyCurrentSymbol": "O",
            "TTTGameKeyPlaycount": 3,
        }
    ).encode(),
)

# High scores as a property list, in both spellings.
scores = [("Ada", 9000), ("Bob", 1200), ("Cy", 1200), ("Dé", 7)]
listed = {"hiscores": [{"name": name, "score": score} for name, score in scores]}
write("hiscores.plist", plistlib.dumps(listed))
write("hiscores-binary.plist", plistlib.dumps(listed, fmt=plistlib.FMT_BINARY))


def database(name):
    for ending in ("", "-wal", "-shm"):
        if os.path.exists(path(name + ending)):
            os.remove(path(name + ending))
    return sqlite3.connect(path(name))


# And as a database.
with database("hiscores.sqlite") as connection:
    connection.execute("CREATE TABLE hiscores (name TEXT, score INTEGER)")
    connection.execute("CREATE TABLE settings (word TEXT, value BLOB)")
    connection.execute("INSERT INTO settings VALUES ('volume', x'00ff')")
    connection.executemany("INSERT INTO hiscores VALUES (?, ?)", scores)
connection.close()

# And as a Core Data store, in whose tables an entity HiScore stands below none. It keeps a log, as Core Data does.
connection = database("coredata.sqlite")
connection.execute("PRAGMA journal_mode = WAL")
connection.executescript(
    """
    CREATE TABLE ZHISCORE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSCORE INTEGER, ZNAME VARCHAR);
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'HiScore', 0, 5);
    INSERT INTO Z_PRIMARYKEY VALUES (2, 'Player', 0, 9);
    INSERT INTO Z_METADATA VALUES (1, '6D1B4C1E-0000-4000-8000-000000000001', NULL);
    INSERT INTO ZHISCORE VALUES (1, 1, 1, 9000, 'Ada');
    INSERT INTO ZHISCORE VALUES (2, 1, 3, 1200, 'Bob');
    """
)
connection.commit()
connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
connection.execute("INSERT INTO ZHISCORE VALUES (5, 1, 1, 40, 'Eve')")
connection.commit()
# Copied while it is open: closing would work the log into the file.
with open(path("coredata.sqlite"), "rb") as file:
    main = file.read()
with open(path("coredata.sqlite-wal"), "rb") as file:
    log = file.read()
connection.close()
for ending in ("-wal", "-shm"):
    if os.path.exists(path("coredata.sqlite" + ending)):
        os.remove(path("coredata.sqlite" + ending))
write("coredata.sqlite", main)
write("coredata.sqlite-wal", log)

# A scene in three formats.
scene = {
    "nodes": [
        {
            "type": "spriteFile",
            "file": "cactus.png",
            "position": {"x": 120, "y": 80.5},
            "scale": 1.5,
        },
        {
            "type": "texturedPolygon",
            "file": "sand.png",
            "position": {"x": 0, "y": 0},
            "z": -10,
            "vertices": [{"x": 0, "y": 0}, {"x": 480, "y": 0}, {"x": 240, "y": 160}],
        },
        {
            "type": "rectangle",
            "position": {"x": 10, "y": 20},
            "size": {"width": 32, "height": 64},
            "meta": {"type": "door", "leadsTo": "cellar"},
        },
    ]
}
write("scene.plist", plistlib.dumps(scene, sort_keys=False))
write("scene.json", json.dumps(scene, indent=2).encode())
write(
    "scene.xml",
    b"""<?xml version="1.0" encoding="UTF-8"?>
<scene>
  <!-- the desert -->
  <node>
    <type>spriteFile</type>
    <file>cactus.png</file>
    <position><x>120</x><y>80.5</y></position>
    <scale>1.5</scale>
  </node>
  <texturedPolygon file="sand.png" z="-10">
    <position x="0" y="0"/>
    <vertices><vertex x="0" y="0"/><vertex x="480" y="0"/><vertex x="240" y="160"/></vertices>
  </texturedPolygon>
  <node type="rectangle">
    <position x="10" y="20"/>
    <size width="32" height="64"/>
    <meta><type>door</type><leadsTo>cellar</leadsTo></meta>
  </node>
</scene>
""",
)

write(
    "preferences.plist",
    plistlib.dumps(
        {"soundVolume": 0.75, "playerName": "Ada", "lives": 3, "hints": False, "recent": ["a.sav", "b.sav"]},
        sort_keys=False,
    ),
)




class Character:
    """With keys, as encodeObject:forKey: and encodeInt:forKey: write it."""

    fields = {
        "charColor": "red",
        "charClass": "fighter",
        "strength": 18,
        "dexterity": 12,
        "constitution": 16,
        "intelligence": 9,
        "wisdom": 7,
        "charisma": 11,
    }

    @staticmethod
    def encode_archive(character, archive):
        for key, value in Character.fields.items():
            archive.encode(key, value)


class Settings:
    fields = {
        "isPassCodeEnabled": True,
        "attemptCount": 4,
        "checkInterval": 60.0,
        "nextCheckDate": 1700000060.0,
        "appVersion": "2.1",
    }

    @staticmethod
    def encode_archive(settings, archive):
        for key, value in Settings.fields.items():
            archive.encode(key, value)


archiver.update_class_map({"SimpleCharacter": Character, "PasscodeSettings": Settings})
write("character.keyed", archiver.archive(Character()))
write("passcode.keyed", archiver.archive(Settings()))

# In the older order of encoding, the values have numbers instead of names.
uid = plistlib.UID
numbers = [18, 12, 16, 9, 7, 11]
write(
    "character-unkeyed.keyed",
    plistlib.dumps(
        {
            "$archiver": "NSKeyedArchiver",
            "$version": 100000,
            "$top": {"root": uid(1)},
            "$objects": [
                "$null",
                {"$class": uid(4), "$0": uid(2), "$1": uid(3), **{f"${2 + i}": n for i, n in enumerate(numbers)}},
                "red",
                "fighter",
                {"$classname": "SimpleCharacter", "$classes": ["SimpleCharacter", "NSObject"]},
            ],
        },
        fmt=plistlib.FMT_BINARY,
    ),
)
