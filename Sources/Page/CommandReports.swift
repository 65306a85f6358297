import Glibc
import Household
import LinuxPlatform
import Vocabulary

/// The reports of the command `huddle` about this machine, for the page.
///
/// The command runs as a process of its own. A search for games reads the files of many launchers, and a long list of
/// known games. In the daemon, one malformed file would be a risk, and the memory for the search would stay in use.
struct CommandReports: Sendable {
    /// The daemon's state folder.
    let state: String

    private static let limit = 8 << 20
    private static let patience = Duration.seconds(60)

    /// Runs a command, and returns its output: lines of JSON.
    ///
    /// - Parameters:
    ///   - command: the command with its options
    ///   - name: the argument of the command; nil for none
    func lines(of command: [String], _ name: String? = nil) async throws -> String {
        let words = command + ["--json", "--state=\(state)"] + (name.map { ["--", $0] } ?? [])
        let launch = ProgramLaunch(Self.program, words)
        let failure = "`huddle \(command[0])` did not end well"
        let run: CompletedProgram
        do {
            run = try await ChildProcess.run(launch, outputLimit: Self.limit, deadline: Self.patience)
        } catch let error as SystemError {
            throw Self.failed("\(failure): \(error)", command)
        }
        if run.exceededDeadline || run.standardOutput.overflowed {
            throw Self.failed("\(failure): it took too much", command)
        }
        // `huddle doctor` prints its findings, and then fails if one of them is a fault.
        if run.standardOutput.bytes.isEmpty, let first = run.standardError.text.split(separator: "\n").first {
            let message = first.hasPrefix("error: ") ? first.dropFirst("error: ".count) : first
            throw Self.failed("\(PrintableText(String(message), limit: 400))", command)
        }
        return run.standardOutput.text
    }

    private static func failed(_ message: String, _ command: [String]) -> HouseholdError {
        HouseholdError("page.no-report", message, nextStep: "run `huddle \(command[0])` in a terminal")
    }

    /// The command in the folder of the daemon's program, or the one in `PATH`.
    private static var program: String {
        guard let own = Program.path, let slash = own.lastIndex(of: "/") else { return "huddle" }
        let beside = "\(own[..<slash])/huddle"
        return access(beside, X_OK) == 0 ? beside : "huddle"
    }
}
