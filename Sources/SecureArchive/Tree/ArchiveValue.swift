/// What an archive says, whatever format it was written in: one tree of plain values.
///
/// Copies are values: whoever edits a copy leaves the original alone. What several places of an archive share is stored once here too,
/// until it is edited.
///
/// Kinds are kept apart: `true`, `1` and `1.0` are three values, and the string `"$null"` is a string.
public enum ArchiveValue: Sendable {
    /// Nothing, where the format can say so: JSON's `null`, `$null` and `NSNull` of keyed archives.
    case null
    case bool(Bool)
    case integer(ArchiveInteger)
    /// Also infinite or no number where an archive says so; see ``ArchiveReal/isFinite``.
    case real(ArchiveReal)
    case string(String)
    case data([UInt8])
    case date(ArchiveDate)
    case array([ArchiveValue])
    case dictionary(ArchiveFields)
    /// A number that names another object of a keyed archive: by those of the archive where it is
    /// looked at as a raw tree, else by those of the tree, see ``ClassName/objectNumber``.
    case reference(UInt32)
    /// A value that the archive says is of this class, where a plain value of its kind would not say so: an `NSMutableArray`, an `NSUUID`, a
    /// `SimpleCharacter`. What it says is below.
    indirect case tagged(ClassName, ArchiveValue)
}

extension ArchiveValue: Equatable {
    /// Whether both say the same. The order of a dictionary's keys does not matter; the kind of a number does, and the bytes of a text.
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
