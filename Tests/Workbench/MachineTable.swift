public import Testing

/// The behaviour of a state machine in the form of its page in `docs/machines`: a row for each state, a column for each
/// event.
public struct MachineTable<Machine> {
    /// A state, and the way to it.
    public struct Row {
        let name: String
        let make: () throws -> Machine
    }

    /// An event.
    public struct Column {
        let name: String
        /// The rows in which this event is a mistake of the caller and traps.
        let traps: Set<String>
        let perform: (inout Machine) throws -> [Any]
    }

    private let page: String
    private let state: (Machine) -> String
    private let isViolation: (any Error) -> Bool
    private let words: (Any) -> String?
    private var rows: [Row] = []
    private var columns: [Column] = []

    /// - Parameters:
    ///   - page: the page's name, without its folder and `.md`
    ///   - isViolation: whether a thrown error is the peer's fault
    ///   - words: the text of an action; nil if its name is enough
    ///   - state: the state of a machine
    public init(
        _ page: String,
        isViolation: @escaping (any Error) -> Bool = { _ in false },
        words: @escaping (Any) -> String?,
        state: @escaping (Machine) -> String
    ) {
        (self.page, self.isViolation, self.words, self.state) = (page, isViolation, words, state)
    }

    /// Fails if the page does not have this table, or a row for one of these states is missing, and shows the right
    /// table.
    public func expectDocumented(states: [String], _ location: SourceLocation = #_sourceLocation) throws {
        let lines = try lines()
        #expect(
            try documented() == lines,
            "docs/machines/\(page).md should have:\n\(lines.joined(separator: "\n"))",
            sourceLocation: location
        )
        for row in rows {
            let name = row.name.split(separator: ",").first.map(String.init)
            #expect((try? row.make()).map(state) == name, sourceLocation: location)
        }
        #expect(Set(states).subtracting(rows.map(\.name)).isEmpty, sourceLocation: location)
    }

    /// Adds a state. The part after a comma in its name distinguishes rows of one state.
    public mutating func row(_ name: String, _ make: @escaping () throws -> Machine) {
        rows.append(Row(name: name, make: make))
    }

    /// Adds an event.
    ///
    /// - Parameter traps: the rows in which it is a mistake of the caller and traps
    public mutating func column(
        _ name: String,
        traps: Set<String> = [],
        _ perform: @escaping (inout Machine) throws -> [Any]
    ) {
        columns.append(Column(name: name, traps: traps, perform: perform))
    }

    /// The table as lines of the page.
    private func lines() throws -> [String] {
        let title = "| | " + columns.map(\.name).joined(separator: " | ") + " |"
        let rule = "|" + String(repeating: "---|", count: columns.count + 1)
        return try [title, rule]
            + rows.map { row in
                "| **\(row.name)** | " + (try columns.map { try cell(row, $0) }).joined(separator: " | ") + " |"
            }
    }

    /// The first table of the page.
    private func documented() throws -> [String] {
        let lines = try Repository.text(of: "docs/machines/\(page).md").split(separator: "\n").map(String.init)
        return Array(lines.drop { !$0.hasPrefix("| |") }.prefix { $0.hasPrefix("|") })
    }

    private func cell(_ row: Row, _ column: Column) throws -> String {
        if column.traps.contains(row.name) { return "trap" }
        var machine = try row.make()
        let before = state(machine)
        do {
            let actions = try column.perform(&machine).map(described)
            let after = state(machine)
            let change = after == before ? [] : ["→ \(after)"]
            return actions.isEmpty && change.isEmpty
                ? "–" : ([actions.joined(separator: ", ")].filter { !$0.isEmpty } + change).joined(separator: " ")
        } catch  where isViolation(error) {
            return state(machine) == before ? "violation" : "a violation that changes something"
        }
    }

    /// The name of an action, with its values if they matter.
    private func described(_ action: Any) -> String {
        words(action) ?? Mirror(reflecting: action).children.first?.label ?? "\(action)"
    }
}
