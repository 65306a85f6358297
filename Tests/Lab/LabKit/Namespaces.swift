import CNamespaces

/// Kinds of namespaces, as flags for the launcher.
struct Namespaces: OptionSet, Sendable {
    let rawValue: Int

    /// A user namespace: root inside without root outside.
    static let users = Namespaces(LAB_USERS)
    static let network = Namespaces(LAB_NETWORK)
    static let mounts = Namespaces(LAB_MOUNTS)
    static let hostName = Namespaces(LAB_HOST_NAME)
    static let processes = Namespaces(LAB_PROCESSES)
    static let messages = Namespaces(LAB_MESSAGES)

    /// All namespaces that a machine needs for itself.
    static let machine: Namespaces = [.network, .mounts, .hostName, .processes, .messages]

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    private init(_ bit: some BinaryInteger) {
        rawValue = Int(bit)
    }
}
