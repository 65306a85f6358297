import Session
import LinuxPlatform
import SaveRules
import Vocabulary

/// A game that nobody has named is seen by what it does: it keeps a file of the set open for writing for longer than saving takes
/// (`docs/decisions/030-open-files-are-a-game.md`).
extension KeptSet {
    /// Somebody has a file open.
    struct Writing {
        /// In words.
        var who: String
        let since: ContinuousClock.Instant
        /// Until it counts as playing.
        var timer: ScheduledTimer?
        var counts = false
        /// Whether nobody has one open any more, and what was saved is about to be read.
        var isOver = false
    }

    /// The folder is still, but somebody has a file of it open for writing.
    func hearsWriting(by who: String) {
        guard isAlive else { return }
        if var known = writing {
            (known.who, known.isOver) = (who, false)
            return writing = known
        }
        writing = Writing(who: who, since: .current)
        // A game that ran before this program was started anew has been seen for long enough.
        guard comebackTimer == nil else { return countWriting() }
        writing?.timer = Engine.schedule(at: .current + keeper.patience.saving) { [weak self] in self?.countWriting() }
    }

    private func countWriting() {
        guard var known = writing, isAlive else { return }
        if !isGameRunning { playedSince = known.since }
        (known.timer, known.counts) = (nil, true)
        writing = known
        perform(lease.take(at: .current, since: playedSince))
    }

    /// Nobody has a file open any more, or its folder is away.
    func hearsClosing() {
        guard writing?.counts == false else {
            writing?.isOver = true
            return
        }
        writing?.timer?.cancel()
        writing = nil
    }

    /// What was saved at the end was read: others may play.
    func endWriting() {
        guard writing?.isOver == true else { return }
        writing = nil
        // Whether a game goes on from before this program was started anew is still to be seen.
        guard !isGameRunning, comebackTimer == nil, !keeper.isEnding else { return }
        perform(isWaitedFor ? [] : lease.release())
    }

    /// The game is over, as whoever has begun it says. Whoever else has a file open is seen anew.
    func forgetWriting() {
        guard let writing else { return }
        writing.timer?.cancel()
        self.writing = nil
        keeper.crew.add { await self.keeper.places.lookAgain(at: self.id) }
    }
}
