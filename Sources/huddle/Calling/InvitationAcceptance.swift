import CommandTable
import Control
import Glibc
import Household
import LinuxPlatform
import SessionRules
import Vocabulary

/// Accepts the invitation of a peer that waits, and follows it to its outcome.
@Engine
struct InvitationAcceptance {
    /// The user's choices on the command line.
    struct Choice: Sendable {
        /// The machine, as the user typed it.
        var peer: String
        /// The parts of the code; empty to ask the user for it.
        var code: [String] = []
        /// True to trust the machine without a code. The user must then type its ID.
        var isWithoutCode = false
        /// True to trust the machine this time only.
        var isForOnce = false
    }

    private let daemon: ControlConnection
    private let choice: Choice
    private let socket: String
    private let report: SessionReport

    /// The time to wait for another invitation of the same machine after a wrong code.
    private static let newCodePatience: Duration = .seconds(120)

    /// - Parameter socket: the path of the daemon's socket
    init(at daemon: ControlConnection, _ socket: String, _ choice: Choice, _ report: SessionReport) {
        (self.daemon, self.socket, self.choice, self.report) = (daemon, socket, choice, report)
    }

    func run() async throws -> ExitCode {
        let waiting = try await WaitingPeer(choice.peer, at: daemon)
        do {
            return try await accept(waiting, choice.code)
        } catch let error as PassedOnError where error.because == .wrongCode {
            guard report.isForUser, Terminal.isInForeground else { throw error }
            let tag = waiting.peer
            await report.complain("\(error.message); waiting for another code of \(tag): say y there, or invite again")
        }
        return try await accept(try await next(after: waiting), [])
    }

    /// Waits for the next invitation of the same machine.
    private func next(after waiting: WaitingPeer) async throws -> WaitingPeer {
        let (daemon, socket) = (daemon, socket)
        do {
            return try await EventLoop.shared.withDeadline(Self.newCodePatience, "invite") {
                let events = try await daemon.events(Endpoint.events.request())
                while let line = try await events.next() {
                    guard let next = WaitingPeer(line), next.peer.id == waiting.peer.id else { continue }
                    if next.invitation != waiting.invitation { return next }
                }
                throw NoDaemon(at: socket)
            }
        } catch let error as SystemError where error.number == ETIMEDOUT {
            throw CommandError(
                ErrorCode(.timedOut, "command.no-new-code"),
                "\(waiting.peer) has shown no other code in time",
                nextStep: "have it invite again, then run `huddle accept` again"
            )
        }
    }

    // MARK: One invitation

    private struct Typed: Sendable {
        var digits: String?
        var isForOnce: Bool
    }

    private enum Step: Sendable {
        /// The daemon has received the user's answer.
        case answered(Typed)
        /// The input has ended without an answer.
        case inputEnded
        case isPaired
    }

    private func accept(_ waiting: WaitingPeer, _ parts: [String]) async throws -> ExitCode {
        let outcome = try await daemon.events(Endpoint.followInvitation.request(waiting.invitation))
        // After the first line the daemon reports each change of the invitation, so this misses none.
        _ = try await outcome.next()
        let typed = try await withThrowingTaskGroup(of: Step.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await answer(waiting, parts) }
            group.addTask { try await follow(outcome) }
            var typed: Typed?
            do {
                while let step = try await group.next() {
                    switch step {
                    case .answered(let given): typed = given
                    case .inputEnded: return Typed?.none
                    case .isPaired:
                        guard let typed else { throw CommandError.answeredElsewhere }
                        return typed
                    }
                }
            } catch {
                // A code that the user types after the end would have no effect, so the question is taken back.
                if typed == nil { try await report.ask(nil) }
                throw error
            }
            return typed
        }
        guard let typed else { return .interrupted }
        let what = waiting.needsCode ? "Paired with" : "Connected to"
        let note = typed.isForOnce ? "; each time it connects you are asked" : ""
        try await report.tell(DaemonLine(.accepted(AcceptedEvent(waiting.peer)), "\(what) \(waiting.peer.full)\(note)"))
        return .success
    }

    private func follow(_ outcome: ResponseEvents) async throws -> Step {
        while let line = try await outcome.next() {
            if case .accepted = line.event { return .isPaired }
            try await report.tell(line)
        }
        throw CommandError.answeredElsewhere
    }

    private func answer(_ waiting: WaitingPeer, _ parts: [String]) async throws -> Step {
        guard var typed = try await typed(waiting, parts) else { return .inputEnded }
        if choice.isForOnce { typed.isForOnce = true }
        let body = AnswerBody(answer: "accept", code: typed.digits, always: typed.isForOnce ? nil : true)
        try await daemon.perform(Endpoint.answerInvitation.request(waiting.invitation, saying: body))
        return .answered(typed)
    }

    /// The code or answer of the user; nil if the input ends.
    private func typed(_ waiting: WaitingPeer, _ parts: [String]) async throws -> Typed? {
        let name = choice.peer
        guard waiting.needsCode else { return Typed(isForOnce: false) }
        if let code = try Self.wholeCode(parts) { return Typed(digits: code.digits, isForOnce: false) }
        if choice.isWithoutCode {
            guard PeerWords.name(name, keyOf: waiting.peer.id) else { throw HouseholdError.idNeeded(name) }
            return Typed(isForOnce: false)
        }
        guard Terminal.isInForeground else { throw HouseholdError.codeNeeded(from: name) }
        return try await ask(of: waiting.peer)
    }

    private static func wholeCode(_ parts: [String]) throws -> PairingCode? {
        guard !parts.isEmpty else { return nil }
        guard let code = PairingCode(typed: parts.joined()) else {
            throw CommandError(
                "command.no-code",
                "“\(PrintableText(parts.joined(separator: " "), limit: 80))” is not a code, which has six digits",
                nextStep: "copy all six digits from the other machine"
            )
        }
        return code
    }

    private func ask(of peer: PeerTag) async throws -> Typed? {
        var lines = TypedLines()
        while true {
            try await report.ask("Type the code that \(peer.full) shows, or [n]o: ")
            guard let line = try await lines.next() else { return nil }
            await report.wasAnswered()
            switch UserAnswer(line) {
            case .code(let code, let isForOnce): return Typed(digits: code.digits, isForOnce: isForOnce)
            case .no, .block: throw CommandError.unanswered
            case .yes, .once, .unclear: await report.complain(UserAnswer.noCode(line))
            }
        }
    }
}

extension CommandError {
    fileprivate static let unanswered = CommandError(
        "command.no-code",
        "no answer was given, so the machine still waits",
        nextStep: "decline it with `huddle decline`, or run `huddle block`: then this machine never answers it"
    )
    fileprivate static let answeredElsewhere = CommandError(
        "command.answered-elsewhere",
        "the invitation is over: it was answered elsewhere, or ended just now",
        nextStep: "run `huddle peers` to see whether the machine is paired"
    )
}
