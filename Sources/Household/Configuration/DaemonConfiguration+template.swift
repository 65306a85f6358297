extension DaemonConfiguration {
    /// All that can be set, each with what it is without.
    package static let template = """
        // How huddled is to be. Every setting may be left out; what stands here behind // is what holds then.
        // After a change: `systemctl --user reload huddled`, or SIGHUP. `huddle config check` says what is wrong.
        {
            // What others see; else what `huddle identity --set-name` has set, else the name of the machine.
            // name: "Deck",

            // The folder that takes what others send; else $XDG_DOWNLOAD_DIR or ~/Downloads.
            // inbox: "~/Downloads",

            // Where to listen, and nowhere else. Without it: where it did last, at first on 29483.
            // port: 4242,

            // Listen on this address only; else on all.
            // address: "192.168.1.20",

            // Whether others can see this machine, and whether it looks for them.
            // advertise: true,
            // browse: true,

            // Only network interfaces like these, and none like those; container bridges are left out anyway.
            // interfaces: ["eth0", "wl*"],
            // exceptInterfaces: ["wg*"],

            // A program that is called for each invitation, message, file, snapshot and conflict: that word is its argument, and what
            // happened comes on its standard input as a line of JSON, as `huddle events --json` prints it. It runs once at a time, and
            // what takes longer than hookSeconds is killed. More: docs/how-to/hook.md.
            // hook: "~/.config/huddle/hook",
            // hookSeconds: 30,

            // Whether who asks to come in is shown on the desktop, with buttons to answer; where there is no desktop, nothing is.
            // notifications: true,

            // Joins a game that another of your machines shares, if it is found on this machine. Otherwise `huddle join` does.
            // joinGames: true,
        }

        """
}
