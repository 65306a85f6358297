import LabKit
import LinuxPlatform

/// The checks after each round.
extension Torture {
    /// The time that machines may take to agree after all repairs.
    private static let patience = Duration.seconds(120)

    /// Waits until all hosts show the same version, answers conflicts like a user, and checks that all is whole.
    /// Returns the versions by the names of the games.
    @discardableResult
    func comeToRest() async throws -> [String: String] {
        let end = ContinuousClock.now + Self.patience
        var last = "nothing was seen yet"
        var answered = ContinuousClock.now
        var doubts = FolderDoubts()
        while .now < end {
            let states = try await states()
            evidence.learn(states.joined().map { ($0.set, $0.name) })
            if let heads = agreed(states) {
                var found: [FoundFolder] = []
                let difference = try await difference(from: heads, &found)
                // A state that is equal before and after the reading did not change meanwhile: no version is shown
                // twice.
                if !found.isEmpty, agreed(try await self.states()) != heads { found = [] }
                try doubts.take(found, at: .now)
                guard let difference else {
                    note(doubts)
                    for host in hosts {
                        try await host.requireNoCrash()
                        try await host.comesToRest()
                    }
                    evidence.comesToRest()
                    return heads
                }
                last = difference
            } else {
                try doubts.take([], at: .now)
                last = Self.text(states)
                // Apparent conflicts end by themselves once all versions have arrived.
                if .now - answered > .seconds(2) {
                    try await answer(states)
                    answered = .now
                }
            }
            try await pause(.milliseconds(150))
        }
        throw TortureError("the hosts don't agree: \(last)")
    }

    private func states() async throws -> [[TorturedHost.SetState]] {
        var states: [[TorturedHost.SetState]] = []
        for host in hosts { states.append(try await host.sets()) }
        return states
    }

    private func note(_ doubts: FolderDoubts) {
        if doubts.count > 0 { report.count("folders of which the same was still said afterwards", doubts.count) }
        let milliseconds =
            doubts.longest.components.seconds * 1_000 + doubts.longest.components.attoseconds / 1_000_000_000_000_000
        report.raise("milliseconds that such a folder stayed so", to: Int(milliseconds))
    }

    /// The one version of each game that all hosts show; nil if they differ.
    private func agreed(_ states: [[TorturedHost.SetState]]) -> [String: String]? {
        var heads: [String: String] = [:]
        for state in states.joined() {
            guard state.state == "in-sync", let shown = state.snapshot, state.heads == [shown] else { return nil }
            guard heads.updateValue(shown, forKey: state.name) ?? shown == shown else { return nil }
        }
        return heads.count == TortureGame.Kind.allCases.count ? heads : nil
    }

    /// Fixes the conflicts of all hosts.
    private func answer(_ states: [[TorturedHost.SetState]]) async throws {
        for kind in TortureGame.Kind.allCases {
            let split = zip(hosts, states).filter { $1.contains { $0.name == kind.rawValue && $0.state == "conflict" } }
            guard let (host, states) = split.randomElement(using: &dice) else { continue }
            let heads = states.first { $0.name == kind.rawValue }?.heads ?? []
            if kind == .scores { throw TortureError("\(host.name): the rules did not merge the scores") }
            guard let choice = heads.randomElement(using: &dice).map({ "@\($0)" }) else { continue }
            // The conflict may have ended meanwhile, which is fine as well.
            _ = try? await host.huddle(["fix", kind.rawValue, "--keep", choice])
            report.count("conflicts answered")
        }
    }

    private typealias FoundFolder = (doubt: FolderDoubts.Doubt, fault: String, excused: Bool)

    /// Reads every disk. Throws lasting faults, and returns those that may still change, with the folders that differ.
    private func difference(from heads: [String: String], _ found: inout [FoundFolder]) async throws -> String? {
        var first: String?
        for host in hosts {
            let difference = try await difference(on: host, from: heads, &found)
            first = first ?? difference
        }
        return first
    }

    private func difference(
        on host: TorturedHost,
        from heads: [String: String],
        _ found: inout [FoundFolder]
    ) async throws -> String? {
        // Versions that are reported from here on may be stored after the reading.
        let promised = await host.promised
        let before = try await versionsSaid(by: host)
        let lines: [[String]]
        do {
            lines = try await host.look(knowing: evidence.known(to: host.name))
        } catch {
            // A folder that is being changed may disappear while it is read.
            return "\(error)"
        }
        let said = before.intersection(try await versionsSaid(by: host))
        // A torn save of one host is sent to the others, and may arrive before its maker is known.
        var (excused, open) = (Set<String>(), Set<TortureGame.Kind>())
        for host in hosts {
            excused.formUnion(await host.excused)
            open.formUnion(await host.tornByGame)
        }
        // Each save is logged before it is whole, so every save on disk is logged by now.
        for host in hosts { evidence.learn(savings: try host.savings(), on: host.name) }
        if let torn = evidence.unexplained(lines, excused, open) { return "\(host.name): \(torn)" }
        let count = try evidence.take(lines, of: host.name, excused, keeping: said)
        report.count("versions captured or fetched", count)
        if let missing = evidence.missing(of: promised, at: host.name) {
            throw TortureError("\(host.name) has said that it keeps \(missing), and does not")
        }
        let ownTorn = Set(await host.tornByGame.map(\.rawValue))
        var first: String?
        for line in lines where line[0] == "tree" {
            guard let kind = TortureGame.Kind(rawValue: line[1]), let seen = SeenTree(line.dropFirst(2)),
                let head = heads[line[1]],
                let finding = evidence.finding(
                    of: seen,
                    kind,
                    on: host.name,
                    showing: head,
                    isCoarse: host.hasCoarseTimes
                )
            else { return "\(host.name) has not kept what it shows of \(line[1])" }
            switch finding {
            case .same: break
            case .onlyTouched: report.count("folders that a game has only touched")
            case .untrue, .other:
                let isUntrue = finding == .untrue
                let doubt = FolderDoubts.Doubt(host: host.name, kind: line[1], head: head, isInFactsAlone: isUntrue)
                report.count("looks at a folder that was not what had been said")
                found.append((doubt, seen.fault, ownTorn.contains(line[1])))
                await host.say("\(doubt): \(seen.fault)")
                first = first ?? "\(doubt)"
                if !isUntrue { continue }
            }
            // A version that another host has made since the states were read may be on its way here. A lost one stays
            // lost.
            if kind == .scores, let worse = evidence.lostScore(in: seen) { first = first ?? "\(host.name): \(worse)" }
        }
        if let debris = lines.first(where: { $0[0] == "debris" }) {
            return "\(host.name): \(debris.dropFirst().joined(separator: " ")) was left beside the sets"
        }
        return first
    }

    /// The versions that a daemon reports for games whose old versions are deleted. They must be those of before,
    /// except the deleted ones.
    private func versionsSaid(by host: TorturedHost) async throws -> Set<String> {
        var all: Set<String> = []
        for kind in TortureGame.Kind.allCases where kind.keptCount != nil {
            let promised = await host.promisedForAWhile[kind] ?? []
            let listed = try await host.versions(of: kind, among: 10_000)
            if let broken = TortureEvidence.brokenPromise(promised, listed, of: kind, at: host.name) {
                throw TortureError(broken)
            }
            let said = Set(listed.filter(\.isWhole).map(\.id))
            if let few = evidence.tooFew(said, of: kind, at: host.name) { throw TortureError(few) }
            all.formUnion(said)
        }
        return all
    }

    private static func text(_ states: [[TorturedHost.SetState]]) -> String {
        states.enumerated().map { place, sets in
            let texts = sets.map { set in
                "\(set.name) \(set.state ?? "?") heads \((set.heads ?? []).map { $0.prefix(10) }) "
                    + "shown \(set.snapshot?.prefix(10) ?? "nothing") \(set.present == true ? "" : "(alone)")"
            }
            return "H\(place + 1): \(texts.joined(separator: "; "))"
        }.joined(separator: " | ")
    }

    /// Restores an old version on a host, and checks that all hosts get it.
    func restoreSomething() async throws {
        let kind = TortureGame.Kind.plain
        let host = hosts[Int.random(in: 0..<hosts.count, using: &dice)]
        // A version that another host has made and replaced before it was sent is not here.
        guard let version = try await host.wholeVersions(of: kind).randomElement(using: &dice) else { return }
        for host in hosts { await host.say("restore \(version)") }
        _ = try await host.huddle(["restore", "\(kind.rawValue)@\(version)"])
        guard let head = try await comeToRest()[kind.rawValue],
            evidence.trees[head]?.contents == evidence.trees[version]?.contents
        else {
            throw TortureError("\(version) was restored on \(host.name), and the hosts show something else")
        }
        report.count("versions restored")
    }
}
