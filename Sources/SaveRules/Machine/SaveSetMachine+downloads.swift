import Vocabulary

/// The downloads of a game.
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

    /// Requests a search for versions that are worth fetching. It has an effect only if no search loop runs.
    public mutating func search() -> [SaveSetEffect] { downloads.requestSearch() ? [.search] : [] }

    /// Begins the next search of the loop.
    /// - Returns: false if none is requested; then the loop ends
    public mutating func beginSearch() -> Bool { downloads.beginSearch() }

    /// Notes that the daemon asks machines again or stores their answers, or that this has ended.
    public mutating func note(asking isAsking: Bool) { downloads.note(asking: isAsking) }

    /// Decides which versions are worth fetching, the newest first, and cancels the others.
    /// - Parameter place: returns the place of a version in the order in which versions came to this machine
    public mutating func wantedVersions(
        at now: ContinuousClock.Instant,
        place: (SnapshotID) -> Int
    ) -> (wanted: [SnapshotID], cancelled: Set<SnapshotID>) {
        downloads.search(surroundings(at: now), place: place)
    }

    /// Notes a failure: the daemon retries later.
    public mutating func retryLater(at now: ContinuousClock.Instant) { downloads.retry.failed(at: now) }

    /// Returns the progress of a download; nil if other machines heard of it less than a second ago.
    public mutating func progress(of version: SnapshotID, at now: ContinuousClock.Instant) -> FetchProgress? {
        downloads.progress(of: version, at: now)
    }
}
