import CLinux
import Glibc

extension Program {
    /// Hides the memory of this process: no other program of this user may read or trace it from now on, and it leaves no core file.
    ///
    /// Keys pass through the memory. A program that this one starts is not hidden: the kernel takes that back at `execve`. Root may look
    /// all the same.
    public static func hideMemory() {
        precondition(huddle_hide_memory() == 0, "the memory can't be hidden: \(SystemError("prctl"))")
    }

    /// Whether ``hideMemory()`` holds.
    public static var isMemoryHidden: Bool { huddle_is_memory_hidden() != 0 }

    /// Makes what this process creates its user's alone, whatever umask it was started with. Where a file is to have another mode, it
    /// gets it by `chmod`.
    public static func makePrivateFiles() {
        umask(0o077)
    }
}
