import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// `huddle pipe`: stream standard input to the standard output of another machine.
enum PipeCommand {
    static let peer = Argument(
        optional: "PEER",
        .text.named("PEER"),
        help: "the other machine: its name, the beginning of its id, or HOST:PORT; with --receive: the only sender"
    )
    static let name = Option("as", .label, default: .pipe, help: "the name of the stream")
    static let receive = Option("receive", .label, help: "take the next stream of this name, and print it")

    static let row = Command<CommandAction>(
        "pipe",
        summary: "stream standard input to another machine, or print what one streams here",
        discussion: """
            The other machine runs `huddle pipe --receive NAME`; if no command waits for that name, its daemon keeps \
            the stream in a file. Writing waits for the reader. The exit code is 0 only if the other side took all of \
            it; a broken stream is not resumed.
            """,
        arguments: [peer],
        options: [name, receive] + CallOptions.pairing + AskingOptions.all,
        examples: [
            Example("tar c saves | huddle pipe Deck --as saves", "on this machine"),
            Example("huddle pipe --receive saves | tar x", "on Deck, first"),
        ],
        exitCodes: ExitCode.calling + [.notPermitted],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        if let name = given[receive] { return try await take(name, given, console, signals) }
        guard let peer = given[peer] else {
            throw CommandError(
                ErrorCode(.invalid, "command.peer-missing"),
                "no machine is named to stream to",
                nextStep: "write `huddle pipe PEER`, or `huddle pipe --receive NAME` to take a stream"
            )
        }
        return try await give(to: peer, given, console, signals)
    }

    private static func give(
        to peer: String,
        _ given: GivenValues,
        _ console: Console,
        _ signals: Signals
    ) async throws -> ExitCode {
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        var body = CallBody(to: peer, Call.PairingTerms(given), wait: given[CallOptions.wait])
        body.name = given[name].text
        let request = Endpoint.openStream.request(saying: body)
        let code = try await Daemon.ask(given, console, signals) { daemon in
            let carriage = StreamTransfer(with: daemon, report, from: .open) { stream in
                var request = Endpoint.writeStream.request(stream)
                request.upload = {
                    let bytes = try await StreamTransfer.Fault.marking {
                        try await InputBytes.next(upTo: 256 << 10)
                    }
                    return bytes.isEmpty ? nil : bytes
                }
                try await daemon.perform(request)
            }
            return try await carriage.follow(request)
        }
        return code ?? .interrupted
    }

    // MARK: Receiving a stream

    private static func take(
        _ name: Label,
        _ given: GivenValues,
        _ console: Console,
        _ signals: Signals
    ) async throws -> ExitCode {
        let report = SessionReport(asJSON: false, bytesGoOut: true, console)
        let request = Endpoint.nextStream.request(saying: WantedStream(name: name.text, peer: given[peer]))
        let code = try await Daemon.ask(given, console, signals) { daemon in
            let carriage = StreamTransfer(with: daemon, report, from: .begun) { stream in
                let response = try await daemon.ask(Endpoint.readStream.request(stream))
                guard response.status == 200, case .stream(let source) = response.body else {
                    return try await ResponseEvents(response).finish()
                }
                while let bytes = try await source() {
                    try await StreamTransfer.Fault.marking { try await console.hand(on: bytes) }
                }
            }
            return try await carriage.follow(request)
        }
        return code ?? .interrupted
    }
}

/// The request body that asks for the next stream of a name.
private struct WantedStream: JSONShape {
    let name: String
    let peer: String?

    var fields: JSONFields {
        var fields = JSONFields()
        fields.set("name", name)
        fields.set("peer", peer)
        return fields
    }
}
