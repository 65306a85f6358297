import Glibc
import LinuxPlatform

/// The ending of a daemon.
enum DaemonEnd {
    /// The fault of an ending that the run did not cause: a daemon that traps ends as well. It is nil for an ending
    /// that the run caused.
    ///
    /// - Parameters:
    ///   - isOurs: true if the daemon ran until the run sent SIGKILL
    ///   - isArmed: true if the daemon was set to send itself SIGKILL at a failpoint
    static func fault(_ ending: ProgramEnding, isOurs: Bool, isArmed: Bool) -> String? {
        guard ending == .signalled(SIGKILL) else { return "the daemon \(ending), by itself" }
        return isOurs || isArmed ? nil : "the daemon \(ending), which this run has not sent"
    }

    /// True if a line of its log begins a crash. The daemon may be killed while it still writes its backtrace.
    static func isCrash(_ line: String) -> Bool {
        ["Fatal error: ", "Program crashed: ", "ERROR: AddressSanitizer", "WARNING: ThreadSanitizer"]
            .contains { line.contains($0) }
    }
}
