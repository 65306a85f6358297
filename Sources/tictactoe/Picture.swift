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

    /// So many lines of text above the one for typing, whatever they say; or what is wrong with a window that is too small for what is essential.
    func fitting(columns: Int, rows: Int) -> [Line] {
        let width = min(max(columns, Self.leastWidth), Self.width)
        let all = lines.flatMap { $0.broken(to: width) }
        let needed = all.count { $0.rank == .essential } + 1
        guard columns >= width || columns > Self.width, rows >= needed else {
            let words = "Make the window larger: \(width) × \(needed) at least".wrapped(to: max(1, columns))
            return words.prefix(max(1, rows - 1)).map { Line(text: $0, rank: .essential) }
        }
        return Self.filled(Self.reduced(all, to: min(rows, Self.height) - 1), to: min(rows, Self.height) - 1)
    }

    private static func reduced(_ lines: [Line], to count: Int) -> [Line] {
        var lines = lines
        var cut = 0
        while lines.count > count, let rank = lines.map(\.rank).max() {
            let isGoing = { (line: Line) in line.rank == rank }
            // Of what was said, the oldest goes first; of all else, the last.
            let place = rank == .older ? lines.firstIndex(where: isGoing) : lines.lastIndex(where: isGoing)
            if let place { lines.remove(at: place) }
            if rank == .list { cut += 1 }
        }
        if cut > 0, let last = lines.lastIndex(where: { $0.rank == .list }) {
            lines[last].text = "   … and \(cut + 1) more"
        }
        return lines
    }

    /// The line for typing stays where it is, and the hint beside it.
    private static func filled(_ lines: [Line], to count: Int) -> [Line] {
        let place = lines.firstIndex { $0.rank == .hint } ?? lines.endIndex
        let space = Array(repeating: Line.space, count: max(0, count - lines.count))
        return lines[..<place] + space + lines[place...]
    }
}

extension Picture.Line {
    /// How much of the end of an entry is kept: a peer's fingerprint in its brackets, a number.
    private static let listEnd = 12

    /// An entry of a list is one line, whatever it says, so that they can be counted.
    fileprivate func broken(to width: Int) -> [Self] {
        let texts = rank == .list ? [text.shortened(to: width, keeping: Self.listEnd)] : text.wrapped(to: width)
        return texts.map { Self(text: $0, rank: rank, look: look) }
    }
}
