import Glibc
import LinuxPlatform
public import Vocabulary

/// An incomplete resource that no sink is receiving now.
public struct StalePartial: Hashable, Sendable {
    /// Its name in the folder.
    public let name: FileName
    /// Kind of the complete resource.
    public let kind: ResourceKind
    /// Time of its last bytes.
    public let modified: FileTime

    /// The incomplete resources in a folder with last bytes before a time, in no order. Other files are skipped, and so
    /// are resources that are being received.
    ///
    /// - Parameters:
    ///   - path: folder of received resources
    ///   - time: resources from this time on are skipped
    ///   - limit: maximum number of entries of the folder
    public static func list(
        in path: String,
        before time: FileTime,
        limit: Int = 100_000
    ) throws(ResourceError) -> [StalePartial] {
        do {
            let folder = try Folder(at: path)
            return try folder.entries(limit: limit).compactMap { entry in
                guard let name = entry.name, PartialName.matches(name.text),
                    let stale = describe(name, entry.kind, in: folder), stale.modified < time
                else { return nil }
                return stale
            }
        } catch {
            throw ResourceError(error, at: path)
        }
    }

    /// Removes it, unless a sink has begun to receive it.
    ///
    /// - Returns: true if it was removed
    @discardableResult
    public func remove(in path: String) throws(ResourceError) -> Bool {
        do throws(SystemError) {
            let folder = try Folder(at: path)
            switch kind {
            case .file:
                // The owner may have the right to read only.
                guard let locked = try folder.open(name).lockedForWriting() else { return false }
                try folder.remove(name)
                _ = consume locked
            case .folder:
                let partial = try folder.openFolder(name)
                guard let locked = try partial.openOrCreate(PartialName.journal).lockedForWriting() else {
                    return false
                }
                try partial.removeTree(PartialName.tree)
                try partial.remove(PartialName.journal)
                try folder.removeFolder(name)
                _ = consume locked
            }
            return true
        } catch let error where error.number == ENOENT {
            return false
        } catch {
            throw ResourceError(error, at: "\(path)/\(name)")
        }
    }

    /// Nil if it is being received, is missing, or is something else.
    private static func describe(
        _ name: FileName,
        _ kind: FolderEntry.Kind,
        in folder: borrowing Folder
    ) -> StalePartial? {
        do {
            switch kind {
            case .file:
                guard let locked = try folder.open(name).lockedForWriting() else { return nil }
                return StalePartial(name: name, kind: .file, modified: try locked.descriptor.facts().modified)
            case .folder:
                let partial = try folder.openFolder(name)
                guard let journal = try? partial.open(PartialName.journal) else {
                    return StalePartial(name: name, kind: .folder, modified: try partial.facts().modified)
                }
                guard let locked = try journal.lockedForWriting() else { return nil }
                return StalePartial(name: name, kind: .folder, modified: try locked.descriptor.facts().modified)
            case .symbolicLink, .other: return nil
            }
        } catch {
            return nil
        }
    }
}
