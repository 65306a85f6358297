public import SecureArchive
import Vocabulary

extension FieldForm where Value == String {
    /// Any text.
    public static var text: FieldForm {
        FieldForm(
            "a string",
            in: .string,
            read: { if case .string(let text) = $0 { text } else { nil } },
            write: { .string($0) }
        )
    }
}

extension FieldForm where Value == Bool {
    /// A boolean.
    public static var bool: FieldForm {
        FieldForm(
            "a boolean",
            in: .orText(.bool),
            read: { if case .bool(let bool) = $0 { bool } else { nil } },
            inText: { text in
                let lower = text.lowercased()
                return textPairs.first { $0.contains(lower) }.map { $0[1] == lower }
            },
            asText: { value, original in
                let pair = textPairs.first { $0.contains(original.lowercased()) } ?? textPairs[0]
                let text = pair[value ? 1 : 0]
                return original == original.uppercased() ? text.uppercased() : text
            },
            write: { .bool($0) }
        )
    }
}

/// The texts for false and true.
private let textPairs = [["false", "true"], ["no", "yes"], ["0", "1"]]

extension FieldForm where Value == Int {
    /// An integer.
    public static var integer: FieldForm {
        FieldForm(
            "an integer between -2⁶³ and 2⁶³",
            in: .orText(.integer),
            read: { if case .integer(let integer) = $0 { integer.value() } else { nil } },
            inText: NumberInText.whole,
            asText: { value, _ in String(value) },
            write: { .integer(ArchiveInteger($0)) }
        )
    }
}

extension FieldForm where Value == Double {
    /// A number with or without a fraction. It keeps its kind, if possible. A new one without a fraction is an integer,
    /// as most programs write it.
    public static var number: FieldForm { number { $0.exactInteger ?? $0.archiveReal } }

    /// A number that is written as a real even without a fraction, as programs write a `double`, unless it was read as
    /// an integer.
    public static var real: FieldForm { number(\.archiveReal) }

    private static func number(_ write: @escaping @Sendable (Double) -> ArchiveValue) -> FieldForm {
        let plain = FieldForm(
            "a number",
            in: .scalar,
            read: \.exactReal,
            inText: NumberInText.real,
            asText: NumberInText.text,
            write: write
        )
        return FieldForm(in: .scalar, read: plain.read) { value, style, original in
            let kept: ArchiveValue? =
                switch original?.untagged {
                case .real: value.archiveReal
                case .integer: value.exactInteger
                default: nil
                }
            guard let kept, var original else { return plain.write(value, style, original) }
            original.replace(with: kept)
            return original
        }
    }
}

extension Double {
    fileprivate var exactInteger: ArchiveValue? { Int(exactly: self).map { .integer(ArchiveInteger($0)) } }

    /// The number as a real of an archive. A program may give a model a real that no archive can contain: then it is 0,
    /// as in Apple's own readers.
    fileprivate var archiveReal: ArchiveValue { .real(ArchiveReal(self) ?? .zero) }
}

extension ArchiveReal {
    fileprivate static var zero: ArchiveReal {
        guard let zero = ArchiveReal(0) else { preconditionFailure("0 is finite") }
        return zero
    }
}

extension FieldForm where Value == [UInt8] {
    /// Bytes.
    public static var data: FieldForm {
        FieldForm(
            "data",
            in: .data,
            read: { if case .data(let bytes) = $0 { bytes } else { nil } },
            write: { .data($0) }
        )
    }
}

extension FieldForm where Value == ArchiveValue {
    /// Any value, unchanged.
    public static var anything: FieldForm {
        FieldForm(read: { value, _ in value }, write: { value, _ in value })
    }
}

extension FieldForm {
    /// An array of values of one form.
    public static func list<Element: Sendable>(of form: FieldForm<Element>) -> FieldForm where Value == [Element] {
        FieldForm { value, reading in
            guard case .array(let elements) = value.untagged else {
                reading.fault(.wrongKind, "it is \(value.untagged.kindInWords), not an array")
                return nil
            }
            var found: [Element] = []
            found.reserveCapacity(elements.count)
            for (index, element) in elements.enumerated() where !reading.hasEnough {
                if let read = reading.within(.index(index), { form.read(element, &$0) }) { found.append(read) }
            }
            return found.count == elements.count ? found : nil
        } writeOver: { elements, style, original in
            var old: [ArchiveValue] = []
            if case .array(let elements)? = original?.untagged { old = elements }
            let written = elements.enumerated().map { index, element in
                form.write(element, style, index < old.count ? old[index] : nil)
            }
            return (original ?? .null).saying(.array(written))
        }
    }

    /// A text with several integers, such as `0, 1, 2`.
    /// - Parameter limit: the largest number of integers. A text from another machine is not parsed beyond it.
    public static func numbers(separatedBy separator: String, atMost limit: Int) -> FieldForm where Value == [Int] {
        FieldForm { value, reading in
            guard case .string(let text) = value.untagged else {
                reading.fault(.wrongKind, "it is \(value.untagged.kindInWords), not a string of numbers")
                return nil
            }
            let words = text.split(separator: separator, maxSplits: limit, omittingEmptySubsequences: false)
            guard words.count <= limit else {
                reading.fault(.wrongKind, "it holds more than \(limit) numbers")
                return nil
            }
            var found: [Int] = []
            for word in words {
                guard let number = Int(word) else {
                    let shown = PrintableText(String(word.prefix(40)), limit: 20)
                    reading.fault(.wrongKind, "“\(shown)” is not a number; they are separated by “\(separator)”")
                    return nil
                }
                found.append(number)
            }
            return found
        } write: { numbers, _ in
            .string(numbers.map(String.init).joined(separator: separator))
        }
    }

    /// A dictionary whose keys are known only after reading.
    public static func keyed<Element: Sendable>(_ form: FieldForm<Element>) -> FieldForm
    where Value == [Keyed<Element>] {
        FieldForm { value, reading in
            guard case .dictionary(let fields) = value.untagged else {
                reading.fault(.wrongKind, "it is \(value.untagged.kindInWords), not a dictionary")
                return nil
            }
            var found: [Keyed<Element>] = []
            for (key, value) in fields where !reading.hasEnough {
                if let read = reading.within(.key(key), { form.read(value, &$0) }) { found.append(Keyed(key, read)) }
            }
            return found.count == fields.count ? found : nil
        } writeOver: { elements, style, original in
            var old: ArchiveFields = [:]
            if case .dictionary(let fields)? = original?.untagged { old = fields }
            var fields = ArchiveFields(reserving: elements.count)
            for element in elements { fields[element.key] = form.write(element.value, style, old[element.key]) }
            return (original ?? .null).saying(.dictionary(fields))
        }
    }

    /// Another model.
    public static func model(_ type: Value.Type = Value.self) -> FieldForm where Value: StateModel {
        FieldForm { value, reading in
            Value.table.read(value, &reading)
        } writeOver: { model, style, original in
            original.map { Value.table.write(model, style, over: $0) } ?? model.tree(style)
        }
    }
}

extension ArchiveValue {
    /// Returns another value in place of this one. It stays an object of its class, if possible.
    func saying(_ value: ArchiveValue) -> ArchiveValue {
        var changed = self
        changed.replace(with: value)
        return changed
    }
}

/// A value under a key that is known only after reading.
public struct Keyed<Value: Sendable>: Sendable {
    /// The key.
    public var key: String
    /// The value.
    public var value: Value

    /// - Parameters:
    ///   - key: unique among its neighbours
    ///   - value: the value
    public init(_ key: String, _ value: Value) {
        self.key = key
        self.value = value
    }
}

extension Keyed: Equatable where Value: Equatable {}
