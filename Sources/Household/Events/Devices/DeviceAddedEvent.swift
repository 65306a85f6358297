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
