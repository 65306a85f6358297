import LinuxPlatform

/// What in a home, and in the folders that XDG names, is a reserved place, by its name there.
enum ReservedNames {
    typealias Row = (content: ReservedPlace.Content, reach: ReservedPlace.Reach, names: [String])

    /// Of a home. What XDG names has rows of its own.
    static let home: [Row] = [
        (.home, .itself, [""]),
        (.settings, .itself, [".local", ".var", ".var/app"]),
        (
            .startup, .whole,
            [
                ".profile", ".bash_profile", ".bash_login", ".bash_logout", ".bashrc", ".bash_aliases",
                ".bash_completion", ".bashrc.d", ".inputrc", ".zshenv", ".zprofile", ".zshrc", ".zlogin", ".zlogout",
                ".zsh", ".oh-my-zsh", ".kshrc", ".mkshrc", ".cshrc", ".tcshrc", ".login", ".logout", ".xonshrc",
                ".environment", ".pam_environment", ".xinitrc", ".xsession", ".xsessionrc", ".xprofile", ".xserverrc",
                ".xbindkeysrc", ".Xresources", ".Xdefaults", ".fluxbox", ".icewm", ".xmonad", ".vnc", ".kde", ".kde4",
                ".gnome", ".gnome2", ".gconf", ".dbus", ".forward", ".procmailrc", ".mailcap", ".gdbinit", ".lldbinit",
                ".vim", ".vimrc", ".gvimrc", ".exrc", ".emacs", ".emacs.d", ".nanorc", ".screenrc", ".tmux.conf",
                ".tmux", ".gitconfig", ".hgrc", ".curlrc", ".wgetrc", ".npmrc", ".yarnrc", ".pythonrc",
                ".pythonrc.py", ".ipython", ".irbrc", ".Rprofile", ".gtkrc-2.0", ".mozilla", ".thunderbird",
            ]
        ),
        (
            .keys, .whole,
            [
                ".ssh", ".gnupg", ".pki", ".password-store", ".netrc", ".authinfo", ".pgpass", ".my.cnf",
                ".git-credentials", ".aws", ".azure", ".kube", ".docker", ".rhosts", ".shosts", ".k5login", ".pypirc",
                ".Xauthority", ".ICEauthority",
            ]
        ),
        (
            .programs, .whole,
            [
                "bin", ".bin", ".local/bin", ".local/lib", ".local/opt", ".cargo", ".rustup", ".nvm", ".npm-global",
                ".pyenv", ".rbenv", ".asdf", ".sdkman", ".deno", ".bun", ".gem", "go/bin",
            ]
        ),
    ]

    /// Of a folder of settings, such as `~/.config`.
    static let settings: [Row] = [
        (.settings, .itself, [""]),
        (
            .startup, .whole,
            [
                "autostart", "autostart-scripts", "systemd", "environment.d", "plasma-workspace", "user-dirs.dirs",
                "fish", "bash", "zsh", "nushell", "elvish", "xonsh", "powershell", "profile.d", "dconf", "dbus-1",
                "khotkeysrc", "kglobalshortcutsrc", "kdeglobals", "kwinrc", "ksmserverrc", "mimeapps.list", "menus",
                "gnome-session", "xfce4", "lxsession", "lxqt", "openbox", "fluxbox", "i3", "sway", "hypr", "niri",
                "labwc", "river", "wayfire.ini", "bspwm", "sxhkd", "awesome", "qtile", "herbstluftwm", "leftwm",
                "xmonad", "X11", "gtk-2.0", "gtk-3.0", "gtk-4.0", "Thunar", "nautilus", "git", "hg", "nvim", "vim",
                "emacs", "helix", "kak", "Code", "VSCodium", "zed", "sublime-text", "tmux", "kitty", "alacritty",
                "foot", "ghostty", "wezterm", "mpv", "pipewire", "wireplumber", "pulse", "containers", "autorandr",
                "kanshi", "npm", "pip", "uv", "chromium", "google-chrome", "BraveSoftware", "vivaldi", "microsoft-edge",
                "mozilla", "opera",
            ]
        ),
        (.keys, .whole, ["gh", "gcloud", "rclone", "op", "keepassxc", "kwalletrc", "gnupg", "ssh"]),
    ]

    /// Of a folder of programs' data, such as `~/.local/share`.
    static let data: [Row] = [
        (.settings, .itself, ["", "Steam"]),
        (
            .startup, .whole,
            [
                "applications", "systemd", "dbus-1", "autostart", "desktop-directories", "xsessions",
                "wayland-sessions", "bash-completion", "fish", "zsh", "nushell", "gnome-shell", "cinnamon", "plasma",
                "kwin", "kio", "kservices5", "kservices6", "kfiles", "nautilus", "nautilus-python", "nemo", "caja",
                "file-manager", "mime", "nvim", "flatpak", "containers", "konsole",
            ]
        ),
        (
            .keys, .whole,
            ["keyrings", "kwalletd", "kwalletd5", "kwalletd6", "gnupg", "pki", "password-store", "gopass"]
        ),
    ]

    static let state: [Row] = [(.settings, .itself, [""])]

    static let runtime: [Row] = [(.system, .itself, [""]), (.startup, .whole, ["systemd", "environment.d"])]

    /// From the root on. Games are installed below `/opt`, and on disks that are mounted below `/run`.
    static let system: [Row] = [
        (.system, .itself, ["/", "/dev", "/home", "/opt", "/run", "/run/user", "/var", "/var/lib", "/var/spool"]),
        (
            .system, .whole,
            [
                "/bin", "/boot", "/efi", "/etc", "/lib", "/lib32", "/lib64", "/nix", "/proc", "/sbin", "/snap", "/sys",
                "/usr", "/run/dbus", "/run/systemd", "/run/udev", "/var/lib/dpkg", "/var/lib/flatpak",
                "/var/lib/snapd", "/var/lib/systemd", "/var/lib/AccountsService", "/var/spool/cron", "/var/spool/at",
            ]
        ),
    ]

    /// Those of a table below a folder.
    static func places(_ table: [Row], in folder: String) -> [ReservedPlace] {
        let base = folder == "/" ? "" : folder
        return table.flatMap { row in
            row.names.map { name in
                let isWhole = name.hasPrefix("/")
                let path = isWhole ? name : name.isEmpty ? folder : "\(base)/\(name)"
                return ReservedPlace(path, row.content, row.reach, on: folder)
            }
        }
    }
}
