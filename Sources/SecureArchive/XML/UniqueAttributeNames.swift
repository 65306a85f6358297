/// Finds duplicate names of attributes: by comparing if they are few, and by hashing if they are many.
struct UniqueAttributeNames {
    private static let comparedUpTo = 8
    private var names = LiteralStrings()

    /// Inserts a name; false if it exists.
    mutating func insert(_ name: String, beside others: [XMLAttribute]) -> Bool {
        if others.count < Self.comparedUpTo { return !others.contains { $0.name.isLiterally(name) } }
        if names.count == 0 {
            for other in others { _ = names.insert(other.name) }
        }
        return names.insert(name).isNew
    }
}
