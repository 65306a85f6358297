import Vocabulary

/// An index into a list of games, for lookups without reading the whole list. It has sorted digests of keys, each with
/// the offset of its game in the text.
///
/// Any program may have changed the bytes. The index checks every number in them, and a game counts only if it has the
/// key that found it.
package struct GameIndex: Sendable {
    private static let opening = Array("huddle-games 1\n".utf8)
    private static let rowSize = 12
    private static let longestGame = 64 << 10

    private let bytes: [UInt8]
    private let rowCount: Int

    private var rowsStart: Int { Self.opening.count + 4 }
    private var textStart: Int { rowsStart + rowCount * Self.rowSize }

    /// - Parameter bytes: the result of a ``Builder``; the index is nil for any other bytes
    package init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Self.opening), bytes.count >= Self.opening.count + 4 else { return nil }
        let count = Int(Self.number(bytes, at: Self.opening.count, bytes: 4))
        guard count <= (bytes.count - Self.opening.count - 4) / Self.rowSize else { return nil }
        (self.bytes, rowCount) = (bytes, count)
    }

    /// Builds the index of a small list in memory.
    package init(of games: [KnownGame]) {
        var builder = Builder()
        for game in games { builder.add(game) }
        rowCount = builder.rowCount
        bytes = builder.finish()
    }

    /// All games of a key, at most eight: makers share folders.
    package func games(for key: GameKey) -> [KnownGame] {
        let digest = key.digest
        var row = firstRow(notBelow: digest)
        var found: [KnownGame] = []
        var looked = 0
        while row < rowCount, self.digest(row) == digest, looked < 8 {
            if let game = game(at: offset(row)), game.keys.contains(key) { found.append(game) }
            row += 1
            looked += 1
        }
        return found
    }

    /// The game of a title, also by another name of it.
    package func game(titled title: String) -> KnownGame? {
        var title = title
        for _ in 0..<3 {
            guard let game = games(for: .title(title)).first else { return nil }
            guard let alias = game.alias else { return game }
            title = alias
        }
        return nil
    }

    private func firstRow(notBelow digest: UInt64) -> Int {
        var (low, high) = (0, rowCount)
        while low < high {
            let middle = (low + high) / 2
            if self.digest(middle) < digest { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func digest(_ row: Int) -> UInt64 { Self.number(bytes, at: rowsStart + row * Self.rowSize, bytes: 8) }

    private func offset(_ row: Int) -> Int {
        Int(Self.number(bytes, at: rowsStart + row * Self.rowSize + 8, bytes: 4))
    }

    private func game(at offset: Int) -> KnownGame? {
        guard offset >= 0, offset < bytes.count - textStart else { return nil }
        let rest = bytes[(textStart + offset)...].prefix(Self.longestGame)
        guard rest.starts(with: GameList.start.utf8) else { return nil }
        var end = rest.startIndex
        while end < rest.endIndex, let line = rest[end...].firstIndex(of: UInt8(ascii: "\n")) {
            end = line + 1
            if rest[end...].first == UInt8(ascii: "=") { break }
        }
        return GameList.games(in: String(decoding: rest[..<end], as: UTF8.self)).first
    }

    private static func number(_ bytes: [UInt8], at place: Int, bytes count: Int) -> UInt64 {
        bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Makes the bytes of an index, game by game.
    package struct Builder {
        private var text: [UInt8] = []
        private var rows: [(digest: UInt64, offset: UInt32)] = []
        /// The number of games with places.
        package private(set) var gameCount = 0
        var rowCount: Int { rows.count }

        package init() {}

        /// Adds a game, unless it has nothing to find or no room is left.
        package mutating func add(_ game: KnownGame) {
            guard game.isUseful, let offset = UInt32(exactly: text.count), let written = GameList.text(of: game)?.utf8,
                written.count <= GameIndex.longestGame
            else { return }
            text += written
            for key in game.keys { rows.append((key.digest, offset)) }
            if !game.places.isEmpty { gameCount += 1 }
        }

        /// The bytes of the index. A manifest has hundreds of thousands of rows, so the builder sorts them in place.
        package mutating func finish() -> [UInt8] {
            rows.sort { ($0.digest, $0.offset) < ($1.digest, $1.offset) }
            var bytes = GameIndex.opening
            bytes.reserveCapacity(bytes.count + 4 + rows.count * GameIndex.rowSize + text.count)
            Self.append(UInt64(rows.count), bytes: 4, to: &bytes)
            for row in rows {
                Self.append(row.digest, bytes: 8, to: &bytes)
                Self.append(UInt64(row.offset), bytes: 4, to: &bytes)
            }
            bytes += text
            return bytes
        }

        private static func append(_ number: UInt64, bytes count: Int, to bytes: inout [UInt8]) {
            for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * place))) }
        }
    }
}
