import LinuxPlatform
import TestSupport
import Testing

@testable import Bridges

@Suite("Files that a device sends", .timeLimit(.minutes(1)))
struct DeviceUploadsTests {
    private let folder = TemporaryFolder()

    private func uploads(_ change: (inout DeviceUploads.Limits) -> Void = { _ in }) -> DeviceUploads {
        var limits = DeviceUploads.Limits()
        change(&limits)
        return DeviceUploads(in: folder.path(of: "phone-1"), limits: limits)
    }

    /// A source of some chunks. With `silently`, it then sends nothing more and does not end.
    private func source(_ chunks: [String], silently: Bool = false) -> DeviceUploads.Source {
        let left = LeftChunks(chunks)
        return {
            if let chunk = await left.next() { return Array(chunk.utf8) }
            guard silently else { return nil }
            let never = Resumption<[UInt8]?>()
            return try await never.valueUnlessCancelled()
        }
    }

    private actor LeftChunks {
        private var chunks: ArraySlice<String>

        init(_ chunks: [String]) { self.chunks = chunks[...] }

        func next() -> String? { chunks.popFirst() }
    }

    private func status(of work: () async throws -> Void) async -> Int? {
        do {
            try await work()
            return nil
        } catch { return (error as? DeviceRequest.Refusal)?.status }
    }

    @Test("a file is stored with its MD5, and goes with the sync")
    func stores() async throws {
        let uploads = uploads()
        let sent = try await uploads.take(source(["message ", "digest"]))
        #expect(sent.hash == "f96b697d7cb7938d525a2f31aaf161d0")
        #expect(folder.text(at: "phone-1/\(sent.number)") == "message digest")
        #expect(try await uploads.bytes(of: sent.number) == Array("message digest".utf8))
        await uploads.removeAll()
        #expect(folder.text(at: "phone-1/\(sent.number)") == nil)
    }

    @Test("a file beyond a limit is refused, and no part of it stays or counts")
    func tooLarge() async throws {
        let uploads = uploads { ($0.fileBytes, $0.allBytes) = (4, 6) }
        #expect(await status { _ = try await uploads.take(source(["abc", "de"])) } == 413)
        #expect(folder.text(at: "phone-1/1") == nil)
        _ = try await uploads.take(source(["abcd"]))
        #expect(await status { _ = try await uploads.take(source(["abc"])) } == 507)
        _ = try await uploads.take(source(["ab"]))
    }

    @Test("a sync of too many files is refused")
    func tooMany() async throws {
        let uploads = uploads { $0.files = 1 }
        _ = try await uploads.take(source(["a"]))
        #expect(await status { _ = try await uploads.take(source(["b"])) } == 507)
    }

    @Test("a device that falls silent is refused, in a file and in a manifest")
    func silent() async throws {
        let uploads = uploads { $0.silence = .milliseconds(20) }
        #expect(await status { _ = try await uploads.take(source(["a"], silently: true)) } == 408)
        #expect(folder.text(at: "phone-1/1") == nil)
        #expect(await status { _ = try await uploads.body(source(["a"], silently: true), atMost: 9) } == 408)
        #expect(await status { _ = try await uploads.body(source(["abc", "def"]), atMost: 5) } == 413)
    }
}
