/// What an ``XMLReader`` meets next.
enum XMLEvent {
    /// An element begins. Its end is an event of its own, also where both are one tag.
    case start(name: String, attributes: [XMLAttribute])
    case end
    /// All text up to the next tag or comment: references resolved, sections of character data opened, line ends as `\n`.
    case text(String)
    case comment(String)
}
