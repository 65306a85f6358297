import CLinux
import Glibc
package import Vocabulary

/// The calls of ``AtomicFile`` that can fail in a correct program, so that a test can replace the kernel. Each returns
/// -1 and sets `errno` on failure, as the kernel's own do.
package struct FileCalls: Sendable {
    /// Creates a file directly in a folder. It must not exist yet.
    package var create: @Sendable (_ folder: CInt, _ name: String, _ mode: FileMode) -> CInt
    /// Takes the lock that distinguishes a writer at work from one that crashed.
    package var lock: @Sendable (_ file: CInt) -> CInt
    /// Sets the permissions, regardless of the process's mask.
    package var changeMode: @Sendable (_ file: CInt, _ mode: FileMode) -> CInt
    /// Writes some of the bytes.
    package var write: @Sendable (_ file: CInt, _ bytes: UnsafeRawBufferPointer) -> Int
    /// Reads some bytes.
    package var read: @Sendable (_ file: CInt, _ room: UnsafeMutableRawBufferPointer) -> Int
    /// Flushes a file.
    package var sync: @Sendable (_ file: CInt) -> CInt
    /// Renames within a folder.
    package var rename: @Sendable (_ folder: CInt, _ from: String, _ to: String, _ how: Folder.Overwriting) -> CInt
    /// Flushes a folder.
    package var syncFolder: @Sendable (_ folder: CInt) -> CInt
    /// Removes a file.
    package var remove: @Sendable (_ folder: CInt, _ name: String) -> CInt

    /// The kernel's calls.
    package static let kernel = FileCalls(
        create: { Folder.openBeneath($0, $1, O_WRONLY | O_CREAT | O_EXCL, $2) },
        lock: { flock($0, LOCK_EX | LOCK_NB) },
        changeMode: { fchmod($0, $1.rawValue) },
        write: { Glibc.write($0, $1.baseAddress, $1.count) },
        read: { Glibc.read($0, $1.baseAddress, $1.count) },
        sync: { fsync($0) },
        rename: { folder, from, to, how in
            switch how {
            case .allowed: renameat(folder, from, folder, to)
            case .forbidden: huddle_rename_without_overwriting(folder, from, folder, to)
            }
        },
        syncFolder: { fsync($0) },
        remove: { unlinkat($0, $1, 0) }
    )
}
