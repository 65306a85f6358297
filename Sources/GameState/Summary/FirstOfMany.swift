/// The first of many, in a short line.
struct FirstOfMany: CustomStringConvertible {
    /// The count of items in the line.
    static let listed = 8

    let description: String

    /// - Parameters:
    ///   - first: the first items, fit to print; more than the line has are ignored
    ///   - count: the count of all items
    init(_ first: some Sequence<String>, of count: Int) {
        let named = first.prefix(Self.listed).joined(separator: ", ")
        switch count - Self.listed {
        case ...0: description = named
        case 1: description = "\(named) and one other"
        case let rest: description = "\(named) and \(rest) others"
        }
    }
}
