/// The elements of a set so far. What is equal as a text, number, data or date is the same element, and so is null;
/// others are when they are one object.
struct DistinctObjects {
    private var texts = LiteralStrings()
    private var scalars: Set<ScalarIdentity> = []
    private var hasNull = false

    /// False where it is there already.
    mutating func insert(_ reference: ArchiveValue, _ object: ArchiveValue) -> Bool {
        if case .null = object {
            defer { hasNull = true }
            return !hasNull
        }
        if case .string(let text) = object { return texts.insert(text).isNew }
        // Numbers of a tree and of an archive are told apart: the reference has one of the
        // archive's.
        let scalar: ScalarIdentity? =
            if case .reference = object { nil } else { ScalarIdentity(of: object) }
        guard let identity = scalar ?? ScalarIdentity(of: reference) else { return true }
        return scalars.insert(identity).inserted
    }
}
