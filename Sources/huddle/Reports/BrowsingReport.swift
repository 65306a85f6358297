import Discovery

/// What `huddle browse` prints.
protocol BrowsingReport: Sendable {
    /// Something was found, changed or lost.
    func tell(_ event: DiscoveryEvent) async throws

    /// Something about this machine's own advertisement.
    func tell(_ event: Advertiser.Event) async throws

    /// The last word.
    func end() async throws
}

extension BrowsingReport {
    func end() async throws {}
}
