/// The input line with its cursor and its history.
struct InputLine: Equatable {
    private(set) var before = ""
    private(set) var after = ""

    /// Entered lines, the oldest first, and the line in progress while the user browses them.
    private var past: [String] = []
    private var place = 0
    private var draft = ""

    private static let pastLimit = 50

    var text: String { before + after }

    /// The part of the line around the cursor that fits.
    func shown(in columns: Int) -> (before: String, after: String) {
        let shown = before.suffix(columns: columns)
        return (shown, after.prefix(columns: columns - shown.columns))
    }

    /// Handles a key; returns the whole line after Enter.
    mutating func take(_ key: Keyboard.Key) -> String? {
        switch key {
        case .text(let scalar):
            // A longer line would not be sent completely.
            if text.unicodeScalars.count < Word.chatLimit { before.unicodeScalars.append(scalar) }
        case .left: if let character = before.popLast() { after = "\(character)\(after)" }
        case .right:
            before += after.prefix(1)
            after = String(after.dropFirst())
        case .home: (before, after) = ("", text)
        case .end: (before, after) = (text, "")
        case .up: look(at: place - 1)
        case .down: look(at: place + 1)
        case .backspace: _ = before.popLast()
        case .delete, .endOfInput: after = String(after.dropFirst())
        case .deleteWord: before = Self.withoutLastWord(before)
        case .deleteBefore: before = ""
        case .deleteAfter: after = ""
        case .enter: return entered()
        }
        return nil
    }

    private mutating func entered() -> String {
        let line = text
        if !line.isEmpty, line != past.last { past = Array((past + [line]).suffix(Self.pastLimit)) }
        (before, after, place, draft) = ("", "", past.count, "")
        return line
    }

    private mutating func look(at new: Int) {
        guard (0...past.count).contains(new) else { return }
        if place == past.count { draft = text }
        place = new
        (before, after) = (new == past.count ? draft : past[new], "")
    }

    private static func withoutLastWord(_ text: String) -> String {
        let end = text.lastIndex { $0 != " " } ?? text.startIndex
        guard let space = text[..<end].lastIndex(of: " ") else { return "" }
        return String(text[...space])
    }
}
