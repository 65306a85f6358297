package import Vocabulary

/// The words by which users name peers.
package enum PeerWords {
    /// The number of letters of an ID on screens, and the fewest that name a key: 40 bits.
    private static let shortestID = 8

    /// True if the text names that key by at least as many letters of the ID as screens show. A stranger can take any
    /// name, even one that reads like an ID, such as “steamdeck”.
    package static func name(_ typed: String, keyOf id: PeerID) -> Bool {
        typed.utf8.count { $0 != UInt8(ascii: "-") } >= shortestID && isID(typed, of: id)
    }

    /// True if the text may mean a peer of that name and ID.
    package static func mean(_ typed: String, name: String, id: PeerID) -> Bool {
        if let wanted = try? InstanceName(typed), let name = try? InstanceName(name), wanted == name { return true }
        return isID(typed, of: id)
    }

    /// True if the text is the ID or its beginning.
    static func isID(_ typed: String, of id: PeerID) -> Bool {
        let letters = typed.lowercased().filter { $0 != "-" }
        return !letters.isEmpty && id.description.filter { $0 != "-" }.hasPrefix(letters)
    }
}
