import Glibc
import LabKit
import LinuxPlatform
import TestSupport
import Yardstick

/// Two hosts with paired daemons.
struct Pair: Sendable {
    let near: DaemonHost
    let far: DaemonHost
    let lab: Lab

    static func meet(_ lab: Lab) async throws -> Pair {
        let pair = Pair(near: try DaemonHost(lab[1]), far: try DaemonHost(lab[2]), lab: lab)
        for host in [pair.near, pair.far] { try await host.start() }
        let inviting = try await pair.far.starts(["invite", pair.near.address])
        let code = try await inviting.shownCode() ?? ""
        try await untilDone { try await pair.near.huddle(["accept", pair.far.name, code]) }
        _ = try await inviting.complete(deadline: .seconds(60))
        return pair
    }

    /// Shares a folder of the first host with the second one. Returns once all of it is there.
    func share(_ name: String) async throws -> SharedFolder {
        let (here, there) = ("\(near.folder)/\(name)", "\(far.folder)/\(name)")
        try await near.huddle(["share", "--only-here", here, "--name", name, "--keep", "100000"])
        try await near.huddle(["share", name, "--with", far.name])
        let before = await far.counts.applied
        try await Self.untilDone { try await far.huddle(["join", name, "--at", there, "--keep", "100000"]) }
        if await far.counts.applied == before { try await far.untilApplied(beyond: before) }
        return SharedFolder(here: here, there: there)
    }

    /// Syncthing on the same two hosts for one part; nil if it is not installed.
    func syncthing(_ part: String) async throws -> SyncthingRival? {
        let place = "\(Place.disk)/syncthing-\(part)"
        try Place.make(place)
        return try await SyncthingRival(between: lab[1], and: lab[2], in: place)
    }

    func end() async throws {
        for host in [near, far] { try await host.stop() }
    }

    /// Repeats a step that a user would also try again after a moment.
    private static func untilDone(_ attempt: () async throws -> String) async throws {
        for _ in 0..<100 {
            if (try? await attempt()) != nil { return }
            try await EventLoop.shared.sleep(for: .milliseconds(100))
        }
        _ = try await attempt()
    }
}

/// The folder of a shared game.
struct SharedFolder {
    let here: String
    let there: String
}
