import CommandTable
import Diagnosis
import Household
import LinuxPlatform
import Vocabulary

/// `huddle doctor`: find out why machines don't find each other or don't connect.
enum DoctorCommand {
    static let all = Flag("all", help: "include the checks that found nothing")

    static let fix = Flag("fix", help: "make the repairs that need no root, each after a question")
    static let yes = Flag("yes", short: "y", help: "with --fix: make all repairs without a question")

    private static let game = Argument(
        optional: "GAME",
        .text.named("GAME"),
        help: "the game that does not arrive (default: all games and machines)"
    )

    static let row = Command<CommandAction>(
        "doctor",
        summary: "find out what keeps machines from each other, and how to repair it",
        discussion: """
            It takes a few seconds, and changes nothing without --fix. It checks the daemon, Avahi, the network \
            interfaces, multicast (with a call into the network), the daemon's port, the firewall, the machines that \
            are known or online, modes of files, disks, limits and the clock. It sees one side only: if two machines \
            don't find each other, run it on both. With sudo it also reads the rules of nftables; all else it checks \
            for the user who typed sudo.

            --fix starts or restarts the daemon, sets modes of its files, and frees space in the history; it then \
            looks again whether that helped. What needs root or a decision of yours stays a line with a command.
            """,
        arguments: [game],
        options: [all, fix, yes, AskingOptions.state, LookingOptions.type, LookingOptions.json],
        examples: [
            Example("huddle doctor", "faults, the worst first, each with its reason and a command"),
            Example("huddle doctor celeste", "why its save is not on another machine"),
            Example("huddle doctor --fix", "what the program can repair by itself, each after a question"),
            Example("huddle doctor --json", "for a script"),
        ],
        exitCodes: [.success, .failure, .usage, .faultFound, .interrupted],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        try DoctorRepairs.check(given)
        let outcome = Outcome()
        let firewall = await FirewallLook.look()
        SudoUser.become()
        try await untilSignalled(signals) { group in
            group.addTask { try await console.readerLeaves() }
            group.addTask {
                let look = { @Sendable in await Examination(given, firewall, game: given[game]).findings() }
                var findings = await look()
                // After Ctrl-C, a check that was cut short has no result, and would look like a fault.
                try Task.checkCancellation()
                if given[LookingOptions.json] {
                    let report = JSONReport(console)
                    for finding in findings { try await report.print(FindingShape(finding)) }
                } else {
                    try await console.print(
                        text(of: findings, given[all], width: console.isTerminal ? console.width : .max)
                    )
                }
                if given[fix] {
                    findings = try await DoctorRepairs(given, console, look: look).run(on: findings)
                }
                outcome.set(findings.contains { $0.grade == .fault } ? .faultFound : .success)
                // The end of the work also ends the other task.
                throw CancellationError()
            }
        }
        return outcome.code ?? .interrupted
    }

    /// Returns the findings for the user: faults and warnings with the commands to run. With `--all`, also a line for
    /// each check that found no fault.
    static func text(of findings: [Finding], _ showsAll: Bool, width: Int) -> String {
        let lines = findings.filter { showsAll || $0.grade != .well }.map { finding in
            let head = "\(finding.grade.rawValue.padded(to: 7))  \(finding.check.rawValue.padded(to: 10))  "
            // On a narrow terminal, the text needs the space more than the columns do.
            let indent = String(repeating: " ", count: width < 60 ? 4 : head.count)
            var lines = [head + finding.message]
            lines +=
                finding.explanation
                .map { TextLayout.wrapped($0, width: max(width - indent.count, 20)) }?
                .map { indent + $0 } ?? []
            lines += finding.commands.map { "\(indent)→ \($0)" }
            return lines.joined(separator: "\n")
        }
        let well = findings.count { $0.grade == .well }
        let rest = showsAll || well == 0 ? "" : "\n\(well) check\(well == 1 ? "" : "s") passed: huddle doctor --all"
        return (lines + (lines.isEmpty ? [] : [""]) + [summary(of: findings) + rest]).joined(separator: "\n")
    }

    private static func summary(of findings: [Finding]) -> String {
        let faults = findings.count { $0.grade == .fault }
        let warnings = findings.count { $0.grade == .warning }
        if faults + warnings == 0 { return "no faults were found on this machine" }
        let counted = [(faults, "fault"), (warnings, "warning")].filter { $0.0 > 0 }
        return counted.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: ", ")
            + "; if two machines don't find each other, run it on the other one, too"
    }
}
