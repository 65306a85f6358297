import Foundation
import LinuxPlatform
import Session
import Testing
import Vocabulary

@testable import MultipeerConnectivity

@Suite("Streams", .timeLimit(.minutes(5)))
struct StreamTests {
    let room = TestRoom()

    private func pair() async throws -> (Player, Player) {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        try await deck.connect(to: desk)
        return (deck, desk)
    }

    /// Runs blocking work on a thread of its own.
    private func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws -> Value {
        let done = Resumption<Value>()
        Thread.detachNewThread { done.resume(with: .success(work())) }
        return try await done.value()
    }

    /// `@unchecked Sendable` because one thread at a time uses the value.
    private struct Box<Value>: @unchecked Sendable {
        let value: Value
    }

    @Test("A blocking reader gets all bytes, in order, and the end", arguments: [1, 100_000, 3_000_000])
    func blocking(size: Int) async throws {
        let (deck, desk) = try await pair()
        let output = Box(value: try deck.session.startStream(withName: "moves", toPeer: desk.peer))
        async let written = onThread { () -> Int in
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            output.value.open()
            var sent = 0
            while sent < size {
                let count = bytes[sent...].withUnsafeBufferPointer { buffer in
                    // because the slice is not empty
                    output.value.write(buffer.baseAddress!, maxLength: buffer.count)
                }
                guard count > 0 else { break }
                sent += count
            }
            output.value.close()
            return sent
        }
        let input = Box(value: try await desk.stream())
        let read = try await onThread { () -> [UInt8] in
            input.value.open()
            var read: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 10_000)
            while true {
                let count = input.value.read(&buffer, maxLength: buffer.count)
                guard count > 0 else { break }
                read += buffer[..<count]
            }
            return read
        }
        #expect(try await written == size)
        #expect(read == (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        #expect(input.value.streamStatus == .atEnd)
        #expect(deck.entries.count { if case .stream = $0 { true } else { false } } == 0)
    }

    @Test(
        "Delegates on run loops learn of space, bytes and the end, and each report ends the run",
        arguments: [0.05, .infinity]
    )
    func runLoops(patience: TimeInterval) async throws {
        let (deck, desk) = try await pair()
        let size = 1_000_000
        let output = Box(value: try deck.session.startStream(withName: "moves", toPeer: desk.peer))
        async let sent = onThread { () -> [Stream.Event.RawValue] in
            let writer = Writer(size, patience)
            writer.run(output.value)
            return writer.events
        }
        let input = Box(value: try await desk.stream())
        let reader = try await onThread { () -> Box<Reader> in
            let reader = Reader(patience)
            reader.run(input.value)
            return Box(value: reader)
        }
        #expect(reader.value.count == size)
        #expect(reader.value.events.first == Stream.Event.openCompleted.rawValue)
        #expect(reader.value.events.last == Stream.Event.endEncountered.rawValue)
        let events = try await sent
        #expect(events.first == Stream.Event.openCompleted.rawValue)
        #expect(events.dropFirst().allSatisfy { $0 == Stream.Event.hasSpaceAvailable.rawValue } && events.count > 2)
    }

    @Test(
        "Other work of a run loop gets its turn while bytes keep flowing",
        arguments: [true, false]
    )
    func semaphore(isReading: Bool) async throws {
        let callsAtTheTimer = try await onThread { () -> Int? in
            let trickle = Trickle()
            if isReading {
                trickle.run(PeerInputStream(outOf: trickle.pipe))
            } else {
                trickle.run(PeerOutputStream(into: trickle.pipe))
            }
            return trickle.callsAtTheTimer
        }
        #expect(try #require(callsAtTheTimer) < Trickle.limit)
    }

    @Test("A reader that reads all bytes learns of new ones, and of none that it has read", arguments: [2, 200_000])
    func greedy(count: Int) async throws {
        let eager = try await onThread { () -> (read: Int, empty: Int) in
            let greedy = Greedy(count)
            greedy.run()
            return (greedy.read, greedy.callsInVain)
        }
        #expect(eager.read == count && eager.empty == 0)
    }

    @Test("Each direction has its own stream and name, and an unopened stream delays no other")
    func bothWays() async throws {
        let (deck, desk) = try await pair()
        try deck.session.startStream(withName: "unused", toPeer: desk.peer)
        for (one, other, name) in [(deck, desk, "there"), (desk, deck, "back")] {
            let output = Box(value: try one.session.startStream(withName: name, toPeer: other.peer))
            let input = try await other.wait { entry -> Box<InputStream>? in
                guard case .stream(let box, name, let peer) = entry, peer == one.peer else { return nil }
                return Box(value: box.stream)
            }
            let read = try await onThread { () -> [UInt8] in
                output.value.open()
                let isWritten = output.value.write(Array(name.utf8), maxLength: name.utf8.count) == name.utf8.count
                output.value.close()
                input.value.open()
                var buffer = [UInt8](repeating: 0, count: 100)
                let count = input.value.read(&buffer, maxLength: buffer.count)
                return isWritten ? Array(buffer.prefix(max(0, count))) : []
            }
            #expect(read == Array(name.utf8))
        }
    }

    @Test("The writer learns that the reader closed, and both learn that a peer left")
    func gone() async throws {
        let (deck, desk) = try await pair()
        let output = Box(value: try deck.session.startStream(withName: "moves", toPeer: desk.peer))
        let input = Box(value: try await desk.stream())
        desk.session.disconnect()
        input.value.open()
        output.value.open()
        let (read, error) = try await onThread { () -> (Int, Bool) in
            var buffer = [UInt8](repeating: 0, count: 10)
            return (input.value.read(&buffer, maxLength: 10), input.value.streamError != nil)
        }
        #expect(read == -1 && error)
        let written = try await onThread { () -> Int in
            let bytes = [UInt8](repeating: 1, count: 100_000)
            while true {
                let count = output.value.write(bytes, maxLength: bytes.count)
                if count < 0 { return count }
            }
        }
        #expect(written == -1)
    }

    @Test("An ended stream leaves nothing behind on either side while the peers stay connected")
    func nothingLeft() async throws {
        let (deck, desk) = try await pair()
        let before = try await (work(of: deck, for: desk), work(of: desk, for: deck))
        for _ in 0..<10 {
            let output = try deck.session.openStream(named: "moves", to: desk.peer)
            try await output.write(Data([1]))
            output.finish()
        }
        let streams = try await desk.all { entries -> [Box<InputStream>]? in
            let streams = entries.compactMap { entry -> Box<InputStream>? in
                if case .stream(let box, _, _) = entry { Box(value: box.stream) } else { nil }
            }
            return streams.count == 10 ? streams : nil
        }
        for stream in streams {
            _ = try await onThread {
                var buffer: [UInt8] = [0, 0]
                stream.value.open()
                while stream.value.read(&buffer, maxLength: 2) > 0 {}
            }
        }
        // The end is read a moment before its work ends.
        var after = try await (work(of: deck, for: desk), work(of: desk, for: deck))
        let deadline = ContinuousClock.now + .seconds(30)
        while after != before, .now < deadline {
            await EventLoop.shared.letOthersRun()
            after = try await (work(of: deck, for: desk), work(of: desk, for: deck))
        }
        #expect(after == before)
    }

    @Engine
    private func work(of player: Player, for other: Player) throws -> Int {
        try #require(player.session.core.members[other.peer.id]).working.count
    }

    @Test("A stream without a receiver or without a name is refused")
    func refused() async throws {
        let (deck, desk) = try await pair()
        #expect(throws: MCError(.invalidParameter)) { try deck.session.startStream(withName: "", toPeer: desk.peer) }
        #expect(throws: MCError(.notConnected)) {
            try deck.session.startStream(withName: "x", toPeer: MCPeerID(displayName: "?"))
        }
    }

    @Test("The async API writes and reads without blocking")
    func async() async throws {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        desk.session.delegate = nil
        let events = desk.session.events
        desk.advertiser.startAdvertisingPeer()
        deck.browser.startBrowsingForPeers()
        try await deck.found(desk)
        deck.invite(desk)
        try await deck.connected(desk)
        let output = try deck.session.openStream(named: "moves", to: desk.peer)
        try await output.write(Data([1, 2, 3]))
        output.finish()
        var read = Data()
        for await event in events {
            guard case .stream(let stream) = event else { continue }
            #expect(stream.name == "moves" && stream.peer == deck.peer)
            while let data = try await stream.read() { read += data }
            break
        }
        #expect(read == Data([1, 2, 3]))
    }
}

/// - Parameter patience: in seconds; if infinite, only an event ends the run of a run loop
private func date(in patience: TimeInterval) -> Date {
    patience.isFinite ? Date(timeIntervalSinceNow: patience) : .distantFuture
}

/// Writes as iOS code does: when a report says that there is space, on a run loop.
private final class Writer: NSObject, StreamDelegate {
    private var left: Int
    private let patience: TimeInterval
    private var isDone = false
    var events: [Stream.Event.RawValue] = []

    init(_ size: Int, _ patience: TimeInterval) {
        left = size
        self.patience = patience
    }

    func run(_ stream: OutputStream) {
        stream.delegate = self
        stream.schedule(in: .current, forMode: .default)
        stream.open()
        while !isDone, RunLoop.current.run(mode: .default, before: date(in: patience)) {}
        stream.close()
    }

    func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
        events.append(eventCode.rawValue)
        guard eventCode == .hasSpaceAvailable, let stream = aStream as? OutputStream else { return }
        let bytes = [UInt8](repeating: 9, count: min(left, 50_000))
        left -= max(0, stream.write(bytes, maxLength: bytes.count))
        if left == 0 { isDone = true }
    }
}

private final class Reader: NSObject, StreamDelegate {
    private let patience: TimeInterval
    private var isDone = false
    var count = 0
    var events: [Stream.Event.RawValue] = []

    init(_ patience: TimeInterval) {
        self.patience = patience
    }

    func run(_ stream: InputStream) {
        stream.delegate = self
        stream.schedule(in: .current, forMode: .default)
        stream.open()
        while !isDone, RunLoop.current.run(mode: .default, before: date(in: patience)) {}
        stream.close()
    }

    func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
        events.append(eventCode.rawValue)
        guard let stream = aStream as? InputStream else { return }
        var buffer = [UInt8](repeating: 0, count: 30_000)
        switch eventCode {
        case .hasBytesAvailable: count += max(0, stream.read(&buffer, maxLength: buffer.count))
        case .endEncountered, .errorOccurred: isDone = true
        default: break
        }
    }
}

/// Reads while there are bytes, while another thread writes them one by one.
private final class Greedy: NSObject, StreamDelegate {
    private let pipe = BytePipe()
    private let count: Int
    private(set) var read = 0
    private(set) var callsInVain = 0

    init(_ count: Int) { self.count = count }

    func run() {
        let stream = PeerInputStream(outOf: pipe)
        stream.delegate = self
        stream.schedule(in: .current, forMode: .default)
        let (pipe, count) = (pipe, count)
        let write = { @Sendable in
            for _ in 0..<count { _ = [UInt8(7)].withUnsafeBufferPointer { pipe.write($0) } }
        }
        // Few bytes are available before it starts.
        if count < 10 { write() } else { Thread.detachNewThread(write) }
        stream.open()
        // Without further reports it ends, too.
        let end = date(in: 60)
        while read < count, end.timeIntervalSinceNow > 0 {
            _ = RunLoop.current.run(mode: .default, before: date(in: 0.1))
        }
        // Reports without effect have been made by now.
        _ = RunLoop.current.run(mode: .default, before: date(in: 0.01))
        stream.close()
    }

    func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
        guard eventCode == .hasBytesAvailable, let input = aStream as? InputStream else { return }
        if !input.hasBytesAvailable { callsInVain += 1 }
        var byte: [UInt8] = [0]
        while input.hasBytesAvailable { read += input.read(&byte, maxLength: 1) }
    }
}

/// Reads or writes a byte at each report, and always can do so again.
private final class Trickle: NSObject, StreamDelegate {
    /// Number of reports after which it stops; otherwise nothing else would get a turn.
    static let limit = 10_000

    let pipe = BytePipe()
    private var reported = 0
    private(set) var callsAtTheTimer: Int?

    func run(_ stream: Stream) {
        stream.delegate = self
        stream.schedule(in: .current, forMode: .default)
        stream.open()
        // A timer does not end it.
        while callsAtTheTimer == nil, RunLoop.current.run(mode: .default, before: date(in: 0.1)) {}
        stream.close()
    }

    func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
        var byte: [UInt8] = [7]
        switch eventCode {
        case .openCompleted:
            _ = byte.withUnsafeBufferPointer { pipe.write($0) }
            // because the timer fires on this thread
            nonisolated(unsafe) let trickle = self
            let timer = Timer(fire: Date(), interval: 0, repeats: false) { _ in
                trickle.callsAtTheTimer = trickle.reported
            }
            RunLoop.current.add(timer, forMode: .default)
        case .hasBytesAvailable where reported < Self.limit:
            reported += 1
            _ = byte.withUnsafeBufferPointer { pipe.write($0) }
            _ = (aStream as? InputStream)?.read(&byte, maxLength: 1)
        case .hasSpaceAvailable where reported < Self.limit:
            reported += 1
            _ = (aStream as? OutputStream)?.write(byte, maxLength: 1)
        default: break
        }
    }
}
