/// The files of Heroic in a home.
public final class HeroicTree {
    private let tree: GameTree
    private let root: String
    private var gog: [(id: String, title: String, folder: String)] = []
    private var epic: [(id: String, title: String, folder: String)] = []
    private var added: [(id: String, title: String, program: String)] = []

    /// Makes the files of a first start.
    public init(in tree: GameTree, at root: String = ".config/heroic") {
        (self.tree, self.root) = (tree, root)
        tree.put("{}", at: "\(root)/config.json")
    }

    /// Its folder in the Flatpak.
    public static let flatpakRoot = ".var/app/com.heroicgameslauncher.hgl/config/heroic"

    /// Installs a game of GOG.
    public func installGOG(_ id: String, _ title: String, in folder: String) {
        gog.append((id, title, tree.path(folder)))
        tree.makeFolder(folder)
        let installed = gog.map {
            #"{"platform":"windows","executable":"","install_path":"\#($0.folder)","appName":"\#($0.id)","versionEtag":"\"x\""}"#
        }
        tree.put(#"{"installed":[\#(installed.joined(separator: ","))]}"#, at: "\(root)/gog_store/installed.json")
        let titles = gog.map { #"{"runner":"gog","app_name":"\#($0.id)","title":"\#($0.title)","is_installed":true}"# }
        tree.put(#"{"games":[\#(titles.joined(separator: ","))]}"#, at: "\(root)/store_cache/gog_library.json")
    }

    /// Installs a game of Epic.
    public func installEpic(_ id: String, _ title: String, in folder: String) {
        epic.append((id, title, tree.path(folder)))
        tree.makeFolder(folder)
        let games = epic.map {
            #""\#($0.id)":{"app_name":"\#($0.id)","title":"\#($0.title)","platform":"Windows","install_path":"\#($0.folder)"}"#
        }
        tree.put("{\(games.joined(separator: ","))}", at: "\(root)/legendaryConfig/legendary/installed.json")
    }

    /// Adds a program of the user.
    public func addOwn(_ id: String, _ title: String, program: String) {
        added.append((id, title, tree.path(program)))
        tree.put(at: program)
        let games = added.map {
            #"{"app_name":"\#($0.id)","title":"\#($0.title)","install":{"executable":"\#($0.program)","platform":"Windows"}}"#
        }
        tree.put(#"{"games":[\#(games.joined(separator: ","))]}"#, at: "\(root)/sideload_apps/library.json")
    }

    /// Makes the prefix of a game, and returns the folder of its user.
    public func makePrefix(_ id: String, at folder: String, user: String = "deck", isProton: Bool = false) -> String {
        tree.put(
            #"{"\#(id)":{"winePrefix":"\#(tree.path(folder))","wineVersion":{"type":"\#(isProton ? "proton" : "wine")"}},"version":"v0"}"#,
            at: "\(root)/GamesConfig/\(id).json"
        )
        return WineTree.make(in: tree, at: isProton ? "\(folder)/pfx" : folder, user: isProton ? "steamuser" : user)
    }
}
