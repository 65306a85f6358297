import Glibc
import LinuxPlatform
import Transport

/// The speed of encryption on this machine.
public enum EncryptionRate {
    /// Measures the bytes a second of an encrypted channel within this machine: an upper limit for any other channel.
    ///
    /// - Parameter time: the duration of the test, on two threads of its own
    public static func measure(for time: Duration) async throws -> Double {
        let (sending, receiving) = (try EventLoop(ifPossible: "bench out"), try EventLoop(ifPossible: "bench in"))
        let listener = try ChannelListener(on: SocketAddress(.v4(127, 0, 0, 1), port: 0), loop: receiving)
        let (identity, patience) = (Identity.ephemeral(), Duration.seconds(5))
        let reading = Task(executorPreference: receiving.taskExecutor) {
            let socket = try await listener.accept()
            let channel = try await SecureChannel.accept(socket, as: identity, within: patience, on: receiving)
            let count = try await Self.readToEnd(of: channel)
            return (count, ContinuousClock.now)
        }
        defer { reading.cancel() }
        let writing = Task(executorPreference: sending.taskExecutor) {
            let channel = try await SecureChannel.dial(
                to: listener.address,
                as: identity,
                expecting: identity.peerID,
                within: patience,
                on: sending
            )
            // The time of the handshake does not count.
            let begun = ContinuousClock.now
            try await Self.write(to: channel, for: time)
            await channel.close(within: patience)
            return begun
        }
        defer { writing.cancel() }
        let begun = try await writing.value
        let (bytes, ended) = try await reading.value
        return Double(bytes) / ((ended - begun) / .seconds(1))
    }

    private static nonisolated(nonsending) func write(to channel: SecureChannel, for time: Duration) async throws {
        let bytes = [UInt8](repeating: 0, count: 256 << 10)
        let deadline = ContinuousClock.now + time
        while ContinuousClock.now < deadline {
            try Task.checkCancellation()
            try await channel.send(bytes)
        }
        try await channel.finishSending()
    }

    private static nonisolated(nonsending) func readToEnd(of channel: SecureChannel) async throws -> UInt64 {
        let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { scratch.deallocate() }
        var count: UInt64 = 0
        while case let more = try await channel.receive(into: scratch), more > 0 { count += UInt64(more) }
        return count
    }
}
