/// What is on the screen above the line on which the person types: lines of plain text, and what each is worth where there is no room for all.
struct Picture: Equatable {
    var lines: [Line]

    /// What goes first where the window is low comes last.
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

    // MARK: In a window

    /// How many lines are used at the most, with the one on which the person types.
    static let height = 24
    static let width = 80
    /// What is essential has room here, if there are lines enough.
    static let leastWidth = 20

    /// What is above the line for typing, which stays where it is whatever there is to say; or what is wrong with a window that is too small for what is essential.
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

    /// Leaves out whole entries, each of some lines, until the rest fits. Of a notice and of what was said last, the beginning stays.
    private static func reduced(_ entries: [[Line]], to room: Int, _ width: Int) -> [Line] {
        var entries = entries
        var missing = 0
        while let rank = entries.joined().map(\.rank).max() {
            let excess = entries.joined().count - room
            let isGoing = { (entry: [Line]) in entry[0].rank == rank }
            // Of what was said, the oldest goes first; of all else, the last.
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

    /// The line for typing stays where it is, and the hint beside it.
    private static func filled(_ lines: [Line], to count: Int) -> [Line] {
        let place = lines.firstIndex { $0.rank == .hint } ?? lines.endIndex
        let space = Array(repeating: Line.space, count: max(0, count - lines.count))
        return lines[..<place] + space + lines[place...]
    }
}

extension Picture.Line {
    /// How much of the end of what is shortened is kept: a peer's fingerprint in its brackets, a number.
    static let listEnd = 12

    /// An entry of a list is one line, whatever it says, so that they can be counted.
    fileprivate func broken(to width: Int) -> [Self] {
        let texts = rank == .list ? [text.shortened(to: width, keeping: Self.listEnd)] : text.wrapped(to: width)
        return texts.map { Self(text: $0, rank: rank, look: look) }
    }
}
