/// A failure that ends nothing.
package struct TroubleEvent: EventPayload, Codable {
    package var game: GameTag?
    package var problem: PassedOnError?

    package init(_ game: GameTag? = nil, _ problem: PassedOnError? = nil) {
        (self.game, self.problem) = (game, problem)
    }

    package var event: String { "trouble" }
}
