extension MCPeerID {
    /// True if this program is the peer: it created the peer, or read its archive and still has the key.
    public var isOwn: Bool { local != nil }
}
