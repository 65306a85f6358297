import Household
import Ledger
import LinuxPlatform
import SaveRules
import SaveSync
import Vocabulary

/// Events about differences between versions.
extension SaveWording {
    /// A name for each side of a conflict: the machine that saved it, and the version if two were saved on one machine.
    func machines(of sides: [GameVersion]) async -> [String] {
        var tags: [PeerTag] = []
        for side in sides { tags.append(await tag(side.snapshot.author)) }
        return zip(tags, sides).map { tag, side in
            let name = tag.name.map { "\($0)" } ?? tag.id.short
            // A name that `--keep` would read as a merge or a version.
            let isOther = name == "merge" || name.hasPrefix("@") || VersionName(name) != nil
            let namesakes = tags.count { $0.name?.text.lowercased() == tag.name?.text.lowercased() }
            return isOther || namesakes > 1 ? "@\(side.name)" : name
        }
    }

    /// The numbers of new, changed and removed files.
    static func words(_ changes: ManifestChanges) -> String {
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
    ) -> [SessionNews] {
        let ids = versions.map(\.snapshot.id)
        var news = comparison.files.flatMap { Self.differences(in: $0, ids, names, set) }
        if comparison.others > 0 { news.append(Self.more(comparison.others, "files", in: set)) }
        return news
    }

    private static func differences(
        in file: FileComparison,
        _ ids: [SnapshotID],
        _ names: [String]?,
        _ set: SaveSetID
    ) -> [SessionNews] {
        guard !file.values.isEmpty else {
            let texts = file.files.map { $0.map(words) }
            return [difference(file, nil, texts, ids, "  \(file.path): \(words(texts, names))", set)]
        }
        var news = file.values.enumerated().map { place, value in
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
        if file.others > 0 { news.append(more(file.others, "values", in: set)) }
        return news
    }

    private static func difference(
        _ file: FileComparison,
        _ place: String?,
        _ texts: [String?],
        _ ids: [SnapshotID],
        _ sentence: String,
        _ set: SaveSetID
    ) -> SessionNews {
        SessionNews("difference", nil, sentence) { news in
            (news.set, news.path, news.text) = (set.description, file.path.text, place)
            let sides = zip(ids, texts).compactMap { id, text in text.map { (id.description, $0) } }
            news.details = Dictionary(sides, uniquingKeysWith: { first, _ in first })
        }
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
    static func file(_ entry: ManifestEntry, saying says: [String]?, in set: SaveSetID) -> SessionNews? {
        guard let file = entry.file else { return nil }
        let words = "  \(entry.path)  \(words((ByteCount(file.size), file.modified)))"
        let info = SavedFileInfo(
            set: set.description,
            path: entry.path.text,
            size: file.size,
            modifiedAt: file.modified.seconds,
            summary: says
        )
        return SessionNews(.savedFile(info), words + (says.map { "\n    \($0.joined(separator: ", "))" } ?? ""))
    }

    static func more(_ count: Int, _ noun: String, in set: SaveSetID) -> SessionNews {
        SessionNews("more-differ", nil, "  and \(count) more \(noun)") {
            ($0.set, $0.number, $0.kind) = (set.description, Int64(count), noun)
        }
    }
}
