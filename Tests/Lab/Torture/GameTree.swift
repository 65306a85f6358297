import Digests
import History
import LinuxPlatform
import SaveRules
import Vocabulary

/// The contents of a game's folder or of a version, read without the code that applies versions. It also knows if the
/// game would find its save whole.
struct GameTree {
    /// The entry at one path: kind, mode and the digest of the contents, as text.
    private var lines: [String: String] = [:]
    /// The modification time of each file in seconds.
    private var times: [String: Int64] = [:]
    private var digests: [String: String] = [:]
    private var texts: [String: [UInt8]] = [:]

    /// The contents of a folder.
    init(folder path: String) throws {
        try add(Folder(at: path), "")
    }

    /// The contents of a version, with every byte read.
    init(_ snapshot: Snapshot, in history: History) throws {
        for entry in try history.manifest(of: snapshot).entries {
            switch entry.content {
            case .folder(let mode): lines[entry.path.text] = "folder \(mode.rawValue)"
            case .link(let target): addLink(to: target.text, entry.path.text)
            case .file(let file):
                add(try file.pieces.flatMap { try history.read($0.id) }, entry.path.text, file.mode, file.modified)
            }
        }
    }

    /// The digest of all of it.
    var name: String { name(withTimes: true) }

    /// The digest without times.
    var timelessName: String { name(withTimes: false) }

    private func name(withTimes isTimed: Bool) -> String {
        let text = lines.sorted { $0.key < $1.key }.map { path, line in
            "\(path) \(line)" + (isTimed ? times[path].map { " \($0)" } ?? "" : "")
        }
        return Self.digest(Array(text.joined(separator: "\n").utf8))
    }

    /// The digest of names, contents and targets of links. If these are equal, a machine does not take it for another
    /// save.
    var contentsName: String {
        let text = lines.keys.sorted().map { "\($0) \(digests[$0] ?? "")" }.joined(separator: "\n")
        return Self.digest(Array(text.utf8))
    }

    /// The scores by name, if it is a table of scores.
    var scores: [String: Int] { (try? ScoreTable(parsing: texts[ScoreTable.file] ?? []))?.best ?? [:] }

    /// The stamp of the save, if it is whole: the last part that the game writes depends on all of the others.
    var stamp: String {
        [ScoreTable.file, SealedFile.file, GameIndex.file].lazy.compactMap { digests[$0] }.first ?? "none"
    }

    /// The reason why the game would call its save torn; nil if it is whole.
    var fault: String? {
        // Each game has saved once before it is shared, and none ever deletes all of its files.
        if digests.isEmpty { return "there are no files" }
        if let table = texts[ScoreTable.file] {
            return (try? ScoreTable(parsing: table)) == nil ? "the table of scores can't be read" : nil
        }
        if let sealed = texts[SealedFile.file] {
            return SealedFile(parsing: sealed)?.isWhole == true ? nil : "the seal is not that of the file"
        }
        guard let index = texts[GameIndex.file] else { return "there is no index" }
        var found = digests
        found[GameIndex.file] = nil
        let said = GameIndex(parsing: index).digests
        if said == found { return nil }
        let odd = Set(said.keys).union(found.keys).filter { said[$0] != found[$0] }.sorted()
        return "not of one saving: \(odd.joined(separator: ", "))"
    }

    private mutating func add(_ folder: borrowing Folder, _ prefix: String) throws {
        for entry in try folder.entries(limit: 10_000) {
            guard let name = entry.name else { continue }
            let path = prefix + name.text
            let facts = try folder.facts(of: name)
            switch entry.kind {
            case .folder:
                lines[path] = "folder \(facts.mode.rawValue)"
                try add(folder.openFolder(name), path + "/")
            case .symbolicLink:
                addLink(to: String(decoding: try folder.target(ofSymbolicLink: name), as: UTF8.self), path)
            case .file: add(try PlainFile.read(folder.open(name)), path, facts.mode, facts.modified)
            case .other: lines[path] = "neither file nor folder"
            }
        }
    }

    private mutating func addLink(to target: String, _ path: String) {
        lines[path] = "link \(target)"
        digests[path] = GameIndex.mark(ofLinkTo: target)
    }

    private mutating func add(_ bytes: [UInt8], _ path: String, _ mode: FileMode, _ time: FileTime) {
        let digest = Self.digest(bytes)
        // Every second disk stores times in whole seconds.
        times[path] = time.seconds
        lines[path] = "file \(mode.rawValue) \(bytes.count) \(digest)"
        digests[path] = digest
        if TortureGame.Kind.allCases.contains(where: { $0.openFile == path }) { texts[path] = bytes }
    }

    static func digest(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return String(Digest.sha256(bytes).prefix(12).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}

/// The index that the game writes last in each save: all its files and links with their contents.
struct GameIndex {
    static let file = "index"
    var digests: [String: String] = [:]

    init(_ digests: [String: String]) { self.digests = digests }

    /// The text for a link, in place of the digest of a file.
    static func mark(ofLinkTo target: String) -> String { "->\(target)" }

    init(parsing bytes: [UInt8]) {
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2 { digests[String(words[0])] = String(words[1]) }
        }
    }

    var bytes: [UInt8] {
        Array(digests.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined().utf8)
    }
}
