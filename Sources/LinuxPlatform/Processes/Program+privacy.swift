import CLinux
import Glibc

extension Program {
    /// Hides the memory of this process: from now on no other program of this user may read or trace it, and it leaves
    /// no core file.
    ///
    /// Keys pass through the memory. A program that this one starts is not hidden: the kernel undoes that at `execve`.
    /// Root can still look.
    public static func hideMemory() {
        precondition(huddle_hide_memory() == 0, "the memory can't be hidden: \(SystemError("prctl"))")
    }

    /// True after ``hideMemory()``.
    public static var isMemoryHidden: Bool { huddle_is_memory_hidden() != 0 }

    /// Makes the files that this process creates private to its user, whatever umask it was started with. Files that
    /// need another mode get it by `chmod`.
    public static func makePrivateFiles() {
        umask(0o077)
    }
}
