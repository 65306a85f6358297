import LinuxPlatform
import SyncthingBridge
import TestSupport
import Testing
import Transport
import Vocabulary
import Workbench

@Suite("A folder shared with Debian's Syncthing", .serialized, .timeLimit(.minutes(5)))
struct RealSyncthingTests {
    private static let hello = HelloMessage(deviceName: "huddle", clientName: "huddle", clientVersion: "v0.2.0")

    /// One side of the test: a household in memory with its shared folder.
    @Engine
    private final class Side {
        let identity = DeviceIdentity.unstored()
        let household = MemoryHousehold()
        let folder: SharedFolder
        private var session: DeviceSession?

        init() throws {
            let device = try #require(DeviceID(bytes: identity.certificateID.bytes))
            let rules = BridgedFolder(device: device.short, own: HouseholdIndex(id: 0x4855_4444_4C45_0001))
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
                    let lane = try await Lane.dial(
                        to: syncthing.address,
                        as: identity,
                        expecting: certificate,
                        within: .seconds(10),
                        on: .shared
                    )
                    return try await run(lane)
                } catch LaneError.unreachable {
                    try await EventLoop.shared.sleep(for: .milliseconds(100))  // because a program starts
                }
            }
        }

        func answer(_ listener: LaneListener) async throws {
            let socket = try await listener.accept()
            try await run(try await Lane.accept(socket, as: identity, within: .seconds(10), on: .shared))
        }

        private func run(_ lane: Lane) async throws {
            let channel = try await DeviceChannel.open(over: lane, as: RealSyncthingTests.hello)
            let session = DeviceSession(over: channel, as: try id, folders: [folder])
            self.session = session
            try await session.run()
        }

        func close() async { await session?.close(because: "the test ends") }

        /// Waits until both sides have the same files, and these.
        func expect(_ files: [String: String], with syncthing: RealSyncthing) async throws {
            let deadline = ContinuousClock.now + .seconds(60)
            while household.contents != files || syncthing.contents() != files {
                guard ContinuousClock.now < deadline else { break }
                // because another program changes the files
                try await EventLoop.shared.sleep(for: .milliseconds(100))
            }
            #expect(household.contents == files, "\(folder.rules.phase) \(household.failures)")
            #expect(syncthing.contents() == files)
        }
    }

    @Test("A folder is equal on both sides after each change", .needs(RealSyncthing.requirement))
    @Engine
    func dialling() async throws {
        let side = try Side()
        let syncthing = try await RealSyncthing(sharing: "celeste", with: side.id, port: 22_000, dialling: nil)
        let large = String(repeating: "0123456789abcdef", count: 30_000)
        try syncthing.put("from the device", at: "slot1/progress.sav")
        let session = Task { try await side.dial(syncthing) }
        try await side.expect(["slot1/progress.sav": "from the device"], with: syncthing)

        side.household.change(["settings.ini": "from here", "large.bin": large], in: side.folder)
        var all = ["slot1/progress.sav": "from the device", "settings.ini": "from here", "large.bin": large]
        try await side.expect(all, with: syncthing)

        try syncthing.put("changed there", at: "settings.ini")
        all["settings.ini"] = "changed there"
        try await side.expect(all, with: syncthing)

        side.household.change(["slot1/progress.sav": nil, "slot2": "renamed"], in: side.folder)
        (all["slot1/progress.sav"], all["slot2"]) = (nil, "renamed")
        try await side.expect(all, with: syncthing)

        try syncthing.put(nil, at: "large.bin")
        try syncthing.put("", at: "empty")
        (all["large.bin"], all["empty"]) = (nil, "")
        try await side.expect(all, with: syncthing)
        #expect(side.household.conflicts == 0)

        await side.close()
        _ = try? await session.value
        await syncthing.end()
    }

    @Test(
        "Changes of both sides while the line is cut are a conflict here, and Syncthing makes no copy",
        .needs(RealSyncthing.requirement)
    )
    @Engine
    func conflict() async throws {
        let side = try Side()
        let listener = try LaneListener(on: SocketAddress(.v4(127, 0, 0, 1), port: 0), loop: .shared)
        let syncthing = try await RealSyncthing(
            sharing: "celeste",
            with: side.id,
            port: 22_000,
            dialling: listener.address
        )
        var session = Task { try await side.answer(listener) }
        side.household.change(["one.sav": "first", "two.sav": "first"], in: side.folder)
        try await side.expect(["one.sav": "first", "two.sav": "first"], with: syncthing)
        await side.close()
        _ = try? await session.value

        side.household.change(["one.sav": "here"], in: side.folder)
        try syncthing.put("there", at: "one.sav")
        try syncthing.put("there", at: "two.sav")
        // The device scans within a second; what it scans later would be a second version.
        try await EventLoop.shared.sleep(for: .seconds(3))  // because the device scans meanwhile
        session = Task { try await side.answer(listener) }
        try await side.expect(["one.sav": "here", "two.sav": "first"], with: syncthing)
        #expect(side.household.conflicts == 1)
        // The side that was not chosen is kept.
        #expect(side.household.history.count == 4)

        await side.close()
        _ = try? await session.value
        await syncthing.end()
    }
}
