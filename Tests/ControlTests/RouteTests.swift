import Session
import Testing

@testable import Control

@Suite("a route", .timeLimit(.minutes(5)))
struct RouteTests {
    @Test("fits the paths of its pattern, and says what stands in the braces")
    func patterns() {
        let route = ControlRoute("GET", "/v1/peers/{peer}/policy", "") { _ in .lines([]) }
        #expect(route.values(for: ["v1", "peers", "living room", "policy"]) == ["peer": "living room"])
        #expect(route.values(for: ["v1", "peers", "deck"]) == nil)
        #expect(route.values(for: ["v2", "peers", "deck", "policy"]) == nil)
        #expect(route.values(for: []) == nil)
    }
}
