import Discovery

/// Leaves out notices that don't help the user: that Avahi runs, unless it was missing before.
struct NoticeFilter {
    private var wasAway = false

    mutating func shows(_ notice: DiscoveryNotice) -> Bool {
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
