import COpenSSL
import Digests

extension Identity {
    /// The key and the certificate in PEM, as the file holds them.
    var text: [UInt8] { Self.text(of: key, certificate) }

    /// A key and its certificate in PEM.
    static func text(of key: OpaquePointer, _ certificate: OpaquePointer) -> [UInt8] {
        let memory = OpenSSLErrors.require(BIO_new(BIO_s_mem()), "BIO_new")
        defer { BIO_free(memory) }
        OpenSSLErrors.require(
            PEM_write_bio_PKCS8PrivateKey(memory, key, nil, nil, 0, nil, nil) == 1
                && PEM_write_bio_X509(memory, certificate) == 1,
            "PEM_write_bio"
        )
        var start: UnsafeMutablePointer<CChar>?
        let count = huddle_bio_memory(memory, &start)
        let whole = UnsafeRawBufferPointer(start: start, count: count)
        defer { OPENSSL_cleanse(start, count) }
        return [UInt8](whole)
    }

    /// Reads the form that ``text`` writes; nil for any other.
    static func reading(_ text: [UInt8]) -> Identity? {
        OpenSSLSetUp.ensure()
        OpenSSLErrors.forget()
        defer { OpenSSLErrors.forget() }
        return parts(of: text).flatMap { Identity(takingOwnershipOf: $0.key, $0.certificate) }
    }

    /// Reads a key and a certificate in PEM, which the caller frees; nil for any other text.
    static func parts(of text: [UInt8]) -> (key: OpaquePointer, certificate: OpaquePointer)? {
        guard let key = withMemory(of: text, { PEM_read_bio_PrivateKey($0, nil, refusePassword, nil) }) else {
            return nil
        }
        guard let certificate = withMemory(of: text, { PEM_read_bio_X509($0, nil, refusePassword, nil) }) else {
            EVP_PKEY_free(key)
            return nil
        }
        return (key, certificate)
    }

    private static func withMemory(of text: [UInt8], _ read: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
        text.withUnsafeBytes { bytes in
            guard let memory = BIO_new_mem_buf(bytes.baseAddress, CInt(bytes.count)) else { return nil }
            defer { BIO_free(memory) }
            return read(memory)
        }
    }

    /// Refuses a password. Without this, OpenSSL would ask for one on the terminal.
    private static let refusePassword:
        @convention(c) (UnsafeMutablePointer<CChar>?, CInt, CInt, UnsafeMutableRawPointer?) -> CInt = {
            @Sendable _, _, _, _ in -1
        }
}
