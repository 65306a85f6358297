package import Vocabulary

/// How people name peers.
package enum PeerWords {
    /// How many letters of an id screens show, and the fewest that name a key: 40 bits.
    private static let shortestID = 8

    /// Whether this is an id, as far as screens show it at least, and so not a name that any stranger can take.
    package static func isID(_ typed: String) -> Bool {
        let letters = typed.lowercased().filter { $0 != "-" }
        return letters.utf8.count >= shortestID
            && letters.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "2")...UInt8(ascii: "7")).contains(byte)
            }
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
