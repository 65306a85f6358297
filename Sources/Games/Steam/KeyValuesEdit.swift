/// A change of one text in a file of keys and values, which leaves every other byte as it is.
///
/// Steam ends up with default settings if its file is damaged, so a file that is cut or nested wrongly is not changed.
struct KeyValuesEdit {
    /// The keys down to the text. Their case does not count, just as Steam reads them.
    let path: [String]
    /// The new text; nil removes the key.
    let value: String?

    /// A block on the way to the text, or the block in which the text belongs.
    private struct Block {
        /// The number of keys of the path that lead to the block.
        var depth: Int
        /// The index of its closing brace.
        var end: Int
    }

    /// The file after the change; nil if it is damaged, or does not begin with the first key.
    func applied(to bytes: [UInt8]) -> [UInt8]? {
        guard !bytes.contains(0) else { return nil }
        var tokens = KeyValuesTokens(bytes)
        var open: [String] = []
        var key: (text: String, start: Int)?
        var deepest: Block?
        var found: (key: Int, value: Range<Int>)?
        while true {
            tokens.skipSpaces()
            let start = tokens.position
            guard let token = tokens.next() else { break }
            switch token {
            case .text(let text):
                guard let name = key else {
                    key = (text, start)
                    continue
                }
                key = nil
                if found == nil, leads(open + [name.text], to: path.count) {
                    found = (name.start, start..<tokens.position)
                }
            case .open:
                guard let name = key, open.count < KeyValuesReader.deepest else { return nil }
                key = nil
                open.append(name.text)
            case .close:
                guard key == nil, !open.isEmpty else { return nil }
                if open.count < path.count, leads(open, to: open.count), deepest.map({ $0.depth < open.count }) != false
                {
                    deepest = Block(depth: open.count, end: start)
                }
                open.removeLast()
            }
        }
        guard open.isEmpty, key == nil, !tokens.isBroken, let deepest else { return nil }
        guard let found else { return value.map { insert($0, in: deepest, of: bytes) } ?? bytes }
        guard let value else { return removing(found.key..<found.value.upperBound, from: bytes) }
        return Array(bytes[..<found.value.lowerBound]) + Self.quoted(value) + bytes[found.value.upperBound...]
    }

    private func leads(_ keys: [String], to depth: Int) -> Bool {
        keys.count == depth && zip(keys, path).allSatisfy { $0.lowercased() == $1.lowercased() }
    }

    private func insert(_ value: String, in block: Block, of bytes: [UInt8]) -> [UInt8] {
        let missing = path[block.depth...]
        var lines: [UInt8] = []
        func line(_ depth: Int, _ text: [UInt8]) {
            lines += [UInt8](repeating: UInt8(ascii: "\t"), count: depth) + text + [UInt8(ascii: "\n")]
        }
        for (step, name) in missing.dropLast().enumerated() {
            line(block.depth + step, Self.quoted(name))
            line(block.depth + step, [UInt8(ascii: "{")])
        }
        line(path.count - 1, Self.quoted(path[path.count - 1]) + Array("\t\t".utf8) + Self.quoted(value))
        for depth in (block.depth..<path.count - 1).reversed() { line(depth, [UInt8(ascii: "}")]) }
        // The brace's own line keeps its tabs.
        let lineStart = bytes[..<block.end].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let isAlone = bytes[lineStart..<block.end].allSatisfy { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
        let place = isAlone ? lineStart : block.end
        return Array(bytes[..<place]) + (isAlone ? [] : [UInt8(ascii: "\n")]) + lines + bytes[place...]
    }

    /// Removes a key with its text, and the line if nothing else is on it.
    private func removing(_ span: Range<Int>, from bytes: [UInt8]) -> [UInt8] {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\t") || byte == UInt8(ascii: " ") }
        var (start, end) = (span.lowerBound, span.upperBound)
        while start > 0, isSpace(bytes[start - 1]) { start -= 1 }
        while end < bytes.count, isSpace(bytes[end]) || bytes[end] == UInt8(ascii: "\r") { end += 1 }
        let isWholeLine = start == 0 || bytes[start - 1] == UInt8(ascii: "\n")
        guard isWholeLine, end < bytes.count, bytes[end] == UInt8(ascii: "\n") else {
            return Array(bytes[..<span.lowerBound]) + bytes[span.upperBound...]
        }
        return Array(bytes[..<start]) + bytes[(end + 1)...]
    }

    private static func quoted(_ text: String) -> [UInt8] {
        var bytes = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        return bytes + [UInt8(ascii: "\"")]
    }
}
