import Vocabulary

/// The service types that Apple takes: the bare name after RFC 6335, in lower case.
enum ServiceKind {
    /// Nil for what raises an exception there.
    static func type(_ name: String) -> ServiceType? {
        guard name == name.lowercased() else { return nil }
        return try? ServiceType(name: name, .tcp)
    }

    static func checked(_ name: String, for user: String) -> ServiceType {
        guard let type = type(name) else {
            preconditionFailure(
                "Invalid serviceType passed to \(user): it must be 1 to 15 lowercase letters, digits and single hyphens"
            )
        }
        return type
    }
}
