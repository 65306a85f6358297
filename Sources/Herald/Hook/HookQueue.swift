import LinuxPlatform
import Household
import Session

/// One call of the person's own program: why, and what it is given to read.
struct HookCall: Sendable {
    let occasion: HookOccasion
    let input: [UInt8]

    /// Nil for what it is not called for.
    init?(_ news: SessionNews) {
        guard let occasion = HookOccasion(news) else { return nil }
        self.occasion = occasion
        input = Array("\(news.forPrograms.fields.line)\n".utf8)
    }
}

/// The calls that are still to be made. What is too much for it is left out and counted.
@Engine
final class HookQueue {
    static let countLimit = 100
    static let byteLimit = 4 << 20

    private let calls = EventQueue<HookCall>()
    private var bytes = 0
    private var missed = 0

    func add(_ call: HookCall) {
        // One call alone always has room.
        guard calls.count == 0 || (calls.count < Self.countLimit && bytes + call.input.count <= Self.byteLimit) else {
            missed += 1
            return
        }
        bytes += call.input.count
        calls.add(call) { self.bytes -= call.input.count }
    }

    /// The next one; nil once the task is cancelled.
    func next() async -> HookCall? { await calls.next() }

    /// How many were left out since this was asked last.
    func takeMissed() -> Int {
        defer { missed = 0 }
        return missed
    }
}
