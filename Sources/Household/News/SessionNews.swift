import Ledger
import SecureArchive
import Session
import Vocabulary

/// Something that happened among peers, or that somebody asked for: a sentence for people, an object for programs. `docs/json-output.md`
/// describes the objects.
package struct SessionNews: Sendable {
    package let event: String
    /// The line itself, if it has a type; the properties below are empty then.
    package private(set) var payload: DaemonEvent?
    package var peer: PeerTag?
    package var session: String?
    package var invitation: String?
    package var name: String?
    /// What this machine shows, for a person to type at the other.
    package var code: String?
    /// Whether a person has to type the code that the other machine shows.
    package var needsCode: Bool?
    package var reason: String?
    package var because: String?
    /// The class of an error, as ``ErrorClass`` writes it.
    package var errorClass: String?
    package var message: String?
    package var next: String?
    package var text: String?
    package var base64: String?
    package var path: String?
    package var kind: String?
    package var port: UInt16?
    package var bytes: UInt64?
    package var total: UInt64?
    package var number: Int64?
    /// Tells apart what is under way at once.
    package var transfer: Int?
    package var time: Int64?
    package var isNew: Bool?
    package var allows: [String]?
    package var details: [String: String]?
    package var counts: [String: Int]?
    package var version: String?
    /// A save set, by its id.
    package var set: String?
    /// A version of one, by its id.
    package var snapshot: String?
    package var state: String?
    package var heads: [String]?
    package var sharers: [String]?
    /// Paths of files of a version.
    package var files: [String]?

    /// What people read, fit to print; nil where it is of no use to them.
    package var sentence: String?
    /// Whether that sentence is about something that went wrong.
    package var isTrouble: Bool?

    package init(
        _ event: String,
        _ peer: PeerTag? = nil,
        _ sentence: String?,
        _ fill: (inout SessionNews) -> Void = { _ in }
    ) {
        self.event = event
        self.peer = peer
        self.sentence = sentence
        fill(&self)
    }

    /// A line that has a type, and its sentence for people.
    package init(_ payload: DaemonEvent, _ sentence: String?) {
        self.init(payload.name, nil, sentence)
        self.payload = payload
    }

    /// How the daemon is, if this line says it.
    package var statusInfo: StatusInfo? {
        guard case .status(let status) = payload else { return nil }
        return status
    }

    /// The shared game that this line describes.
    package var gameInfo: GameInfo? {
        guard case .game(let game) = payload else { return nil }
        return game
    }

    /// The offered game that this line describes.
    package var offerInfo: OfferInfo? {
        guard case .offer(let offer) = payload else { return nil }
        return offer
    }

    /// The version that this line describes.
    package var versionInfo: VersionInfo? {
        guard case .version(let version) = payload else { return nil }
        return version
    }

    /// The machine that this line describes.
    package var machineInfo: MachineInfo? {
        guard case .machine(let machine) = payload else { return nil }
        return machine
    }

    /// What went wrong and ends nothing.
    package static func trouble(_ sentence: String) -> SessionNews {
        SessionNews("trouble", nil, sentence) { $0.isTrouble = true }
    }

    /// What programs are told; the sentence is for people.
    package var forPrograms: SessionNews {
        var news = self
        (news.sentence, news.isTrouble) = (nil, nil)
        return news
    }

    /// Roughly how much memory it takes while it waits for a reader.
    var weight: Int {
        200 + (sentence?.utf8.count ?? 0) + (text?.utf8.count ?? 0) + (base64?.utf8.count ?? 0)
            + (message?.utf8.count ?? 0)
    }
}

extension SessionNews {
    /// A message that came.
    package static func message(_ bytes: [UInt8], from peer: PeerTag) -> SessionNews {
        SessionNews("message", peer, SessionWording.message(bytes, from: peer)) { $0.carry(bytes) }
    }

    /// The bytes of a message, as text where they are some.
    package mutating func carry(_ bytes: [UInt8]) {
        text = String(validating: bytes, as: UTF8.self)
        if text == nil { base64 = String(decoding: Base64.encode(bytes[...]), as: UTF8.self) }
    }

    /// What was asked for could not be done.
    package static func failed(_ error: any Error) -> SessionNews {
        let fault = PassedOnError(error)
        return SessionNews("failed", nil, fault.message) { news in
            news.blame(fault)
            news.isTrouble = true
        }
    }

    /// What was asked for is done.
    ///
    /// - Parameter failure: what went wrong with a part of it, and was told already
    package static func done(_ failure: (any Error)? = nil) -> SessionNews {
        SessionNews("done", nil, nil) { news in
            if let failure { news.blame(PassedOnError(failure)) }
        }
    }

    /// Says what was wrong.
    package mutating func blame(_ fault: PassedOnError) {
        (reason, because, message, next) = (fault.word, fault.because?.word, fault.message, fault.nextStep)
        errorClass = fault.errorClass.rawValue
    }
}
