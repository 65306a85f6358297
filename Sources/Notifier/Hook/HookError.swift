import LinuxPlatform
import Vocabulary

/// Failure of a hook call.
struct HookError: ExplainedError {
    let code: ErrorCode
    let message: String
    let nextStep: String
    let cause: (any Error)?

    private init(_ code: ErrorCode, _ message: String, nextStep: String, cause: (any Error)? = nil) {
        (self.code, self.message, self.nextStep, self.cause) = (code, message, nextStep, cause)
    }

    static func notStarted(_ path: String, _ error: SystemError) -> HookError {
        HookError(
            "hook.not-started",
            "the hook \(shown(path)) can't be started",
            nextStep: "check that it exists, is a program or begins with #!, and is executable (chmod +x)",
            cause: error
        )
    }

    static func tooSlow(_ path: String, _ limit: Duration) -> HookError {
        HookError(
            "hook.too-slow",
            "the hook \(shown(path)) was killed: it took longer than \(limit.formattedSeconds)",
            nextStep: "shorten its work, or raise “hookSeconds” in the settings"
        )
    }

    static func failed(_ path: String, _ ending: ProgramEnding, saying complaint: [UInt8]) -> HookError {
        let first = complaint.split(separator: UInt8(ascii: "\n")).first.map { ": \(PrintableText(bytes: $0))" } ?? ""
        return HookError(
            "hook.failed",
            "the hook \(shown(path)) \(ending)\(first)",
            nextStep: "test it by hand with a line of `huddle events --json` on its standard input"
        )
    }

    static func missed(_ count: Int) -> HookError {
        HookError(
            "hook.missed",
            "the hook missed \(count) \(count == 1 ? "event" : "events"): they came faster than it can run",
            nextStep: "shorten its work for each event"
        )
    }

    private static func shown(_ path: String) -> PrintableText { PrintableText(path, limit: 4096) }
}

extension Duration {
    fileprivate var formattedSeconds: String {
        components.seconds > 0 ? "\(components.seconds) s" : "\(components.attoseconds / 1_000_000_000_000_000) ms"
    }
}
