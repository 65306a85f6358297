import Glibc
package import LinuxPlatform

extension Places {
    /// The places that no file from other machines may reach, besides Huddle's own: settings, keys, programs and
    /// autostart.
    ///
    /// - Parameter users: the users who can log in here, with or without this user
    package func reserved(users: [UserHome] = UserHome.all) -> [ReservedPlace] {
        let own = [home] + users.filter { $0.user == getuid() }.map(\.path)
        let others = users.filter { $0.user != getuid() && !own.contains($0.path) }.map(\.path)
        return ReservedNames.places(ReservedNames.system, in: "/")
            + folders("PATH").map { ReservedPlace($0, .programs, .itself, on: "/") }
            + others.map { ReservedPlace($0, .home, .hidden) }
            + Self.once(own).filter { $0 != "/" }.flatMap(Self.places(inHome:))
            + desktops(besides: own)
            + named(ReservedNames.settings, "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", or: own.map { "\($0)/.config" })
            + named(ReservedNames.data, "XDG_DATA_HOME", "XDG_DATA_DIRS", or: own.map { "\($0)/.local/share" })
            + Self.once(folders("XDG_DATA_HOME") + own.map { "\($0)/.local/share" })
            .flatMap { Self.places(ofSteamIn: "\($0)/Steam") }
            + named(ReservedNames.state, "XDG_STATE_HOME", or: own.map { "\($0)/.local/state" })
            + named(ReservedNames.runtime, "XDG_RUNTIME_DIR")
            + ["GNUPGHOME", "PASSWORD_STORE_DIR"].flatMap(folders).map { ReservedPlace($0, .keys, .whole) }
            + folders("ZDOTDIR").flatMap { ReservedNames.places(ReservedNames.home, in: $0) }
    }

    /// The places of a table, both in the folders that variables name and in the default folder.
    private func named(
        _ table: [ReservedNames.Row],
        _ variables: String...,
        or usual: [String] = []
    ) -> [ReservedPlace] {
        // All of /usr is reserved.
        let found = variables.flatMap(folders).filter { !$0.hasPrefix("/usr/") }
        return Self.once(found + usual).flatMap { ReservedNames.places(table, in: $0) }
    }

    /// The places in a home, including Steam in it.
    private static func places(inHome home: String) -> [ReservedPlace] {
        ReservedNames.places(ReservedNames.home, in: home)
            + ReservedNames.steamFolders.flatMap { places(ofSteamIn: "\(home)/\($0)") }
    }

    private static func places(ofSteamIn folder: String) -> [ReservedPlace] {
        ReservedNames.places(ReservedNames.steam, in: folder) + ReservedNames.steamPatterns(in: folder)
    }

    /// The folders that a variable or the file of the desktop names. For a user without a desktop they may name the
    /// home, which has its own rules.
    private func desktops(besides homes: [String]) -> [ReservedPlace] {
        let names = homes.map { $0.split(separator: "/") }
        func isHome(_ path: String) -> Bool { names.contains(path.split(separator: "/")) }
        let settings = Self.once(folders("XDG_CONFIG_HOME") + homes.map { "\($0)/.config" })
        let files = settings.map { UserDirectories(fileAt: "\($0)/user-dirs.dirs", home: home) }
        let desktops = folders("XDG_DESKTOP_DIR") + files.flatMap { $0.folders("XDG_DESKTOP_DIR") }
        let autostarts = files.flatMap { $0.folders("XDG_AUTOSTART_DIR") }
        return Self.once(desktops).filter { !isHome($0) }.map { ReservedPlace($0, .desktop, .itself) }
            + Self.once(autostarts).filter { !isHome($0) }.map { ReservedPlace($0, .startup, .whole) }
    }

    private static func once(_ folders: [String]) -> [String] {
        folders.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
