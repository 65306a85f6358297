/// A message of another machine.
package struct MessageEvent: EventPayload, Codable {
    package var machine: PeerTag
    package var content: MessageContent

    package init(_ machine: PeerTag, _ content: MessageContent) { (self.machine, self.content) = (machine, content) }

    package var event: String { "message" }

    private enum CodingKeys: String, CodingKey {
        case machine = "peer"
        case content
    }
}
