/// The contents of the hosts' disks so far, with which each further reading is compared.
struct TortureEvidence: Sendable {
    /// The contents of each version, by its name.
    private(set) var trees: [String: Tree] = [:]

    /// The digest of all of a version, that without times, and that of names and contents.
    struct Tree: Equatable, Sendable {
        let whole: String
        let timeless: String
        let contents: String
    }
    /// The kind of each game, by the daemons' ID.
    private var kinds: [String: TortureGame.Kind] = [:]
    /// The host of each machine, by the ID in versions.
    private var makers: [String: String] = [:]
    /// The kind of each version.
    private var kindsOfVersions: [String: TortureGame.Kind] = [:]
    private var kept: [String: Set<String>] = [:]
    private var best: [String: Int] = [:]
    /// The stamps of saves since all was at rest.
    private var savings: [Place: Set<String>] = [:]
    /// Folders in which a game has only touched the files of a version, and the result.
    private var touched: [Place: Touch] = [:]

    /// The folder of one game on one host.
    private struct Place: Hashable {
        let host: String
        let kind: TortureGame.Kind
    }

    private struct Touch: Equatable {
        let head: String
        let whole: String
        let stamp: String
    }

    /// The versions that were whole on a host.
    func known(to host: String) -> Set<String> { kept[host] ?? [] }

    /// Adds the IDs of the daemons' games.
    mutating func learn(_ sets: some Sequence<(set: String, name: String)>) {
        for (set, name) in sets { kinds[set] = TortureGame.Kind(rawValue: name) }
    }

    /// Adds the machines that have read versions from a folder, from the versions of a host.
    mutating func learn(maker: String, isOn host: String) { makers[maker] = host }

    /// Adds the stamps of a host's log since all was at rest.
    mutating func learn(savings: [TortureGame.Kind: Set<String>], on host: String) {
        for (kind, stamps) in savings { self.savings[Place(host: host, kind: kind)] = stamps }
    }

    /// Notes that all is at rest. Saves from here on have new stamps, except files that a game has only touched, which
    /// may be scanned late.
    mutating func comesToRest() { savings = [:] }

    /// Adds the reading of a host, and returns the number of new versions.
    ///
    /// - Parameters:
    ///   - excused: the versions that a game may have left torn itself, by the beginning of their names
    ///   - said: the versions that the daemon reported before and after the reading, for games whose old ones are
    ///     deleted
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

    /// The fault of a version without an excuse. Either the game would find it torn. Or a machine has read it from its
    /// folder, and no game has saved that since all was at rest. In that case, half of a change or the state before one
    /// counted as a save.
    private mutating func fault(of line: [String], _ seen: SeenTree, _ excused: Set<String>) -> String? {
        let isOfGame = excused.contains { line[2].hasPrefix($0) }
        if seen.fault != SetLook.whole {
            // A restored or chosen version is another one with the same contents.
            if isOfGame { excusedTrees.insert(seen.contents) }
            return excusedTrees.contains(seen.contents) ? nil : "torn: \(seen.fault)"
        }
        // A version of an earlier reading was compared with the saves of that time.
        guard !isOfGame, line[3] != SetLook.noMaker, trees[line[2]] == nil else { return nil }
        guard let maker = makers[line[3]], let kind = kinds[line[1]] else { return "of an unknown maker" }
        let place = Place(host: maker, kind: kind)
        guard savings[place]?.contains(seen.stamp) != true, touched[place]?.stamp != seen.stamp else { return nil }
        return "what no game on \(maker) has saved since all was at rest"
    }

    /// Checks that only versions are missing that may be deleted.
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

    /// The number of versions that were deleted by the rules of their games.
    private(set) var goneCount = 0

    /// The fault of a daemon that reports fewer versions of a game than it must keep, although they were found before.
    func tooFew(_ said: Set<String>, of kind: TortureGame.Kind, at host: String) -> String? {
        let found = known(to: host).count { kindsOfVersions[$0] == kind }
        guard let least = kind.keptCount.map({ min($0, found) }), said.count < least else { return nil }
        return "\(host) keeps \(said.count) versions of \(kind), and should \(least)"
    }

    /// Returns true for a version that is torn or unknown, as long as a game that a power cut interrupted may have left
    /// it.
    ///
    /// - Parameter open: the games after a power cut without a reported version so far
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

    /// The fault of a version that must be kept and is missing.
    func missing(of promised: Set<String>, at host: String) -> String? {
        let known = Set(known(to: host).map { String($0.prefix(10)) })
        return promised.subtracting(known).first
    }

    /// A version in the list of its daemon, also a deleted one.
    struct ListedVersion: Sendable {
        let id: String
        let isWhole: Bool
    }

    /// The first version that the daemon reported as kept and dropped too early, for a game with a limited number of
    /// versions.
    ///
    /// Versions of two machines may share a number, so the order in which they arrived counts.
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

    /// The difference of a folder from the version that its daemon reports.
    enum FolderFinding: Equatable {
        case same
        /// A game on this host has touched another machine's save, which makes no version.
        case onlyTouched
        /// Modes or times differ, and no game has saved there since it was right.
        case untrue
        case other
    }

    /// Compares a folder with the version that its daemon reports; nil if no history has that version.
    ///
    /// - Parameter isCoarse: true if the disk stores whole seconds, for which Huddle allows a difference of a few
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
        // A touched folder stays touched until another version arrives.
        guard savings[place]?.isEmpty == false || touched[place] == touch else {
            return isCoarse && seen.timeless == wanted.timeless ? .same : .untrue
        }
        touched[place] = touch
        return .onlyTouched
    }

    /// A score of an earlier table that a present one has lost.
    func lostScore(in seen: SeenTree) -> String? {
        let lost = best.first { seen.scores[$0.key] ?? 0 < $0.value }
        return lost.map { "the score \($0.value) of \($0.key) is lost" }
    }
}
