import CommandTable
import Control
import Diagnosis
import Household
import LinuxPlatform
import Vocabulary

/// Makes the repairs of `huddle doctor --fix` that need no root, one after the other. Then it checks if they helped.
struct DoctorRepairs {
    /// The result of one repair.
    enum Outcome: Sendable {
        case fixed
        /// The user did not want the repair.
        case skipped
        case failed(String)
    }

    /// The result of a repair as JSON.
    private struct Shape: Encodable {
        let event = "repair"
        let kind: String
        let text: String
        let state: String
        let message: String?

        private enum CodingKeys: CodingKey { case event, kind, text, state, message }
    }

    private let given: GivenValues
    private let console: Console
    private let look: @Sendable () async -> [Finding]
    private static let patience = Duration.seconds(30)

    /// - Parameter look: examines the machine once more
    init(_ given: GivenValues, _ console: Console, look: @escaping @Sendable () async -> [Finding]) {
        (self.given, self.console, self.look) = (given, console, look)
    }

    /// Throws if no user can be asked and `--yes` is missing, or if `--yes` has no question to answer.
    static func check(_ given: GivenValues) throws {
        guard given[DoctorCommand.fix] else {
            guard given[DoctorCommand.yes] else { return }
            throw CommandError(
                ErrorCode(.invalid, "doctor.yes-without-fix"),
                "--yes answers the questions of --fix, which is not given",
                nextStep: "run `huddle doctor --fix --yes`"
            )
        }
        guard !given[DoctorCommand.yes] else { return }
        guard Terminal.isInForeground, !given[LookingOptions.json] else {
            throw CommandError(
                ErrorCode(.invalid, "doctor.no-terminal"),
                "nothing was fixed: no user can be asked here",
                nextStep: "make all repairs without a question: huddle doctor --fix --yes"
            )
        }
    }

    /// Makes the repairs of these findings. Returns the findings after the repairs.
    func run(on findings: [Finding]) async throws -> [Finding] {
        let repairs = findings.repairs
        guard !repairs.isEmpty else {
            if !given[LookingOptions.json] { try await console.print("\nNothing here can be fixed without you.") }
            return findings
        }
        if !given[LookingOptions.json] { try await console.print("") }
        var (lines, outcomes) = (TypedLines(), [(repair: Repair, outcome: Outcome)]())
        for repair in repairs {
            guard try await isWanted(repair, &lines) else {
                outcomes.append((repair, .skipped))
                continue
            }
            do {
                try await make(repair)
                outcomes.append((repair, .fixed))
            } catch let error as any ExplainedError {
                outcomes.append((repair, .failed("\(error.message)")))
            }
        }
        guard outcomes.contains(where: { if case .skipped = $0.outcome { false } else { true } }) else {
            return findings
        }
        let after = await look()
        let left = after.repairs
        for (repair, outcome) in outcomes {
            var outcome = outcome
            if case .fixed = outcome, left.contains(repair) { outcome = .failed("the finding is still there") }
            try await tell(repair, outcome)
        }
        return after
    }

    private func isWanted(_ repair: Repair, _ lines: inout TypedLines) async throws -> Bool {
        if given[DoctorCommand.yes] { return true }
        while true {
            try await console.print("Fix: \(repair.words)? [y/n] ", terminator: "")
            guard let line = try await lines.next() else { return false }
            switch line.trimmingPrefix(while: \.isWhitespace).lowercased().first {
            case "y": return true
            case "n": return false
            default: continue
            }
        }
    }

    private func make(_ repair: Repair) async throws {
        switch repair {
        case .startDaemon: try await systemctl("enable", "--now", "huddled")
        case .restartDaemon: try await systemctl("restart", "huddled")
        case .setMode(let mode, let path):
            try await runBlocking("doctor") {
                do throws(SystemError) {
                    try setMode(mode, of: path)
                } catch {
                    throw CommandError(
                        ErrorCode(.file, "doctor.mode"),
                        "\(error)",
                        nextStep: "look at the owner: ls -ld"
                    )
                }
            }
        case .cleanHistory:
            let daemon = try Daemon.required(given)
            _ = try await daemon.all(Endpoint.cleanHistory.request())
        }
    }

    private func systemctl(_ words: String...) async throws {
        let run = try await ChildProcess.run(ProgramLaunch("systemctl", ["--user"] + words), deadline: Self.patience)
        guard run.status != .exited(0) else { return }
        let said = String(decoding: run.standardError.bytes, as: UTF8.self).split(separator: "\n").first.map(
            String.init
        )
        throw CommandError(
            "doctor.systemctl",
            "systemctl says: \(PrintableText(said ?? "nothing", limit: 200))",
            nextStep: "journalctl --user -u huddled -n 20"
        )
    }

    private func tell(_ repair: Repair, _ outcome: Outcome) async throws {
        let (state, message): (String, String?) =
            switch outcome {
            case .fixed: ("fixed", nil)
            case .skipped: ("skipped", nil)
            case .failed(let why): ("not-fixed", why)
            }
        guard !given[LookingOptions.json] else {
            let shape = Shape(kind: repair.word, text: repair.words, state: state, message: message)
            return try await JSONReport(console).print(shape)
        }
        let words = ["fixed": "Fixed", "skipped": "Left as it is", "not-fixed": "Not fixed"][state] ?? state
        try await console.say("\(words): \(repair.words)\(message.map { ": \($0)" } ?? "")")
    }
}

/// Changes the mode of a file or folder, even if its present mode forbids reading. A symbolic link is left alone.
private func setMode(_ mode: FileMode, of path: String) throws(SystemError) {
    let (parent, name) = (path.split(separator: "/").dropLast().joined(separator: "/"), path.split(separator: "/").last)
    guard let name = name.flatMap({ try? FileName(String($0)) }) else { return }
    try Folder(at: "/\(parent)").setMode(mode, of: name)
}
