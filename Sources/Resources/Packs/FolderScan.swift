import Glibc
import LinuxPlatform
import Vocabulary

/// Creates the manifest of a folder.
struct FolderScan {
    private var manifest: FolderManifest
    private let unsendable: UnsendableEntries

    static func manifest(
        of folder: borrowing Folder,
        at path: String,
        _ unsendable: UnsendableEntries
    ) throws(ResourceError) -> FolderManifest {
        var scan = FolderScan(manifest: FolderManifest(rootPath: path), unsendable: unsendable)
        let facts = try explaining(path) { () throws(SystemError) in try folder.facts() }
        scan.manifest.append(.root(ResourceStamp(facts)), in: 0, facts)
        try scan.scan(folder, item: 0, path, depth: 0)
        scan.manifest.append(.end, in: 0, facts)
        return scan.manifest
    }

    private mutating func scan(
        _ folder: borrowing Folder,
        item: Int,
        _ path: String,
        depth: Int
    ) throws(ResourceError) {
        for entry in try sortedEntries(of: folder, path) {
            let entryPath = "\(path)/\(String(decoding: entry.bytes, as: UTF8.self))"
            do throws(ResourceError) {
                try add(Self.name(of: entry, entryPath), of: folder, item: item, entryPath, depth: depth)
            } catch {
                guard unsendable == .leftOut, error.isAboutUnsendable else { throw error }
                manifest.leftOut.append(entryPath)
            }
        }
    }

    private static func name(of entry: FolderEntry, _ path: String) throws(ResourceError) -> FileName {
        do {
            return try FileName(bytes: entry.bytes)
        } catch {
            throw .badName(path, error)
        }
    }

    private func sortedEntries(of folder: borrowing Folder, _ path: String) throws(ResourceError) -> [FolderEntry] {
        do {
            let limit = PackLimits.entries - manifest.entryCount
            return try folder.entries(limit: limit).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        } catch {
            throw error.number == EOVERFLOW ? .tooManyEntries() : ResourceError(error, at: path)
        }
    }

    private mutating func add(
        _ name: FileName,
        of folder: borrowing Folder,
        item: Int,
        _ path: String,
        depth: Int
    ) throws(ResourceError) {
        guard manifest.entryCount < PackLimits.entries else { throw .tooManyEntries() }
        let facts = try explaining(path) { () throws(SystemError) in try folder.facts(of: name) }
        switch facts.kind {
        case .file:
            manifest.append(.file(name, ResourceStamp(facts), size: UInt64(facts.size)), in: item, facts)
            guard manifest.total <= BlockPlan.largestTotal else { throw .tooLarge(manifest.rootPath) }
        case .folder:
            guard depth < PackLimits.depth else { throw .tooDeep(path) }
            let inner = try explaining(path) { () throws(SystemError) in try folder.openFolder(name) }
            let innerItem = manifest.items.count
            manifest.append(.folder(name, ResourceStamp(facts)), in: item, facts)
            try scan(inner, item: innerItem, path, depth: depth + 1)
            manifest.append(.leave, in: innerItem, facts)
        case .symbolicLink:
            let bytes = try explaining(path) { () throws(SystemError) in try folder.target(ofSymbolicLink: name) }
            guard let target = LinkTarget(bytes, depth: depth) else { throw .linkLeadsOut(path) }
            manifest.append(.link(name, ResourceStamp(facts), target), in: item, facts)
        case .other:
            throw .unsupported(path)
        }
    }
}

extension ResourceStamp {
    init(_ facts: FileFacts) {
        self.init(mode: facts.mode, modified: facts.modified)
    }
}

extension ResourceError {
    /// True if the folder could be sent without this entry.
    fileprivate var isAboutUnsendable: Bool {
        [
            ErrorCode(.file, "resource.unsupported-entry"), ErrorCode(.file, "resource.bad-name"),
            ErrorCode(.file, "resource.link-leads-out"),
        ].contains(code)
    }
}
