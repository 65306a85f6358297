/// The end of a failed program's output as one line of an error message.
struct LastWords: CustomStringConvertible {
    let description: String

    init(_ text: String, lines count: Int = 5) {
        let lines = text.split(whereSeparator: \.isNewline).suffix(count)
        description = lines.isEmpty ? "it said nothing" : lines.joined(separator: " / ")
    }
}
