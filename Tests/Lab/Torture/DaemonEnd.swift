import Glibc
import LinuxPlatform

/// The ending of a daemon.
enum DaemonEnd {
    /// The fault of an ending that the run did not cause, since a daemon that traps ends as well; nil for one that it
    /// caused.
    ///
    /// - Parameters:
    ///   - isOurs: whether it ran until the run sent SIGKILL
    ///   - isArmed: whether it had to send itself SIGKILL at a failpoint
    static func fault(_ ending: ProgramEnding, isOurs: Bool, isArmed: Bool) -> String? {
        guard ending == .signalled(SIGKILL) else { return "the daemon \(ending), by itself" }
        return isOurs || isArmed ? nil : "the daemon \(ending), which this run has not sent"
    }

    /// Returns true if a line of its log begins a crash. The daemon may be killed while it still writes its backtrace.
    static func isCrash(_ line: String) -> Bool {
        ["Fatal error: ", "Program crashed: ", "ERROR: AddressSanitizer", "WARNING: ThreadSanitizer"]
            .contains { line.contains($0) }
    }
}
