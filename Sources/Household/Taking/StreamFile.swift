import LinuxPlatform
import Vocabulary

/// A file that takes a stream as it comes.
final class StreamFile: Sendable {
    /// What it is called; where the stream's own name was taken, that has a number.
    let name: FileName
    private let descriptor: OwnedDescriptor
    private let loop: EventLoop

    private static let attempts = 1000

    private init(_ name: FileName, _ descriptor: consuming OwnedDescriptor) throws(SystemError) {
        self.name = name
        loop = try EventLoop(ifPossible: "stream")
        self.descriptor = descriptor
    }

    /// Makes it in a folder, and never in place of anything.
    static func make(for stream: Label, in folder: InboxFolder) async throws -> StreamFile {
        try await runBlocking("stream") {
            let place = try Folder(at: folder.path)
            let wanted = fileName(for: stream)
            for number in 1...attempts {
                let name = number == 1 ? wanted : try FileName("\(wanted.text) (\(number))")
                do throws(SystemError) {
                    return try StreamFile(name, try place.create(name, mode: .readableFile))
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
    }

    /// The stream's name, without what would lead elsewhere or hide it.
    private static func fileName(for stream: Label) -> FileName {
        let text = stream.text.replacing("/", with: "_")
        if !text.hasPrefix("."), let name = try? FileName(text) { return name }
        guard let name = try? FileName("stream") else { preconditionFailure("it obeys the rules of a name") }
        return name
    }

    func write(_ bytes: [UInt8], at offset: UInt64) async throws {
        let outcome = await loop.performing { [self] () -> Result<Void, any Error> in
            Result { try bytes.withUnsafeBytes { try descriptor.write($0, at: offset) } }
        }
        try outcome.get()
    }
}
