package import LinuxPlatform

/// A reader that follows a ``EventBus``.
@Engine
package final class EventReader {
    /// The limit of the events that wait for this reader, in approximate bytes.
    private static let weightLimit = 4 << 20

    private var waiting: [DaemonLine] = []
    private var weight = 0
    private var missed: Int64 = 0
    private var wake: Resumption<Void>?

    init() {}

    func add(_ line: DaemonLine) {
        if replaces(line) { return }
        guard weight + line.weight <= Self.weightLimit else {
            missed += 1
            return
        }
        waiting.append(line)
        weight += line.weight
        wake?.resume(with: .success(()))
    }

    /// True if the event replaces one that waits: only the newest progress of a transfer is of interest, and one event
    /// about the list of machines, which any machine on the network can change.
    private func replaces(_ line: DaemonLine) -> Bool {
        let last = waiting.lastIndex { waiting in
            switch (waiting.event, line.event) {
            case (.progress(let earlier), .progress(let progress)): earlier.transfer == progress.transfer
            case (.machineList, .machineList): true
            default: false
            }
        }
        guard let last else { return false }
        waiting[last] = line
        return true
    }

    /// The events since the last call; nil once the task is cancelled.
    package func next() async -> [DaemonLine]? {
        while true {
            if let taken = take() { return taken }
            if Task.isCancelled { return nil }
            let wake = Resumption<Void>()
            self.wake = wake
            // The check above notices a cancelled wait.
            try? await wake.valueUnlessCancelled()
            self.wake = nil
        }
    }

    /// The waiting events.
    package func rest() -> [DaemonLine] { take() ?? [] }

    private func take() -> [DaemonLine]? {
        guard !waiting.isEmpty || missed > 0 else { return nil }
        defer { (waiting, weight, missed) = ([], 0, 0) }
        guard missed > 0 else { return waiting }
        let sentence = "\(missed) events were missed: they came faster than they were read"
        return waiting + [DaemonLine(.missed(MissedEvent(count: missed)), sentence, isTrouble: true)]
    }
}
