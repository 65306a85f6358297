import Glibc
import LinuxPlatform
import Testing
import TestSupport
import Transport

@Suite("ChannelListener", .timeLimit(.minutes(5)))
struct ChannelListenerTests {
    let loop = EventLoop(named: "listener loop")

    @Test("A listener on all addresses accepts IPv6 and IPv4 on one port", arguments: loopbackAddresses)
    func everywhere(address: IPAddress) async throws {
        let listener = try ChannelListener.everywhere(port: 0, loop: loop)
        let (near, far) = (Identity.ephemeral(), Identity.ephemeral())
        async let answered = SecureChannel.accept(listener.accept(), as: far, within: .seconds(20), on: loop)
        let target = SocketAddress(address, port: listener.port)
        let channel = try await SecureChannel.dial(
            to: target,
            as: near,
            expecting: far.peerID,
            within: .seconds(20),
            on: loop
        )
        let answer = try await answered
        #expect(answer.peerID == near.peerID)
        // An IPv4 address is reported as IPv4.
        #expect(answer.remoteAddress?.address == address)
        #expect(channel.remoteAddress == target)
    }

    @Test("A port in use is reported")
    func taken() throws {
        let listener = try ChannelListener(on: anyLoopbackPort, loop: loop)
        #expect(throws: SystemError.self) { try ChannelListener(on: listener.address, loop: loop) }
    }

    @Test("A listener without descriptors waits and continues")
    func outOfDescriptors() async {
        await #expect(processExitsWith: .success) {
            let loop = EventLoop(named: "crowded")
            let listener = try ChannelListener(on: anyLoopbackPort, loop: loop)
            let client = try await StreamSocket.connect(to: listener.address, within: .seconds(20), on: loop)
            var hoard = rlimit(rlim_cur: 256, rlim_max: 256)
            precondition(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &hoard) == 0)
            var taken: [CInt] = []
            while let more = Optional(dup(0)), more >= 0 { taken.append(more) }
            let accepting = Task(executorPreference: loop.taskExecutor) { try await listener.accept() }
            // After the first attempt, on the same thread.
            await loop.letOthersRun()
            for number in taken { close(number) }
            let accepted = try await accepting.value
            try await client.send([1])
            let bytes = try await accepted.receive(upTo: 1)
            precondition(bytes == [1])
        }
    }

    @Test("A cancelled wait ends at once")
    func cancelled() async throws {
        let listener = try ChannelListener(on: anyLoopbackPort, loop: loop)
        let task = Task { _ = try await listener.accept() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
