import Control
import Household
import Ledger
import LinuxPlatform
import SaveRules
import Vocabulary

/// Which of the files in a folder make a set from now on: some more, some less.
struct ChosenChange {
    private let (added, dropped): ([String], [String])
    static let keys = ["add", "drop"]

    init(_ fields: JSONFields) throws {
        (added, dropped) = try RouteCall.asked { (try fields.texts("add") ?? [], try fields.texts("drop") ?? []) }
    }

    /// What was typed, as the names that it means.
    struct Names: Sendable {
        fileprivate let (added, dropped): ([FileName], [FileName])

        /// Nothing was typed.
        static let none = Names(added: [], dropped: [])
    }

    /// Looks into the set's folder, which may wait for a disk.
    /// - Parameters:
    ///   - entry: the set as it is to be, but for these files
    ///   - omitted: what the set has that is left out here
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

    /// A name, or the path of something right in the set's folder, however the way there is written.
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
            "all of its folder makes \(set), so whatever is put there belongs to it",
            nextStep: "leave files out with --ignore, or with --local where each machine has its own"
        )
    }

    fileprivate static func notInSet(_ name: FileName, _ set: SaveSetName) -> HouseholdError {
        HouseholdError(
            "saves.not-in-set",
            "“\(PrintableText(name.text, limit: 255))” is none of the files that make \(set) here",
            nextStep: "look at `huddle list`, which names them"
        )
    }

    fileprivate static func nothingLeft(_ set: SaveSetName) -> HouseholdError {
        HouseholdError(
            "saves.nothing-left",
            "no file of \(set) would be left",
            nextStep: "to have no more to do with it: huddle stop \(set)"
        )
    }

    fileprivate static let tooManyFiles = HouseholdError(
        "saves.too-many-files",
        "a set is made of at most \(ChosenNames.maximumCount) files and folders that lie side by side",
        nextStep: "make the folder as a whole a set, with --ignore for the rest"
    )

    fileprivate static func noFileName(_ typed: String) -> HouseholdError {
        HouseholdError(
            "saves.no-file-name",
            "“\(PrintableText(typed, limit: 4096))” does not end in the name of a file",
            nextStep: "name a file or a folder that lies right in the set's folder"
        )
    }

    fileprivate static func elsewhere(_ typed: String, _ entry: SaveSetEntry) -> HouseholdError {
        HouseholdError(
            "saves.elsewhere",
            """
            “\(PrintableText(typed, limit: 4096))” does not lie right in the folder of \(entry.name), \
            \(PrintableText(entry.path, limit: 4096))
            """,
            nextStep: "what lies elsewhere is a save set of its own: huddle share"
        )
    }

    fileprivate static func noFile(_ name: FileName, _ entry: SaveSetEntry) -> HouseholdError {
        HouseholdError(
            "saves.no-file",
            """
            there is no file or folder “\(PrintableText(name.text, limit: 255))” in \
            \(PrintableText(entry.path, limit: 4096)), nor has \(entry.name) one elsewhere
            """,
            nextStep: "check the name, which is no link's; name a file once the game has made it"
        )
    }
}
