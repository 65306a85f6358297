import Vocabulary

/// One step of the path to a value, as errors spell it: `people[0].height`, `$objects[7].NS.objects[2]`.
enum PathStep {
    case key(String)
    case index(Int)

    /// The key itself if it is a word, else in quotes and fit to print: `people["the first"]`.
    fileprivate var text: String {
        switch self {
        case .index(let index): return "[\(index)]"
        case .key(let key):
            let shown = PrintableText(key, limit: 80).description
            if !key.isEmpty, key.utf8.count <= 80, key.unicodeScalars.allSatisfy(Self.mayStandPlain) { return shown }
            return "[\"\(shown.unicodeScalars.map { $0 == "\"" ? "\\\"" : String($0) }.joined())\"]"
        }
    }

    private static func mayStandPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", "$", "@", ":": true
        default: !scalar.isASCII && PrintableText.isHarmless(scalar) && !scalar.properties.isWhitespace
        }
    }
}

extension ArchiveError {
    /// The same error, seen from one step further out.
    func inside(_ step: PathStep) -> ArchiveError {
        let joint = path.isEmpty || path.hasPrefix("[") || path.hasPrefix("…") ? "" : "."
        return ArchiveError(kind, detail, at: step.text + joint + path, offset: offset)
    }

    /// The same error with the path to it, the outermost step first. Of very many steps, those in the middle are left
    /// out.
    func inside(_ steps: some RandomAccessCollection<PathStep>) -> ArchiveError {
        let last = steps.suffix(steps.count > 24 ? 8 : 24).reversed().reduce(self) { $0.inside($1) }
        guard steps.count > 24 else { return last }
        let cut = ArchiveError(kind, detail, at: "…" + last.path, offset: offset)
        return steps.prefix(12).reversed().reduce(cut) { $0.inside($1) }
    }
}
