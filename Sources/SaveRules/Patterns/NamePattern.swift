/// A pattern for one name. `*` matches any text, `?` any character, `[a-z]` and `[!a-z]` one of some characters. `\`
/// removes the special meaning of the next character. Characters are Unicode scalars.
///
/// It follows all possible matches at once, one bit each. So it reads a name once, whatever the pattern is: there is no
/// backtracking, and no exponential time.
enum NamePattern: Hashable, Sendable {
    /// A pattern without special characters.
    case literal([UInt8])
    case glob(Glob)

    struct Glob: Hashable, Sendable {
        /// The largest number of characters besides `*`, which is limited by the bits.
        static let maximumCount = 127

        fileprivate struct Choice: Hashable {
            let ranges: [ClosedRange<Unicode.Scalar>]
            let isExcluding: Bool
            let place: UInt128
        }

        /// The places of each literal character.
        fileprivate var literals: [Unicode.Scalar: UInt128] = [:]
        fileprivate var choices: [Choice] = []
        /// The places of `?`.
        fileprivate var any: UInt128 = 0
        /// The places before which there is a `*`.
        fileprivate var stars: UInt128 = 0
        fileprivate var count = 0

        fileprivate var place: UInt128 { 1 << UInt128(count) }

        fileprivate func places(fitting scalar: Unicode.Scalar) -> UInt128 {
            choices.reduce(any | literals[scalar, default: 0]) { places, choice in
                choice.ranges.contains { $0.contains(scalar) } != choice.isExcluding ? places | choice.place : places
            }
        }
    }

    init(_ text: Substring.UnicodeScalarView) throws(PathPatterns.Defect) {
        var (glob, literal, rest) = (Glob(), String.UnicodeScalarView(), text)
        while let scalar = rest.popFirst() {
            guard scalar != "*" else {
                glob.stars |= glob.place
                continue
            }
            switch scalar {
            case "?": if glob.count < Glob.maximumCount { glob.any |= glob.place }
            case "[": glob.choices.append(try Self.choice(&rest, at: glob.place))
            default:
                let meant = try Self.literal(scalar, &rest)
                literal.append(meant)
                if glob.count < Glob.maximumCount { glob.literals[meant, default: 0] |= glob.place }
            }
            glob.count += 1
        }
        if glob.count == literal.count, glob.stars == 0 {
            self = .literal(Array(String(literal).utf8))
        } else {
            guard glob.count <= Glob.maximumCount else { throw .tooLong }
            self = .glob(glob)
        }
    }

    func matches(_ name: Substring) -> Bool {
        switch self {
        case .literal(let bytes): return name.utf8.elementsEqual(bytes)
        case .glob(let glob):
            // A set bit: the name so far matches the pattern before this place.
            var places: UInt128 = 1
            for scalar in name.unicodeScalars {
                places = (places & glob.places(fitting: scalar)) << 1 | places & glob.stars
                if places == 0 { return false }
            }
            return places & glob.place != 0
        }
    }

    private static func choice(
        _ rest: inout Substring.UnicodeScalarView,
        at place: UInt128
    ) throws(PathPatterns.Defect) -> Glob.Choice {
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        let isExcluding = rest.first == "!" || rest.first == "^"
        if isExcluding { rest.removeFirst() }
        var isFirst = true
        while let scalar = rest.popFirst() {
            if scalar == "]", !isFirst { return Glob.Choice(ranges: ranges, isExcluding: isExcluding, place: place) }
            isFirst = false
            let low = try literal(scalar, &rest)
            var high = low
            if rest.first == "-", let end = rest.dropFirst().first, end != "]" {
                rest.removeFirst(2)
                high = try literal(end, &rest)
            }
            guard low <= high else { throw .emptyRange }
            ranges.append(low...high)
        }
        throw .unfinishedBracket
    }

    private static func literal(
        _ scalar: Unicode.Scalar,
        _ rest: inout Substring.UnicodeScalarView
    ) throws(PathPatterns.Defect) -> Unicode.Scalar {
        guard scalar == "\\" else { return scalar }
        guard let next = rest.popFirst() else { throw .unfinishedEscape }
        return next
    }
}
