public import Vocabulary

/// The downloads of one game: the wanted versions, the progress of each, and the versions that could not be stored.
///
/// A pure value: each event returns what the caller does, in order. ``SnapshotFetch`` decides for one version.
public struct Downloads: Sendable {
    /// The download of one version.
    public struct Download: Sendable {
        /// The number that distinguishes it from earlier downloads of the same version.
        public let number: Int
        /// The fetch of its pieces.
        public internal(set) var fetch: SnapshotFetch
        /// True if no machine that is online has the missing pieces.
        public internal(set) var isStarved = false
        /// The speed; nil before the size is known.
        public internal(set) var pace: FetchPace?
        /// The connections in which machines were asked for the version although they did not offer it.
        var asked: [PeerID: ExchangeEpoch] = [:]
        /// The time at which other machines last heard of the progress.
        var announced: ContinuousClock.Instant
    }

    /// Effects, which the caller carries out in order.
    public enum Effect: Hashable, Sendable {
        /// Ask a machine for pieces of a version.
        case ask(PeerID, SnapshotID, [PieceReference])
        /// Read the manifest of this download.
        case readManifest(SnapshotID, Int)
        /// Store the version of this download: all its pieces are here.
        case complete(SnapshotID, Int)
        /// Refuse a machine.
        case refuse(PeerID, SaveRefusal)
        /// Search again for versions that are worth fetching.
        case search
    }

    /// The values on which the decisions depend.
    public struct Surroundings {
        let heads: VersionState
        let peers: SharePeers
        let now: ContinuousClock.Instant

        /// - Parameters:
        ///   - heads: the versions
        ///   - peers: the machines that share the game
        ///   - now: the time
        public init(_ heads: VersionState, _ peers: SharePeers, at now: ContinuousClock.Instant) {
            (self.heads, self.peers, self.now) = (heads, peers, now)
        }
    }

    /// The state of the loop of searches for versions that are worth fetching.
    private enum Search {
        case idle
        /// A loop is about to begin a search.
        case wanted
        case running
        /// A search runs, and another one is requested after it.
        case runningAgain
    }

    /// The largest number of lost versions that are coming at once.
    private static let mostLost = 256

    /// The versions that are coming.
    public private(set) var running: [SnapshotID: Download] = [:]
    /// The versions that were whole on this machine and have lost data since. They are fetched again.
    public var incomplete: Set<SnapshotID>
    /// The versions that retention is dropping now.
    public private(set) var discarded: Set<SnapshotID> = []
    /// The versions that could not be stored, for example on a full disk. They are retried.
    public private(set) var unstored: Set<SnapshotID> = []
    /// The time to retry failed versions and machines.
    public var retry = Backoff()
    private var searching = Search.idle
    private var asking = 0
    private var lastNumber = 0

    /// - Parameter incomplete: versions that have lost data
    public init(incomplete: Set<SnapshotID> = []) { self.incomplete = incomplete }

    // MARK: Questions

    /// True if this is the current download of a version, and not an earlier one.
    public func isRunning(_ version: SnapshotID, _ number: Int) -> Bool { running[version]?.number == number }

    /// True if the manifest of this download must still be read.
    public func isReading(_ version: SnapshotID, _ number: Int) -> Bool {
        isRunning(version, number) && running[version]?.fetch.state == .reading
    }

    /// Returns the known versions that are newer than those on this machine, without divergent ones.
    public func newer(than heads: VersionState) -> Set<SnapshotID> {
        unstored.union(running.keys).filter { version in heads.heads.allSatisfy { heads.graph.supersedes(version, $0) }
        }
    }

    /// True if a version is lost completely, including its own record.
    public func isLost(_ version: SnapshotID, _ heads: VersionState) -> Bool {
        incomplete.contains(version) && !heads.held.contains(version)
    }

    /// True if a version is coming that this machine never had as a whole.
    public var isAnyNew: Bool { running.keys.contains { !incomplete.contains($0) } }

    /// True if no new version is coming from the machines that are online. Versions that were whole here before do not
    /// count.
    public func isQuiet(_ heads: VersionState, _ peers: SharePeers) -> Bool {
        !isSearching
            && !running.keys.contains {
                !(incomplete.contains($0) && heads.held.contains($0)) && peers.isOffered($0)
            }
    }

    /// The speed of the largest download.
    public var pace: FetchPace? {
        running.filter { !incomplete.contains($0.key) }.values.compactMap(\.pace)
            .max { $0.progress.total < $1.progress.total }
    }

    // MARK: Searches

    /// True while a search runs, or the daemon asks machines again.
    public var isSearching: Bool { isSearchUnderWay || asking > 0 }

    /// True while a search for versions that are worth fetching runs.
    public var isSearchUnderWay: Bool { searching != .idle }

    /// Requests a search. One search serves all calls before it begins. Two searches at once would begin the same
    /// downloads twice.
    /// - Returns: true if the caller must start the loop of searches
    public mutating func requestSearch() -> Bool {
        switch searching {
        case .idle:
            searching = .wanted
            return true
        case .running: searching = .runningAgain
        case .wanted, .runningAgain: break
        }
        return false
    }

    /// Begins the next search of the loop.
    /// - Returns: false if none is requested; then the loop ends
    public mutating func beginSearch() -> Bool {
        defer { searching = searching == .wanted || searching == .runningAgain ? .running : .idle }
        return searching == .wanted || searching == .runningAgain
    }

    /// Notes that the daemon asks machines again or stores their answers, or that this has ended.
    public mutating func note(asking isAsking: Bool) { asking += isAsking ? 1 : -1 }

    /// Decides which versions are worth fetching, the newest first, and cancels the others.
    /// - Parameter place: returns the place of a version in the order in which versions came to this machine
    public mutating func search(
        _ around: Surroundings,
        place: (SnapshotID) -> Int
    ) -> (wanted: [SnapshotID], cancelled: Set<SnapshotID>) {
        let heads = around.heads
        // Lost versions are wanted in any case, and there may be many of them.
        let begun = unstored.union(running.keys).filter { !isLost($0, heads) }
        let offers = around.peers.online.values.flatMap(\.offers)
        let missing = inBounds(heads.missing(among: begun.union(offers).sorted()), around)
        let wanted = missing + owed(around, place).filter { !missing.contains($0) }
        let cancelled = unstored.union(running.keys).subtracting(wanted)
        for version in cancelled { cancel(version) }
        return (wanted, cancelled)
    }

    /// Returns the versions that were whole and have lost data. Completely lost ones begin if a machine is online that
    /// may have them: the latest first, and a limited number at once. Those that no machine has make room for others.
    private func owed(_ around: Surroundings, _ place: (SnapshotID) -> Int) -> [SnapshotID] {
        let lost = incomplete.filter { isLost($0, around.heads) }
        let begun = lost.filter { running[$0] != nil }
        let room = Self.mostLost - begun.count { isUnderWay($0) }
        var next: [SnapshotID] = []
        if room > 0, around.peers.isAnyToAsk {
            next = lost.subtracting(begun).map { ($0, place($0)) }.sorted { $0.1 > $1.1 }.map(\.0)
        }
        return Array(incomplete.intersection(around.heads.held)) + begun + next.prefix(max(0, room))
    }

    private func isUnderWay(_ version: SnapshotID) -> Bool { running[version]?.isStarved == false }

    /// True if so many lost versions were begun without success that others should begin: at least half of the places
    /// are free. A search for each free place would cost too much: each one goes through all versions.
    private func areLostToBegin(_ heads: VersionState) -> Bool {
        let lost = incomplete.filter { isLost($0, heads) }
        return lost.contains { running[$0] == nil } && lost.count(where: isUnderWay) <= Self.mostLost / 2
    }

    /// Returns at most as many divergent versions as a game may have, including those on this machine: another machine
    /// can make versions without end. A version that replaces one on this machine adds none.
    private func inBounds(_ versions: [SnapshotID], _ around: Surroundings) -> [SnapshotID] {
        let (limit, heads) = (SnapshotHead.maximumCount, around.heads)
        // If several versions would replace the same one, only one of them does; the others are divergent.
        var replaced: Set<SnapshotID> = []
        let following = versions.filter { version in
            heads.heads.contains { heads.graph.supersedes(version, $0) && replaced.insert($0).inserted }
        }
        let beside = Set(versions).subtracting(following).sorted()
        return
            (around.peers.few(of: following, limit)
            + around.peers.few(of: beside, max(0, limit - heads.heads.count))).sorted()
    }

    // MARK: One download

    /// Begins a download. Returns no effects if another call has begun it, or the version is no longer missing.
    /// - Parameter missing: the pieces of its manifest that are not here
    public mutating func begin(
        _ version: SnapshotID,
        missing: some Sequence<PieceReference>,
        _ around: Surroundings
    ) -> [Effect] {
        unstored.remove(version)
        guard running[version] == nil, !around.heads.held.contains(version) || incomplete.contains(version) else {
            return []
        }
        lastNumber += 1
        running[version] = Download(
            number: lastNumber,
            fetch: SnapshotFetch(version, missing: missing),
            announced: around.now
        )
        // `.starved` is left out: no machine was asked yet.
        let actions = running[version]?.fetch.begin() ?? []
        return follow(actions.filter { $0 != .starved }, version, around)
    }

    /// Asks the machines that are online for a version.
    public mutating func findPeers(for version: SnapshotID, _ around: Surroundings) -> [Effect] {
        let (peers, isOffered) = (around.peers, around.peers.isOffered(version))
        var effects: [Effect] = []
        for (peer, part) in peers.online where running[version] != nil && !part.offers.isEmpty {
            // A machine that does not offer the version is asked once in each connection. If it is silent, it is asked
            // after it has answered.
            if !isOffered {
                let epoch = peers.epochs[peer]
                guard !peers.silent.contains(peer), running[version]?.asked[peer] != epoch else { continue }
                running[version]?.asked[peer] = epoch
            }
            effects += follow(running[version]?.fetch.found(peer) ?? [], version, around)
        }
        return effects
    }

    /// A machine is offline, or was refused.
    public mutating func lost(_ peer: PeerID, _ around: Surroundings) -> [Effect] {
        // The download is changed in place: a copy costs as much as it has pieces.
        Array(running.keys).flatMap { follow(running[$0]?.fetch.lost(peer) ?? [], $0, around) }
    }

    /// A machine stopped answering. Others are asked, and it is asked again once it answers.
    public mutating func stalled(_ peer: PeerID, _ around: Surroundings) -> [Effect] {
        Array(running.keys).flatMap { version in
            running[version]?.asked[peer] = nil
            return follow(running[version]?.fetch.stalled(peer) ?? [], version, around)
        }
    }

    /// Allows all machines to be asked again for a version.
    public mutating func forgetAsked(_ version: SnapshotID) { running[version]?.asked = [:] }

    /// True if a version still needs a piece, whether or not a machine was asked for it.
    public func isMissing(_ piece: PieceID, of version: SnapshotID) -> Bool {
        running[version]?.fetch.isMissing(piece) == true
    }

    /// A machine sent a piece that a version needs.
    /// - Parameter isSound: true if the piece is complete and its content matches its name
    public mutating func received(
        _ piece: PieceID,
        length: Int,
        isSound: Bool,
        from peer: PeerID,
        _ version: SnapshotID,
        _ around: Surroundings
    ) -> [Effect] {
        let isAsked = running[version]?.fetch.expects(piece, from: peer) == true
        let actions: [SnapshotFetch.Action]? =
            switch (isSound, isAsked) {
            case (true, true): running[version]?.fetch.received(piece, from: peer)
            case (true, false): running[version]?.fetch.came(piece, length: length)
            case (false, true): running[version]?.fetch.receivedOther(than: piece, from: peer)
            case (false, false): nil
            }
        return follow(actions ?? [], version, around)
    }

    /// A machine does not have a piece that it was asked for.
    public mutating func isWithout(
        _ piece: PieceID,
        of version: SnapshotID,
        _ peer: PeerID,
        _ around: Surroundings
    ) -> [Effect] {
        guard running[version]?.fetch.expects(piece, from: peer) == true else { return [] }
        return follow(running[version]?.fetch.isWithout(piece, peer) ?? [], version, around)
    }

    /// The caller has read the manifest.
    /// - Parameter missing: the pieces of its files that are not here
    public mutating func manifestRead(
        _ version: SnapshotID,
        missing: some Sequence<PieceReference>,
        _ around: Surroundings
    ) -> [Effect] { follow(running[version]?.fetch.manifestRead(missing: missing) ?? [], version, around) }

    /// The manifest breaks the rules of its form, so that the version does not come.
    public mutating func manifestRefused(
        _ version: SnapshotID,
        _ error: SaveFormatError,
        _ around: Surroundings
    ) -> [Effect] {
        let actions = running[version]?.fetch.manifestRefused(error) ?? []
        running[version] = nil
        return follow(actions, version, around)
    }

    /// Returns the progress of a download; nil if other machines heard of it less than a second ago.
    public mutating func progress(of version: SnapshotID, at now: ContinuousClock.Instant) -> FetchProgress? {
        guard let progress = running[version]?.fetch.progress else { return nil }
        if running[version]?.pace == nil { running[version]?.pace = FetchPace(progress, at: now) }
        running[version]?.pace?.moved(to: progress, at: now)
        guard let last = running[version]?.announced, now - last >= .seconds(1) else { return nil }
        running[version]?.announced = now
        return progress
    }

    /// Notes that a version could not be stored, so that it is retried.
    /// - Parameter number: the number of its download; nil if it has not begun
    public mutating func storeFailed(_ version: SnapshotID, _ number: Int?, at now: ContinuousClock.Instant) {
        retry.failed(at: now)
        if let number {
            guard isRunning(version, number) else { return }
            running[version] = nil
        }
        unstored.insert(version)
    }

    /// Notes that a version is stored, so that the next failure waits for the shortest time. Machines that failed are
    /// still asked again.
    public mutating func stored(_ peers: SharePeers, at now: ContinuousClock.Instant) {
        retry.worked()
        if !peers.silent.isEmpty || !peers.metadataFailed.isEmpty { retry.failed(at: now) }
    }

    /// A download is over.
    public mutating func finish(_ version: SnapshotID, _ number: Int) {
        if isRunning(version, number) { running[version] = nil }
    }

    private mutating func cancel(_ version: SnapshotID) {
        running[version] = nil
        unstored.remove(version)
    }

    /// Cancels all downloads, because this machine stops sharing the game.
    /// - Returns: the versions that were coming
    public mutating func cancelAll() -> [SnapshotID] {
        defer { (running, unstored) = ([:], []) }
        return Array(running.keys)
    }

    // MARK: Retention

    /// Cancels the downloads of versions that retention drops. A completely fetched version is stored in a moment and
    /// is not cancelled.
    /// - Returns: the cancelled versions
    public mutating func discard(_ versions: [SnapshotID]) -> [SnapshotID] {
        discarded = Set(versions)
        let coming = versions.filter { running[$0] != nil }
        for version in coming { running[version] = nil }
        return coming
    }

    /// Notes that retention is over.
    public mutating func endDiscarding() { discarded = [] }

    /// True if all pieces of a version are here and it is about to be stored.
    public func isAboutToBeStored(_ version: SnapshotID) -> Bool { running[version]?.fetch.state == .complete }

    // MARK: What follows

    private mutating func follow(
        _ actions: [SnapshotFetch.Action],
        _ version: SnapshotID,
        _ around: Surroundings
    ) -> [Effect] { actions.compactMap { follow($0, version, around) } }

    private mutating func follow(
        _ action: SnapshotFetch.Action,
        _ version: SnapshotID,
        _ around: Surroundings
    ) -> Effect? {
        switch action {
        case .ask(let peer, let pieces):
            running[version]?.isStarved = false
            return .ask(peer, version, pieces)
        case .readManifest: return running[version].map { .readManifest(version, $0.number) }
        case .complete: return running[version].map { .complete(version, $0.number) }
        case .refuse(let peer, let refusal): return .refuse(peer, refusal)
        case .starved:
            running[version]?.isStarved = true
            // A machine that offers the version may have found damage, and repair it later.
            if around.peers.isOffered(version) { retry.failed(at: around.now) }
            // Another lost version can begin in its place.
            let isPlaceFree = isLost(version, around.heads) && around.peers.isAnyToAsk && areLostToBegin(around.heads)
            return isPlaceFree ? .search : nil
        }
    }
}
