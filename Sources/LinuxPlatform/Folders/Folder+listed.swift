import Glibc
public import Vocabulary

/// Operations on an entry by the name that a listing gave for it. Such a name may be in no encoding at all, so it is no
/// ``FileName``; it came from the kernel, so it can't escape the folder.
extension Folder {
    /// Gives an entry other than a folder a second, equal name in another folder of the same file system.
    public func link(_ entry: FolderEntry, into other: borrowing Folder) throws(SystemError) {
        let (from, to) = (descriptor.number, other.descriptor.number)
        let name = entry.terminated
        try retrying("linkat", on: entry.printable) { linkat(from, name, to, name, 0) }
    }

    /// Opens a folder of the listing.
    public func openFolder(_ entry: FolderEntry) throws(SystemError) -> Folder {
        if let name = entry.name { return try openFolder(name) }
        let name = entry.terminated
        let number = try retrying("openat", on: entry.printable) {
            openat(descriptor.number, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        }
        return Folder(descriptor: OwnedDescriptor(takingOwnershipOf: number))
    }

    /// Creates a folder with the name of a listed one, and opens it.
    public func createFolder(like entry: FolderEntry, mode: FileMode) throws(SystemError) -> Folder {
        let name = entry.terminated
        try retrying("mkdirat", on: entry.printable) { mkdirat(descriptor.number, name, mode.rawValue) }
        return try openFolder(entry)
    }

    /// Removes an entry of the listing; a folder must be empty.
    public func remove(_ entry: FolderEntry) throws(SystemError) {
        let name = entry.terminated
        let flag = entry.kind == .folder ? AT_REMOVEDIR : 0
        try retrying("unlinkat", on: entry.printable) { unlinkat(descriptor.number, name, flag) }
    }

    /// Gives an entry a second, equal name in another folder. For a folder it creates a tree of the same shape whose
    /// files are the same files: a write shows under both names.
    ///
    /// - Parameter budget: the number of entries that the folders may have; it counts down, and more are `EOVERFLOW`
    public func linkWhole(
        _ entry: FolderEntry,
        into other: borrowing Folder,
        budget: inout Int,
        deepest: Int = 64
    ) throws(SystemError) {
        guard entry.kind == .folder else { return try link(entry, into: other) }
        guard deepest >= 0 else { throw SystemError("linkat", ELOOP, on: entry.printable) }
        let inner = try openFolder(entry)
        let made = try other.createFolder(like: entry, mode: .privateFolder)
        for entry in try inner.entries(limit: budget) {
            budget -= 1
            try inner.linkWhole(entry, into: made, budget: &budget, deepest: deepest - 1)
        }
        try made.takeAfter(inner)
    }

    /// Gives the folder the owner, the mode and the time of another one.
    public func takeAfter(_ other: borrowing Folder) throws(SystemError) {
        let facts = try other.facts()
        try setOwner(try other.owner())
        try setMode(facts.mode)
        try setModified(facts.modified)
    }
}

extension FolderEntry {
    fileprivate var terminated: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

    /// The name, fit to print.
    public var printable: String { PrintableText(bytes: bytes).description }
}
