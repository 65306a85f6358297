import Glibc
package import LinuxPlatform
package import SyncthingBridge
package import TestSupport
import Vocabulary
package import Workbench

/// Debian's `syncthing` with one folder. It can reach only this test, because it runs only if the loopback interface is
/// the only one of the network.
package struct RealSyncthing {
    package static let requirement = Requirement("syncthing") {
        access(program, X_OK) == 0 && (try? NetworkInterface.all())?.contains { !$0.isLoopback } == false
    }

    private static let program = "/usr/bin/syncthing"

    package let place: TestSupport.TemporaryFolder
    package let id: DeviceID
    package let address: SocketAddress
    /// The shared folder on its disk.
    package var files: String { place.path(of: "files") }
    private var process: ChildProcess

    /// Starts it with one folder that is shared with a device.
    ///
    /// - Parameters:
    ///   - port: the port on which it listens
    ///   - address: the address at which it dials the device; nil if the device dials
    package init(sharing folder: String, with device: DeviceID, port: UInt16, dialling address: SocketAddress?)
        async throws
    {
        place = TestSupport.TemporaryFolder()
        self.address = SocketAddress(.v4(127, 0, 0, 1), port: port)
        for name in ["home", "files"] { mkdir(place.path(of: name), 0o755) }
        let home = place.path(of: "home")
        _ = try await Self.run(["generate", "--home", home, "--no-default-folder", "--skip-port-probing"], place)
        let text = try await Self.run(["--home", home, "--device-id"], place)
        guard let id = DeviceID(text.trimmed) else { throw SystemError("device-id", EINVAL, on: text) }
        self.id = id
        try place.put(Self.settings(folder, id, device, place, port, address), at: "home/config.xml")
        process = try Self.start(place)
    }

    private static func start(_ place: TestSupport.TemporaryFolder) throws -> ChildProcess {
        let words = ["serve", "--no-browser", "--no-upgrade", "--home", place.path(of: "home")]
        let script = "exec >>'\(place.path(of: "log"))' 2>&1; exec \(program) \"$@\""
        var launch = launch(["-c", script, "sh"] + words, place, of: "/bin/sh")
        // Without Syncthing's monitor. If only the monitor were killed, its child would keep the database locked for
        // a moment, and the next start would fail.
        launch.environment?["STMONITORED"] = "yes"
        return try ChildProcess.launch(launch)
    }

    /// Kills it as a power cut would, and starts it again.
    package mutating func killAndStart() async throws {
        process.send(SIGKILL)
        _ = try await process.wait()
        process = try Self.start(place)
    }

    package func end() async { await process.terminate() }

    /// The last lines of its log.
    package var lastWords: String {
        (place.text(at: "log") ?? "").split(separator: "\n").suffix(20).joined(separator: "\n")
    }

    /// Puts a file into its folder, or removes it.
    package func put(_ text: String?, at name: String) throws {
        guard let text else {
            unlink("\(files)/\(name)")
            return
        }
        if let slash = name.lastIndex(of: "/") { mkdir("\(files)/\(name[..<slash])", 0o755) }
        // As a game does it: the whole file, or nothing.
        try place.put(text, at: "new")
        guard rename(place.path(of: "new"), "\(files)/\(name)") == 0 else { throw SystemError("rename") }
    }

    /// The contents of all files, without those that are Syncthing's own.
    package func contents(in folder: String = "") -> [String: String] {
        var found: [String: String] = [:]
        for name in place.names(in: "files/\(folder)") where !name.hasPrefix(".") {
            let path = folder.isEmpty ? name : "\(folder)/\(name)"
            let isFolder = access("\(files)/\(path)/.", F_OK) == 0
            found.merge(isFolder ? contents(in: path) : [path: place.text(at: "files/\(path)") ?? ""]) { $1 }
        }
        return found
    }

    /// The contents of the files that are synced.
    package var synced: [String: String] { contents().filter { BridgedName.omission(of: $0.key) == nil } }

    /// The number of copies that it made of conflicts.
    package var copies: Int { contents().keys.count { BridgedName.omission(of: $0) == .conflictCopy } }

    private static func launch(
        _ words: [String],
        _ place: TestSupport.TemporaryFolder,
        of program: String = program
    ) -> ProgramLaunch {
        var launch = ProgramLaunch(program, words)
        launch.environment = ["HOME": place.path, "PATH": "/usr/bin:/bin"]
        launch.standardOutput = .null
        return launch
    }

    private static func run(_ words: [String], _ place: TestSupport.TemporaryFolder) async throws -> String {
        var launch = launch(words, place)
        launch.standardOutput = .pipe
        let completed = try await ChildProcess.run(launch, deadline: .seconds(60))
        return completed.standardOutput.text
    }

    private static func settings(
        _ folder: String,
        _ own: DeviceID,
        _ device: DeviceID,
        _ place: TestSupport.TemporaryFolder,
        _ port: UInt16,
        _ address: SocketAddress?
    ) -> String {
        let dialled = address.map { "<address>tcp://\($0)</address>" } ?? "<address>tcp://127.0.0.1:1</address>"
        return """
            <configuration version="36">
                <folder id="\(folder)" path="\(place.path(of: "files"))" fsWatcherEnabled="false" rescanIntervalS="1">
                    <device id="\(own)"></device><device id="\(device)"></device>
                    <maxConflicts>10</maxConflicts>
                </folder>
                <device id="\(own)"><address>dynamic</address></device>
                <device id="\(device)">\(dialled)</device>
                <gui enabled="false"></gui>
                <options>
                    <listenAddress>tcp://127.0.0.1:\(port)</listenAddress>
                    <globalAnnounceEnabled>false</globalAnnounceEnabled>
                    <localAnnounceEnabled>false</localAnnounceEnabled>
                    <relaysEnabled>false</relaysEnabled>
                    <natEnabled>false</natEnabled>
                    <reconnectionIntervalS>1</reconnectionIntervalS>
                    <crashReportingEnabled>false</crashReportingEnabled>
                    <urAccepted>-1</urAccepted>
                </options>
            </configuration>
            """
    }
}

extension String {
    fileprivate var trimmed: String { String(self.prefix { !$0.isWhitespace }) }
}
