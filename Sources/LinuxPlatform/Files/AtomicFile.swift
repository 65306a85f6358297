import Glibc
public import Vocabulary

/// A file that is written and read as a whole: after a crash, a power cut or a full disk it holds either the complete
/// old contents or the complete new contents.
///
/// The bytes go to a temporary file beside it, are flushed, and take the file's name in one step. If any step fails,
/// the temporary file is removed. A killed writer leaves one behind, which ``removeLeftovers(in:limit:)`` finds.
///
/// ```swift
/// let file = AtomicFile(try FileName("peers.json"))
/// try file.write(bytes, in: folder, overwriting: .allowed)
/// let again = try file.read(in: folder, limit: 1 << 20)
/// ```
public struct AtomicFile: Sendable {
    /// The file's name in its folder.
    public let name: FileName
    /// The exact permissions: the process's mask does not apply.
    public let mode: FileMode

    let calls: FileCalls

    /// Names a file. It touches nothing yet.
    public init(_ name: FileName, mode: FileMode = .privateFile) {
        self.init(name, mode: mode, calls: .kernel)
    }

    package init(_ name: FileName, mode: FileMode = .privateFile, calls: FileCalls) {
        self.name = name
        self.mode = mode
        self.calls = calls
    }

    /// Writes the whole file, and returns once the contents would survive a power cut.
    ///
    /// - Throws: `SystemError` with the step that failed. Until that step is `fsync of the folder` the file has the old
    ///   contents. If that last step fails, it has the new ones, and only a power cut could still restore the old ones.
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
            // The first failure is the one to report. If this fails too, the file stays as a leftover for later.
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
            // Without this check, a write with no error and no progress would repeat for ever.
            guard count > 0 else { throw SystemError("write", EIO, on: name.text) }
            written += count
        }
        try retrying("fsync", on: name.text) { calls.sync(file) }
    }
}
