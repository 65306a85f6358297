@testable import CommandTable
import Testing
import Vocabulary

@Suite("Tables of programs", .timeLimit(.minutes(5)))
struct ProgramTableTests {
    @Test("A sound table has no faults")
    func isSound() {
        #expect(Kit.table.faults == [])
    }

    private static let wait = Option("wait", short: "w", .duration, help: "wait")
    private static let example = [Example("kit do", "do it")]

    private func faults(
        _ options: [any DeclaredOption] = [],
        _ arguments: [any DeclaredArgument] = [],
        summary: String = "do it",
        examples: [Example] = example
    ) -> [String] {
        let command = Command(
            "do",
            summary: summary,
            arguments: arguments,
            options: options,
            examples: examples,
            action: ()
        )
        let root = Command(group: "kit", summary: "try it", options: [Self.wait], subcommands: [command])
        return ProgramTable(root, version: "1").faults
    }

    @Test("A name that is used twice on one line is a fault")
    func names() {
        #expect(faults([Flag("wait", help: "x")]) == ["kit do: --wait is listed twice"])
        #expect(faults([Flag("walk", short: "w", help: "x")]) == ["kit do: -w is listed twice"])
        #expect(faults([Flag("help", help: "x")]) == ["kit do: --help is listed twice"])
        #expect(faults([Flag("hurry", short: "h", help: "x")]) == ["kit do: -h is listed twice"])
        let name = Argument("NAME", .text, help: "x")
        #expect(faults([], [name, name]) == ["kit do: the argument NAME is listed twice"])
        let twice = Command("a", summary: "x", examples: [Example("kit a", "x")], action: ())
        let table = ProgramTable(Command(group: "kit", summary: "x", subcommands: [twice, twice]), version: "1")
        #expect(table.faults == ["kit: the command a is listed twice"])
        let help = Command("help", summary: "x", examples: [Example("kit help", "x")], action: ())
        let clash = ProgramTable(Command(group: "kit", summary: "x", subcommands: [help]), version: "1")
        #expect(clash.faults == ["kit: the command help is listed twice"])
    }

    @Test("A name that can't be typed is a fault", arguments: ["", "Wide", "a b", "-a", "a=b", "é", "1"])
    func untypeable(_ name: String) {
        #expect(faults([Flag(name, help: "x")]).contains { $0.contains("is no name") })
    }

    @Test("Arguments that can be split in several ways are a fault")
    func arguments() {
        let some = Argument(repeating: "FILE", .file, help: "x")
        let maybe = Argument(optional: "PEER", .text, help: "x")
        let rest = Argument(rest: "COMMAND", help: "x")
        #expect(faults([], [some, maybe]) == ["kit do: only one of FILE, PEER may vary in number"])
        #expect(faults([], [some, rest]) == [])
        #expect(faults([], [maybe, rest]) == [])
    }

    @Test("A text against the style is a fault")
    func texts() {
        #expect(faults(summary: "Do it.").count == 1)
        #expect(faults(summary: "").count == 1)
        #expect(faults([Flag("x", help: "one\ntwo")]).count == 1)
        #expect(faults(examples: []) == ["kit do: it has no example"])
        #expect(faults(examples: [Example("kit undo", "x")]) == ["kit do: “kit undo” is no example of it"])
    }

    @Test("A key that the command does not list traps, since it is a mistake in the code")
    func unlistedKey() async {
        await #expect(processExitsWith: .failure) {
            guard case .perform(_, let given) = try Kit.table.read(["policy", "show"]) else { return }
            _ = given[Kit.Send.force]
        }
        await #expect(processExitsWith: .failure) {
            guard case .perform(_, let given) = try Kit.table.read(["policy", "show"]) else { return }
            _ = given[Option("json", .duration, help: "x")]
        }
    }

    @Test("Reading returns the command that was reached")
    func path() throws {
        guard case .perform(_, let given) = try Kit.table.read(["policy", "-n", "show"]) else {
            Issue.record("the line asks for no page")
            return
        }
        #expect(given.path == ["kit", "policy", "show"])
        #expect(Kit.table.name == "kit")
    }

    @Test("An option that was not given differs from one with an empty value")
    func boxes() {
        #expect(ReadValue(Int?.none).unboxed(as: Int?.self) == .some(.none))
        #expect(ReadValue(Int?.some(1)).unboxed(as: Int?.self) == 1)
        #expect(ReadValue(1).unboxed(as: Int?.self) == .none)
        #expect(ReadValue(1).unboxed(as: String.self) == nil)
    }
}
