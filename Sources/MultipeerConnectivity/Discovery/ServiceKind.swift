import Vocabulary

/// The service types that Apple takes: the bare name after RFC 6335. Its documentation wants lower case; its systems take either, as projects show that
/// have run with such types for years, and DNS does not tell them apart.
enum ServiceKind {
    /// Nil for what raises an exception there.
    static func type(_ name: String) -> ServiceType? { try? ServiceType(name: name, .tcp) }

    static func checked(_ name: String, for user: String) -> ServiceType {
        guard let type = type(name) else {
            preconditionFailure(
                "Invalid serviceType passed to \(user): it must be 1 to 15 letters, digits and single hyphens"
            )
        }
        return type
    }
}
