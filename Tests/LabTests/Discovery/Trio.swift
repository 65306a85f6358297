import LabKit
import LinuxPlatform
import Testing

/// Three hosts of a lab, each of which browses and advertises its host name. A mark behind the name distinguishes it
/// from names of an earlier round in Avahi's cache.
struct Trio {
    let lab: Lab
    let members: [BrowsingHost]
    private let mark: String

    /// Starts all three at the same moment.
    init(_ lab: Lab, _ options: [String] = [], environment: [String: String] = [:], mark: String = "") async throws {
        self.lab = lab
        self.mark = mark
        members = try await withThrowingTaskGroup(of: BrowsingHost.self) { group in
            for host in lab.hosts {
                group.addTask {
                    try await BrowsingHost(host, advertising: host.name + mark, options, environment: environment)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.host.number < $1.host.number }
        }
    }

    /// The names that a member must list.
    func others(than member: BrowsingHost) -> Set<String> {
        Set(lab.hosts.map { $0.name + mark }).subtracting([member.host.name + mark])
    }

    /// Waits until each lists exactly the two others, and returns the time of each since its start.
    @discardableResult
    func areComplete(within limit: Duration = .seconds(30)) async throws -> [Duration] {
        do {
            return try await withThrowingTaskGroup(of: Duration.self) { group in
                for member in members {
                    let others = others(than: member)
                    group.addTask {
                        try await member.waits(atMost: limit) {
                            others.isSubset(of: $0.present) && (!mark.isEmpty || $0.peers.count == others.count)
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        } catch {
            // One list alone does not show which of two hosts failed.
            for member in members { Issue.record("\(member.summary)") }
            throw error
        }
    }

    func end() async {
        await withTaskGroup(of: Void.self) { group in
            for member in members { group.addTask { await member.end() } }
        }
    }
}

extension Collection where Element == Duration {
    /// The median.
    var median: Duration {
        let sorted = sorted()
        guard !sorted.isEmpty else { return .zero }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}
