import Glibc
import LinuxPlatform
import Vocabulary

/// The lists of games that the user gave, each stored with an index for fast lookups.
///
/// All calls block on the disk: call them through `runBlocking`.
package struct GameLists: Sendable {
    /// The name of a list among the stored files.
    private enum Kept: String {
        case manifest = "manifest.games"
        case ludusavi = "ludusavi.games"
    }

    private static let largestManifest = 64 << 20
    private static let largestIndex = 64 << 20

    private let folder: String

    /// - Parameter folder: the folder of the stored lists, created with the first list
    package init(in folder: String) {
        self.folder = folder
    }

    // MARK: Updating

    /// Reads a manifest from a file, and stores its games whose saves can be found.
    ///
    /// - Returns: the number of these games
    package func update(from path: String) throws(ManifestFailure) -> Int {
        var builder = try Self.builder(of: path)
        try keep(builder.finish(), as: .manifest)
        return builder.gameCount
    }

    /// Reads a manifest in memory, in the same way.
    package func update(fromBytes bytes: [UInt8], of source: String) throws(ManifestFailure) -> Int {
        var rest = bytes[...]
        var builder = try Self.builder(named: source) { room in
            let count = min(room.count, rest.count)
            room.copyBytes(from: rest.prefix(count))
            rest = rest.dropFirst(count)
            return count
        }
        try keep(builder.finish(), as: .manifest)
        return builder.gameCount
    }

    private static func builder(of path: String) throws(ManifestFailure) -> GameIndex.Builder {
        let file: ManifestFile
        do throws(SystemError) {
            file = try ManifestFile(path)
        } catch {
            throw .unreadable(path, error.reason)
        }
        guard file.size <= Self.largestManifest else { throw .malformed(path, .tooLarge) }
        return try builder(named: path, file.read)
    }

    private static func builder(
        named source: String,
        _ read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws(ManifestFailure) -> GameIndex.Builder {
        var builder = GameIndex.Builder()
        do {
            let events = try YAMLEvents(limits: YAMLEvents.Limits(bytes: largestManifest), read: read)
            try ManifestReader(events).read { builder.add($0) }
        } catch {
            throw .malformed(source, error)
        }
        guard builder.gameCount > 0 else { throw .empty(source) }
        return builder
    }

    private func keep(_ bytes: [UInt8], as name: Kept) throws(ManifestFailure) {
        do throws(SystemError) {
            try makeFolder()
            guard let name = try? FileName(name.rawValue) else {
                preconditionFailure("the names of lists are names of files")
            }
            try AtomicFile(name).write(bytes, in: Folder(at: folder), overwriting: .allowed)
        } catch {
            throw .notKept("\(error)")
        }
    }

    private func makeFolder() throws(SystemError) {
        var path = ""
        for part in folder.split(separator: "/") {
            path += "/\(part)"
            if !LocalFiles.isFolder(path) {
                guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemError("mkdir", on: path) }
            }
        }
    }

    // MARK: Reading

    /// The knowledge from all lists, with the failures to read some of them.
    package func knowledge(for surroundings: GameSurroundings) -> (
        knowledge: GameKnowledge, failures: [ManifestFailure]
    ) {
        var lists: [GameIndex] = []
        var failures: [ManifestFailure] = []
        if let index = index(.manifest) { lists.append(index) }
        do throws(ManifestFailure) {
            if let index = try ludusavi(surroundings) { lists.append(index) }
        } catch {
            failures.append(error)
        }
        return (GameKnowledge(lists), failures)
    }

    private func index(_ name: Kept) -> GameIndex? {
        LocalFiles.read("\(folder)/\(name.rawValue)", limit: Self.largestIndex).flatMap { GameIndex($0) }
    }

    /// Reads Ludusavi's own copy of the manifest, and indexes it again if it is newer than the stored index.
    private func ludusavi(_ surroundings: GameSurroundings) throws(ManifestFailure) -> GameIndex? {
        let flatpak = surroundings.flatpak("com.github.mtkennerly.ludusavi")
        let places = [
            "\(surroundings.configuration)/ludusavi/manifest.yaml", "\(flatpak)/config/ludusavi/manifest.yaml",
        ]
        guard let path = places.first(where: { LocalFiles.kind($0) == .file }),
            let manifest = try? FileFacts(at: path)
        else { return nil }
        let kept = "\(folder)/\(Kept.ludusavi.rawValue)"
        if let facts = try? FileFacts(at: kept), facts.modified > manifest.modified, let index = index(.ludusavi) {
            return index
        }
        var builder = try Self.builder(of: path)
        let index = builder.finish()
        // If the disk is full, the next call builds the index again.
        try? keep(index, as: .ludusavi)
        return GameIndex(index)
    }
}

/// A manifest on a disk, read from its beginning to its end.
private final class ManifestFile {
    let size: Int
    private let descriptor: OwnedDescriptor
    private var offset: UInt64 = 0

    init(_ path: String) throws(SystemError) {
        descriptor = try OwnedDescriptor.openFile(at: path)
        size = try descriptor.facts().size
    }

    func read(_ room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        let count = try descriptor.read(into: room, at: offset)
        offset += UInt64(count)
        return count
    }
}
