import SessionRules
import Vocabulary
import Workbench

/// What a machine does, in the form of its page in `docs/machines`: a row for each state, a column for each event.
struct MachineTable<Machine> {
    struct Row {
        let name: String
        let make: () throws -> Machine
    }

    struct Column {
        let name: String
        /// The rows in which only a mistake of the caller can bring this event: there it traps.
        let traps: Set<String>
        let perform: (inout Machine) throws -> [Any]
    }

    let page: String
    let state: (Machine) -> String
    var rows: [Row] = []
    var columns: [Column] = []

    init(_ page: String, state: @escaping (Machine) -> String) {
        self.page = page
        self.state = state
    }

    mutating func row(_ name: String, _ make: @escaping () throws -> Machine) {
        rows.append(Row(name: name, make: make))
    }

    mutating func column(
        _ name: String,
        traps: Set<String> = [],
        _ perform: @escaping (inout Machine) throws -> [Any]
    ) {
        columns.append(Column(name: name, traps: traps, perform: perform))
    }

    /// The table as the page has it, line by line.
    func lines() throws -> [String] {
        let title = "| | " + columns.map(\.name).joined(separator: " | ") + " |"
        let rule = "|" + String(repeating: "---|", count: columns.count + 1)
        return try [title, rule]
            + rows.map { row in
                "| **\(row.name)** | " + (try columns.map { try cell(row, $0) }).joined(separator: " | ") + " |"
            }
    }

    /// The first table of the page.
    func documented() throws -> [String] {
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
        } catch is ProtocolViolation {
            return state(machine) == before ? "violation" : "a violation that changes something"
        }
    }

    /// The name of an action, with the reason it carries.
    private func described(_ action: Any) -> String {
        let mirror = Mirror(reflecting: action)
        guard let child = mirror.children.first, let label = child.label else { return "\(action)" }
        switch child.value {
        case let reason as PartingReason: return "\(label) \(reason.word)"
        case let reason as PartingReason?: return "\(label) \(reason?.word ?? "yes")"
        case let outcome as TransferOutcome: return "\(label) \(described(outcome))"
        case let pins as Bool where label == "join": return pins ? "join and pin" : "join"
        case let join where label == "join":
            return Mirror(reflecting: join).children.contains { $0.value as? Bool == true } ? "join and pin" : "join"
        case _: return label
        }
    }
}
