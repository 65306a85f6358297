/// A key in the settings of an emulator that names a folder.
struct EmulatorSetting: Sendable {
    enum Form: Sendable {
        /// `key = "value"`, in the section if one is given: RetroArch, INI and TOML.
        case lines(section: String?)
        /// `<key>value</key>`.
        case element
        /// `key: value` of YAML, whose value may begin with `$(EmulatorDir)`.
        case yaml
    }

    /// The files that may have the key; the first existing one counts.
    let files: [Emulator.Folder]
    let form: Form
    let key: String
    /// The folder to which a relative path refers.
    var relativeTo: Emulator.Folder?
    /// The relative path below the folder that the settings name.
    var below = ""

    /// The value in the text of a file; nil if there is none.
    func value(in bytes: [UInt8]) -> String? {
        switch form {
        case .lines(let section): Self.line(key, section, String(decoding: bytes, as: UTF8.self))
        case .element: Self.element(key, String(decoding: bytes, as: UTF8.self))
        case .yaml: YAMLFields.read(bytes)[key]
        }
    }

    private static func line(_ key: String, _ section: String?, _ text: String) -> String? {
        var isInSection = section == nil
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.drop { $0 == " " || $0 == "\t" }
            if line.hasPrefix("[") {
                if let section { isInSection = line.dropFirst().prefix { $0 != "]" } == section }
            } else if isInSection, let equals = line.firstIndex(of: "="), trimmed(line[..<equals]) == key {
                let value = trimmed(line[line.index(after: equals)...])
                let isQuoted = value.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
                return isQuoted ? String(value.dropFirst().dropLast()) : value
            }
        }
        return nil
    }

    private static func element(_ key: String, _ text: String) -> String? {
        guard let start = text.firstRange(of: "<\(key)>"),
            let end = text[start.upperBound...].firstRange(of: "</\(key)>")
        else { return nil }
        return trimmed(text[start.upperBound..<end.lowerBound])
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}
