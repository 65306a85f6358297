import SecureArchive
import Vocabulary

extension FieldForm where Value: CaseIterable & RawRepresentable & Equatable {
    /// A case of an enumeration of numbers.
    /// - Parameter fallback: the case for an unknown number in tolerant reading
    public static func choice(fallback: Value? = nil) -> FieldForm where Value.RawValue == Int {
        FieldForm(in: .orText(.integer)) { value, reading in
            guard let number = FieldForm<Int>.integer.read(value, &reading) else { return nil }
            if let known = Value(rawValue: number) { return known }
            return fallenBack(fallback, &reading) {
                let known = Value.allCases.map { "\($0.rawValue)" }.joined(separator: ", ")
                $0.fault(.impossible, "\(number) is none of \(known)")
            }
        } writeOver: { value, style, original in
            FieldForm<Int>.integer.write(value.rawValue, style, original)
        }
    }

    /// A case of an enumeration of texts. If any spelling of keys is accepted, any spelling of these is, too.
    /// - Parameter fallback: the case for an unknown text in tolerant reading
    public static func choice(fallback: Value? = nil) -> FieldForm where Value.RawValue == String {
        FieldForm(in: .string) { value, reading in
            guard let text = FieldForm<String>.text.read(value, &reading) else { return nil }
            if let known = Value(rawValue: text) { return known }
            let bare = KeySpelling.bareLetters(text)
            if reading.strictness.spelling == .anyStyle,
                let alike = Value.allCases.first(where: { KeySpelling.bareLetters($0.rawValue) == bare })
            {
                return alike
            }
            return fallenBack(fallback, &reading) {
                let known = Value.allCases.map(\.rawValue)
                let list = known.map { "“\($0)”" }.joined(separator: ", ")
                let shown = PrintableText(text, limit: 40)
                $0.fault(.impossible, "“\(shown)” is none of \(list)", suggestion: NearestName.of(text, in: known))
            }
        } write: { value, _ in
            .string(value.rawValue)
        }
    }

    private static func fallenBack(
        _ fallback: Value?,
        _ reading: inout ModelReading,
        _ complain: (inout ModelReading) -> Void
    ) -> Value? {
        if let fallback, reading.strictness.unknownChoices == .fallBack { return fallback }
        complain(&reading)
        return nil
    }
}
