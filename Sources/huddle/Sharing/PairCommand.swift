import CommandTable
import Control
import Household
import LinuxPlatform
import SessionRules
import Vocabulary

/// `huddle pair`: pair two machines.
enum PairCommand {
    private static let peer = Argument(
        optional: "PEER",
        .text.named("PEER"),
        help: "the other machine (default: the only one nearby)"
    )
    private static let code = Option(
        "code",
        .text.named("CODE"),
        help: "the six digits that the other machine shows (default: asked for)"
    )
    private static let showsCode = Flag("show-code", help: "be the machine that shows the code")
    private static let guest = Flag(
        "guest",
        help: "let it send messages and files after a question, and share no games"
    )
    private static let patience = Option(
        "patience",
        .duration,
        default: .seconds(300),
        help: "how long to wait for the other machine and its user in total"
    )

    static let row = Command<CommandAction>(
        "pair",
        summary: "pair this machine with another one",
        discussion: """
            Run it on both machines. One of them shows a code of six digits, and you type it on the other. From then \
            on they connect without a question, and share the games that you choose. Only a machine with the code can \
            pair: one in between has a single guess, and you see it fail.
            """,
        arguments: [peer],
        options: [guest, showsCode, code, patience] + AskingOptions.all,
        examples: [
            Example("huddle pair", "on both machines"),
            Example("huddle pair Deck", "if several machines are nearby"),
            Example("huddle pair --guest", "with the machine of a friend"),
            Example("huddle pair --show-code", "in a script: it prints the code and waits"),
            Example("huddle pair --code '482 913'", "in a script, on the other machine"),
        ],
        exitCodes: ExitCode.calling,
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        guard given[code] == nil || !given[showsCode] else {
            throw CommandError(
                ErrorCode(.invalid, "command.two-sides"),
                "--show-code and --code are for different machines",
                nextStep: "use --show-code on one machine, and --code on the other"
            )
        }
        if let typed = given[code], PairingCode(typed: typed) == nil {
            throw CommandError(
                "command.no-code",
                "“\(PrintableText(typed, limit: 80))” is not a code, which has six digits",
                nextStep: "copy all six digits from the other machine"
            )
        }
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        let role: Pairing.Role = given[showsCode] ? .shows : given[code].map { .types([$0]) } ?? .either
        let code = try await Daemon.ask(given, console, signals) { daemon in
            let pairing = Pairing(at: daemon, StateFolder.socket(given), report, role, isGuest: given[guest])
            return try await pairing.run(given[peer], within: given[patience])
        }
        return code ?? .interrupted
    }
}

/// Pairs with another machine: looks for it, then shows a code or asks for one.
@Engine
struct Pairing {
    /// The role of this machine in the pairing.
    enum Role: Sendable {
        case shows
        /// The user typed the code on this machine, in these parts.
        case types([String])
        /// This machine types a code if the other one invites it first. Otherwise it shows one.
        case either
    }

    private let daemon: ControlConnection
    private let socket: String
    private let report: SessionReport
    private let role: Role
    private let isGuest: Bool

    private static let pause = Duration.milliseconds(300)
    /// The time that the machine with the smaller ID waits for the other one to begin. Without it, both machines would
    /// invite each other at the same time.
    private static let headStart = Duration.seconds(4)

    init(at daemon: ControlConnection, _ socket: String, _ report: SessionReport, _ role: Role, isGuest: Bool) {
        (self.daemon, self.socket, self.report, self.role, self.isGuest) = (daemon, socket, report, role, isGuest)
    }

    func run(_ name: String?, within patience: Duration) async throws -> ExitCode {
        guard let own = try await daemon.all(Endpoint.identity.request()).first?.event.peer else {
            throw NoDaemon(at: socket)
        }
        let begin = ContinuousClock.now
        var hasReported = false
        while begin + patience > .now {
            if mayType, let waiting = try await invitation(of: name) { return try await answer(waiting) }
            if mayShow {
                let near = try await unpaired(name)
                if near.count > 1 { throw Self.several(near) }
                if let other = near.first, mayBegin(own, with: other, since: begin) {
                    return try await invite(other, within: begin + patience - .now)
                }
            }
            if !hasReported, begin + .seconds(1) < .now {
                hasReported = true
                let words = name.map { "\(PrintableText($0, limit: 80))" } ?? "another machine"
                await report.complain("waiting for \(words); run `huddle pair` there, too")
            }
            try await EventLoop.shared.sleep(for: Self.pause)
        }
        let near = try await daemon.all(Endpoint.peers.request()).compactMap(\.machine).filter {
            $0.isPaired && $0.isOnline
        }
        let hint =
            near.isEmpty ? "" : "; paired already: \(near.map { "\($0.machine)" }.joined(separator: ", "))"
        throw CommandError(
            ErrorCode(.timedOut, "command.no-machine-pairs"),
            "no other machine was ready to pair in time\(hint)",
            nextStep: "run `huddled` on it, in this network; `huddle doctor` finds out what blocks it"
        )
    }

    private var mayType: Bool { if case .shows = role { false } else { true } }
    private var mayShow: Bool { if case .types = role { false } else { true } }

    private func mayBegin(_ own: PeerTag, with other: PeerTag, since begin: ContinuousClock.Instant) -> Bool {
        if case .shows = role { return true }
        return own.id.description > other.id.description || begin + Self.headStart < .now
    }

    private func invitation(of name: String?) async throws -> WaitingPeer? {
        try await daemon.all(Endpoint.invitations.request()).compactMap { WaitingPeer($0) }
            .first { $0.needsCode && Self.isMeant($0.peer, name) }
    }

    /// Returns the machines nearby that are not paired with this one.
    private func unpaired(_ name: String?) async throws -> [PeerTag] {
        let all = try await daemon.all(Endpoint.peers.request()).compactMap(\.machine)
        if let name, let paired = all.first(where: { $0.isPaired && Self.isMeant($0.machine, name) }) {
            throw CommandError(
                "command.paired-already",
                "\(paired.machine) is paired with this machine already",
                nextStep: "`huddle forget \(ShellWord(name))` first, to pair again"
            )
        }
        return all.filter { !$0.isPaired && $0.isOnline && $0.policy != .block }.map(\.machine)
            .filter { Self.isMeant($0, name) }
    }

    static func isMeant(_ peer: PeerTag, _ name: String?) -> Bool {
        guard let name else { return true }
        return peer.name?.text.lowercased() == name.lowercased() || PeerWords.name(name, keyOf: peer.id)
    }

    private static func several(_ peers: [PeerTag]) -> CommandError {
        let names = peers.prefix(6).map { "\($0)" }.joined(separator: ", ")
        return CommandError(
            "command.several-near",
            "several machines are nearby: \(names)",
            nextStep: "name one: huddle pair \(ShellWord(peers[0].typed))"
        )
    }

    // MARK: The two sides

    private func invite(_ other: PeerTag, within left: Duration) async throws -> ExitCode {
        var body = CallBody(
            to: other.id.description,
            Call.PairingTerms(isForOnce: isGuest),
            wait: min(left, .seconds(15))
        )
        // The search has taken a part of the time already.
        body.patience = min(left, InvitationPatience.longestAnswer) / .seconds(1)
        let conversation = Conversation(with: daemon, report, canAsk: Terminal.isInForeground, isForOnce: isGuest)
        let code = try await conversation.follow(Endpoint.pair.request(saying: body))
        if code == .success { try await makeGuest(other) }
        return code
    }

    private func answer(_ waiting: WaitingPeer) async throws -> ExitCode {
        var choice = InvitationAcceptance.Choice(peer: waiting.peer.id.description)
        if case .types(let code) = role { choice.code = code }
        choice.isForOnce = isGuest
        await report.complain("\(waiting.peer) wants to pair with this machine")
        let code = try await InvitationAcceptance(at: daemon, socket, choice, report).run()
        if code == .success { try await makeGuest(waiting.peer) }
        return code
    }

    private func makeGuest(_ peer: PeerTag) async throws {
        guard isGuest else { return }
        var body = GameBody()
        body.fields.set("policy", "ask")
        body.fields.set("allow", ["messages", "resources"])
        _ = try await daemon.all(Endpoint.setPolicy.request(peer.id.description, saying: body))
        await report.complain("\(peer) is a guest: each time it connects you are asked, and it gets no games")
    }
}
