import LinuxPlatform
import SyncthingBridge
import SyncthingPrograms
import TestSupport
import Testing
import Transport
import Vocabulary

/// A household in memory with one folder that is shared with a device.
@Engine
final class BridgedSide {
    private let hello = HelloMessage(deviceName: "huddle", clientName: "huddle", clientVersion: "v0.2.0")
    let identity = DeviceIdentity.unstored()
    let household = MemoryHousehold()
    let folder: SharedFolder
    private var session: DeviceSession?

    init() throws {
        let device = try #require(DeviceID(bytes: identity.certificateID.bytes))
        let rules = BridgedFolder(device: device.short, FolderMemory(own: HouseholdIndex(id: 0x4855_4444_4C45_0001)))
        folder = SharedFolder(
            id: "celeste",
            label: "Celeste",
            rules: rules,
            quietPeriod: .milliseconds(300),
            port: household
        )
    }

    var id: DeviceID { get throws { try #require(DeviceID(bytes: identity.certificateID.bytes)) } }

    /// Dials until the other side answers, and runs the session until it ends.
    func dial(_ syncthing: RealSyncthing) async throws {
        let certificate = try #require(PeerID(bytes: syncthing.id.bytes))
        while true {
            try Task.checkCancellation()
            do {
                let secure = try await SecureChannel.dial(
                    to: syncthing.address,
                    as: identity,
                    expecting: certificate,
                    within: .seconds(10),
                    on: .shared
                )
                return try await run(secure)
            } catch ChannelError.unreachable {
                try await EventLoop.shared.sleep(for: .milliseconds(100))  // because a program starts
            }
        }
    }

    func answer(_ listener: ChannelListener) async throws {
        let socket = try await listener.accept()
        try await run(try await SecureChannel.accept(socket, as: identity, within: .seconds(10), on: .shared))
    }

    private func run(_ secure: SecureChannel) async throws {
        let channel = try await DeviceChannel.open(over: secure, as: hello)
        let session = DeviceSession(over: channel, as: try id, folders: [folder])
        self.session = session
        try await session.run()
    }

    /// Dials again and again, until the task is cancelled.
    func stayConnected(to syncthing: RealSyncthing) async {
        while !Task.isCancelled { try? await dial(syncthing) }
    }

    /// Answers again and again, until the task is cancelled: a handshake may run out of time on a busy machine.
    func stayConnected(by listener: ChannelListener) async {
        while !Task.isCancelled { try? await answer(listener) }
    }

    /// Cuts the line without a word.
    func cut() { session?.abort() }

    func close() async { await session?.close(because: "the test ends") }

    /// Waits until both sides have the same files, and these.
    func expect(_ files: [String: String], with syncthing: RealSyncthing) async throws {
        try await expect(files, with: syncthing, within: .seconds(60))
    }

    /// Waits until both sides have the same files; nil stands for any.
    func expect(_ files: [String: String]?, with syncthing: RealSyncthing, within limit: Duration) async throws {
        let deadline = ContinuousClock.now + limit
        while household.contents != files ?? household.contents || syncthing.synced != household.contents
            || folder.rules.phase != .still
        {
            guard ContinuousClock.now < deadline else { break }
            // because another program changes the files
            try await EventLoop.shared.sleep(for: .milliseconds(100))
        }
        #expect(household.contents == files ?? household.contents, "\(folder.rules.phase) \(household.failures)")
        #expect(syncthing.synced == household.contents, "\(folder.rules.phase) \(household.failures)")
    }

    /// Waits until both sides are equal and stay so while the device scans twice.
    func settle(with syncthing: RealSyncthing) async throws {
        try await EventLoop.shared.sleep(for: .seconds(2))  // because the device scans each second, and says nothing
        if folder.rules.phase == .held(.device) { folder.confirmEmptied() }
        try await expect(nil, with: syncthing, within: .seconds(90))
    }
}
