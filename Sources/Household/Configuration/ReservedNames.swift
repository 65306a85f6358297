import LinuxPlatform

/// The reserved places in a home, and in the folders of XDG, by their names.
///
/// A row has one reason, in the comment above it.
enum ReservedNames {
    typealias Row = (content: ReservedPlace.Content, reach: ReservedPlace.Reach, names: [String])

    /// The reserved places in a home. The folders of XDG have tables of their own.
    static let home: [Row] = [
        (.home, .itself, [""]),
        (.settings, .itself, [".local", ".var", ".var/app", "snap"]),
        // A file manager starts a `.desktop` file there by a click. Folders on it are free.
        (.desktop, .itself, ["Desktop"]),
        // A shell, a login or a session of X reads them at its start.
        (
            .startup, .whole,
            [
                ".profile", ".bash_profile", ".bash_login", ".bash_logout", ".bashrc",
                ".bash_aliases", ".bash_completion", ".bashrc.d", ".bash_it", ".oh-my-bash",
                ".inputrc", ".zshenv", ".zprofile", ".zshrc", ".zlogin", ".zlogout", ".zsh",
                ".oh-my-zsh", ".p10k.zsh", ".zinit", ".antigen", ".fzf", ".fzf.bash", ".fzf.zsh",
                ".kshrc", ".mkshrc", ".cshrc", ".tcshrc", ".login", ".logout", ".xonshrc",
                ".environment", ".pam_environment", ".xinitrc", ".xsession", ".xsessionrc",
                ".xprofile", ".xserverrc", ".xbindkeysrc", ".Xresources", ".Xdefaults", ".Xmodmap",
                ".xscreensaver", ".direnvrc", ".lessfilter",
            ]
        ),
        // Desktops start programs from these folders, or take icons and pictures for what the user clicks on.
        (
            .startup, .whole,
            [
                ".fluxbox", ".icewm", ".xmonad", ".fvwm", ".jwmrc", ".i3", ".sway", ".conkyrc",
                ".conky", ".vnc", ".kde", ".kde4", ".gnome", ".gnome2", ".gconf", ".dbus",
                ".cinnamon", ".e", ".compiz", ".gtkrc-2.0", ".icons", ".themes",
            ]
        ),
        // Editors run commands from these files when they open a file or a folder.
        (
            .startup, .whole,
            [
                ".vim", ".vimrc", ".gvimrc", ".exrc", ".emacs", ".emacs.d", ".nanorc", ".vscode",
                ".vscode-oss", ".vscode-server", ".vscode-insiders", ".cursor", ".cursor-server",
                ".windsurf", ".atom", ".spacemacs", ".doom.d",
            ]
        ),
        // Tools for developers run commands from these files, or fetch programs from addresses in them.
        (
            .startup, .whole,
            [
                ".gdbinit", ".gdbearlyinit", ".lldbinit", ".screenrc", ".tmux.conf", ".tmux",
                ".gitconfig", ".hgrc", ".curlrc", ".wgetrc", ".npmrc", ".yarnrc", ".yarnrc.yml",
                ".pythonrc", ".pythonrc.py", ".ipython", ".jupyter", ".irbrc", ".pryrc", ".gemrc",
                ".bundle", ".Rprofile", ".Renviron", ".julia", ".ghci", ".sqliterc", ".psqlrc",
                ".latexmkrc", ".perldb", ".gradle", ".m2", ".ansible", ".ansible.cfg",
                ".terraformrc", ".condarc", ".conda", ".mise.toml", ".nixpkgs", ".nix-defexpr",
            ]
        ),
        // Programs for mail, films and the Web run add-ons and commands from them.
        (
            .startup, .whole,
            [
                ".forward", ".procmailrc", ".mailcap", ".mailrc", ".muttrc", ".mutt", ".mozilla",
                ".thunderbird", ".mpv", ".mplayer", ".weechat", ".irssi", "snap/firefox",
                "snap/chromium", "snap/thunderbird", "snap/code",
            ] + runningApps.map { ".var/app/\($0)" }
        ),
        // A program with these keys can pose as the user to other machines.
        (
            .keys, .whole,
            [
                ".ssh", ".gnupg", ".pki", ".password-store", ".netrc", ".authinfo", ".pgpass",
                ".my.cnf", ".git-credentials", ".aws", ".azure", ".kube", ".docker", ".rhosts",
                ".shosts", ".k5login", ".pypirc", ".Xauthority", ".ICEauthority", ".msmtprc",
                ".mbsyncrc", ".fetchmailrc", ".vault-token", ".electrum", ".bitcoin",
            ]
        ),
        // A shell or another program starts them by their name.
        (
            .programs, .whole,
            [
                "bin", ".bin", ".local/bin", ".local/lib", ".local/opt", ".cargo", ".rustup",
                ".nvm", ".npm-global", ".pyenv", ".rbenv", ".asdf", ".sdkman", ".deno", ".bun",
                ".gem", "go/bin", ".dotnet", ".ghcup", ".cabal", ".stack", ".opam", ".elan",
                ".juliaup", ".krew", ".volta", ".nodenv", ".goenv", ".jenv", ".linuxbrew",
                ".nix-profile", ".guix-profile", "miniconda3", "anaconda3", "miniforge3",
                ".dropbox-dist", ".steam/registry.vdf",
            ]
        ),
        // The links into the place where Steam is installed.
        (.programs, .itself, [".steam"]),
    ]

    /// Programs from Flathub that run add-ons or commands out of their folder.
    private static let runningApps = [
        "org.mozilla.firefox", "org.mozilla.Thunderbird", "org.chromium.Chromium",
        "com.google.Chrome", "com.brave.Browser", "com.microsoft.Edge", "com.vivaldi.Vivaldi",
        "com.visualstudio.code", "com.visualstudio.code-oss", "com.vscodium.codium",
        "com.obsproject.Studio", "org.videolan.VLC", "io.mpv.Mpv", "com.discordapp.Discord",
    ]

    /// The folders below a home in which Steam may be installed. XDG names a further one.
    static let steamFolders = [
        ".steam/steam", ".steam/debian-installation", ".var/app/com.valvesoftware.Steam/data/Steam",
        ".var/app/com.valvesoftware.Steam/.local/share/Steam",
        "snap/steam/common/.local/share/Steam",
    ]

    /// The reserved places in the folder of Steam. Saves are below it, in folders of single games.
    static let steam: [Row] = [
        // These contain all games, or all that a user of Steam has.
        (
            .programs, .itself,
            ["", "steamapps", "steamapps/common", "steamapps/compatdata", "userdata"]
        ),
        // Steam itself, and the tools that start games.
        (
            .programs, .whole,
            [
                "bin", "compatibilitytools.d", "legacycompat", "linux32", "linux64", "package",
                "steamrt64", "steamui", "ubuntu12_32", "ubuntu12_64", "steam.sh",
                "steamapps/common/SteamLinuxRuntime", "steamapps/common/SteamLinuxRuntime_soldier",
                "steamapps/common/SteamLinuxRuntime_sniper",
                "steamapps/common/Proton - Experimental", "steamapps/common/Proton Hotfix",
            ]
        ),
        // The login of the user.
        (.keys, .whole, ["config"]),
    ]

    /// Reserved places in folders that Steam names: by the number of a user, or the version of a tool that starts
    /// games.
    static func steamPatterns(in folder: String) -> [ReservedPlace] {
        func place(
            _ name: String,
            _ content: ReservedPlace.Content,
            _ reach: ReservedPlace.Reach,
            _ pattern: ReservedPlace.NamePattern...
        ) -> ReservedPlace {
            ReservedPlace("\(folder)/\(name)", content, reach, on: folder, below: pattern)
        }
        return [
            // This contains all games of a user. The saves of one are further inside.
            place("userdata", .programs, .itself, .any),
            // Launch options, and the programs behind shortcuts.
            place("userdata", .startup, .whole, .any, .exactly("config")),
            place("steamapps/common", .programs, .whole, .numbered("Proton ")),
            place("steamapps/common", .programs, .whole, .numbered("SteamLinuxRuntime_")),
            place("steamapps/common", .programs, .whole, .exactly("Proton EasyAntiCheat Runtime")),
            place("steamapps/common", .programs, .whole, .exactly("Proton BattlEye Runtime")),
        ]
    }

    /// The reserved places in a folder of settings, such as `~/.config`.
    static let settings: [Row] = [
        (.settings, .itself, [""]),
        // A login or a shell reads them at its start.
        (
            .startup, .whole,
            [
                "autostart", "autostart-scripts", "systemd", "environment.d", "user-dirs.dirs",
                "fish", "bash", "zsh", "nushell", "elvish", "xonsh", "powershell", "profile.d",
                "starship.toml", "direnv", "mise", "sheldon", "atuin",
            ]
        ),
        // Desktops and window managers start the programs that these files name, at login or by a key.
        (
            .startup, .whole,
            [
                "plasma-workspace", "plasmashellrc", "plasma-org.kde.plasma.desktop-appletsrc",
                "kdedefaults", "khotkeysrc", "kglobalshortcutsrc", "kdeglobals", "kwinrc",
                "kwinrulesrc", "ksmserverrc", "kded5rc", "kded6rc", "dconf", "dbus-1",
                "mimeapps.list", "menus", "gnome-session", "cinnamon", "xfce4", "lxsession", "lxqt",
                "enlightenment", "openbox", "fluxbox", "i3", "sway", "hypr", "niri", "labwc",
                "river", "wayfire.ini", "bspwm", "sxhkd", "swhkd", "awesome", "qtile",
                "herbstluftwm", "leftwm", "xmonad", "spectrwm", "regolith3", "X11", "autorandr",
                "kanshi", "Thunar", "nautilus", "nemo", "pcmanfm", "pcmanfm-qt", "espanso",
                "autokey", "input-remapper-2",
            ]
        ),
        // Bars, launchers, notices and locks of a desktop run commands for their content.
        (
            .startup, .whole,
            [
                "waybar", "polybar", "conky", "dunst", "swaync", "mako", "fnott", "rofi", "wofi",
                "fuzzel", "tofi", "walker", "eww", "ags", "quickshell", "ironbar", "yambar",
                "i3status", "i3blocks", "i3status-rust", "xmobar", "tint2", "plank", "picom",
                "picom.conf", "swaylock", "swayidle", "wlogout", "gammastep", "redshift",
                "ulauncher", "albert", "gamemode.ini",
            ]
        ),
        // The look of windows and letters: the user clicks on what these files make visible.
        (
            .startup, .whole,
            [
                "gtk-2.0", "gtk-3.0", "gtk-4.0", "Kvantum", "qt5ct", "qt6ct", "xsettingsd",
                "fontconfig",
            ]
        ),
        // Editors run commands from these files when they open a file or a folder.
        (
            .startup, .whole,
            [
                "nvim", "vim", "emacs", "doom", "helix", "kak", "micro", "Code", "Code - OSS",
                "Code - Insiders", "VSCodium", "Cursor", "Windsurf", "JetBrains", "zed",
                "sublime-text", "sublime-text-3", "lite-xl", "geany", "kate", "katerc",
            ]
        ),
        // Terminals and file managers in them start programs by themselves.
        (
            .startup, .whole,
            [
                "tmux", "zellij", "screen", "kitty", "alacritty", "alacritty.toml", "foot",
                "ghostty", "wezterm", "rio", "terminator", "konsolerc", "lf", "ranger", "yazi",
                "vifm", "nnn", "mc",
            ]
        ),
        // Tools for developers run commands from these files, or fetch programs from addresses in them.
        (
            .startup, .whole,
            [
                "git", "hg", "jj", "lazygit", "npm", "pnpm", "yarn", "pip", "pypoetry", "uv",
                "cargo", "go", "composer", "nix", "nixpkgs", "home-manager", "containers", "gdb",
                "jupyter", "python",
            ]
        ),
        // Browsers, players and mail programs run add-ons and commands from them.
        (
            .startup, .whole,
            [
                "mpv", "vlc", "mplayer", "ncmpcpp", "pipewire", "wireplumber", "pulse",
                "obs-studio", "chromium", "google-chrome", "google-chrome-beta", "BraveSoftware",
                "vivaldi", "microsoft-edge", "mozilla", "opera", "qutebrowser", "falkon", "discord",
                "Slack", "neomutt", "mutt", "aerc", "weechat", "libreoffice", "GIMP", "blender",
                "inkscape",
            ]
        ),
        // A program with these keys can pose as the user to other machines.
        (
            .keys, .whole,
            [
                "gh", "glab-cli", "hub", "gcloud", "rclone", "op", "keepassxc", "KeePass",
                "kwalletrc", "gnupg", "ssh", "goa-1.0", "evolution", "Signal", "Bitwarden", "helm",
                "doctl", "syncthing",
            ]
        ),
    ]

    /// The reserved places in a folder of programs' data, such as `~/.local/share`. Steam has a table of its own.
    static let data: [Row] = [
        (.settings, .itself, [""]),
        // A login or a shell reads them at its start.
        (
            .startup, .whole,
            [
                "systemd", "dbus-1", "autostart", "xsessions", "wayland-sessions",
                "bash-completion", "fish", "zsh", "zinit", "nushell", "direnv", "sheldon",
            ]
        ),
        // Desktops and file managers start the programs that these files name, or trust notes in them.
        (
            .startup, .whole,
            [
                "applications", "desktop-directories", "gnome-shell", "cinnamon", "plasma", "kwin",
                "kio", "kservices5", "kservices6", "kpackage", "krunner", "kfiles", "kxmlgui5",
                "konsole", "nautilus", "nautilus-python", "nemo", "nemo-python", "caja",
                "caja-python", "Thunar", "dolphin", "file-manager", "mime", "thumbnailers",
                "gvfs-metadata", "flatpak", "containers", "xdg-terminals", "contractor",
            ]
        ),
        // The look of windows and programs: the user clicks on what these files make visible.
        (.startup, .whole, ["icons", "themes", "aurorae", "color-schemes"]),
        // Programs run add-ons from them.
        (
            .startup, .whole,
            [
                "nvim", "vim", "emacs", "zed", "JetBrains", "gedit", "xed", "vlc/lua",
                "rhythmbox/plugins", "totem/plugins", "qutebrowser", "krita/pykrita", "Anki2",
                "mozilla", "ulauncher", "albert",
            ]
        ),
        // Shells start them by their name.
        (
            .programs, .whole,
            [
                "mise", "rtx", "asdf", "fnm", "pipx", "uv", "pnpm", "npm", "cargo", "rustup", "gem",
                "go", "virtualenvs",
            ]
        ),
        // A program with these keys can pose as the user to other machines.
        (
            .keys, .whole,
            [
                "keyrings", "kwalletd", "kwalletd5", "kwalletd6", "gnupg", "pki", "password-store",
                "gopass", "atuin", "remmina", "evolution", "TelegramDesktop",
            ]
        ),
    ]

    /// The reserved places in a folder of programs' states, such as `~/.local/state`.
    static let state: [Row] = [
        (.settings, .itself, [""]),
        // Shells start programs from these profiles.
        (.programs, .whole, ["nix", "home-manager"]),
    ]

    static let runtime: [Row] = [(.system, .itself, [""]), (.startup, .whole, ["systemd", "environment.d"])]

    /// The reserved places from the root. Games are installed below `/opt`, and on disks that are mounted below `/run`.
    static let system: [Row] = [
        (.system, .itself, ["/", "/dev", "/home", "/opt", "/run", "/run/user", "/var", "/var/lib", "/var/spool"]),
        (
            .system, .whole,
            [
                "/bin", "/boot", "/efi", "/etc", "/lib", "/lib32", "/lib64", "/nix", "/proc",
                "/sbin", "/snap", "/sys", "/usr", "/run/dbus", "/run/systemd", "/run/udev",
                "/var/lib/dpkg", "/var/lib/flatpak", "/var/lib/snapd", "/var/lib/systemd",
                "/var/lib/AccountsService", "/var/spool/cron", "/var/spool/at",
            ]
        ),
    ]

    /// The places of a table, below a folder.
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
