import COpenSSL
import Digests
public import Vocabulary

/// The identity of this machine: an Ed25519 key and its certificate.
///
/// The key never leaves this object except into its file. Threads may share the object: nothing in it changes, and
/// OpenSSL's reference counts are atomic.
///
/// `@unchecked Sendable` because the pointers are set once, and OpenSSL's objects behind them are only read.
public final class Identity: @unchecked Sendable {
    /// The id by which other machines know this one.
    public let peerID: PeerID
    /// The key with which other machines check its signatures.
    public let publicKey: PublicKey

    let key: OpaquePointer
    let certificate: OpaquePointer
    /// The TLS settings for dialing and for accepting channels.
    let dialling: TLSContext
    let answering: TLSContext

    /// Takes ownership of a key and its certificate.
    ///
    /// - Returns: nil if the certificate is no peer's, or not of this key
    init?(takingOwnershipOf key: OpaquePointer, _ certificate: OpaquePointer) {
        OpenSSLErrors.forget()
        defer { OpenSSLErrors.forget() }
        self.key = key
        self.certificate = certificate
        guard let publicKey = PeerCertificate.publicKey(of: certificate), X509_check_private_key(certificate, key) == 1
        else {
            EVP_PKEY_free(key)
            X509_free(certificate)
            return nil
        }
        self.publicKey = publicKey
        peerID = PeerID(of: publicKey, hashedBy: Digest.sha256)
        dialling = TLSContext(.dialling, key: key, certificate: certificate)
        answering = TLSContext(.answering, key: key, certificate: certificate)
    }

    deinit {
        EVP_PKEY_free(key)
        X509_free(certificate)
    }

    /// Makes a new identity that is not stored.
    public static func ephemeral() -> Identity {
        OpenSSLSetUp.ensure()
        let generator = OpenSSLErrors.require(EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, nil), "EVP_PKEY_CTX_new_id")
        defer { EVP_PKEY_CTX_free(generator) }
        OpenSSLErrors.require(EVP_PKEY_keygen_init(generator) == 1, "EVP_PKEY_keygen_init")
        var key: OpaquePointer?
        OpenSSLErrors.require(EVP_PKEY_keygen(generator, &key) == 1, "EVP_PKEY_keygen")
        return signed(OpenSSLErrors.require(key, "EVP_PKEY_keygen"))
    }

    /// Derives an identity from 32 secret bytes, for a simulation. It is not stored.
    package static func derived(from secret: [UInt8]) -> Identity {
        OpenSSLSetUp.ensure()
        let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, secret, secret.count)
        return signed(OpenSSLErrors.require(key, "EVP_PKEY_new_raw_private_key"))
    }

    private static func signed(_ key: OpaquePointer) -> Identity {
        let identity = Identity(takingOwnershipOf: key, PeerCertificate.selfSigned(key))
        return OpenSSLErrors.require(identity, "X509_check_private_key")
    }
}
