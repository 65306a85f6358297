import COpenSSL
import Glibc
import LinuxPlatform
import Testing
public import TestSupport

/// The other side of a TLS connection under control of the test. It can break rules that Huddle's peers follow. It
/// blocks its thread.
///
/// `@unchecked Sendable` because one thread at a time uses it.
public final class RawPeer: @unchecked Sendable {
    /// The difference to a normal peer.
    public enum Oddity: String, CaseIterable, Sendable {
        case none, noCertificate, rsaCertificate, twoCertificates, foreignSignature, expired, oldTLS, otherProtocol,
            noProtocol
    }

    /// Its socket.
    public let socket: BlockingSocket
    private let ssl: OpaquePointer
    private let context: OpaquePointer

    /// A peer that sends nothing before it connects or accepts.
    public init(_ oddity: Oddity, isServer: Bool = false, over socket: BlockingSocket) throws {
        self.socket = socket
        context = try #require(SSL_CTX_new(isServer ? TLS_server_method() : TLS_client_method()))
        Self.setProtocol(oddity, isServer, context)
        if oddity != .noCertificate { try Self.setCertificate(oddity, context) }
        ssl = try #require(SSL_new(context))
        SSL_set_fd(ssl, socket.descriptor.number)
    }

    deinit {
        SSL_free(ssl)
        SSL_CTX_free(context)
    }

    /// Performs the handshake as the side that dials.
    public func connect() -> Bool {
        Self.spareThisThreadFromBrokenPipes()
        return SSL_connect(ssl) == 1
    }

    /// Performs the handshake as the side that answers.
    public func accept() -> Bool {
        Self.spareThisThreadFromBrokenPipes()
        return SSL_accept(ssl) == 1
    }

    /// Sends bytes. Returns true if all of them were sent.
    public func send(_ bytes: [UInt8]) -> Bool { SSL_write(ssl, bytes, CInt(bytes.count)) == CInt(bytes.count) }
    /// Changes its own keys and asks the other side to change theirs.
    public func askForNewKeys() -> Bool {
        SSL_key_update(ssl, SSL_KEY_UPDATE_REQUESTED) == 1 && SSL_do_handshake(ssl) == 1
    }

    /// The next bytes; nil at the end.
    public func receive(upTo limit: Int) -> [UInt8]? {
        var room = [UInt8](repeating: 0, count: limit)
        let count = SSL_read(ssl, &room, CInt(limit))
        return count > 0 ? Array(room.prefix(Int(count))) : nil
    }

    /// Blocks SIGPIPE, which OpenSSL's own sockets raise, for this thread. For the whole program it would hide a fault
    /// of Huddle.
    private static func spareThisThreadFromBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private static func setProtocol(_ oddity: Oddity, _ isServer: Bool, _ context: OpaquePointer) {
        if oddity == .oldTLS {
            huddle_test_only_tls12(context)
        }
        let name = Array((oddity == .otherProtocol ? "http/1.1" : "huddle/2").utf8)
        let offer = [UInt8(name.count)] + name
        if oddity != .noProtocol, !isServer { SSL_CTX_set_alpn_protos(context, offer, CUnsignedInt(offer.count)) }
        guard isServer, oddity != .noProtocol else { return }
        SSL_CTX_set_alpn_select_cb(
            context,
            { @Sendable _, chosen, count, offered, _, _ in
                chosen?.pointee = offered.map { $0 + 1 }
                count?.pointee = 8
                return SSL_TLSEXT_ERR_OK
            },
            nil
        )
    }

    private static func setCertificate(_ oddity: Oddity, _ context: OpaquePointer) throws {
        let key = try newKey(isRSA: oddity == .rsaCertificate)
        let other = try newKey(isRSA: false)
        defer {
            EVP_PKEY_free(key)
            EVP_PKEY_free(other)
        }
        let signer = oddity == .foreignSignature ? other : key
        let certificate = try newCertificate(key, signedBy: signer, isExpired: oddity == .expired)
        defer { X509_free(certificate) }
        SSL_CTX_use_certificate(context, certificate)
        SSL_CTX_use_PrivateKey(context, key)
        if oddity == .twoCertificates {
            huddle_test_add_chain_certificate(context, try newCertificate(other, signedBy: other, isExpired: false))
        }
    }

    private static func newKey(isRSA: Bool) throws -> OpaquePointer {
        let generator = try #require(EVP_PKEY_CTX_new_id(isRSA ? EVP_PKEY_RSA : EVP_PKEY_ED25519, nil))
        defer { EVP_PKEY_CTX_free(generator) }
        var key: OpaquePointer?
        try #require(EVP_PKEY_keygen_init(generator) == 1 && EVP_PKEY_keygen(generator, &key) == 1)
        return try #require(key)
    }

    private static func newCertificate(
        _ key: OpaquePointer,
        signedBy signer: OpaquePointer,
        isExpired: Bool
    ) throws -> OpaquePointer {
        let certificate = try #require(X509_new())
        X509_set_version(certificate, 2)
        ASN1_TIME_set_string_X509(X509_getm_notBefore(certificate), "19700101000000Z")
        let end = isExpired ? "19710101000000Z" : "20990101000000Z"
        ASN1_TIME_set_string_X509(X509_getm_notAfter(certificate), end)
        X509_set_pubkey(certificate, key)
        let digest = EVP_PKEY_get_id(signer) == EVP_PKEY_RSA ? EVP_sha256() : nil
        try #require(X509_sign(certificate, signer, digest) > 0)
        return certificate
    }
}
