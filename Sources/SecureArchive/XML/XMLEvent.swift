/// The next part that an ``XMLReader`` finds.
enum XMLEvent {
    /// The start of an element. Its end is another event, even if both are one tag.
    case start(name: String, attributes: [XMLAttribute])
    case end
    /// All text up to the next tag or comment: references resolved, CDATA sections opened, line ends as `
    /// `.
    case text(String)
    case comment(String)
}
