import SecureArchive
package import Vocabulary

/// A mistake in the file of settings.
package struct ConfigurationFault: ExplainedError, Hashable {
    package let code: ErrorCode = "configuration.wrong"
    package let message: String
    package let nextStep = "correct it; `huddle config template` shows all settings"
    /// The setting with the mistake.
    private var key: String?
    private var line: Int?

    init(_ message: String, about key: String? = nil) {
        self.message = message
        self.key = key
    }

    init(_ error: ArchiveError, in plain: [UInt8]) {
        let what = error.path.isEmpty ? "the file can't be read" : "“\(error.path)” is wrong"
        self.init("\(what): \(error.detail)", about: error.path.isEmpty ? nil : "\(error.path)")
        self = placed(in: plain)
        if let offset = error.offset { line = Self.line(at: offset, of: plain) }
    }

    private static func line(at offset: Int, of plain: [UInt8]) -> Int {
        plain.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1
    }

    /// Adds the line of the setting, as the user wrote it.
    func placed(in plain: [UInt8]) -> ConfigurationFault {
        guard let key else { return self }
        let quoted = Array("\"\(key)\"".utf8)
        var placed = self
        placed.line = plain.firstRange(of: quoted).map { Self.line(at: $0.lowerBound, of: plain) }
        return placed
    }

    /// Adds the path of the file.
    func found(in path: String) -> ConfigurationFault {
        let place = line.map { ", line \($0)" } ?? ""
        return ConfigurationFault("\(PrintableText(path, limit: 4096))\(place): \(message)")
    }
}
