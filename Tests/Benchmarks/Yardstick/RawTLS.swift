import COpenSSL
import Glibc

/// The comparison: OpenSSL as in a C program, with calls that block a thread. It has the same protocol, cipher suite
/// and kind of key, and accepts all certificates.
///
/// `@unchecked Sendable` because it is used by one thread at a time, as a blocking socket is.
public final class RawTLS: @unchecked Sendable {
    private let ssl: OpaquePointer
    private let socket: AnyObject

    /// The identity of one side, which several connections share.
    ///
    /// `@unchecked Sendable` because OpenSSL allows threads to share it once it is set up.
    public final class Context: @unchecked Sendable {
        let pointer: OpaquePointer

        /// - Parameter identityFile: the key and the certificate, as PEM
        public init(isServer: Bool, identityFile: String) {
            pointer = require(SSL_CTX_new(isServer ? TLS_server_method() : TLS_client_method()))
            let accept: @convention(c) (CInt, OpaquePointer?) -> CInt = { @Sendable _, _ in 1 }
            precondition(huddle_ssl_only_tls13(pointer) == 1)
            precondition(SSL_CTX_set_ciphersuites(pointer, "TLS_AES_128_GCM_SHA256") == 1)
            precondition(huddle_ssl_set_groups(pointer, "X25519") == 1)
            precondition(SSL_CTX_use_certificate_file(pointer, identityFile, SSL_FILETYPE_PEM) == 1)
            precondition(SSL_CTX_use_PrivateKey_file(pointer, identityFile, SSL_FILETYPE_PEM) == 1)
            SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, accept)
            precondition(SSL_CTX_set_session_id_context(pointer, "raw", 3) == 1)
            precondition(SSL_CTX_set_num_tickets(pointer, 1) == 1)
        }
    }

    /// - Parameters:
    ///   - descriptor: a connected socket whose calls block
    ///   - socket: the owner of the descriptor
    public init(_ context: Context, _ descriptor: CInt, heldBy socket: AnyObject) {
        ssl = require(SSL_new(context.pointer))
        self.socket = socket
        SSL_set_fd(ssl, descriptor)
    }

    deinit {
        SSL_free(ssl)
    }

    /// The dialler's handshake.
    public func connect(resuming session: OpaquePointer? = nil) {
        if let session { SSL_set_session(ssl, session) }
        precondition(SSL_connect(ssl) == 1)
    }

    /// The answerer's handshake.
    public func accept() {
        precondition(SSL_accept(ssl) == 1)
    }

    /// The ticket with which another connection can be resumed.
    public var session: OpaquePointer? { SSL_get1_session(ssl) }

    /// Writes all bytes.
    public func write(_ bytes: UnsafeRawBufferPointer) {
        var count = 0
        precondition(SSL_write_ex(ssl, bytes.baseAddress, bytes.count, &count) == 1 && count == bytes.count)
    }

    /// Reads the arrived bytes, at least one.
    public func read(into room: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        precondition(SSL_read_ex(ssl, room.baseAddress, room.count, &count) == 1)
        return count
    }
}

private func require(_ pointer: OpaquePointer?) -> OpaquePointer {
    guard let pointer else { preconditionFailure("OpenSSL gave nothing") }
    return pointer
}
