import LinuxPlatform
import TestSupport
import Yardstick

/// Two blocking threads with a connection between them.
struct RawParty {
    let client: RawTLS.Context
    let server: RawTLS.Context

    init(identityFile: String) {
        client = RawTLS.Context(isServer: false, identityFile: identityFile)
        server = RawTLS.Context(isServer: true, identityFile: identityFile)
    }

    func connected() async throws -> (RawTLS, RawTLS) {
        let (near, far) = try Self.sockets()
        let (dialler, answerer) = (RawTLS(client, near), RawTLS(server, far))
        async let accepted: Void = runBlocking("accept") { answerer.accept() }
        try await runBlocking("connect") { dialler.connect() }
        try await accepted
        return (dialler, answerer)
    }

    func transfer(_ total: Int, pieces: Int) async throws -> Duration {
        let (dialler, answerer) = try await connected()
        let start = ContinuousClock.now
        async let sent: Void = runBlocking("send") {
            let room = Room(pieces)
            for _ in 0..<total / pieces { dialler.write(UnsafeRawBufferPointer(room.bytes)) }
        }
        try await runBlocking("receive") {
            let room = Room(pieces)
            var received = 0
            while received < total { received += answerer.read(into: room.bytes) }
        }
        let taken = ContinuousClock.now - start
        try await sent
        return taken
    }

    func roundTrips(_ count: Int) async throws -> [Double] {
        let (dialler, answerer) = try await connected()
        async let echoed: Void = runBlocking("echo") {
            let room = Room(64)
            for _ in 0..<count {
                precondition(answerer.read(into: room.bytes) == 64)
                answerer.write(UnsafeRawBufferPointer(room.bytes))
            }
        }
        let times = try await runBlocking("ping") {
            let room = Room(64)
            return (0..<count).map { _ in
                let start = ContinuousClock.now
                dialler.write(UnsafeRawBufferPointer(room.bytes))
                precondition(dialler.read(into: room.bytes) == 64)
                return seconds(ContinuousClock.now - start) * 1e6
            }
        }
        try await echoed
        return times
    }

    /// Makes a number of connections, one after the other. The other side sends one byte on each, with which the ticket
    /// arrives.
    func handshakes(_ count: Int, resumed: Bool) async throws -> Duration {
        let (listener, port) = try BlockingSocket.boundToLoopback(backlog: 16)
        let server = server
        async let answered: Void = runBlocking("answer") {
            for _ in 0...count {
                let answerer = RawTLS(server, try listener.accept())
                answerer.accept()
                withUnsafeBytes(of: UInt8(1)) { answerer.write($0) }
            }
        }
        let client = client
        let taken = try await runBlocking("dial") {
            let room = Room(1)
            let first = RawTLS(client, try BlockingSocket.connected(toLoopbackPort: port))
            first.connect()
            _ = first.read(into: room.bytes)
            let session = resumed ? first.session : nil
            let start = ContinuousClock.now
            for _ in 0..<count {
                let dialler = RawTLS(client, try BlockingSocket.connected(toLoopbackPort: port))
                dialler.connect(resuming: session)
                _ = dialler.read(into: room.bytes)
            }
            return ContinuousClock.now - start
        }
        try await answered
        return taken
    }

    private static func sockets() throws -> (BlockingSocket, BlockingSocket) {
        let (listener, port) = try BlockingSocket.boundToLoopback(backlog: 1)
        let near = try BlockingSocket.connected(toLoopbackPort: port)
        let far = try listener.accept()
        try near.sendSmallMessagesAtOnce()
        try far.sendSmallMessagesAtOnce()
        return (near, far)
    }
}

extension RawTLS {
    convenience init(_ context: Context, _ socket: BlockingSocket) {
        self.init(context, socket.descriptor.number, heldBy: socket)
    }
}
