import COpenSSL
import Digests
import LinuxPlatform
import Vocabulary

/// One side of one TLS connection: OpenSSL's `SSL`, and what it comes to. It never waits; each step says what to wait for.
///
/// `@unchecked Sendable` because it is reached only under the lock of its ``LaneStream``: OpenSSL's object is not made for two
/// threads, and its list of errors is each thread's own.
final class TLSConnection: @unchecked Sendable {
    /// What a step came to.
    enum Step<Value: Sendable>: Sendable {
        case done(Value)
        /// Again when the socket is ready for this.
        case blocked(EventLoop.Interest)
        case failed(LaneError)
    }

    /// What a stranger may send before it is known who that is. A handshake takes about 1,500 bytes.
    static let strangersAllowance = 16 << 10
    /// How much is sealed before the socket is asked to take it.
    static let gatheredCount = 64 << 10
    /// What TLS adds to that, at most.
    private static let gatheredRoom = gatheredCount + 256

    /// Several records are fetched with one call to the kernel; not from strangers, for whom it would be memory.
    private static let readAheadCount = 64 << 10

    /// How many messages of TLS's own one may send that bring no bytes: a handshake, a ticket, now and then new keys.
    private static let freeMessages = 256
    /// How many bytes have to come for each one more.
    private static let bytesPerMessage = 1 << 20

    let port: SocketPort
    /// Who is at the other end, once that is proven.
    private(set) var peerID: PeerID?
    private let ssl: OpaquePointer
    private let expected: PeerID?
    /// What the other side's certificate came to, where it was refused.
    private var refusal: LaneError?
    private var failure: LaneError?
    private var hasEnded = false
    /// How many messages of TLS's own have come, and how many bytes.
    private var messageCount = 0
    private var receivedCount = 0

    init(_ context: LaneContext, over socket: StreamSocket, expecting expected: PeerID?, resuming ticket: LaneTicket?) {
        self.expected = expected
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

    /// Goes on with the handshake as far as it gets.
    func shakeHands() -> Step<Void> {
        if let failure { return .failed(failure) }
        OpenSSLErrors.forget()
        let answer = SSL_do_handshake(ssl)
        guard answer == 1 else {
            let isWaiting = SSL_get_error(ssl, answer) == SSL_ERROR_WANT_READ
            // What was said last, an alert for one, goes out in any case.
            let isFlushed = port.flush()
            return isWaiting ? .blocked(isFlushed ? .readable : .writable) : fail(handshakeFailure())
        }
        guard port.flush() else { return .blocked(.writable) }
        return recognizePeer()
    }

    /// Judges the certificate that the other side proved to have the key of; nil is one that no peer has.
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
        // A resumed connection has its certificate from the ticket, and nobody has judged it for this one.
        if peerID == nil, !judge(SSL_get0_peer_certificate(ssl).flatMap(PeerCertificate.peerID)) {
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
        return UnsafeBufferPointer(start: name, count: Int(count)).elementsEqual(LaneContext.protocolName)
    }

    private func handshakeFailure() -> LaneError {
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

    /// Reads what has come; 0 is the other side's clean end.
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
                // What came before has to be handed out first; a failure or the end is remembered for the next call.
                return filled > 0 ? .done(filled) : outcome
            }
            // Asking the kernel again is worth it only where more has come already.
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

    /// Seals some of the bytes and sends as much as there is room for. Answers how many have been taken; they have gone once
    /// ``flush()`` says so.
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

    /// Sends what has been taken and not sent.
    func flush() -> Step<Void> {
        if let failure { return .failed(failure) }
        guard port.flush() else { return .blocked(.writable) }
        if let error = port.failure { return fail(.lost(error)) }
        port.releaseMemory()
        return .done(())
    }

    /// Says that nothing more will be sent.
    func sayGoodbye() {
        guard failure == nil else { return }
        OpenSSLErrors.forget()
        SSL_shutdown(ssl)
        OpenSSLErrors.forget()
    }

    private func transferFailure() -> LaneError {
        let error = OpenSSLErrors.take()
        if isChatty { return .notAPeer("it kept asking for new keys") }
        if let lost = Self.loss(error, port.failure) { return lost }
        let sentence = OpenSSLErrors.sentence(error)
        return huddle_alert_received(error) >= 0 ? .refused(sentence) : .notAPeer(sentence)
    }

    // MARK: TLS's own messages

    /// OpenSSL reads on until bytes come, however many requests for new keys come instead, and answers each of them. Whoever
    /// sends nothing else would keep the thread for itself, so nothing more is read from it.
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

    private static func loss(_ error: UInt, _ cause: SystemError?) -> LaneError? {
        let isLost = cause != nil || error == 0 || huddle_is_unexpected_end(error) == 1
        return isLost ? .lost(cause) : nil
    }

    private func fail<Value>(_ error: LaneError) -> Step<Value> {
        failure = error
        return .failed(error)
    }
}

extension TLSConnection {
    /// Whether the handshake was a short one, upon a ticket.
    var isResumed: Bool { SSL_session_reused(ssl) == 1 }

    /// A key that both sides of this connection, and nobody else, can compute (RFC 8446, section 7.5).
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

    /// What a further connection can begin with, once the other side has sent it.
    func ticket() -> LaneTicket? {
        // What the answering side has of a session leads nowhere.
        guard SSL_is_server(ssl) == 0 else { return nil }
        guard let peerID, let session = SSL_get_session(ssl), SSL_SESSION_is_resumable(session) == 1 else { return nil }
        return LaneTicket(copying: session, of: peerID)
    }
}
