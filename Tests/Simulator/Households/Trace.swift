import LinuxPlatform
import Session
import Synchronization

/// The events of a run, as lines. Two runs of one seed give the same lines.
final class Trace: Sendable {
    private struct State {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        var last: [String] = []
        var count = 0
    }

    private let state = Mutex(State())
    private let time: VirtualTime
    let isPrinted: Bool
    /// The number of last lines that a failure shows.
    private static let kept = 60

    init(_ time: VirtualTime, isPrinted: Bool) { (self.time, self.isPrinted) = (time, isPrinted) }

    func add(_ actor: String, _ words: String) {
        let line = line(actor, words)
        state.withLock { state in
            for byte in line.utf8 { state.hash = (state.hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            state.count += 1
            state.last.append(line)
            if state.last.count > Self.kept { state.last.removeFirst() }
        }
        if isPrinted { Swift.print(line) }
    }

    /// Prints a line that is not part of the hash.
    func print(_ actor: String, _ words: String) { Swift.print(line(actor, words)) }

    private func line(_ actor: String, _ words: String) -> String {
        let elapsed = time.elapsed.components
        let (days, rest) = (elapsed.seconds / 86_400, elapsed.seconds % 86_400)
        let clock = [rest / 3_600, rest / 60 % 60, rest % 60].map { ($0 < 10 ? "0" : "") + String($0) }
        let milliseconds = String(elapsed.attoseconds / 1_000_000_000_000_000)
        let padded = String(repeating: "0", count: 3 - milliseconds.count) + milliseconds
        return "\(days)d \(clock.joined(separator: ":")).\(padded)  \(actor)  \(words)"
    }

    var hash: String { String(state.withLock { $0.hash }, radix: 16) }
    var count: Int { state.withLock { $0.count } }
    var last: [String] { state.withLock { $0.last } }
}
