import Ledger
import LinuxPlatform
import Transport
public import Vocabulary
import Wire

extension Session {
    /// Opens a stream to a member. It has a lane of its own, so nothing else waits behind it.
    public func openStream(named name: Label, to peer: PeerID) async throws -> OutgoingStream {
        let member = try member(peer)
        guard let board = node.lanes[peer], member.isConnected else { throw SessionError(.lost) }
        let channel = try await board.open()
        channel.lane.count(in: node.streamTraffic)
        member.holds(channel)
        var isLate = false
        let timer = Engine.schedule(at: .now + Self.takingPatience) {
            isLate = true
            channel.abort()
        }
        defer { timer.cancel() }
        do {
            try await channel.send(.streamBegin(.init(session: member.wireSession, name: name)))
            switch try await channel.next() {
            case .streamTaken: return OutgoingStream(to: peer, named: name, over: channel)
            case .abort(let abort): throw SessionError(abort.reason)
            default: throw SessionError(.brokeProtocol)
            }
        } catch {
            channel.abort()
            throw isLate ? SessionError(.timedOut) : error
        }
    }

    /// How long the peer may take to say that it takes a stream. Its person is not asked.
    private static let takingPatience = Duration.seconds(10)
}

extension Node {
    func take(_ begin: LaneFrame.StreamBegin, on channel: LaneChannel, from link: Link) async {
        do {
            guard let member = member(begin.session, link) else { return channel.abort() }
            let session = member.session
            let refusal: PartingReason? =
                !member.permissions.contains(.streams)
                ? .notPermitted
                : isStopping
                    ? .shuttingDown : session.hasRoomForMore() ? nil : .full
            if let refusal {
                note("stream-refused", about: link.peer, [.init("reason", refusal.word)])
                try await channel.send(.abort(.init(reason: refusal, message: "")))
                return await channel.close()
            }
            member.holds(channel)
            try await channel.send(.streamTaken)
            session.deliver(.stream(IncomingStream(from: link.peer, named: begin.name, over: channel)))
        } catch {
            channel.abort()
        }
    }
}
