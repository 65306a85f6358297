import SyncthingBridge
import Testing

@Suite("Names that are synced with devices", .timeLimit(.minutes(5)))
struct BridgedNameTests {
    @Test(
        "Ordinary names are synced, whatever their language",
        arguments: [
            "save.dat", "a/b/c", "Gr\u{FC}\u{DF}e", "ถ้ำ", "세이브", "セーブ", "сохранение", ".hidden", "com10",
            "a.sync-conflict",
        ]
    )
    func synced(name: String) {
        #expect(BridgedName.omission(of: name) == nil)
    }

    @Test("Names of Syncthing's own, conflict copies and names that not every system can have are left out")
    func omitted() {
        let expected: [String: BridgedName.Omission] = [
            ".stfolder": .syncthings, ".stignore": .syncthings, ".stversions/old.sav": .syncthings,
            "a/.syncthing.save.dat.tmp": .syncthings, "~syncthing~save.dat.tmp": .syncthings,
            "one.sync-conflict-20261125-072311-Q55LYB2.sav": .conflictCopy,
            "one.sync-conflict-20261125-072311-Q55LYB2": .conflictCopy,
            "Gru\u{308}\u{DF}e": .notNormalized, "\u{212B}": .notNormalized, "か\u{3099}": .notNormalized,
            "a:b": .forbidden, "what?": .forbidden, "end.": .forbidden, "end ": .forbidden, "NUL": .forbidden,
            "dir/con.txt": .forbidden, "lpt1": .forbidden, "back\\slash": .forbidden,
        ]
        for (name, omission) in expected { #expect(BridgedName.omission(of: name) == omission, "\(name)") }
    }

    @Test("The first of the names that differ only in capital letters is synced")
    func sameLetters() {
        let (synced, omitted) = BridgedName.sorted(["save", "Save", "other", "SAVE"])
        #expect(synced == ["SAVE", "other"])
        #expect(omitted == ["Save": .sameLetters, "save": .sameLetters])
    }
}
