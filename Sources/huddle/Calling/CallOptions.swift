import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// The options of the commands that call another machine.
enum CallOptions {
    static let yes = Flag(
        "yes",
        short: "y",
        help:
            "trust the key with this id, without a code; nothing proves then that the machine is the right one"
    )
    static let input = Flag("stdin", help: "read answers from standard input, also if it is no terminal")
    static let once = Flag(
        "once",
        help: "trust a new machine this time only; the next time it is a question again"
    )
    static let wait = Option(
        "wait",
        .duration,
        default: .seconds(5),
        help: "how long to look for the machine and to try to reach it"
    )

    /// The options for pairing with a new machine.
    static let pairing: [any DeclaredOption] = [yes, input, once, wait]

    static let peer = Argument("PEER", .text.named("PEER"), help: "its name, the beginning of its id, or HOST:PORT")
}

extension Call.PairingTerms {
    init(_ given: GivenValues) {
        self.init(takesKey: given[CallOptions.yes], isForOnce: given[CallOptions.once])
    }
}

extension CallBody {
    init(_ given: GivenValues) {
        self.init(to: given[CallOptions.peer], Call.PairingTerms(given), wait: given[CallOptions.wait])
    }
}

extension CallOptions {
    /// Returns true if the command can ask the user at this terminal.
    ///
    /// - Parameter inputIsTaken: true if standard input carries data
    static func canAsk(_ given: GivenValues, inputIsTaken: Bool = false) -> Bool {
        !inputIsTaken && (given[input] || Terminal.isInForeground)
    }
}
