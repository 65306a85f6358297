import FoundationEssentials

/// The tables of `docs/json-output.md`, with which tests compare the output of `--json`.
///
/// A table of events has the head `event`. Each of its rows names events and their keys. Tables of `huddle state` and
/// `huddle games` have the head `command`, and those of `peer` and of findings `key`. A key with a question mark may be
/// missing.
public struct JSONPage: Sendable {
    /// The keys of one object.
    fileprivate struct Shape: Sendable {
        var needed: Set<String> = []
        var possible: Set<String> = []

        func fault(in keys: Set<String>) -> String? {
            let (missing, strange) = (needed.subtracting(keys), keys.subtracting(needed).subtracting(possible))
            let parts = [("is missing", missing), ("has besides", strange)].filter { !$0.1.isEmpty }
            guard !parts.isEmpty else { return nil }
            return parts.map { "\($0.0) \($0.1.sorted().joined(separator: ", "))" }.joined(separator: " and ")
        }
    }

    /// The shapes of each event; an event of several commands may have several.
    private var events: [String: [Shape]] = [:]
    private var commands: [String: Shape] = [:]
    private var seenPeer = Shape()
    /// The type of each key in the description of the control API.
    private let types: [String: String]

    /// The page and the description of the repository.
    public init() throws {
        let description = try JSONDecoder().decode(
            Description.self,
            from: Data(try Repository.text(of: "docs/openapi.json").utf8)
        )
        types = description.types
        try self.read(try Repository.text(of: "docs/json-output.md"))
    }

    /// Returns true if the page describes an event.
    public func describes(event: String) -> Bool { events[event] != nil }

    /// The difference of a line of output from the page; nil if there is none.
    ///
    /// - Parameter command: `games`, or the subcommand of `state`, such as `show`; nil for all other commands
    public func fault(in line: some StringProtocol, of command: String? = nil) -> String? {
        guard let object = try? JSONDecoder().decode([String: Value].self, from: Data(line.utf8)) else {
            return "is not a JSON object"
        }
        let keys = Set(object.keys)
        if let command, let shape = commands[command] { return shape.fault(in: keys) }
        guard case .text(let event)? = object["event"] else { return "has no event" }
        guard let shapes = events[event] else { return "no table has an event “\(event)”" }
        let faults = shapes.map { $0.fault(in: keys) }
        if !faults.contains(nil) { return faults.compactMap(\.self).joined(separator: "; or ") }
        return fault(inValuesOf: object)
    }

    private func fault(inValuesOf object: [String: Value]) -> String? {
        if case .object(let peer)? = object["peer"], peer["origin"] != nil {
            return seenPeer.fault(in: Set(peer.keys)).map { "its peer \($0)" }
        }
        // An integer is also a number.
        let wrong = object.filter { key, value in
            types[key].map { $0 != value.type && ($0, value.type) != ("number", "integer") } ?? false
        }
        guard let (key, value) = wrong.first else { return nil }
        return "“\(key)” is \(value.type), not \(types[key] ?? "")"
    }
}

// MARK: - The page

extension JSONPage {
    private mutating func read(_ text: String) throws {
        var head: String?
        var findings = Shape()
        var section = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("#") { section = String(line) }
            guard line.hasPrefix("| ") else {
                if !line.hasPrefix("|") { head = nil }
                continue
            }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().map(String.init)
            guard let head, cells.count > 1 else {
                head = cells.first?.filter { $0 != "`" && $0 != " " }
                continue
            }
            switch head {
            case "event":
                for (event, _) in Self.words(cells[0]) { events[event, default: []].append(Self.shape(cells[1])) }
            case "command": for (command, _) in Self.words(cells[0]) { commands[command] = Self.shape(cells[1]) }
            case "key" where section.contains("`peer`"): seenPeer.add(Self.words(cells[0]))
            case "key": findings.add(Self.words(cells[0]))
            default: break
            }
        }
        events["finding"] = [findings]
        for event in events.keys {
            events[event] = events[event]?.map { shape in
                var shape = shape
                shape.needed.insert("event")
                return shape
            }
        }
    }

    private static func shape(_ cell: String) -> Shape {
        var shape = Shape()
        shape.add(words(cell))
        return shape
    }

    /// The texts between backticks, each with true if a question mark follows or ends it.
    private static func words(_ cell: String) -> [(word: String, mayBeMissing: Bool)] {
        let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
        return stride(from: 1, to: parts.count - 1, by: 2).map { place in
            let isOptional = parts[place].hasSuffix("?") || parts[place + 1].hasPrefix("?")
            return (String(parts[place].filter { $0 != "?" }), isOptional)
        }
    }
}

extension JSONPage.Shape {
    fileprivate mutating func add(_ words: [(word: String, mayBeMissing: Bool)]) {
        for (word, mayBeMissing) in words {
            if mayBeMissing { possible.insert(word) } else { needed.insert(word) }
        }
    }
}

// MARK: - JSON

extension JSONPage {
    /// The parts of JSON that the comparison needs.
    private enum Value: Decodable {
        case text(String)
        case flag
        case integer
        case real
        case list
        case object([String: Value])
        case nothing

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .nothing
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if (try? container.decode(Bool.self)) != nil {
                self = .flag
            } else if (try? container.decode(Int64.self)) != nil {
                self = .integer
            } else if (try? container.decode(Double.self)) != nil {
                self = .real
            } else if let object = try? container.decode([String: Value].self) {
                self = .object(object)
            } else {
                _ = try container.decode([Value].self)
                self = .list
            }
        }

        /// The name of the type in JSON Schema.
        var type: String {
            switch self {
            case .text: "string"
            case .flag: "boolean"
            case .integer: "integer"
            case .real: "number"
            case .list: "array"
            case .object: "object"
            case .nothing: "null"
            }
        }
    }

    private struct Description: Decodable {
        struct Components: Decodable {
            let schemas: [String: Schema]
        }

        struct Schema: Decodable {
            let properties: [String: Property]?
        }

        struct Property: Decodable {
            /// A reference is to the schema of a peer, or to the classes of errors.
            enum CodingKeys: String, CodingKey {
                case type
                case reference = "$ref"
            }

            let type: String?
            let reference: String?

            var knownType: String? { reference?.hasSuffix("/Peer") == true ? "object" : type }
        }

        let components: Components

        var types: [String: String] {
            components.schemas.values.reduce(into: [:]) { types, schema in
                types.merge(schema.properties?.compactMapValues(\.knownType) ?? [:]) { first, _ in first }
            }
        }
    }
}
