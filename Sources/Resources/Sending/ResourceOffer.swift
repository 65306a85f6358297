public import Vocabulary

/// The description of a resource that a sender transmits before the first byte.
public struct ResourceOffer: Hashable, Sendable {
    /// The wanted name.
    public var name: FileName
    /// File or folder.
    public var kind: ResourceKind
    /// Length of the stream in bytes.
    public var totalBytes: UInt64
    /// Number of its files, folders and links.
    public var entryCount: Int
    /// Identifies the source and its state.
    public var identity: ResourceIdentity
    /// Mode and modification time of a file, if the sender sends them. Those of a folder are in its stream.
    public var stamp: ResourceStamp?

    /// Creates an offer from received values. ``ResourceSink`` checks them.
    public init(
        name: FileName,
        kind: ResourceKind,
        totalBytes: UInt64,
        entryCount: Int,
        identity: ResourceIdentity,
        stamp: ResourceStamp?
    ) {
        self.name = name
        self.kind = kind
        self.totalBytes = totalBytes
        self.entryCount = entryCount
        self.identity = identity
        self.stamp = stamp
    }
}

extension ResourceSource {
    /// The offer for receivers.
    public var offer: ResourceOffer {
        ResourceOffer(
            name: name,
            kind: kind,
            totalBytes: totalBytes,
            entryCount: entryCount,
            identity: identity,
            stamp: stamp
        )
    }
}
