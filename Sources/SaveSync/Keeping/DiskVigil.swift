import LinuxPlatform
import Session
import Vocabulary

/// Waits beside somebody who works on a folder, and says so where the disk leaves him without an answer.
@Engine
final class DiskVigil {
    private let silence: Duration
    private let activity: ThreadActivity?
    private let tell: @Engine () -> Void
    private var timer: ScheduledTimer?
    private var turns: UInt64?
    private(set) var hasTold = false

    /// - Parameters:
    ///   - silence: for how long the thread that works there must not have run
    ///   - activity: that of the thread
    init(_ silence: Duration, _ activity: ThreadActivity?, telling tell: @escaping @Engine () -> Void) {
        (self.silence, self.activity, self.tell) = (silence, activity, tell)
        wait()
    }

    func end() { timer?.cancel() }

    private func wait() {
        timer = Engine.schedule(at: .now + silence) { [weak self] in self?.look() }
    }

    private func look() {
        let now = activity?.turns
        guard let now, now == turns else {
            turns = now
            return wait()
        }
        hasTold = true
        tell()
    }
}
