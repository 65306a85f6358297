import Control
import Household
import LinuxPlatform
import SaveRules
import SaveSync
import Session
import Vocabulary

/// Requests about single saves.
@Engine
struct StateRoutes: GameRoutes {
    let games: GameAccess

    var table: [ControlRoute] {
        [
            ControlRoute(.sendSave) { call in try await self.push(call) }
        ]
    }

    private func push(_ call: RouteCall) async throws -> RouteAnswer {
        let fields = try call.fields("peer", "path", "set", "as", "wait")
        let (typed, path) = try RouteCall.asked { (try fields.text("peer"), try fields.text("path")) }
        let (set, place) = try RouteCall.asked { (try fields.text("set"), try fields.text("as")) }
        let wait = try RouteCall.asked { try fields.number("wait") } ?? 10
        guard let typed, let path, path.hasPrefix("/"), (0...3600).contains(wait) else {
            throw HouseholdError(
                ErrorCode(.invalid, "control.bad-request"),
                "“peer” and an absolute “path” are needed; “wait” is 0 to 3600 seconds",
                nextStep: "give both"
            )
        }
        let destination = try set.map { StateDelivery.Destination.set(try SaveSetName($0)) } ?? .inbox
        let archive = try await Self.read(path)
        let peer = try await MachineLookup(household.node.ledger).find(typed)
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        guard let place = try? SavePath(place ?? name),
            let delivery = StateDelivery(to: destination, at: place, byteCount: archive.count)
        else { throw HouseholdError.badPlace(place ?? name) }
        return .follow { tell in
            let push = StatePush(household: self.household, delivery: delivery, archive: archive, peer: peer)
            let there = try await push.run(within: .seconds(wait))
            self.household.node.note("state-sent", about: peer.id, delivery.details)
            let sentence = "\(peer) has it" + (set.map { " in \(PrintableText($0))" } ?? "") + ": \(there)"
            let event = PushedEvent(
                peer,
                path: delivery.path.text,
                bytes: UInt64(archive.count),
                game: set,
                result: there
            )
            try await tell(DaemonLine(.pushed(event), sentence))
            try await tell(DaemonLine.done())
        }
    }

    /// The contents of a file that is a sound archive within the size limit.
    private static func read(_ path: String) async throws -> [UInt8] {
        try await runBlocking("state") {
            do {
                let bytes = try FolderPath.bytes(of: path, limit: StateDelivery.maximumByteCount)
                try ArchiveCheck.check(bytes)
                return bytes
            } catch let error as SystemError {
                throw HouseholdError.unreadable(path, error)
            } catch let error as any ExplainedError {
                throw HouseholdError.unsound(path, error)
            }
        }
    }
}

extension HouseholdError {
    fileprivate static func badPlace(_ typed: String) -> HouseholdError {
        HouseholdError(
            ErrorCode(.invalid, "state.bad-place"),
            "“\(PrintableText(typed, limit: 255))” is not a valid path, or the file is empty",
            nextStep: "name its path there with --as, such as slots/1.save"
        )
    }

    nonisolated fileprivate static func unsound(_ path: String, _ error: any ExplainedError) -> HouseholdError {
        HouseholdError(
            error.code,
            "“\(PrintableText(path, limit: 4096))” is not a sound save: \(error.message)",
            nextStep: error.nextStep
        )
    }

    nonisolated fileprivate static func unreadable(_ path: String, _ error: SystemError) -> HouseholdError {
        HouseholdError(
            ErrorCode(.unreadable, "state.unreadable"),
            "“\(PrintableText(path, limit: 4096))” can't be read (\(error))",
            nextStep: "check the path; the file may have at most 16 MiB"
        )
    }
}
