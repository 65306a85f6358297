import COpenSSL
import Digests

/// The TLS settings that all channels of one machine in one role share: OpenSSL's `SSL_CTX`.
///
/// `@unchecked Sendable` because its initializer completes it before another thread sees it, and OpenSSL lets threads
/// share it from then on.
final class TLSContext: @unchecked Sendable {
    enum Role {
        case dialling
        case answering
    }

    /// The cipher suites. Nearly every processor has instructions for AES; ChaCha20 is for the others.
    private static let suites = "TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256"
    /// The lifetime of a ticket in seconds, longer than that of most links. An expired ticket is ignored and costs a
    /// full handshake.
    private static let ticketSeconds = 24 * 3_600

    let role: Role
    let kind: ChannelProtocol
    private let context: OpaquePointer

    init(_ role: Role, _ kind: ChannelProtocol = .peers, key: OpaquePointer, certificate: OpaquePointer) {
        OpenSSLSetUp.ensure()
        self.role = role
        self.kind = kind
        let method = role == .dialling ? TLS_client_method() : TLS_server_method()
        context = OpenSSLErrors.require(SSL_CTX_new(method), "SSL_CTX_new")
        setProtocol()
        setMemory()
        setIdentity(key, certificate)
        setTickets()
    }

    deinit {
        SSL_CTX_free(context)
    }

    func newConnection() -> OpaquePointer {
        let connection = OpenSSLErrors.require(SSL_new(context), "SSL_new")
        switch role {
        case .dialling: SSL_set_connect_state(connection)
        case .answering: SSL_set_accept_state(connection)
        }
        return connection
    }

    private func setProtocol() {
        OpenSSLErrors.require(
            huddle_ssl_only_tls13(context) == 1 && SSL_CTX_set_ciphersuites(context, Self.suites) == 1
                && huddle_ssl_set_groups(context, kind.groups) == 1
                && huddle_ssl_set_signature_algorithms(context, kind.signatureAlgorithms) == 1,
            "SSL_CTX_set"
        )
        switch role {
        case .dialling:
            let offered = [UInt8(kind.protocolName.count)] + kind.protocolName
            OpenSSLErrors.require(SSL_CTX_set_alpn_protos(context, offered, CUnsignedInt(offered.count)) == 0, "ALPN")
        case .answering:
            SSL_CTX_set_alpn_select_cb(context, Self.chooseProtocol, nil)
        }
    }

    private func setMemory() {
        huddle_ssl_release_idle_buffers(context)
        huddle_ssl_limit_certificates(context, kind.certificateLimit)
    }

    private func setIdentity(_ key: OpaquePointer, _ certificate: OpaquePointer) {
        OpenSSLErrors.require(
            SSL_CTX_use_certificate(context, certificate) == 1 && SSL_CTX_use_PrivateKey(context, key) == 1,
            "SSL_CTX_use"
        )
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        SSL_CTX_set_cert_verify_callback(context, Self.verify, nil)
    }

    /// Sets up tickets. OpenSSL seals them with a random key of its own that lives as long as the process.
    private func setTickets() {
        huddle_ssl_keep_no_sessions(context)
        SSL_CTX_set_timeout(context, Self.ticketSeconds)
        guard role == .answering else { return }
        let name = kind.protocolName
        OpenSSLErrors.require(
            SSL_CTX_set_num_tickets(context, kind.ticketCount) == 1
                && SSL_CTX_set_session_id_context(context, name, CUnsignedInt(name.count)) == 1,
            "SSL_CTX_set_num_tickets"
        )
    }

    private static let chooseProtocol: SSL_CTX_alpn_select_cb_func = {
        @Sendable ssl, chosen, chosenCount, offered, offeredCount, _ in
        guard let chosen, let chosenCount, let owner = huddle_ssl_owner(ssl) else { return SSL_TLSEXT_ERR_ALERT_FATAL }
        let protocolName = Unmanaged<TLSConnection>.fromOpaque(owner).takeUnretainedValue().kind.protocolName
        var rest = UnsafeBufferPointer(start: offered, count: Int(offeredCount))[...]
        while let count = rest.popFirst().map(Int.init), count <= rest.count {
            let name = UnsafeBufferPointer(rebasing: rest.prefix(count))
            if name.elementsEqual(protocolName) {
                (chosen.pointee, chosenCount.pointee) = (name.baseAddress, UInt8(count))
                return SSL_TLSEXT_ERR_OK
            }
            rest = rest.dropFirst(count)
        }
        return SSL_TLSEXT_ERR_ALERT_FATAL
    }

    /// Verifies the certificate in each full handshake. A resumed connection was verified before.
    private static let verify: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> CInt = {
        @Sendable store, _ in
        guard let ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
            let owner = huddle_ssl_owner(OpaquePointer(ssl))
        else { return 0 }
        let connection = Unmanaged<TLSConnection>.fromOpaque(owner).takeUnretainedValue()
        let isAlone = huddle_x509_count(X509_STORE_CTX_get0_untrusted(store)) == 1
        let peerID = isAlone ? X509_STORE_CTX_get0_cert(store).flatMap(connection.kind.peerID) : nil
        let isAccepted = connection.judge(peerID)
        X509_STORE_CTX_set_error(store, isAccepted ? X509_V_OK : X509_V_ERR_APPLICATION_VERIFICATION)
        return isAccepted ? 1 : 0
    }
}
