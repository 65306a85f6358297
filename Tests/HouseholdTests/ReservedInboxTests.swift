import Glibc
import LinuxPlatform
import Session
import SessionRules
import TestSupport
import Testing
import Vocabulary

@testable import Household

@Suite("A folder that files from others may not reach", .timeLimit(.minutes(5)))
struct ReservedInboxTests {
    private let folder = TemporaryFolder.inMemory()

    private func conflict(
        at path: String,
        _ environment: [String: String] = [:],
        users: [UserHome] = []
    ) -> ReservedPlace.Conflict? {
        let environment = ["HOME": folder.path(of: "home")].merging(environment) { $1 }
        return ReservedPlace.conflict(at: path, with: Places(environment).reserved(users: users))
    }

    private func make(_ names: String...) throws {
        for name in names { try FolderPath.make(folder.path(of: name), mode: .privateFolder) }
    }

    @Test(
        "a home is reserved, and so are its settings, keys, programs and autostart files, and all places inside",
        arguments: [
            ("", .home), (".", .home), ("../home", .home), (".config", .settings), (".config/autostart", .startup),
            (".config/systemd/user", .startup), (".config/environment.d", .startup), (".config/fish", .startup),
            (".config/plasma-workspace/env", .startup), (".config/unity3d/../autostart", .startup), (".ssh", .keys),
            (".ssh/deeper", .keys), (".gnupg", .keys), (".pki", .keys), (".local", .settings),
            (".local/share", .settings), (".local/share/applications", .startup),
            (".local/share/systemd/user", .startup), (".local/share/keyrings", .keys), (".local/bin", .programs),
            ("bin", .programs), (".kde/Autostart", .startup), (".kde4/Autostart", .startup), (".bashrc", .startup),
            (".bashrc.d", .startup), (".var/app", .settings), (".mozilla/firefox", .startup),
        ] as [(String, ReservedPlace.Content)],
        [false, true]
    )
    func refused(place: (name: String, content: ReservedPlace.Content), isThere: Bool) throws {
        try make("home")
        if isThere { try make("home/\(place.name)", "home/.config/autostart", "home/.config/unity3d") }
        let conflict = conflict(at: folder.path(of: "home/\(place.name)"))
        #expect(conflict?.content == place.content, "\(String(describing: conflict))")
    }

    @Test(
        "a place that runs code or changes a desktop by itself is reserved",
        arguments: [
            ".config/waybar", ".config/polybar", ".config/conky", ".config/dunst", ".config/swaync",
            ".config/rofi", ".config/eww", ".config/picom", ".config/Kvantum", ".icons", ".themes",
            ".local/share/icons", ".local/share/themes", ".local/share/thumbnailers",
            ".config/obs-studio", ".local/share/vlc/lua", ".config/vlc", ".config/mpv/scripts",
            ".config/Code", ".config/Code - OSS", ".config/VSCodium", ".config/Cursor",
            ".config/JetBrains", ".config/zed", ".vscode", ".vscode-oss", ".vscode-server",
            ".cursor",
            ".config/direnv", ".config/mise", ".config/go", ".config/nix", ".config/jj", ".gradle",
            ".local/share/direnv", ".local/share/flatpak/overrides", ".config/sway", ".config/hypr",
            ".config/kitty", ".config/ghostty", ".config/helix", ".config/zellij", ".config/wofi",
            ".config/qutebrowser", ".config/chromium", ".var/app/org.mozilla.firefox",
            "snap/firefox",
            ".local/share/gvfs-metadata", ".config/gamemode.ini",
        ],
        ["", "/deeper"]
    )
    func running(place: String, below: String) {
        #expect(conflict(at: folder.path(of: "home/\(place)\(below)"))?.content == .startup)
    }

    @Test(
        "the desktop itself is reserved, and any part of Steam but a single game",
        arguments: [
            ("Desktop", .desktop), (".steam", .programs), (".steam/steam", .programs),
            (".steam/steam/steamapps", .programs), (".steam/debian-installation", .programs),
            (".local/share/Steam", .programs), (".local/share/Steam/userdata", .programs),
            (".local/share/Steam/steamapps/common", .programs),
            (".local/share/Steam/steamapps/compatdata", .programs),
            (".local/share/Steam/compatibilitytools.d/GE", .programs),
            (".local/share/Steam/config", .keys),
            (".var/app/com.valvesoftware.Steam/data/Steam/ubuntu12_32", .programs),
            (".local/share/Steam/userdata/1", .programs), (".local/share/Steam/userdata/1/config", .startup),
            (".steam/steam/userdata/76561198/config/grid", .startup),
            (".local/share/Steam/steamapps/common/Proton 9.0 (Beta)", .programs),
            (".steam/steam/steamapps/common/Proton 10.0/files/bin", .programs),
            (".steam/debian-installation/steamapps/common/SteamLinuxRuntime_4", .programs),
            (".local/share/Steam/steamapps/common/Proton BattlEye Runtime", .programs),
            (".local/share/mise/shims", .programs), (".local/share/mise", .programs),
            (".local/share/pipx", .programs), (".ghcup", .programs), (".config/discord", .startup),
            (".config/Signal", .keys), (".msmtprc", .keys),
        ] as [(String, ReservedPlace.Content)]
    )
    func desktopAndSteam(place: String, content: ReservedPlace.Content) {
        #expect(conflict(at: folder.path(of: "home/\(place)"))?.content == content)
    }

    @Test("the desktop that a variable names is reserved, unless that is the home")
    func namedDesktop() throws {
        try make("home", "Schreibtisch/Game")
        let variables = ["XDG_DESKTOP_DIR": folder.path(of: "Schreibtisch")]
        let conflict = conflict(at: folder.path(of: "Schreibtisch"), variables)
        #expect(conflict?.content == .desktop && conflict?.reason.contains("click") == true)
        #expect(self.conflict(at: folder.path(of: "Schreibtisch/Game"), variables) == nil)
        let places = Places(["HOME": "/ann", "XDG_DESKTOP_DIR": "/ann/"])
        let desktops = places.reserved(users: []).filter { $0.content == .desktop }
        #expect(desktops.map(\.path) == ["/ann/Desktop"])
    }

    @Test("the desktop that only the desktop's own file names is reserved, and the refusal says where it is")
    func desktopOfTheFile() throws {
        try make("home/.config", "home/Schreibtisch/Game", "home/Los")
        let lines = """
            # This file is written by xdg-user-dirs-update
            XDG_DESKTOP_DIR="$HOME/Schreibtisch"
            XDG_AUTOSTART_DIR = "\(folder.path(of: "home/Los"))"
            XDG_DOWNLOAD_DIR="$HOME/"
            """
        try folder.put(lines, at: "home/.config/user-dirs.dirs")
        #expect(conflict(at: folder.path(of: "home/Schreibtisch"))?.content == .desktop)
        #expect(conflict(at: folder.path(of: "home/Schreibtisch/Game")) == nil)
        #expect(conflict(at: folder.path(of: "home/Los/deeper"))?.content == .startup)
        // A user without a desktop folder has the home named for it. Most folders in the home are not reserved.
        try folder.put("XDG_DESKTOP_DIR=\"$HOME\"\n", at: "home/.config/user-dirs.dirs")
        #expect(conflict(at: folder.path(of: "home"))?.content == .home)
        #expect(conflict(at: folder.path(of: "home/Downloads")) == nil)
        let odd = #"XDG_DESKTOP_DIR="${HOME}/a\"b"  "# + "\nnothing\nXDG_DESKTOP_DIR=relative"
        let read = UserDirectories(odd, home: "/ann")
        #expect(read.folders("XDG_DESKTOP_DIR") == [#"/ann/a"b"#])
    }

    @Test("the refusal of Steam's own folders names the folder")
    func steamReason() {
        let options = conflict(at: folder.path(of: "home/.steam/steam/userdata/7/config/grid"))
        #expect(options?.relation == .isInside && options?.place.hasSuffix("userdata/7/config") == true)
        let user = conflict(at: folder.path(of: "home/.steam/steam/userdata/7"))
        #expect(user?.relation == .isThere && user?.reason.contains("programs") == true)
    }

    @Test(
        "a place of people's files or of a game's saves is not reserved",
        arguments: [
            "Downloads", "Documents", "Documents/My Games/Skyrim", "Desktop/From others",
            "From others",
            ".config/unity3d/Team/Game",
            ".config/StardewValley/Saves", ".config/retroarch/saves", ".local/share/Celeste/Saves", ".minecraft/saves",
            ".var/app/org.libretro.RetroArch/config/retroarch/saves", ".steam/steam/userdata/1/504230/remote",
            ".local/share/Steam/userdata/1/504230/remote", ".local/share/Steam/userdata/1/504230",
            ".local/share/Steam/steamapps/common/Proton Pulse/saves",
            ".local/share/Steam/steamapps/compatdata/1/pfx/drive_c/users/steamuser",
            ".local/share/Steam/steamapps/common/Game/saves",
            ".steam/debian-installation/steamapps/common/Game",
            ".var/app/com.valvesoftware.Steam/data/Steam/steamapps/compatdata/1/pfx",
            ".local/share/vlc/game",
            ".wine/drive_c/users/ann/Documents", ".local/state/game", ".factorio", "Games/bin/saves",
        ]
    )
    func free(_ name: String) throws {
        try make("home", "home/.config/autostart", "home/.local/share/applications", "home/.ssh")
        #expect(conflict(at: folder.path(of: "home/\(name)")) == nil)
        try make("home/\(name)")
        #expect(conflict(at: folder.path(of: "home/\(name)")) == nil)
    }

    @Test("a reserved place is found through links, and so is the target of a link in the home")
    func links() throws {
        try make("home/.ssh", "dotfiles/config/autostart", "dotfiles/games")
        symlink(folder.path(of: "home/.ssh"), folder.path(of: "harmless"))
        symlink(folder.path(of: "dotfiles/config"), folder.path(of: "home/.config"))
        try folder.put("", at: "dotfiles/games/bashrc")
        symlink(folder.path(of: "dotfiles/games/bashrc"), folder.path(of: "home/.bashrc"))
        #expect(conflict(at: folder.path(of: "harmless"))?.content == .keys)
        #expect(conflict(at: folder.path(of: "harmless/new"))?.relation == .isInside)
        #expect(conflict(at: folder.path(of: "dotfiles/config/autostart/new"))?.content == .startup)
        #expect(conflict(at: folder.path(of: "dotfiles"))?.relation == .holds)
        #expect(conflict(at: folder.path(of: "dotfiles/games"))?.relation == .holds)
        #expect(conflict(at: folder.path(of: "dotfiles/config/unity3d")) == nil)
    }

    @Test("places that variables name are reserved, and so are the hidden ones of another user's home")
    func elsewhere() throws {
        try make("home", "set/autostart", "data", "bob/.config", "tools")
        let variables = [
            "XDG_CONFIG_HOME": folder.path(of: "set"), "XDG_DATA_HOME": folder.path(of: "data"),
            "PATH": "/usr/bin:\(folder.path(of: "tools"))", "GNUPGHOME": folder.path(of: "keys"),
        ]
        func content(_ name: String) -> ReservedPlace.Content? {
            let users = [UserHome(user: .max, path: folder.path(of: "bob"))]
            return conflict(at: folder.path(of: name), variables, users: users)?.content
        }
        #expect(content("set") == .settings && content("set/autostart") == .startup && content("set/game") == nil)
        #expect(content("data/applications/x") == .startup && content("data/Celeste") == nil)
        #expect(content("tools") == .programs && content("tools/saves") == nil)
        #expect(content("keys") == .keys && content("keys/private") == .keys)
        #expect(content("bob") == .home && content("bob/.config/game") == .home && content("bob/Shared") == nil)
    }

    @Test(
        "folders of the system are reserved",
        arguments: ["/", "/etc", "/etc/cron.d", "/usr/share", "/home", "/var", "/boot", "/proc/self"]
    )
    func system(_ path: String) {
        #expect(conflict(at: path)?.content == .system)
    }

    @Test("a reserved folder is not made for an inbox, and the error has the reason and the next step")
    func inbox() throws {
        try make("home")
        let reserved = Places(["HOME": folder.path(of: "home")]).reserved(users: [])
        let inbox = try InboxFolder(folder.path(of: "home/.config/autostart"), besides: reserved)
        let refusal = try #require(inbox.refusal)
        #expect(refusal.message.contains("run at login") && refusal.nextStep.contains("--into"))
        #expect(folder.names(in: "home").isEmpty)
        let usual = try InboxFolder(folder.path(of: "home/Downloads"), besides: reserved)
        #expect(usual.refusal == nil)
        try usual.prepare()
        // Another program replaces the folder by a link meanwhile.
        rmdir(folder.path(of: "home/Downloads"))
        try make("home/.ssh")
        symlink(folder.path(of: "home/.ssh"), folder.path(of: "home/Downloads"))
        #expect(throws: HouseholdError.self) { try usual.prepare() }
    }

    @Test("a reserved inbox takes no file or stream, the peer learns no path, and messages still arrive")
    @Engine
    func closed() async throws {
        let (guest, host) = (try await Home("Deck"), try await Home("Desk", reserving: ["inbox"]))
        guest.run()
        host.run()
        try await guest.knows(host)
        try await host.knows(guest)
        let session = guest.node.session(SessionConfiguration(name: try Label("chat"), topology: .pair))
        try await guest.node.invite(.address(try host.address), to: session)
        #expect(host.household.ready.sentence?.contains("no files are taken") == true)
        let source = TemporaryFolder()
        try source.put("planted", at: ".bash_profile")
        let reader = host.household.events.follow()
        let sending = try await session.sendResource(at: source.path(of: ".bash_profile"))[0]
        let error = await #expect(throws: (any Error).self) { try await sending.finished() }
        #expect("\(String(describing: error))".contains(host.folder.path) == false)
        let stream = try await session.openStream(named: try Label("log"), to: host.node.id)
        await #expect(throws: (any Error).self) {
            try await stream.write(Array("planted".utf8))
            try await stream.finish()
        }
        try await session.send(Array("hello".utf8))
        var events: [DaemonLine] = []
        while !events.contains(where: { $0.name == "message" }) { events += try #require(await reader.next()) }
        let refused = events.compactMap { line in
            if case .notReceived(let event) = line.event { event.reason } else { nil }
        }
        #expect(refused.contains("inbox.reserved"))
        let peer = PeerTag(guest.node.id, nil)
        let state = await #expect(throws: HouseholdError.self) {
            try await host.household.keep([1], as: Label("castle"), from: peer)
        }
        #expect(state?.code == "inbox.reserved" && state.map { "\($0)".contains(host.folder.path) } == false)
        #expect(host.folder.names(in: "inbox").isEmpty)
        await guest.end()
        await host.end()
    }
}
