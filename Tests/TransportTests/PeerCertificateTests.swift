import COpenSSL
import Digests
import Testing
import Vocabulary

@testable import Transport

/// Certificates that OpenSSL accepts although their key proves nothing.
@Suite("A certificate whose key proves nothing", .timeLimit(.minutes(5)))
struct PeerCertificateTests {
    /// The neutral point. With it as the key, the signature of that point and the factor 0 fits every message.
    private static let neutral: [UInt8] = [1] + [UInt8](repeating: 0, count: 31)

    @Test("A certificate that anyone could sign has no owner, though its signature is right")
    func neutralKey() throws {
        let certificate = try certificate(of: Self.neutral, signature: Self.neutral + [UInt8](repeating: 0, count: 32))
        defer { X509_free(certificate) }
        try #require(X509_verify(certificate, X509_get0_pubkey(certificate)) == 1)
        #expect(PeerCertificate.peerID(of: certificate) == nil)
    }

    /// Its DER form ends in the 64 bytes of the signature.
    private func certificate(of key: [UInt8], signature: [UInt8]) throws -> OpaquePointer {
        OpenSSLSetUp.ensure()
        let shown = try #require(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, key, key.count))
        let signer = Identity.ephemeral()
        let draft = PeerCertificate.selfSigned(signer.key)
        defer {
            X509_free(draft)
            EVP_PKEY_free(shown)
        }
        try #require(X509_set_pubkey(draft, shown) == 1 && X509_sign(draft, signer.key, nil) > 0)
        var start: UnsafeMutablePointer<UInt8>?
        let count = Int(i2d_X509(draft, &start))
        try #require(count > signature.count)
        let bytes = Array(UnsafeBufferPointer(start: start, count: count))
        CRYPTO_free(start, #file, #line)
        let forged = bytes.dropLast(signature.count) + signature
        return try #require(
            forged.withUnsafeBufferPointer { room in
                var next = room.baseAddress
                return d2i_X509(nil, &next, room.count)
            }
        )
    }
}
