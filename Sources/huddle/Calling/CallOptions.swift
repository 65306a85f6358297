import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// The options of the commands that go to a peer.
enum CallOptions {
    static let yes = Flag(
        "yes",
        short: "y",
        help:
            "take the key with this id without a code; nothing then proves that no other machine has a key with such an id"
    )
    static let input = Flag("stdin", help: "read answers from standard input, also where that is no terminal")
    static let once = Flag(
        "once",
        help: "let a peer that is met now in this time only; the next time it is a question again"
    )
    static let wait = Option(
        "wait",
        .duration,
        default: .seconds(5),
        help: "how long to look for the peer and to try to reach it"
    )

    /// Those that a first meeting needs.
    static let meeting: [any DeclaredOption] = [yes, input, once, wait]

    static let peer = Argument("PEER", .text.named("PEER"), help: "its name, the beginning of its id, or HOST:PORT")
}

extension Call.Meeting {
    init(_ given: GivenValues) {
        self.init(takesKey: given[CallOptions.yes], isForOnce: given[CallOptions.once])
    }
}

extension CallBody {
    init(_ given: GivenValues) {
        self.init(to: given[CallOptions.peer], Call.Meeting(given), wait: given[CallOptions.wait])
    }
}

extension CallOptions {
    /// Whether the person here can be asked.
    ///
    /// - Parameter inputIsTaken: standard input carries something else
    static func asks(_ given: GivenValues, inputIsTaken: Bool = false) -> Bool {
        !inputIsTaken && (given[input] || Terminal.isInForeground)
    }
}
