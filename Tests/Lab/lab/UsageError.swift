/// A command line that can't be understood.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ message: String) {
        description = "\(message): see “lab help”"
    }
}
