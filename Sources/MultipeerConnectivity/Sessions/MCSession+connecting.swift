import Session
public import Foundation
import LinuxPlatform
import Vocabulary

/// Data that two apps exchange by their own means to connect without discovery.
struct ConnectionData: Codable {
    var token: String
    var peer: String
    var places: [Handshake.Member]
}

extension MCSession {
    func tellConnectionData(for peerID: MCPeerID, _ completionHandler: @escaping (Data?, (any Error)?) -> Void) {
        let handler = ConnectionHandler(call: completionHandler)
        let queue = core.delegateQueue.queue
        Engine.begin {
            do {
                let data = try await self.nearbyConnectionData(forPeer: peerID)
                queue.async { handler.call(data, nil) }
            } catch {
                queue.async { handler.call(nil, error) }
            }
        }
    }

    /// Data with which a peer connects to this session without discovery.
    public func nearbyConnectionData(forPeer peerID: MCPeerID) async throws -> Data {
        guard peerID.id != myPeerID.id else { throw MCError(.invalidParameter, "that is this peer itself") }
        do {
            return try await core.connectionData()
        } catch {
            throw MCError(of: error)
        }
    }
}

/// `@unchecked Sendable` because the app's closure is called once, on the session's queue.
private struct ConnectionHandler: @unchecked Sendable {
    let call: (Data?, (any Error)?) -> Void
}

extension SessionCore {
    func connectionData() async throws -> Data {
        let node = try await localNode.node()
        let interfaces = try NetworkInterface.all()
        let known = interfaces.filter { $0.isRunning }.sorted { !$0.isLoopback && $1.isLoopback }
        let places = known.flatMap(\.addresses).filter { !$0.isLinkLocal }.map { address in
            Handshake.Member(localNode.id, profile.displayName, at: SocketAddress(address, port: node.port))
        }
        return Coding.data(ConnectionData(token: token, peer: localNode.id.description, places: places))
    }

    func connect(to peer: MCPeerID, _ data: Data) {
        guard let read = Coding.value(ConnectionData.self, in: data), read.peer == peer.id.description,
            read.token.utf8.count <= 64
        else { return tell(.state(peer, .notConnected, .unreachable)) }
        let places = read.places.prefix(16).compactMap { $0.place(seenOn: 0) }
        Engine.begin {
            guard let node = try? await self.localNode.node() else { return }
            node.learn(places, of: peer.id)
            // Both sides have each other's token: one side invites with it, and the other side expects it.
            self.expect(peer, as: self.token, introduction: read.token, by: self.localNode.id)
        }
    }
}
