import LabKit
import LinuxPlatform

/// Commands about a lab as a whole.
enum LabCommand {
    static func list(_ words: inout Words) throws {
        try words.finish()
        let folder = try LabFolder()
        for name in try folder.names() {
            let hosts = try folder.visit(name).hosts.map { "\($0.number) \($0.name) \($0.address)" }
            Console.say("\(name): \(hosts.joined(separator: ", "))")
        }
    }

    static func end(_ words: inout Words) throws {
        let name = try words.labName()
        try words.finish()
        let folder = try LabFolder()
        runToEnd { try await folder.end(name) }
    }

    static func measure(_ words: inout Words) throws {
        let lab = try words.lab()
        let (from, to) = (try words.host(of: lab), try words.host(of: lab))
        try words.finish()
        runToEnd {
            Console.say("\(try await from.ping(to, count: 200))")
            let rate = try await from.pour(to: to)
            Console.say("\((Double(rate) / 1e6).rounded()) Mbit/s over one TCP connection")
        }
    }
}
