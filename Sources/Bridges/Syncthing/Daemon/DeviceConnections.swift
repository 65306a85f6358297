import Glibc
import Household
import LinuxPlatform
import SyncthingBridge
import Transport
import Vocabulary

/// The connections to paired devices: it listens, dials, and keeps one connection to each device that it can reach.
@Engine final class DeviceConnections {
    /// The decisions about devices, and what is shared with them.
    struct Home: Sendable {
        let admits: @Engine @Sendable (DeviceID) -> Admission
        let folders: @Engine @Sendable (DeviceID) -> [SharedFolder]
        /// Nil if no address is known, so that nothing is tried until the device announces one.
        let addresses: @Engine @Sendable (DeviceID) async -> [SocketAddress]?
        let tell: @Engine @Sendable (Event) -> Void
    }

    enum Admission {
        case paired
        case unknown
        /// Gets no answer.
        case blocked
    }

    enum Event {
        case online(DeviceID, HelloMessage, at: SocketAddress?)
        case offline(DeviceID)
        case shares(DeviceID, ClusterConfig)
        case unknown(DeviceID, HelloMessage, at: SocketAddress?)
    }

    let own: DeviceID
    private let identity: DeviceIdentity
    private let name: String
    private let home: Home
    private var listening: (port: UInt16, task: Task<Void, Never>)?
    private var sessions: [DeviceID: SyncthingBridge.DeviceSession] = [:]
    private var dials: [DeviceID: Dial] = [:]
    /// Connections whose devices are not known yet.
    private var handshakes = 0

    /// An ended object connects to nothing: a handshake may outlive ``end()``, and its device would count as connected.
    private var hasEnded = false

    private struct Dial {
        var timer: ScheduledTimer?
        var attempt: Task<Void, Never>?
        var pauses = DialPauses()
    }

    private static let handshakeLimit = Duration.seconds(20)
    private static let mostHandshakes = 16

    init(as identity: DeviceIdentity, named name: String, _ home: Home) {
        (self.identity, self.name, self.home) = (identity, name, home)
        guard let own = DeviceID(bytes: identity.certificateID.bytes) else {
            preconditionFailure("the SHA-256 of a certificate has the length of a device id")
        }
        self.own = own
    }

    var port: UInt16? { listening?.port }

    func isOnline(_ device: DeviceID) -> Bool { sessions[device] != nil }

    // MARK: Listening

    /// - Throws: ``SyncthingError`` if another program has the port
    func listen(on port: UInt16) throws {
        guard listening == nil else { return }
        let listener: ChannelListener
        do { listener = try ChannelListener.everywhere(port: port, loop: .shared) } catch {
            throw error.number == EADDRINUSE ? SyncthingError.portTaken(port) as any Error : error
        }
        let task = Task { [weak self] in
            while let socket = try? await listener.accept() {
                guard let self else { return }
                self.take(socket)
            }
        }
        listening = (listener.port, task)
    }

    /// Ends all connections, and stops to listen.
    func end() async {
        hasEnded = true
        listening?.task.cancel()
        await listening?.task.value
        listening = nil
        for device in dials.keys { stopDialling(device) }
        for session in sessions.values { await session.close(because: "Huddle ends") }
    }

    private func take(_ socket: StreamSocket) {
        // Strangers share a few places; a paired device tries again.
        guard handshakes < Self.mostHandshakes else { return }
        handshakes += 1
        let sender = socket.remoteAddress
        Task {
            var secure: SecureChannel?
            do {
                secure = try await SecureChannel.accept(socket, as: identity, within: Self.handshakeLimit, on: .shared)
            } catch {}
            handshakes -= 1
            guard let secure else { return }
            try? await serve(secure, from: sender, isDialled: false)
        }
    }

    // MARK: Dialling

    /// Dials a device at once, and again until it is online.
    func dial(_ device: DeviceID) { dial(device, after: .zero) }

    private func dial(_ device: DeviceID, after pause: Duration) {
        guard !hasEnded, sessions[device] == nil, dials[device]?.attempt == nil else { return }
        dials[device]?.timer?.cancel()
        dials[device, default: Dial()].timer = Engine.schedule(at: .now + pause) { @Sendable [weak self] in
            self?.attempt(device)
        }
    }

    /// Stops to dial a device, and cuts its connection.
    func drop(_ device: DeviceID, because reason: String) async {
        stopDialling(device)
        await sessions[device]?.close(because: reason)
    }

    private func stopDialling(_ device: DeviceID) {
        let dial = dials.removeValue(forKey: device)
        dial?.timer?.cancel()
        dial?.attempt?.cancel()
    }

    private func attempt(_ device: DeviceID) {
        guard sessions[device] == nil, case .paired = home.admits(device) else { return }
        dials[device]?.timer = nil
        dials[device]?.attempt = Task {
            let addresses = await home.addresses(device)
            await dial(device, at: addresses ?? [])
            guard !Task.isCancelled else { return }
            dials[device]?.attempt = nil
            if addresses != nil { again(device) }
        }
    }

    /// Plans the next attempt.
    private func again(_ device: DeviceID) {
        guard sessions[device] == nil, case .paired = home.admits(device) else { return }
        // At random, so that two devices that dial each other don't cut each other's connections again and again.
        let pause = dials[device, default: Dial()].pauses.next() * Double.random(in: 0.75...1.25)
        dial(device, after: pause)
    }

    /// Tries each address until the device is online.
    private func dial(_ device: DeviceID, at addresses: [SocketAddress]) async {
        guard let certificate = PeerID(bytes: device.bytes) else { return }
        for address in addresses {
            guard !Task.isCancelled, sessions[device] == nil else { return }
            let secure = try? await SecureChannel.dial(
                to: address,
                as: identity,
                expecting: certificate,
                within: Self.handshakeLimit,
                on: .shared
            )
            guard let secure else { continue }
            // A device that was reached here is reached by no other address, however its connection ends.
            return (try? await serve(secure, from: address, isDialled: true)) ?? ()
        }
    }

    // MARK: A connection

    private func serve(_ secure: SecureChannel, from address: SocketAddress?, isDialled: Bool) async throws {
        guard let device = DeviceID(bytes: secure.peerID.bytes), device != own else { return secure.abort() }
        let admission = home.admits(device)
        if case .blocked = admission { return secure.abort() }
        // A stranger does not learn this machine's name.
        let isPaired = if case .paired = admission { true } else { false }
        let hello = HelloMessage(
            deviceName: isPaired ? name : "",
            clientName: "huddle",
            clientVersion: "v\(Release.version)"
        )
        let channel = try await DeviceChannel.open(over: secure, as: hello)
        guard !hasEnded else { return await channel.close(because: "Huddle ends") }
        guard isPaired, case .paired = home.admits(device) else {
            home.tell(.unknown(device, channel.hello, at: address))
            return await channel.close(because: "this device is not paired")
        }
        if let old = sessions[device] {
            // A device that dials does not know of its old connection, which a power cut may have left.
            guard !isDialled else { return await channel.close(because: "there is a connection already") }
            old.abort()
        }
        let session = SyncthingBridge.DeviceSession(
            over: channel,
            as: own,
            folders: home.folders(device),
            learning: { [home] in home.tell(.shares(device, $0)) }
        )
        sessions[device] = session
        dials[device]?.timer?.cancel()
        home.tell(.online(device, channel.hello, at: isDialled ? address : nil))
        let start = ContinuousClock.now
        defer { ended(session, device, after: .now - start) }
        try await session.run()
    }

    private func ended(_ session: SyncthingBridge.DeviceSession, _ device: DeviceID, after time: Duration) {
        guard sessions[device] === session else { return }
        sessions[device] = nil
        dials[device]?.pauses.connectionEnded(after: time)
        home.tell(.offline(device))
        if dials[device]?.attempt == nil { again(device) }
    }

    /// Connects to a device again, so that both sides learn of other folders.
    func reconnect(_ device: DeviceID) async {
        await sessions[device]?.close(because: "the shared folders have changed")
        dial(device)
    }
}
