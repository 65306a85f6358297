import LabKit
import LinuxPlatform
import Synchronization

/// `lab private`: run a program on this machine itself, with a private Avahi if none runs.
enum PrivateCommand {
    static func run(_ words: inout Words) throws {
        guard let command = words.command, !command.isEmpty else { throw UsageError("the command comes after --") }
        try words.finish()
        let holder = Holder()
        Attendance.attend {
            try await holder.start(command)
        } cleanUp: {
            await holder.end()
        }
    }

    /// Keeps the daemons until the program has ended.
    private actor Holder {
        private var discovery: PrivateDiscovery?

        func start(_ command: [String]) async throws -> ChildProcess {
            var launch = ProgramLaunch(command[0], Array(command.dropFirst()))
            launch.standardInput = .inherited
            if await !PrivateDiscovery.isAvahiReachable() {
                let discovery = try await PrivateDiscovery.start()
                self.discovery = discovery
                Console.note(
                    "no Avahi runs here, so \(command[0]) gets one of its own until it ends"
                )
                var environment = ProgramLaunch.ownEnvironment
                environment["DBUS_SYSTEM_BUS_ADDRESS"] = discovery.busAddress
                launch.environment = environment
            }
            return try ChildProcess.launch(launch)
        }

        func end() async {
            await discovery?.end()
        }
    }
}
