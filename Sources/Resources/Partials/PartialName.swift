import Vocabulary

/// The names of what has not arrived whole yet. One resource from one sender has one name, so that it is found again; no two
/// have the same, so that nobody writes into another's.
enum PartialName {
    private static let prefix = ".huddle-"
    private static let suffix = ".partial"
    private static let digitCount = 32
    private static let senderDigitCount = 16

    static func name(of offer: ResourceOffer, from sender: PeerID) -> FileName {
        let state = DigestState()
        state.update(offer.identity.bytes)
        state.update(sender.bytes)
        state.update(offer.kind.rawValue)
        // What was begun with another mode would keep it.
        if offer.kind == .file, let stamp = offer.stamp { state.update(stamp.mode.rawValue) }
        let total = String(offer.totalBytes, radix: 16)
        return fileName("\(prefix)\(mark(of: sender))-\(state.digest)-\(total)\(suffix)")
    }

    /// Whose something is, as its name says it.
    static func mark(of sender: PeerID) -> String {
        let state = DigestState()
        state.update(sender.bytes)
        return String(state.digest.description.prefix(senderDigitCount))
    }

    static func matches(_ name: String) -> Bool { parts(of: name) != nil }

    /// Whose it is, and how many bytes it may come to have; nil where it is no such name.
    static func parts(of name: String) -> (sender: String, total: UInt64)? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
        let parts = name.dropFirst(prefix.count).dropLast(suffix.count).split(
            separator: "-",
            omittingEmptySubsequences: false
        )
        guard parts.count == 3, parts[0].utf8.count == senderDigitCount, parts[1].utf8.count == digitCount,
            parts.allSatisfy({ $0.allSatisfy { $0.isHexDigit && !$0.isUppercase } }),
            let total = UInt64(parts[2], radix: 16)
        else { return nil }
        return (String(parts[0]), total)
    }

    /// What a partial folder holds: the records as they came, and the tree they speak of.
    static let journal = fileName("pack")
    static let tree = fileName("tree")

    private static func fileName(_ text: String) -> FileName {
        guard let name = try? FileName(text) else { preconditionFailure("\(text) breaks a rule of names") }
        return name
    }
}
