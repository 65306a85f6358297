public import Foundation
import LinuxPlatform
import Session
import Vocabulary

extension MCSession {
    /// Opens a stream to a peer, for an asynchronous writer.
    public func openStream(named streamName: String, to peerID: MCPeerID) throws -> MCOutgoingStream {
        MCOutgoingStream(pipe: try beginStream(streamName, peerID))
    }

    func beginStream(_ streamName: String, _ peerID: MCPeerID) throws -> BytePipe {
        guard let name = try? Label(streamName) else {
            throw MCError(.invalidParameter, "a stream's name has 1 to 128 bytes and no control characters")
        }
        guard core.roster.entry(peerID)?.state == .connected else { throw Self.notConnected }
        let (core, pipe) = (core, BytePipe())
        onEngine { core.pour(pipe, into: name, to: peerID) }
        return pipe
    }
}

/// A stream to a peer, for an asynchronous writer. It ends when it is finished or released.
public final class MCOutgoingStream: Sendable {
    private let pipe: BytePipe

    init(pipe: BytePipe) {
        self.pipe = pipe
    }

    deinit {
        pipe.finish()
    }

    /// Writes all bytes, and waits while the peer reads slowly.
    public func write(_ data: Data) async throws {
        guard try await pipe.put(Array(data)) else {
            throw pipe.view.failure ?? MCError(.notConnected, "the stream is closed")
        }
    }

    /// Ends the stream after the written bytes.
    public func finish() { pipe.finish() }
}

extension SessionCore {
    /// Sends the bytes of a pipe to a peer.
    func pour(_ pipe: BytePipe, into name: Label, to peer: MCPeerID) {
        guard let member = members[peer.id], member.progress.hasJoined, let pair = member.pair else {
            return pipe.fail(MCError(.left))
        }
        member.add {
            do {
                let stream = try await pair.openStream(named: name, to: peer.id)
                while let bytes = try await pipe.take() { try await stream.write(bytes) }
                try await stream.finish()
            } catch {
                pipe.fail(MCError(of: error))
            }
        }
    }

    /// Delivers a peer's stream to the app.
    func take(_ stream: IncomingStream, _ member: SessionPeer, _ pair: Session) async {
        guard member.progress.hasJoined else { return await stream.abort() }
        let received = ReceivedStream(name: stream.name.text, peer: member.peer, pipe: BytePipe())
        member.add {
            do {
                while let bytes = try await stream.read() {
                    guard try await received.pipe.put(bytes) else { return await stream.abort(because: .left) }
                }
                received.pipe.finish()
            } catch {
                received.pipe.fail(MCError(of: error))
            }
        }
        await delegateQueue.room()
        // If the peer has left, so has its stream.
        if member.pair === pair { tell(.stream(received)) }
    }
}
