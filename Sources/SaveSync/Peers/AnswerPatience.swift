import LinuxPlatform
import Session

/// The time in which a peer has to answer.
@Engine final class AnswerPatience {
    private let time: Duration
    private let sufficient: Int
    private var timer: ScheduledTimer?
    /// How many bytes came since the timer runs.
    private(set) var arrived = 0
    /// True while what came is being stored: it is not the peer that is slow then.
    var isStoring = false

    /// - Parameters:
    ///   - time: how long the peer may take
    ///   - sufficient: how many bytes in this time count as an answer that goes on
    init(_ time: Duration, sufficient: Int) { (self.time, self.sufficient) = (time, sufficient) }

    /// The peer was asked for something.
    /// - Parameters:
    ///   - isAwaited: whether an answer is still awaited when the time is over
    ///   - silent: what follows if the peer has not answered
    func begin(isAwaited: @escaping @Engine () -> Bool, silent: @escaping @Engine () -> Void) {
        guard timer == nil else { return }
        arrived = 0
        timer = Engine.schedule(at: .current + time) { [weak self] in
            guard let self else { return }
            timer = nil
            guard isAwaited() else { return }
            if isStoring || arrived >= sufficient { return begin(isAwaited: isAwaited, silent: silent) }
            silent()
        }
    }

    func came(_ count: Int) { arrived += count }

    func cancel() {
        timer?.cancel()
        timer = nil
    }
}
