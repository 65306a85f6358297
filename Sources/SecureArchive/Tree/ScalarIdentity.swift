/// What makes two values that are no collections the same to those who write each of them once. Kinds are kept apart, and so are 0.0 and
/// -0.0. Texts are not among them: ``LiteralStrings`` knows those.
enum ScalarIdentity: Hashable {
    case bool(Bool)
    case integer(ArchiveInteger)
    case real(UInt64)
    case date(UInt64)
    case data([UInt8])
    case reference(UInt32)

    /// Nil for texts, and for what has values in it.
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
