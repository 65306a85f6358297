import Vocabulary

extension ValueForm where Value == String {
    /// Any text.
    public static var text: ValueForm {
        ValueForm(placeholder: "TEXT", like: "any text", write: { $0 }, read: { $0 })
    }

    /// The path of a file or folder, which need not exist.
    public static var file: ValueForm { path("FILE", .files) }

    /// The path of a folder, which need not exist.
    public static var folder: ValueForm { path("FOLDER", .folders) }

    /// One of several texts.
    public static func oneOf(_ choices: [String]) -> ValueForm {
        ValueForm(choices: choices, write: { $0 }, read: { try choice($0, of: choices) { $0 } })
    }

    private static func path(_ placeholder: String, _ completion: Completion) -> ValueForm {
        ValueForm(placeholder: placeholder, like: "a path", completion: completion, write: { $0 }) { text in
            guard !text.isEmpty else {
                throw BadValue(text, isNot: "a path", because: "it is empty", nextStep: "write . for this folder")
            }
            return text
        }
    }
}

extension ValueForm where Value: CaseIterable & RawRepresentable<String> {
    /// One of the cases of a type, by its raw value.
    public static var choice: ValueForm {
        let names = Value.allCases.map(\.rawValue)
        return ValueForm(choices: names, write: \.rawValue) { text in
            try choice(text, of: names, Value.init(rawValue:))
        }
    }
}

extension ValueForm where Value == Bool {
    /// Yes or no, also in the words of environment variables: 1 and 0, true and false, on and off. A flag on the
    /// command line is read as `1`.
    public static var truth: ValueForm {
        let words = Completion.words(["yes", "no"])
        let write: @Sendable (Bool) -> String = { $0 ? "yes" : "no" }
        return ValueForm(placeholder: "yes|no", like: "yes or no", completion: words, write: write) { text in
            switch text.lowercased() {
            case "1", "true", "yes", "on": return true
            case "0", "false", "no", "off": return false
            default:
                throw BadValue(
                    text,
                    isNot: "a yes or no",
                    because: "it is none of 1, true, yes, on, 0, false, no, off",
                    nextStep: "set it to 1 or 0"
                )
            }
        }
    }
}

extension ValueForm {
    fileprivate static func choice(_ text: String, of names: [String], _ make: (String) -> Value?) throws -> Value {
        if names.contains(text), let value = make(text) { return value }
        let list = names.joined(separator: ", ")
        let suggestion = NearestName.of(text, in: names).map { "did you mean “\($0)”?" }
        throw BadValue(
            text,
            isNot: "allowed here",
            because: suggestion == nil ? "it is none of the choices" : "the choices are \(list)",
            nextStep: suggestion ?? "choose one of \(list)"
        )
    }
}
