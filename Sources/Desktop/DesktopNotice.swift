/// A notification for the user of the desktop, with its buttons.
package struct DesktopNotice: Sendable {
    /// A button of the notification.
    package struct Button: Sendable, Hashable {
        /// The key by which the notification service reports the button.
        package let key: String
        /// The text that the user sees.
        package let label: String

        package init(_ key: String, _ label: String) {
            (self.key, self.label) = (key, label)
        }
    }

    /// A title without text from unknown machines, because some desktops interpret titles as markup.
    package let title: String
    /// Plain text; it may hold text from unknown machines.
    package let text: String
    package let buttons: [Button]
    /// A line that replaces the buttons if the desktop has none; nil if `text` suffices.
    package let withoutButtons: String?

    package init(_ title: String, _ text: String, buttons: [Button], withoutButtons: String?) {
        (self.title, self.text, self.buttons, self.withoutButtons) = (title, text, buttons, withoutButtons)
    }

    /// The text for a desktop with these capabilities, escaped if the desktop understands markup.
    func body(for capabilities: Set<String>) -> String {
        let isComplete = capabilities.contains("actions") || withoutButtons == nil
        let whole = isComplete ? text : "\(text)\n\(withoutButtons ?? "")"
        return capabilities.contains("body-markup") ? Self.escaped(whole) : whole
    }

    /// The text with the five special characters of XML as entities.
    static func escaped(_ text: String) -> String {
        var safe = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": safe += "&amp;"
            case "<": safe += "&lt;"
            case ">": safe += "&gt;"
            case "\"": safe += "&quot;"
            case "'": safe += "&#39;"
            default: safe.unicodeScalars.append(character)
            }
        }
        return safe
    }
}
