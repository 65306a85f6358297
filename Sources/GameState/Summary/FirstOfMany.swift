/// The first of many, in a line that stays short.
struct FirstOfMany: CustomStringConvertible {
    /// How many are named.
    static let listed = 8

    let description: String

    /// - Parameters:
    ///   - first: fit to print; of more, as many as are named are enough
    ///   - count: how many there are
    init(_ first: some Sequence<String>, of count: Int) {
        let named = first.prefix(Self.listed).joined(separator: ", ")
        switch count - Self.listed {
        case ...0: description = named
        case 1: description = "\(named) and one other"
        case let rest: description = "\(named) and \(rest) others"
        }
    }
}
