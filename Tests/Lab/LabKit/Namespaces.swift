import CNamespaces

/// Kinds of namespaces, as the launcher wants them.
struct Namespaces: OptionSet, Sendable {
    let rawValue: Int

    /// Being root inside without being root outside.
    static let users = Namespaces(LAB_USERS)
    static let network = Namespaces(LAB_NETWORK)
    static let mounts = Namespaces(LAB_MOUNTS)
    static let hostName = Namespaces(LAB_HOST_NAME)
    static let processes = Namespaces(LAB_PROCESSES)
    static let messages = Namespaces(LAB_MESSAGES)

    /// All that a machine has for itself.
    static let machine: Namespaces = [.network, .mounts, .hostName, .processes, .messages]

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    private init(_ bit: some BinaryInteger) {
        rawValue = Int(bit)
    }
}
