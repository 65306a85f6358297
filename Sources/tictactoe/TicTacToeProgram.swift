import Foundation
import GameState
import LinuxPlatform
import MultipeerConnectivity
import Vocabulary

/// Tic-tac-toe for two on one network, or against the computer.
@main
struct TicTacToeProgram {
    /// The options of the command line.
    struct Request: Equatable {
        var name: String
        var folder: String
        var isAlone = false
        var isHelp = false

        /// - Throws: ``Misspelt``
        init(_ arguments: [String], _ environment: [String: String]) throws {
            name = ProcessInfo.processInfo.hostName
            folder = "\(environment["HOME"] ?? NSHomeDirectory())/.local/share/tictactoe"
            var rest = arguments[...]
            while let word = rest.popFirst() {
                switch word {
                case "--name": name = try Self.value(of: word, &rest)
                case "--folder": folder = try Self.value(of: word, &rest)
                case "--computer": isAlone = true
                case "--help": isHelp = true
                default: throw Misspelt(word: word)
                }
            }
            guard (1...63).contains(name.utf8.count) else { throw Misspelt(word: "--name \(name)") }
        }

        private static func value(of word: String, _ rest: inout ArraySlice<String>) throws -> String {
            guard let value = rest.popFirst() else { throw Misspelt(word: word) }
            return value
        }
    }

    struct Misspelt: Error, CustomStringConvertible {
        let word: String
        var description: String {
            "“\(PrintableText(word, limit: 60))” can't be used here; see tictactoe --help"
        }
    }

    static let help = """
        tictactoe: play with a friend on the same network, or against the computer

          --name NAME      what others see, 63 bytes at most; the machine's name if nothing is said.
                           Another name is another key: who is blocked or known goes by that
          --folder PATH    where games and victories are kept, for one program at a time
          --computer       begin with a game against the computer
          --help           this text

        """

    static func main() async {
        do {
            let request = try Request(Array(CommandLine.arguments.dropFirst()), ProcessInfo.processInfo.environment)
            guard !request.isHelp else {
                _ = Terminal.write(help, to: .output)
                return
            }
            try await play(request)
        } catch {
            _ = Terminal.write("tictactoe: \(error)\n", to: .errors)
            exit(2)
        }
    }

    @MainActor
    private static func play(_ request: Request) async throws {
        let folder = GameFolder(path: request.folder)
        let lock = try folder.taken()
        let opponents = Opponents(try KeptPeer(folder: folder).peer(named: request.name))
        let master = GameMaster(opponents, SavedGames(folder: folder))
        let sessionEvents = opponents.session.events
        let watching = [
            Task { for await event in sessionEvents { master.take(event) } },
            Task { for await event in opponents.events { master.take(event) } },
        ]
        if request.isAlone { master.playAlone() }
        let sources = heeding(master)
        let errors = try keptErrors(in: folder)
        opponents.begin()
        master.begin()
        await type(master)
        for source in sources { source.cancel() }
        for task in watching { task.cancel() }
        master.pause()
        master.end()
        if let errors { _ = try? Terminal.divert(.errors, to: errors) }
        _ = consume lock
    }

    /// Handles input until it ends, or the user ends the program.
    @MainActor
    private static func type(_ master: GameMaster) async {
        var keyboard = Keyboard()
        while let bytes = await typed(), !bytes.isEmpty {
            for key in keyboard.keys(in: bytes) {
                guard await master.take(key) else { return }
            }
        }
    }

    /// The next input. While another program uses the terminal, this program waits.
    @MainActor
    private static func typed() async -> [UInt8]? {
        while true {
            do {
                return try await runBlocking("keyboard") { try Terminal.read(upTo: 1024) }
            } catch let error as SystemError where error.number == EIO && Terminal.isTerminal(.input) {
                guard isBehindTheShell else { continue }
                let back = Resumption<Void>()
                comeback = back
                try? await back.value()
            } catch {
                return nil
            }
        }
    }

    /// Resumed when the shell gives the terminal back.
    @MainActor private static var comeback: Resumption<Void>?

    /// Redirects standard error: messages of libraries would damage the picture. Returns the previous target.
    private static func keptErrors(in folder: GameFolder) throws -> OwnedDescriptor? {
        guard Terminal.isTerminal(.errors) else { return nil }
        return try Terminal.divert(.errors, to: folder.log())
    }

    // MARK: Signals

    @MainActor
    private static func heeding(_ master: GameMaster) -> [any DispatchSourceSignal] {
        // A background program that reads the terminal is stopped unless it handles the signal.
        signal(SIGTTIN, SIG_IGN)
        return [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH].map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
            source.setEventHandler { @Sendable in MainActor.assumeIsolated { heed(number, master) } }
            if number != SIGCONT, number != SIGWINCH { signal(number, SIG_IGN) }
            source.activate()
            return source
        }
    }

    @MainActor
    private static func heed(_ number: CInt, _ master: GameMaster) {
        switch number {
        case SIGWINCH: master.show()
        // A program in the background runs without the terminal.
        case SIGCONT where isBehindTheShell: break
        case SIGCONT:
            master.begin()
            comeback?.resume(with: .success(()))
        // Without a shell that could continue it, a stop would be permanent.
        case SIGTSTP where getsid(0) == getpid(): break
        case SIGTSTP:
            master.pause()
            kill(getpid(), SIGSTOP)
        default:
            if !isBehindTheShell { master.pause() }
            master.end()
            exit(128 + number)
        }
    }

    /// True if another program uses the terminal. Drawing or setting it then stops this program.
    private static var isBehindTheShell: Bool { Terminal.isTerminal(.input) && !Terminal.isInForeground }
}
