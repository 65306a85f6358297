import LinuxPlatform
import Transport
public import Vocabulary
import Wire

extension Session {
    /// Opens a stream to a member. It has a channel of its own, so nothing else waits behind it.
    public func openStream(named name: Label, to peer: PeerID) async throws -> OutgoingStream {
        let member = try member(peer)
        guard member.isConnected else { throw SessionError(.lost) }
        let channel = try await owner.openChannel(to: peer)
        channel.secure.count(in: context.traffic.streams)
        member.add(channel)
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

    /// The time limit for the peer to accept a stream. The user of that machine is not asked.
    private static let takingPatience = Duration.seconds(10)
}
