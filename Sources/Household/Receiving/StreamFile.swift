import Glibc
import LinuxPlatform
import Resources
import Vocabulary

/// A file that receives a stream. Until the stream is complete, the name of the file says that a part is missing, even
/// after a crash.
final class StreamFile: Sendable {
    /// The name while the file grows, with a number if that name was taken.
    let growingName: FileName
    private let wanted: FileName
    private let path: String
    private let descriptor: OwnedDescriptor
    private let loop: EventLoop

    private static let attempts = 1000
    /// The suffix of an incomplete file.
    private static let mark = ".part"

    private init(
        _ wanted: FileName,
        _ name: FileName,
        _ descriptor: consuming OwnedDescriptor,
        in path: String,
        on loop: EventLoop
    ) {
        (self.wanted, growingName, self.path, self.loop) = (wanted, name, path, loop)
        self.descriptor = descriptor
    }

    /// Makes the file in a folder. It never replaces another file.
    ///
    /// - Parameter loop: the event loop whose thread writes the file; the disk may block it
    static func make(for stream: Label, in folder: InboxFolder, on loop: EventLoop) async throws -> StreamFile {
        try await Self.on(loop) {
            try folder.prepare()
            let place = try Folder(at: folder.path)
            let wanted = fileName(for: stream)
            return try withFreeName(wanted, mark: mark) { name throws(SystemError) in
                let file = try place.create(name, mode: .readableFile)
                return StreamFile(wanted, name, file, in: folder.path, on: loop)
            }
        }
    }

    /// Gives the complete file its name, with a number if that name was taken.
    func finish() async throws -> FileName {
        let (path, growingName, wanted) = (path, growingName, wanted)
        return try await Self.on(loop) {
            let place = try Folder(at: path)
            return try Self.withFreeName(wanted) { name throws(SystemError) in
                try place.rename(growingName, to: name, overwriting: .forbidden)
                return name
            }
        }
    }

    /// Removes the file, as no byte has arrived.
    func discard() async throws {
        let (path, growingName) = (path, growingName)
        try await Self.on(loop) { try Folder(at: path).remove(growingName) }
    }

    private static func withFreeName<Value>(
        _ wanted: FileName,
        mark: String = "",
        _ take: (FileName) throws(SystemError) -> Value
    ) throws -> Value {
        for number in 1...attempts {
            let name = try FileName(wanted.numbered(number, keepingSuffix: true).text + mark)
            do throws(SystemError) {
                return try take(name)
            } catch {
                guard error.isTakenName else { throw error }
            }
        }
        throw HouseholdError(
            "command.no-free-name",
            "there are too many files named like that stream",
            nextStep: "tidy up the inbox folder"
        )
    }

    /// The stream's name, without parts that would lead elsewhere or deceive.
    private static func fileName(for stream: Label) -> FileName {
        if let name = try? FileName(stream.text.replacing("/", with: "_")) { return name.arriving }
        guard let name = try? FileName("stream") else { preconditionFailure("it obeys the rules of a name") }
        return name
    }

    func write(_ bytes: [UInt8], at offset: UInt64) async throws {
        try await Self.on(loop) { [self] in
            if Self.looksForRoom(from: offset, to: offset + UInt64(bytes.count)) { try requireReserve() }
            try bytes.withUnsafeBytes { try descriptor.write($0, at: offset) }
        }
    }

    private static func on<Value: Sendable>(
        _ loop: EventLoop,
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await loop.performing { Result { try work() } }.get()
    }

    /// True at the beginning, and once in each MiB.
    private static func looksForRoom(from start: UInt64, to end: UInt64) -> Bool {
        start == 0 || start >> 20 != end >> 20
    }

    /// Checks for free space. A stream does not announce its length.
    private func requireReserve() throws(SystemError) {
        let free = try FileSystem(of: Folder(at: path)).free
        guard free.bytes > free.reserve else { throw SystemError("write", ENOSPC, on: path) }
    }
}
