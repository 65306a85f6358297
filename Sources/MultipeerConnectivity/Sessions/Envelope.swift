import Foundation
import SecureArchive
import SecureCoding
import Vocabulary

/// Data of this module that accompanies an invitation, beside the app's context.
struct Envelope: Codable, Hashable {
    /// Purpose of the invitation.
    enum Purpose: String, Codable {
        /// The app of the inviter invites this peer.
        case invitation
        /// A member of the session introduced both peers, or the two apps exchanged connection data.
        case introduction
    }

    var purpose: Purpose
    /// The service type of the app, or the token of the introduction.
    var topic: String
    /// Display name of the inviter.
    var displayName: String
    var encryption: Int
    var showsCertificate: Bool
    /// The app's context.
    var context: Data?

    var preference: MCEncryptionPreference? { MCEncryptionPreference(rawValue: encryption) }

    /// Nil for data of another program.
    init?(_ bytes: [UInt8]) {
        guard let read = Coding.value(Envelope.self, in: Data(bytes)), MCPeerID.isValid(read.displayName),
            read.preference != nil
        else { return nil }
        self = read
    }

    init(_ purpose: Purpose, _ topic: String, _ profile: Profile, context: Data?) {
        self.purpose = purpose
        self.topic = topic
        displayName = profile.displayName
        encryption = profile.preference.rawValue
        showsCertificate = profile.showsCertificate
        self.context = context
    }

    var bytes: [UInt8] { Array(Coding.data(self)) }
}

/// The data of a member about itself.
struct Profile {
    let displayName: String
    let preference: MCEncryptionPreference
    let showsCertificate: Bool
}

/// Coding of small values as property lists, with this project's own reader.
enum Coding {
    static func value<Value: Decodable>(_ type: Value.Type, in data: Data) -> Value? {
        try? ArchiveDecoder().decode(type, from: data, as: .binaryPropertyList)
    }

    static func data(_ value: some Encodable) -> Data {
        do {
            return try ArchiveEncoder().encode(value, as: .binaryPropertyList)
        } catch {
            preconditionFailure("texts, numbers and bytes can be written: \(error)")
        }
    }
}
