package import LinuxPlatform
package import Vocabulary

/// The calls by which a history changes what is on the disk, so that a test can refuse one, or write down all and see what a power
/// cut after each would have left.
package struct StoreCalls: Sendable {
    /// Makes a file that does not exist yet.
    package var create: @Sendable (borrowing Folder, FileName) throws(SystemError) -> OwnedDescriptor
    /// Writes all of the bytes to a place.
    package var write: @Sendable (borrowing OwnedDescriptor, UnsafeRawBufferPointer, UInt64) throws(SystemError) -> Void
    /// Cuts a file to a size.
    package var truncate: @Sendable (borrowing OwnedDescriptor, UInt64) throws(SystemError) -> Void
    /// Flushes a file.
    package var sync: @Sendable (borrowing OwnedDescriptor) throws(SystemError) -> Void
    /// Gives a file a name, in place of what had it.
    package var rename: @Sendable (borrowing Folder, FileName, FileName) throws(SystemError) -> Void
    /// Removes a file.
    package var remove: @Sendable (borrowing Folder, FileName) throws(SystemError) -> Void
    /// Flushes the folder.
    package var syncFolder: @Sendable (borrowing Folder) throws(SystemError) -> Void

    /// The real ones.
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
