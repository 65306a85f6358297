package import LinuxPlatform
package import Vocabulary

/// The calls by which a history changes the disk. A test can refuse one, or record all and replay the state after a
/// power cut at each.
package struct StoreCalls: Sendable {
    /// Makes a file that does not exist yet.
    package var create: @Sendable (borrowing Folder, FileName) throws(SystemError) -> OwnedDescriptor
    /// Writes all of the bytes to a place.
    package var write: @Sendable (borrowing OwnedDescriptor, UnsafeRawBufferPointer, UInt64) throws(SystemError) -> Void
    /// Cuts a file to a size.
    package var truncate: @Sendable (borrowing OwnedDescriptor, UInt64) throws(SystemError) -> Void
    /// Flushes a file.
    package var sync: @Sendable (borrowing OwnedDescriptor) throws(SystemError) -> Void
    /// Renames a file and replaces any file of the new name.
    package var rename: @Sendable (borrowing Folder, FileName, FileName) throws(SystemError) -> Void
    /// Removes a file.
    package var remove: @Sendable (borrowing Folder, FileName) throws(SystemError) -> Void
    /// Flushes the folder.
    package var syncFolder: @Sendable (borrowing Folder) throws(SystemError) -> Void

    /// The real calls into the kernel.
    package static let kernel = StoreCalls(
        create: { (folder, name) throws(SystemError) in try folder.create(name) },
        write: { (file, bytes, offset) throws(SystemError) in try file.write(bytes, at: offset) },
        truncate: { (file, size) throws(SystemError) in try file.truncate(to: size) },
        sync: { (file) throws(SystemError) in try file.sync() },
        rename: { (folder, old, new) throws(SystemError) in try folder.rename(old, to: new, overwriting: .allowed) },
        remove: { (folder, name) throws(SystemError) in try folder.remove(name) },
        syncFolder: { (folder) throws(SystemError) in try folder.sync() }
    )
}
