public import SessionRules
import Transport
public import Vocabulary

/// An error of an operation with a peer.
public struct SessionError: ExplainedError, Equatable {
    /// A stable word, such as `session.declined`.
    public let code: ErrorCode
    /// The failure.
    public let message: String
    /// The hint.
    public let nextStep: String
    /// The reason why the peer is not connected, if that is the cause.
    public let reason: PartingReason?

    init(_ code: ErrorCode, _ message: String, nextStep: String, reason: PartingReason? = nil) {
        // The class follows from the reason, no matter in which operation it occurred.
        self.code = reason.map { code.classed($0.words.code.errorClass) } ?? code
        self.message = message
        self.nextStep = nextStep
        self.reason = reason
    }

    /// Explains why a peer is not connected.
    public init(_ reason: PartingReason) {
        let words = reason.words
        self.init(words.code, words.message, nextStep: words.nextStep, reason: reason)
    }

    /// Explains why an invitation failed.
    ///
    /// - Parameter missing: the missing word, if time ran out
    public init(_ reason: PartingReason, missing: MissingWord?) {
        guard reason == .timedOut, let words = missing?.words else {
            self.init(reason)
            return
        }
        self.init(ErrorCode(.timedOut, "session.timed-out"), words.message, nextStep: words.nextStep, reason: reason)
    }

    /// The same error after a code was shown here. An error of the connection loses its reason, so that no caller
    /// retries by itself. Otherwise a machine in the middle could get a new code after each cut, and guess any number
    /// of times.
    var afterCode: SessionError {
        switch reason {
        case .lost, .replaced, .left, .shuttingDown, .unreachable:
            SessionError(
                ErrorCode(.interrupted, "session.code-spent"),
                "the first meeting ended: \(message)",
                nextStep: "invite again, which shows a new code"
            )
        default: self
        }
    }

    /// The same error with words that name the peer.
    public func worded(_ message: String, nextStep: String? = nil) -> SessionError {
        SessionError(code, message, nextStep: nextStep ?? self.nextStep, reason: reason)
    }

    /// A sentence about a reason, for users.
    public static func explanation(_ reason: PartingReason) -> String { reason.words.message }

    /// Explains that a program other than Huddle answered; nil for any other error.
    init?(strangeAnswer error: any Error) {
        switch error {
        case let error as ChannelError where error.code == "channel.not-a-peer" || error == .badCertificate:
            self.init(
                ErrorCode(.offline, "session.not-huddle"),
                error.message,
                nextStep: "give the address and the port that `huddle status` prints over there"
            )
        default: return nil
        }
    }

    static let notInSession = SessionError(
        "session.not-connected",
        "that peer is not in the session",
        nextStep: "invite it first"
    )
    static let messageTooLarge = SessionError(
        "session.message-too-large",
        "a message has at most 1 MiB",
        nextStep: "send it as a file, or through a stream"
    )
    static func notListening(_ error: any Error) -> SessionError {
        SessionError("session.not-listening", "no connection can be taken: \(error)", nextStep: "restart huddle")
    }
    static let notRunning = SessionError(
        "session.not-running",
        "this node is not running",
        nextStep: "call run() first, or restart the program"
    )
    static let noAddress = SessionError(
        ErrorCode(.offline, "session.no-address"),
        "no address of that peer is known",
        nextStep: "see whether it is on and on the same network, or give its address as host:port",
        reason: .unreachable
    )
    /// An error: the user accepted without the code that the inviter needs.
    public static let codeWanted = SessionError(
        "session.code-wanted",
        "the machine there waits for its code, so a yes without it is not enough",
        nextStep: "type the six digits that it shows, or have it invite this machine with --yes and this machine's id"
    )
    static let ownKey = SessionError(
        "session.own-key",
        "that is this machine itself",
        nextStep: "choose another peer"
    )
}

extension MissingWord {
    fileprivate var words: (message: String, nextStep: String) {
        switch self {
        case .machineThere:
            (
                "the machine there did not answer in time",
                "see with `huddle doctor` whether the way there is free, then invite again"
            )
        case .answerThere:
            ("no one there answered in time", "ask the person there to be ready, then try again")
        case .answerHere:
            ("no one here answered in time", "be ready to answer here, and have them invite again")
        case .codeHere:
            (
                "the code of the other machine was not typed here in time",
                "have them invite again, and type the code that the other machine shows"
            )
        case .codeThere:
            (
                "the code was not typed on the other machine in time",
                "invite again, and type the code there: `huddle accept` asks for it"
            )
        }
    }
}

extension PartingReason {
    fileprivate var words: (code: ErrorCode, message: String, nextStep: String) {
        switch self {
        case .declined:
            (
                ErrorCode(.declined, "session.declined"), "the other side declined",
                "ask the person there, then invite again"
            )
        case .blocked:
            (
                ErrorCode(.blocked, "session.blocked"), "this machine blocks that peer",
                "unblock it with `huddle unblock` first"
            )
        case .timedOut:
            (
                ErrorCode(.timedOut, "session.timed-out"), "no answer came in time",
                "ask the person there to be ready, then try again"
            )
        case .unreachable:
            (
                ErrorCode(.offline, "session.unreachable"), "no connection could be made",
                "see whether the other machine is on and huddle runs there; `huddle browse` shows who is seen"
            )
        case .wrongVersion:
            (
                ErrorCode(.incompatible, "session.wrong-version"), "the two speak no common version",
                "update huddle on both machines"
            )
        case .keyChanged:
            (
                ErrorCode(.keyChanged, "session.key-changed"), "a known peer has come with another key",
                "if that machine was reinstalled, forget its old key and accept the new one; else another machine may "
                    + "pretend to be it"
            )
        case .full:
            (ErrorCode(.busy, "session.full"), "there is no room for another peer", "let another peer leave first")
        case .left: (ErrorCode(.interrupted, "session.left"), "the peer has left", "invite it again")
        case .shuttingDown:
            (
                ErrorCode(.interrupted, "session.shutting-down"), "the program there is stopping",
                "try again when it runs"
            )
        case .lost:
            (
                ErrorCode(.interrupted, "session.lost"), "the connection broke and did not come back",
                "invite it again when it is back"
            )
        case .brokeProtocol:
            (
                ErrorCode(.incompatible, "session.broke-protocol"),
                "the other side said what the protocol does not allow",
                "update huddle on both machines; if it happens again, report it"
            )
        case .wrongCode:
            (
                ErrorCode(.wrongCode, "session.wrong-code"), "the code was mistyped, or another machine is in between",
                "invite again, which shows a new code; if that fails too, compare the ids that `huddle status` shows"
            )
        case .lockedOut:
            (
                ErrorCode(.lockedOut, "session.locked-out"), "there were too many wrong codes",
                "wait a while, then invite again"
            )
        case .withdrawn:
            (ErrorCode(.declined, "session.withdrawn"), "the invitation was taken back", "invite again if it is wanted")
        case .replaced:
            (
                ErrorCode(.interrupted, "session.replaced"), "another connection took its place",
                "nothing needs to be done"
            )
        case .notPermitted:
            (
                ErrorCode(.notPermitted, "session.not-permitted"), "the other side does not permit that",
                "ask the person there for the permission"
            )
        case .forgotten:
            (
                ErrorCode(.interrupted, "session.forgotten"), "this machine has forgotten that peer",
                "meet it again, with a new code"
            )
        }
    }
}
