import Games
import Glibc
import Household
import LinuxPlatform
import Vocabulary

/// The paths that the user named as a game's save: a folder, or some files and folders in one.
struct ChosenPaths {
    /// The absolute path of the folder.
    let folder: String
    /// The names in the folder that belong to the save; nil for all of them.
    let names: [String]?

    /// The paths of an emulator's save.
    init(_ save: EmulatorSave) { (folder, names) = (save.folder, save.files) }

    /// The saves of a game that was found.
    init(_ place: SharedPlace) { (folder, names) = (place.path, place.names) }

    init(_ typed: [String]) throws {
        let paths = typed.map(WholePath.of)
        // The daemon checks that the folder exists and can be shared.
        if paths.count == 1, (try? FileFacts(at: paths[0]))?.isRegular != true {
            (folder, names) = (paths[0], nil)
            return
        }
        let parts = paths.map(Self.split)
        guard let around = parts.first?.folder, parts.allSatisfy({ $0.folder == around }) else {
            throw CommandError.inSeveralFolders
        }
        for (path, part) in zip(paths, parts) { try Self.check(part.name, in: around, path) }
        (folder, names) = (around, parts.map(\.name))
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] } ?? ""
        let folder = String(path.dropLast(name.count + 1))
        return (folder.isEmpty ? "/" : folder, String(name))
    }

    private static func check(_ name: String, in folder: String, _ path: String) throws {
        let kind: FolderEntry.Kind
        do {
            kind = try Folder(at: folder).facts(of: FileName(name)).kind
        } catch {
            throw CommandError.missing(path)
        }
        switch kind {
        case .file, .folder: return
        case .symbolicLink: throw CommandError.isLink(path)
        case .other: throw CommandError.isNoFile(path)
        }
    }
}

extension CommandError {
    fileprivate static let inSeveralFolders = CommandError(
        ErrorCode(.invalid, "command.several-folders"),
        "the paths are not in one folder",
        nextStep: "name files and folders of one folder, and share those of other folders as games of their own"
    )

    fileprivate static func missing(_ path: String) -> CommandError {
        CommandError(
            ErrorCode(.file, "command.missing-file"),
            "\(PrintableText(path, limit: 4096)) does not exist",
            nextStep: "check the path; if the game has not saved yet, let it save first"
        )
    }

    fileprivate static func isLink(_ path: String) -> CommandError {
        CommandError(
            ErrorCode(.file, "command.is-link"),
            "\(PrintableText(path, limit: 4096)) is a symbolic link, and Huddle does not sync the target of a link",
            nextStep: "name the target of the link"
        )
    }

    fileprivate static func isNoFile(_ path: String) -> CommandError {
        CommandError(
            ErrorCode(.file, "command.is-no-file"),
            "\(PrintableText(path, limit: 4096)) is neither a file nor a folder",
            nextStep: "name files or folders"
        )
    }
}
