import COpenSSL
import Digests
public import LinuxPlatform
import Vocabulary

/// A key and its certificate for browsers on other machines.
///
/// No browser takes an Ed25519 certificate, so this is a P-256 key of its own. The key is stored, because a browser warns
/// about each new certificate.
public struct BrowserIdentity: Sendable {
    /// The key and the certificate in PEM.
    public let text: String

    /// The name of the identity's file.
    private static let fileName: FileName = {
        guard let name = try? FileName("page.pem") else { preconditionFailure("the name is a file's") }
        return name
    }()

    private static let sizeLimit = 16 << 10

    /// Loads the identity from a folder, or makes one if there is none or it is damaged. The call blocks on the disk.
    ///
    /// - Parameter path: the folder, which exists
    public static func loadOrCreate(in path: String) throws(SystemError) -> BrowserIdentity {
        let folder = try Folder(at: path)
        let file = AtomicFile(fileName, mode: .privateFile)
        if let known = try? file.read(in: folder, limit: sizeLimit), isValid(known) {
            return BrowserIdentity(text: String(decoding: known, as: UTF8.self))
        }
        let new = make()
        try file.write(new, in: folder, overwriting: .allowed)
        return BrowserIdentity(text: String(decoding: new, as: UTF8.self))
    }

    private static func isValid(_ text: [UInt8]) -> Bool {
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

    private static func make() -> [UInt8] {
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
        let certificate = PeerCertificate.selfSigned(key, digest: EVP_sha256())
        defer {
            EVP_PKEY_free(key)
            X509_free(certificate)
        }
        return Identity.text(of: key, certificate)
    }
}
