/// A file or folder could not be sent.
package struct NotSentEvent: EventPayload, Codable {
    package var machine: PeerTag
    package var name: String
    package var path: String
    package var transfer: Int
    package var problem: PassedOnError

    package init(_ machine: PeerTag, name: String, path: String, transfer: Int, _ problem: PassedOnError) {
        (self.machine, self.name, self.path) = (machine, name, path)
        (self.transfer, self.problem) = (transfer, problem)
    }

    package var event: String { "not-sent" }

    private enum CodingKeys: String, CodingKey {
        case machine = "peer"
        case name, path, transfer, problem
    }
}
