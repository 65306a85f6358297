import Vocabulary

/// The versions of a game that come to this machine.
extension SaveSetMachine {
    func surroundings(at now: ContinuousClock.Instant) -> Downloads.Surroundings {
        Downloads.Surroundings(heads, peers, at: now)
    }

    mutating func handle(
        _ event: SaveSetEvent.Download,
        of version: SnapshotID,
        at now: ContinuousClock.Instant
    ) -> [SaveSetEffect] {
        let around = surroundings(at: now)
        switch event {
        case .begins(let missing): return downloaded(downloads.begin(version, missing: missing, around))
        case .findPeers: return downloaded(downloads.findPeers(for: version, around))
        case .received(let piece, let length, let isSound, let peer):
            return downloaded(
                downloads.received(piece, length: length, isSound: isSound, from: peer, version, around)
            )
        case .isWithout(let piece, let peer): return downloaded(downloads.isWithout(piece, of: version, peer, around))
        case .manifestRead(let missing):
            return downloaded(downloads.manifestRead(version, missing: missing, around))
        case .manifestRefused(let error): return downloaded(downloads.manifestRefused(version, error, around))
        case .storeFailed(let number): downloads.storeFailed(version, number, at: now)
        case .stored:
            problems.solved(.fetching)
            downloads.stored(peers, at: now)
        case .finished(let number):
            downloads.finish(version, number)
            return search()
        case .mayBeElsewhere: downloads.forgetAsked(version)
        }
        return []
    }

    mutating func downloaded(_ effects: [Downloads.Effect]) -> [SaveSetEffect] {
        effects.flatMap { effect -> [SaveSetEffect] in effect == .search ? search() : [.download(effect)] }
    }

    /// Other versions may be worth fetching now. The effect comes only if the loop of searches does not run.
    mutating func search() -> [SaveSetEffect] { downloads.requestSearch() ? [.search] : [] }

    /// Requests a search. Answers what the shell carries out.
    public mutating func requestSearch() -> [SaveSetEffect] { search() }

    /// The loop of searches begins the next one. Answers false if none is wanted; then the loop ends.
    public mutating func beginSearch() -> Bool { downloads.beginSearch() }

    /// Machines are asked again, or what they said is written down, or that has ended.
    public mutating func note(asking isAsking: Bool) { downloads.note(asking: isAsking) }

    /// Decides which versions are worth fetching, the newest first, and cancels the others.
    /// - Parameter place: the place of a version among all that came to this machine
    public mutating func wantedVersions(
        at now: ContinuousClock.Instant,
        place: (SnapshotID) -> Int
    ) -> (wanted: [SnapshotID], cancelled: Set<SnapshotID>) {
        downloads.search(surroundings(at: now), place: place)
    }

    /// Something failed, and is tried again later.
    public mutating func retryLater(at now: ContinuousClock.Instant) { downloads.retry.failed(at: now) }

    /// Answers how much of a version has come, if other machines have not heard that for a second.
    public mutating func progress(of version: SnapshotID, at now: ContinuousClock.Instant) -> FetchProgress? {
        downloads.progress(of: version, at: now)
    }
}
