import LinuxPlatform
import Session

/// The time within which a peer must answer.
@Engine final class AnswerPatience {
    private let time: Duration
    private let sufficient: Int
    private var timer: ScheduledTimer?
    /// The number of bytes that came since the timer started.
    private(set) var arrived = 0
    /// True while bytes that came are being stored. Then the peer is not the slow one.
    var isStoring = false

    /// - Parameters:
    ///   - time: the time that the peer may take
    ///   - sufficient: the number of bytes in this time that count as progress
    init(_ time: Duration, sufficient: Int) { (self.time, self.sufficient) = (time, sufficient) }

    /// Starts the timer after a request to the peer.
    /// - Parameters:
    ///   - isAwaited: returns true if an answer is still awaited when the time is over
    ///   - silent: runs if the peer has not answered
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
