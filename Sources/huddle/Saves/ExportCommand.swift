import CommandTable
import Control
import Glibc
import Household
import LinuxPlatform
import SecureArchive
import Vocabulary

/// `huddle export` and `huddle import`: a version as one file.
enum ExportCommand {
    private static let version = Argument(
        "GAME[@VERSION]",
        .text.named("GAME[@VERSION]"),
        help: "a game, or a version of it, as in celeste@12 (default: the present save)"
    )
    private static let target = Argument("FILE", .file, help: "the file to write, such as celeste.tar")
    private static let force = Flag("force", help: "replace a file that is there already")

    static let row = Command<CommandAction>(
        "export",
        summary: "write a save, or an old version of it, into one file",
        discussion: """
            The file is a tar archive with the paths of the game's folder, and with modes and times. Any program that \
            opens archives can read it, and `huddle import` imports it on any machine.
            """,
        arguments: [version, target],
        options: [force] + AskingOptions.all,
        examples: [
            Example("huddle export celeste celeste.tar", "the present save"),
            Example("huddle export celeste@12 ~/before-the-boss.tar", "an old version"),
        ],
        exitCodes: GameAsking.exitCodes
    ) { given, console, signals in
        let (place, report) = (
            try ExportedFile(given[target], replaces: given[force]),
            SessionReport(asJSON: given[LookingOptions.json], console)
        )
        let code = try await Daemon.ask(given, console, signals) { daemon in
            let (game, version) = try await meant(given[version], at: daemon)
            let response = try await daemon.ask(Endpoint.exportVersion.request(game, version))
            guard response.status == 200, case .stream(let source) = response.body else {
                try await ResponseEvents(response).finish()
                return .failure
            }
            let size = try await place.write(source)
            let sentence =
                "\(PrintableText(given[Self.version], limit: 80)) is in \(place.shown), \(ByteCount(size).rounded)"
            let event = ExportedEvent(game, path: place.path, bytes: size)
            try await report.tell(DaemonLine(.exported(event), sentence))
            return .success
        }
        return code ?? .interrupted
    }

    /// Returns the game and the version that the user means. Without a version, the daemon first scans the folder. So
    /// the current version includes a save of a moment ago.
    @Engine
    private static func meant(_ typed: String, at daemon: ControlConnection) async throws -> (String, String) {
        guard !typed.contains("@") else { return try GameAsking.version(typed) }
        _ = try? await daemon.all(Endpoint.scanGame.request(typed))
        let versions = try await daemon.all(Endpoint.game.request(typed)).first?.game?.versions
        guard let shown = versions?.shown ?? versions?.newest.first else {
            throw CommandError(
                "command.no-current",
                "\(PrintableText(typed, limit: 80)) has no save on this machine yet",
                nextStep: "`huddle list` shows its state"
            )
        }
        return (typed, shown)
    }

    // MARK: Import

    private static let source = Argument("FILE", .file, help: "a tar archive, as `huddle export` writes it")
    private static let game = Argument(
        optional: "GAME",
        .text.named("GAME"),
        help: "the game that gets it (default: by the name of the file, as in celeste.tar)"
    )
    private static let note = Option("note", .text.named("TEXT"), help: "a note for the history")

    static let importing = Command<CommandAction>(
        "import",
        summary: "make a file that was exported the newest save of a game",
        discussion: """
            The whole archive is checked before anything changes: its paths, its links, its size and its end. Then it \
            becomes a new version, on all machines. The save that it replaces stays in the history, so `huddle undo` \
            takes this back. The game must be shared here already: huddle share GAME.
            """,
        arguments: [source, game],
        options: [note] + AskingOptions.all,
        examples: [
            Example("huddle import celeste.tar", "into the game of that name"),
            Example("huddle import ~/before-the-boss.tar celeste", "into another one"),
        ],
        exitCodes: GameAsking.exitCodes
    ) { given, console, signals in
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        let (file, game) = (given[source], given[game] ?? named(given[source]))
        let code = try await Daemon.ask(given, console, signals) { daemon in
            // An unknown game is an error before a large archive is unpacked.
            _ = try await daemon.all(Endpoint.game.request(game))
            let staging = ImportStaging(in: StateFolder.path(given))
            do {
                try await runBlocking("import") { try staging.unpack(file) }
                var body = GameBody()
                body.fields.set("folder", staging.name)
                body.fields.set("note", given[note])
                for line in try await daemon.all(Endpoint.importVersion.request(game, saying: body)) {
                    try await report.tell(line)
                }
            } catch {
                try? await runBlocking("import") { staging.remove() }
                throw error
            }
            try? await runBlocking("import") { staging.remove() }
            return .success
        }
        return code ?? .interrupted
    }

    /// Returns the game that a file's name suggests: `celeste@12.tar` belongs to celeste.
    private static func named(_ file: String) -> String {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        let stem = name.hasSuffix(".tar") ? String(name.dropLast(4)) : name
        return stem.split(separator: "@", maxSplits: 1).first.map(String.init) ?? stem
    }
}

/// The file that an export writes. It appears as a whole, and replaces no file unless the user wants that.
private struct ExportedFile: Sendable {
    let path: String
    private let folder: String
    private let name: FileName
    private let replaces: Bool

    var shown: String { "\(PrintableText(path, limit: 4096))" }

    init(_ typed: String, replaces: Bool) throws {
        let slash = typed.lastIndex(of: "/")
        folder = slash.map { $0 == typed.startIndex ? "/" : String(typed[..<$0]) } ?? "."
        let last = slash.map { String(typed[typed.index(after: $0)...]) } ?? typed
        guard let name = try? FileName(last) else {
            throw CommandError(
                ErrorCode(.invalid, "export.no-name"),
                "nothing was exported: “\(PrintableText(typed, limit: 200))” is no name of a file",
                nextStep: "name a file, such as celeste.tar"
            )
        }
        (self.name, path, self.replaces) = (name, typed, replaces)
        guard let facts = try? FileFacts(at: typed) else { return }
        guard facts.kind == .file, replaces else { throw Self.exists(typed, isFile: facts.kind == .file) }
    }

    /// Writes the bytes to a temporary file beside the path, and renames it at the end. Returns the number of bytes.
    @Engine
    func write(_ source: APIResponse.Source) async throws -> UInt64 {
        let part = try FileName(".huddle-export-\(getpid()).part")
        let folder = try Folder(at: folder)
        let file = try folder.create(part)
        var size: UInt64 = 0
        do {
            while let bytes = try await source() {
                try bytes.withUnsafeBytes { try file.write($0, at: size) }
                size += UInt64(bytes.count)
            }
            guard size >= UInt64(TarWriter.end.count) else { throw TarFault.cutOff }
            try file.sync()
            try folder.rename(part, to: name, overwriting: replaces ? .allowed : .forbidden)
        } catch {
            try? folder.remove(part)
            if let error = error as? SystemError, error.number == EEXIST { throw Self.exists(path, isFile: true) }
            throw error
        }
        return size
    }

    private static func exists(_ path: String, isFile: Bool) -> CommandError {
        CommandError(
            ErrorCode(.invalid, "export.exists"),
            "nothing was exported: \(PrintableText(path, limit: 4096)) is \(isFile ? "there already" : "no file")",
            nextStep: isFile
                ? "choose another name, or replace it with --force" : "name a file in it, such as celeste.tar"
        )
    }
}

/// A folder of Huddle's own, in which an archive is unpacked for the daemon.
private struct ImportStaging: Sendable {
    let name: String
    private let folder: String

    init(in state: String) {
        folder = "\(state)/imports"
        name = "\(getpid())"
    }

    func unpack(_ file: String) throws {
        removeLeft()
        remove()
        do {
            _ = try ArchiveUnpacking(file, into: "\(folder)/\(name)").run()
        } catch let fault as TarFault {
            throw CommandError(fault.code, "nothing was imported: \(fault.message)", nextStep: fault.nextStep)
        } catch let error as SystemError {
            throw CommandError(
                ErrorCode(.file, "import.failed"),
                "nothing was imported: \(error)",
                nextStep: "check the file and its rights, and the space on the disk"
            )
        }
    }

    func remove() {
        guard let name = try? FileName(name), let folder = try? Folder(at: folder) else { return }
        try? folder.removeTree(name)
    }

    /// Removes the folders of imports that were killed.
    private func removeLeft() {
        guard let folder = try? Folder(at: folder), let entries = try? folder.entries(limit: 1000) else { return }
        for name in entries.compactMap(\.name) {
            guard let process = pid_t(name.text), kill(process, 0) != 0, errno == ESRCH else { continue }
            try? folder.removeTree(name)
        }
    }
}
