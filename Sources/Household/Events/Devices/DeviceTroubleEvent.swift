/// A device could not sync.
package struct DeviceTroubleEvent: EventPayload, Codable {
    package enum Reason: String, Codable, Sendable {
        case refused
        case notSaved = "not-saved"
        case wrongPassword = "wrong-password"
        case notRunning = "not-running"
        case emptied
    }

    package var name: String?
    package var kind: String
    package var reason: Reason

    package init(_ reason: Reason, kind: String, _ name: String?) {
        (self.reason, self.kind, self.name) = (reason, kind, name)
    }

    package var event: String { "device-trouble" }
}
