import LinuxPlatform
import SessionRules
import Transport
import Vocabulary
import Wire

@testable import Session

/// A scripted peer that the node dials, so that the node is the dialler of the link and of every further lane.
@Engine
final class ScriptedHost {
    let identity: Identity
    let listener: LaneListener
    private(set) var control: ScriptedControl?

    init(as identity: Identity = .ephemeral()) throws {
        self.identity = identity
        listener = try LaneListener(on: SocketAddress(.v4(127, 0, 0, 1), port: 0), loop: Engine.loop)
    }

    var address: HostAndPort { get throws { try HostAndPort("127.0.0.1:\(listener.port)") } }

    /// The next connection, through TLS.
    func lane() async throws -> Lane {
        try await Lane.accept(try await listener.accept(), as: identity, within: .seconds(20), on: Engine.loop)
    }

    /// The node's control lane, after both have said hello.
    func greet(as name: String = "Mallory") async throws -> ScriptedControl {
        let control = ScriptedControl(try await lane())
        guard case .hello = try await control.hear() else { throw ScriptedPeer.Unexpected.frame }
        try await control.say(
            .hello(
                .init(name: try InstanceName(name), listeningPort: listener.port, datagramPort: 0, runToken: 1)
            )
        )
        self.control = control
        return control
    }

    /// Says yes to the node's invitation, which needs no code, and waits for the welcome.
    func accept(on control: ScriptedControl) async throws -> ControlFrame.Invite {
        let invite = try await control.hear { if case .invite(let invite) = $0 { invite } else { nil } }
        try await control.say(
            .pairNonce(.init(invitation: invite.invitation, nonce: .repeating(1), isCodeNeeded: false)),
            .inviteAnswer(.init(invitation: invite.invitation, verdict: .accepted))
        )
        _ = try await control.hear { if case .members = $0 { true } else { nil } }
        return invite
    }

    /// A further lane that the node dials, taken and ready.
    func takeLane() async throws -> ScriptedLane {
        let further = ScriptedLane(try await lane())
        guard case .open = try await further.hear() else { throw ScriptedPeer.Unexpected.frame }
        try await further.say(.ready)
        return further
    }

    /// In a session of the node's, by its invitation.
    static func invited(
        by node: TestNode,
        as identity: Identity = .ephemeral()
    ) async throws -> (host: ScriptedHost, control: ScriptedControl, Session) {
        let host = try ScriptedHost(as: identity)
        try await node.node.trust(host.identity.peerID)
        let session = try node.session()
        let address = try host.address
        async let invited = node.node.invite(.address(address), to: session)
        let control = try await host.greet()
        _ = try await host.accept(on: control)
        _ = try await invited
        return (host, control, session)
    }
}

/// A control lane made by hand.
@Engine
final class ScriptedControl {
    let lane: Lane
    private var decoder = FrameDecoder<ControlFrame>()

    init(_ lane: Lane) {
        self.lane = lane
    }

    func say(_ frames: ControlFrame...) async throws {
        var bytes: [UInt8] = []
        for frame in frames { frame.encode(into: &bytes) }
        try await lane.send(bytes)
    }

    func say(type: UInt8, _ payload: [UInt8]) async throws {
        let count = payload.count
        try await lane.send([type, UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)] + payload)
    }

    func hear() async throws -> ControlFrame? {
        let timer = Engine.schedule(at: .now + .seconds(20)) { [lane] in lane.abort() }
        defer { timer.cancel() }
        while true {
            if let frame = try decoder.next() { return frame }
            let bytes = try await lane.receive(upTo: 65_536)
            if bytes.isEmpty { return nil }
            decoder.append(bytes)
        }
    }

    func hear<Value>(_ choice: (ControlFrame) -> Value?) async throws -> Value {
        while let frame = try await hear() {
            if case .ping(let number) = frame { try await say(.pong(number)) }
            if let value = choice(frame) { return value }
        }
        throw ScriptedPeer.Unexpected.end
    }

    /// Nothing the node was told before is undone after this.
    func isServed() async -> Bool {
        do {
            try await say(.ping(77))
            return try await hear { if case .pong(77) = $0 { true } else { nil } }
        } catch {
            return false
        }
    }
}
