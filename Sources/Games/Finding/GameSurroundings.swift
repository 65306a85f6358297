/// The user's folders on this machine, from the environment.
package struct GameSurroundings: Sendable {
    package let home: String
    package let configuration: String
    package let data: String
    /// The folders of memory cards and other mounted disks, such as `/run/media/deck/SD`.
    package let cards: [String]

    /// - Parameters:
    ///   - environment: has `HOME`, `XDG_CONFIG_HOME` and `XDG_DATA_HOME`
    ///   - mounts: the folders in which disks are mounted, one or two levels down
    package init(_ environment: [String: String], mounts: [String] = ["/run/media", "/media", "/mnt"]) {
        func folder(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let home = folder("HOME") ?? "/"
        self.home = home
        configuration = folder("XDG_CONFIG_HOME") ?? "\(home)/.config"
        data = folder("XDG_DATA_HOME") ?? "\(home)/.local/share"
        cards = mounts.flatMap { mount in
            LocalFiles.folders(mount, limit: 256).flatMap { name in
                ["\(mount)/\(name)"]
                    + LocalFiles.folders("\(mount)/\(name)", limit: 256).map { "\(mount)/\(name)/\($0)" }
            }
        }
    }

    /// The folders of a Flatpak.
    func flatpak(_ id: String) -> String { "\(home)/.var/app/\(id)" }

    /// True if a folder holds far more than one game: the home, a base of places, or a folder above one of them.
    func isTooBroad(_ real: String) -> Bool {
        let broad = [home, configuration, data].flatMap { [$0, LocalFiles.real($0) ?? $0] }
        return broad.contains { $0 == real || $0.hasPrefix(real == "/" ? "/" : real + "/") }
    }
}

extension GameSurroundings {
    /// The folders of a program outside of any sandbox.
    var nativeRoots: PlaceRoots { .native(home: home, configuration: [configuration], data: [data]) }
}
