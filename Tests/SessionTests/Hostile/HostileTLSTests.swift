import LinuxPlatform
import RawTLS
import ScriptedPeers
import SessionRules
import TestSupport
import Testing
import Vocabulary
import Wire

@testable import Session

extension HostileSuites {
    /// Unknown machines that misuse TLS: they are refused, and no other machine waits for that.
    @Suite("Strangers who misuse TLS", .serialized, .timeLimit(.minutes(5)))
    @Engine
    struct HostileTLSTests {
        @Test("a stranger that asks for new keys without end is cut off, and others are served meanwhile")
        func endlessNewKeys() async throws {
            try await TestNode.with { desk in
                let friend = try await ScriptedPeer.trusted(by: desk.node)
                let most = 100_000
                let port = desk.node.port
                var hello: [UInt8] = []
                ControlFrame.hello(try ScriptedPeer.hello()).encode(into: &hello)
                let greeting = hello
                async let asked = runBlocking("stranger") {
                    let stranger = try RawPeer(.none, over: try BlockingSocket.connected(toLoopbackPort: port))
                    var count = 0
                    guard stranger.connect(), stranger.send(greeting) else { return most }
                    while count < most, stranger.askForNewKeys() { count += 1 }
                    return count
                }
                #expect(await friend.isServed())
                #expect(try await asked < most)
            }
        }

        @Test(
            "a machine that is no peer is refused and leaves nothing behind",
            arguments: RawPeer.Oddity.allCases.filter { ![.none, .expired].contains($0) }
        )
        func oddities(oddity: RawPeer.Oddity) async throws {
            try await TestNode.with { desk in
                let friend = try await ScriptedPeer.trusted(by: desk.node)
                let (descriptors, port) = (OwnProcess.descriptors().count, desk.node.port)
                for _ in 0..<5 {
                    let answer = try await runBlocking("stranger") {
                        let socket = try BlockingSocket.connected(toLoopbackPort: port)
                        let stranger = try RawPeer(oddity, over: socket)
                        defer { socket.end() }
                        return stranger.connect() ? stranger.receive(upTo: 1) : nil
                    }
                    #expect(answer == nil)
                    #expect(await friend.isServed())
                }
                while desk.node.listener.admission.count > 1 {
                    // because no event reports that a stranger has gone
                    try await Engine.loop.sleep(for: .milliseconds(10))
                }
                #expect(desk.node.links.count == 1)
                #expect(OwnProcess.descriptors().count <= descriptors + 2)
            }
        }
    }
}
