/// What is shown to the person on the desktop, with buttons below.
package struct DesktopNotice: Sendable {
    /// Something that can be pressed.
    package struct Button: Sendable, Hashable {
        /// What it is called by programs.
        package let key: String
        /// What stands on it.
        package let label: String

        package init(_ key: String, _ label: String) {
            (self.key, self.label) = (key, label)
        }
    }

    /// Never with text of strangers: some desktops take it for markup.
    package let title: String
    /// Plain text, whatever is in it.
    package let text: String
    package let buttons: [Button]
    /// What to say instead of buttons where the desktop has none; nil where the text says it.
    package let withoutButtons: String?

    package init(_ title: String, _ text: String, buttons: [Button], withoutButtons: String?) {
        (self.title, self.text, self.buttons, self.withoutButtons) = (title, text, buttons, withoutButtons)
    }

    /// The text as a desktop that can do this and that is to be given it.
    func body(for abilities: Set<String>) -> String {
        let isComplete = abilities.contains("actions") || withoutButtons == nil
        let whole = isComplete ? text : "\(text)\n\(withoutButtons ?? "")"
        return abilities.contains("body-markup") ? Self.escaped(whole) : whole
    }

    /// Text that says of itself what it is, where markup is understood.
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
