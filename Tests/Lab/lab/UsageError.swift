/// An invalid command line.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ message: String) {
        description = "\(message): see “lab help”"
    }
}
