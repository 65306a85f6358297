import Foundation
import SecureArchive
import SecureCoding
import Vocabulary

/// What goes with an invitation, beside the app's own words.
struct Envelope: Codable, Hashable {
    /// Why the inviter comes.
    enum Purpose: String, Codable {
        /// The app over there asks the app here.
        case invitation
        /// A fellow member of the session named both to each other, or the two apps exchanged connection data.
        case introduction
    }

    var purpose: Purpose
    /// The app's service, or the token by which the inviter was introduced.
    var topic: String
    /// What the inviter calls itself.
    var displayName: String
    var encryption: Int
    var showsCertificate: Bool
    /// What the app says beside it.
    var context: Data?

    var preference: MCEncryptionPreference? { MCEncryptionPreference(rawValue: encryption) }

    /// Nil for what was not written by this module.
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

/// What a member says of itself.
struct Profile {
    let displayName: String
    let preference: MCEncryptionPreference
    let showsCertificate: Bool
}

/// Small values as property lists, read by the house's own reader.
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
