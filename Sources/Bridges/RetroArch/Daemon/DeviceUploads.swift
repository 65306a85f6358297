import Digests
import Household
import LinuxPlatform
import Vocabulary

/// Files that a device has sent and that no version has yet: a folder of their own on this machine's disk.
actor DeviceUploads {
    /// Limits for one device and sync. What is beyond is refused, and nothing of it stays.
    struct Limits: Sendable {
        var fileBytes: UInt64 = 256 << 20
        var allBytes: UInt64 = 1 << 30
        var files = 10_000
        /// The time in which a device must send something.
        var silence = Duration.seconds(30)
    }

    /// A source of bytes; nil at its end.
    typealias Source = @Sendable () async throws -> [UInt8]?

    nonisolated let folder: String
    private let limits: Limits
    private var byteCount: UInt64 = 0
    private var fileCount = 0

    /// - Parameter folder: a path that nothing else uses
    init(in folder: String, limits: Limits) { (self.folder, self.limits) = (folder, limits) }

    /// The path of a file by its number.
    nonisolated func path(of number: Int) -> String { "\(folder)/\(number)" }

    /// Stores a file.
    /// - Returns: its number and its MD5
    func take(_ source: @escaping Source) async throws -> FolderSync.Sent {
        guard fileCount < limits.files else {
            throw DeviceRequest.Refusal(507, "a sync has at most \(limits.files) files")
        }
        fileCount += 1
        let number = fileCount
        var kept: UInt64 = 0
        do {
            let file = try await create(number)
            var stream = MD5Stream()
            while let bytes = try await next(source) {
                guard kept + UInt64(bytes.count) <= limits.fileBytes else {
                    throw DeviceRequest.Refusal(413, "a file has at most \(ByteCount(limits.fileBytes))")
                }
                guard byteCount + UInt64(bytes.count) <= limits.allBytes else {
                    throw DeviceRequest.Refusal(507, "a sync has at most \(ByteCount(limits.allBytes))")
                }
                try await file.write(bytes, at: kept)
                stream.update(bytes)
                kept += UInt64(bytes.count)
                byteCount += UInt64(bytes.count)
            }
            try await file.flush()
            return FolderSync.Sent(hash: MD5Stream.text(of: stream.finish()), number: number)
        } catch {
            byteCount -= kept
            await remove(number)
            throw error
        }
    }

    /// A body that is not stored, such as a manifest.
    func body(_ source: @escaping Source, atMost limit: Int) async throws -> [UInt8] {
        var body: [UInt8] = []
        while let bytes = try await next(source) {
            body += bytes
            guard body.count <= limit else { throw DeviceRequest.Refusal(413, "the body is too large") }
        }
        return body
    }

    /// The bytes of a file.
    func bytes(of number: Int) async throws -> [UInt8] {
        try await runBlocking("retroarch") { [path = path(of: number), limits] in
            let file = try OwnedDescriptor.openFile(at: path)
            let size = min(try file.facts().size, Int(limits.fileBytes))
            var bytes = [UInt8](repeating: 0, count: size)
            let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
            return Array(bytes.prefix(count))
        }
    }

    /// Removes everything.
    func removeAll() async {
        _ = try? await runBlocking("retroarch") { [folder] in
            let parts = folder.split(separator: "/")
            let parent = try Folder(at: "/" + parts.dropLast().joined(separator: "/"))
            try parent.removeEntry(try FileName(String(parts.last ?? "")), .folder)
        }
    }

    private func create(_ number: Int) async throws -> UploadedFile {
        try await runBlocking("retroarch") { [folder] in
            try FolderPath.make(folder, mode: .privateFolder)
            return UploadedFile(folder, try Folder(at: folder).create(try FileName("\(number)")))
        }
    }

    private func remove(_ number: Int) async {
        _ = try? await runBlocking("retroarch") { [folder] in
            try Folder(at: folder).removeEntry(try FileName("\(number)"), .file)
        }
    }

    /// The next bytes, or an error if the device is silent for too long: the server itself waits for uploads without
    /// end.
    private func next(_ source: @escaping Source) async throws -> [UInt8]? {
        try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await source() }
            group.addTask { [limits] in
                try await EventLoop.shared.sleep(for: limits.silence)
                throw DeviceRequest.Refusal(
                    408,
                    "the device has sent nothing for \(limits.silence.components.seconds) s"
                )
            }
            return try await group.next() ?? nil
        }
    }
}

/// A file while it is written.
private final class UploadedFile: Sendable {
    private let folder: String
    private let descriptor: OwnedDescriptor

    init(_ folder: String, _ descriptor: consuming OwnedDescriptor) {
        self.folder = folder
        self.descriptor = descriptor
    }

    func write(_ bytes: [UInt8], at offset: UInt64) async throws {
        try await runBlocking("retroarch") { [self] in
            try bytes.withUnsafeBytes { try descriptor.write($0, at: offset) }
            let free = try FileSystem(of: Folder(at: folder)).free
            guard free.bytes > free.reserve else {
                throw DeviceRequest.Refusal(507, "the disk of this machine is almost full")
            }
        }
    }

    func flush() async throws { try await runBlocking("retroarch") { [self] in try descriptor.sync() } }
}
