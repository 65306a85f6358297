public import SaveRules
public import Vocabulary

/// The content of a folder at a scan.
public struct Capture: Sendable {
    /// The files of the folder.
    public let manifest: Manifest
    /// The first hundred entries that can't be part of a version.
    public let leftOut: [LeftOut]
    /// Their number.
    public let leftOutCount: Int
    /// Number of bytes that were read; 0 if the scan cache had everything.
    public let bytesRead: ByteCount
}

extension Capture {
    init(_ manifest: Manifest, _ listing: SetListing, read: UInt64) {
        (self.manifest, leftOut, leftOutCount) = (manifest, listing.leftOut, listing.leftOutCount)
        bytesRead = ByteCount(read)
    }
}

/// Result of a scan.
public enum CaptureOutcome: Sendable {
    /// The folder was read, and did not change meanwhile.
    case captured(Capture)
    /// It changed during the scan. It needs a quiet period first.
    case changedMeanwhile
}
