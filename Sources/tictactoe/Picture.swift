/// The screen above the input line: lines of plain text, each with a rank that decides what is dropped from a small
/// window.
struct Picture: Equatable {
    var lines: [Line]

    /// Importance of a line. In a small window, the last ranks are dropped first.
    enum Rank: Int, Comparable {
        case essential, notice, latest, hint, list, title, older, space

        static func < (one: Rank, other: Rank) -> Bool { one.rawValue < other.rawValue }
    }

    enum Look {
        case plain
        case loud
        case grid
    }

    struct Line: Equatable {
        var text: String
        let rank: Rank
        var look = Look.plain

        static let space = Line(text: "", rank: .space)
    }

    // MARK: Layout

    /// Maximum number of lines, including the input line.
    static let height = 24
    static let width = 80
    /// Essential lines fit into this width, if there are enough lines.
    static let leastWidth = 20

    /// The lines above the input line, which never moves; or a message if the window is too small for the essential
    /// lines.
    func fitting(columns: Int, rows: Int) -> [Line] {
        let width = min(max(columns, Self.leastWidth), Self.width)
        let entries = lines.map { $0.broken(to: width) }
        let needed = entries.joined().count { $0.rank == .essential } + 1
        guard columns >= width, rows >= needed else {
            let words = "Make the window larger: \(width) × \(needed) at least".wrapped(to: max(1, columns))
            return words.prefix(max(1, rows - 1)).map { Line(text: $0, rank: .essential) }
        }
        let room = min(rows, Self.height) - 1
        return Self.filled(Self.reduced(entries, to: room, width), to: room)
    }

    /// Drops whole entries until the rest fits. A notice and the last chat entry keep their beginning.
    private static func reduced(_ entries: [[Line]], to room: Int, _ width: Int) -> [Line] {
        var entries = entries
        var missing = 0
        while let rank = entries.joined().map(\.rank).max() {
            let excess = entries.joined().count - room
            let isGoing = { (entry: [Line]) in entry[0].rank == rank }
            // The oldest chat entry is dropped first; of other entries, the last.
            let place = rank == .older ? entries.firstIndex(where: isGoing) : entries.lastIndex(where: isGoing)
            guard excess > 0, let place else { break }
            if rank < .hint, entries[place].count > excess {
                entries[place].removeLast(excess)
                let last = entries[place].removeLast()
                let text = last.text.prefix(columns: width - 1) + "…"
                entries[place].append(Line(text: text, rank: rank))
            } else {
                entries.remove(at: place)
            }
            if rank == .list { missing += 1 }
        }
        if missing > 0, let last = entries.lastIndex(where: { $0[0].rank == .list }) {
            entries[last] = [Line(text: "   … and \(missing + 1) more", rank: .list)]
        }
        return Array(entries.joined())
    }

    /// The input line and its hint keep their place.
    private static func filled(_ lines: [Line], to count: Int) -> [Line] {
        let place = lines.firstIndex { $0.rank == .hint } ?? lines.endIndex
        let space = Array(repeating: Line.space, count: max(0, count - lines.count))
        return lines[..<place] + space + lines[place...]
    }
}

extension Picture.Line {
    /// Length of the end that a shortened text keeps: a peer's fingerprint in brackets, a number.
    static let listEnd = 12

    /// An entry of a list is always one line, so that entries can be counted.
    fileprivate func broken(to width: Int) -> [Self] {
        let texts = rank == .list ? [text.shortened(to: width, keeping: Self.listEnd)] : text.wrapped(to: width)
        return texts.map { Self(text: $0, rank: rank, look: look) }
    }
}
