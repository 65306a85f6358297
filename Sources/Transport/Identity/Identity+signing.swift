import COpenSSL
import Digests
public import Vocabulary

extension Identity {
    /// Signs bytes with this machine's key. Ed25519 gives the same signature each time.
    ///
    /// The bytes must begin with words that name their kind, so that a signature of one kind of content is invalid for
    /// another.
    public func signature(of bytes: [UInt8]) -> Signature {
        let context = OpenSSLErrors.require(EVP_MD_CTX_new(), "EVP_MD_CTX_new")
        defer { EVP_MD_CTX_free(context) }
        var (made, count) = ([UInt8](repeating: 0, count: Signature.byteCount), Signature.byteCount)
        OpenSSLErrors.require(
            EVP_DigestSignInit(context, nil, nil, nil, key) == 1
                && EVP_DigestSign(context, &made, &count, bytes, bytes.count) == 1,
            "EVP_DigestSign"
        )
        return OpenSSLErrors.require(Signature(bytes: made), "EVP_DigestSign")
    }
}

extension PublicKey {
    /// Returns true if the owner of the key has signed the bytes.
    @Sendable
    public func hasSigned(_ bytes: [UInt8], _ signature: Signature) -> Bool {
        OpenSSLSetUp.ensure()
        OpenSSLErrors.forget()
        defer { OpenSSLErrors.forget() }
        guard let key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, self.bytes, self.bytes.count) else {
            return false
        }
        defer { EVP_PKEY_free(key) }
        let context = OpenSSLErrors.require(EVP_MD_CTX_new(), "EVP_MD_CTX_new")
        defer { EVP_MD_CTX_free(context) }
        let made = signature.bytes
        // The last of these calls fails for a key that is not a point of the curve.
        return EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
            && EVP_DigestVerify(context, made, made.count, bytes, bytes.count) == 1
    }
}
