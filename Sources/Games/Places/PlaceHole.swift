/// A name within a place that differs between machines or accounts.
package enum PlaceHole: String, CaseIterable, Sendable, Hashable {
    /// The number of a Steam account.
    case steamUser
    /// The name or number of an account at any store.
    case storeUser
    /// The name of the user on the machine.
    case userName

    var written: String { "<\(rawValue)>" }

    /// Returns true if a folder's name can fill the hole.
    func admits(_ name: String) -> Bool {
        switch self {
        case .steamUser: name.utf8.allSatisfy { (0x30...0x39).contains($0) } && name != "0"
        case .storeUser, .userName: !name.hasPrefix(".")
        }
    }
}
