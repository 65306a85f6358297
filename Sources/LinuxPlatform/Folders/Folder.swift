import CLinux
import Glibc
public import Vocabulary

/// A folder held by its descriptor, so that it stays the same folder even if its path changes.
///
/// Everything is opened directly beneath it and never through a symbolic link, even if another program rearranges the
/// tree meanwhile: names are ``FileName``s, and the kernel refuses the rest
/// ([openat2](https://man7.org/linux/man-pages/man2/openat2.2.html)). Nothing opened here is inherited by children.
/// The calls may wait for a disk, so they belong on ``runBlocking(_:_:)`` or a loop kept for such work.
public struct Folder: ~Copyable, Sendable {
    let descriptor: OwnedDescriptor

    /// The access to an existing file.
    public enum Access: Sendable {
        /// Reading only.
        case reading
        /// Writing only.
        case writing
        /// Both.
        case readingAndWriting
    }

    /// The treatment of an existing entry of the same name.
    public enum Overwriting: Sendable {
        /// It is replaced.
        case allowed
        /// It stays, and the call fails with `EEXIST`.
        case forbidden
    }

    /// Opens a folder by its path. This path is the caller's own, so symbolic links in it are followed.
    public init(at path: String) throws(SystemError) {
        guard !path.utf8.contains(0) else { throw SystemError("open", EINVAL) }
        let number = try retrying("open", on: path) { Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        self.init(descriptor: OwnedDescriptor(takingOwnershipOf: number))
    }

    init(descriptor: consuming OwnedDescriptor) {
        self.descriptor = descriptor
    }

    // MARK: Files

    /// Opens an existing regular file. Anything else of that name, such as a pipe without a writer, is refused with
    /// `EINVAL`; the call never waits for it.
    public func open(_ name: FileName, for access: Access = .reading) throws(SystemError) -> OwnedDescriptor {
        let file = try openBeneath(name, access.flags | O_NONBLOCK | O_NOCTTY)
        try Self.requireRegularFile(file.number, name)
        return file
    }

    /// Creates a file, which must not exist yet, open for reading and writing.
    ///
    /// - Parameter mode: the permissions, reduced by the process's mask
    public func create(_ name: FileName, mode: FileMode = .privateFile) throws(SystemError) -> OwnedDescriptor {
        try openBeneath(name, O_RDWR | O_CREAT | O_EXCL, mode)
    }

    /// Opens a regular file for reading and writing, and creates it if needed.
    public func openOrCreate(_ name: FileName, mode: FileMode = .privateFile) throws(SystemError) -> OwnedDescriptor {
        let file = try openBeneath(name, O_RDWR | O_CREAT | O_NONBLOCK | O_NOCTTY, mode)
        try Self.requireRegularFile(file.number, name)
        return file
    }

    /// Removes a file or a symbolic link, but not the link's target.
    public func remove(_ name: FileName) throws(SystemError) {
        try retrying("unlinkat", on: name.text) { unlinkat(descriptor.number, name.text, 0) }
    }

    // MARK: Folders

    /// Opens a folder within this one.
    public func openFolder(_ name: FileName) throws(SystemError) -> Folder {
        Folder(descriptor: try openBeneath(name, O_RDONLY | O_DIRECTORY))
    }

    /// Opens a folder some levels down, the outermost name first; without names it opens this folder again. No part of
    /// the way may be a symbolic link.
    public func openFolder(beneath names: [FileName]) throws(SystemError) -> Folder {
        let path = names.isEmpty ? "." : names.map(\.text).joined(separator: "/")
        let number = try retrying("openat2", on: path) {
            Self.openBeneath(descriptor.number, path, O_RDONLY | O_DIRECTORY, nil)
        }
        return Folder(descriptor: OwnedDescriptor(takingOwnershipOf: number))
    }

    /// Creates a folder, which must not exist yet, and opens it.
    public func createFolder(_ name: FileName, mode: FileMode = .privateFolder) throws(SystemError) -> Folder {
        try retrying("mkdirat", on: name.text) { mkdirat(descriptor.number, name.text, mode.rawValue) }
        return try openFolder(name)
    }

    /// Opens a folder within this one, and creates it if needed.
    public func openOrCreateFolder(_ name: FileName, mode: FileMode = .privateFolder) throws(SystemError) -> Folder {
        do {
            return try createFolder(name, mode: mode)
        } catch let error where error.number == EEXIST {
            return try openFolder(name)
        }
    }

    /// Removes an empty folder.
    public func removeFolder(_ name: FileName) throws(SystemError) {
        try retrying("unlinkat", on: name.text) { unlinkat(descriptor.number, name.text, AT_REMOVEDIR) }
    }

    // MARK: Both

    /// Renames an entry within this folder.
    public func rename(_ name: FileName, to newName: FileName, overwriting: Overwriting) throws(SystemError) {
        try rename(name, to: newName, in: self, overwriting: overwriting)
    }

    /// Moves an entry to another folder of the same file system.
    public func rename(
        _ name: FileName,
        to newName: FileName,
        in other: borrowing Folder,
        overwriting: Overwriting
    ) throws(SystemError) {
        if overwriting == .forbidden {
            do throws(SystemError) {
                return try renameWithoutOverwriting(name, to: newName, in: other)
            } catch let error where error.number == EINVAL {
                // Older FUSE programs, among them those for exFAT and NTFS, and NFS can't do both at once.
                guard !(try other.holds(newName)) else { throw SystemError("renameat", EEXIST, on: name.text) }
            }
        }
        let (from, to) = (descriptor.number, other.descriptor.number)
        try retrying("renameat", on: name.text) { renameat(from, name.text, to, newName.text) }
    }

    private func renameWithoutOverwriting(
        _ name: FileName,
        to newName: FileName,
        in other: borrowing Folder
    ) throws(SystemError) {
        let (from, to) = (descriptor.number, other.descriptor.number)
        try retrying("renameat2", on: name.text) {
            huddle_rename_without_overwriting(from, name.text, to, newName.text)
        }
    }

    /// Waits until creations, renames and removals in this folder would survive a power cut.
    public func sync() throws(SystemError) {
        try Self.sync { fsync(descriptor.number) }
    }

    /// Makes the call that flushes a folder. Some file systems of memory cards don't support it and return `EINVAL`;
    /// that must not make every write to them fail.
    static func sync(_ call: () -> CInt) throws(SystemError) {
        do {
            try retrying("fsync of the folder", call)
        } catch let error where error.number == EINVAL {
            return
        }
    }

    // MARK: The one way in

    func openBeneath(_ name: FileName, _ flags: CInt, _ mode: FileMode? = nil) throws(SystemError) -> OwnedDescriptor {
        let number = try retrying("openat2", on: name.text) {
            Self.openBeneath(descriptor.number, name.text, flags, mode)
        }
        return OwnedDescriptor(takingOwnershipOf: number)
    }

    static func openBeneath(_ folder: CInt, _ name: String, _ flags: CInt, _ mode: FileMode?) -> CInt {
        huddle_openat2(
            folder,
            name,
            UInt64(flags | O_CLOEXEC | O_NOFOLLOW),
            UInt64(mode?.rawValue ?? 0),
            UInt64(RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS)
        )
    }

    private static func requireRegularFile(_ number: CInt, _ name: FileName) throws(SystemError) {
        guard try FileFacts(of: number, name).isRegular else {
            throw SystemError("open as a regular file", EINVAL, on: name.text)
        }
    }
}

extension Folder.Access {
    fileprivate var flags: CInt {
        switch self {
        case .reading: O_RDONLY
        case .writing: O_WRONLY
        case .readingAndWriting: O_RDWR
        }
    }
}
