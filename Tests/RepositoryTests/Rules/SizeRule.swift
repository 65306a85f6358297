/// Files and functions stay small enough to be read at once.
enum SizeRule {
    static let longestFile = 500
    static let longestFunction = 60
    /// For a switch without logic, which a note has to call a flat table.
    static let longestFlatTable = 120

    static func findings(in source: SwiftSource) -> [Finding] {
        let count = source.codeLineCount()
        let file =
            count > longestFile
            ? [Finding(path: source.path, line: 1, text: "\(count) lines of code, \(longestFile) are allowed")] : []
        return file
            + functions(in: source).compactMap { function in
                let count = source.codeLineCount(in: function.lines)
                let isFlat = source.comments(at: function.lines.lowerBound).lowercased().contains("flat table")
                let allowed = isFlat ? longestFlatTable : longestFunction
                guard count > allowed else { return nil }
                let text = "\(function.name) has \(count) lines of code, \(allowed) are allowed"
                return Finding(path: source.path, line: function.lines.lowerBound, text: text)
            }
    }

    /// Every function that has a body, from its first line to its closing brace.
    static func functions(in source: SwiftSource) -> [(name: String, lines: ClosedRange<Int>)] {
        let tokens = source.tokens
        return tokens.indices.compactMap { index in
            guard let name = functionName(at: index, in: tokens), let body = bodyStart(after: index, in: tokens),
                let end = closingBrace(of: body, in: tokens)
            else { return nil }
            return (name, tokens[index].line...tokens[end].line)
        }
    }

    private static func functionName(at index: Int, in tokens: [Token]) -> String? {
        let token = tokens[index]
        let next = index + 1 < tokens.count ? tokens[index + 1].text : ""
        switch token.text {
        case "func": return next
        case "deinit" where next == "{": return "deinit"
        case "init" where ["(", "?", "<"].contains(next) && (index == 0 || tokens[index - 1].text != "."): return "init"
        default: return nil
        }
    }

    /// The first brace outside of parentheses, unless another declaration begins before: then it is a requirement.
    private static func bodyStart(after index: Int, in tokens: [Token]) -> Int? {
        let declarations: Set = ["func", "var", "let", "init", "subscript", "associatedtype", "static", "case", "}"]
        var depth = 0
        for position in (index + 1)..<tokens.count {
            let token = tokens[position]
            switch token.text {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case "{" where depth == 0: return position
            default:
                let beginsLine = token.line > tokens[position - 1].line
                if depth < 0 || (depth == 0 && beginsLine && declarations.contains(token.text)) { return nil }
            }
        }
        return nil
    }

    private static func closingBrace(of start: Int, in tokens: [Token]) -> Int? {
        var depth = 0
        for position in start..<tokens.count {
            switch tokens[position].text {
            case "{": depth += 1
            case "}": depth -= 1
            default: continue
            }
            if depth == 0 { return position }
        }
        return nil
    }
}
