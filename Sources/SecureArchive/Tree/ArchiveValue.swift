/// The content of an archive of any format: one tree of plain values.
///
/// Copies are values: editing a copy leaves the original alone. Values that several places of an archive share are
/// stored once, until one of them is edited.
///
/// Kinds stay different: `true`, `1` and `1.0` are three values, and the string `"$null"` is a string.
public enum ArchiveValue: Sendable {
    /// Nothing, if the format has a word for it: JSON's `null`, `$null` and `NSNull` of keyed archives.
    case null
    case bool(Bool)
    case integer(ArchiveInteger)
    /// A number with a fraction; an archive may also bring infinity and NaN, see ``ArchiveReal/isFinite``.
    case real(ArchiveReal)
    case string(String)
    case data([UInt8])
    case date(ArchiveDate)
    case array([ArchiveValue])
    case dictionary(ArchiveFields)
    /// The number of another object: in a raw tree of a keyed archive the archive's number, else the tree's, see
    /// ``ClassName/objectNumber``.
    case reference(UInt32)
    /// A value of a class, if a plain value would not show the class: an `NSMutableArray`, an `NSUUID`, a
    /// `SimpleCharacter`. The content is the second value.
    indirect case tagged(ClassName, ArchiveValue)
}

extension ArchiveValue: Equatable {
    /// Compares two trees. The order of a dictionary's keys does not matter; the kind of a number and the bytes of a
    /// text do.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.string(let left), .string(let right)): left.isLiterally(right)
        case (.data(let left), .data(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.dictionary(let left), .dictionary(let right)): left == right
        case (.reference(let left), .reference(let right)): left == right
        case (.tagged(let leftClass, let left), .tagged(let rightClass, let right)):
            leftClass == rightClass && left == right
        default: false
        }
    }
}
