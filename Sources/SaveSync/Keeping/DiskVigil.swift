import LinuxPlatform
import Session
import Vocabulary

/// Waits beside somebody who works on a folder, and says so where the disk leaves him without an answer.
@Engine
final class DiskVigil {
    private let silence: Duration
    private let activity: ThreadActivity?
    private let tell: @Engine (_ isSilent: Bool) -> Void
    private var timer: ScheduledTimer?
    private var turns: UInt64?
    private var isTold = false

    /// - Parameters:
    ///   - silence: for how long the thread that works there must not have run
    ///   - activity: that of the thread
    ///   - tell: whether it gives none now
    init(_ silence: Duration, _ activity: ThreadActivity?, telling tell: @escaping @Engine (_ isSilent: Bool) -> Void) {
        (self.silence, self.activity, self.tell) = (silence, activity, tell)
        wait()
    }

    func end() {
        timer?.cancel()
        if isTold { tell(false) }
    }

    private func wait() {
        timer = Engine.schedule(at: .now + silence) { [weak self] in self?.look() }
    }

    private func look() {
        let now = activity?.turns
        let isSilent = now != nil && now == turns
        turns = now
        if isSilent != isTold { tell(isSilent) }
        isTold = isSilent
        wait()
    }
}
