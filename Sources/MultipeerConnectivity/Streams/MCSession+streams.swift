public import Foundation
import LinuxPlatform
import Session
import Vocabulary

extension MCSession {
    /// Opens a stream to a peer, for a writer that waits without blocking.
    public func openStream(named streamName: String, to peerID: MCPeerID) throws -> MCOutgoingStream {
        MCOutgoingStream(pipe: try beginStream(streamName, peerID))
    }

    func beginStream(_ streamName: String, _ peerID: MCPeerID) throws -> BytePipe {
        guard let name = try? Label(streamName) else {
            throw MCError(.invalidParameter, "a stream's name has 1 to 128 bytes and no control characters")
        }
        guard core.roll.entry(peerID)?.state == .connected else { throw Self.notConnected }
        let (core, pipe) = (core, BytePipe())
        onEngine { core.pour(pipe, into: name, to: peerID) }
        return pipe
    }
}

/// A stream to a peer, for a writer that waits without blocking. It ends when it is finished, or nobody holds it any more.
public final class MCOutgoingStream: Sendable {
    private let pipe: BytePipe

    init(pipe: BytePipe) {
        self.pipe = pipe
    }

    deinit {
        pipe.finish()
    }

    /// Writes all of it, and waits while the peer reads slowly.
    public func write(_ data: Data) async throws {
        guard try await pipe.put(Array(data)) else {
            throw pipe.view.failure ?? MCError(.notConnected, "the stream is closed")
        }
    }

    /// Ends it: what was written still goes.
    public func finish() { pipe.finish() }
}

extension SessionCore {
    /// Carries what comes out of a pipe to a peer.
    func pour(_ pipe: BytePipe, into name: Label, to peer: MCPeerID) {
        guard let mate = mates[peer.id], mate.isIn, let pair = mate.pair else { return pipe.fail(MCError(.left)) }
        mate.add {
            do {
                let stream = try await pair.openStream(named: name, to: peer.id)
                while let bytes = try await pipe.take() { try await stream.write(bytes) }
                try await stream.finish()
            } catch {
                pipe.fail(MCError(of: error))
            }
        }
    }

    /// Puts a stream that a peer opened before the app.
    func take(_ stream: IncomingStream, _ mate: Mate, _ pair: Session) async {
        guard mate.isIn else { return await stream.abort() }
        let received = ReceivedStream(name: stream.name.text, peer: mate.peer, pipe: BytePipe())
        mate.add {
            do {
                while let bytes = try await stream.read() {
                    guard try await received.pipe.put(bytes) else { return await stream.abort(because: .left) }
                }
                received.pipe.finish()
            } catch {
                received.pipe.fail(MCError(of: error))
            }
        }
        await courier.room()
        // Where the peer is out by now, so is its stream.
        if mate.pair === pair { tell(.stream(received)) }
    }
}
