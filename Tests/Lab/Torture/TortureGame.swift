import Glibc
import LabKit
import LinuxPlatform
import Vocabulary

/// A game that saves all the time until its input ends: `torture write KIND FOLDER SEED LOG [once]`. Each save changes
/// several files in several ways, and the game keeps one of them open for writing all the time.
struct TortureGame {
    /// The kind of a game's save.
    enum Kind: String, CaseIterable, Sendable {
        /// Small files that are added, changed, moved and deleted.
        case plain
        /// A large file with small changes, and a small one.
        case large
        /// One large file with small changes.
        case sealed
        /// A table of scores, which rules merge.
        case scores

        /// The file that the game keeps open while it saves.
        var openFile: String {
            switch self {
            case .plain, .large: GameIndex.file
            case .sealed: SealedFile.file
            case .scores: ScoreTable.file
            }
        }

        /// The number of newest versions to keep; nil for all. With a number, old versions are deleted while new ones
        /// are made, and their pieces are removed from packs that other games still need.
        var keptCount: Int? { self == .large ? 3 : nil }
    }

    private static let largeSize: UInt64 = 5 << 20
    private static let names = ["a", "b", "c", "slots/1", "slots/2", "slots/old/3", "maps/x", "maps/y"]

    private let kind: Kind
    private let folder: String
    private let log: SaveLog
    private let isOnce: Bool
    private var dice: SeededDice

    init(_ words: ArraySlice<String>) throws {
        let words = Array(words)
        guard words.count >= 4, let kind = Kind(rawValue: words[0]), let seed = UInt64(words[2]) else {
            throw TortureError("torture write KIND FOLDER SEED LOG [once]")
        }
        (self.kind, folder, log, dice) = (kind, words[1], SaveLog(path: words[3]), SeededDice(seed: seed))
        isOnce = words.dropFirst(4).first == "once"
    }

    func run() throws {
        var game = self
        if isOnce { return try game.save() }
        while !game.isOver(within: CInt.random(in: 20...900, using: &game.dice)) { try game.save() }
    }

    /// Waits for the end of the input, at most a number of milliseconds.
    private func isOver(within milliseconds: CInt) -> Bool {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return poll(&input, 1, milliseconds) != 0
    }

    private mutating func save() throws {
        try log.begin()
        let path = "\(folder)/\(kind.openFile)"
        let number = try retrying("open", on: path) { open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644) }
        let file = OwnedDescriptor(takingOwnershipOf: number)
        let bytes: [UInt8]
        switch kind {
        case .sealed: return try changeSealed(file)
        case .scores: bytes = try playedTable(try PlainFile.read(file))
        case .plain:
            for _ in 0..<Int.random(in: 1...4, using: &dice) { try changeSomething() }
            bytes = try index()
        case .large:
            try changeLittle()
            bytes = try index()
        }
        try log.note(GameTree.digest(bytes))
        try file.truncate(to: 0)
        try PlainFile.write(bytes, into: file)
    }

    private mutating func playedTable(_ old: [UInt8]) throws -> [UInt8] {
        var table = old.isEmpty ? ScoreTable() : try ScoreTable(parsing: old)
        table.raise("player\(Int.random(in: 1...30, using: &dice))", by: Int.random(in: 1...100, using: &dice))
        return try table.encoded()
    }

    private mutating func changeSomething() throws {
        let name = Self.names.randomElement(using: &dice) ?? "a"
        let path = "\(folder)/\(name)"
        let bytes = randomBytes(Int.random(in: 0...30_000, using: &dice))
        if let slash = name.lastIndex(of: "/") { try PlainFile.makeFolders("\(folder)/\(name[..<slash])") }
        switch Int.random(in: 0..<10, using: &dice) {
        case 0: unlink(path)
        case 1: _ = chmod(path, 0o640)
        case 2:
            let other = Self.names.randomElement(using: &dice) ?? "b"
            if !other.contains("/") { rename(path, "\(folder)/\(other)") }
        case 3:
            let number = Int.random(in: 0...2, using: &dice)
            if Bool.random(using: &dice) { return try turnLink("\(folder)/latest\(number)", to: name) }
            _ = try? PlainFile.makeFolders("\(folder)/empty\(number)")
        case 4...6:
            try PlainFile.write(bytes, to: "\(path).new")
            rename("\(path).new", path)
        default: try PlainFile.write(bytes, to: path)
        }
    }

    private func turnLink(_ path: String, to target: String) throws {
        unlink("\(path).new")
        try retrying("symlink", on: path) { symlink(target, "\(path).new") }
        try retrying("rename", on: path) { rename("\(path).new", path) }
    }

    private mutating func changeLittle() throws {
        let world = "\(folder)/world"
        var facts = stat()
        if stat(world, &facts) != 0 {
            try PlainFile.write(randomBytes(Int(Self.largeSize)), to: world)
        } else {
            let offset = UInt64.random(in: 0..<Self.largeSize, using: &dice)
            try PlainFile.write(randomBytes(Int.random(in: 1...2_000, using: &dice)), to: world, at: offset)
        }
        if Bool.random(using: &dice) { try PlainFile.write(randomBytes(200), to: "\(folder)/slot") }
    }

    private mutating func changeSealed(_ file: borrowing OwnedDescriptor) throws {
        let old = try PlainFile.read(file)
        var save = SealedFile(parsing: old) ?? SealedFile(randomBytes(SealedFile.size))
        let change = randomBytes(Int.random(in: 1...2_000, using: &dice))
        let offset = Int.random(in: 0..<SealedFile.size - change.count, using: &dice)
        save.change(change, at: offset)
        try log.note(GameTree.digest(save.bytes))
        if old.count == save.bytes.count {
            try PlainFile.write(change, into: file, at: UInt64(offset))
            try PlainFile.write(save.seal, into: file, at: UInt64(SealedFile.size))
        } else {
            try file.truncate(to: 0)
            try PlainFile.write(save.bytes, into: file)
        }
    }

    private mutating func randomBytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count { withUnsafeBytes(of: dice.next()) { bytes.append(contentsOf: $0) } }
        return Array(bytes.prefix(count))
    }

    private func index() throws -> [UInt8] {
        var digests: [String: String] = [:]
        try Self.collect(Folder(at: folder), "", &digests)
        digests[GameIndex.file] = nil
        return GameIndex(digests).bytes
    }

    private static func collect(_ folder: borrowing Folder, _ prefix: String, _ digests: inout [String: String]) throws
    {
        for entry in try folder.entries(limit: 10_000) {
            guard let name = entry.name else { continue }
            if entry.kind == .folder {
                try collect(folder.openFolder(name), "\(prefix)\(name.text)/", &digests)
            } else if entry.kind == .file {
                digests[prefix + name.text] = GameTree.digest(try PlainFile.read(folder.open(name)))
            } else if entry.kind == .symbolicLink {
                let target = String(decoding: try folder.target(ofSymbolicLink: name), as: UTF8.self)
                digests[prefix + name.text] = GameIndex.mark(ofLinkTo: target)
            }
        }
    }
}
