import LinuxPlatform

/// Orders the addresses of a peer for dialling. The sources take turns, so that none can crowd out the others. Any
/// machine on the network may claim to be that peer, at any number of addresses.
enum DialOrder {
    /// The number of addresses that are tried.
    static let most = 8

    /// - Parameter sources: the addresses from each source, the best first; the best source first
    static func of(_ sources: [[SocketAddress]]) -> [SocketAddress] {
        Array(interleaved(sources).prefix(most))
    }

    /// The first address of each source, then the second of each, and so on; each address once.
    static func interleaved(_ sources: [[SocketAddress]]) -> [SocketAddress] {
        var known: Set<SocketAddress> = []
        let longest = sources.map(\.count).max() ?? 0
        return (0..<longest).flatMap { place in
            sources.compactMap { source in
                guard source.indices.contains(place), known.insert(source[place]).inserted else { return nil }
                return source[place]
            }
        }
    }
}
