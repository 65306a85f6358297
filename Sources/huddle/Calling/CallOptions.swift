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
        help: "at a first meeting take the code as compared; for networks where nobody can be in between"
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
    /// - Parameter inputIsTaken: standard input carries something else
    init(_ given: GivenValues, inputIsTaken: Bool = false) {
        let answer: Call.CodeAnswer =
            if given[CallOptions.yes] {
                .yes
            } else if !inputIsTaken, given[CallOptions.input] || Terminal.isInForeground {
                .person
            } else {
                .nobody
            }
        self.init(answer, isForOnce: given[CallOptions.once])
    }
}

extension CallBody {
    init(_ given: GivenValues, inputIsTaken: Bool = false) {
        self.init(
            to: given[CallOptions.peer],
            Call.Meeting(given, inputIsTaken: inputIsTaken),
            wait: given[CallOptions.wait]
        )
    }

    /// Whether the person here is asked.
    var asks: Bool { meeting.answer == .person }
}
