import Vocabulary

/// The command prefix in the settings of one game of Lutris, `system: prefix_command`. Lutris writes them as YAML in
/// blocks, one value a line.
struct LutrisPrefix {
    private static let (section, key) = ("system", "prefix_command")

    private let bytes: [UInt8]
    private let fields: [String: String]
    private let lines: [String]

    /// Reads the settings; nil if the file has no settings of Lutris.
    init?(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        fields = YAMLFields.read(bytes)
        guard !fields.isEmpty else { return nil }
        (self.bytes, lines) = (bytes, text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }

    private var command: String { fields["\(Self.section).\(Self.key)"] ?? "" }

    /// The game that `huddle play` starts; nil without `huddle play`.
    var playedGame: String? { LaunchLine(command + " ").playedGame }

    /// The settings with `huddle play` before the other prefix, or without it; nil if their form is unknown.
    ///
    /// - Parameters:
    ///   - game: the name of the shared game; nil removes `huddle play`
    ///   - program: the path of `huddle`
    func playing(_ game: String?, by program: String) -> [UInt8]? {
        let own = LaunchLine(command + " ").withoutHuddle.text.trimmed
        let huddle = game.map { "\(ShellWord(program)) play \(ShellWord($0)) --from-launcher --" }
        let wanted = [huddle, own.isEmpty ? nil : own].compactMap(\.self).joined(separator: " ")
        guard wanted != command else { return bytes }
        guard let lines = replacing(by: wanted) else { return nil }
        let made = Array(lines.joined(separator: "\n").utf8)
        // Only this value may differ, no matter how the lines were understood.
        var expected = fields
        expected["\(Self.section).\(Self.key)"] = wanted.isEmpty ? nil : wanted
        return YAMLFields.read(made) == expected ? made : nil
    }

    private func replacing(by wanted: String) -> [String]? {
        var lines = lines
        let head = lines.firstIndex { $0 == "\(Self.section):" || $0.hasPrefix("\(Self.section): ") }
        guard let head else {
            guard !wanted.isEmpty else { return nil }
            let isEnded = lines.last == ""
            if isEnded { lines.removeLast() }
            return lines + ["\(Self.section):", Self.line("  ", wanted)] + (isEnded ? [""] : [])
        }
        let inside = lines[(head + 1)...].prefix { $0.hasPrefix(" ") }
        // Anything else behind the name has a form that is not known here, such as an anchor.
        let rest = lines[head].dropFirst(Self.section.count + 1).trimmed
        guard inside.isEmpty ? ["", "{}", "null"].contains(rest) : rest.isEmpty else { return nil }
        let indent = inside.first.map { String($0.prefix { $0 == " " }) } ?? "  "
        guard let place = inside.firstIndex(where: { $0.hasPrefix("\(indent)\(Self.key):") }) else {
            guard !wanted.isEmpty else { return nil }
            if inside.isEmpty { lines[head] = "\(Self.section):" }
            lines.insert(Self.line(indent, wanted), at: head + 1)
            return lines
        }
        // The value may continue in further lines, which are deeper.
        let more = lines[(place + 1)...].prefix { $0.hasPrefix(indent + " ") }
        lines.removeSubrange(place..<more.endIndex)
        if !wanted.isEmpty {
            lines.insert(Self.line(indent, wanted), at: place)
        } else if inside.count == 1 + more.count {
            lines[head] = "\(Self.section): {}"
        }
        return lines
    }

    private static func line(_ indent: String, _ value: String) -> String {
        "\(indent)\(key): '\(value.replacing("'", with: "''"))'"
    }
}

extension StringProtocol {
    /// The text without spaces at its beginning and end.
    fileprivate var trimmed: String {
        let start = drop { $0 == " " }
        return String(start[..<(start.lastIndex { $0 != " " }.map(start.index(after:)) ?? start.startIndex)])
    }
}
