import Glibc

/// The right of this process to create namespaces.
enum Privilege: String, Sendable {
    /// The process is root, or has root's rights.
    case administrator
    /// The process is root only in a user namespace of its own.
    case userNamespace

    /// The further namespaces that a start must create.
    var created: Namespaces { self == .userNamespace ? .users : [] }

    /// The namespaces to enter before those of another process.
    var joined: Namespaces { self == .userNamespace ? .users : [] }
}
