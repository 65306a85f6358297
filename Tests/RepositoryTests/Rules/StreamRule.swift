/// An `AsyncStream` buffers without bound by default, so each names its policy.
enum StreamRule {
    static func findings(in source: SwiftSource) -> [Finding] {
        let tokens = source.tokens
        return tokens.indices.compactMap { index in
            guard ["AsyncStream", "AsyncThrowingStream"].contains(tokens[index].text),
                isBare(afterName: index, in: tokens)
            else { return nil }
            let text = "\(tokens[index].text) without bufferingPolicy: buffers have a bound"
            return Finding(path: source.path, line: tokens[index].line, text: text)
        }
    }

    private static func isBare(afterName name: Int, in tokens: [Token]) -> Bool {
        var index = afterGenerics(name + 1, in: tokens)
        if text(index, tokens) == ".", text(index + 1, tokens) == "makeStream" { index += 2 }
        switch text(index, tokens) {
        case "(":
            let arguments = call(from: index, in: tokens)
            return !arguments.contains("bufferingPolicy") && !arguments.contains("unfolding")
        case "{":
            // After a colon or an arrow it is a type, and the brace begins a body.
            return ![":", ">"].contains(text(name - 1, tokens))
        default:
            return false
        }
    }

    private static func afterGenerics(_ start: Int, in tokens: [Token]) -> Int {
        guard text(start, tokens) == "<" else { return start }
        var (index, depth) = (start, 0)
        repeat {
            depth += text(index, tokens) == "<" ? 1 : text(index, tokens) == ">" ? -1 : 0
            index += 1
        } while depth > 0 && index < tokens.count
        return index
    }

    private static func call(from open: Int, in tokens: [Token]) -> Set<String> {
        var (index, depth, words) = (open, 0, Set<String>())
        repeat {
            depth += text(index, tokens) == "(" ? 1 : text(index, tokens) == ")" ? -1 : 0
            words.insert(text(index, tokens))
            index += 1
        } while depth > 0 && index < tokens.count
        return words
    }

    private static func text(_ index: Int, _ tokens: [Token]) -> String {
        tokens.indices.contains(index) ? tokens[index].text : ""
    }
}
