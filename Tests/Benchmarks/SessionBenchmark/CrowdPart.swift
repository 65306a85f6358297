import Glibc
import LinuxPlatform
import Session
import SessionRules
import Vocabulary
import Yardstick

/// Many nodes in one session on one machine, over its loopback: `crowd star 50` or `crowd mesh 50`.
@Engine
struct CrowdPart {
    private let topology: Topology
    private let count: Int

    init(_ words: [String]) throws {
        guard words.count == 2, let count = Int(words[1]) else { throw BadWord(words: words) }
        topology = words[0] == "mesh" ? .mesh : .star
        self.count = count
    }

    func run() async throws {
        let before = ProcessFigures()?.residentKiB ?? 0
        let host = try await OwnNode.open("\(Place.memory)/crowd-host", port: 0, loopback: true)
        var guests: [OwnNode] = []
        for number in 1...count {
            let guest = try await OwnNode.open("\(Place.memory)/crowd-\(number)", port: 0, loopback: true)
            try await host.befriend(guest.node.id)
            try await guest.befriend(host.node.id)
            guests.append(guest)
        }
        let alone = ProcessFigures()?.residentKiB ?? 0
        let session = try host.session("crowd", topology)
        let start = ContinuousClock.now
        var sessions = [session]
        for guest in guests {
            try await host.node.invite(.address(try HostAndPort("127.0.0.1:\(guest.node.port)")), to: session)
            sessions.append(try await guest.nextJoined())
        }
        try await waitUntilConnected(sessions)
        say("connect \(seconds(.now - start))")
        try await everybodyToAll(sessions)
        say("nodes \(Double(alone - before) / Double(count + 1))")
        let after = ProcessFigures()?.residentKiB ?? 0
        say("links \(Double(after - alone) / Double(count + 1))")
        say("resident \(after)")
        say("threads \(ProcessFigures()?.threads ?? 0)")
    }

    private func waitUntilConnected(_ sessions: [Session]) async throws {
        for (place, session) in sessions.enumerated() {
            let wanted = topology == .mesh || place == 0 ? count : 1
            while session.connectedPeers.count < wanted { try await EventLoop.shared.sleep(for: .milliseconds(5)) }
        }
    }

    private func everybodyToAll(_ sessions: [Session]) async throws {
        let start = ContinuousClock.now
        for session in sessions { try await session.send([7, 7]) }
        var received = 0
        for (place, session) in sessions.enumerated() {
            var missing = topology == .mesh || place == 0 ? count : 1
            while missing > 0, let event = await session.events.next() {
                guard case .message = event else { continue }
                (missing, received) = (missing - 1, received + 1)
            }
        }
        say("messages \(received)")
        say("exchange \(seconds(.now - start))")
    }
}
