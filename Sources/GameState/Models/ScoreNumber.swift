public import SecureArchive

/// Points, whole or with a fraction. Whole points stay whole.
public enum ScoreNumber: Hashable, Sendable {
    case whole(Int64)
    /// Always finite.
    case real(Double)

    /// The points; nil for infinity and NaN.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        self = .real(value)
    }

    /// Points in a text, as a game writes them with `'%i'` in a statement.
    init?(text: String) {
        if let whole = NumberInText.whole(text) {
            self = .whole(Int64(whole))
        } else if let real = NumberInText.real(text) {
            self = .real(real)
        } else {
            return nil
        }
    }
}

extension ScoreNumber {
    /// Compares by size, without rounding between whole numbers and reals. The two kinds are different values even at
    /// the same size.
    public func isLess(than other: ScoreNumber) -> Bool {
        switch (self, other) {
        case (.whole(let left), .whole(let right)): left < right
        case (.real(let left), .real(let right)): left < right
        // Swift compares the two kinds exactly.
        case (.whole(let left), .real(let right)): left.isLess(than: right)
        case (.real(let left), .whole(let right)): right.isMore(than: left)
        }
    }
}

extension Int64 {
    fileprivate func isLess(than real: Double) -> Bool {
        guard let floor = Int64(exactly: real.rounded(.down)) else { return real > 0 }
        return self < floor || self == floor && Double(floor) < real
    }

    fileprivate func isMore(than real: Double) -> Bool {
        guard let ceiling = Int64(exactly: real.rounded(.up)) else { return real < 0 }
        return self > ceiling || self == ceiling && Double(ceiling) > real
    }
}

extension ScoreNumber: CustomStringConvertible {
    /// The spelling in numbers.
    public var description: String {
        switch self {
        case .whole(let number): String(number)
        case .real(let number): String(number)
        }
    }
}

extension FieldForm where Value == ScoreNumber {
    /// A number, whole or with a fraction.
    public static var score: FieldForm {
        FieldForm(
            "a number",
            in: .scalar,
            read: { value in
                switch value {
                case .integer(let integer): integer.value(as: Int64.self).map(ScoreNumber.whole)
                case .real(let real): ScoreNumber(real.value)
                default: nil
                }
            },
            inText: ScoreNumber.init(text:),
            asText: { value, _ in value.description },
            write: { $0.value }
        )
    }
}

extension ScoreNumber {
    /// The number as a tree has it.
    public var value: ArchiveValue {
        switch self {
        case .whole(let number): .integer(ArchiveInteger(Int(number)))
        // Reading never gives infinity or NaN; a program that makes one gets no points.
        case .real(let number): ArchiveReal(number).map { .real($0) } ?? .integer(0)
        }
    }
}
