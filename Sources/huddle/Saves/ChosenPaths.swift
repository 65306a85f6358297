import Glibc
import Household
import LinuxPlatform
import Vocabulary

/// What a person named to make a save set of: a folder, or some of what lies in one.
struct ChosenPaths {
    /// The folder, from the root on.
    let folder: String
    /// What in it makes the save; nil for all of it.
    let names: [String]?

    init(_ typed: [String]) throws {
        let paths = typed.map(WholePath.of)
        // Whether it is there, or can be a set, is the daemon's to say.
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
            throw CommandError.notThere(path)
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
        "what is named does not lie in one folder",
        nextStep: "name what lies side by side in one folder; what lies elsewhere is a save set of its own"
    )

    fileprivate static func notThere(_ path: String) -> CommandError {
        CommandError(
            ErrorCode(.file, "command.not-there"),
            "\(PrintableText(path, limit: 4096)) is not there",
            nextStep: "check the path; name files once the game has made them"
        )
    }

    fileprivate static func isLink(_ path: String) -> CommandError {
        CommandError(
            ErrorCode(.file, "command.is-link"),
            "\(PrintableText(path, limit: 4096)) is a symbolic link, and what it leads to would be no part of the set",
            nextStep: "name the file that it leads to"
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
