import CommandTable
import Vocabulary

extension ValueForm where Value == Label {
    /// The form of the name of a session or a stream.
    static var label: ValueForm {
        ValueForm(placeholder: "NAME", like: "a short name such as chat", write: \.text) { text in try Label(text) }
    }
}

extension Label {
    static let chat = known("chat")
    static let pipe = known("pipe")

    private static func known(_ text: String) -> Label {
        guard let label = try? Label(text) else { preconditionFailure("it obeys the rules of a label") }
        return label
    }
}
