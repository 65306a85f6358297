import Vocabulary

/// The names of what has not arrived whole yet. One resource from one sender has one name, so that it is found again; no two
/// have the same, so that nobody writes into another's.
enum PartialName {
    private static let prefix = ".huddle-"
    private static let suffix = ".partial"
    private static let digitCount = 32

    static func name(of offer: ResourceOffer, from sender: PeerID) -> FileName {
        let state = DigestState()
        state.update(offer.identity.bytes)
        state.update(sender.bytes)
        state.update(offer.kind.rawValue)
        // What was begun with another mode would keep it.
        if offer.kind == .file, let stamp = offer.stamp { state.update(stamp.mode.rawValue) }
        return fileName(prefix + state.digest.description + suffix)
    }

    static func matches(_ name: String) -> Bool {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
        let middle = name.dropFirst(prefix.count).dropLast(suffix.count)
        return middle.utf8.count == digitCount && middle.allSatisfy { $0.isHexDigit && !$0.isUppercase }
    }

    /// What a partial folder holds: the records as they came, and the tree they speak of.
    static let journal = fileName("pack")
    static let tree = fileName("tree")

    private static func fileName(_ text: String) -> FileName {
        guard let name = try? FileName(text) else { preconditionFailure("\(text) breaks a rule of names") }
        return name
    }
}
