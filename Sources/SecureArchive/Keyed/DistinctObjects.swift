/// The elements of a set so far. Equal texts, numbers, data, dates and nulls are one element; other elements are equal
/// only if they are the same object.
struct DistinctObjects {
    private var texts = LiteralStrings()
    private var scalars: Set<ScalarIdentity> = []
    private var hasNull = false

    /// Inserts an element; false if the set has it already.
    mutating func insert(_ reference: ArchiveValue, _ object: ArchiveValue) -> Bool {
        if case .null = object {
            defer { hasNull = true }
            return !hasNull
        }
        if case .string(let text) = object { return texts.insert(text).isNew }
        // A tree and an archive number objects differently: the reference has the archive's number.
        let scalar: ScalarIdentity? =
            if case .reference = object { nil } else { ScalarIdentity(of: object) }
        guard let identity = scalar ?? ScalarIdentity(of: reference) else { return true }
        return scalars.insert(identity).inserted
    }
}
