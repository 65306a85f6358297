import Glibc
import History
import LabKit
import LinuxPlatform
import SaveRules
import Vocabulary

/// The contents of a host's disk, one line each, read without the daemon: `torture look DISK KNOWN`. The file KNOWN
/// names the versions of earlier readings, one a line.
///
/// ```
/// tree plain DIGEST TIMELESS CONTENTS whole STAMP
/// version SET SNAPSHOT MAKER DIGEST TIMELESS CONTENTS whole STAMP ada=12,bob=7
/// lost SET SNAPSHOT why
/// gone SNAPSHOT
/// debris NAME
/// ```
struct SetLook {
    static let whole = "whole"
    /// The maker of a version that no machine has read from its folder: it was restored, chosen or merged.
    static let noMaker = "-"
    private let disk: String
    private let known: Set<String>

    init(_ words: ArraySlice<String>) throws {
        let words = Array(words)
        guard words.count == 2 else { throw TortureError("torture look DISK KNOWN") }
        disk = words[0]
        let text = String(decoding: try PlainFile.read(words[1]), as: UTF8.self)
        known = Set(text.split(separator: "\n").map(String.init))
    }

    func run() throws {
        for kind in TortureGame.Kind.allCases {
            let path = "\(disk)/games/\(kind.rawValue)"
            // A running game would make it look torn. No program writes during this reading.
            let tree = try GameTree(folder: path)
            Console.say("tree \(kind) \(SeenTree(tree).text)")
            for name in try strangers(beside: kind) { Console.say("debris \(name)") }
        }
        let history = try History.open(at: "\(disk)/state/history", for: .reading)
        var left = known
        for set in try history.sets() {
            for snapshot in try history.snapshots(of: set) {
                left.remove("\(snapshot.id)")
                do {
                    try look(at: snapshot, history)
                } catch {
                    Console.say("lost \(set) \(snapshot.id) \(error)")
                }
            }
        }
        for id in left { Console.say("gone \(id)") }
    }

    private func look(at snapshot: Snapshot, _ history: History) throws {
        guard !known.contains("\(snapshot.id)") else {
            let pieces = try history.manifest(of: snapshot).pieces.map(\.id)
            let missing = try history.missing(of: pieces)
            if !missing.isEmpty { throw TortureError("\(missing.count) pieces are missing") }
            return
        }
        let tree = try GameTree(snapshot, in: history)
        let reader: PeerID? = snapshot.origin == .captured ? snapshot.author : nil
        let maker = reader.map(\.description) ?? Self.noMaker
        Console.say("version \(snapshot.set) \(snapshot.id) \(maker) \(SeenTree(tree).text)")
    }

    /// The leftovers of a change beside a game's folder.
    private func strangers(beside kind: TortureGame.Kind) throws -> [String] {
        let kinds = Set(TortureGame.Kind.allCases.map(\.rawValue))
        guard kind == .plain else { return [] }
        return try Folder(at: "\(disk)/games").entries(limit: 1_000).map(\.printable).filter { !kinds.contains($0) }
    }
}
