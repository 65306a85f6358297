import CLinux
import Glibc
import LinuxPlatform

/// Moves frames between two interfaces and does on the way what an impairment says. It stands in for the kernel's netem,
/// which many kernels of virtual machines and containers lack.
///
/// It is a program of its own, run by one thread that does nothing else: delays of a fraction of a millisecond would
/// drown among other work.
public struct FrameRelay: ~Copyable {
    /// What may be on its way in one direction: 100 ms of a gigabit a second, twice over.
    private static let byteBudget = 32 << 20
    /// After so many frames of one direction the other has its turn.
    private static let burst = 64

    private var near: End
    private var far: End
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    private struct End: ~Copyable {
        let tap: TapDevice
        /// What becomes of frames that came in here.
        var direction: ImpairedDirection
        /// Frames that will go out here.
        var arriving = FrameQueue(byteBudget: byteBudget)
    }

    /// Makes the two interfaces.
    public init(near: String, far: String, impairment: Impairment) throws {
        // Two sequences, or what one direction loses would tell what the other does.
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
