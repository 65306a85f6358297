public import Foundation
import SecureArchive
import SecureCoding
import Vocabulary

/// Converts objects to messages and back, with this project's own readers. Data of a peer can't end the program, and
/// only classes that the code names are created.
///
/// Use it in place of `NSKeyedArchiver`, `NSKeyedUnarchiver`, `JSONDecoder` and similar types. On Linux, a few hundred
/// bytes can end a program through those.
public enum MCObjects {
    /// A value as a binary property list.
    public static func encode<Value: Encodable>(_ value: Value) throws -> Data {
        try explained { try ArchiveEncoder().encode(value, as: .binaryPropertyList) }
    }

    /// A value from data that is a property list or JSON.
    public static func decode<Value: Decodable>(_ type: Value.Type = Value.self, from data: Data) throws -> Value {
        try explained { try ArchiveDecoder().decode(type, from: data) }
    }

    /// An object as a keyed archive, as Apple's programs write and read it.
    public static func archive(_ object: some NSObject & NSSecureCoding) throws -> Data {
        try explained { try SecureArchiver.archivedData(withRootObject: object, requiringSecureCoding: true) }
    }

    /// An object of exactly this class from a keyed archive.
    public static func unarchive<Object: NSObject & NSSecureCoding>(
        _ type: Object.Type = Object.self,
        from data: Data
    ) throws -> Object {
        try explained {
            guard let object = try SecureUnarchiver.unarchivedObject(ofClass: type, from: data) else { throw nothing }
            return object
        }
    }

    /// An object of one of these classes from a keyed archive; collections contain only these classes, too.
    public static func unarchive(ofClasses types: [AnyClass], from data: Data) throws -> Any {
        try explained {
            let object = try SecureUnarchiver.unarchivedObject(ofClasses: types, from: data)
            guard let object else { throw nothing }
            return object
        }
    }

    private static let nothing = MCError(.invalidParameter, "the archive is empty")

    /// Converts an error of the readers to one that is an `NSError`, too.
    private static func explained<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as ArchiveError {
            throw MCError(.invalidParameter, error.description)
        }
    }
}

extension MCSession {
    /// Sends a value; read it with ``MCObjects/decode(_:from:)``.
    public func send(
        encoding value: some Encodable,
        toPeers peerIDs: [MCPeerID],
        with mode: MCSessionSendDataMode = .reliable
    ) throws {
        try send(MCObjects.encode(value), toPeers: peerIDs, with: mode)
    }

    /// Sends an object; read it with ``MCObjects/unarchive(_:from:)``.
    public func send(
        archiving object: some NSObject & NSSecureCoding,
        toPeers peerIDs: [MCPeerID],
        with mode: MCSessionSendDataMode = .reliable
    ) throws {
        try send(MCObjects.archive(object), toPeers: peerIDs, with: mode)
    }
}
