import FoundationEssentials
import Glibc
import LinuxPlatform
import Testing
import Workbench

/// A running `huddle inbox --json` of a machine, with its events.
actor RunningInbox {
    /// A line of its output.
    struct News: Decodable, Sendable {
        struct Peer: Decodable, Sendable {
            let id: String
            let name: String?
        }

        let event: String
        let peer: Peer?
        let port: UInt16?
        let needsCode: Bool?
        let path: String?
        let name: String?
        let text: String?
        let bytes: UInt64?
        let reason: String?
    }

    struct Ended: Error {}

    nonisolated let program: ChildProcess
    private let output: ChildOutput
    private let page: JSONPage
    private var unread: [UInt8] = []

    /// Its address and port, in the form that can be typed for a peer.
    private(set) var address = ""

    private init(_ program: ChildProcess) throws {
        self.program = program
        output = try #require(program.standardOutput)
        page = try JSONPage()
    }

    static func start(on machine: Machine) async throws -> RunningInbox {
        let alone = ["--address", "127.0.0.1", "--no-advertise", "--no-browse"]
        let inbox = try RunningInbox(machine.start(["inbox", "--json"] + alone))
        try await inbox.becomeReady()
        return inbox
    }

    private func becomeReady() async throws {
        address = "127.0.0.1:\(try #require(try await next("ready").port))"
    }

    /// The next event of a kind. Others before it are skipped.
    func next(_ event: String) async throws -> News {
        while true {
            let line = try await nextLine()
            if let fault = page.fault(in: String(decoding: line, as: UTF8.self)) {
                Issue.record("\(String(decoding: line, as: UTF8.self))\n\(fault)")
            }
            let decoded = try JSONDecoder().decode(News.self, from: Data(line))
            if decoded.event == event { return decoded }
        }
    }

    private func nextLine() async throws -> [UInt8] {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeSubrange(...end) }
                return Array(unread[..<end])
            }
            let more = try await output.read()
            guard !more.isEmpty else { throw Ended() }
            unread += more
        }
    }

    /// Ends it with Ctrl-C.
    func stop() async throws {
        program.send(SIGINT)
        #expect(try await program.wait() == .exited(0))
    }

    /// Kills it.
    func kill() async throws {
        program.send(SIGKILL)
        _ = try await program.wait()
    }
}
