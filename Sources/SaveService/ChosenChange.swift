import Control
import Household
import Ledger
import LinuxPlatform
import SaveRules
import Vocabulary

/// A change of the files of a folder that belong to a game: some are added, some dropped.
struct ChosenChange {
    private let (added, dropped): ([String], [String])
    static let keys = ["add", "drop"]

    init(_ fields: JSONFields) throws {
        (added, dropped) = try RouteCall.asked { (try fields.texts("add") ?? [], try fields.texts("drop") ?? []) }
    }

    /// The file names of the typed paths.
    struct Names: Sendable {
        fileprivate let (added, dropped): ([FileName], [FileName])

        /// No change.
        static let none = Names(added: [], dropped: [])
    }

    /// Reads the game's folder, which may wait for a disk.
    ///
    /// - Parameters:
    ///   - entry: the game with all other changes
    ///   - omitted: the names of the game that are left out here
    func names(in entry: SaveSetEntry, omitted: [FileName]) async throws -> Names {
        guard !added.isEmpty || !dropped.isEmpty else { return .none }
        guard entry.chosen != nil else { throw HouseholdError.wholeFolder(entry.name) }
        return try await runBlocking("saves") {
            let names = Names(
                added: try added.map { try Self.name($0, in: entry) },
                dropped: try dropped.map { try Self.name($0, in: entry) }
            )
            for name in names.added where !omitted.contains(name) { try Self.checkIsThere(name, in: entry) }
            return names
        }
    }

    static func apply(_ change: Names, to entry: inout SaveSetEntry) throws {
        guard !change.added.isEmpty || !change.dropped.isEmpty else { return }
        guard let chosen = entry.chosen else { throw HouseholdError.wholeFolder(entry.name) }
        var names = Set(chosen.names)
        for name in change.dropped {
            guard names.remove(name) != nil else { throw HouseholdError.notInSet(name, entry.name) }
        }
        names.formUnion(change.added)
        guard !names.isEmpty else { throw HouseholdError.nothingLeft(entry.name) }
        guard let chosen = ChosenNames(names) else { throw HouseholdError.tooManyFiles }
        entry.chosen = chosen
    }

    /// The file name of a name, or of any path to an entry of the game's folder.
    private static func name(_ typed: String, in entry: SaveSetEntry) throws -> FileName {
        var parts = typed.split(separator: "/", omittingEmptySubsequences: false)
        while parts.count > 1, parts.last == "" { parts.removeLast() }
        let last = parts.popLast().map(String.init) ?? ""
        guard let name = try? FileName(last) else { throw HouseholdError.noFileName(typed) }
        guard !parts.isEmpty else { return name }
        let folder = parts.joined(separator: "/") + "/"
        guard let there = try? FileFacts(at: folder), let here = try? FileFacts(at: entry.path + "/"),
            there.isSameFile(as: here)
        else { throw HouseholdError.elsewhere(typed, entry) }
        return name
    }

    private static func checkIsThere(_ name: FileName, in entry: SaveSetEntry) throws {
        switch try? Folder(at: entry.path).facts(of: name).kind {
        case .file, .folder: return
        case .symbolicLink, .other, nil: throw HouseholdError.noFile(name, entry)
        }
    }
}

extension HouseholdError {
    fileprivate static func wholeFolder(_ set: SaveSetName) -> HouseholdError {
        HouseholdError(
            "saves.whole-folder",
            "\(set) is its whole folder, so every file there belongs to it",
            nextStep: "leave files out with --ignore, or with --local if each machine has its own"
        )
    }

    fileprivate static func notInSet(_ name: FileName, _ set: SaveSetName) -> HouseholdError {
        HouseholdError(
            "saves.not-in-set",
            "“\(PrintableText(name.text, limit: 255))” is not one of the files of \(set) here",
            nextStep: "`huddle list` names its files"
        )
    }

    fileprivate static func nothingLeft(_ set: SaveSetName) -> HouseholdError {
        HouseholdError(
            "saves.nothing-left",
            "\(set) would have no file left",
            nextStep: "to stop syncing it: huddle stop \(set)"
        )
    }

    fileprivate static let tooManyFiles = HouseholdError(
        "saves.too-many-files",
        "a game has at most \(ChosenNames.maximumCount) chosen files and folders",
        nextStep: "share the whole folder, with --ignore for the rest"
    )

    fileprivate static func noFileName(_ typed: String) -> HouseholdError {
        HouseholdError(
            "saves.no-file-name",
            "“\(PrintableText(typed, limit: 4096))” does not end in the name of a file",
            nextStep: "name a file or a folder directly in the game's folder"
        )
    }

    fileprivate static func elsewhere(_ typed: String, _ entry: SaveSetEntry) -> HouseholdError {
        HouseholdError(
            "saves.elsewhere",
            """
            “\(PrintableText(typed, limit: 4096))” is not directly in the folder of \(entry.name), \
            \(PrintableText(entry.path, limit: 4096))
            """,
            nextStep: "share files of another folder as a game of their own: huddle share"
        )
    }

    fileprivate static func noFile(_ name: FileName, _ entry: SaveSetEntry) -> HouseholdError {
        HouseholdError(
            "saves.no-file",
            """
            there is no file or folder “\(PrintableText(name.text, limit: 255))” in \
            \(PrintableText(entry.path, limit: 4096)), and no version of \(entry.name) has one
            """,
            nextStep: "check the name, which must not be a link; if the file is not made yet, let the game save first"
        )
    }
}
