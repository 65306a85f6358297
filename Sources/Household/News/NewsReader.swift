package import LinuxPlatform

/// One who follows a ``NewsBoard``.
@Engine
package final class NewsReader {
    /// How much may wait for it.
    private static let weightLimit = 4 << 20

    private var waiting: [SessionNews] = []
    private var weight = 0
    private var missed: Int64 = 0
    private var wake: Resumption<Void>?

    init() {}

    func add(_ news: SessionNews) {
        if replaces(news) { return }
        guard weight + news.weight <= Self.weightLimit else {
            missed += 1
            return
        }
        waiting.append(news)
        weight += news.weight
        wake?.resume(with: .success(()))
    }

    /// How far a transfer was is of no interest once it is further.
    private func replaces(_ news: SessionNews) -> Bool {
        guard news.event == "progress", let last = waiting.lastIndex(where: { $0.transfer == news.transfer }),
            waiting[last].event == "progress"
        else { return false }
        waiting[last] = news
        return true
    }

    /// What has happened since it was asked last; nil once the task is cancelled.
    package func next() async -> [SessionNews]? {
        while true {
            if let taken = take() { return taken }
            if Task.isCancelled { return nil }
            let wake = Resumption<Void>()
            self.wake = wake
            // A cancelled wait is seen above.
            try? await wake.valueUnlessCancelled()
            self.wake = nil
        }
    }

    /// What waits already.
    package func rest() -> [SessionNews] { take() ?? [] }

    private func take() -> [SessionNews]? {
        guard !waiting.isEmpty || missed > 0 else { return nil }
        defer { (waiting, weight, missed) = ([], 0, 0) }
        guard missed > 0 else { return waiting }
        let sentence = "\(missed) events were missed: they came faster than they were read"
        return waiting + [
            SessionNews("missed", nil, sentence) { ($0.number, $0.isTrouble) = (missed, true) }
        ]
    }
}
