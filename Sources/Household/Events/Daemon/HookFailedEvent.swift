/// The hook program failed.
package struct HookFailedEvent: EventPayload, Codable {
    package var problem: PassedOnError

    package init(_ problem: PassedOnError) { self.problem = problem }

    package var event: String { "hook-failed" }
}
