import Digests
package import SaveRules
package import Transport
import Vocabulary

extension VersionSeal {
    /// The seal of a machine.
    package init(_ identity: Identity) {
        self.init(of: identity.publicKey, hashedBy: Digest.sha256) { identity.signature(of: $0) }
    }
}

extension SealCheck {
    /// By Ed25519, as all machines sign.
    package static var ed25519: SealCheck {
        SealCheck(hashedBy: Digest.sha256) { bytes, signature, key in key.hasSigned(bytes, signature) }
    }
}
