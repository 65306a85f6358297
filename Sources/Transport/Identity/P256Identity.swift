import COpenSSL
import Digests

/// A P-256 key with a certificate of its own, for programs that take no Ed25519 key.
enum P256Identity {
    /// True for a text in PEM that holds such a key and its certificate.
    static func isValid(_ text: [UInt8]) -> Bool {
        OpenSSLSetUp.ensure()
        OpenSSLErrors.forget()
        defer { OpenSSLErrors.forget() }
        guard let (key, certificate) = Identity.parts(of: text) else { return false }
        defer {
            EVP_PKEY_free(key)
            X509_free(certificate)
        }
        return EVP_PKEY_get_id(key) == EVP_PKEY_EC && X509_check_private_key(certificate, key) == 1
    }

    /// Makes a key and its certificate in PEM.
    ///
    /// - Parameter subject: the common name of the certificate
    static func make(for subject: String) -> [UInt8] {
        OpenSSLSetUp.ensure()
        let generator = OpenSSLErrors.require(EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil), "EVP_PKEY_CTX_new_id")
        defer { EVP_PKEY_CTX_free(generator) }
        OpenSSLErrors.require(
            EVP_PKEY_keygen_init(generator) == 1 && EVP_PKEY_CTX_set_group_name(generator, "P-256") == 1,
            "EVP_PKEY_keygen_init"
        )
        var made: OpaquePointer?
        OpenSSLErrors.require(EVP_PKEY_keygen(generator, &made) == 1, "EVP_PKEY_keygen")
        let key = OpenSSLErrors.require(made, "EVP_PKEY_keygen")
        let certificate = PeerCertificate.selfSigned(key, for: subject, digest: EVP_sha256())
        defer {
            EVP_PKEY_free(key)
            X509_free(certificate)
        }
        return Identity.text(of: key, certificate)
    }
}
