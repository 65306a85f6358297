import Glibc
import History
import LinuxPlatform
import SaveFolder
import SaveRules
import TestSupport
import Vocabulary

/// The folder of a game for a benchmark, with a history.
struct OwnSet {
    let base = TemporaryFolder()
    let history: History
    let root: String

    init() throws {
        history = try History.open(at: base.path(of: "history"))
        root = base.path(of: "save")
        try retrying("mkdir") { mkdir(root, 0o755) }
    }

    /// The folder as a program has it right after its start.
    func folder() throws -> SaveFolder {
        try SaveFolder(SaveSetID(high: 1, low: 1), at: SetPlace(root: root), notes: base.path(of: "notes"))
    }

    func capture(_ folder: SaveFolder) throws -> Capture {
        let batch = try history.beginBatch()
        guard case .captured(let capture) = try folder.capture(into: batch) else {
            preconditionFailure("no other program changes the folder")
        }
        try batch.commit()
        return capture
    }

    /// Makes a number of small files in folders of a hundred.
    func makeFiles(_ count: Int) throws {
        for number in 0..<count {
            let folder = "save/\(number / 100)"
            if number % 100 == 0 { try retrying("mkdir") { mkdir(base.path(of: folder), 0o755) } }
            try base.put("file \(number)", at: "\(folder)/\(number)")
        }
    }
}
