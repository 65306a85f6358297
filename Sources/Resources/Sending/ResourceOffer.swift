public import Vocabulary

/// What a sender says of a resource before a byte of it flows.
public struct ResourceOffer: Hashable, Sendable {
    /// What it shall be called, if the name is free.
    public var name: FileName
    /// What it is.
    public var kind: ResourceKind
    /// How many bytes its stream has.
    public var totalBytes: UInt64
    /// How many files, folders and links it consists of.
    public var entryCount: Int
    /// Which source it is, in which state.
    public var identity: ResourceIdentity
    /// Mode and time of change of a file, where the sender says them. Those of a folder are in its stream.
    public var stamp: ResourceStamp?

    /// Puts an offer together from what came over the wire. Its figures are checked when a ``ResourceSink`` is made of it.
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
    /// What the receivers are told.
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
