import Discovery

/// Leaves out what is no news to a person: that Avahi is there, unless it was away.
struct NoticeFilter {
    private var wasAway = false

    mutating func lets(_ notice: DiscoveryNotice) -> Bool {
        switch notice {
        case .waitingForAvahi:
            wasAway = true
            return true
        case .avahiIsThere:
            defer { wasAway = false }
            return wasAway
        default:
            return true
        }
    }
}
