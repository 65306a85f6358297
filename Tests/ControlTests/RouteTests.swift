import Session
import Testing

@testable import Control

@Suite("Control route", .timeLimit(.minutes(5)))
struct RouteTests {
    @Test("A route matches the paths of its pattern, and gives the values in braces")
    func patterns() {
        let route = ControlRoute("GET", "/v1/peers/{peer}/policy", "") { _ in .lines([]) }
        #expect(route.values(for: ["v1", "peers", "living room", "policy"]) == ["peer": "living room"])
        #expect(route.values(for: ["v1", "peers", "deck"]) == nil)
        #expect(route.values(for: ["v2", "peers", "deck", "policy"]) == nil)
        #expect(route.values(for: []) == nil)
    }
}
