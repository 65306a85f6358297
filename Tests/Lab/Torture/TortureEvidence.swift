/// What was found on the hosts' disks so far, against which each further look is held.
struct TortureEvidence: Sendable {
    /// What a version holds, by its name: all of it, and names and contents alone.
    private(set) var trees: [String: Tree] = [:]

    struct Tree: Equatable, Sendable {
        let whole: String
        let contents: String
    }
    private var kept: [String: Set<String>] = [:]
    private var best: [String: Int] = [:]

    /// The versions that were found whole on a host.
    func known(to host: String) -> Set<String> { kept[host] ?? [] }

    /// Takes in what was found on a host, and answers how many versions are new there.
    /// - Parameter excused: versions, by the beginning of their names, that a game may have left torn itself
    mutating func take(_ lines: [[String]], of host: String, _ excused: Set<String>) throws -> Int {
        var count = 0
        for line in lines {
            switch line[0] {
            case "lost": throw TortureError("\(host) has lost a version: \(line.dropFirst().joined(separator: " "))")
            case "version":
                let (id, tree, fault) = (line[2], Tree(whole: line[3], contents: line[4]), line[5])
                if fault != SetLook.whole, !isExcused(id, tree.contents, excused) {
                    throw TortureError("\(host): version \(id.prefix(10)) is torn: \(fault)")
                }
                guard trees.updateValue(tree, forKey: id) ?? tree == tree else {
                    throw TortureError("\(host): version \(id.prefix(10)) is not the same everywhere")
                }
                if kept[host, default: []].insert(id).inserted { count += 1 }
                for (name, score) in Self.scores(line.dropFirst(6)) { best[name] = max(best[name] ?? 0, score) }
            default: break
            }
        }
        return count
    }

    /// A version that is torn, and of which it is not said yet whether a game that the power has interrupted left it so.
    /// - Parameter open: the sets of such games of which no version was told of yet
    mutating func unexplained(_ lines: [[String]], _ excused: Set<String>, _ open: Set<String>) -> String? {
        for line in lines where line[0] == "version" && line[5] != SetLook.whole && open.contains(line[1]) {
            if !isExcused(line[2], line[4], excused) { return "version \(line[2].prefix(10)) is torn: \(line[5])" }
        }
        return nil
    }

    private var excusedTrees: Set<String> = []

    /// Whoever brings an old version back, or chooses it, makes another one of the same contents.
    private mutating func isExcused(_ id: String, _ tree: String, _ excused: Set<String>) -> Bool {
        if excused.contains(where: { id.hasPrefix($0) }) { excusedTrees.insert(tree) }
        return excusedTrees.contains(tree)
    }

    /// A version that was promised to be kept and is not there.
    func missing(of promised: Set<String>, at host: String) -> String? {
        let known = Set(known(to: host).map { String($0.prefix(10)) })
        return promised.subtracting(known).first
    }

    /// A score that somebody had and that a table of now has no longer.
    func lostScore(in line: [String]) -> String? {
        guard line[1] == TortureGame.Kind.scores.rawValue else { return nil }
        let now = Dictionary(Self.scores(line.dropFirst(5)), uniquingKeysWith: max)
        let lost = best.first { now[$0.key] ?? 0 < $0.value }
        return lost.map { "the score \($0.value) of \($0.key) is lost" }
    }

    private static func scores(_ words: ArraySlice<String>) -> [(String, Int)] {
        words.joined().split(separator: ",").compactMap { text in
            let parts = text.split(separator: "=")
            guard parts.count == 2, let score = Int(parts[1]) else { return nil }
            return (String(parts[0]), score)
        }
    }
}
