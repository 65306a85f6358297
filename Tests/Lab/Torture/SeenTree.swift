/// What `torture look` says of a folder or of a version, in the words of one line.
struct SeenTree: Equatable, Sendable {
    /// One name for all of it, one for all but times, and one for names and contents alone.
    let whole: String
    let timeless: String
    let contents: String
    /// Why the game would say that it is torn.
    let fault: String
    /// Of which saving it is.
    let stamp: String
    /// The scores, as a table of them has them.
    let scores: [String: Int]

    init(_ tree: GameTree) {
        (whole, timeless, contents) = (tree.name, tree.timelessName, tree.contentsName)
        (stamp, scores) = (tree.stamp, tree.scores)
        fault = tree.fault?.split(separator: " ").joined(separator: "_") ?? SetLook.whole
    }

    /// Nil where that are not the words of one.
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
