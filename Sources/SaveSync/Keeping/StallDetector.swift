import LinuxPlatform
import Vocabulary

/// Waits beside somebody who works on a folder, and says so where the disk leaves him without an answer.
@Engine
final class StallDetector {
    private let silence: Duration
    private let activity: @Engine () -> ThreadActivity?
    private let tell: @Engine (_ isSilent: Bool) -> Void
    private var timer: ScheduledTimer?
    private var turns: UInt64?
    private var isTold = false

    /// - Parameters:
    ///   - silence: for how long the thread that works there must not have run
    ///   - activity: that of the thread which works for him now
    ///   - tell: whether it gives none now
    init(
        _ silence: Duration,
        _ activity: @escaping @Engine () -> ThreadActivity?,
        telling tell: @escaping @Engine (_ isSilent: Bool) -> Void
    ) {
        (self.silence, self.activity, self.tell) = (silence, activity, tell)
        wait()
    }

    /// Another thread works for him from now on.
    func beginAnew() {
        end()
        (isTold, turns) = (false, nil)
        wait()
    }

    func end() {
        timer?.cancel()
        if isTold { tell(false) }
    }

    private func wait() {
        timer = Engine.schedule(at: .current + silence) { [weak self] in self?.look() }
    }

    private func look() {
        let now = activity()?.turns
        let isSilent = now != nil && now == turns
        turns = now
        wait()
        guard isSilent != isTold else { return }
        isTold = isSilent
        tell(isSilent)
    }
}
