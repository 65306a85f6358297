import Glibc
import LinuxPlatform
import Session
import Vocabulary
import Yardstick

/// The dialling side: `client FOLDER PEER,PEER… HOST PART WORDS…` gets the peers into a session, measures one part, and
/// prints the result.
@Engine
struct ClientPart {
    private let folder: String
    private let peers: [PeerID]
    private let host: String
    private let part: String
    private let words: [String]

    init(_ words: [String]) throws {
        guard words.count >= 4 else { throw BadWord(words: words) }
        (folder, host, part) = (words[0], words[2], words[3])
        peers = try words[1].split(separator: ",").map { try PeerID(String($0)) }
        self.words = Array(words.dropFirst(4))
    }

    func run() async throws {
        let own = try await OwnNode.open(folder, port: nil)
        let session = try own.session(part)
        for (place, peer) in peers.enumerated() {
            try await own.befriend(peer)
            let address = try HostAndPort("\(host):\(Int(OwnNode.port) + place * 10)")
            try await own.node.invite(.address(address), to: session)
        }
        let before = processorSeconds()
        let work = Task(executorPreference: EventLoop.shared.taskExecutor) { try await measure(session) }
        try await work.value
        say("cpu \(processorSeconds() - before)")
        if let figures = ProcessFigures() { say("peak \(figures.peakKiB)") }
    }

    private func measure(_ session: Session) async throws {
        switch part {
        case "resource": try await sendResource(session)
        case "echo": try await echo(session)
        case "count": try await pourMessages(session)
        case "busy": try await echoWhileBusy(session)
        case "stream": try await pourStream(session)
        case "idle": try await rest()
        default: throw BadWord(words: [part])
        }
    }

    // MARK: Parts

    private func sendResource(_ session: Session) async throws {
        let path = try word(0)
        let readBefore = Self.bytesRead()
        let start = ContinuousClock.now
        for transfer in try await session.sendResource(at: path) { _ = try await transfer.finished() }
        say("seconds \(seconds(.now - start))")
        say("read \(Self.bytesRead() - readBefore)")
    }

    private func echo(_ session: Session) async throws {
        let count = try number(0)
        let times = try await roundTrips(session) { $0 < count }
        tell(times.dropFirst(count / 10))
    }

    private func echoWhileBusy(_ session: Session) async throws {
        let transfers = try await session.sendResource(at: try word(0))
        let isDone = Done()
        let waiting = Task(executorPreference: EventLoop.shared.taskExecutor) {
            for transfer in transfers { _ = try await transfer.finished() }
            await isDone.set()
        }
        let start = ContinuousClock.now
        let times = try await roundTrips(session) { _ in !isDone.value }
        say("seconds \(seconds(.now - start))")
        try await waiting.value
        tell(times[...])
    }

    @Engine
    private final class Done {
        private(set) var value = false
        func set() { value = true }
    }

    private func tell(_ times: ArraySlice<Double>) {
        let figures = Figures(Array(times))
        say("count \(times.count)")
        for (name, share) in [("p50", 0.5), ("p99", 0.99), ("max", 1)] { say("\(name) \(figures.quantile(share))") }
    }

    private func roundTrips(_ session: Session, _ goesOn: (Int) -> Bool) async throws -> [Double] {
        let message = [UInt8](repeating: 7, count: 64)
        var times: [Double] = []
        while goesOn(times.count) {
            let start = ContinuousClock.now
            try await session.send(message)
            try await nextMessage(session)
            times.append(seconds(.now - start) * 1e6)
        }
        return times
    }

    private func pourMessages(_ session: Session) async throws {
        let (size, count) = (try number(0), try number(1))
        let message = [UInt8](repeating: 7, count: size)
        let start = ContinuousClock.now
        for _ in 0..<count { try await session.send(message) }
        try await session.send(ServingPart.mark)
        try await nextMessage(session)
        say("seconds \(seconds(.now - start))")
    }

    private func pourStream(_ session: Session) async throws {
        let total = try number(0)
        let piece = [UInt8](repeating: 7, count: 256 << 10)
        let stream = try await session.openStream(named: try Label("pour"), to: peers[0])
        let start = ContinuousClock.now
        for _ in 0..<total / piece.count { try await stream.write(piece) }
        try await stream.finish()
        say("seconds \(seconds(.now - start))")
    }

    private func rest() async throws {
        say("ready")
        try await EventLoop.shared.sleep(for: .seconds(600))
    }

    // MARK: Helpers

    private func nextMessage(_ session: Session) async throws {
        while let event = await session.events.next() {
            if case .message = event { return }
        }
        throw BadWord(words: ["the session has ended"])
    }

    private func word(_ place: Int) throws -> String {
        guard words.indices.contains(place) else { throw BadWord(words: words) }
        return words[place]
    }

    private func number(_ place: Int) throws -> Int {
        guard let number = Int(try word(place)) else { throw BadWord(words: words) }
        return number
    }

    /// The bytes that this process has read from files, without those of sockets.
    private static func bytesRead() -> Int {
        guard let file = fopen("/proc/self/io", "r") else { return 0 }
        defer { fclose(file) }
        var room = [CChar](repeating: 0, count: 256)
        guard fgets(&room, 256, file) != nil else { return 0 }
        let line = String(decoding: room.prefix { $0 > 32 || $0 == 32 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return line.split(separator: " ").last.flatMap { Int($0) } ?? 0
    }
}
