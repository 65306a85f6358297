import Glibc
import History
import LabKit
import LinuxPlatform
import SaveRules
import Vocabulary

/// What lies on a host's disk, one line each, found out without asking the daemon: `torture look DISK KNOWN`, where the
/// file KNOWN names the versions that were looked at before, one a line.
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
    /// Where no machine has read a version from its folder: somebody brought it back or chose it, or the rules made it.
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
            // A game that is under way would make it look torn; nobody writes while this looks.
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
            if !missing.isEmpty { throw TortureError("lacks \(missing.count) pieces") }
            return
        }
        let tree = try GameTree(snapshot, in: history)
        let reader: PeerID? = snapshot.origin == .captured ? snapshot.author : nil
        let maker = reader.map(\.description) ?? Self.noMaker
        Console.say("version \(snapshot.set) \(snapshot.id) \(maker) \(SeenTree(tree).text)")
    }

    /// What a change of a set has left lying beside it.
    private func strangers(beside kind: TortureGame.Kind) throws -> [String] {
        let kinds = Set(TortureGame.Kind.allCases.map(\.rawValue))
        guard kind == .plain else { return [] }
        return try Folder(at: "\(disk)/games").entries(limit: 1_000).map(\.printable).filter { !kinds.contains($0) }
    }
}
