import SessionRules
import Testing
import TestSupport

@Suite("Windows of messages", .timeLimit(.minutes(5)))
struct WindowTests {
    @Test("A full window takes no message until one is consumed")
    func room() throws {
        var window = SendWindow<Int>(capacity: 1000)
        #expect(window.send(1, byteCount: 436) == 1)
        #expect(window.hasRoom(for: 436))
        #expect(!window.hasRoom(for: 437))
        #expect(window.send(2, byteCount: 436) == 2)
        #expect(!window.hasRoom(for: 0))
        try window.acknowledge(1)
        #expect(window.hasRoom(for: 436))
    }

    @Test("Empty messages fill the window, too, and a large one passes alone")
    func extremes() {
        var window = SendWindow<Int>(capacity: 640)
        #expect(window.hasRoom(for: 10_000))
        for number in 0..<10 { _ = window.send(number, byteCount: 0) }
        #expect(!window.hasRoom(for: 0))
    }

    @Test("A received message is not sent again, but counts until it is consumed")
    func resumption() throws {
        var window = SendWindow<String>(capacity: 1000)
        for text in ["a", "b", "c"] { _ = window.send(text, byteCount: 200) }
        let again = try window.resume(received: 2)
        #expect(again.map(\.sequence) == [3])
        #expect(again.map(\.message) == ["c"])
        #expect(!window.hasRoom(for: 200))
        try window.acknowledge(2)
        #expect(window.hasRoom(for: 200))
        #expect(try window.resume(received: 3).isEmpty)
    }

    @Test("Impossible acknowledgements and resumptions are violations that change nothing")
    func violations() throws {
        var window = SendWindow<Int>()
        for number in 0..<5 { _ = window.send(number, byteCount: 1) }
        try window.acknowledge(3)
        let weight = window.weight
        #expect(throws: ProtocolViolation.self) { try window.acknowledge(6) }
        #expect(throws: ProtocolViolation.self) { try window.acknowledge(2) }
        #expect(throws: ProtocolViolation.self) { try window.acknowledge(.max) }
        #expect(throws: ProtocolViolation.self) { _ = try window.resume(received: 2) }
        #expect(throws: ProtocolViolation.self) { _ = try window.resume(received: 6) }
        #expect(window.weight == weight)
        _ = try window.resume(received: 4)
        #expect(throws: ProtocolViolation.self) { _ = try window.resume(received: 3) }
    }

    @Test("An acknowledgement is due each quarter window or 256 messages, or on demand")
    func acknowledging() throws {
        var bytes = ReceiveWindow(capacity: 4000)
        #expect(try (1...4).map { try bytes.take($0, 436) } == [nil, 2, nil, 4])
        var many = ReceiveWindow()
        let said = try (1...600).compactMap { try many.take($0, 0) }
        #expect(said == [256, 512])
        #expect(many.takeAck() == 600)
        #expect(many.takeAck() == nil)
        many.cut()
        #expect(many.takeAck() == 600)
    }

    @Test("Messages out of order, doubled, interleaved or beyond the window are violations")
    func strictness() throws {
        var window = ReceiveWindow(capacity: 1000)
        #expect(throws: ProtocolViolation.self) { try window.begin(2, byteCount: 1) }
        #expect(throws: ProtocolViolation.self) { try window.begin(0, byteCount: 1) }
        try window.begin(1, byteCount: 900)
        #expect(throws: ProtocolViolation.self) { try window.begin(2, byteCount: 1) }
        window.complete()
        #expect(throws: ProtocolViolation.self) { try window.begin(1, byteCount: 1) }
        #expect(throws: ProtocolViolation.self) { try window.begin(2, byteCount: 900) }
        #expect(window.received == 1)
    }

    @Test("A message that a lost link cut comes again as a whole")
    func cut() throws {
        var window = ReceiveWindow()
        try window.begin(1, byteCount: 10)
        #expect(window.isMidMessage)
        window.cut()
        #expect(window.received == 0)
        try window.begin(1, byteCount: 10)
        window.complete()
        #expect(window.received == 1)
    }

    @Test("Random cuts never lose, double or delay a message for ever", arguments: 0..<200)
    func randomCuts(seed: UInt64) throws {
        var line = CutLine(seed: seed)
        for _ in 0..<3000 { try line.step() }
        try line.settle()
        #expect(line.consumed == Array(0..<line.sent), "seed \(seed)")
        #expect(line.sent > 100, "seed \(seed)")
    }
}

extension ReceiveWindow {
    /// Receives a whole message and consumes it at once.
    fileprivate mutating func take(_ sequence: UInt64, _ byteCount: Int) throws -> UInt64? {
        try begin(sequence, byteCount: byteCount)
        complete()
        return consumeNext()
    }
}

/// A sender and a receiver with a link that delivers in order, and loses all frames on the way if it breaks.
private struct CutLine {
    private var generator: SeededGenerator
    private var sender = SendWindow<Int>(capacity: 4000)
    private var receiver = ReceiveWindow(capacity: 4000)
    private var there: [(sequence: UInt64, message: Int)] = []
    private var back: [UInt64] = []
    private var held: [Int] = []
    private(set) var sent = 0
    private(set) var consumed: [Int] = []

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func step() throws {
        switch Int.random(in: 0..<40, using: &generator) {
        case 0: try cut()
        case 1..<14: send()
        case 14..<24: try deliver()
        case 24..<36: consume()
        case _: if !back.isEmpty { try sender.acknowledge(back.removeFirst()) }
        }
    }

    mutating func settle() throws {
        try cut()
        while !there.isEmpty || !held.isEmpty || !back.isEmpty {
            try deliver()
            consume()
            if !back.isEmpty { try sender.acknowledge(back.removeFirst()) }
        }
        if let last = receiver.takeAck() { try sender.acknowledge(last) }
        #expect(sender.weight == 0)
    }

    private mutating func send() {
        let size = size(sent)
        guard sender.hasRoom(for: size) else { return }
        there.append((sender.send(sent, byteCount: size), sent))
        sent += 1
    }

    private mutating func deliver() throws {
        guard !there.isEmpty else { return }
        let next = there.removeFirst()
        try receiver.begin(next.sequence, byteCount: size(next.message))
        receiver.complete()
        held.append(next.message)
    }

    private mutating func consume() {
        guard !held.isEmpty else { return }
        consumed.append(held.removeFirst())
        if let acknowledgement = receiver.consumeNext() { back.append(acknowledgement) }
    }

    private mutating func cut() throws {
        if Bool.random(using: &generator), let half = there.first {
            try receiver.begin(half.sequence, byteCount: size(half.message))
        }
        there = []
        back = []
        receiver.cut()
        there = try sender.resume(received: receiver.received).map { ($0.sequence, $0.message) }
        if let again = receiver.takeAck() { back.append(again) }
    }

    private func size(_ message: Int) -> Int { message * 37 % 900 }
}

@Suite("Replayed datagrams", .timeLimit(.minutes(5)))
struct ReplayWindowTests {
    @Test("A number passes once, in any order, unless it is 1024 behind")
    func rules() {
        var window = ReplayWindow()
        let numbers: [(UInt64, Bool)] = [
            (5000, true), (5000, false), (5000 - 1023, true), (5000 - 1024, false), (5001, true), (5000 - 1023, false),
            (4999, true), (.max, true), (5001, false), (.max, false), (.max - 1023, true),
        ]
        for (number, isTaken) in numbers { #expect(window.admit(number) == isTaken, "\(number)") }
    }

    @Test("The window agrees with a set of all seen numbers", arguments: 0..<100)
    func model(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var window = ReplayWindow()
        var seen: Set<UInt64> = []
        var newest: UInt64 = 0
        for _ in 0..<4000 {
            let reach: UInt64 = Int.random(in: 0..<50, using: &generator) == 0 ? 3000 : 40
            let number = UInt64.random(in: (newest > 1500 ? newest - 1500 : 0)...(newest + reach), using: &generator)
            let isRecent = seen.isEmpty || number > newest || newest - number < 1024
            #expect(window.admit(number) == (isRecent && !seen.contains(number)), "seed \(seed)")
            seen.insert(number)
            newest = max(newest, number)
        }
    }
}
