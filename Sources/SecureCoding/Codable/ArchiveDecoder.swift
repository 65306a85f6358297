public import Foundation
public import SecureArchive

/// Makes values of any `Decodable` type from a tree.
///
/// It is strict where Foundation's decoders look away: a number has to fit into its type and to be of its kind, nothing lies deeper than the
/// limit, and keys that the type does not name can be refused. What is wrong is a `DecodingError` with the path of coding keys, our words, and an
/// ``SecureArchive/ArchiveError`` beneath it.
///
/// ```swift
/// var decoder = ArchiveDecoder()
/// decoder.unknownKeys = .refuse
/// let settings = try decoder.decode(Settings.self, from: tree)
/// ```
///
/// The names of classes are passed over: a `.tagged` value is decoded from what it holds.
public struct ArchiveDecoder: Sendable {
    /// What else than a native date is a date.
    public var dates = DateSpelling.native
    /// What else than native data is data.
    public var data = DataSpelling.native
    /// What becomes of keys that the type does not name.
    public var unknownKeys = UnknownKeys.ignore
    /// How deep values may lie in each other. Never more than 100, so that a thread with a small stack survives it.
    public var depth = ArchiveLimits().depth
    /// Handed to the types that are decoded.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Native dates and data, unknown keys passed over.
    public init() {}

    /// The value that the tree says, or a `DecodingError`.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from tree: ArchiveValue) throws -> Value {
        try DecodingRun(self).decode(type, from: tree, at: nil)
    }

    /// The value that an archive of any format says. What is wrong with the archive itself is an ``SecureArchive/ArchiveError``.
    /// - Parameters:
    ///   - type: what to make of it
    ///   - archive: what may be a stranger's
    ///   - format: what it is to be read as; nil to find out from the bytes
    ///   - schema: which classes a keyed archive may have
    ///   - limits: how much of it is read
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
