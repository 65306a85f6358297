import COpenSSL
import Digests
import Glibc
import LinuxPlatform
public import Vocabulary

/// The identity of this machine for Syncthing's protocol: a P-256 key and its certificate.
///
/// Syncthing knows a device by the SHA-256 of its certificate, and accepts only a certificate in the name of
/// `syncthing`. So this is another key than ``Identity``, with a certificate that must never change.
///
/// `@unchecked Sendable` because the pointers are set once, and OpenSSL's objects behind them are only read.
public final class DeviceIdentity: @unchecked Sendable {
    /// The SHA-256 of the certificate in DER.
    public let certificateID: PeerID

    private let key: OpaquePointer
    private let certificate: OpaquePointer
    let dialling: TLSContext
    let answering: TLSContext

    private static let sizeLimit = 16 << 10

    /// Makes a new identity that is not stored.
    public static func unstored() -> DeviceIdentity {
        OpenSSLErrors.require(DeviceIdentity(P256Identity.make(for: "syncthing")), "PEM_read_bio")
    }

    /// Loads the identity from a folder, or makes one if there is none. The call blocks on the disk.
    ///
    /// A damaged file is an error and is not replaced: with a new certificate, this machine would be unknown to all
    /// its devices.
    ///
    /// - Parameters:
    ///   - path: the folder, which exists
    ///   - name: the name of the file
    public static func loadOrCreate(in path: String, as name: FileName) throws -> DeviceIdentity {
        let folder = try Folder(at: path)
        let file = AtomicFile(name, mode: .privateFile)
        guard let known = try contents(of: file, in: folder) else {
            let text = P256Identity.make(for: "syncthing")
            try file.write(text, in: folder, overwriting: .forbidden)
            return OpenSSLErrors.require(DeviceIdentity(text), "PEM_read_bio")
        }
        guard let identity = DeviceIdentity(known) else { throw IdentityError.damaged("\(path)/\(name)") }
        return identity
    }

    /// Reads the identity's file; nil if there is none.
    private static func contents(of file: AtomicFile, in folder: borrowing Folder) throws(SystemError) -> [UInt8]? {
        do throws(SystemError) {
            return try file.read(in: folder, limit: sizeLimit)
        } catch {
            guard error.number == ENOENT else { throw error }
            return nil
        }
    }

    /// - Parameter text: the key and the certificate in PEM; nil if they are not of such an identity
    private init?(_ text: [UInt8]) {
        OpenSSLSetUp.ensure()
        OpenSSLErrors.forget()
        defer { OpenSSLErrors.forget() }
        guard P256Identity.isValid(text), let (key, certificate) = Identity.parts(of: text) else { return nil }
        (self.key, self.certificate) = (key, certificate)
        dialling = TLSContext(.dialling, .devices, key: key, certificate: certificate)
        answering = TLSContext(.answering, .devices, key: key, certificate: certificate)
        certificateID = OpenSSLErrors.require(ChannelProtocol.certificateDigest(certificate), "X509_digest")
    }

    deinit {
        EVP_PKEY_free(key)
        X509_free(certificate)
    }
}
