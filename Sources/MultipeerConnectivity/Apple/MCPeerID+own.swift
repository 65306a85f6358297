extension MCPeerID {
    /// Whether this program is the peer: it was made here, or its archive was and the key is still kept.
    public var isOwn: Bool { local != nil }
}
