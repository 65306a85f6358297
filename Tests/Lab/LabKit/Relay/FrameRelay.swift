import CLinux
import Glibc
import LinuxPlatform

/// Moves frames between two interfaces and applies an impairment. It replaces the kernel's netem, which is missing in
/// many kernels of virtual machines and containers.
///
/// It is a program of its own with a single thread. Beside other work, delays of a fraction of a millisecond would not
/// be exact.
public struct FrameRelay: ~Copyable {
    /// The maximum number of bytes on the way in one direction: twice 100 ms of a gigabit a second.
    private static let byteBudget = 32 << 20
    /// The maximum number of frames of one direction before the other has its turn.
    private static let burst = 64

    private var near: End
    private var far: End
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    private struct End: ~Copyable {
        let tap: TapDevice
        /// The impairment of frames that arrived at this interface.
        var direction: ImpairedDirection
        /// The frames that will leave at this interface.
        var arriving = FrameQueue(byteBudget: byteBudget)
    }

    /// Makes the two interfaces.
    public init(near: String, far: String, impairment: Impairment) throws {
        // Two sequences: with one, the losses of one direction would determine those of the other.
        var dice = SeededDice(seed: impairment.seed)
        let nearTap = try TapDevice(named: near)
        let farTap = try TapDevice(named: far)
        self.near = End(tap: nearTap, direction: ImpairedDirection(impairment, seed: dice.next()))
        self.far = End(tap: farTap, direction: ImpairedDirection(impairment, seed: dice.next()))
    }

    /// Relays until the process ends.
    public mutating func run() throws -> Never {
        while true {
            deliver()
            try wait()
            try accept()
        }
    }

    private mutating func deliver() {
        let now = Self.now()
        while let frame = far.arriving.take(at: now) { far.tap.write(frame) }
        while let frame = near.arriving.take(at: now) { near.tap.write(frame) }
    }

    private mutating func accept() throws {
        let now = Self.now()
        for _ in 0..<Self.burst {
            guard let frame = try near.tap.read(into: &buffer) else { break }
            guard case .arrives(let arrival) = near.direction.fate(ofFrameOf: frame.count, at: now) else { continue }
            _ = far.arriving.add(Array(frame), arrivingAt: arrival)
        }
        for _ in 0..<Self.burst {
            guard let frame = try far.tap.read(into: &buffer) else { break }
            guard case .arrives(let arrival) = far.direction.fate(ofFrameOf: frame.count, at: now) else { continue }
            _ = near.arriving.add(Array(frame), arrivingAt: arrival)
        }
    }

    private func wait() throws {
        var ends = [
            pollfd(fd: near.tap.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: far.tap.number, events: Int16(POLLIN), revents: 0),
        ]
        let next = [near.arriving.nextArrival, far.arriving.nextArrival].compactMap { $0 }.min()
        guard let next else {
            try retrying("ppoll") { huddle_ppoll(&ends, 2, nil) }
            return
        }
        let patience = max(next - Self.now(), 0)
        var limit = timespec(tv_sec: Int(patience / 1_000_000_000), tv_nsec: Int(patience % 1_000_000_000))
        try retrying("ppoll") { huddle_ppoll(&ends, 2, &limit) }
    }

    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
