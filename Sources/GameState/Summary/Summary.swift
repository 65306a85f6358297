public import SecureArchive
import Vocabulary

/// What a save says to a person who has to choose between two.
public struct Summary: Sendable, Equatable {
    /// One fact.
    public struct Line: Sendable, Equatable {
        /// Such as `score` or `play time`. Fit to print.
        public let label: String
        /// What it is, in words. Fit to print.
        public let text: String
        /// The same for programs: a number, a text, a date, a list.
        public let value: ArchiveValue

        /// - Parameters:
        ///   - label: such as `play time`; made fit to print here
        ///   - text: made fit to print here
        ///   - value: the same for programs
        public init(_ label: String, _ text: String, _ value: ArchiveValue) {
            self.label = PrintableText(label, limit: 80).description
            self.text = PrintableText(text, limit: 200).description
            self.value = value
        }
    }

    /// What kind of save it is, such as `tic-tac-toe`; nil where nobody knows.
    public var game: String?
    /// In the order in which they are told.
    public var lines: [Line]

    /// - Parameters:
    ///   - game: what kind of save it is
    ///   - lines: in the order in which they are told
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

    /// `{game, lines: [{label, text, value}]}`, in which everything can be said in JSON: dates are texts.
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
