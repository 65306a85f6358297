import Ledger
import Vocabulary

/// The part of the ledger that a node needs. A change is safe once its call returns.
protocol PeerStore: Sendable {
    func peer(_ id: PeerID) async throws -> KnownPeer?
    func peers() async throws -> Listed<KnownPeer>
    func keysFor(name: InstanceName) async throws -> Listed<KnownPeer>
    func pin(_ id: PeerID, name: InstanceName?, note: Label?) async throws
    /// Notes that a peer is online. Returns false for an unknown peer, which is not stored.
    @discardableResult
    func saw(_ id: PeerID, as name: InstanceName?, at address: HostAndPort?) async throws -> Bool
    func forget(_ id: PeerID) async throws -> Bool

    func setPolicy(_ policy: Policy?, for id: PeerID, name: InstanceName?) async throws
    func unblock(_ id: PeerID) async throws -> Policy?
    func setPermissions(_ permissions: Permissions, for id: PeerID) async throws
    func defaultPolicy() async throws -> Policy
    func setDefaultPolicy(_ policy: Policy) async throws

    func counter(_ scope: CounterScope) async throws -> Counter
    func set(_ counter: Counter, for scope: CounterScope) async throws
    @discardableResult
    func change(_ scope: CounterScope, _ change: @Sendable (inout Counter) -> Void) async throws -> Counter

    func putBefore(_ invitation: WaitingInvitation) async throws
    @discardableResult
    func removeInvitation(_ id: InvitationID) async throws -> Bool
    func removeExpiredInvitations() async throws

    func port() async throws -> UInt16?
    func keepPort(_ port: UInt16) async throws

    func note(
        _ event: String,
        about peer: PeerID?,
        _ details: [AuditEntry.Detail],
        of origin: Ledger.AuditOrigin
    ) async throws

    /// An element for each change by another program from now on.
    func otherChanges() async throws -> any AsyncSequence<Void, any Error> & Sendable
}

extension PeerStore {
    func note(_ event: String, about peer: PeerID?, _ details: [AuditEntry.Detail] = []) async throws {
        try await note(event, about: peer, details, of: .household)
    }
}

extension Ledger: PeerStore {
    func pin(_ id: PeerID, name: InstanceName?, note: Label?) throws {
        try pin(id, name: name, permissions: nil, note: note)
    }

    @discardableResult
    func saw(_ id: PeerID, as name: InstanceName?, at address: HostAndPort?) throws -> Bool {
        try saw(id, as: name, at: address, time: .now)
    }

    func putBefore(_ invitation: WaitingInvitation) async throws { try await invitations.put(invitation) }

    @discardableResult
    func removeInvitation(_ id: InvitationID) async throws -> Bool { try await invitations.remove(id) }

    func removeExpiredInvitations() async throws { try await invitations.removeExpired() }

    func note(
        _ event: String,
        about peer: PeerID?,
        _ details: [AuditEntry.Detail],
        of origin: Ledger.AuditOrigin
    ) throws {
        try note(event, about: peer, details, of: origin, at: .now)
    }

    func otherChanges() throws -> any AsyncSequence<Void, any Error> & Sendable { try changes() }
}
