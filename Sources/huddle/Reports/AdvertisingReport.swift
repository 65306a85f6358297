import Discovery

/// The output of `huddle advertise`.
struct AdvertisingReport: Sendable {
    private let asJSON: Bool
    private let console: Console

    init(asJSON: Bool, _ console: Console) {
        self.asJSON = asJSON
        self.console = console
    }

    func tell(_ event: Advertiser.Event) async throws {
        if asJSON {
            try await JSONReport(console).tell(event)
        } else {
            try await console.say(Wording.sentence(for: event))
        }
    }
}
