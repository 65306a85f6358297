package import Digests

/// The identity of a Syncthing device: the SHA-256 of its certificate.
package struct DeviceID: Hashable, Sendable {
    /// The digest of the certificate in DER.
    package let digest: SHA256Digest

    package init(_ digest: SHA256Digest) {
        self.digest = digest
    }

    /// - Parameter bytes: 32 bytes; any others give nil
    package init?(bytes: some Collection<UInt8>) {
        guard let digest = SHA256Digest(bytes: bytes) else { return nil }
        self.digest = digest
    }

    package var bytes: [UInt8] { digest.bytes }

    /// The first eight bytes, by which version vectors name the device.
    package var short: UInt64 { digest.words.0 }
}

extension DeviceID: Comparable {
    /// Compares the bytes.
    package static func < (left: DeviceID, right: DeviceID) -> Bool { left.digest < right.digest }
}
