import Digests
import LinuxPlatform
import SyncthingBridge
import TestSupport

/// A household in memory: versions with their history, and a user who settles each conflict at once.
@Engine
final class MemoryHousehold: HouseholdPort {
    private(set) var history: [BridgedFolder.Version: [String: FileEntry]] = [:]
    private var parents: [BridgedFolder.Version: [BridgedFolder.Version]] = [:]
    private(set) var heads: [BridgedFolder.Version] = []
    private var blocks: [SHA256Digest: [UInt8]] = [:]
    private var fetched: [SHA256Digest: [UInt8]] = [:]
    private var stored: BridgedFolder.Version?
    private(set) var conflicts = 0
    /// The state of the folder as it is on the disk.
    private(set) var memory: FolderMemory?
    private(set) var failures: [String] = []

    nonisolated init() {}

    // MARK: Changes of the household

    /// The contents of the newest version.
    var contents: [String: String] {
        guard heads.count == 1, let tree = history[heads[0]] else { return [:] }
        return tree.filter { $0.value.kind == .file }.mapValues { entry in
            String(decoding: entry.blocks.flatMap { blocks[$0.digest] ?? [] }, as: UTF8.self)
        }
    }

    /// Everything that any version has.
    var texts: Set<String> {
        Set(
            history.values.flatMap(\.values).map { entry in
                String(decoding: entry.blocks.flatMap { blocks[$0.digest] ?? [] }, as: UTF8.self)
            }
        )
    }

    /// Makes a version with these files changed; nil removes one.
    func change(_ files: [String: String?], in folder: SharedFolder) {
        var tree = heads.first.flatMap { history[$0] } ?? [:]
        for (name, text) in files { tree[name] = text.map { entry(name, Array($0.utf8)) } }
        add(tree, parents: heads)
        tellNewest(to: folder)
    }

    private func entry(_ name: String, _ bytes: [UInt8]) -> FileEntry {
        var entry = FileEntry(name: name)
        (entry.size, entry.permissions) = (Int64(bytes.count), 0o644)
        let size = Int(FileBlock.leastSize)
        for start in stride(from: 0, to: max(bytes.count, 1), by: size) {
            let part = Array(bytes[start..<min(start + size, bytes.count)])
            let digest = part.withUnsafeBytes { Digest.sha256($0) }
            blocks[digest] = part
            entry.blocks.append(FileBlock(offset: Int64(start), size: Int32(part.count), digest: digest))
        }
        return entry
    }

    private func add(_ tree: [String: FileEntry], parents known: [BridgedFolder.Version]) {
        let version = SHA256Digest(words: (UInt64(history.count) + 1, 0, 0, 0))
        (history[version], parents[version]) = (tree, known)
        heads.removeAll { known.contains($0) }
        heads.append(version)
    }

    private func includesStored(_ version: BridgedFolder.Version) -> Bool {
        version == stored || (parents[version] ?? []).contains { includesStored($0) }
    }

    // MARK: The port

    func mayHave(_ name: String) -> Bool { true }
    func remember(_ memory: FolderMemory) throws { self.memory = try FolderMemory(decoding: memory.encoded) }
    func has(_ digest: SHA256Digest) -> Bool { blocks[digest] != nil || fetched[digest] != nil }
    func keep(_ bytes: [UInt8], _ digest: SHA256Digest) { fetched[digest] = bytes }
    func bytes(of digest: SHA256Digest) -> [UInt8]? { blocks[digest] }
    func discardFetched() { fetched = [:] }
    func noteEmptied() {}
    func noteFailure(_ error: any Error) { failures.append("\(error)") }

    func store(_ incoming: BridgedFolder.Incoming) -> BridgedFolder.Version {
        blocks.merge(fetched) { $1 }
        fetched = [:]
        var tree = incoming.base.flatMap { history[$0] } ?? [:]
        for (name, entry) in incoming.entries { tree[name] = entry.standing == .present ? entry : nil }
        // No version has a part of a file.
        for entry in tree.values {
            precondition(entry.blocks.allSatisfy { $0.size == 0 || blocks[$0.digest] != nil }, "the version is whole")
        }
        add(tree, parents: incoming.base.map { [$0] } ?? [])
        stored = heads[heads.count - 1]
        return heads[heads.count - 1]
    }

    func tellNewest(to folder: SharedFolder) {
        if heads.count > 1 {
            conflicts += 1
            folder.set(.conflict, true)
            // The user takes all files, and of two with one name the household's.
            let trees = heads.map { history[$0] ?? [:] }
            add(trees.dropFirst().reduce(trees[0]) { $0.merging($1) { first, _ in first } }, parents: heads)
        }
        guard let newest = heads.first, let tree = history[newest] else { return }
        folder.household(is: newest, tree, includesStored: includesStored(newest))
    }
}
