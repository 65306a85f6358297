public import Foundation
public import SecureArchive

/// Makes a tree from values of any `Encodable` type, as ``ArchiveDecoder`` reads it.
///
/// Keys stand in the order in which the type names them. Numbers keep their kind. What a tree can't
/// say (a date beyond the
/// year 9999) is an `EncodingError` with the path of coding keys and our words.
public struct ArchiveEncoder: Sendable {
    /// How dates are said.
    public var dates = DateSpelling.native
    /// How bytes are said.
    public var data = DataSpelling.native
    /// How deep values may lie in each other. Never more than 100, so that a thread with a small stack survives it.
    public var depth = ArchiveLimits().depth
    /// Handed to the types that are encoded.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Native dates and data.
    public init() {}

    /// The tree that says the value, or an `EncodingError`.
    public func tree<Value: Encodable>(of value: Value) throws -> ArchiveValue {
        try EncodingRun(self).encode(value, at: nil)
    }

    /// The archive that says the value in a format. What the format has no words for is refused with its place: choose a spelling for dates and data
    /// where that is JSON.
    public func encode<Value: Encodable>(_ value: Value, as format: ArchiveFormat) throws -> Data {
        Data(try Archive.write(tree(of: value), as: format))
    }
}
