import Vocabulary

/// Service types that Apple accepts: the bare name of RFC 6335. Apple's documentation requires lower case, but its
/// systems accept both: projects have run with such types for years, and DNS ignores case.
enum ServiceKind {
    /// The service type; nil for a name that raises an exception on Apple's systems.
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
