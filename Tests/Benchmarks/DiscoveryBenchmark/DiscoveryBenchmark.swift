import Glibc
import LabKit
import LinuxPlatform

/// The time until many services of another host are found, beside Avahi's own tool in the same run, and the costs of an
/// idle browser.
///
/// Without arguments it starts a lab and runs itself on its hosts, with `advertise N` and `browse N`.
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
