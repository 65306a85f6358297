/// The list of machines or of devices may have changed: one came, went, has another name or other rights.
package struct MachineListEvent: EventPayload, Codable {
    package init() {}

    package var event: String { "machines" }
}
