/// The runs of one game on this machine, and how the daemon knows of each: `huddle play` began it, its program runs, or
/// a program keeps one of its files open for writing.
public struct LocalGames: Sendable {
    /// A program that has a file of the game open for writing.
    public struct Writer: Hashable, Sendable {
        /// The stages from the first open file to the scan of what was saved.
        public enum Phase: Hashable, Sendable {
            /// The program may be only saving until then. After that it counts as playing.
            case saving(until: ContinuousClock.Instant)
            /// The file has been open for longer than saving takes.
            case playing
            /// All files are closed. The daemon is about to scan what was saved.
            case closed
        }

        /// The name of the program, for users.
        public internal(set) var name: String
        /// The time at which the daemon first saw the open file.
        public let since: ContinuousClock.Instant
        /// The stage of this writer.
        public internal(set) var phase: Phase

        /// True if the writer counts as a game.
        public var isGame: Bool {
            if case .saving = phase { false } else { true }
        }
    }

    /// The search for a game that ran when the daemon ended and may still run.
    enum Comeback: Hashable, Sendable {
        case none
        case awaited(until: ContinuousClock.Instant)
        /// The time is up, and the shell looks once more for its program.
        case checking
    }

    /// The numbers of the games that `huddle play` began and that have not ended.
    public internal(set) var numbers: Set<Int> = []
    /// The newest versions at the start of the first of them.
    public internal(set) var newestBefore: [SnapshotID] = []
    /// The start of the first of the running games.
    public internal(set) var since: ContinuousClock.Instant?
    /// The program with an open file.
    public internal(set) var writer: Writer?
    /// True if the program that the user named for the game runs.
    var isProgramRunning = false
    var comeback = Comeback.none
    private var lastNumber: Int

    /// - Parameter lastNumber: a random number, so that a game from before a restart is not mistaken for a new one
    init(after lastNumber: Int) { self.lastNumber = lastNumber }

    /// True if a game runs on this machine, no matter which machine has the play lock.
    public var isRunning: Bool { !numbers.isEmpty || isProgramRunning || writer?.isGame == true }

    /// The time at which the state changes by itself.
    var deadline: ContinuousClock.Instant? {
        var deadlines: [ContinuousClock.Instant] = []
        if case .awaited(let end) = comeback { deadlines.append(end) }
        if case .saving(let end) = writer?.phase { deadlines.append(end) }
        return deadlines.min()
    }

    /// Begins a game of `huddle play`.
    mutating func begin(at time: ContinuousClock.Instant, newest: [SnapshotID]) -> Int {
        if numbers.isEmpty { newestBefore = newest }
        since = isRunning ? min(since ?? time, time) : time
        lastNumber &+= 1
        numbers.insert(lastNumber)
        comeback = .none
        return lastNumber
    }

    mutating func writerBecomesGame() {
        guard let writer, !writer.isGame else { return }
        if !isRunning { since = writer.since }
        self.writer?.phase = .playing
    }

    /// All files are closed, or the folder is missing. A writer that counts as a game stays until a scan has read its
    /// save.
    mutating func filesClosed() {
        if writer?.isGame == true { writer?.phase = .closed } else { writer = nil }
    }

    /// Forgets a writer that does not count as a game.
    mutating func forgetSaving() {
        if writer?.isGame == false { writer = nil }
    }
}
