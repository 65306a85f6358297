import COpenSSL

/// MD5 over bytes that arrive in parts, for protocols of others that name files by it or log in with it. It proves
/// nothing.
public struct MD5Stream: ~Copyable {
    /// The size of a digest in bytes.
    public static let byteCount = 16

    private let context: OpaquePointer

    /// An empty stream.
    public init() {
        OpenSSLSetUp.ensure()
        context = OpenSSLErrors.require(EVP_MD_CTX_new(), "EVP_MD_CTX_new")
        OpenSSLErrors.require(EVP_DigestInit_ex2(context, EVP_md5(), nil) == 1, "EVP_DigestInit_ex2")
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    /// Adds the next bytes.
    public mutating func update(_ bytes: [UInt8]) {
        OpenSSLErrors.require(EVP_DigestUpdate(context, bytes, bytes.count) == 1, "EVP_DigestUpdate")
    }

    /// The digest of all bytes. The stream must not be used afterwards.
    public mutating func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Self.byteCount)
        OpenSSLErrors.require(EVP_DigestFinal_ex(context, &digest, nil) == 1, "EVP_DigestFinal_ex")
        return digest
    }

    /// The digest of some bytes, as 32 hexadecimal digits.
    public static func hexadecimal(of bytes: [UInt8]) -> String {
        var stream = MD5Stream()
        stream.update(bytes)
        return text(of: stream.finish())
    }

    /// A digest as 32 hexadecimal digits.
    public static func text(of digest: [UInt8]) -> String {
        digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
