import Digests
import SyncthingBridge
import SyncthingProperties
import TestSupport
import Testing
import Vocabulary
import Workbench

@Suite("Syncthing's messages", .timeLimit(.minutes(5)))
struct MessageTests {
    static let device = DeviceID(SHA256Digest(words: (1, 2, 3, 4)))

    static let entry: FileEntry = {
        var entry = FileEntry(name: "slot1/progress.sav")
        entry.size = Int64(FileBlock.leastSize) + 5
        entry.permissions = 0o644
        entry.modified = FileTime(seconds: 1_795_591_114, nanoseconds: 17)
        entry.changer = device.short
        entry.version = DeviceVector(counting: [7: 1, 9: 1_795_591_114])
        entry.sequence = 3
        entry.blocks = [
            FileBlock(offset: 0, size: FileBlock.leastSize, digest: SHA256Digest(words: (5, 6, 7, 8))),
            FileBlock(offset: Int64(FileBlock.leastSize), size: 5, digest: SHA256Digest(words: (9, 10, 11, 12))),
        ]
        return entry
    }()

    static let messages: [DeviceMessage] = {
        var folder = ClusterConfig.Folder(id: "celeste", label: "Celeste")
        folder.devices = [ClusterConfig.Device(id: device, name: "attic", indexID: .max, sequence: 12)]
        var (deleted, plain) = (FileEntry(name: "old"), FileEntry(name: "slot1"))
        deleted.standing = .deleted
        (plain.kind, plain.permissions) = (.folder, 0o755)
        let request = BlockRequest(id: 7, folder: "celeste", name: entry.name, block: entry.blocks[1])
        return [
            .clusterConfig(ClusterConfig(folders: [folder])),
            .index(IndexMessage(folder: "celeste", extent: .whole, entries: [entry])),
            .index(IndexMessage(folder: "celeste", extent: .update, entries: [plain, entry, deleted])),
            .request(request),
            .response(BlockResponse(id: 7, code: .fine, data: Array(0..<200))),
            .response(BlockResponse(id: 8, code: .noSuchFile, data: [])),
            .ping,
            .close(reason: "the daemon stops"),
        ]
    }()

    @Test("Each message comes back from its bytes, however the stream is cut")
    func roundTrip() throws {
        let stream = Self.messages.flatMap(\.encoded)
        for count in [1, 5, 64, stream.count] {
            var (decoder, seen) = (MessageDecoder(), [DeviceMessage]())
            for start in stride(from: 0, to: stream.count, by: count) {
                decoder.append(stream[start..<min(start + count, stream.count)])
                while let message = try decoder.next() { seen.append(message) }
            }
            #expect(seen == Self.messages)
            #expect(decoder.heldCount == 0)
        }
    }

    @Test("The bytes are those that Syncthing 1.19.2 sends and accepts")
    func bytes() throws {
        // Seen from a real device.
        let hello: [UInt8] = [
            0x2E, 0xA7, 0xD9, 0x0B, 0x00, 0x1C, 0x0A, 0x02, 0x76, 0x6D, 0x12, 0x09, 0x73, 0x79, 0x6E, 0x63, 0x74, 0x68,
            0x69, 0x6E, 0x67, 0x1A, 0x0B, 0x76, 0x31, 0x2E, 0x31, 0x39, 0x2E, 0x32, 0x2D, 0x64, 0x73, 0x31,
        ]
        let known = HelloMessage(deviceName: "vm", clientName: "syncthing", clientVersion: "v1.19.2-ds1")
        #expect(try HelloMessage.bodyCount(of: hello.prefix(6)) == 28)
        #expect(try HelloMessage(decoding: Array(hello.dropFirst(6))) == known)
        #expect(known.encoded == hello)
        // A header without fields has no byte: ClusterConfig, not compressed.
        #expect(DeviceMessage.clusterConfig(ClusterConfig(folders: [])).encoded == [0, 0, 0, 0, 0, 0])
        #expect(DeviceMessage.ping.encoded == [0, 2, 0x08, 0x06, 0, 0, 0, 0])
        let request = DeviceMessage.request(
            BlockRequest(
                id: 1,
                folder: "f",
                name: "n",
                block: FileBlock(offset: 0, size: 3, digest: SHA256Digest(words: (0, 0, 0, 1)))
            )
        )
        let body: [UInt8] =
            [0x08, 1, 0x12, 1, 0x66, 0x1A, 1, 0x6E, 0x28, 3, 0x32, 32] + [UInt8](repeating: 0, count: 31) + [1]
        #expect(request.encoded == [0, 2, 0x08, 0x03, 0, 0, 0, UInt8(body.count)] + body)
    }

    @Test("A repetitive message is compressed, and its length counts the size before it")
    func compression() throws {
        let entries = (0..<100).map { FileEntry(name: "folder/file-\($0)") }.map { entry in
            var entry = entry
            entry.standing = .deleted
            return entry
        }
        let message = DeviceMessage.index(IndexMessage(folder: "celeste", extent: .update, entries: entries))
        let bytes = message.encoded
        #expect(bytes.prefix(6) == [0, 4, 0x08, 0x02, 0x10, 0x01])
        var decoder = MessageDecoder()
        decoder.append(bytes)
        #expect(try decoder.next() == message)
    }

    @Test("A message or a size beyond the limit is refused before memory is taken for it")
    func limits() {
        func isRefused(_ bytes: [UInt8]) -> Bool {
            var decoder = MessageDecoder()
            decoder.append(bytes)
            return (try? decoder.next()) == nil && decoder.heldCount == 0
        }
        #expect(isRefused([0, 0, 0x1D, 0xCD, 0x65, 0x00]))
        #expect(isRefused([0, 0, 0xFF, 0xFF, 0xFF, 0xFF]))
        #expect(isRefused([0x7F, 0xFF]))
        // A bomb: 31 MiB are announced for four bytes.
        #expect(isRefused([0, 4, 0x08, 0x01, 0x10, 0x01, 0, 0, 0, 8, 0x01, 0xF0, 0, 0, 0x1F, 1, 2, 3]))
        #expect(isRefused([0, 4, 0x08, 0x01, 0x10, 0x01, 0, 0, 0, 2, 0x01, 0xF0]))
        #expect(isRefused([0, 2, 0x10, 0x02, 0, 0, 0, 0]))
    }

    @Test(
        "A name that leads out of the folder ends the connection",
        arguments: ["", "/a", "../a", "a/../b", "a//b", "a/", ".", "..", "./a", "a\0b"]
    )
    func names(name: String) {
        var entry = Self.entry
        entry.name = name
        #expect(isRefused(entry))
    }

    @Test("Blocks that don't make up their file end the connection")
    func blocks() {
        func changed(_ change: (inout FileEntry) -> Void) -> FileEntry {
            var entry = Self.entry
            change(&entry)
            return entry
        }
        #expect(!isRefused(Self.entry))
        #expect(isRefused(changed { $0.blocks = [] }))
        #expect(isRefused(changed { $0.size += 1 }))
        #expect(isRefused(changed { $0.size = -1 }))
        #expect(isRefused(changed { $0.blocks.swapAt(0, 1) }))
        #expect(isRefused(changed { $0.blocks[1].size = FileBlock.leastSize }))
        #expect(isRefused(changed { $0.blockSize = 100_000 }))
        #expect(isRefused(changed { $0.blockSize = 32 << 20 }))
        #expect(isRefused(changed { $0.blocks.append($0.blocks[1]) }))
    }

    private func isRefused(_ entry: FileEntry) -> Bool {
        var decoder = MessageDecoder()
        decoder.append(DeviceMessage.index(IndexMessage(folder: "f", extent: .whole, entries: [entry])).encoded)
        do throws(ProtocolViolation) {
            return try decoder.next() == nil
        } catch {
            return true
        }
    }

    @Test("Changed and cut bytes of every message violate no property")
    func mutants() {
        var generator = SeededGenerator(seed: 29)
        for message in Self.messages {
            let bytes = message.encoded
            #expect(SyncthingProperties.violation(for: [0] + bytes) == nil)
            for _ in 0..<500 {
                var mutant = bytes
                for _ in 0...Int.random(in: 0..<4, using: &generator) {
                    mutant[Int.random(in: mutant.indices, using: &generator)] = .random(in: 0...255, using: &generator)
                }
                mutant.removeLast(Int.random(in: 0..<2, using: &generator) * min(mutant.count - 1, 3))
                #expect(SyncthingProperties.violation(for: [.random(in: 0..<4, using: &generator)] + mutant) == nil)
            }
        }
    }

    @Test("Findings of the fuzzer violate no property now", arguments: Repository.fuzzedInputs("syncthing"))
    func findings(path: String) throws {
        #expect(SyncthingProperties.violation(for: try Repository.bytes(of: path)) == nil)
    }

    @Test("An announcement comes back from its bytes, and one without an id is refused")
    func announcement() throws {
        let announcement = LocalAnnouncement(device: Self.device, addresses: ["tcp://0.0.0.0:22000"], instance: -5)
        #expect(try LocalAnnouncement(decoding: announcement.encoded) == announcement)
        #expect(throws: ProtocolViolation.self) { try LocalAnnouncement(decoding: [0x2E, 0xA7, 0xD9, 0x0B]) }
        #expect(throws: ProtocolViolation.self) { try LocalAnnouncement(decoding: []) }
    }
}
