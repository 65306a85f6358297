import COpenSSL
public import Vocabulary

/// What a lane can be dialled with so that the handshake is short: the answering side's sealed word about an earlier one.
///
/// It may be used any number of times, by several lanes at once. A side that no longer takes it, for one because it was
/// restarted, makes a whole handshake instead, and nobody notices but for the time.
///
/// `@unchecked Sendable` because the session behind it is a copy of its own that nobody changes.
public final class LaneTicket: @unchecked Sendable {
    /// Whose machine it leads to.
    public let peerID: PeerID

    private let session: OpaquePointer

    /// OpenSSL spoils the session of a connection that ends without a goodbye, so each has its own.
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
