public import Foundation
public import SecureArchive

/// A decoder for values of any `Decodable` type from a tree.
///
/// It is stricter than Foundation's decoders: a number must fit into its type and be of its kind, the depth is limited,
/// and keys that the type does not name can be refused. A fault is a `DecodingError` with the path of coding keys, a
/// message of this module, and an ``SecureArchive/ArchiveError`` as the cause.
///
/// ```swift
/// var decoder = ArchiveDecoder()
/// decoder.unknownKeys = .refuse
/// let settings = try decoder.decode(Settings.self, from: tree)
/// ```
///
/// Names of classes are ignored: a `.tagged` value is decoded from its content.
public struct ArchiveDecoder: Sendable {
    /// The spelling of dates, besides native dates.
    public var dates = DateSpelling.native
    /// The spelling of data, besides native data.
    public var data = DataSpelling.native
    /// The handling of keys that the type does not name.
    public var unknownKeys = UnknownKeys.ignore
    /// The depth limit for values within each other. It is never more than 100, so that a thread with a small stack
    /// survives.
    public var depth = ArchiveLimits().depth
    /// Values for the types that are decoded.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// A decoder for native dates and data that ignores unknown keys.
    public init() {}

    /// The value of a tree, or a `DecodingError`.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from tree: ArchiveValue) throws -> Value {
        try DecodingRun(self).decode(type, from: tree, at: nil)
    }

    /// The value of an archive in any format. A fault of the archive itself is an ``SecureArchive/ArchiveError``.
    /// - Parameters:
    ///   - type: the type of the value
    ///   - archive: the archive, perhaps from a stranger
    ///   - format: the format; nil finds it out from the bytes
    ///   - schema: the classes that a keyed archive may have
    ///   - limits: the limits for reading
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        from archive: Data,
        as format: ArchiveFormat? = nil,
        schema: ArchiveSchema = .values,
        limits: ArchiveLimits = ArchiveLimits()
    ) throws -> Value {
        let read = try Archive.read([UInt8](archive), as: format, schema: schema, limits: limits)
        return try decode(type, from: read.value)
    }
}
