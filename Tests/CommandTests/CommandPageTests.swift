import FoundationEssentials
import Testing
import Workbench

@Suite("The page of the commands", .timeLimit(.minutes(1)))
struct CommandPageTests {
    /// Set by `make cli-page`, which writes the page instead of comparing it.
    private static let isWriting = ProcessInfo.processInfo.environment["HUDDLE_CLI_PAGE"] == "write"

    @Test("The page has the help of every command as the program prints it")
    func isUpToDate() throws {
        let wanted = try CommandPage.text()
        if Self.isWriting {
            try Data(wanted.utf8).write(to: URL(filePath: "\(Repository.root)/\(CommandPage.path)"))
        }
        let isSame = try Repository.text(of: CommandPage.path) == wanted
        #expect(isSame, "\(CommandPage.path) is out of date: run `make cli-page`")
    }
}
