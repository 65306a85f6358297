package import Ledger
import LinuxPlatform
package import SaveRules
package import Session
import SessionRules
package import Vocabulary

extension Node: SaveNetwork {
    /// The seal with which this machine signs versions.
    package nonisolated var seal: VersionSeal { VersionSeal(identity) }

    /// Writes a decision to the audit log, for the user.
    package func audit(_ event: String, about peer: PeerID?, _ details: [AuditEntry.Detail]) {
        note(event, about: peer, details)
    }

    /// Opens a session for saves with a machine, if that machine allows it without asking its user.
    package func openSaves(with peer: PeerID, patience: Duration) async throws -> any SaveSession {
        let session = session(
            SessionConfiguration(name: PairSession.label, topology: .pair, invitesAgain: false)
        )
        do {
            try await invite(.peer(peer), to: session, context: SaveConfiguration.context, patience: patience)
            // If the other machine has opened one meanwhile, both sides decide by the same rule which of the two stays.
            return PairSession(session, with: peer)
        } catch {
            session.leave()
            throw error
        }
    }
}

/// A session of two machines.
@Engine
final class PairSession: SaveSession {
    private let session: Session
    private let peer: PeerID

    init(_ session: Session, with peer: PeerID) { (self.session, self.peer) = (session, peer) }

    var host: PeerID { session.host }
    var peerName: String? { session.name(of: peer)?.description }
    var allowance: Allowance { session.allowance(of: peer) }

    func next() async -> SaveSessionEvent? {
        while let event = await session.events.next() {
            switch event {
            case .away(let other, let reason) where other == peer: return .away(reason)
            case .returned(let other) where other == peer: return .returned
            case .departed(let other, let reason) where other == peer: return .departed(reason)
            case .message(let message) where message.peer == peer && message.isReliable: return .message(message.bytes)
            case .stream(let stream) where stream.peer == peer: return .stream(stream)
            case .joined, .away, .returned, .departed, .message, .stream, .resource: continue
            }
        }
        return nil
    }

    func send(_ bytes: [UInt8]) async throws { try await session.send(bytes, to: [peer]) }

    func openStream() async throws -> any OutgoingBytes { try await session.openStream(named: Self.label, to: peer) }

    func leave(because reason: PartingReason) { session.leave(because: reason) }

    /// The name of sessions and streams for saves.
    static let label: Label = {
        guard let label = try? Label("saves") else { preconditionFailure("a word is a label") }
        return label
    }()
}

extension OutgoingStream: OutgoingBytes {}
extension IncomingStream: IncomingBytes {}
