/// A pattern for one name: `*`, `?` and `[a-z]`. It backtracks only to the last `*`, so that no pattern takes long.
struct NamePattern {
    private enum Piece {
        case one(Unicode.Scalar)
        case anyOne
        case anyCount
        case range([ClosedRange<Unicode.Scalar>], isInverted: Bool)
    }

    private let pieces: [Piece]

    init(_ text: String) {
        var pieces: [Piece] = []
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "*": pieces.append(.anyCount)
            case "?": pieces.append(.anyOne)
            case "[": pieces.append(Self.range(&rest) ?? .one("["))
            default: pieces.append(.one(scalar))
            }
        }
        self.pieces = pieces
    }

    var literalCount: Int {
        pieces.count { piece in
            if case .one(let scalar) = piece {
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
            } else {
                false
            }
        }
    }

    /// Parses the rest of a `[…]`; returns nil and consumes nothing if it has no end. Then the bracket is a literal.
    private static func range(_ rest: inout Substring.UnicodeScalarView) -> Piece? {
        guard let end = rest.dropFirst().firstIndex(of: "]") else { return nil }
        var inside = rest[..<end]
        let isInverted = inside.first == "!" || inside.first == "^"
        if isInverted { inside = inside.dropFirst() }
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        while let first = inside.popFirst() {
            if inside.first == "-", let last = inside.dropFirst().first, first <= last {
                ranges.append(first...last)
                inside = inside.dropFirst(2)
            } else {
                ranges.append(first...first)
            }
        }
        rest = rest[rest.index(after: end)...]
        return .range(ranges, isInverted: isInverted)
    }

    func matches(_ name: String, ignoringCase: Bool) -> Bool {
        let name = Array((ignoringCase ? name.lowercased() : name).unicodeScalars)
        var (place, piece) = (0, 0)
        var back: (place: Int, piece: Int)?
        while place < name.count {
            if piece < pieces.count, case .anyCount = pieces[piece] {
                back = (place, piece)
                piece += 1
            } else if piece < pieces.count, Self.fits(name[place], pieces[piece], ignoringCase) {
                place += 1
                piece += 1
            } else if let last = back {
                back = (last.place + 1, last.piece)
                (place, piece) = (last.place + 1, last.piece + 1)
            } else {
                return false
            }
        }
        return pieces[piece...].allSatisfy { if case .anyCount = $0 { true } else { false } }
    }

    private static func fits(_ scalar: Unicode.Scalar, _ piece: Piece, _ ignoringCase: Bool) -> Bool {
        switch piece {
        case .one(let wanted): ignoringCase ? wanted.properties.lowercaseMapping == String(scalar) : wanted == scalar
        case .anyOne, .anyCount: true
        case .range(let ranges, let isInverted):
            ranges.contains { $0.contains(scalar) || ignoringCase && contains($0, upperCaseOf: scalar) } != isInverted
        }
    }

    private static func contains(_ range: ClosedRange<Unicode.Scalar>, upperCaseOf scalar: Unicode.Scalar) -> Bool {
        let upper = scalar.properties.uppercaseMapping.unicodeScalars
        return upper.count == 1 && upper.first.map(range.contains) == true
    }
}
