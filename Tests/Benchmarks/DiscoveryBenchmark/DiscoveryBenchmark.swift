import Glibc
import LabKit
import LinuxPlatform

/// How long it takes to see many services of another host, beside Avahi's own tool in the same run, and what a browser
/// costs while nothing happens.
///
/// Without words it brings up a lab and runs itself on its hosts: `advertise N` and `browse N` are those parts.
@main
enum DiscoveryBenchmark {
    static let services = 100

    static func main() {
        Program.run { _ in
            do {
                try await run(Array(CommandLine.arguments.dropFirst()))
                return 0
            } catch {
                print("discovery-benchmark: \(error)")
                return 1
            }
        }
    }

    private static func run(_ words: [String]) async throws {
        switch (words.first, words.dropFirst().first.flatMap { Int($0) }) {
        case (nil, _): try await Comparison().run()
        case ("advertise"?, let count?): try await AdvertisingPart(count).run()
        case ("browse"?, let count?): await BrowsingPart(count).run()
        default: throw SystemError("read the command line", EINVAL, on: words.joined(separator: " "))
        }
    }
}
