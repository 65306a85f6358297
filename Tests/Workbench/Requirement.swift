import Glibc
public import Testing

/// A requirement of a test outside of the repository.
///
/// If it is missing, the test is skipped. `HUDDLE_REQUIRED` lists requirements, separated by commas, whose tests must
/// run: if one of those is missing, the test fails.
public struct Requirement: Sendable {
    /// Its name in `HUDDLE_REQUIRED`.
    public let name: String

    private let isThere: @Sendable () -> Bool

    /// - Parameters:
    ///   - name: its name in `HUDDLE_REQUIRED`
    ///   - isThere: returns true if it is present; called once a test
    public init(_ name: String, isThere: @escaping @Sendable () -> Bool) {
        self.name = name
        self.isThere = isThere
    }

    /// A program of the search path.
    public static func program(_ program: String) -> Requirement {
        Requirement(program) { Programs.path(of: program) != nil }
    }

    /// True if tests that need it run.
    public var isMetOrRequired: Bool {
        isThere() || Self.isRequired(name)
    }

    /// True if its absence is a failure.
    public static func isRequired(_ name: String) -> Bool { required.contains(name) }

    private static let required: Set<String> = {
        guard let list = getenv("HUDDLE_REQUIRED") else { return [] }
        return Set(String(cString: list).split(separator: ",").map(String.init))
    }()
}

extension Trait where Self == ConditionTrait {
    /// Skips the test if a requirement is missing and not in `HUDDLE_REQUIRED`.
    public static func needs(_ requirement: Requirement) -> ConditionTrait {
        .enabled("\(requirement.name) is missing") { requirement.isMetOrRequired }
    }
}
