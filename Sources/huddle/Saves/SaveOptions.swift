import CommandTable
import FoundationEssentials
import Household
import LinuxPlatform
import Vocabulary

/// The options for the settings of a game.
enum SaveOptions {
    private static let ignore = Option(
        repeating: "ignore",
        .text.named("PATTERN"),
        help:
            """
            files that belong to no save, such as '*.log'; a machine that joins copies the patterns, later changes are \
            its own
            """
    )
    private static let local = Option(
        repeating: "local",
        .text.named("PATTERN"),
        help: "files that each machine keeps for itself, such as settings.ini"
    )
    private static let noIgnore = Option(
        repeating: "no-ignore",
        .text.named("PATTERN"),
        help: "a pattern of --ignore to remove, as `huddle show` writes it"
    )
    private static let noLocal = Option(
        repeating: "no-local",
        .text.named("PATTERN"),
        help: "a pattern of --local to remove"
    )
    private static let rules = Option("rules", .file, help: "a file with the rules for merging two versions")
    private static let settle = Option(
        "settle",
        .duration,
        help: "the time without a change after which the folder is read (default: 300ms)"
    )
    private static let keep = Option(
        "keep",
        .integer(in: 1...1_000_000),
        help: "the number of newest versions to keep (default: 50)"
    )
    private static let days = Option(
        "keep-days",
        .integer(in: 0...36_500),
        help: "the days for which every version stays; 0: no version stays for its age (default: 30)"
    )
    private static let space = Option(
        "keep-space",
        .byteCount,
        help: "the space for all versions, such as 2GiB; beyond it the oldest go; 0: no limit (default: 0)"
    )
    private static let program = Option(
        "program",
        .text.named("NAME"),
        help: "the game counts as played here while a program of this name runs; '' for none"
    )

    /// The options for a new game.
    static let first: [any DeclaredOption] = [ignore, local, rules, settle, keep, days, space, program]
    /// The options for a game that may have patterns already.
    static let all: [any DeclaredOption] = [ignore, noIgnore, local, noLocal] + first.dropFirst(2)

    /// The size limit of a file of rules, in bytes. A larger file is no file of rules.
    private static let longestRules = 256 << 10

    /// - Parameters:
    ///   - ignoring: patterns of ignored files, which come before those of the command line
    ///   - keeping: patterns of files that each machine keeps for itself, which come before those of the command line
    static func fill(
        _ fields: inout JSONFields,
        _ given: GivenValues,
        ignoring: [String] = [],
        keeping: [String] = []
    ) throws {
        let ignored = ignoring + given[ignore]
        if !ignored.isEmpty { fields.set("ignore", ignored) }
        let own = keeping + given[local]
        if !own.isEmpty { fields.set("local", own) }
        if let path = given[rules] { fields.set("rules", try text(of: path)) }
        if let settle = given[settle] { fields.set("settle", seconds: settle / .seconds(1)) }
        if let keep = given[keep] { fields.set("keep", keep) }
        if let days = given[days] { fields.set("days", days) }
        if let space = given[space] { fields.set("space", space.bytes) }
        fields.set("program", given[program])
    }

    static func fillDropped(_ fields: inout JSONFields, _ given: GivenValues) {
        if !given[noIgnore].isEmpty { fields.set("no_ignore", given[noIgnore]) }
        if !given[noLocal].isEmpty { fields.set("no_local", given[noLocal]) }
    }

    private static func text(of path: String) throws -> String {
        guard let bytes = FileManager.default.contents(atPath: path), bytes.count <= longestRules,
            let text = String(validating: bytes, as: UTF8.self)
        else {
            throw CommandError(
                ErrorCode(.file, "command.no-rules"),
                "\(PrintableText(path, limit: 4096)) can't be read as a file of rules",
                nextStep: "docs/reference/merge-rules.md describes such a file"
            )
        }
        return text
    }
}

extension GameBody {
    /// Creates the request body with the settings that the user gave.
    ///
    /// - Parameters:
    ///   - isNew: true if the game is new, so that it has no patterns yet
    ///   - ignoring: patterns of ignored files, which come before those of the command line
    ///   - keeping: patterns of files that each machine keeps for itself, which come before those of the command line
    init(_ given: GivenValues, isNew: Bool = false, ignoring: [String] = [], keeping: [String] = []) throws {
        self.init()
        try SaveOptions.fill(&fields, given, ignoring: ignoring, keeping: keeping)
        if !isNew { SaveOptions.fillDropped(&fields, given) }
    }
}
