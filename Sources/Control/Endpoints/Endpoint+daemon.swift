/// The endpoints about the daemon and this machine.
extension Endpoint {
    static let aboutDaemon: [Endpoint] = [
        .status, .settings, .events, .log, .doctor, .metrics, .identity, .changeName, .inbox, .markInbox,
    ]

    package static let status = Endpoint(.get, "/v1/status", "state of the daemon")
    package static let settings = Endpoint(.get, "/v1/settings", "settings of the daemon with their sources")
    package static let events = Endpoint(.get, "/v1/events", "present state and later events")
    package static let log = Endpoint(.get, "/v1/log", "log of invitations, pairings and transfers")
    package static let doctor = Endpoint(.get, "/v1/doctor", "look for what keeps machines from each other")
    package static let metrics = Endpoint(.get, "/metrics", "metrics for Prometheus")
    package static let identity = Endpoint(.get, "/v1/identity", "name and ID of this machine")
    package static let changeName = Endpoint(.put, "/v1/identity", "change the name of this machine")
    package static let inbox = Endpoint(.get, "/v1/inbox", "entries of the inbox")
    package static let markInbox = Endpoint(.put, "/v1/inbox", "mark inbox entries as seen")
}
