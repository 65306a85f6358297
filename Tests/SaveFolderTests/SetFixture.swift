import Digests
import Glibc
import History
import LinuxPlatform
import SaveFolder
import SaveRules
import TestSupport
import Vocabulary

let testSet = SaveSetID(high: 1, low: 2)

/// A simulated machine: a game's folder in a home, a history, and the notes of one set.
final class SetFixture: Sendable {
    let base: TemporaryFolder
    let history: History

    var root: String { base.path(of: "home/save") }
    var home: String { base.path(of: "home") }
    var notes: String { base.path(of: "notes") }

    init(in base: TemporaryFolder = TemporaryFolder()) throws {
        self.base = base
        history = try History.open(at: base.path(of: "history"))
        try makeFolder("home/save")
    }

    func makeFolder(_ path: String) throws {
        var made = base.path
        for name in path.split(separator: "/") {
            made += "/\(name)"
            guard mkdir(made, 0o755) == 0 || errno == EEXIST else { throw SystemError("mkdir", on: made) }
        }
    }

    /// Writes a file into the set's folder by simple means, with an old time.
    func put(_ text: String, at path: String) throws {
        if let slash = path.lastIndex(of: "/") { try makeFolder("home/save/\(path[..<slash])") }
        try base.put(text, at: "home/save/\(path)")
    }

    func put(_ bytes: [UInt8], at path: String) throws {
        let path = "\(root)/\(path)"
        let number = try retrying("open", on: path) { open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) }
        let file = OwnedDescriptor(takingOwnershipOf: number)
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    }

    /// Writes other bytes into a file that keeps its size and modification time.
    func putAlike(at path: String) throws {
        let path = "\(root)/\(path)"
        let number = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { return }
        let file = OwnedDescriptor(takingOwnershipOf: number)
        let time = try file.stamp().facts.modified
        var bytes: [UInt8] = [0]
        guard pread(number, &bytes, 1, 0) == 1 else { return }
        bytes[0] ^= 1
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
        try file.setModified(time)
    }

    func text(at path: String) -> String? { base.text(at: "home/save/\(path)") }

    func remove(_ path: String) throws {
        let path = "\(root)/\(path)"
        guard unlink(path) == 0 || rmdir(path) == 0 else { throw SystemError("remove", on: path) }
    }

    func link(_ path: String, to target: String) throws {
        try retrying("symlink") { symlink(target, "\(root)/\(path)") }
    }

    func folder(
        _ extent: SetPlace.Extent = .everything,
        as set: SaveSetID = testSet,
        scope: SetScope = SetScope(),
        root: String? = nil,
        observe: @escaping @Sendable (ApplyPoint) -> Void = { _ in },
        failing: @escaping @Sendable (ApplyPoint) -> SystemError? = { _ in nil }
    ) throws -> SaveFolder {
        let place = SetPlace(root: root ?? self.root, extent: extent, scope: scope)
        return try SaveFolder(set, at: place, notes: notes, observe: observe, failing: failing)
    }

    /// The game's folder as a large one: what the watch does not hear of is not looked at.
    /// - Parameter fileCount: the number of files up to which it is a small one all the same
    func largeFolder(
        ifOver fileCount: Int = 0,
        observe: @escaping @Sendable (ApplyPoint) -> Void = { _ in }
    ) throws -> SaveFolder {
        try SaveFolder(testSet, at: SetPlace(root: root), notes: notes, observe: observe, lookingAtAllUpTo: fileCount)
    }

    /// Scans the set and stores its content.
    @discardableResult
    func capture(_ folder: SaveFolder, rereading: Bool = false, over kept: Manifest? = nil) throws -> Capture {
        let batch = try history.beginBatch()
        guard case .captured(let capture) = try folder.capture(into: batch, rereading: rereading, over: kept) else {
            throw Disturbed()
        }
        try batch.commit()
        return capture
    }

    struct Disturbed: Error {}

    /// All entries of the home except the set's folder: none, unless a staging folder remains.
    var debris: [String] { namesIn(home).filter { $0 != "save" } + namesIn(notes).filter { $0 == "journal" } }

    func namesIn(_ path: String) -> [String] {
        ((try? Folder(at: path).entries(limit: 1_000)) ?? []).map(\.printable).sorted()
    }
}

extension Manifest {
    /// The paths: folders with a slash, links with an arrow.
    var shown: [String] {
        entries.map { entry in
            switch entry.content {
            case .folder: "\(entry.path.text)/"
            case .link(let target): "\(entry.path.text)→\(target.text)"
            case .file: entry.path.text
            }
        }
    }
}

/// True if a call throws this code.
func refusal<Value>(_ code: ErrorCode, _ body: () throws -> Value) -> Bool {
    do {
        _ = try body()
        return false
    } catch let error as SaveFolderError {
        return error.code == code
    } catch {
        return false
    }
}
