import Discovery

/// The output of `huddle browse`.
protocol BrowsingReport: Sendable {
    /// Reports a peer that was found, changed or lost.
    func tell(_ event: DiscoveryEvent) async throws

    /// Reports a change of this machine's own advertisement.
    func tell(_ event: Advertiser.Event) async throws

    /// Ends the report.
    func end() async throws
}

extension BrowsingReport {
    func end() async throws {}
}
