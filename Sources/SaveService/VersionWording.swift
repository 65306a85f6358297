import GameState
import Household
import Ledger
import LinuxPlatform
import SaveFolder
import SaveRules
import SaveSync
import Session
import Vocabulary

/// Lines about versions and their differences.
@Engine
struct VersionWording {
    private let words: SaveWording

    init(_ household: Household) { words = SaveWording(household) }

    /// - Parameters:
    ///   - changes: its changes since the version before it
    ///   - isCompared: the differences to other versions follow, so that the sentence leaves the summary out
    func version(
        _ version: GameVersion,
        saying summary: [FileSummary],
        changes: ManifestChanges? = nil,
        isCompared: Bool = false,
        of name: SaveSetName
    ) async -> DaemonLine {
        let snapshot = version.snapshot
        let author = await words.tag(snapshot.author)
        let made = WallTime(secondsSince1970: snapshot.time / 1_000)
        var place = snapshot.device.map { " on \($0), by way of \(author)" } ?? " on \(author)"
        // A version of an offline machine arrived later than it was made.
        if abs(made.secondsSince1970.distance(to: version.cameAt.secondsSince1970)) >= 60 {
            place += ", \(TimeText.local(made)) by the clock there"
        }
        var parts = [
            "@\(version.name)".padded(to: 7), TimeText.local(version.cameAt),
            Self.origin(snapshot.origin).rawValue + place,
        ]
        if let changes { parts.append(Self.summary(of: changes)) }
        if let note = snapshot.note, snapshot.device == nil { parts.append("“\(note)”") }
        if version.isShown { parts.append("(shown)") }
        if version.isNewest, !version.isShown { parts.append("(newest)") }
        if !version.isWhole { parts.append("(not all here)") }
        if let reason = version.refusal { parts.append("(kept out: \(reason))") }
        let says = summary.map {
            "\($0.path): \($0.summary.lines.map { "\($0.label) \($0.text)" }.joined(separator: ", "))"
        }
        let listed = isCompared ? [] : says
        let sentence = parts.joined(separator: "  ") + listed.map { "\n         \($0)" }.joined()
        var info = VersionInfo(
            game: name.description,
            number: Int64(version.number),
            version: "\(version.name)",
            snapshot: snapshot.id.description,
            author: author,
            origin: Self.origin(snapshot.origin),
            cameAt: version.cameAt.secondsSince1970,
            madeAt: made.secondsSince1970,
            isWhole: version.isWhole,
            isShown: version.isShown,
            isNewest: version.isNewest
        )
        info.device = snapshot.device?.text
        info.parents = snapshot.parents.map(\.description)
        info.changes = changes.map { FileChanges(added: $0.added, changed: $0.changed, removed: $0.removed) }
        info.remarks.note = snapshot.isNamed ? snapshot.note?.text : nil
        info.remarks.refusal = version.refusal
        info.remarks.summary = says.isEmpty ? nil : says
        info.remarks.numbers = Self.numbers(summary)
        return DaemonLine(.version(info), sentence)
    }

    /// The numbers of a summary; nil if it has none.
    private static func numbers(_ summary: [FileSummary]) -> [String: Double]? {
        let found = summary.flatMap { file in
            file.summary.lines.compactMap { line in line.value.exactReal.map { ("\(file.path): \(line.label)", $0) } }
        }
        return found.isEmpty ? nil : Dictionary(found, uniquingKeysWith: { first, _ in first })
    }

    private static func origin(_ origin: Snapshot.Origin) -> VersionInfo.Origin {
        switch origin {
        case .captured, .foreign: .saved
        case .restored: .restored
        case .resolved: .chosen
        case .merged: .merged
        case .delivered: .delivered
        }
    }

    /// A name for each side of a conflict: the machine that saved it, and the version if two were saved on one machine.
    func machines(of sides: [GameVersion]) async -> [String] {
        var tags: [PeerTag] = []
        for side in sides { tags.append(await words.tag(side.snapshot.author)) }
        return zip(tags, sides).map { tag, side in
            let name = tag.name.map { "\($0)" } ?? tag.id.short
            // A name that `--keep` would read as a merge or a version.
            let isOther = name == "merge" || name.hasPrefix("@") || VersionName(name) != nil
            let namesakes = tags.count { $0.name?.text.lowercased() == tag.name?.text.lowercased() }
            return isOther || namesakes > 1 ? "@\(side.name)" : name
        }
    }

    /// The numbers of new, changed and removed files.
    static func summary(of changes: ManifestChanges) -> String {
        let counts = [(changes.added, "new"), (changes.changed, "changed"), (changes.removed, "removed")]
        let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return words.isEmpty ? "no file changed" : words.joined(separator: ", ")
    }

    /// - Parameter names: the names of the versions; nil for two of which the second follows the first
    func differences(
        _ comparison: (files: [FileComparison], others: Int),
        _ versions: [GameVersion],
        named names: [String]?,
        in set: SaveSetID
    ) -> [DaemonLine] {
        let ids = versions.map(\.snapshot.id)
        var line = comparison.files.flatMap { Self.differences(in: $0, ids, names, set) }
        if comparison.others > 0 { line.append(Self.more(comparison.others, .files, in: set)) }
        return line
    }

    private static func differences(
        in file: FileComparison,
        _ ids: [SnapshotID],
        _ names: [String]?,
        _ set: SaveSetID
    ) -> [DaemonLine] {
        guard !file.values.isEmpty else {
            let texts = file.files.map { $0.map(words) }
            return [difference(file, nil, texts, ids, "  \(file.path): \(words(texts, names))", set)]
        }
        var line = file.values.enumerated().map { place, value in
            let head = place == 0 ? "  \(file.path)\n" : ""
            let path = value.path == "." ? "the whole" : "\(PrintableText(value.path, limit: 120))"
            return difference(
                file,
                value.path,
                value.texts,
                ids,
                "\(head)    \(path): \(words(value.texts, names))",
                set
            )
        }
        if file.others > 0 { line.append(more(file.others, .values, in: set)) }
        return line
    }

    private static func difference(
        _ file: FileComparison,
        _ place: String?,
        _ texts: [String?],
        _ ids: [SnapshotID],
        _ sentence: String,
        _ set: SaveSetID
    ) -> DaemonLine {
        let sides = zip(ids, texts).compactMap { id, text in text.map { (id.description, $0) } }
        let contents = Dictionary(sides, uniquingKeysWith: { first, _ in first })
        return DaemonLine(
            .difference(DifferenceEvent(in: set, file.path.text, value: place, contents)),
            sentence
        )
    }

    private static func words(_ texts: [String?], _ names: [String]?) -> String {
        guard let names else { return texts.map { $0 ?? "none" }.joined(separator: " → ") }
        return zip(names, texts).map { "\($0) \($1 ?? "none")" }.joined(separator: ", ")
    }

    /// The facts of a file whose values can't be read: size and time.
    private static func words(_ file: (size: ByteCount, modified: FileTime)) -> String {
        let time = TimeText.local(WallTime(secondsSince1970: file.modified.seconds), withSeconds: true)
        return "\(file.size.rounded) of \(time)"
    }

    /// One file of a version.
    static func file(_ entry: ManifestEntry, saying says: [String]?, in set: SaveSetID) -> DaemonLine? {
        guard let file = entry.file else { return nil }
        let words = "  \(entry.path)  \(words((ByteCount(file.size), file.modified)))"
        let info = SavedFileInfo(
            set: set.description,
            path: entry.path.text,
            size: file.size,
            modifiedAt: file.modified.seconds,
            summary: says
        )
        return DaemonLine(.savedFile(info), words + (says.map { "\n    \($0.joined(separator: ", "))" } ?? ""))
    }

    static func more(_ count: Int, _ kind: MoreEvent.Kind, in set: SaveSetID) -> DaemonLine {
        DaemonLine(.more(MoreEvent(in: set, count, kind)), "  and \(count) more \(kind.rawValue)")
    }
}
