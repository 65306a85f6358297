/// Goes through Swift source byte by byte and sorts it into code and comments; both come out as long as the source,
/// with blanks in place of the other's bytes, so that lines and columns stay. Texts are blank in both, but what is
/// interpolated into them is code.
struct SourceSplitter {
    private enum Context {
        case code(openParentheses: Int)
        case text(hashes: Int, isMultiline: Bool)
    }

    private let source: [UInt8]
    private var index = 0
    private var stack: [Context] = [.code(openParentheses: 0)]
    private(set) var code: [UInt8]
    private(set) var comments: [UInt8]

    init(_ text: String) {
        source = Array(text.utf8)
        code = source.map { $0 == UInt8(ascii: "\n") ? $0 : UInt8(ascii: " ") }
        comments = code
    }

    mutating func split() {
        while index < source.count {
            let isSpecial = Self.specialBytes.contains(source[index])
            switch stack[stack.count - 1] {
            case .code where !isSpecial: keep()
            case .text where !isSpecial: index += 1
            case .code(let open): stepInCode(open)
            case .text(let hashes, let isMultiline): stepInText(hashes, isMultiline)
            }
        }
    }

    /// Bytes that may begin or end something. Nearly all bytes are others, and are passed over quickly.
    private static let specialBytes = Set("/#\"()\\\n".utf8)

    private mutating func stepInCode(_ open: Int) {
        let hashes = source[index...].prefix { $0 == UInt8(ascii: "#") }.count
        if looksAt("//") {
            skip(untilAfter: "\n", asComment: true)
        } else if looksAt("/*") {
            skipBlockComment()
        } else if looksAt("\"", after: hashes) {
            index += hashes
            let isMultiline = looksAt("\"\"\"")
            index += isMultiline ? 3 : 1
            stack.append(.text(hashes: hashes, isMultiline: isMultiline))
        } else if hashes > 0, looksAt("/", after: hashes) {
            skip(untilAfter: "/" + String(repeating: "#", count: hashes), asComment: false)
        } else {
            countParenthesis(open)
            keep()
        }
    }

    private mutating func countParenthesis(_ open: Int) {
        switch source[index] {
        case UInt8(ascii: "("):
            stack[stack.count - 1] = .code(openParentheses: open + 1)
        case UInt8(ascii: ")") where open == 0 && stack.count > 1:
            // The end of an interpolation; the text goes on.
            stack.removeLast()
        case UInt8(ascii: ")"):
            stack[stack.count - 1] = .code(openParentheses: max(0, open - 1))
        default:
            break
        }
    }

    private mutating func stepInText(_ hashes: Int, _ isMultiline: Bool) {
        let marks = String(repeating: "#", count: hashes)
        let end = (isMultiline ? "\"\"\"" : "\"") + marks
        if looksAt("\\\(marks)(") {
            index += hashes + 1
            keep()
            stack.append(.code(openParentheses: 0))
        } else if looksAt("\\\(marks)") {
            index += hashes + 2
        } else if looksAt(end) || (!isMultiline && looksAt("\n")) {
            index += looksAt(end) ? end.utf8.count : 0
            stack.removeLast()
        } else {
            index += 1
        }
    }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            let step = looksAt("/*") || looksAt("*/") ? 2 : 1
            depth += looksAt("/*") ? 1 : looksAt("*/") ? -1 : 0
            for _ in 0..<step { keepComment() }
        } while depth > 0 && index < source.count
    }

    private mutating func skip(untilAfter end: String, asComment: Bool) {
        while index < source.count, !looksAt(end) {
            if asComment { keepComment() } else { index += 1 }
        }
        index += end.utf8.count
    }

    private mutating func keep() {
        code[index] = source[index]
        index += 1
    }

    private mutating func keepComment() {
        comments[index] = source[index]
        index += 1
    }

    private func looksAt(_ text: String, after offset: Int = 0) -> Bool {
        source[min(index + offset, source.count)...].starts(with: text.utf8)
    }
}
