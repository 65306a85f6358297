import CommandTable
import LinuxPlatform
import SecureArchive
import Vocabulary

/// `huddle state check`: check saves for damage.
enum StateCheckCommand {
    static let files = Argument(repeating: "FILE", .file, help: "the saves")

    static let row = Command<CommandAction>(
        "check",
        summary: "check saves for damage",
        discussion: """
            It prints a line for each file: its format and contents, or its fault and the place of it. Nothing in a \
            file is trusted before the check, and no file can end this command, delay it or fill the memory.
            """,
        arguments: [files],
        options: StateOptions.opening,
        examples: [
            Example("huddle state check *.save", "all saves of a folder"),
            Example("huddle state check party.save --allow Game.Hero", "accept a class that you know"),
        ],
        exitCodes: ExitCode.opening,
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        var code = ExitCode.success
        for path in given[files] {
            let finding: SaveFinding
            do {
                finding = SaveFinding(try await OpenedState(path, given))
            } catch let fault as StateFault {
                finding = SaveFinding(fault)
            } catch let error as CommandError {
                finding = SaveFinding(path, error)
            }
            if code == .success { code = finding.code }
            try await console.print(
                given[StateOptions.json] ? try ValueShape.line(finding.fields) : console.fitted(finding.words)
            )
        }
        return code
    }
}
