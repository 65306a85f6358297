/// A file of the page.
struct PageFile: Sendable {
    let type: String
    let bytes: [UInt8]

    /// All files by name. The empty name is the page itself.
    static let all: [String: PageFile] = [
        "": html(PackageResources.index_html),
        "icon.svg": PageFile(type: "image/svg+xml", bytes: PackageResources.icon_svg),
        "style.css": PageFile(type: "text/css; charset=utf-8", bytes: compact(PackageResources.style_css)),
        "app.js": script(PackageResources.app_js),
        "api.js": script(PackageResources.api_js),
        "dom.js": script(PackageResources.dom_js),
        "focus.js": script(PackageResources.focus_js),
        "model.js": script(PackageResources.model_js),
        "text.js": script(PackageResources.text_js),
        "text.en.js": texts(PackageResources.text_en_js),
        "text.de.js": texts(PackageResources.text_de_js),
        "ui.js": script(PackageResources.ui_js),
        "games.js": script(PackageResources.games_js),
        "game.js": script(PackageResources.game_js),
        "found.js": script(PackageResources.found_js),
        "doctor.js": script(PackageResources.doctor_js),
        "machines.js": script(PackageResources.machines_js),
        "inbox.js": script(PackageResources.inbox_js),
        "activity.js": script(PackageResources.activity_js),
        "signin.js": script(PackageResources.signin_js),
    ]

    private static func html(_ bytes: [UInt8]) -> PageFile { PageFile(type: "text/html; charset=utf-8", bytes: bytes) }

    private static func script(_ bytes: [UInt8]) -> PageFile {
        PageFile(type: "text/javascript; charset=utf-8", bytes: CompactScript(stripped(bytes)).bytes)
    }

    /// Makes the texts of a language without the line ends between them. No text ends or begins with a quote.
    private static func texts(_ bytes: [UInt8]) -> PageFile {
        let short = script(bytes)
        let text = String(decoding: short.bytes, as: UTF8.self).replacing("',\n'", with: "','")
        return PageFile(type: short.type, bytes: Array(text.utf8))
    }

    /// Makes a script or a style sheet without indentation and without comment lines, which are a sixth of the source.
    /// The lines keep their numbers, so that an error of the browser names the line of the source.
    static func stripped(_ source: [UInt8]) -> [UInt8] {
        let lines = source.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            let text = line.drop { $0 == UInt8(ascii: " ") }
            return comments.contains { text.starts(with: $0.utf8) } ? [] : text
        }
        return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }

    /// Makes a style sheet without the spaces that separate nothing.
    static func compact(_ source: [UInt8]) -> [UInt8] {
        let (space, before, after) = (UInt8(ascii: " "), "{};:,".utf8, "{}".utf8)
        let bytes = stripped(source)
        return bytes.indices.filter { index in
            guard bytes[index] == space else { return true }
            let follows = index > 0 && before.contains(bytes[index - 1])
            return !follows && !(index + 1 < bytes.count && after.contains(bytes[index + 1]))
        }
        .map { bytes[$0] }
    }

    private static let comments = ["//", "/**", "* ", "*/"]
}
