package import LinuxPlatform
package import Transport
import Vocabulary

/// One connection to a device after its Hello: messages in both directions.
@Engine
package final class DeviceChannel {
    /// The device at the other end, whose certificate is proven.
    package let device: DeviceID
    /// The device's name and program.
    package let hello: HelloMessage
    private let secure: SecureChannel
    private var decoder = MessageDecoder()
    private let turn = SendTurn()
    /// The times of the last bytes in each direction, to detect silence.
    private(set) var lastReceived = ContinuousClock.now
    private(set) var lastSent = ContinuousClock.now

    /// The number of bytes that are fetched at a time.
    private static let readCount = 64 << 10
    /// The time for both Hellos.
    private static let helloLimit = Duration.seconds(20)

    private init(_ secure: SecureChannel, _ device: DeviceID, _ hello: HelloMessage) {
        (self.secure, self.device, self.hello) = (secure, device, hello)
    }

    /// Exchanges Hellos over a channel of
    /// ``SecureChannel/dial(to:as:expecting:within:on:)-(_,DeviceIdentity,_,_,_)`` or
    /// ``SecureChannel/accept(_:as:within:on:)-(_,DeviceIdentity,_,_)``.
    package static func open(over secure: SecureChannel, as hello: HelloMessage) async throws -> DeviceChannel {
        guard let device = DeviceID(bytes: secure.peerID.bytes) else { throw ProtocolViolation("has no id") }
        let timer = secure.loop.schedule(after: helloLimit) { @Sendable in secure.abort() }
        defer { timer.cancel() }
        try await secure.send(hello.encoded)
        let head = try await receive(HelloMessage.headCount, from: secure)
        let body = try await receive(HelloMessage.bodyCount(of: head), from: secure)
        return DeviceChannel(secure, device, try HelloMessage(decoding: body))
    }

    private static func receive(_ count: Int, from secure: SecureChannel) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try await secure.receive(upTo: count - bytes.count)
            guard !more.isEmpty else { throw ProtocolViolation("ended the connection instead of a Hello") }
            bytes += more
        }
        return bytes
    }

    /// Receives the next message; nil at the connection's clean end. Only one task may receive.
    package func receive() async throws -> DeviceMessage? {
        while true {
            if let message = try decoder.next() { return message }
            let bytes = try await secure.receive(upTo: Self.readCount)
            guard !bytes.isEmpty else { return nil }
            lastReceived = .now
            decoder.append(bytes)
        }
    }

    /// Sends a message, after those that other tasks are sending.
    package func send(_ message: DeviceMessage) async throws {
        try await turn.take()
        defer { turn.pass() }
        lastSent = .now
        try await secure.send(message.encoded)
    }

    /// Ends the connection, and sends the reason to the device.
    package func close(because reason: String) async {
        let secure = secure
        let timer = secure.loop.schedule(after: .seconds(2)) { @Sendable in secure.abort() }
        try? await send(.close(reason: reason))
        await secure.close()
        timer.cancel()
    }

    /// Cuts the connection at once.
    package func abort() { secure.abort() }
}

/// The right to send. One task has it at a time.
@Engine
private final class SendTurn {
    private var isTaken = false
    private var waiting: [Resumption<Void>] = []

    func take() async throws {
        guard isTaken else {
            isTaken = true
            return
        }
        let resumption = Resumption<Void>()
        waiting.append(resumption)
        try await resumption.value()
    }

    func pass() {
        guard !waiting.isEmpty else {
            isTaken = false
            return
        }
        waiting.removeFirst().resume(with: .success(()))
    }
}
