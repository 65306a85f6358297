import Digests
package import SaveRules
package import Transport
import Vocabulary

extension VersionSeal {
    /// Creates the seal of a machine.
    package init(_ identity: Identity) {
        self.init(of: identity.publicKey, hashedBy: Digest.sha256) { identity.signature(of: $0) }
    }
}

extension SealCheck {
    /// The check by Ed25519, with which all machines sign.
    package static var ed25519: SealCheck {
        SealCheck(hashedBy: Digest.sha256) { bytes, signature, key in key.hasSigned(bytes, signature) }
    }
}
