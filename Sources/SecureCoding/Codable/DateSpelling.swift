/// How a date is said in a tree.
///
/// A native date is read whatever was chosen; the other spellings are for formats without dates, such as JSON, where a number or a text means a
/// date only to those who were told so.
public enum DateSpelling: Sendable, Hashable {
    /// As a date of the tree. JSON refuses it.
    case native
    /// As a number of seconds since the beginning of 1970.
    case secondsSince1970
    /// As a number of milliseconds since the beginning of 1970.
    case millisecondsSince1970
    /// As text such as `2026-11-21T09:30:00Z`, to the millisecond.
    case iso8601
}

/// How bytes are said in a tree. Native data is read whatever was chosen.
public enum DataSpelling: Sendable, Hashable {
    /// As data of the tree. JSON refuses it.
    case native
    /// As text in Base64.
    case base64
}

/// What becomes of keys that the type to be decoded does not name.
public enum UnknownKeys: Sendable, Hashable {
    /// They are passed over.
    case ignore
    /// The first one is an error.
    case refuse
}
