import COpenSSL
import Digests
public import Vocabulary

extension Identity {
    /// This machine's signature of some bytes. It is the same each time.
    ///
    /// The caller begins the bytes with words that say what they are, so that a signature of one thing is none of another.
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
    /// Whether the owner of the key has signed some bytes.
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
        // A point that is not on the curve is found out about by the last of these.
        return EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
            && EVP_DigestVerify(context, made, made.count, bytes, bytes.count) == 1
    }
}
