import LinuxPlatform
import TestSupport
import Transport

/// Both ends of one secure channel on this machine.
struct ChannelPair: Sendable {
    let dialler: SecureChannel
    let answerer: SecureChannel

    /// Connects two identities over `127.0.0.1` or `::1`.
    init(
        _ near: Identity = .ephemeral(),
        _ far: Identity = .ephemeral(),
        resuming ticket: ResumptionTicket? = nil,
        over address: IPAddress = .v4(127, 0, 0, 1),
        on loop: EventLoop
    ) async throws {
        let sockets = try await LoopbackPair(over: address, on: loop)
        async let answered = SecureChannel.accept(sockets.server, as: far, within: .seconds(20), on: loop)
        dialler = try await SecureChannel.dial(
            over: sockets.client,
            as: near,
            expecting: far.peerID,
            resuming: ticket,
            within: .seconds(20),
            on: loop
        )
        answerer = try await answered
    }
}

/// Receives exactly `count` bytes, or those before the end.
func receiveAll(_ count: Int, from channel: SecureChannel) async throws -> [UInt8] {
    var received: [UInt8] = []
    while received.count < count {
        let more = try await channel.receive(upTo: count - received.count)
        if more.isEmpty { break }
        received += more
    }
    return received
}

/// Receives to the clean end.
func receiveToEnd(from channel: SecureChannel, upTo limit: Int = 64 << 10) async throws -> [UInt8] {
    var received: [UInt8] = []
    while true {
        let more = try await channel.receive(upTo: limit)
        if more.isEmpty { return received }
        received += more
    }
}

/// Bytes that repeat with a period that no buffer has, so that a lost or doubled one shows.
func pattern(_ count: Int, seed: Int = 0) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + onePattern.count)
    bytes += onePattern[(seed % 251)...]
    while bytes.count < count { bytes += onePattern }
    bytes.removeLast(bytes.count - count)
    return bytes
}

private let onePattern = (0..<251 * 40).map { UInt8($0 % 251) }

/// The channel error that a call throws; nil if it succeeds.
func channelError<Value>(_ body: () async throws -> Value) async -> ChannelError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? ChannelError
    }
}

let loopbackAddresses: [IPAddress] = [.v4(127, 0, 0, 1), .v6(high: 0, low: 1, interface: 0)]
let anyLoopbackPort = SocketAddress(.v4(127, 0, 0, 1), port: 0)
