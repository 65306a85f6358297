import LinuxPlatform

/// In which order the addresses of a peer are tried. Each source gets its turn, so that none can crowd the others out: anybody on
/// the network may claim to be that peer, at as many addresses as they like.
enum DialOrder {
    /// More are not tried.
    static let most = 8

    /// - Parameter sources: what each says, the best first; the best source first
    static func of(_ sources: [[SocketAddress]]) -> [SocketAddress] {
        Array(interleaved(sources).prefix(most))
    }

    /// The first of each, then the second of each, and so on; each once.
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
