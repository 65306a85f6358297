/// The identity of a value that is no collection, for code that writes each such value once. Kinds stay different, and
/// so do 0.0 and -0.0. For texts there is ``LiteralStrings``.
enum ScalarIdentity: Hashable {
    case bool(Bool)
    case integer(ArchiveInteger)
    case real(UInt64)
    case date(UInt64)
    case data([UInt8])
    case reference(UInt32)

    /// The identity; nil for texts and collections.
    init?(of value: ArchiveValue) {
        switch value {
        case .bool(let bool): self = .bool(bool)
        case .integer(let integer): self = .integer(integer)
        case .real(let real): self = .real(real.value.bitPattern)
        case .date(let date): self = .date(date.secondsSince2001.bitPattern)
        case .data(let data): self = .data(data)
        case .reference(let number): self = .reference(number)
        case .null, .string, .array, .dictionary, .tagged: return nil
        }
    }
}
