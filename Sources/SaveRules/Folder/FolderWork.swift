/// The work on one game's folder, step by step: scan it, merge two versions, or apply the newest version.
///
/// A pure value: the worker asks for the next step and reports how it ended. `docs/machines/folder-work.md` has its
/// table.
public struct FolderWork: Sendable {
    /// The scan that is requested.
    public enum Scan: String, Hashable, Sendable {
        case none
        /// The watch has reported that no program writes there.
        case settled
        /// A program may write there. The scan first looks for one.
        case writerUnknown
    }

    /// A step of the worker.
    public enum Step: Hashable, Sendable {
        case scan(Order)
        case merge(SnapshotID, SnapshotID)
        case apply(SnapshotID)
    }

    /// The kind of a scan.
    public struct Order: Hashable, Sendable {
        /// True if the scan must first look for a program that writes there.
        public let asksForWriter: Bool
        /// True if it reads every byte, even of files that look unchanged.
        public let readsEveryByte: Bool
    }

    /// The states of the worker.
    public enum Phase: Hashable, Sendable {
        /// It sleeps.
        case idle
        /// It waits for the mutex of the folder.
        case waiting
        case working(Step)
    }

    /// The origin of changes that no scan has read, until the folder settles.
    private enum Changes {
        case none
        /// The daemon has applied a version, which the watch reports as changes.
        case own
        case foreign
    }

    /// The scan that is requested.
    public private(set) var scan = Scan.none
    private var changes = Changes.none
    /// The state of the worker.
    public private(set) var phase = Phase.idle
    /// True while the daemon applies a version, so that no game may begin.
    public private(set) var isChanging = false
    /// True if the next scan reads every byte. It stays true after a scan that fails.
    private var readsEveryByte = false
    private var merges: [[SnapshotID]] = []
    /// The version that was tried last, until something changes.
    private var tried: SnapshotID?
    /// The version that can't be applied because a program uses the folder. The watch has looked for that program.
    private var inUse: SnapshotID?
    private var (scanning, applying, merging) = (Backoff(), Backoff(), Backoff())

    /// Creates a value without work.
    public init() {}

    // MARK: The worker

    /// The worker has woken up.
    public mutating func wake() { phase = .waiting }

    /// The worker goes to sleep.
    public mutating func rest() { phase = .idle }

    /// Takes the next step; nil if there is none.
    /// - Parameter pending: the version that must be applied
    public mutating func next(pending: SnapshotID?) -> Step? {
        guard let step = takeNext(pending) else { return nil }
        phase = .working(step)
        return step
    }

    private mutating func takeNext(_ pending: SnapshotID?) -> Step? {
        if scan != .none {
            defer { (scan, readsEveryByte) = (.none, false) }
            return .scan(Order(asksForWriter: scan == .writerUnknown, readsEveryByte: readsEveryByte))
        }
        if !merges.isEmpty {
            let pair = merges.removeFirst()
            return .merge(pair[0], pair[1])
        }
        return pending.flatMap { $0 == tried ? nil : .apply($0) }
    }

    /// True if the worker sleeps and has nothing to do.
    public func isQuiet(pending: SnapshotID?) -> Bool {
        phase == .idle && scan == .none && merges.isEmpty && (pending == nil || pending == tried)
    }

    // MARK: Scans

    /// True if a program is known to have changed the folder since the last scan.
    public var hasUnreadChanges: Bool {
        if case .working(.scan) = phase { return true }
        return scan != .none || changes == .foreign
    }

    /// The watch reports that the folder changes. It reports this once until the folder settles.
    public mutating func changing() {
        if changes == .none { changes = .foreign }
    }

    /// The watch reports that the folder has changed and that no program writes there.
    public mutating func settled() { (scan, tried, changes) = (.settled, nil, .none) }

    /// Requests a scan, although the watch has not reported that the folder settled.
    public mutating func requestScan(ofEveryByte isThorough: Bool = false) {
        scan = .writerUnknown
        if isThorough { readsEveryByte = true }
    }

    /// A scan has ended. The report of the watch that no program wrote was valid for that scan only.
    public mutating func scanEnded() {
        if scan == .settled { scan = .writerUnknown }
    }

    /// A scan has read the whole folder.
    public mutating func scanWorked() {
        scanning.worked()
        changes = .none
    }

    /// A scan stopped because a program writes in the folder. The watch requests the next one.
    public mutating func scanPostponed(ofEveryByte isThorough: Bool) {
        if isThorough { readsEveryByte = true }
    }

    /// A scan failed and is retried.
    public mutating func scanFailed(ofEveryByte isThorough: Bool = false, at now: ContinuousClock.Instant) {
        scanPostponed(ofEveryByte: isThorough)
        scanning.failed(at: now)
    }

    // MARK: Merges

    /// Requests a merge of two versions by the rules of the game.
    public mutating func requestMerge(_ one: SnapshotID, _ other: SnapshotID) { merges.append([one, other]) }

    /// A merge is made, or is known to be impossible.
    public mutating func mergeWorked() { merging.worked() }

    /// A merge could not be made or stored, and is retried.
    public mutating func mergeFailed(at now: ContinuousClock.Instant) { merging.failed(at: now) }

    // MARK: Versions to apply

    /// The daemon begins to apply a version. It does not try the same version twice unless something changes.
    public mutating func beginApplying(_ version: SnapshotID) {
        tried = version
        if changes == .none { changes = .own }
    }

    /// The daemon begins to change the folder, or has ended.
    public mutating func note(changing isChanging: Bool) { self.isChanging = isChanging }

    /// Something has changed, so that a version that could not be applied is retried.
    /// - Returns: true if there was one
    @discardableResult
    public mutating func retryApplying() -> Bool {
        defer { tried = nil }
        return tried != nil
    }

    /// A version is applied.
    public mutating func applyWorked() {
        applying.worked()
        // The folder had no unknown changes, or the version could not have been applied.
        changes = .own
    }

    /// A version could not be applied, and is retried.
    public mutating func applyFailed(at now: ContinuousClock.Instant) { applying.failed(at: now) }

    /// A program uses the folder, so that a version can't be applied.
    /// - Returns: true if the watch must look for that program: once for each version
    public mutating func foundInUse(by version: SnapshotID) -> Bool {
        defer { inUse = version }
        return inUse != version
    }

    /// True if this version can't be applied because a program uses the folder.
    public func isKeptOut(_ version: SnapshotID) -> Bool { inUse == version }

    // MARK: Other events

    /// The game has another folder. The needed merges follow from the versions again.
    public mutating func folderChanged() { (merges, tried, inUse, changes) = ([], nil, nil, .none) }

    /// The time at which ``deadlinePassed(at:nextMerge:)`` is due; nil if nothing is retried.
    public var deadline: ContinuousClock.Instant? {
        [scanning.due, applying.due, merging.due].compactMap { $0 }.min()
    }

    /// The time of ``deadline`` has passed. The worker looks for its next step then.
    /// - Parameter nextMerge: the two versions to merge next
    public mutating func deadlinePassed(at now: ContinuousClock.Instant, nextMerge: [SnapshotID]?) {
        if scanning.isDue(at: now) { requestScan() }
        if applying.isDue(at: now) { tried = nil }
        if merging.isDue(at: now), merges.isEmpty, let nextMerge { merges.append(nextMerge) }
    }
}
