import LinuxPlatform
import Vocabulary

/// Watches work on a folder, and reports when the disk gives no answer.
@Engine
final class StallDetector {
    private let silence: Duration
    private let activity: @Engine () -> ThreadActivity?
    private let tell: @Engine (_ isSilent: Bool) -> Void
    private var timer: ScheduledTimer?
    private var turns: UInt64?
    private var isReported = false

    /// - Parameters:
    ///   - silence: the time without a run of the working thread after which the disk counts as giving no answer
    ///   - activity: the activity of the thread that does the work now
    ///   - tell: receives true if the disk gives no answer, false once it does
    init(
        _ silence: Duration,
        _ activity: @escaping @Engine () -> ThreadActivity?,
        telling tell: @escaping @Engine (_ isSilent: Bool) -> Void
    ) {
        (self.silence, self.activity, self.tell) = (silence, activity, tell)
        wait()
    }

    /// Watches from the start again, because another thread does the work now.
    func startFresh() {
        end()
        (isReported, turns) = (false, nil)
        wait()
    }

    func end() {
        timer?.cancel()
        if isReported { tell(false) }
    }

    private func wait() {
        timer = Engine.schedule(at: .current + silence) { [weak self] in self?.look() }
    }

    private func look() {
        let now = activity()?.turns
        let isSilent = now != nil && now == turns
        turns = now
        wait()
        guard isSilent != isReported else { return }
        isReported = isSilent
        tell(isSilent)
    }
}
