import Glibc
import LinuxPlatform
import Vocabulary

/// Syncthing on two hosts with one shared folder, as the rival of a benchmark. The benchmark reports each change to it
/// at once, so that the interval of its scans does not count.
public struct SyncthingRival: Sendable {
    /// The folder of the sending host.
    public let here: String
    /// The folder that receives the changes.
    public let there: String
    private let near: LabHost
    private let far: LabHost
    private let daemons: [ChildProcess]

    private static let program = "/usr/bin/syncthing"
    private static let key = "benchmark"

    /// Starts both, and returns once they are connected; nil if the program is missing.
    ///
    /// - Parameter place: a folder that both hosts see, also for Syncthing's own files
    public init?(between near: LabHost, and far: LabHost, in place: String) async throws {
        guard access(Self.program, X_OK) == 0, access("/usr/bin/curl", X_OK) == 0 else { return nil }
        (self.near, self.far) = (near, far)
        (here, there) = ("\(place)/here/files", "\(place)/there/files")
        try await Self.run(on: near, Self.configuration(near, far, place))
        var daemons: [ChildProcess] = []
        for (host, name) in [(near, "here"), (far, "there")] {
            let words = [Self.program, "serve", "--no-browser", "--no-upgrade", "--no-restart", "--home"]
            // Syncthing logs to its standard output, which is not read.
            let script = "exec \(words.joined(separator: " ")) \(place)/\(name)/kept > \(place)/\(name)/log"
            daemons.append(try await host.start(["sh", "-c", script], environment: ["HOME": "\(place)/\(name)"]))
        }
        self.daemons = daemons
        let haveMet = #"\#(Self.asked(far, "system/connections")) | grep -q '"connected": true'"#
        try await Self.run(on: near, "until \(haveMet); do sleep 0.1; done")
    }

    /// Syncs all changes, and returns the seconds until the receiver has this number of files and needs none.
    public func copy(files: Int) async throws -> Double {
        let state = #""localFiles":\#(files),.*"needTotalItems":0,.*"state":"idle""#
        return try await copy("\(Self.asked(far, "db/status?folder=f")) | tr -d ' \\n' | grep -q '\(state)'")
    }

    /// Syncs the change of a part of a file, and returns the seconds until the receiver has the same part.
    public func copy(file: String, at place: Int = 0, count: Int) async throws -> Double {
        try await copy("cmp -s -i \(place) -n \(count) \(here)/\(file) \(there)/\(file)")
    }

    /// Ends both daemons.
    public func end() async {
        for daemon in daemons { await daemon.terminate() }
    }

    private func copy(_ isThere: String) async throws -> Double {
        let start = ContinuousClock.now
        let scan = Self.asked(near, "db/scan?folder=f", "-X POST")
        try await Self.run(on: near, "\(scan) && until \(isThere); do sleep 0.01; done")
        let (seconds, rest) = (ContinuousClock.now - start).components
        return Double(seconds) + Double(rest) / 1e18
    }

    private static func asked(_ host: LabHost, _ path: String, _ options: String = "") -> String {
        "curl -sf \(options) -H 'X-API-Key: \(key)' 'http://\(host.address):8384/rest/\(path)'"
    }

    private static func run(on host: LabHost, _ script: String) async throws {
        let result = try await host.run(["sh", "-c", script], deadline: .seconds(300))
        guard result.status.isSuccess else {
            throw LabError(
                "lab.rival",
                "syncthing \(result.status): \(LastWords(result.standardError.text))",
                nextStep: "try it by hand in `make lab`"
            )
        }
    }

    /// Makes keys for both, and settings that keep to the two hosts. All other settings, also flushing, are the
    /// defaults.
    private static func configuration(_ near: LabHost, _ far: LabHost, _ place: String) -> String {
        func settings(_ host: LabHost, _ name: String) -> String {
            """
            cat > \(place)/\(name)/kept/config.xml <<END
            <configuration version="36">
                <folder id="f" path="\(place)/\(name)/files" fsWatcherEnabled="false" rescanIntervalS="0">
                    <device id="$near"></device><device id="$far"></device>
                </folder>
                <device id="$near"><address>tcp://\(near.address):22000</address></device>
                <device id="$far"><address>tcp://\(far.address):22000</address></device>
                <gui enabled="true"><address>\(host.address):8384</address><apikey>\(key)</apikey></gui>
                <options>
                    <listenAddress>tcp://\(host.address):22000</listenAddress>
                    <globalAnnounceEnabled>false</globalAnnounceEnabled>
                    <localAnnounceEnabled>false</localAnnounceEnabled>
                    <relaysEnabled>false</relaysEnabled>
                    <natEnabled>false</natEnabled>
                    <reconnectionIntervalS>1</reconnectionIntervalS>
                    <crashReportingEnabled>false</crashReportingEnabled>
                    <urAccepted>-1</urAccepted>
                </options>
            </configuration>
            END
            """
        }
        return """
            set -e
            export HOME=\(place)
            for name in here there; do
                mkdir -p \(place)/$name/kept \(place)/$name/files
                \(program) generate --home \(place)/$name/kept --no-default-folder --skip-port-probing > /dev/null
            done
            near=$(\(program) --home \(place)/here/kept --device-id)
            far=$(\(program) --home \(place)/there/kept --device-id)
            \(settings(near, "here"))
            \(settings(far, "there"))
            """
    }
}
