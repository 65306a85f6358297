/// The work on one game's folder, step by step: scan it, merge two versions, or apply the newest version.
///
/// A pure value: the worker asks for the next step and reports how it ended. `docs/machines/folder-work.md` has its table.
public struct FolderWork: Sendable {
    /// A scan that is wanted.
    public enum Scan: String, Hashable, Sendable {
        case none
        /// The watch says that no program writes there.
        case settled
        /// A program may write there. The scan looks for it first.
        case writerUnknown
    }

    /// One step of the worker.
    public enum Step: Hashable, Sendable {
        case scan(Order)
        case merge(SnapshotID, SnapshotID)
        case apply(SnapshotID)
    }

    /// How to scan.
    public struct Order: Hashable, Sendable {
        /// True to look first for a program that writes there.
        public let asksForWriter: Bool
        /// True to read every byte, also of files that look unchanged.
        public let readsEveryByte: Bool
    }

    /// The state of the worker.
    public enum Phase: Hashable, Sendable {
        /// It sleeps.
        case idle
        /// It waits for its turn at the folder.
        case waiting
        case working(Step)
    }

    /// The origin of changes that no scan has read, before the folder settles.
    private enum Changes {
        case none
        /// The daemon has put a version into the folder. Until the folder settles, the watch hears of that.
        case own
        case foreign
    }

    /// The scan that is wanted.
    public private(set) var scan = Scan.none
    private var changes = Changes.none
    /// The state of the worker.
    public private(set) var phase = Phase.idle
    /// True while a version is being put into the folder, so that no game may begin.
    public private(set) var isChanging = false
    /// True if the next scan reads every byte. This outlives a scan that fails.
    private var readsEveryByte = false
    private var merges: [[SnapshotID]] = []
    /// The version that was tried last, until something changes.
    private var tried: SnapshotID?
    /// The version that a program which uses the folder kept out. The watch has looked for that program.
    private var inUse: SnapshotID?
    private var (scanning, applying, merging) = (Backoff(), Backoff(), Backoff())

    /// Nothing is to be done.
    public init() {}

    // MARK: The worker

    /// The worker is awake.
    public mutating func wake() { phase = .waiting }

    /// The worker goes to sleep.
    public mutating func rest() { phase = .idle }

    /// Takes the next step; nil if there is none.
    /// - Parameter pending: the version that the folder should show and does not
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

    /// True if a program has changed the folder since it was read, as far as is known.
    public var hasUnreadChanges: Bool {
        if case .working(.scan) = phase { return true }
        return scan != .none || changes == .foreign
    }

    /// The watch says that the folder changes. It says so once until the folder settles.
    public mutating func changing() {
        if changes == .none { changes = .foreign }
    }

    /// The watch says that the folder has changed and that no program writes there.
    public mutating func settled() { (scan, tried, changes) = (.settled, nil, .none) }

    /// The folder is to be scanned, although the watch has not said that it settled.
    public mutating func requestScan(ofEveryByte isThorough: Bool = false) {
        scan = .writerUnknown
        if isThorough { readsEveryByte = true }
    }

    /// A scan has looked at the folder. That no program wrote when it settled was true for that scan only.
    public mutating func scanEnded() {
        if scan == .settled { scan = .writerUnknown }
    }

    /// A scan has read the whole folder.
    public mutating func scanWorked() {
        scanning.worked()
        changes = .none
    }

    /// A program writes in the folder, so that the scan stopped. The watch asks for the next one.
    public mutating func scanPostponed(ofEveryByte isThorough: Bool) {
        if isThorough { readsEveryByte = true }
    }

    /// A scan failed, and is tried again.
    public mutating func scanFailed(ofEveryByte isThorough: Bool = false, at now: ContinuousClock.Instant) {
        scanPostponed(ofEveryByte: isThorough)
        scanning.failed(at: now)
    }

    // MARK: Merges

    /// The rules of the game are to merge two versions.
    public mutating func requestMerge(_ one: SnapshotID, _ other: SnapshotID) { merges.append([one, other]) }

    /// A merge is made, or is known to be impossible.
    public mutating func mergeWorked() { merging.worked() }

    /// A merge could not be made or kept, and is tried again.
    public mutating func mergeFailed(at now: ContinuousClock.Instant) { merging.failed(at: now) }

    // MARK: Versions to apply

    /// A version is being put into the folder. Unless something changes, this is not tried twice.
    public mutating func beginApplying(_ version: SnapshotID) {
        tried = version
        if changes == .none { changes = .own }
    }

    /// The folder is being changed now, or no longer.
    public mutating func note(changing isChanging: Bool) { self.isChanging = isChanging }

    /// Something has changed, so that a version which was tried in vain is tried again. Answers whether there was one.
    @discardableResult
    public mutating func retryApplying() -> Bool {
        defer { tried = nil }
        return tried != nil
    }

    /// A version is in the folder.
    public mutating func applyWorked() {
        applying.worked()
        // The folder had nothing but what was known of it, or the version would not be there.
        changes = .own
    }

    /// A version could not be put into the folder, and is tried again.
    public mutating func applyFailed(at now: ContinuousClock.Instant) { applying.failed(at: now) }

    /// A program that uses the folder keeps a version out. Answers whether the watch is to look for that program: once for each version.
    public mutating func foundInUse(by version: SnapshotID) -> Bool {
        defer { inUse = version }
        return inUse != version
    }

    /// True if a program that uses the folder keeps this version out.
    public func isKeptOut(_ version: SnapshotID) -> Bool { inUse == version }

    // MARK: Other events

    /// The folder is another one. What is to be merged follows from the versions again.
    public mutating func folderChanged() { (merges, tried, inUse, changes) = ([], nil, nil, .none) }

    /// When ``deadlinePassed(at:nextMerge:)`` is due; nil if nothing is tried again.
    public var deadline: ContinuousClock.Instant? {
        [scanning.due, applying.due, merging.due].compactMap { $0 }.min()
    }

    /// A deadline has come. The worker looks for its next step then.
    /// - Parameter nextMerge: the two versions that are to be merged next
    public mutating func deadlinePassed(at now: ContinuousClock.Instant, nextMerge: [SnapshotID]?) {
        if scanning.isDue(at: now) { requestScan() }
        if applying.isDue(at: now) { tried = nil }
        if merging.isDue(at: now), merges.isEmpty, let nextMerge { merges.append(nextMerge) }
    }
}
