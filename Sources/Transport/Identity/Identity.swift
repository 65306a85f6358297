import COpenSSL
import Digests
public import Vocabulary

/// Who this machine is: an Ed25519 key and the certificate that shows it.
///
/// The key never leaves this value but for its file. Threads may share it: nothing in it changes, and what OpenSSL counts in
/// it, it counts safely.
///
/// `@unchecked Sendable` because the pointers are set once, and OpenSSL's objects behind them are only read.
public final class Identity: @unchecked Sendable {
    /// What others know this machine by.
    public let peerID: PeerID
    /// What others check its signatures with.
    public let publicKey: PublicKey

    let key: OpaquePointer
    let certificate: OpaquePointer
    /// How lanes are dialled and answered as this machine.
    let dialling: LaneContext
    let answering: LaneContext

    /// Takes over both.
    ///
    /// - Returns: nil where the certificate is not one of a peer, or not this key's
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
        dialling = LaneContext(.dialling, key: key, certificate: certificate)
        answering = LaneContext(.answering, key: key, certificate: certificate)
    }

    deinit {
        EVP_PKEY_free(key)
        X509_free(certificate)
    }

    /// A new one that is kept nowhere.
    public static func ephemeral() -> Identity {
        OpenSSLSetUp.ensure()
        let generator = OpenSSLErrors.require(EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, nil), "EVP_PKEY_CTX_new_id")
        defer { EVP_PKEY_CTX_free(generator) }
        OpenSSLErrors.require(EVP_PKEY_keygen_init(generator) == 1, "EVP_PKEY_keygen_init")
        var key: OpaquePointer?
        OpenSSLErrors.require(EVP_PKEY_keygen(generator, &key) == 1, "EVP_PKEY_keygen")
        return signed(OpenSSLErrors.require(key, "EVP_PKEY_keygen"))
    }

    /// The one that follows from 32 secret bytes, kept nowhere: for a simulation.
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
