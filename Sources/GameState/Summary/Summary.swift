public import SecureArchive
import Vocabulary

/// The facts of a save for a user who chooses between two.
public struct Summary: Sendable, Equatable {
    /// One fact.
    public struct Line: Sendable, Equatable {
        /// The label, such as `score` or `play time`. Fit to print.
        public let label: String
        /// The fact in words. Fit to print.
        public let text: String
        /// The fact for programs: a number, a text, a date, a list.
        public let value: ArchiveValue

        /// - Parameters:
        ///   - label: such as `play time`; made fit to print here
        ///   - text: made fit to print here
        ///   - value: the fact for programs
        public init(_ label: String, _ text: String, _ value: ArchiveValue) {
            self.label = PrintableText(label, limit: 80).description
            self.text = PrintableText(text, limit: 200).description
            self.value = value
        }
    }

    /// The kind of save, such as `tic-tac-toe`; nil if it is unknown.
    public var game: String?
    /// The lines in their order.
    public var lines: [Line]

    /// - Parameters:
    ///   - game: the kind of save; nil if it is unknown
    ///   - lines: the lines in their order
    public init(game: String?, _ lines: [Line]) {
        self.game = game
        self.lines = lines
    }

    /// The lines with their labels in one column, for a terminal.
    public var text: [String] {
        let width = lines.map(\.label.count).max() ?? 0
        return lines.map { line in
            line.label + String(repeating: " ", count: width - line.label.count + 2) + line.text
        }
    }

    /// `{game, lines: [{label, text, value}]}`, in a form that JSON can express: dates are texts.
    public var tree: ArchiveValue {
        let shown = lines.map { line in
            ArchiveValue.dictionary([
                "label": .string(line.label), "text": .string(line.text),
                "value": GameState(line.value).converted(to: .json, .all).root,
            ])
        }
        return .dictionary(["game": game.map { .string($0) } ?? .null, "lines": .array(shown)])
    }
}
