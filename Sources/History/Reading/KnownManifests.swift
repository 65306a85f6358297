import SaveRules

/// The manifests that were read or put last. To decode one again takes as long as to read the folder of a small game.
struct KnownManifests {
    /// A scan and a change each need two; a third is the one on its way.
    private static let limit = 3
    /// The maximum memory of all.
    private static let byteLimit = 64 << 20

    /// The last one first.
    private var known: [(pieces: [PieceReference], manifest: Manifest, byteCount: Int)] = []

    /// The manifest of these pieces; nil if it was not used lately.
    mutating func manifest(of pieces: [PieceReference]) -> Manifest? {
        guard let place = known.firstIndex(where: { $0.pieces == pieces }) else { return nil }
        known.insert(known.remove(at: place), at: 0)
        return known[0].manifest
    }

    mutating func take(_ manifest: Manifest, of pieces: [PieceReference]) {
        known.removeAll { $0.pieces == pieces }
        known.insert((pieces, manifest, Self.byteCount(of: manifest)), at: 0)
        while known.count > Self.limit || known.reduce(0, { $0 + $1.byteCount }) > Self.byteLimit {
            known.removeLast()
        }
    }

    /// About 200 bytes for an entry beside its texts and pieces.
    private static func byteCount(of manifest: Manifest) -> Int {
        manifest.entries.reduce(0) { $0 + 200 + $1.byteCount }
    }
}
