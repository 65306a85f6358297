import Digests
import LinuxPlatform
import SyncthingBridge
import TestSupport
import Testing
import Transport
import Vocabulary

@Suite("A connection to a device", .timeLimit(.minutes(5)))
struct DeviceSessionTests {
    /// A device that a test plays, message by message, and the session with it.
    @Engine
    private struct Played {
        let side: BridgedSide
        let channel: DeviceChannel
        let session: Task<Void, any Error>
        let identity: DeviceIdentity
        let config: ClusterConfig

        init() async throws {
            let (side, identity) = (try BridgedSide(), DeviceIdentity.unstored())
            let listener = try ChannelListener(on: SocketAddress(.v4(127, 0, 0, 1), port: 0), loop: .shared)
            session = Task { try await side.answer(listener) }
            let secure = try await SecureChannel.dial(
                to: listener.address,
                as: identity,
                expecting: side.identity.certificateID,
                within: .seconds(10),
                on: .shared
            )
            let hello = HelloMessage(deviceName: "played", clientName: "test", clientVersion: "v1")
            channel = try await DeviceChannel.open(over: secure, as: hello)
            guard case .clusterConfig(let config)? = try await channel.receive() else { throw ProtocolViolation("") }
            (self.side, self.identity, self.config) = (side, identity, config)
        }

        /// Shares the folder, and has so many entries.
        func share(upTo sequence: Int64) async throws {
            var folder = ClusterConfig.Folder(id: "celeste", label: "")
            let own = try #require(DeviceID(bytes: identity.certificateID.bytes))
            folder.devices = [
                ClusterConfig.Device(id: own, name: "", indexID: 77, sequence: sequence),
                ClusterConfig.Device(id: try side.id, name: "", indexID: 0, sequence: 0),
            ]
            try await channel.send(.clusterConfig(ClusterConfig(folders: [folder])))
        }

        func send(_ entries: [FileEntry]) async throws {
            try await channel.send(.index(IndexMessage(folder: "celeste", extent: .update, entries: entries)))
        }

        /// The next request; what comes before is skipped.
        func request() async throws -> BlockRequest {
            while let message = try await channel.receive() {
                if case .request(let request) = message { return request }
            }
            throw ProtocolViolation("sent no request")
        }
    }

    private static func file(_ text: String, at count: UInt64) -> FileEntry {
        var entry = FileEntry(name: "a")
        (entry.size, entry.sequence, entry.permissions) = (Int64(text.utf8.count), Int64(count), 0o644)
        entry.version = DeviceVector(counting: [9: count])
        let digest = Array(text.utf8).withUnsafeBytes { Digest.sha256($0) }
        entry.blocks = [FileBlock(offset: 0, size: Int32(text.utf8.count), digest: digest)]
        return entry
    }

    @Test("A device that sends other bytes than it announced gets nothing stored, and may send them again")
    @Engine
    func lies() async throws {
        let played = try await Played()
        try await played.share(upTo: 1)
        try await played.send([Self.file("true", at: 1)])
        let lie = try await played.request()
        #expect(lie.digest == Self.file("true", at: 1).blocks[0].digest)
        try await played.channel.send(.response(BlockResponse(id: lie.id, code: .fine, data: Array("lies".utf8))))
        let again = try await played.request()
        #expect(played.side.household.history.isEmpty)
        #expect(played.side.household.failures.count == 1)
        try await played.channel.send(.response(BlockResponse(id: again.id, code: .noSuchFile, data: [])))
        let third = try await played.request()
        try await played.channel.send(.response(BlockResponse(id: third.id, code: .fine, data: Array("true".utf8))))
        while played.side.household.contents != ["a": "true"] { try await othersTurn() }
        #expect(played.side.household.history.count == 1)
        await played.side.close()
        _ = try? await played.session.value
    }

    @Test("A changed index abandons the blocks that are under way, and the version has the last content alone")
    @Engine
    func changes() async throws {
        let played = try await Played()
        try await played.share(upTo: 1)
        try await played.send([Self.file("first", at: 1)])
        _ = try await played.request()
        try await played.send([Self.file("second", at: 2)])
        let request = try await played.request()
        #expect(request.digest == Self.file("second", at: 2).blocks[0].digest)
        try await played.channel.send(.response(BlockResponse(id: request.id, code: .fine, data: Array("second".utf8))))
        while played.side.household.contents != ["a": "second"] { try await othersTurn() }
        #expect(played.side.household.texts == ["second"])
        await played.side.close()
        _ = try? await played.session.value
    }

    @Test("A device gets the blocks of announced files, and of nothing else")
    @Engine
    func requests() async throws {
        let played = try await Played()
        played.side.household.change(["a": "mine"], in: played.side.folder)
        func response(to name: String, _ text: String, folder: String = "celeste") async throws -> BlockResponse {
            let request = BlockRequest(id: 3, folder: folder, name: name, block: Self.file(text, at: 1).blocks[0])
            try await played.channel.send(.request(request))
            while let message = try await played.channel.receive() {
                if case .response(let response) = message { return response }
            }
            throw ProtocolViolation("sent no response")
        }
        try await played.share(upTo: 1)
        // It is not announced before the device's index is complete.
        #expect(try await response(to: "a", "mine").code == .noSuchFile)
        var other = Self.file("other", at: 1)
        (other.name, other.standing, other.blocks, other.size) = ("b", .deleted, [], 0)
        try await played.send([other])
        while let message = try await played.channel.receive() {
            if case .index(let index) = message, index.entries.map(\.name) == ["a"] { break }
        }
        #expect(try await response(to: "a", "mine").data == Array("mine".utf8))
        #expect(try await response(to: "a", "else").code == .noSuchFile)
        #expect(try await response(to: "b", "mine").code == .noSuchFile)
        #expect(try await response(to: "a", "mine", folder: "another").code == .noSuchFile)
        await played.side.close()
        _ = try? await played.session.value
    }

    @Test("A device that does not begin with its folders is disconnected")
    @Engine
    func beginning() async throws {
        let played = try await Played()
        try await played.channel.send(.ping)
        await #expect(throws: ProtocolViolation.self) { try await played.session.value }
    }

    @Test("An identity for devices is the same after it was stored, and a damaged one is not replaced")
    func identity() throws {
        let folder = TemporaryFolder()
        let name = try FileName("syncthing.pem")
        let first = try DeviceIdentity.loadOrCreate(in: folder.path, as: name)
        #expect(try DeviceIdentity.loadOrCreate(in: folder.path, as: name).certificateID == first.certificateID)
        try folder.put("damaged", at: "syncthing.pem")
        #expect(throws: IdentityError.self) { try DeviceIdentity.loadOrCreate(in: folder.path, as: name) }
    }
}
