import Vocabulary

extension ValueForm where Value == Duration {
    /// A span of time: `300ms`, `5s`, `0.5s`, `2m`, `1h`, or several of them, `1h30m`. A number without a unit is
    /// refused.
    public static var duration: ValueForm {
        ValueForm(placeholder: "DURATION", like: DurationText.forms, write: DurationText.write, read: DurationText.read)
    }
}

private enum DurationText {
    static let forms = "300ms, 5s, 2m, 1h or 1h30m"

    /// The units from the largest to the smallest, which is the order in a text.
    static let units: [(name: String, milliseconds: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
    ]

    @Sendable static func read(_ text: String) throws -> Duration {
        func refusal(_ reason: String) -> BadValue {
            BadValue(text, isNot: "a duration", because: reason, nextStep: "write it like \(forms)")
        }
        var (rest, allowed, total) = (text[...], units[...], Int64(0))
        repeat {
            let digits = rest.prefix { $0.isASCII && $0.isWholeNumber }
            guard !digits.isEmpty else { throw refusal("it must be a number with a unit") }
            rest = rest.dropFirst(digits.count)
            let decimals = rest.first == "." ? rest.dropFirst().prefix { $0.isASCII && $0.isWholeNumber } : nil
            if let decimals {
                guard !decimals.isEmpty else { throw refusal("after the point a digit is missing") }
                rest = rest.dropFirst(decimals.count + 1)
            }
            let name = rest.prefix { !$0.isWholeNumber }
            rest = rest.dropFirst(name.count)
            guard !name.isEmpty else { throw refusal("the unit is missing") }
            guard let index = allowed.firstIndex(where: { $0.name == name }) else {
                throw refusal("“\(PrintableText(String(name), limit: 20))” is not a unit that fits there")
            }
            let unit = units[index].milliseconds
            guard let number = Int64(digits), let sum = adding(number, of: unit, to: total) else {
                throw refusal("it is too long")
            }
            (total, allowed) = (sum, units[(index + 1)...])
            if let decimals {
                guard let part = part(decimals, of: unit) else { throw refusal("it is finer than a millisecond") }
                guard let sum = adding(part, of: 1, to: total) else { throw refusal("it is too long") }
                total = sum
            }
        } while !rest.isEmpty
        return .milliseconds(total)
    }

    @Sendable static func write(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        guard milliseconds > 0 else { return "0s" }
        var rest = milliseconds
        return units.reduce(into: "") { text, unit in
            let count = rest / unit.milliseconds
            rest %= unit.milliseconds
            if count > 0 { text += "\(count)\(unit.name)" }
        }
    }

    /// Returns a decimal fraction of a unit in milliseconds; nil if it is no whole number of milliseconds.
    private static func part(_ decimals: Substring, of unit: Int64) -> Int64? {
        var (rest, part) = (unit, Int64(0))
        for digit in decimals {
            guard let value = digit.wholeNumberValue else { return nil }
            guard value > 0 || rest % 10 == 0 else { continue }
            guard rest % 10 == 0 else { return nil }
            rest /= 10
            part += rest * Int64(value)
        }
        return part
    }

    private static func adding(_ number: Int64, of unit: Int64, to total: Int64) -> Int64? {
        let product = number.multipliedReportingOverflow(by: unit)
        let sum = total.addingReportingOverflow(product.partialValue)
        return product.overflow || sum.overflow ? nil : sum.partialValue
    }
}
