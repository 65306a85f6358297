import COpenSSL
public import Vocabulary

/// A ticket of an earlier channel to the same peer, sealed by the side that accepted it. It shortens the handshake.
///
/// Several channels may use it, any number of times, at once. If the other side no longer accepts it, for example after
/// a restart, the handshake is a full one, which only takes longer.
///
/// `@unchecked Sendable` because the session behind it is a copy of its own that nothing changes.
public final class ResumptionTicket: @unchecked Sendable {
    /// The peer that gave the ticket.
    public let peerID: PeerID

    private let session: OpaquePointer

    /// Copies a session, because OpenSSL invalidates the session of a connection that ends without a clean end.
    init?(copying session: OpaquePointer, of peerID: PeerID) {
        guard let copy = SSL_SESSION_dup(session) else { return nil }
        self.session = copy
        self.peerID = peerID
    }

    deinit {
        SSL_SESSION_free(session)
    }

    func use(for connection: OpaquePointer) {
        guard let copy = SSL_SESSION_dup(session) else { return }
        defer { SSL_SESSION_free(copy) }
        SSL_set_session(connection, copy)
    }
}
