import Glibc
import History
import LabKit
import LinuxPlatform
import SaveRules

/// What lies on a host's disk, one line each, found out without asking the daemon: `torture look DISK KNOWN`, where the file KNOWN names the
/// versions that were looked at before, one a line.
///
/// ```
/// tree plain DIGEST CONTENTS whole
/// version SET SNAPSHOT DIGEST CONTENTS whole ada=12,bob=7
/// lost SET SNAPSHOT why
/// gone SNAPSHOT
/// debris NAME
/// ```
struct SetLook {
    static let whole = "whole"
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
            say("tree", kind.rawValue, tree)
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
        say("version \(snapshot.set)", "\(snapshot.id)", tree)
    }

    private func say(_ what: String, _ name: String, _ tree: GameTree) {
        let scores = tree.scores.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
        let fault = tree.fault?.split(separator: " ").joined(separator: "_") ?? Self.whole
        Console.say("\(what) \(name) \(tree.name) \(tree.contentsName) \(fault) \(scores)")
    }

    /// What a change of a set has left lying beside it.
    private func strangers(beside kind: TortureGame.Kind) throws -> [String] {
        let kinds = Set(TortureGame.Kind.allCases.map(\.rawValue))
        guard kind == .plain else { return [] }
        return try Folder(at: "\(disk)/games").entries(limit: 1_000).map(\.printable).filter { !kinds.contains($0) }
    }
}
