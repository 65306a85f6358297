/// What was found on the hosts' disks so far, against which each further look is held.
struct TortureEvidence: Sendable {
    /// What a version holds, by its name.
    private(set) var trees: [String: Tree] = [:]

    /// All of a version, all but times, and names and contents alone.
    struct Tree: Equatable, Sendable {
        let whole: String
        let timeless: String
        let contents: String
    }
    /// What each set is, by what the daemons call it.
    private var kinds: [String: TortureGame.Kind] = [:]
    /// Which host each machine is, by what versions call it.
    private var makers: [String: String] = [:]
    /// Of what kind each version is.
    private var kindsOfVersions: [String: TortureGame.Kind] = [:]
    private var kept: [String: Set<String>] = [:]
    private var best: [String: Int] = [:]
    /// Which savings games have made since all was at rest.
    private var savings: [Place: Set<String>] = [:]
    /// Where a game has only touched what a version holds, and what came of that.
    private var touched: [Place: Touch] = [:]

    /// One set's folder on one host.
    private struct Place: Hashable {
        let host: String
        let kind: TortureGame.Kind
    }

    private struct Touch: Equatable {
        let head: String
        let whole: String
        let stamp: String
    }

    /// The versions that were found whole on a host.
    func known(to host: String) -> Set<String> { kept[host] ?? [] }

    /// Takes in what the daemons call their sets.
    mutating func learn(_ sets: some Sequence<(set: String, name: String)>) {
        for (set, name) in sets { kinds[set] = TortureGame.Kind(rawValue: name) }
    }

    /// Takes in what a host's versions say of who has read them from a folder.
    mutating func learn(maker: String, isOn host: String) { makers[maker] = host }

    /// Takes in which savings games have noted down on a host since all was at rest.
    mutating func learn(savings: [TortureGame.Kind: Set<String>], on host: String) {
        for (kind, stamps) in savings { self.savings[Place(host: host, kind: kind)] = stamps }
    }

    /// All is at rest: what is saved from here on is what games write from here on, but for what they have only
    /// touched, which may be read late.
    mutating func comesToRest() { savings = [:] }

    /// Takes in what was found on a host, and answers how many versions are new there.
    /// - Parameters:
    ///   - excused: versions, by the beginning of their names, that a game may have left torn itself
    ///   - said: the versions that the daemon said it keeps, before the look and afterwards, of sets of which old ones
    ///     go
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
                guard let seen = SeenTree(line.dropFirst(4)) else { throw TortureError("\(host): what is \(line)?") }
                kindsOfVersions[line[2]] = kinds[line[1]]
                let (id, tree) = (line[2], Tree(whole: seen.whole, timeless: seen.timeless, contents: seen.contents))
                if let fault = fault(of: line, seen, excused) {
                    throw TortureError("\(host): version \(id.prefix(10)) is \(fault)")
                }
                guard trees.updateValue(tree, forKey: id) ?? tree == tree else {
                    throw TortureError("\(host): version \(id.prefix(10)) is not the same everywhere")
                }
                if kept[host, default: []].insert(id).inserted { count += 1 }
                for (name, score) in seen.scores { best[name] = max(best[name] ?? 0, score) }
            default: break
            }
        }
        if let missing = said.subtracting(known(to: host)).first {
            throw TortureError("\(host) says that it keeps \(missing.prefix(10)), and does not")
        }
        return count
    }

    /// What is wrong with a version that is not excused: that the game would find it torn; or that a machine has read
    /// it from its folder, and no game has saved that there since all was at rest, as where half of a change, or what
    /// was there before one, counts as a new save.
    private mutating func fault(of line: [String], _ seen: SeenTree, _ excused: Set<String>) -> String? {
        let isOfGame = excused.contains { line[2].hasPrefix($0) }
        if seen.fault != SetLook.whole {
            // Whoever brings an old version back, or chooses it, makes another one of the same contents.
            if isOfGame { excusedTrees.insert(seen.contents) }
            return excusedTrees.contains(seen.contents) ? nil : "torn: \(seen.fault)"
        }
        // What was found before was held against what games had saved by then.
        guard !isOfGame, line[3] != SetLook.noMaker, trees[line[2]] == nil else { return nil }
        guard let maker = makers[line[3]], let kind = kinds[line[1]] else { return "of nobody who is known" }
        let place = Place(host: maker, kind: kind)
        guard savings[place]?.contains(seen.stamp) != true, touched[place]?.stamp != seen.stamp else { return nil }
        return "what no game on \(maker) has saved since all was at rest"
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

    /// A version that is torn, or that no game has saved, and of which it is not said yet whether a game that the power
    /// has interrupted left it so.
    /// - Parameter open: the sets of such games of which no version was told of yet
    mutating func unexplained(_ lines: [[String]], _ excused: Set<String>, _ open: Set<TortureGame.Kind>) -> String? {
        for line in lines where line[0] == "version" {
            guard let kind = kinds[line[1]], open.contains(kind), let seen = SeenTree(line.dropFirst(4)),
                let fault = fault(of: line, seen, excused)
            else { continue }
            return "version \(line[2].prefix(10)) is \(fault)"
        }
        return nil
    }

    private var excusedTrees: Set<String> = []

    /// A version that was promised to be kept and is not there.
    func missing(of promised: Set<String>, at host: String) -> String? {
        let known = Set(known(to: host).map { String($0.prefix(10)) })
        return promised.subtracting(known).first
    }

    /// A version as its daemon lists it, also one that it has let go of.
    struct ListedVersion: Sendable {
        let id: String
        let isWhole: Bool
    }

    /// The first version that its daemon said it keeps and dropped too early, for a game with a limited number of versions.
    ///
    /// Versions of two machines may share a number, so the order in which they came counts.
    /// - Parameter listed: all versions of the game, the earliest first
    static func brokenPromise(
        _ promised: Set<String>,
        _ listed: [ListedVersion],
        of kind: TortureGame.Kind,
        at host: String
    ) -> String? {
        guard let count = kind.keptCount else { return nil }
        for short in promised.sorted() {
            guard let place = listed.firstIndex(where: { $0.id.hasPrefix(short) }) else {
                return "\(host) has said that it keeps \(short) of \(kind), and knows nothing of it"
            }
            let later = listed.count - place - 1
            guard listed[place].isWhole || later >= count else {
                return
                    "\(host) has said that it keeps \(short) of \(kind), and does not, though only \(later) came later"
            }
        }
        return nil
    }

    /// How a folder stands to the version that it is said to show.
    enum FolderFinding: Equatable {
        case same
        /// A game on this host has touched what another machine has saved, which makes no version.
        case onlyTouched
        /// Modes or times are others, and no game has saved there since it was as it should be.
        case untrue
        case other
    }

    /// Holds a folder against the version that it is said to show. Nil where that was not found in any history.
    /// - Parameter isCoarse: whether the disk keeps whole seconds. Huddle takes it for one that may be off by a few of
    ///   them there.
    mutating func finding(
        of seen: SeenTree,
        _ kind: TortureGame.Kind,
        on host: String,
        showing head: String,
        isCoarse: Bool
    ) -> FolderFinding? {
        guard let wanted = trees[head] else { return nil }
        guard seen.contents == wanted.contents else { return .other }
        let place = Place(host: host, kind: kind)
        if seen.whole == wanted.whole {
            touched[place] = nil
            return .same
        }
        let touch = Touch(head: head, whole: seen.whole, stamp: seen.stamp)
        // Once touched, it stays so until another version comes.
        guard savings[place]?.isEmpty == false || touched[place] == touch else {
            return isCoarse && seen.timeless == wanted.timeless ? .same : .untrue
        }
        touched[place] = touch
        return .onlyTouched
    }

    /// A score that somebody had and that a table of now has no longer.
    func lostScore(in seen: SeenTree) -> String? {
        let lost = best.first { seen.scores[$0.key] ?? 0 < $0.value }
        return lost.map { "the score \($0.value) of \($0.key) is lost" }
    }
}
