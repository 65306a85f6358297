package import LinuxPlatform
package import Household
import Vocabulary

/// The API of a household for local programs: a table of routes.
///
/// It knows neither sockets nor HTTP.
@Engine
package final class Control {
    /// All routes.
    package nonisolated let routes: [ControlRoute]
    private let household: Household

    /// - Parameter further: routes of other modules
    package init(_ household: Household, as facts: ProgramFacts, adding further: [ControlRoute] = []) {
        self.household = household
        let words = HouseholdRoutes(household, facts)
        routes = words.table + further
    }

    /// Returns true if the route reads the request body as a stream.
    package nonisolated func takesUpload(_ method: String, _ path: [String]) -> Bool {
        routes.map(\.endpoint).contains {
            $0.takesUpload && $0.method.rawValue == method && $0.values(for: path) != nil
        }
    }

    /// Returns the response to a request. An error becomes a response, too.
    package func answer(_ request: APIRequest) async -> APIResponse {
        let there = routes.compactMap { route in route.endpoint.values(for: request.path).map { (route, $0) } }
        guard !there.isEmpty else { return .refusal(404, .unknownPath(request.path)) }
        guard let (route, values) = there.first(where: { $0.0.endpoint.method.rawValue == request.method }) else {
            let methods = there.map(\.0.endpoint.method.rawValue)
            var refusal = APIResponse.refusal(405, .otherMethod(methods))
            refusal.allowed = methods
            return refusal
        }
        // A program that only reads, perhaps every few seconds, must not keep the daemon from releasing memory.
        let worked: @Engine @Sendable () -> Void = { [household] in
            if route.endpoint.method != .get { household.hasWorked() }
        }
        defer { worked() }
        do {
            return try await route.answer(RouteCall(values, request)).response(worked: worked)
        } catch {
            return .refusal(Self.status(of: error), error)
        }
    }

    private static func status(of error: any Error) -> Int {
        switch PassedOnError(error).errorClass {
        case .invalid: 400
        case .notFound: 404
        case .failed: 500
        default: 409
        }
    }
}

/// The facts about the daemon program.
package struct ProgramFacts: Sendable {
    package let version: String
    package let presence: HouseholdPresence.Holder
    /// The settings that the daemon uses.
    package let settings: EffectiveSettings

    package init(version: String, presence: HouseholdPresence.Holder, settings: EffectiveSettings) {
        self.version = version
        self.presence = presence
        self.settings = settings
    }
}
