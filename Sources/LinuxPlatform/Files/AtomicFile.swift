import Glibc
public import Vocabulary

/// A file that is written and read as a whole: after a crash, a power cut or a full disk it holds either all of what it
/// held before or all of what was being written.
///
/// The bytes go to a temporary file beside it, are flushed, and take the file's name in one step. Whatever fails, the
/// temporary file is removed; a writer that was killed leaves one behind, for ``removeLeftovers(in:limit:)`` to find.
///
/// ```swift
/// let file = AtomicFile(try FileName("peers.json"))
/// try file.write(bytes, in: folder, overwriting: .allowed)
/// let again = try file.read(in: folder, limit: 1 << 20)
/// ```
public struct AtomicFile: Sendable {
    /// The file's name in its folder.
    public let name: FileName
    /// Who may use it, exactly: the process's mask does not count.
    public let mode: FileMode

    let calls: FileCalls

    /// Names a file. Nothing is touched yet.
    public init(_ name: FileName, mode: FileMode = .privateFile) {
        self.init(name, mode: mode, calls: .kernel)
    }

    package init(_ name: FileName, mode: FileMode = .privateFile, calls: FileCalls) {
        self.name = name
        self.mode = mode
        self.calls = calls
    }

    /// Writes the whole file, and returns once that would survive a power cut.
    ///
    /// - Throws: `SystemError` with the step that failed. Until that is `fsync of the folder` the old contents stand; at
    ///   that last step the new ones do, and only a power cut could still bring the old ones back.
    public func write(
        _ bytes: [UInt8],
        in folder: borrowing Folder,
        overwriting: Folder.Overwriting
    ) throws(SystemError) {
        let number = folder.descriptor.number
        let temporary = TemporaryName.random()
        let file = OwnedDescriptor(
            takingOwnershipOf: try retrying("openat2", on: temporary) { calls.create(number, temporary, mode) }
        )
        do {
            try fill(file.number, with: bytes)
            try retrying("renameat2", on: name.text) { calls.rename(number, temporary, name.text, overwriting) }
        } catch {
            // The first failure is the one to report; if this fails too, the file is a leftover to be found later.
            _ = calls.remove(number, temporary)
            throw error
        }
        try Folder.sync { calls.syncFolder(number) }
    }

    private func fill(_ file: CInt, with bytes: [UInt8]) throws(SystemError) {
        try retrying("flock", on: name.text) { calls.lock(file) }
        try retrying("fchmod", on: name.text) { calls.changeMode(file, mode) }
        var written = 0
        while written < bytes.count {
            let count = try retrying("write", on: name.text) {
                bytes.withUnsafeBytes { calls.write(file, UnsafeRawBufferPointer(rebasing: $0[written...])) }
            }
            // No error and no progress would otherwise be tried for ever.
            guard count > 0 else { throw SystemError("write", EIO, on: name.text) }
            written += count
        }
        try retrying("fsync", on: name.text) { calls.sync(file) }
    }
}
