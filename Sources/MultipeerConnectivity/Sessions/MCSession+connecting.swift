import Session
public import Foundation
import LinuxPlatform
import Vocabulary

/// What two apps exchange by means of their own, to find each other without discovery.
struct ConnectionData: Codable {
    var token: String
    var peer: String
    var places: [Hello.Fellow]
}

extension MCSession {
    func tellConnectionData(for peerID: MCPeerID, _ completionHandler: @escaping (Data?, (any Error)?) -> Void) {
        let handler = ConnectionHandler(call: completionHandler)
        let queue = core.courier.queue
        Engine.begin {
            do {
                let data = try await self.nearbyConnectionData(forPeer: peerID)
                queue.async { handler.call(data, nil) }
            } catch {
                queue.async { handler.call(nil, error) }
            }
        }
    }

    /// What a peer needs to connect to this session without discovery.
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
        let node = try await station.node()
        let interfaces = try NetworkInterface.all()
        let known = interfaces.filter { $0.isRunning }.sorted { !$0.isLoopback && $1.isLoopback }
        let places = known.flatMap(\.addresses).filter { !$0.isLinkLocal }.map { address in
            Hello.Fellow(station.id, profile.displayName, at: SocketAddress(address, port: node.port))
        }
        return Coding.data(ConnectionData(token: token, peer: station.id.description, places: places))
    }

    func connect(to peer: MCPeerID, _ data: Data) {
        guard let read = Coding.value(ConnectionData.self, in: data), read.peer == peer.id.description,
            read.token.utf8.count <= 64
        else { return tell(.state(peer, .notConnected, .unreachable)) }
        let places = read.places.prefix(16).compactMap { $0.place(seenOn: 0) }
        Engine.begin {
            guard let node = try? await self.station.node() else { return }
            node.learn(places, of: peer.id)
            // Both sides have each other's token: what one of them invites with, the other expects.
            self.expect(peer, as: self.token, meeting: read.token, by: self.station.id)
        }
    }
}
