/// What was found on the hosts' disks so far, against which each further look is held.
struct TortureEvidence: Sendable {
    /// What a version holds, by its name: all of it, and names and contents alone.
    private(set) var trees: [String: Tree] = [:]

    struct Tree: Equatable, Sendable {
        let whole: String
        let contents: String
    }
    /// What each set is, by what the daemons call it.
    private var kinds: [String: TortureGame.Kind] = [:]
    /// Of what kind each version is.
    private var kindsOfVersions: [String: TortureGame.Kind] = [:]
    private var kept: [String: Set<String>] = [:]
    private var best: [String: Int] = [:]

    /// The versions that were found whole on a host.
    func known(to host: String) -> Set<String> { kept[host] ?? [] }

    /// Takes in what the daemons call their sets.
    mutating func learn(_ sets: some Sequence<(set: String, name: String)>) {
        for (set, name) in sets { kinds[set] = TortureGame.Kind(rawValue: name) }
    }

    /// Takes in what was found on a host, and answers how many versions are new there.
    /// - Parameters:
    ///   - excused: versions, by the beginning of their names, that a game may have left torn itself
    ///   - said: the versions that the daemon said it keeps, before the look and afterwards, of sets of which old ones go
    mutating func take(
        _ lines: [[String]],
        of host: String,
        _ excused: Set<String>,
        keeping said: Set<String> = []
    ) throws -> Int {
        var count = 0
        for line in lines {
            switch line[0] {
            case "lost": try letGo(of: line[2], kinds[line[1]], at: host, said, because: line.dropFirst(3))
            case "gone":
                try letGo(of: line[1], kindsOfVersions[line[1]], at: host, said, because: ["is", "kept", "no", "more"])
            case "version":
                kindsOfVersions[line[2]] = kinds[line[1]]
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
        if let missing = said.subtracting(known(to: host)).first {
            throw TortureError("\(host) says that it keeps \(missing.prefix(10)), and does not")
        }
        return count
    }

    /// Versions go where they are to, and none that is said to be kept.
    private mutating func letGo(
        of id: String,
        _ kind: TortureGame.Kind?,
        at host: String,
        _ said: Set<String>,
        because words: ArraySlice<String>
    ) throws {
        guard kind?.keptCount != nil, !said.contains(id) else {
            throw TortureError("\(host) has lost a version: \(id) \(words.joined(separator: " "))")
        }
        if kept[host, default: []].remove(id) != nil { goneCount += 1 }
    }

    /// How many versions were let go of, as their sets are to.
    private(set) var goneCount = 0

    /// Where a daemon says that it keeps fewer versions of a set than it is to, and so many were found there before.
    func tooFew(_ said: Set<String>, of kind: TortureGame.Kind, at host: String) -> String? {
        let found = known(to: host).count { kindsOfVersions[$0] == kind }
        guard let least = kind.keptCount.map({ min($0, found) }), said.count < least else { return nil }
        return "\(host) keeps \(said.count) versions of \(kind), and should \(least)"
    }

    /// A version that is torn, and of which it is not said yet whether a game that the power has interrupted left it so.
    /// - Parameter open: the sets of such games of which no version was told of yet
    mutating func unexplained(_ lines: [[String]], _ excused: Set<String>, _ open: Set<TortureGame.Kind>) -> String? {
        for line in lines where line[0] == "version" && line[5] != SetLook.whole {
            guard let kind = kinds[line[1]], open.contains(kind) else { continue }
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
