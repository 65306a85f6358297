import Vocabulary

/// The temporary names of incomplete resources. A resource of a sender always has the same name, so that another
/// attempt finds it. Two resources never share a name, so that no sender writes into another's.
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
        // A file that was begun with another mode would keep that mode.
        if offer.kind == .file, let stamp = offer.stamp { state.update(stamp.mode.rawValue) }
        let total = String(offer.totalBytes, radix: 16)
        return fileName("\(prefix)\(mark(of: sender))-\(state.digest)-\(total)\(suffix)")
    }

    /// The part of the name that identifies the sender.
    static func mark(of sender: PeerID) -> String {
        let state = DigestState()
        state.update(sender.bytes)
        return String(state.digest.description.prefix(senderDigitCount))
    }

    static func matches(_ name: String) -> Bool { parts(of: name) != nil }

    /// The sender's mark and the announced size; nil if the name has another form.
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

    /// Entries of a partial folder: the records, and the tree.
    static let journal = fileName("pack")
    static let tree = fileName("tree")

    private static func fileName(_ text: String) -> FileName {
        guard let name = try? FileName(text) else { preconditionFailure("\(text) breaks a rule of names") }
        return name
    }
}
