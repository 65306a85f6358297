import Glibc
import LinuxPlatform
import RawTLS
import Testing
import TestSupport
import Transport
import Vocabulary

/// Connections with programs that are no peers: each is refused with the reason, at once if the first bytes show it.
@Suite("Channels and other programs", .timeLimit(.minutes(5)))
struct StrangerTests {
    let loop = EventLoop(named: "stranger loop")

    @Test(
        "A machine without a peer's certificate is refused",
        arguments: [.noCertificate, .rsaCertificate, .twoCertificates, .foreignSignature] as [RawPeer.Oddity]
    )
    func wrongCertificate(oddity: RawPeer.Oddity) async throws {
        #expect(try await answering(oddity) == .badCertificate)
    }

    @Test(
        "A machine that speaks another protocol or version is refused",
        arguments: [.oldTLS, .otherProtocol, .noProtocol] as [RawPeer.Oddity]
    )
    func wrongProtocol(oddity: RawPeer.Oddity) async throws {
        guard case .notAPeer = try await answering(oddity) else {
            Issue.record("let in, or for another reason")
            return
        }
    }

    // Clocks in a household can be wrong: after an empty battery it is 1970.
    @Test("The dates of a certificate are ignored", arguments: [.none, .expired] as [RawPeer.Oddity])
    func dates(oddity: RawPeer.Oddity) async throws {
        #expect(try await answering(oddity) == nil)
    }

    @Test("The machine that answers must be a peer, too", arguments: RawPeer.Oddity.allCases)
    func dialling(oddity: RawPeer.Oddity) async throws {
        let (near, far) = BlockingSocket.pair()
        let server = try RawPeer(oddity, isServer: true, over: far)
        async let accepted = runBlocking("stranger") {
            defer { server.socket.end() }
            return server.accept()
        }
        let error = await channelError { try await dial(near, expecting: nil) }
        _ = try await accepted
        switch (oddity, error) {
        case (.none, nil), (.expired, nil): break
        // The other program's own library refuses first.
        case (.noCertificate, .refused), (.rsaCertificate, .refused), (.oldTLS, .refused), (.oldTLS, .notAPeer): break
        case (.twoCertificates, .badCertificate), (.foreignSignature, .badCertificate): break
        case (.noProtocol, .notAPeer): break
        // The answering side chooses the offered protocol, no matter the peer's own name for it.
        case (.otherProtocol, nil): break
        default: Issue.record("\(oddity): \(String(describing: error))")
        }
    }

    @Test("An unexpected key is reported with the expected one, and its owner does not learn this machine's key")
    func otherKey() async throws {
        let (near, far, wanted) = (Identity.ephemeral(), Identity.ephemeral(), Identity.ephemeral())
        let sockets = try await LoopbackPair(on: loop)
        async let answer = channelError { try await accept(sockets.server, as: far) }
        let error = await channelError {
            try await SecureChannel.dial(
                over: sockets.client,
                as: near,
                expecting: wanted.peerID,
                within: .seconds(20),
                on: loop
            )
        }
        #expect(error == .keyChanged(expected: wanted.peerID, found: far.peerID))
        guard case .refused = await answer else {
            Issue.record("the answering side was not refused")
            return
        }
    }

    @Test("Another peer's ticket does not change the expected peer")
    func otherTicket() async throws {
        let (near, far, other) = (Identity.ephemeral(), Identity.ephemeral(), Identity.ephemeral())
        let first = try await ChannelPair(near, other, on: loop)
        try await first.answerer.send([1])
        _ = try await first.dialler.receive(upTo: 1)
        let ticket = try #require(first.dialler.ticket)
        let pair = try await ChannelPair(near, far, resuming: ticket, on: loop)
        #expect(pair.dialler.peerID == far.peerID && !pair.dialler.isResumed)
        // A machine that did not make the ticket ignores it, and its key shows.
        let sockets = try await LoopbackPair(on: loop)
        async let answer = channelError { try await accept(sockets.server, as: far) }
        let error = await channelError {
            try await SecureChannel.dial(
                over: sockets.client,
                as: near,
                expecting: other.peerID,
                resuming: ticket,
                within: .seconds(20),
                on: loop
            )
        }
        #expect(error == .keyChanged(expected: other.peerID, found: far.peerID))
        _ = await answer
    }

    @Test(
        "The error names the program that answers instead of a peer",
        arguments: [
            ("HTTP/1.1 400 Bad Request\r\n\r\n", ChannelError.notAPeer("it is a web server")),
            ("SSH-2.0-OpenSSH_9.2p1\r\n", .notAPeer("it is an SSH server")),
            ("220 mail.home ESMTP\r\n", .notAPeer("it is a mail or file server")),
            ("hello, hello", .notAPeer("it does not speak TLS")),
            // The TLS alert for supporting none of the offered protocols: fatal, 120.
            ("\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{78}", .noCommonVersion),
        ]
    )
    func otherProgram(answer: String, expected: ChannelError) async throws {
        let (near, far) = BlockingSocket.pair()
        try far.send(Array(answer.utf8))
        #expect(await channelError { try await dial(near, expecting: nil) } == expected)
    }

    @Test("Plain text and noise are refused", arguments: 0..<20 as Range<UInt64>)
    func noise(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let noise = (0..<2_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let starts: [[UInt8]] = [[], [22, 3, 1], [22, 3, 3, 0, 200, 1], Array("GET / HTTP/1.1\r\n".utf8)]
        let bytes = starts[Int(seed % 4)] + noise
        let error = try await answering { try $0.send(bytes) }
        switch error {
        case .notAPeer, .lost, .refused: break
        default: Issue.record("seed \(seed): \(String(describing: error))")
        }
    }

    @Test("Silence or half a handshake takes at most the limit", arguments: [0, 1, 5, 100])
    func silence(count: Int) async throws {
        // The head of a handshake message of 512 bytes.
        let half = ([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3] + [UInt8](repeating: 7, count: 200)).prefix(count)
        let (near, far) = BlockingSocket.pair()
        if count > 0 { try far.send(Array(half)) }
        let start = ContinuousClock.now
        #expect(await channelError { try await accept(near, within: .milliseconds(100)) } == .timedOut)
        #expect(ContinuousClock.now - start < .seconds(20))
        withExtendedLifetime(far) {}
    }

    @Test("An endless handshake message is cut off long before it fills the memory")
    func endlessGreeting() async throws {
        // Records of 4 KiB, all part of one message with a declared length of 130,000 bytes.
        let first: [UInt8] = [22, 3, 1, 16, 0, 1, 1, 0xFB, 0xD0] + [UInt8](repeating: 3, count: 4_092)
        let next: [UInt8] = [22, 3, 1, 16, 0] + [UInt8](repeating: 3, count: 4_096)
        let error = try await answering { socket in
            try? socket.send(first)
            for _ in 0..<30 { try? socket.send(next) }
        }
        guard case .notAPeer = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("A cancelled handshake ends at once")
    func cancelled() async throws {
        let (near, far) = BlockingSocket.pair()
        let task = Task { await channelError { try await accept(near, within: .seconds(3_600)) } }
        task.cancel()
        #expect(await task.value == .cancelled)
        withExtendedLifetime(far) {}
    }

    @Test("A port without a listener is unreachable, and the error has the address")
    func unreachable() async throws {
        let (holder, port) = try BlockingSocket.boundToLoopback(backlog: nil)
        let address = SocketAddress(.v4(127, 0, 0, 1), port: port)
        let error = await channelError {
            try await SecureChannel.dial(to: address, as: .ephemeral(), expecting: nil, within: .seconds(20), on: loop)
        }
        #expect(error == .unreachable(address, SystemError("connect", ECONNREFUSED)))
        withExtendedLifetime(holder) {}
    }

    @Test("New keys in the middle of a channel go unnoticed")
    func newKeys() async throws {
        let (near, far) = BlockingSocket.pair()
        let client = try RawPeer(.none, over: far)
        async let echoed = runBlocking("peer") {
            guard client.connect() else { return false }
            for round in 0..<50 as Range<UInt8> {
                guard client.askForNewKeys(), client.send([round]), client.receive(upTo: 9) == [round] else {
                    return false
                }
            }
            return true
        }
        let channel = try await accept(near)
        for _ in 0..<50 { try await channel.send(try await channel.receive(upTo: 9)) }
        #expect(try await echoed)
    }

    @Test("A peer that asks for new keys endlessly is cut off, and does not block the thread")
    func endlessNewKeys() async throws {
        let most = 100_000
        let (near, far) = BlockingSocket.pair()
        let client = try RawPeer(.none, over: far)
        async let asked = runBlocking("peer") {
            var count = 0
            guard client.connect() else { return count }
            while count < most, client.askForNewKeys() { count += 1 }
            far.end()
            return count
        }
        let channel = try await accept(near)
        let error = await channelError { _ = try await channel.receive(upTo: 9) }
        guard case .notAPeer = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        channel.abort()
        #expect(try await asked < most)
    }

    // MARK: The two sides

    /// The error of a channel that answers an odd peer.
    private func answering(_ oddity: RawPeer.Oddity) async throws -> ChannelError? {
        try await answering { socket in
            let client = try RawPeer(oddity, over: socket)
            // Only the answering side's next message shows that it accepted the certificate.
            if client.connect() { _ = client.receive(upTo: 1) }
        }
    }

    private func answering(_ stranger: @escaping @Sendable (BlockingSocket) throws -> Void) async throws
        -> ChannelError?
    {
        let (near, far) = BlockingSocket.pair()
        async let done: Void = runBlocking("stranger") {
            defer { far.end() }
            try stranger(far)
        }
        let error = await channelError {
            let channel = try await accept(near)
            channel.abort()
        }
        near.end()
        try await done
        return error
    }

    private func dial(_ socket: BlockingSocket, expecting peerID: PeerID?) async throws -> SecureChannel {
        let socket = try StreamSocket(socket.nonBlocking(), on: loop)
        return try await SecureChannel.dial(
            over: socket,
            as: .ephemeral(),
            expecting: peerID,
            within: .seconds(20),
            on: loop
        )
    }

    private func accept(_ socket: BlockingSocket, within limit: Duration = .seconds(20)) async throws -> SecureChannel {
        let socket = try StreamSocket(socket.nonBlocking(), on: loop)
        return try await SecureChannel.accept(socket, as: .ephemeral(), within: limit, on: loop)
    }

    private func accept(_ socket: StreamSocket, as identity: Identity) async throws -> SecureChannel {
        try await SecureChannel.accept(socket, as: identity, within: .seconds(20), on: loop)
    }
}
