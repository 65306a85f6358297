import CommandTable
import Testing
import Vocabulary
import Workbench

@testable import huddle

@Suite("Commands in the documentation", .timeLimit(.minutes(1)))
struct PageCommandTests {
    private static let pages = ["README.md"] + Repository.files(below: "docs", withSuffix: ".md").filter(isCurrent)

    /// Decisions describe the commands of their day, and the page of the commands is made from them.
    private static func isCurrent(_ page: String) -> Bool {
        !page.hasPrefix("docs/internals/decisions/") && page != CommandPage.path
    }

    @Test("The program can read every command line that a page shows", arguments: pages)
    func linesAreRead(_ page: String) throws {
        let shown = PageCommand.all(in: try Repository.text(of: page))
        let faults = shown.compactMap { command -> String? in
            do throws(UsageError) {
                _ = try HuddleProgram.table.read(command.words)
                return nil
            } catch {
                // A command in a sentence may have no arguments, as in `huddle set --at`.
                let isWrong = !command.isForm || error.code.description.hasPrefix("usage.unknown-")
                return isWrong ? "\(page): `\(command.line)`: \(error.message)" : nil
            }
        }
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
    }

    @Test("A page's commands are found behind prompts, pipes and variables, and in sentences")
    func commandsAreFound() {
        let page = """
            Run `huddle set celeste --at FOLDER`, then `ls`; `huddle version 1` is none.

            ```console
            desk$ huddle mark celeste 'before the boss'   # a note
            $ huddle fix … --keep merge
            $ tar c saves | HUDDLE_STATE=x huddle pipe Deck > log
            huddle: not a command but what one prints
            ```
            """
        let words = PageCommand.all(in: page).map(\.words)
        #expect(
            words == [
                ["set", "celeste", "--at", "FOLDER"], ["mark", "celeste", "before the boss"],
                ["fix", "--keep", "merge"], ["pipe", "Deck"],
            ]
        )
    }
}
