import Glibc
import LinuxPlatform
import Transport
import Yardstick

/// The dialling side of the comparison: `raw-client HOST KIND COUNT [CONNECTIONS]`.
struct RawClient {
    private let host: String
    private let kind: UInt8
    private let count: Int
    private let connections: Int
    private let context: RawTLS.Context

    init(_ words: [String]) throws {
        guard words.count >= 3, let kind = UInt8(words[1]), let count = Int(words[2]) else {
            throw BadWord(words: words)
        }
        (host, self.kind, self.count) = (words[0], kind, count)
        connections = words.count > 3 ? Int(words[3]) ?? 1 : 1
        context = RawTLS.Context(isServer: false, identityFile: Self.identityFile())
    }

    /// A key of the same kind as a peer's.
    static func identityFile() -> String {
        let folder = "\(Place.memory)/raw-\(getpid())"
        guard (try? Identity.loadOrCreate(in: folder)) != nil else { preconditionFailure("no identity") }
        return "\(folder)/\(Identity.fileName)"
    }

    func run() async throws {
        if kind == RawServer.echo { return try await echo() }
        let (kind, count) = (kind, count)
        let all = try (0..<connections).map { _ in try connected() }
        let before = processorSeconds()
        let start = ContinuousClock.now
        try await withThrowingDiscardingTaskGroup { group in
            for connection in all {
                group.addTask { try await runBlocking("raw") { Self.pour(kind, count, into: connection) } }
            }
        }
        say("seconds \(seconds(.now - start))")
        say("cpu \(processorSeconds() - before)")
    }

    private func connected() throws -> RawTLS {
        let connection = RawTLS(context, try .connected(to: host))
        connection.connect()
        return connection
    }

    private static func pour(_ kind: UInt8, _ count: Int, into connection: RawTLS) {
        let room = Room(RawServer.piece)
        connection.write(byte: kind)
        withUnsafeBytes(of: count) { connection.write($0) }
        let file = kind == RawServer.pour ? -1 : open("\(RawServer.folder(of: kind))/large.bin", O_RDONLY | O_CLOEXEC)
        defer { if file >= 0 { close(file) } }
        for _ in 0..<count / RawServer.piece {
            if file >= 0 { precondition(read(file, room.bytes.baseAddress, room.bytes.count) == room.bytes.count) }
            connection.write(UnsafeRawBufferPointer(room.bytes))
        }
        connection.skip(1, room)
    }

    private func echo() async throws {
        let (connection, count) = (try connected(), count)
        let times = try await runBlocking("raw") {
            let room = Room(64)
            connection.write(byte: RawServer.echo)
            withUnsafeBytes(of: count) { connection.write($0) }
            return (0..<count).map { _ in
                let start = ContinuousClock.now
                connection.write(UnsafeRawBufferPointer(room.bytes))
                connection.skip(64, room)
                return seconds(.now - start) * 1e6
            }
        }
        let figures = Figures(Array(times.dropFirst(count / 10)))
        say("p50 \(figures.median)")
        say("p99 \(figures.quantile(0.99))")
    }
}
