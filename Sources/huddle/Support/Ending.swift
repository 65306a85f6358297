/// Whether a person has waited for the end, or asked for it twice.
enum Ending: Sendable {
    case inOrder
    case atOnce
}
