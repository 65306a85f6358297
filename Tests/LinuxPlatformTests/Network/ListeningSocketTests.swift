import Glibc
import LinuxPlatform
import Testing
import TestSupport

@Suite("ListeningSocket", .timeLimit(.minutes(5)))
struct ListeningSocketTests {
    let loop = EventLoop(named: "listen loop")

    @Test("The kernel chooses a port, which is reported", arguments: loopbackAddresses)
    func port(address: IPAddress) throws {
        let listener = try ListeningSocket(on: SocketAddress(address, port: 0), loop: loop)
        #expect(listener.address.address == address)
        #expect(listener.address.port != 0)
    }

    @Test("A port that is taken is reported with the address")
    func taken() throws {
        let listener = try ListeningSocket(on: anyLoopbackPort, loop: loop)
        let failure = #expect(throws: SystemError.self) { try ListeningSocket(on: listener.address, loop: loop) }
        #expect(failure?.number == EADDRINUSE)
        #expect(failure?.subject == "127.0.0.1:\(listener.address.port)")
    }

    @Test("The unspecified IPv6 address accepts IPv4 connections, too")
    func bothFamilies() async throws {
        let everywhere = SocketAddress(.v6(high: 0, low: 0, interface: 0), port: 0)
        let listener = try ListeningSocket(on: everywhere, loop: loop)
        for address in loopbackAddresses {
            async let accepted = listener.accept()
            let target = SocketAddress(address, port: listener.address.port)
            let client = try await StreamSocket.connect(to: target, within: .seconds(20), on: loop)
            try await client.send([4])
            #expect(try await accepted.receive(upTo: 1) == [4])
        }
    }

    @Test("Connections before the first accept are kept")
    func early() async throws {
        let listener = try ListeningSocket(on: anyLoopbackPort, loop: loop)
        var clients: [StreamSocket] = []
        for _ in 0..<50 {
            clients.append(try await StreamSocket.connect(to: listener.address, within: .seconds(20), on: loop))
        }
        for _ in 0..<50 { _ = try await listener.accept() }
    }

    @Test("A caller that disconnects before the accept does not disturb the next")
    func goneBefore() async throws {
        let listener = try ListeningSocket(on: anyLoopbackPort, loop: loop)
        let port = listener.address.port
        try await runBlocking("gone") { try BlockingSocket.connected(toLoopbackPort: port).reset() }
        let client = try await StreamSocket.connect(to: listener.address, within: .seconds(20), on: loop)
        try await client.send([9])
        let first = try await listener.accept()
        let bytes: [UInt8]
        do {
            bytes = try await first.receive(upTo: 1)
        } catch {
            #expect(error as? SystemError == SystemError("recv", ECONNRESET))
            bytes = try await listener.accept().receive(upTo: 1)
        }
        #expect(bytes == [9])
    }

    @Test("A cancelled wait for a connection ends at once, and the next one works")
    func cancelled() async throws {
        let listener = try ListeningSocket(on: anyLoopbackPort, loop: loop)
        let task = Task { _ = try await listener.accept() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        async let accepted = listener.accept()
        _ = try await StreamSocket.connect(to: listener.address, within: .seconds(20), on: loop)
        _ = try await accepted
    }

    @Test("A process without descriptors gets an error, and accepts again when it has some")
    func outOfDescriptors() async {
        await #expect(processExitsWith: .success) {
            let loop = EventLoop(named: "crowded")
            let listener = try ListeningSocket(on: anyLoopbackPort, loop: loop)
            let client = try await StreamSocket.connect(to: listener.address, within: .seconds(20), on: loop)
            var hoard = rlimit(rlim_cur: 256, rlim_max: 256)
            precondition(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &hoard) == 0)
            var taken: [CInt] = []
            while let more = Optional(dup(0)), more >= 0 { taken.append(more) }
            for _ in 0..<3 {
                let failure = await failureOfAccepting(on: listener)
                precondition(failure == SystemError("accept4", EMFILE))
            }
            for number in taken { close(number) }
            let accepted = try await listener.accept()
            try await client.send([1])
            let bytes = try await accepted.receive(upTo: 1)
            precondition(bytes == [1])
        }
    }
}

private func failureOfAccepting(on listener: ListeningSocket) async -> SystemError? {
    do {
        _ = try await listener.accept()
        return nil
    } catch {
        return error as? SystemError
    }
}

@Suite("StreamSocket.connect", .timeLimit(.minutes(5)))
struct ConnectTests {
    let loop = EventLoop(named: "connect loop")

    @Test("A port without a listener refuses", .timeLimit(.minutes(5)))
    func refused() async throws {
        // Bound and not listening: no other program can get the port, and none answers on it.
        let (holder, port) = try BlockingSocket.boundToLoopback(backlog: nil)
        let target = SocketAddress(.v4(127, 0, 0, 1), port: port)
        await #expect(throws: SystemError("connect", ECONNREFUSED)) {
            try await StreamSocket.connect(to: target, within: .seconds(20), on: loop)
        }
        withExtendedLifetime(holder) {}
    }

    @Test("An address without an answer ends at the time limit")
    func deadline() async throws {
        let silent = try SilentPort()
        let start = ContinuousClock.now
        await #expect(throws: SystemError("connect", ETIMEDOUT)) {
            try await StreamSocket.connect(to: silent.address, within: .milliseconds(50), on: loop)
        }
        let taken = ContinuousClock.now - start
        #expect(taken >= .milliseconds(50) && taken < .seconds(20))
    }

    @Test("A cancelled attempt ends at once")
    func cancelled() async throws {
        let silent = try SilentPort()
        let loop = loop
        let task = Task { _ = try await StreamSocket.connect(to: silent.address, within: .seconds(3_600), on: loop) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("Attempts that fail leave no descriptor behind")
    func leaksNothing() async {
        await #expect(processExitsWith: .success) {
            let loop = EventLoop(named: "failing")
            let silent = try SilentPort()
            let before = OwnProcess.descriptors().count
            for _ in 0..<20 {
                do {
                    _ = try await StreamSocket.connect(to: silent.address, within: .milliseconds(1), on: loop)
                    exit(EXIT_FAILURE)
                } catch {
                    precondition((error as? SystemError)?.number == ETIMEDOUT)
                }
            }
            try await passThrough(loop)
            precondition(OwnProcess.descriptors().count <= before + 3)
        }
    }
}

/// A port with a full queue of waiting connections, so that the kernel drops further ones.
private struct SilentPort {
    let address: SocketAddress
    private let listener: BlockingSocket
    private let queued: [BlockingSocket]

    init() throws {
        let (socket, port) = try BlockingSocket.boundToLoopback(backlog: 0)
        listener = socket
        address = SocketAddress(.v4(127, 0, 0, 1), port: port)
        queued = [try BlockingSocket.connected(toLoopbackPort: port)]
    }
}
