import CommandTable
import GameState
import SecureArchive
import Vocabulary

/// The result of `huddle state check` for one file.
struct SaveFinding {
    let code: ExitCode
    let words: String
    let fields: ArchiveFields

    /// The finding for a sound archive. For the save of a known game, it also lists the values that this game can't
    /// have written.
    init(_ opened: OpenedState) {
        let contents = SaveContents(opened.state.root)
        let game = KnownGame(recognising: opened.state)
        let found = game?.faults(of: opened.state)
        let faults = found?.faults ?? []
        code = .success
        words = Self.words(opened, contents, game, found)
        var fields: ArchiveFields = ["classes": .array(contents.classes.map(ArchiveValue.string))]
        if game != nil { fields["faults"] = .array(faults.map { .string($0.message) }) }
        if let found { fields["moreFaults"] = .bool(found.hasMore) }
        fields["file"] = .string(opened.file.path)
        fields["finding"] = .string("sound")
        fields["format"] = .string(opened.format.name)
        if let game { fields["game"] = .string(game.description) }
        fields["values"] = .integer(ArchiveInteger(contents.valueCount))
        self.fields = fields
    }

    private static func words(
        _ opened: OpenedState,
        _ contents: SaveContents,
        _ game: KnownGame?,
        _ found: ModelFaults?
    ) -> String {
        let count = contents.valueCount
        var words = "\(opened.file.shown): sound: \(opened.format.words) of \(count) value\(count == 1 ? "" : "s")"
        if !contents.classes.isEmpty {
            words += ", with " + contents.classes.map { PrintableText($0).description }.joined(separator: ", ")
        }
        guard let game else { return words }
        guard let found else { return words + "; a valid save of \(game)" }
        words += found.faults.reduce("; \(game), but not a valid save") { $0 + "\n    \($1.message): \($1.nextStep)" }
        return found.hasMore ? words + "\n    and more" : words
    }

    /// The finding for a file that failed a check.
    init(_ fault: StateFault) {
        code = ExitCode(of: fault)
        words = fault.description
        var fields: ArchiveFields = [
            "file": .string(fault.file.path), "finding": .string(StateFault.word(for: fault.error.kind)),
        ]
        fields["message"] = .string(fault.error.detail)
        if let offset = fault.error.offset { fields["offset"] = .integer(ArchiveInteger(offset)) }
        fields["path"] = .string(fault.error.path)
        self.fields = fields
    }

    /// The finding for a file that could not be read.
    init(_ path: String, _ error: CommandError) {
        code = ExitCode(of: error)
        words = error.description
        fields = [
            "file": .string(path), "finding": .string("unreadable"), "message": .string(error.message),
        ]
    }
}

/// The class names and the number of values in a tree.
private struct SaveContents {
    private(set) var valueCount = 0
    private var names: Set<ClassName> = []

    init(_ root: ArchiveValue) {
        add(root)
    }

    /// The names of all classes, sorted. A name with a leading `$` is a word of the tree format and no class.
    var classes: [String] { names.map(\.description).filter { $0.utf8.first != UInt8(ascii: "$") }.sorted() }

    private mutating func add(_ value: ArchiveValue) {
        switch value {
        case .tagged(let name, let below):
            names.insert(name)
            return add(below)
        case .array(let elements): for element in elements { add(element) }
        case .dictionary(let fields): for value in fields.values { add(value) }
        default: break
        }
        valueCount += 1
    }
}
