import CommandTable
import Testing
import Workbench

@testable import huddle

@Suite("Commands in the documentation", .timeLimit(.minutes(1)))
struct PageCommandTests {
    private static let pages = ["README.md"] + Repository.files(below: "docs", withSuffix: ".md").filter(isCurrent)

    /// Decisions describe the commands of their day.
    private static func isCurrent(_ page: String) -> Bool {
        !page.hasPrefix("docs/internals/decisions/")
    }

    @Test("Every command that a page names exists", arguments: pages)
    func commandsExist(_ page: String) throws {
        let known = Set(HuddleProgram.table.root.subcommands.map(\.name)).union(["help", "completions", "manual"])
        // A word and a number, as in `huddle version 1`, is the header of a signed record.
        let named = try Repository.text(of: page).matches(of: /[`$] ?huddle\s+([a-z]+)\b( \d)?/)
            .compactMap { $0.2 == nil ? String($0.1) : nil }
        let unknown = named.filter { !known.contains($0) }
        #expect(unknown.isEmpty, "\(page) names \(unknown.joined(separator: ", "))")
    }
}
