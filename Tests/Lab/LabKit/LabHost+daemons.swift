import LinuxPlatform

/// The host's own daemons.
private enum Daemon {
    static let bus = "bus"
    static let avahi = "avahi"
}

extension LabHost {
    /// Starts Avahi and waits until it has registered the host's name.
    public func startAvahi() async throws {
        let command = [
            "avahi-daemon", "--no-drop-root", "--no-chroot", "--no-rlimits", "--file", "/run/huddle-lab/avahi.conf",
        ]
        let words = [Daemon.avahi, "Server startup complete"] + command
        try await perform("start Avahi", Scripts.startDaemon, words)
    }

    /// Ends Avahi in order, so that it sends a goodbye for every service. Does nothing if it has ended already.
    public func stopAvahi() async throws {
        try await perform("stop Avahi", Scripts.stopDaemon, [Daemon.avahi, "TERM"])
    }

    /// Kills Avahi, so that it sends no goodbye.
    public func killAvahi() async throws {
        try await perform("kill Avahi", Scripts.stopDaemon, [Daemon.avahi, "KILL"])
    }

    /// Ends Avahi in order and starts it again.
    public func restartAvahi() async throws {
        try await stopAvahi()
        try await startAvahi()
    }

    /// Starts the system bus and waits until it listens.
    public func startBus() async throws {
        let command = [
            "dbus-daemon", "--config-file=/run/huddle-lab/bus.conf", "--nofork", "--nopidfile", "--print-address",
        ]
        try await perform("start the bus", Scripts.startDaemon, [Daemon.bus, "unix:path="] + command)
    }

    /// Ends the system bus. Avahi can't run without it and ends itself. Returns once it has.
    public func stopBus() async throws {
        try await perform("stop the bus", Scripts.stopDaemon, [Daemon.bus, "TERM"])
        try await perform("see Avahi end", Scripts.awaitDaemonEnd, [Daemon.avahi])
    }

    /// Restarts the system bus, and also Avahi if it was running, as systemd does.
    public func restartBus() async throws {
        let hadAvahi = try await isAvahiRunning()
        try await stopBus()
        try await startBus()
        if hadAvahi { try await startAvahi() }
    }

    /// Returns true if Avahi runs on the host.
    public func isAvahiRunning() async throws -> Bool {
        try await room.run(Scripts.daemonRuns, [Daemon.avahi]).status.isSuccess
    }

    /// The log of Avahi since its last start.
    public func avahiLog() async throws -> String {
        try await run(["cat", "/run/huddle-lab/\(Daemon.avahi).log"]).standardOutput.text
    }
}
