package import Vocabulary

/// How people name peers.
package enum PeerWords {
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
