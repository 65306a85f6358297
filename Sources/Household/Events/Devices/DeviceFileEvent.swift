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
