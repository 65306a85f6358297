import LinuxPlatform
import SyncthingBridge
import TestSupport
import Testing
import Transport
import Vocabulary

@testable import Bridges

@Suite("Connections to devices with Syncthing", .timeLimit(.minutes(1)))
@Engine
struct DeviceConnectionsTests {
    @Test("A device whose connections break without a word is connected again within seconds each time")
    func breaks() async throws {
        let device = try ListeningDevice()
        let events = EventRecord()
        let connections = device.dialler(telling: events)
        connections.dial(device.id)
        await events.online()
        for _ in 0..<4 {
            let start = ContinuousClock.now
            // As a kill does it.
            try await device.nextChannel().abort()
            await events.online()
            #expect(ContinuousClock.now - start < .seconds(5))
        }
        await connections.end()
        device.end()
    }

    @Test("A device whose Hello comes after the end is not connected")
    func ends() async throws {
        let device = try ListeningDevice()
        let events = EventRecord()
        let connections = device.dialler(telling: events)
        try connections.listen(on: 0)
        let secure = try await SecureChannel.dial(
            to: SocketAddress(.v4(127, 0, 0, 1), port: try #require(connections.port)),
            as: device.identity,
            expecting: try #require(PeerID(bytes: connections.own.bytes)),
            within: .seconds(10),
            on: .shared
        )
        await connections.end()
        try await secure.send(device.hello.encoded)
        while let bytes = try? await secure.receive(upTo: 1_000), !bytes.isEmpty {}
        #expect(!connections.isOnline(device.id) && events.all.isEmpty)
        device.end()
    }
}

/// The events of connections.
@Engine
private final class EventRecord {
    private(set) var all: [DeviceConnections.Event] = []
    private let (events, continuation) = AsyncStream.makeStream(
        of: DeviceConnections.Event.self,
        bufferingPolicy: .bufferingOldest(100)
    )

    nonisolated init() {}

    func take(_ event: DeviceConnections.Event) {
        all.append(event)
        continuation.yield(event)
    }

    /// Waits until a device is online.
    func online() async {
        for await case .online in events { return }
    }
}

/// A device that is dialled.
@Engine
private final class ListeningDevice {
    let id: DeviceID
    let hello = HelloMessage(deviceName: "pc", clientName: "syncthing", clientVersion: "v1.19.2")
    let identity = DeviceIdentity.unstored()
    private let listener: ChannelListener
    private let household = DeviceIdentity.unstored()
    private let (channels, continuation) = AsyncStream.makeStream(
        of: SecureChannel.self,
        bufferingPolicy: .bufferingOldest(16)
    )
    private var task: Task<Void, Never>?

    init() throws {
        id = try #require(DeviceID(bytes: identity.certificateID.bytes))
        listener = try ChannelListener(on: SocketAddress(.v4(127, 0, 0, 1), port: 0), loop: .shared)
        task = Task { [weak self] in
            while let self, let socket = try? await listener.accept() { Task { try? await self.answer(socket) } }
        }
    }

    private func answer(_ socket: StreamSocket) async throws {
        let secure = try await SecureChannel.accept(socket, as: identity, within: .seconds(10), on: .shared)
        continuation.yield(secure)
        let channel = try await DeviceChannel.open(over: secure, as: hello)
        try await channel.send(.clusterConfig(ClusterConfig(folders: [])))
        while try await channel.receive() != nil {}
    }

    func nextChannel() async throws -> SecureChannel {
        for await secure in channels { return secure }
        throw CancellationError()
    }

    func end() { task?.cancel() }

    func dialler(telling events: EventRecord) -> DeviceConnections {
        let (address, id) = (listener.address, id)
        return DeviceConnections(
            as: household,
            named: "Deck",
            DeviceConnections.Home {
                $0 == id ? .paired : .unknown
            } folders: { _ in
                []
            } addresses: { _ in
                [address]
            } tell: {
                events.take($0)
            }
        )
    }
}
