package import Household
import SecureArchive
import Vocabulary

/// The body of a request that concerns another machine: the same for invitations, messages, files and streams.
package struct CallBody: JSONShape {
    /// The machine: its name, the beginning of its ID, or HOST:PORT.
    package var peer: String
    package var pairing: Call.PairingTerms
    /// The seconds to look for the machine and to connect.
    package var wait: Double?
    /// The seconds for the answer of its user, or for an interruption in between.
    package var patience: Double?
    /// The name of the session.
    package var session: String?
    /// True to stay in the session.
    package var stay = false
    /// The text of a message.
    package var text: String?
    /// The bytes of a message that is not text, in base64.
    package var base64: String?
    /// The absolute paths of the files to send.
    package var paths: [String]?
    /// Further receivers.
    package var also: [String]?
    /// True to leave out entries of a folder that can't be sent.
    package var leaveOut = false
    /// The name of the stream.
    package var name: String?

    package init(to peer: String, _ pairing: Call.PairingTerms, wait: Duration) {
        self.peer = peer
        self.pairing = pairing
        self.wait = wait / .seconds(1)
    }

    /// - Parameter further: the additional keys of this route
    init(_ call: RouteCall, _ further: String...) throws {
        let fields = try call.fields(["peer", "without-code", "once", "wait"] + further)
        self = try RouteCall.asked { try CallBody(fields) }
        // Both are checked even if the route never waits.
        _ = (try waiting(), try answerPatience())
    }

    private init(_ fields: JSONFields) throws {
        guard let peer = try fields.text("peer") else { throw HouseholdError.badRequest("“peer” is missing") }
        self.peer = peer
        pairing = Call.PairingTerms(
            takesKey: try fields.flag("without-code") ?? false,
            isForOnce: try fields.flag("once") ?? false
        )
        (wait, patience) = (try fields.number("wait"), try fields.number("patience"))
        (session, stay) = (try fields.text("session"), try fields.flag("stay") ?? false)
        (text, base64) = (try fields.text("text"), try fields.text("base64"))
        (paths, also) = (try fields.texts("paths"), try fields.texts("also"))
        leaveOut = try fields.flag("leave-out") ?? false
        name = try fields.text("name")
    }

    package var fields: JSONFields {
        var fields = JSONFields()
        fields.set("peer", peer)
        if pairing.takesKey { fields.set("without-code", true) }
        fields.set("once", pairing.isForOnce)
        fields.set("wait", seconds: wait)
        fields.set("patience", seconds: patience)
        fields.set("session", session)
        if stay { fields.set("stay", true) }
        fields.set("text", text)
        fields.set("base64", base64)
        fields.set("paths", paths)
        fields.set("also", also)
        fields.set("name", name)
        if leaveOut { fields.set("leave-out", true) }
        return fields
    }

    /// Sets the bytes of a message.
    package mutating func carry(_ bytes: [UInt8]) {
        text = String(validating: bytes, as: UTF8.self)
        if text == nil { base64 = String(decoding: Base64.encode(bytes[...]), as: UTF8.self) }
    }
}

extension CallBody {
    private static let longestWait = 86_400.0

    func message() throws -> [UInt8] {
        switch (text, base64) {
        case (let text?, nil): return Array(text.utf8)
        case (nil, let base64?):
            guard let bytes = Base64.decode(base64.utf8) else {
                throw HouseholdError.badRequest("“base64” is not valid base64")
            }
            return bytes
        default: throw HouseholdError.badRequest("a message has “text” or “base64”")
        }
    }

    func waiting() throws -> Duration { try Self.seconds(wait, "wait") ?? .seconds(5) }

    func answerPatience() throws -> Duration? { try Self.seconds(patience, "patience") }

    func sessionName(else usual: StaticString) throws -> Label {
        do {
            return try Label(session ?? usual.description)
        } catch {
            throw HouseholdError.badRequest("“session” is not a valid name: \(error.message)")
        }
    }

    func streamName() throws -> Label { try Self.streamName(name) }

    static func streamName(_ text: String?) throws -> Label {
        do {
            return try Label(text ?? "pipe")
        } catch {
            throw HouseholdError.badRequest("“name” is not a valid stream name: \(error.message)")
        }
    }

    private static func seconds(_ number: Double?, _ name: String) throws -> Duration? {
        guard let number else { return nil }
        guard number >= 0, number <= longestWait else {
            throw HouseholdError.badRequest("“\(name)” is a number of seconds, up to a day")
        }
        return .seconds(number)
    }
}
