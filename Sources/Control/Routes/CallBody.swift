package import Household
import SecureArchive
import Vocabulary

/// What is said to go to a peer: the same for inviting, messages and files.
package struct CallBody: JSONShape {
    /// A name, the beginning of an id, or HOST:PORT.
    package var peer: String
    package var meeting: Call.Meeting
    /// For how many seconds to look for it and to try to reach it.
    package var wait: Double?
    /// How many seconds the person there may take, or the peer may be away in the middle.
    package var patience: Double?
    /// What the other side is invited to.
    package var session: String?
    /// To go on listening.
    package var stay = false
    /// A message.
    package var text: String?
    /// A message that is no text.
    package var base64: String?
    /// What to send, by whole paths.
    package var paths: [String]?
    /// Who gets it as well.
    package var also: [String]?
    /// To leave out what of a folder can't be sent.
    package var leaveOut = false
    /// What a stream is called.
    package var name: String?

    package init(to peer: String, _ meeting: Call.Meeting, wait: Duration) {
        self.peer = peer
        self.meeting = meeting
        self.wait = wait / .seconds(1)
    }

    /// - Parameter further: the keys that are understood there, beside those that each call has
    init(_ call: RouteCall, _ further: String...) throws {
        let fields = try call.fields(["peer", "without-code", "once", "wait"] + further)
        self = try RouteCall.asked { try CallBody(fields) }
        // Also where nothing waits for so long.
        _ = (try waiting(), try personsPatience())
    }

    private init(_ fields: JSONFields) throws {
        guard let peer = try fields.text("peer") else { throw HouseholdError.badRequest("“peer” is missing") }
        self.peer = peer
        meeting = Call.Meeting(
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
        if meeting.takesKey { fields.set("without-code", true) }
        fields.set("once", meeting.isForOnce)
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

    /// The bytes of a message.
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
            guard let bytes = Base64.decode(base64.utf8) else { throw HouseholdError.badRequest("“base64” is none") }
            return bytes
        default: throw HouseholdError.badRequest("a message has “text” or “base64”")
        }
    }

    func waiting() throws -> Duration { try Self.seconds(wait, "wait") ?? .seconds(5) }

    func personsPatience() throws -> Duration? { try Self.seconds(patience, "patience") }

    func sessionName(else usual: StaticString) throws -> Label {
        do {
            return try Label(session ?? usual.description)
        } catch {
            throw HouseholdError.badRequest("“session” is no name for one: \(error.message)")
        }
    }

    func streamName() throws -> Label { try Self.streamName(name) }

    static func streamName(_ text: String?) throws -> Label {
        do {
            return try Label(text ?? "pipe")
        } catch {
            throw HouseholdError.badRequest("“name” is no name for a stream: \(error.message)")
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
