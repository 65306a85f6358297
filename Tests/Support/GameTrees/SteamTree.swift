/// The files of Steam in a home, with libraries, installed games and Proton prefixes.
public final class SteamTree {
    private let tree: GameTree
    /// Its folder, relative to the home.
    public let root: String
    private var libraries: [String]
    private var shortcuts: [(id: UInt32, name: String, folder: String)] = []

    /// Makes the files of a first start.
    ///
    /// - Parameter root: its folder relative to the home; the Flatpak has another one
    public init(in tree: GameTree, at root: String = ".local/share/Steam") {
        (self.tree, self.root) = (tree, root)
        libraries = [tree.path(root)]
        tree.makeFolder("\(root)/steamapps/common")
        tree.put(#""registry" {}"#, at: "\(root)/registry.vdf")
        writeLibraries()
    }

    /// Its folder in the Flatpak.
    public static let flatpakRoot = ".var/app/com.valvesoftware.Steam/.local/share/Steam"

    /// Adds a library, as on a memory card.
    public func addLibrary(_ path: String) {
        libraries.append(tree.path(path))
        tree.makeFolder("\(path)/steamapps/common")
        writeLibraries()
    }

    private func writeLibraries() {
        var text = "\"libraryfolders\"\n{\n"
        for (number, path) in libraries.enumerated() {
            text += """
                \t"\(number)"
                \t{
                \t\t"path"\t\t"\(path)"
                \t\t"label"\t\t""
                \t\t"contentid"\t\t"528745\(number)"
                \t\t"apps"
                \t\t{
                \t\t\t"228980"\t\t"387652"
                \t\t}
                \t}

                """
        }
        tree.put(text + "}\n", at: "\(root)/steamapps/libraryfolders.vdf")
    }

    /// Installs a game.
    public func install(_ id: Int, _ name: String, in folder: String, library: String? = nil) {
        let place = library ?? root
        tree.put(
            """
            "AppState"
            {
            \t"appid"\t\t"\(id)"
            \t"Universe"\t\t"1"
            \t"name"\t\t"\(name)"
            \t"StateFlags"\t\t"4"
            \t"installdir"\t\t"\(folder)"
            \t"UserConfig"
            \t{
            \t\t"language"\t\t"english"
            \t}
            }

            """,
            at: "\(place)/steamapps/appmanifest_\(id).acf"
        )
        tree.makeFolder("\(place)/steamapps/common/\(folder)")
    }

    /// The folder of an installed game.
    public func installFolder(_ folder: String, library: String? = nil) -> String {
        "\(library ?? root)/steamapps/common/\(folder)"
    }

    /// Makes the prefix of a game as Proton does at its first start, and returns the folder of its user.
    @discardableResult
    public func makePrefix(_ id: Int, library: String? = nil) -> String {
        let prefix = "\(library ?? root)/steamapps/compatdata/\(id)/pfx"
        for folder in ["Documents", "AppData/Roaming", "AppData/Local", "AppData/LocalLow", "Saved Games"] {
            tree.makeFolder("\(prefix)/drive_c/users/steamuser/\(folder)")
        }
        for folder in ["users/Public", "ProgramData", "windows", "Program Files (x86)"] {
            tree.makeFolder("\(prefix)/drive_c/\(folder)")
        }
        tree.link("\(prefix)/dosdevices/c:", to: "../drive_c")
        tree.link("\(prefix)/dosdevices/z:", to: "/")
        return "\(prefix)/drive_c/users/steamuser"
    }

    /// The folder of a game's files in Steam Cloud.
    public func cloudFolder(_ id: Int, account: String = "76561198") -> String {
        "\(root)/userdata/\(account)/\(id)/remote"
    }

    /// Adds a shortcut to a program outside of Steam.
    public func addShortcut(_ id: UInt32, _ name: String, in folder: String, account: String = "76561198") {
        shortcuts.append((id, name, folder))
        var bytes: [UInt8] = [0] + Array("shortcuts".utf8) + [0]
        for (number, shortcut) in shortcuts.enumerated() {
            bytes += [0] + Array("\(number)".utf8) + [0]
            bytes += [2] + Array("appid".utf8) + [0]
            for place in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: shortcut.id >> (8 * UInt32(place)))) }
            bytes += [1] + Array("AppName".utf8) + [0] + Array(shortcut.name.utf8) + [0]
            bytes += [1] + Array("StartDir".utf8) + [0] + Array("\"\(shortcut.folder)/\"".utf8) + [0]
            bytes += [0] + Array("tags".utf8) + [0, 8, 8]
        }
        tree.put(bytes + [8, 8], at: "\(root)/userdata/\(account)/config/shortcuts.vdf")
    }
}
