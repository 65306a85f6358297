import Glibc
import LinuxPlatform

/// What the end of a daemon says of it.
enum DaemonEnd {
    /// Why it is none that the torture has made: a daemon that traps ends as well, and is not what was to be tried. Nil
    /// where it is.
    /// - Parameters:
    ///   - isOurs: whether it ran until it was sent SIGKILL
    ///   - isArmed: whether it was to send itself that at a step
    static func fault(_ ending: ProgramEnding, isOurs: Bool, isArmed: Bool) -> String? {
        guard ending == .signalled(SIGKILL) else { return "the daemon \(ending), by itself" }
        return isOurs || isArmed ? nil : "the daemon \(ending), which nobody here has sent"
    }

    /// Whether a line of its log is the beginning of its end. It may be killed while it still writes down where it was.
    static func isCrash(_ line: String) -> Bool {
        ["Fatal error: ", "Program crashed: ", "ERROR: AddressSanitizer", "WARNING: ThreadSanitizer"]
            .contains { line.contains($0) }
    }
}
