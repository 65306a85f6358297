extension DaemonConfiguration {
    /// A file with every setting and its default.
    package static let template = """
        // The settings of huddled. Each may be left out; the value behind // is its default.
        // After a change: `systemctl --user reload huddled`, or SIGHUP. `huddle config check` finds faults.
        {
            // The name that others see (default: the one of `huddle identity --set-name`, else the machine's).
            // name: "Deck",

            // The folder of received files (default: $XDG_DOWNLOAD_DIR or ~/Downloads).
            // inbox: "~/Downloads",

            // The port (default: the last one, at first 29483, else a free port).
            // port: 4242,

            // The address to listen on (default: all).
            // address: "192.168.1.20",

            // Advertising this machine on the network, and looking for other machines.
            // advertise: true,
            // browse: true,

            // Network interfaces to use (default: all), and to leave out. Those of containers are left out anyway.
            // interfaces: ["eth0", "wl*"],
            // exceptInterfaces: ["wg*"],

            // A program that the daemon calls for each invitation, message, file, version and conflict. Its argument is
            // the kind of event. Its standard input is the event as a line of JSON, as `huddle events --json` prints
            // it. One runs at a time, and is killed after hookSeconds. More: docs/how-to/hook.md.
            // hook: "~/.config/huddle/hook",
            // hookSeconds: 30,

            // Notifications on the desktop for machines that ask to pair, with buttons to answer.
            // notifications: true,

            // Joining games that another of your machines shares, if they are found here. Without it: `huddle join`.
            // joinGames: true,

            // Sharing games with all of your machines as they are found here. Without it: `huddle share`.
            // shareFound: false,

            // Bytes a second with which files, saves and streams go out and come in, over all machines together,
            // such as "5MB" or "500KiB".
            // sendLimit: "none",
            // receiveLimit: "none",
        }

        """
}
