package import Vocabulary

/// How people name peers.
package enum PeerWords {
    /// How many letters of an id screens show, and the fewest that name a key: 40 bits.
    private static let shortestID = 8

    /// Whether this names that key: by its id, as far as screens show it at least. A stranger can take any name, also one that reads like
    /// an id, such as “steamdeck”.
    package static func name(_ typed: String, keyOf id: PeerID) -> Bool {
        typed.utf8.count { $0 != UInt8(ascii: "-") } >= shortestID && isID(typed, of: id)
    }

    /// Whether somebody who types this may mean a peer of that name and id.
    package static func mean(_ typed: String, name: String, id: PeerID) -> Bool {
        if let wanted = try? InstanceName(typed), let name = try? InstanceName(name), wanted == name { return true }
        return isID(typed, of: id)
    }

    /// Whether that is the id, or the beginning of it.
    static func isID(_ typed: String, of id: PeerID) -> Bool {
        let letters = typed.lowercased().filter { $0 != "-" }
        return !letters.isEmpty && id.description.filter { $0 != "-" }.hasPrefix(letters)
    }
}
