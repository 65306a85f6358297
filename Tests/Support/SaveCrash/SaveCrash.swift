import Digests
import Glibc
import History
import LinuxPlatform
import SaveFolder
import SaveRules
import Synchronization
import Vocabulary

/// Changes a set's folder, or ends an interrupted change, and dies at a named step, as in a crash: `save-crash FOLDER apply|overtaken|recover
/// POINT COUNT [NAME…]`; overtaken by programs that save in both folders while they are exchanged. In the folder lie `home/save`, `notes`, `history`, and the manifests `base` and `goal`; the names are what is chosen
/// of the set's folder. It ends by itself with 0 where the step is not reached so often.
@main
struct SaveCrash {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 5, let point = ApplyPoint(rawValue: arguments[3]), let count = Int(arguments[4]) else {
            preconditionFailure("save-crash FOLDER apply|overtaken|recover POINT COUNT [NAME…]")
        }
        let base = arguments[1]
        let chosen = try arguments.dropFirst(5).map { name throws(FileName.Refusal) in try FileName(name) }
        let home = "\(base)/home"
        let place = SetPlace(root: "\(home)/save", extent: chosen.isEmpty ? .everything : .chosen(Set(chosen)))
        let left = Atomic(count)
        let isOvertaken = arguments[2] == "overtaken"
        let folder = try SaveFolder(SaveSetID(high: 1, low: 2), at: place, notes: "\(base)/notes") { reached in
            if isOvertaken, reached == .exchanged { overtake(home) }
            guard reached == point, left.subtract(1, ordering: .relaxed).newValue == 0 else { return }
            kill(getpid(), SIGKILL)
        }
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
            default: preconditionFailure("it came to \(outcome)")
            }
        }
        try folder.acknowledge()
    }

    /// Saves in the folder that has come, and in the one that has gone.
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
            preconditionFailure("nobody can save: \(error)")
        }
    }

    private static func manifest(_ name: String, _ base: String) throws -> Manifest {
        let file = AtomicFile(try FileName(name))
        return try Manifest(decoding: file.read(in: Folder(at: base), limit: Manifest.maximumByteCount))
    }
}
