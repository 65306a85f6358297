/// The result of `torture look` for a folder or a version, as one line.
struct SeenTree: Equatable, Sendable {
    /// The digest of all of it, that without times, and that of names and contents.
    let whole: String
    let timeless: String
    let contents: String
    /// The reason why the game would call it torn.
    let fault: String
    /// The stamp of its save.
    let stamp: String
    /// The scores of a table.
    let scores: [String: Int]

    init(_ tree: GameTree) {
        (whole, timeless, contents) = (tree.name, tree.timelessName, tree.contentsName)
        (stamp, scores) = (tree.stamp, tree.scores)
        fault = tree.fault?.split(separator: " ").joined(separator: "_") ?? SetLook.whole
    }

    /// Reads a line; nil if it has another form.
    init?(_ words: ArraySlice<String>) {
        let words = Array(words)
        guard words.count >= 5 else { return nil }
        (whole, timeless, contents) = (words[0], words[1], words[2])
        (fault, stamp) = (words[3], words[4])
        let scores = words.dropFirst(5).joined().split(separator: ",").compactMap { text -> (String, Int)? in
            let parts = text.split(separator: "=")
            guard parts.count == 2, let score = Int(parts[1]) else { return nil }
            return (String(parts[0]), score)
        }
        self.scores = Dictionary(scores, uniquingKeysWith: max)
    }

    var text: String {
        let scores = scores.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
        return "\(whole) \(timeless) \(contents) \(fault) \(stamp) \(scores)"
    }
}
