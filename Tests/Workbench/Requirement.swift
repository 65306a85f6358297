import Glibc
public import Testing

/// Something outside the repository that a test needs.
///
/// At home the test is skipped where it is missing. `HUDDLE_REQUIRED` names, with commas between them, those whose tests
/// must run all the same: there a missing one is a failure and not a silent gap.
public struct Requirement: Sendable {
    /// The word that stands in `HUDDLE_REQUIRED`.
    public let name: String

    private let isThere: @Sendable () -> Bool

    /// - Parameters:
    ///   - name: the word that stands in `HUDDLE_REQUIRED`
    ///   - isThere: whether it is there; asked once a test
    public init(_ name: String, isThere: @escaping @Sendable () -> Bool) {
        self.name = name
        self.isThere = isThere
    }

    /// A program of the search path.
    public static func program(_ program: String) -> Requirement {
        Requirement(program) { Programs.path(of: program) != nil }
    }

    /// Whether tests that need it are to run.
    public var isMetOrRequired: Bool {
        isThere() || Self.isRequired(name)
    }

    /// Whether a skip for want of this counts as a failure.
    public static func isRequired(_ name: String) -> Bool { required.contains(name) }

    private static let required: Set<String> = {
        guard let list = getenv("HUDDLE_REQUIRED") else { return [] }
        return Set(String(cString: list).split(separator: ",").map(String.init))
    }()
}

extension Trait where Self == ConditionTrait {
    /// Skips the test where something that it needs is missing and not named in `HUDDLE_REQUIRED`.
    public static func needs(_ requirement: Requirement) -> ConditionTrait {
        .enabled("\(requirement.name) is not there") { requirement.isMetOrRequired }
    }
}
