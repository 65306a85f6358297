public import LinuxPlatform
import Vocabulary

/// A key and its certificate for browsers on other machines.
///
/// No browser accepts an Ed25519 certificate, so this is a P-256 key of its own. The key is stored, because a browser
/// warns about each new certificate.
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
        if let known = try? file.read(in: folder, limit: sizeLimit), P256Identity.isValid(known) {
            return BrowserIdentity(text: String(decoding: known, as: UTF8.self))
        }
        let new = P256Identity.make(for: "huddle")
        try file.write(new, in: folder, overwriting: .allowed)
        return BrowserIdentity(text: String(decoding: new, as: UTF8.self))
    }
}
