import CommandTable
import GameState
import Glibc
import LinuxPlatform
import SecureArchive
import Vocabulary

/// The file of a save. It is read and written as a whole.
struct StateFile: Sendable {
    let path: String

    /// Reads the whole file, unless it is larger than any save may be. Refuses pipes and devices, so it never waits.
    func read(limit: Int = ArchiveLimits().bytes) async throws -> [UInt8] {
        let path = path
        do {
            return try await runBlocking("state") {
                let file = try OwnedDescriptor.openFile(at: path)
                let size = try file.facts().size
                guard size <= limit else {
                    throw ArchiveError(.tooLarge, "the file has \(size) bytes; at most \(limit) are read")
                }
                return try Self.contents(of: file, size: size)
            }
        } catch let error as SystemError {
            throw unreadable(error)
        }
    }

    private static func contents(of file: borrowing OwnedDescriptor, size: Int) throws(SystemError) -> [UInt8] {
        // One byte more than the size shows if the file grows meanwhile.
        var bytes = [UInt8](repeating: 0, count: size + 1)
        var failure: SystemError?
        var count = 0
        // because the kernel fills the bytes, and only as many count as it says it filled
        bytes.withUnsafeMutableBytes { room in
            do throws(SystemError) { count = try file.read(into: room, at: 0) } catch { failure = error }
        }
        if let failure { throw failure }
        guard count == size else { throw SystemError("read", EBUSY) }
        bytes.removeLast()
        return bytes
    }

    /// Replaces the file in one step, with the permissions of the old one. If the path is a symbolic link, it replaces
    /// the target, and the link stays. Refuses devices and pipes, since a file would replace them.
    func write(_ bytes: [UInt8]) async throws {
        let path = path
        do {
            try await runBlocking("state") {
                let target = Self.behindLinks(path)
                let present = try? FileFacts(at: target)
                if let present, !present.isRegular {
                    throw SystemError("open", present.kind == .folder ? EISDIR : EINVAL, on: path)
                }
                let mode = present?.mode ?? .readableFile
                let (folder, name) = Self.split(target)
                guard let name = try? FileName(name) else { throw SystemError("open", EISDIR, on: path) }
                let file = AtomicFile(name, mode: mode)
                try unlessInUse(target) {
                    try file.write(bytes, in: try Folder(at: folder), overwriting: .allowed)
                }
            }
        } catch let error as SystemError {
            throw CommandError(
                ErrorCode(.file, "state.not-written"),
                "\(shown) could not be written: \(Self.reason(of: error))",
                nextStep:
                    """
                    the file is unchanged; check that its folder exists, is yours and has free space, or name another \
                    file with --output
                    """
            )
        }
    }

    /// The contents of the file whose name is this one's plus an ending; nil if there is none.
    func companion(_ ending: String) async throws -> [UInt8]? {
        guard size(ofCompanion: ending) != nil else { return nil }
        return try await StateFile(path: Self.behindLinks(path) + ending).read()
    }

    /// The size in bytes of the file whose name is this one's plus an ending; nil if there is none.
    func size(ofCompanion ending: String) -> Int? { try? FileFacts(at: Self.behindLinks(path) + ending).size }

    /// The path, safe to print.
    var shown: PrintableText { PrintableText(path, limit: 4096) }

    private func unreadable(_ error: SystemError) -> CommandError {
        let isFolder = (try? FileFacts(at: path))?.kind == .folder
        return CommandError(
            ErrorCode(.unreadable, "state.unreadable"),
            "\(shown) can't be read: \(isFolder ? "it is a folder; name a file in it" : Self.reason(of: error))",
            nextStep: error.number == EBUSY
                ? "try again later" : "check the path, and that you may read the file"
        )
    }

    private static func reason(of error: SystemError) -> String {
        switch error.number {
        case EINVAL: "it is not a regular file"
        case EBUSY: "another program writes to it now"
        default: error.reason
        }
    }

    /// Replaces the file unless it is a database in use. A program that has it open would continue with the old file,
    /// whose log beside the database belongs to the old one.
    private func unlessInUse(_ target: String, _ replace: () throws -> Void) throws {
        guard let old = try? OwnedDescriptor.openFile(at: target), Self.isDatabase(old) else { return try replace() }
        for ending in ["-wal", "-journal"] where (size(ofCompanion: ending) ?? 0) > 0 {
            throw Self.inUse(
                self,
                "the game has it open, or was interrupted: there is a file beside it that ends in \(ending)"
            )
        }
        switch FileLease.take(.everybodyAway, on: old) {
        case .inUse: throw Self.inUse(self, "another program has it open")
        case .unavailable: try replace()
        case .held(let lease):
            try replace()
            // A program that opens the path from now on gets the new file.
            _ = consume lease
        }
    }

    private static func isDatabase(_ file: borrowing OwnedDescriptor) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16)
        // because the kernel fills the bytes; if it fills fewer, they are not those of a database
        bytes.withUnsafeMutableBytes { _ = try? file.read(into: $0, at: 0) }
        return HighScores.isDatabase(bytes)
    }

    static func inUse(_ file: StateFile, _ reason: String) -> CommandError {
        CommandError(
            ErrorCode(.unreadable, "state.in-use"),
            "\(file.shown) is a database in use: \(reason)",
            nextStep: "quit the game, start and quit it once more if it crashed, then try again"
        )
    }

    private static func behindLinks(_ path: String) -> String {
        // because realpath allocates the text, and the caller must free it
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let folder = String(path[..<slash])
        return (folder.isEmpty ? "/" : folder, String(path[path.utf8.index(after: slash)...]))
    }
}
