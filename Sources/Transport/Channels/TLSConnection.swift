import COpenSSL
import Digests
import LinuxPlatform
import Vocabulary

/// One side of a TLS connection: OpenSSL's `SSL` and its results. It never waits; each step says what to wait for.
///
/// `@unchecked Sendable` because threads use it only under the lock of its ``TLSStream``. An `SSL` supports one thread
/// at a time, and each thread has an error queue of OpenSSL.
final class TLSConnection: @unchecked Sendable {
    /// The result of a step.
    enum Step<Value: Sendable>: Sendable {
        case done(Value)
        /// The step must be repeated when the socket is ready for this.
        case blocked(EventLoop.Interest)
        case failed(ChannelError)
    }

    /// The number of bytes that the other side may send before its key is known. A handshake takes about 1,500 bytes.
    static let strangersAllowance = 16 << 10
    /// The number of bytes that are sealed before the socket gets them.
    static let gatheredCount = 64 << 10
    /// The same number with the greatest overhead of TLS.
    private static let gatheredRoom = gatheredCount + 256

    /// The size of the buffer that fetches several records with one call to the kernel. Unknown machines get none,
    /// because it costs memory.
    private static let readAheadCount = 64 << 10

    /// The number of TLS messages without content that the other side may send: a handshake, a ticket, sometimes new
    /// keys.
    private static let freeMessages = 256
    /// The number of received bytes that allow one more such message.
    private static let bytesPerMessage = 1 << 20

    let port: SocketPort
    let kind: ChannelProtocol
    /// The id of the other end, once its key is proven.
    private(set) var peerID: PeerID?
    private let ssl: OpaquePointer
    private let expected: PeerID?
    /// The error for the other side's certificate, if it was refused.
    private var refusal: ChannelError?
    private var failure: ChannelError?
    private var hasEnded = false
    /// The number of received TLS messages without content, and of received bytes.
    private var messageCount = 0
    private var receivedCount = 0

    init(
        _ context: TLSContext,
        over socket: StreamSocket,
        expecting expected: PeerID?,
        resuming ticket: ResumptionTicket?
    ) {
        self.expected = expected
        kind = context.kind
        port = SocketPort(socket, allowance: Self.strangersAllowance)
        ssl = context.newConnection()
        let bio = port.newBIO()
        SSL_set_bio(ssl, bio, bio)
        ticket?.use(for: ssl)
        huddle_ssl_set_owner(ssl, Unmanaged.passUnretained(self).toOpaque())
        SSL_set_msg_callback(ssl, Self.noteMessage)
    }

    deinit {
        SSL_free(ssl)
    }

    // MARK: Handshake

    /// Continues the handshake as far as possible.
    func shakeHands() -> Step<Void> {
        if let failure { return .failed(failure) }
        OpenSSLErrors.forget()
        let answer = SSL_do_handshake(ssl)
        guard answer == 1 else {
            let isWaiting = SSL_get_error(ssl, answer) == SSL_ERROR_WANT_READ
            // The last message, for example an alert, is sent in any case.
            let isFlushed = port.flush()
            return isWaiting ? .blocked(isFlushed ? .readable : .writable) : fail(handshakeFailure())
        }
        guard port.flush() else { return .blocked(.writable) }
        return recognizePeer()
    }

    /// Judges the certificate whose key the other side has proven; `found` is nil for a certificate of another form.
    func judge(_ found: PeerID?) -> Bool {
        guard let found else {
            refusal = .badCertificate
            return false
        }
        if let expected, expected != found {
            refusal = .keyChanged(expected: expected, found: found)
            return false
        }
        peerID = found
        return true
    }

    private func recognizePeer() -> Step<Void> {
        guard hasAgreedOnProtocol else { return fail(.notAPeer("it did not agree on the protocol")) }
        // A resumed connection has its certificate from the ticket, and `judge` has not run for it.
        if peerID == nil, !judge(SSL_get0_peer_certificate(ssl).flatMap(kind.peerID)) {
            return fail(refusal ?? .badCertificate)
        }
        port.allowance = .max
        huddle_ssl_read_ahead(ssl, Self.readAheadCount)
        return .done(())
    }

    private var hasAgreedOnProtocol: Bool {
        var name: UnsafePointer<UInt8>?
        var count: CUnsignedInt = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        return UnsafeBufferPointer(start: name, count: Int(count)).elementsEqual(kind.protocolName)
    }

    private func handshakeFailure() -> ChannelError {
        let error = OpenSSLErrors.take()
        if let refusal { return refusal }
        if port.allowance <= 0 { return .notAPeer("it sent too much before it said who it is") }
        if let lost = Self.loss(error, port.failure) { return lost }
        let alert = huddle_alert_received(error)
        if alert == SSL_AD_NO_APPLICATION_PROTOCOL { return .noCommonVersion }
        if alert >= 0 { return .refused(OpenSSLErrors.sentence(error)) }
        if let other = OtherProtocol(port.beginning) { return .notAPeer("it \(other.sentence)") }
        return huddle_is_missing_certificate(error) == 1 ? .badCertificate : .notAPeer(OpenSSLErrors.sentence(error))
    }

    // MARK: Bytes

    /// Reads received bytes; 0 is the other side's clean end.
    func read(into room: UnsafeMutableRawBufferPointer) -> Step<Int> {
        if let failure { return .failed(failure) }
        if hasEnded { return .done(0) }
        var filled = 0
        repeat {
            var count = 0
            OpenSSLErrors.forget()
            let answer = SSL_read_ex(ssl, room.baseAddress.map { $0 + filled }, room.count - filled, &count)
            filled += count
            receivedCount += count
            if answer != 1 {
                let outcome = noteReadOutcome(answer)
                // Earlier bytes are returned first; the next call returns the failure or the end.
                return filled > 0 ? .done(filled) : outcome
            }
            // Another call to the kernel is worth it only if more has arrived already.
        } while filled < room.count && SSL_has_pending(ssl) == 1
        return .done(filled)
    }

    private func noteReadOutcome(_ answer: CInt) -> Step<Int> {
        switch SSL_get_error(ssl, answer) {
        case SSL_ERROR_WANT_READ: return .blocked(.readable)
        case SSL_ERROR_ZERO_RETURN:
            hasEnded = true
            return .done(0)
        default: return fail(transferFailure())
        }
    }

    /// Seals some of the bytes and sends as many as fit. Returns the number of accepted bytes. They are sent once
    /// ``flush()`` is done.
    func write(_ bytes: UnsafeRawBufferPointer) -> Step<Int> {
        if let failure { return .failed(failure) }
        guard port.flush() else { return .blocked(.writable) }
        let piece = UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.gatheredCount))
        if piece.count > Int(SSL3_RT_MAX_PLAIN_LENGTH) { port.gather(Self.gatheredRoom) }
        var count = 0
        OpenSSLErrors.forget()
        guard SSL_write_ex(ssl, piece.baseAddress, piece.count, &count) == 1 else { return fail(transferFailure()) }
        _ = port.flush()
        return .done(count)
    }

    /// Sends the accepted bytes that are not sent yet.
    func flush() -> Step<Void> {
        if let failure { return .failed(failure) }
        guard port.flush() else { return .blocked(.writable) }
        if let error = port.failure { return fail(.lost(error)) }
        port.releaseMemory()
        return .done(())
    }

    /// Sends the end of this side's bytes.
    func sayGoodbye() {
        guard failure == nil else { return }
        OpenSSLErrors.forget()
        SSL_shutdown(ssl)
        OpenSSLErrors.forget()
    }

    private func transferFailure() -> ChannelError {
        let error = OpenSSLErrors.take()
        if isChatty { return .notAPeer("it kept asking for new keys") }
        if let lost = Self.loss(error, port.failure) { return lost }
        let sentence = OpenSSLErrors.sentence(error)
        return huddle_alert_received(error) >= 0 ? .refused(sentence) : .notAPeer(sentence)
    }

    // MARK: TLS's own messages

    /// True if the other side sends too many messages without content. OpenSSL reads on until content arrives, and
    /// answers every request for new keys. Without this limit, a machine that sends only such requests would block the
    /// thread.
    private var isChatty: Bool { messageCount > Self.freeMessages + receivedCount / Self.bytesPerMessage }

    private static let noteMessage:
        @convention(c) (
            CInt, CInt, CInt, UnsafeRawPointer?, Int, OpaquePointer?, UnsafeMutableRawPointer?
        ) -> Void = { @Sendable isWritten, _, kind, _, _, ssl, _ in
            guard isWritten == 0, kind == SSL3_RT_HANDSHAKE, let owner = huddle_ssl_owner(ssl) else { return }
            let connection = Unmanaged<TLSConnection>.fromOpaque(owner).takeUnretainedValue()
            connection.messageCount += 1
            if connection.isChatty { connection.port.allowance = 0 }
        }

    private static func loss(_ error: UInt, _ cause: SystemError?) -> ChannelError? {
        let isLost = cause != nil || error == 0 || huddle_is_unexpected_end(error) == 1
        return isLost ? .lost(cause) : nil
    }

    private func fail<Value>(_ error: ChannelError) -> Step<Value> {
        failure = error
        return .failed(error)
    }
}

extension TLSConnection {
    /// True if the handshake used a ticket.
    var isResumed: Bool { SSL_session_reused(ssl) == 1 }

    /// Computes a key that only both sides of this connection can compute (RFC 8446, section 7.5).
    func exportKey(label: String, context: [UInt8], count: Int) -> [UInt8] {
        let label = Array(label.utf8)
        var key = [UInt8](repeating: 0, count: count)
        OpenSSLErrors.forget()
        let answer = label.withUnsafeBytes { bytes in
            // because C's text is bytes with a sign, and Swift's is without
            SSL_export_keying_material(
                ssl,
                &key,
                count,
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                label.count,
                context,
                context.count,
                1
            )
        }
        OpenSSLErrors.require(answer == 1, "SSL_export_keying_material")
        return key
    }

    /// A ticket for another connection, once the other side has sent one.
    func ticket() -> ResumptionTicket? {
        // The session of the accepting side can't be used to dial.
        guard SSL_is_server(ssl) == 0 else { return nil }
        guard let peerID, let session = SSL_get_session(ssl), SSL_SESSION_is_resumable(session) == 1 else { return nil }
        return ResumptionTicket(copying: session, of: peerID)
    }
}
