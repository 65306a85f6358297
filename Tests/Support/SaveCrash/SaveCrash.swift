import Digests
import Glibc
import History
import LinuxPlatform
import SaveFolder
import SaveRules
import Synchronization
import Vocabulary

/// Applies a version to a game's folder, or recovers from an interrupted change, and dies at a failpoint as in a crash.
///
/// Usage: `save-crash FOLDER apply|heard|overtaken|recover POINT COUNT [NAME…]`. With `heard`, only what changes is looked
/// at. With `overtaken`, programs save in both folders while they are exchanged. `FOLDER` has `home/save`, `notes`, `history`, and the manifests `base` and `goal`.
/// The names are the chosen files of the game's folder. The program ends with 0 if it reaches the failpoint fewer times
/// than `COUNT`.
@main
struct SaveCrash {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 5, let point = ApplyPoint(rawValue: arguments[3]), let count = Int(arguments[4]) else {
            preconditionFailure("save-crash FOLDER apply|heard|overtaken|recover POINT COUNT [NAME…]")
        }
        let base = arguments[1]
        let chosen = try arguments.dropFirst(5).map { name throws(FileName.Refusal) in try FileName(name) }
        let home = "\(base)/home"
        let place = SetPlace(root: "\(home)/save", extent: chosen.isEmpty ? .everything : .chosen(Set(chosen)))
        let left = Atomic(count)
        let isOvertaken = arguments[2] == "overtaken"
        let observe: @Sendable (ApplyPoint) -> Void = { reached in
            if isOvertaken, reached == .exchanged { overtake(home) }
            guard reached == point, left.subtract(1, ordering: .relaxed).newValue == 0 else { return }
            kill(getpid(), SIGKILL)
        }
        let (set, notes) = (SaveSetID(high: 1, low: 2), "\(base)/notes")
        let folder = try SaveFolder(set, at: place, notes: notes, observe: observe, lookingAtAllUpTo: 0)
        if arguments[2] == "heard" { try folder.believeNotes() }
        if arguments[2] == "recover" {
            try folder.recover()
        } else {
            let history = try History.open(at: "\(base)/history", for: .reading)
            let goal = try manifest("goal", base)
            let outcome = try folder.apply(
                goal,
                over: manifest("base", base),
                from: history,
                as: SnapshotID(of: goal.encoded, hashedBy: Digest.sha256)
            )
            switch outcome {
            case .applied where !isOvertaken: break
            case .changedMeanwhile where isOvertaken: break
            default: preconditionFailure("the outcome is \(outcome)")
            }
        }
        try folder.acknowledge()
    }

    /// Saves in the new folder and in the old one.
    private static func overtake(_ home: String) {
        do {
            let around = try Folder(at: home)
            let new = try Folder(at: "\(home)/save")
            for (name, text) in [("a", "the game went on"), ("fresh", "fresh")] {
                try AtomicFile(FileName(name)).write(Array(text.utf8), in: new, overwriting: .allowed)
            }
            try new.remove(FileName("link"))
            for entry in try around.entries(limit: 100) where entry.printable != "save" {
                let old = try around.openFolder(entry)
                try AtomicFile(FileName("b")).write(Array("in the last instant".utf8), in: old, overwriting: .allowed)
            }
        } catch {
            preconditionFailure("the game can't save: \(error)")
        }
    }

    private static func manifest(_ name: String, _ base: String) throws -> Manifest {
        let file = AtomicFile(try FileName(name))
        return try Manifest(decoding: file.read(in: Folder(at: base), limit: Manifest.maximumByteCount))
    }
}
