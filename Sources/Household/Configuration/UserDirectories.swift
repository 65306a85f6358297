import LinuxPlatform

/// The folders that `~/.config/user-dirs.dirs` names, such as the desktop. A daemon without a desktop's variables has
/// only this file.
struct UserDirectories {
    private let named: [(variable: String, path: String)]

    /// The file of a desktop has some ten lines.
    private static let limit = 64 << 10

    /// Reads the file; a missing or damaged one names nothing.
    init(fileAt path: String, home: String) {
        var bytes = [UInt8](repeating: 0, count: Self.limit)
        // The user may keep such files elsewhere and link to them, so a symbolic link is followed.
        let count = try? bytes.withUnsafeMutableBytes { try OwnedDescriptor.openFile(at: path).read(into: $0, at: 0) }
        self.init(String(decoding: bytes.prefix(count ?? 0), as: UTF8.self), home: home)
    }

    /// Reads lines such as `XDG_DESKTOP_DIR="$HOME/Schreibtisch"`. A shell reads them, but xdg-user-dirs writes only
    /// this form.
    init(_ text: String, home: String) {
        named = text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmed }
            guard parts.count == 2, let path = Self.path(parts[1], home: home) else { return nil }
            return (String(parts[0]), path)
        }
    }

    /// The folders of a name. For a shell the last line counts; here all of them count.
    func folders(_ variable: String) -> [String] { named.filter { $0.variable == variable }.map(\.path) }

    private static func path(_ word: Substring, home: String) -> String? {
        var text = ""
        var isEscaped = false
        for character in word.hasPrefix("\"") ? word.dropFirst() : word {
            if isEscaped {
                text.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                break
            } else {
                text.append(character)
            }
        }
        for start in ["$HOME", "${HOME}"] where text == start || text.hasPrefix("\(start)/") {
            return home + text.dropFirst(start.count)
        }
        return text.hasPrefix("/") ? text : nil
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var rest = drop { $0 == " " || $0 == "\t" }
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        return rest
    }
}
