import LinuxPlatform
import Household
import Session

/// One hook call: its argument and its input.
struct HookCall: Sendable {
    let occasion: HookOccasion
    let input: [UInt8]

    /// Nil for an event without a hook call.
    init?(_ line: DaemonLine) {
        guard let occasion = HookOccasion(line) else { return nil }
        self.occasion = occasion
        input = Array("\(line.fieldsForPrograms.line)\n".utf8)
    }
}

/// Hook calls that wait. Calls beyond the limit are dropped and counted.
@Engine
final class HookQueue {
    static let countLimit = 100
    static let byteLimit = 4 << 20

    private let calls = EventQueue<HookCall>()
    private var bytes = 0
    private var missed = 0

    func add(_ call: HookCall) {
        // A single call always has room.
        guard calls.count == 0 || (calls.count < Self.countLimit && bytes + call.input.count <= Self.byteLimit) else {
            missed += 1
            return
        }
        bytes += call.input.count
        calls.add(call) { self.bytes -= call.input.count }
    }

    /// The next call; nil after a cancellation.
    func next() async -> HookCall? { await calls.next() }

    /// Number of dropped calls since the last request.
    func takeMissed() -> Int {
        defer { missed = 0 }
        return missed
    }
}
