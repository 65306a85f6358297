import Glibc

/// What makes us allowed to create namespaces.
enum Privilege: String, Sendable {
    /// We are root, or as good as.
    case administrator
    /// We are root in a user namespace of our own only.
    case userNamespace

    /// What a start has to create besides.
    var created: Namespaces { self == .userNamespace ? .users : [] }

    /// What entering another one's namespaces has to enter first.
    var joined: Namespaces { self == .userNamespace ? .users : [] }
}
