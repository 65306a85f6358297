/// Invitations can't be shown on a desktop.
package struct NoDesktopEvent: EventPayload, Codable {
    package init() {}

    package var event: String { "no-desktop" }
}
