/// A file of the page.
struct PageFile: Sendable {
    let type: String
    let bytes: [UInt8]

    /// All files by their names; the empty name is the page itself.
    static let all: [String: PageFile] = [
        "": html(PackageResources.index_html),
        "icon.svg": PageFile(type: "image/svg+xml", bytes: PackageResources.icon_svg),
        "style.css": PageFile(type: "text/css; charset=utf-8", bytes: PackageResources.style_css),
        "app.js": script(PackageResources.app_js),
        "api.js": script(PackageResources.api_js),
        "dom.js": script(PackageResources.dom_js),
        "focus.js": script(PackageResources.focus_js),
        "model.js": script(PackageResources.model_js),
        "text.js": script(PackageResources.text_js),
        "text.de.js": script(PackageResources.text_de_js),
        "ui.js": script(PackageResources.ui_js),
        "games.js": script(PackageResources.games_js),
        "game.js": script(PackageResources.game_js),
        "machines.js": script(PackageResources.machines_js),
        "inbox.js": script(PackageResources.inbox_js),
        "activity.js": script(PackageResources.activity_js),
    ]

    private static func html(_ bytes: [UInt8]) -> PageFile { PageFile(type: "text/html; charset=utf-8", bytes: bytes) }

    private static func script(_ bytes: [UInt8]) -> PageFile {
        PageFile(type: "text/javascript; charset=utf-8", bytes: bytes)
    }
}
