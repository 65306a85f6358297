/// The bridge to devices with RetroArch, and whether they can sync.
package struct RetroArchEvent: EventPayload, Codable {
    package enum State: String, Codable, Sendable { case on, off }

    package var state: State
    /// `http` or `https`.
    package var kind: String
    /// Address to type on a device; nil while it is off.
    package var text: String?
    package var port: UInt16?
    /// Game of each folder of a device: `saves`, `states`.
    package var details: [String: String]
    /// `devices`, and `wrong` for wrong passwords.
    package var counts: [String: Int]

    package init(
        _ state: State,
        kind: String,
        at address: String?,
        port: UInt16?,
        games details: [String: String],
        counts: [String: Int]
    ) {
        (self.state, self.kind, text, self.port) = (state, kind, address, port)
        (self.details, self.counts) = (details, counts)
    }

    package var event: String { "retroarch" }
}

/// A device that does not run Huddle.
package struct DeviceEvent: EventPayload, Codable {
    package enum State: String, Codable, Sendable { case allowed, blocked }

    package var name: String
    /// Program on the device: `retroarch`.
    package var kind: String
    package var state: State
    /// End of its last sync, in seconds since 1970.
    package var time: Int64?

    package init(_ name: String, kind: String, _ state: State, syncedAt time: Int64?) {
        (self.name, self.kind, self.state, self.time) = (name, kind, state, time)
    }

    package var event: String { "device" }
}

/// A new device and its password, which is shown once.
package struct DeviceAddedEvent: EventPayload, Codable {
    package var name: String
    package var kind: String
    package var code: String
    /// Address to type on the device.
    package var text: String

    package init(_ name: String, kind: String, password code: String, at address: String) {
        (self.name, self.kind, self.code, text) = (name, kind, code, address)
    }

    package var event: String { "device-added" }
}

/// A file that a device will see.
package struct DeviceFileEvent: EventPayload, Codable {
    package enum State: String, Codable, Sendable { case offered, deleted }

    package var path: String
    package var state: State
    /// MD5 of its contents; nil if it is deleted.
    package var text: String?

    package init(_ path: String, md5 text: String?) {
        (self.path, state, self.text) = (path, text == nil ? .deleted : .offered, text)
    }

    package var event: String { "device-file" }
}

/// A device has synced.
package struct DeviceSavedEvent: EventPayload, Codable {
    package var name: String
    package var kind: String
    /// `saved`: number of saved files.
    package var counts: [String: Int]

    package init(_ name: String, kind: String, saved count: Int) {
        (self.name, self.kind, counts) = (name, kind, ["saved": count])
    }

    package var event: String { "device-saved" }
}

/// A device could not sync.
package struct DeviceTroubleEvent: EventPayload, Codable {
    package enum Reason: String, Codable, Sendable {
        case refused
        case notSaved = "not-saved"
        case wrongPassword = "wrong-password"
        case notRunning = "not-running"
    }

    package var name: String?
    package var kind: String
    package var reason: Reason

    package init(_ reason: Reason, kind: String, _ name: String?) {
        (self.reason, self.kind, self.name) = (reason, kind, name)
    }

    package var event: String { "device-trouble" }
}
