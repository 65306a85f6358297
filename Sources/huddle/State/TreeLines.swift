import GameState
import SecureArchive

/// A tree as lines for the user, one for each value, from the root downward. They are made on request, so that memory
/// never holds a large save twice.
struct TreeLines: Sequence, IteratorProtocol {
    /// The values on the way to the current line, each with the index of its next part.
    private var open: [(value: ArchiveValue, next: Int)]

    init(below root: ArchiveValue) {
        open = [(root, 0)]
    }

    mutating func next() -> String? {
        while let (value, index) = open.last {
            guard let (step, part) = value.part(index) else {
                open.removeLast()
                continue
            }
            open[open.count - 1].next += 1
            let indentation = String(repeating: "  ", count: open.count - 1)
            if part.partCount > 0 { open.append((part, 0)) }
            return indentation + step.words + ": " + part.words()
        }
        return nil
    }
}
