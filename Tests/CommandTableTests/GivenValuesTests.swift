import CommandTable
import Testing

@Suite("Given values", .timeLimit(.minutes(5)))
struct GivenValuesTests {
    private static let withDefault = Option("default", .duration, default: .seconds(5), environment: "A", help: "x")
    private static let absent = Option("absent", .duration, environment: "B", help: "x")
    private static let required = Option(required: "required", .port, environment: "C", help: "x")
    private static let repeated = Option(repeating: "repeated", .port, environment: "D", help: "x")
    private static let flag = Flag("flag", short: "f", environment: "E", help: "x")
    private static let count = Option(counting: "count", short: "c", help: "x")
    private static let one = Argument("ONE", .text, help: "x")
    private static let some = Argument(repeating: "SOME", .integer(in: 0...9), atLeast: 0, help: "x")
    private static let rest = Argument(rest: "REST", atLeast: 0, help: "x")

    private static let table = ProgramTable(
        Command(
            "all",
            summary: "take everything",
            arguments: [one, some, rest],
            options: [withDefault, absent, required, repeated, flag, count],
            examples: [Example("all --required 1 x", "take it")],
            action: ()
        ),
        version: "1"
    )

    private func given(_ line: String, _ environment: [String: String] = [:]) throws -> GivenValues {
        let words = "\(line) --required 1".split(separator: " ").map(String.init)
        guard case .perform(_, let given) = try Self.table.read(words, environment: environment) else {
            throw NoLine()
        }
        return given
    }

    private struct NoLine: Error {}

    @Test("A value has its source: the command line, the environment or none")
    func origins() throws {
        let given = try given("x 1 --default 9s", ["A": "8s", "B": "7s", "E": "yes"])
        #expect(given.said(Self.withDefault)?.text == "9s" && given.said(Self.withDefault)?.variable == nil)
        #expect(given.said(Self.absent)?.text == "7s" && given.said(Self.absent)?.variable == "B")
        #expect(given.said(Self.flag)?.variable == "E" && given.said(Self.flag)?.option == "--flag")
        #expect(given.said(Self.repeated) == nil)
    }

    @Test("A value has the type of its key without a cast")
    func types() throws {
        let given = try given("x 1 2 -fcc --absent 1s --repeated 1 --repeated 2")
        let withDefault: Duration = given[Self.withDefault]
        let absent: Duration? = given[Self.absent]
        let required: UInt16 = given[Self.required]
        let repeated: [UInt16] = given[Self.repeated]
        let flag: Bool = given[Self.flag]
        let count: Int = given[Self.count]
        let one: String = given[Self.one]
        let some: [Int] = given[Self.some]
        let rest: [String] = given[Self.rest]
        #expect(withDefault == .seconds(5))
        #expect(absent == .seconds(1))
        #expect(required == 1)
        #expect(repeated == [1, 2])
        #expect(flag)
        #expect(count == 2)
        #expect(one == "x")
        #expect(some == [1, 2])
        #expect(rest.isEmpty)
    }

    @Test("A value that was not given is nil, its default or empty")
    func absence() throws {
        let given = try given("x")
        #expect(given[Self.withDefault] == .seconds(5))
        #expect(given[Self.absent] == nil)
        #expect(given[Self.repeated].isEmpty)
        #expect(!given[Self.flag])
        #expect(given[Self.count] == 0)
        #expect(given[Self.some].isEmpty)
    }

    @Test("A value comes from the environment if the line has none, and only once")
    func environment() throws {
        let variables = ["A": "1s", "B": "2s", "C": "9", "D": "3", "E": "yes"]
        let silent = try given("x", variables)
        #expect(silent[Self.withDefault] == .seconds(1))
        #expect(silent[Self.absent] == .seconds(2))
        #expect(silent[Self.required] == 1)
        #expect(silent[Self.repeated] == [3])
        #expect(silent[Self.flag])
        let spoken = try given("x --default 7s --absent 8s --repeated 4", variables)
        #expect(spoken[Self.withDefault] == .seconds(7))
        #expect(spoken[Self.absent] == .seconds(8))
        #expect(spoken[Self.repeated] == [4])
    }

    @Test("The words after two dashes are unchanged")
    func followsDashes() throws {
        let words = ["x", "--required", "1", "--", "-f", "--", "", "a b"]
        guard case .perform(_, let given) = try Self.table.read(words) else { throw NoLine() }
        #expect(given[Self.rest] == ["-f", "--", "", "a b"])
        #expect(!given[Self.flag])
    }

    @Test("The table of these tests has no faults")
    func isSound() {
        #expect(Self.table.faults == [])
    }
}
