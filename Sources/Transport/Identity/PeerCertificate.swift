import COpenSSL
import Digests
import Vocabulary

/// The only form of certificate that peers have: Ed25519, signed by its own key.
///
/// Names and dates in it are ignored. No authority vouches for the name. Clocks in a household are wrong: after a flat
/// battery it is 1970, and the machine is still the same.
enum PeerCertificate {
    /// The public key in a certificate; nil unless it has this form.
    static func publicKey(of certificate: OpaquePointer) -> PublicKey? {
        OpenSSLErrors.forget()
        defer { OpenSSLErrors.forget() }
        guard let key = X509_get0_pubkey(certificate), EVP_PKEY_get_id(key) == EVP_PKEY_ED25519,
            let publicKey = rawKey(key), isSelfSigned(certificate, by: key)
        else { return nil }
        return publicKey
    }

    /// The id of the certificate's peer; nil unless it has this form.
    static func peerID(of certificate: OpaquePointer) -> PeerID? {
        // Computed from the key, because a certificate could encode the same key in more than one way.
        publicKey(of: certificate).map { PeerID(of: $0, hashedBy: Digest.sha256) }
    }

    private static func isSelfSigned(_ certificate: OpaquePointer, by key: OpaquePointer) -> Bool {
        let subject = X509_get_subject_name(certificate)
        let issuer = X509_get_issuer_name(certificate)
        return X509_NAME_cmp(subject, issuer) == 0 && X509_verify(certificate, key) == 1
    }

    private static func rawKey(_ key: OpaquePointer) -> PublicKey? {
        var raw = [UInt8](repeating: 0, count: PublicKey.byteCount)
        var count = raw.count
        guard EVP_PKEY_get_raw_public_key(key, &raw, &count) == 1 else { return nil }
        return PublicKey(bytes: raw.prefix(count))
    }

    /// Makes a certificate for a key: a fixed subject, a random serial number, and dates that never expire.
    ///
    /// - Parameters:
    ///   - subject: the common name
    ///   - digest: the digest to sign; nil for Ed25519, which includes one
    static func selfSigned(
        _ key: OpaquePointer,
        for subject: String = "huddle",
        digest: OpaquePointer? = nil
    ) -> OpaquePointer {
        let certificate = OpenSSLErrors.require(X509_new(), "X509_new")
        OpenSSLErrors.require(X509_set_version(certificate, 2) == 1, "X509_set_version")
        setRandomNumber(certificate)
        OpenSSLErrors.require(
            ASN1_TIME_set_string_X509(X509_getm_notBefore(certificate), "20000101000000Z") == 1
                && ASN1_TIME_set_string_X509(X509_getm_notAfter(certificate), "99991231235959Z") == 1,
            "ASN1_TIME_set_string_X509"
        )
        let name = X509_get_subject_name(certificate)
        OpenSSLErrors.require(
            X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_FLAG | 1, subject, -1, -1, 0) == 1
                && X509_set_issuer_name(certificate, name) == 1,
            "X509_NAME_add_entry_by_txt"
        )
        OpenSSLErrors.require(X509_set_pubkey(certificate, key) == 1, "X509_set_pubkey")
        OpenSSLErrors.require(X509_sign(certificate, key, digest) > 0, "X509_sign")
        return certificate
    }

    private static func setRandomNumber(_ certificate: OpaquePointer) {
        var bytes = RandomBytes.make(16)
        // The number is positive and of full length.
        bytes[0] = bytes[0] & 0x7F | 0x40
        let number = OpenSSLErrors.require(BN_bin2bn(bytes, CInt(bytes.count), nil), "BN_bin2bn")
        defer { BN_free(number) }
        let done = BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate))
        OpenSSLErrors.require(done != nil, "BN_to_ASN1_INTEGER")
    }
}
