import CLinux
import Glibc
public import Vocabulary

/// One entry of a folder's listing.
public struct FolderEntry: Hashable, Sendable {
    /// The kind of an entry.
    public enum Kind: Sendable {
        /// A regular file.
        case file
        /// A folder.
        case folder
        /// A symbolic link. Its target is not checked.
        case symbolicLink
        /// A pipe, a socket or a device.
        case other
    }

    /// The name as the file system holds it, in no particular encoding.
    public let bytes: [UInt8]
    /// The kind of the entry.
    public let kind: Kind

    /// The name, unless it breaks a rule of ``FileName``.
    public var name: FileName? { try? FileName(bytes: bytes) }
}

extension Folder {
    /// Lists all entries of the folder, unordered, without `.` and `..`.
    ///
    /// - Parameter limit: the most entries to read; a folder with more fails with `EOVERFLOW`
    public func entries(limit: Int) throws(SystemError) -> [FolderEntry] {
        let listing = try openListing()
        defer { closedir(listing) }
        var found: [FolderEntry] = []
        while let entry = try Self.nextEntry(of: listing) {
            guard found.count < limit else { throw SystemError("readdir", EOVERFLOW) }
            found.append(entry)
        }
        return found
    }

    private func openListing() throws(SystemError) -> OpaquePointer {
        // Opened again: a duplicate would share its position in the listing with every other one.
        let number = try retrying("openat") {
            Glibc.openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        let owned = OwnedDescriptor(takingOwnershipOf: number)
        guard let listing = fdopendir(owned.number) else { throw SystemError("fdopendir") }
        _ = owned.release()
        return listing
    }

    private static func nextEntry(of listing: OpaquePointer) throws(SystemError) -> FolderEntry? {
        while true {
            // Only this distinguishes the end from a failure.
            errno = 0
            guard let raw = readdir(listing) else {
                guard errno == 0 else { throw SystemError("readdir") }
                return nil
            }
            let bytes = nameBytes(of: raw)
            if bytes == [UInt8(ascii: ".")] || bytes == [UInt8(ascii: "."), UInt8(ascii: ".")] { continue }
            return FolderEntry(bytes: bytes, kind: kind(raw.pointee.d_type, bytes, dirfd(listing)))
        }
    }

    private static func nameBytes(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
        guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { preconditionFailure("dirent has a name") }
        // because an entry is only as long as its name, and copying the whole structure would read past its end
        let start = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: UInt8.self)
        return Array(UnsafeBufferPointer(start: start, count: strlen(start)))
    }

    private static func kind(_ type: UInt8, _ name: [UInt8], _ folder: CInt) -> FolderEntry.Kind {
        switch Int(type) {
        case DT_REG: .file
        case DT_DIR: .folder
        case DT_LNK: .symbolicLink
        case DT_UNKNOWN: askedKind(name, folder)
        default: .other
        }
    }

    /// Asks for the kind, which some file systems don't give in the listing. An entry that has since gone counts as
    /// `other`.
    private static func askedKind(_ name: [UInt8], _ folder: CInt) -> FolderEntry.Kind {
        var raw = stat()
        let path = name.map { CChar(bitPattern: $0) } + [0]
        guard fstatat(folder, path, &raw, AT_SYMLINK_NOFOLLOW) == 0 else { return .other }
        return FolderEntry.Kind(mode: raw.st_mode)
    }
}
