public import Foundation
public import SecureArchive

/// An encoder of values of any `Encodable` type into a tree, for ``ArchiveDecoder``.
///
/// Keys keep the order in which the type names them. Numbers keep their kind. A value that a tree can't contain (a date
/// after the year 9999) is an `EncodingError` with the path of coding keys and a message of this module.
public struct ArchiveEncoder: Sendable {
    /// The spelling of dates.
    public var dates = DateSpelling.native
    /// The spelling of bytes.
    public var data = DataSpelling.native
    /// The depth limit for values within each other. It is never more than 100, so that a thread with a small stack
    /// survives.
    public var depth = ArchiveLimits().depth
    /// Values for the types that are encoded.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// An encoder with native dates and data.
    public init() {}

    /// The tree of a value, or an `EncodingError`.
    public func tree<Value: Encodable>(of value: Value) throws -> ArchiveValue {
        try EncodingRun(self).encode(value, at: nil)
    }

    /// The archive of a value in a format. A value that the format has no word for is refused with its place; for JSON,
    /// choose a spelling for dates and data.
    public func encode<Value: Encodable>(_ value: Value, as format: ArchiveFormat) throws -> Data {
        Data(try Archive.write(tree(of: value), as: format))
    }
}
