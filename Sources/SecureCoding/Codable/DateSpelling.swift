/// The spelling of a date in a tree.
///
/// A native date is always read. The other spellings are for formats without dates, such as JSON; there a number or a
/// text is a date only by agreement.
public enum DateSpelling: Sendable, Hashable {
    /// A date of the tree. JSON refuses it.
    case native
    /// A number of seconds since the beginning of 1970.
    case secondsSince1970
    /// A number of milliseconds since the beginning of 1970.
    case millisecondsSince1970
    /// A text such as `2026-11-21T09:30:00Z`, to the millisecond.
    case iso8601
}

/// The spelling of bytes in a tree. Native data is always read.
public enum DataSpelling: Sendable, Hashable {
    /// Data of the tree. JSON refuses it.
    case native
    /// A text in Base64.
    case base64
}

/// The handling of keys that the decoded type does not name.
public enum UnknownKeys: Sendable, Hashable {
    /// Ignores them.
    case ignore
    /// Refuses the first one.
    case refuse
}
