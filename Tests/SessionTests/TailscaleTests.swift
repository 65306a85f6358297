import LinuxPlatform
import TestSupport
import Testing
import Vocabulary

@testable import Session

@Suite("Addresses from Tailscale", .timeLimit(.minutes(5)))
@Engine
struct TailscaleTests {
    /// The form of the answer of tailscaled 1.x, without the fields that are not read.
    private nonisolated static let status = """
        {"Version": "1.76.1", "BackendState": "Running", "Self": {"HostName": "desk", "UserID": 7, "Online": true},
        "Peer": {
        "nodekey:a1": {"HostName": "Phone", "UserID": 7, "TailscaleIPs": ["100.64.0.3", "fd7a::3"], "Online": true},
        "nodekey:b2": {"HostName": "living-room", "UserID": 9, "TailscaleIPs": ["100.64.0.2", "fd7a::2"], "Online": true},
        "nodekey:c3": {"HostName": "office", "UserID": 9, "TailscaleIPs": ["100.64.0.4"], "Online": true},
        "nodekey:d4": {"HostName": "living-room-1", "UserID": 7, "TailscaleIPs": ["100.64.0.5"], "Online": false},
        "nodekey:e5": {"HostName": "tablet", "UserID": 7, "TailscaleIPs": ["nonsense", 7, "100.64.0.6"], "Online": true}
        }}
        """

    private func addresses(in json: String, of name: String) throws -> [String] {
        try TailscaleStatus(json: Array(json.utf8)).addresses(of: InstanceName(name), port: 29_483).map(\.description)
    }

    @Test("The machine of the peer's name comes first, then the user's own ones, and no offline or foreign ones")
    func order() throws {
        #expect(
            try addresses(in: Self.status, of: "Living Room") == [
                "100.64.0.2:29483", "[fd7a::2]:29483", "100.64.0.3:29483", "100.64.0.6:29483",
            ]
        )
        #expect(try addresses(in: Self.status, of: "Tablet").first == "100.64.0.6:29483")
    }

    @Test("A list of many machines gives four addresses")
    func many() throws {
        let machines = (0..<200).map {
            #""k\#($0)": {"HostName": "deck", "UserID": 7, "TailscaleIPs": ["100.64.1.\#($0)"], "Online": true}"#
        }
        let json = #"{"Self": {"UserID": 7}, "Peer": {\#(machines.joined(separator: ","))}}"#
        #expect(try addresses(in: json, of: "Deck").count == 4)
    }

    @Test("A list without machines, or without this machine, gives no address of others")
    func empty() throws {
        #expect(try addresses(in: "{}", of: "Deck").isEmpty)
        let json = #"{"Peer": {"k": {"HostName": "x", "TailscaleIPs": ["100.64.0.1"], "Online": true}}}"#
        #expect(try addresses(in: json, of: "Deck").isEmpty)
    }

    @Test(
        "An answer that is no list of machines is refused",
        arguments: [
            "", "HTTP/1.0 200 OK\r\n\r\n", "HTTP/1.0 403 Forbidden\r\n\r\n{}", "HTTP/1.0 200 OK\r\n{}",
            "HTTP/1.0 200 OK\r\n\r\n[]", "HTTP/1.0 200 OK\r\n\r\n{\"Peer\": 7}", "HTTP/1.0 200 OK\r\n\r\n{\"Peer\": {",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", "SSH-2.0-OpenSSH\r\n\r\n{}",
            "HTTP/1.0 200 OK\r\n\r\n" + String(repeating: "[", count: 10_000),
        ]
    )
    func refused(answer: String) {
        #expect(throws: (any Error).self) { try TailscaleStatus(answer: Array(answer.utf8)) }
    }

    private func client(_ fake: FakeTailscale, _ body: (TailscaleClient) async -> Void) async {
        let tasks = TaskScope()
        let working = Task(executorPreference: Engine.loop.taskExecutor) { await tasks.run() }
        await body(TailscaleClient(at: fake.path, tasks))
        working.cancel()
        await working.value
    }

    @Test("A tailscaled that stays silent, or sends without end, gives no addresses and can be asked again")
    func hostile() async throws {
        let long = Array("HTTP/1.0 200 OK\r\n\r\n".utf8) + [UInt8](repeating: 32, count: 8 << 20)
        for fake in [try FakeTailscale(answer: nil), try FakeTailscale(answer: long)] {
            await client(fake) { client in
                #expect(await client.status() == nil)
                #expect(await client.status() == nil)
            }
        }
    }

    @Test("A paired machine that moved is found at its Tailscale address, and an impostor there is refused")
    func dial() async throws {
        let desk = try await TestNode.open("Living Room")
        let other = try await TestNode.open("Other")
        let fake = try FakeTailscale(
            json: #"{"Peer": {"k": {"HostName": "living-room", "TailscaleIPs": ["127.0.0.1"], "Online": true}}}"#
        )
        let deck = try await TestNode.open("Deck") { $0.tailscaleSocket = fake.path }
        try await deck.befriend(desk)
        // At its last known address, no program listens on the port.
        let last = try HostAndPort("127.0.0.9:\(desk.node.port)")
        try await deck.node.ledger.saw(desk.id, as: try InstanceName("Living Room"), at: last)
        let link = try await deck.node.dialler.link(to: .peer(desk.id))
        #expect(link.peer == desk.id && link.peerAddress?.address == .v4(127, 0, 0, 1))

        try await deck.befriend(other)
        try await deck.node.ledger.saw(other.id, as: try InstanceName("Living Room"), at: last)
        await #expect(throws: SessionError.self) { try await deck.node.dialler.link(to: .peer(other.id)) }
        for node in [desk, other, deck] { await node.stop() }
    }
}
