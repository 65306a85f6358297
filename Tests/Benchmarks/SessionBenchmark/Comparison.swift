import FoundationEssentials
import Glibc
import LabKit
import LinuxPlatform
import Transport
import Vocabulary
import Yardstick

/// Two hosts of a lab, on which the comparison and Huddle run in turns.
struct Comparison {
    static let partNames = ["file", "disk", "line", "folder", "messages", "busy", "stream", "peers", "idle", "crowd"]

    private let parts: [String]

    init(parts: [String]) throws {
        guard parts.allSatisfy(Self.partNames.contains) else { throw BadWord(words: parts) }
        self.parts = parts.isEmpty ? Self.partNames : parts
    }

    func run() async throws {
        try Place.make()
        defer { try? Place.remove() }
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let parts = parts
        try await Lab.with(hosts: 2, startsDaemons: false) { lab in
            let bench = try Bench(lab: lab, program: own)
            for part in parts { try await Self.measure(part, bench) }
        }
    }

    private static func measure(_ part: String, _ bench: Bench) async throws {
        switch part {
        case "file": try await FilePart(bench, in: Place.memory).run()
        case "disk": try await FilePart(bench, in: Place.disk).run()
        case "line": try await FilePart(bench, in: Place.memory, rounds: 3).runOverLines()
        case "folder": try await FolderPart(bench).run()
        case "messages": try await MessagesPart(bench).run()
        case "busy": try await MessagesPart(bench).runWhileBusy()
        case "stream": try await StreamPart(bench).run()
        case "peers": try await PeersPart(bench).run()
        case "idle": try await IdlePart(bench).run()
        default: try await bench.crowds()
        }
    }
}

extension Bench {
    fileprivate func crowds() async throws {
        for shape in ["star", "mesh"] {
            let crowd = try await finish(lab[1].start([program, "gather", shape, "50"]))
            say(
                "50 peers and their host in one \(shape), one process: all connected after \(text(crowd["connect"])) s; "
                    + "\(Int(crowd["messages"])) messages from each to all in \(text(crowd["exchange"])) s; "
                    + "\(text(crowd["nodes"], 0)) KiB for a node alone, \(text(crowd["links"], 0)) KiB more with its links; "
                    + "\(text(crowd["resident"] / 1024, 0)) MiB and \(Int(crowd["threads"])) threads in all"
            )
        }
    }
}
