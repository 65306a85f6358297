import CLinux
import Glibc
import LinuxPlatform

/// Datagrams that the other side echoes, with the times of their return.
struct Pings {
    private let socket: CInt
    private var sent: [ContinuousClock.Instant?]
    private var roundTrips: [Duration] = []
    private var reordered = 0
    private var last = -1

    init(socket: CInt, count: Int) {
        self.socket = socket
        sent = Array(repeating: nil, count: count)
    }

    mutating func send(_ number: Int) throws {
        sent[number] = .now
        var text = Array("\(number)".utf8)
        text.append(0)
        // A host without a route fails to send. That ping is lost like any other.
        _ = Glibc.send(socket, text, text.count, CInt(MSG_NOSIGNAL))
    }

    mutating func receive(until deadline: ContinuousClock.Instant) throws {
        while roundTrips.count < sent.count {
            let left = deadline - .now
            guard left > .zero else { return }
            var limit = timespec(left)
            var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            let ready = try retrying("ppoll") { huddle_ppoll(&waiting, 1, &limit) }
            guard ready > 0 else { return }
            takeOne()
        }
    }

    private mutating func takeOne() {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 1, let number = Int(String(decoding: buffer[..<(count - 1)], as: UTF8.self)) else { return }
        guard sent.indices.contains(number), let start = sent[number] else { return }
        sent[number] = nil
        roundTrips.append(.now - start)
        if number < last { reordered += 1 }
        last = max(last, number)
    }

    /// One line of words and numbers for programs.
    var summary: String {
        let sorted = roundTrips.sorted().map { Int($0 / .microseconds(1)) }
        let median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
        return "sent \(sent.count) received \(sorted.count) reordered \(reordered)"
            + " fastest \(sorted.first ?? 0) median \(median) slowest \(sorted.last ?? 0)"
    }
}

extension timespec {
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    }
}
