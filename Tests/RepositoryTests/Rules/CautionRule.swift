/// Code that can end the program or switch off the compiler's care needs a comment that says because of what.
enum CautionRule {
    static func findings(in source: SwiftSource) -> [Finding] {
        source.tokens.indices.compactMap { index -> Finding? in
            guard let what = caution(at: index, in: source.tokens) else { return nil }
            let line = source.tokens[index].line
            guard !source.comments(at: line).lowercased().contains("because") else { return nil }
            return Finding(
                path: source.path,
                line: line,
                text: "\(what) without a “because” on or right above the line"
            )
        }
    }

    private static func caution(at index: Int, in tokens: [Token]) -> String? {
        let text = tokens[index].text
        let next = index + 1 < tokens.count ? tokens[index + 1] : nil
        let previous = index > 0 ? tokens[index - 1] : nil
        switch text {
        case "unchecked" where previous?.text == "@": return "@unchecked"
        case "unsafe" where previous?.text == "(": return "nonisolated(unsafe)"
        case "fatalError" where next?.text == "(": return "fatalError"
        case "!": return tokens[index].isAttached ? mark(after: previous, before: next) : nil
        case _ where text.hasPrefix("unsafe") && text != "unsafe" && next?.text == "(": return text
        default: return nil
        }
    }

    /// A mark that touches the word before it: `try!`, `as!`, `value!`. `a!=b` is a comparison.
    private static func mark(after previous: Token?, before next: Token?) -> String? {
        guard let previous, !(next?.text == "=" && next?.isAttached == true) else { return nil }
        switch previous.text {
        case "try", "as": return previous.text + "!"
        case ")", "]", ">", "?", "}": return "forced unwrapping"
        default: return previous.isWord ? "forced unwrapping" : nil
        }
    }
}
