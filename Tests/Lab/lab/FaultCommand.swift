import LabKit

/// Commands that break a part of a host, or repair it.
enum FaultCommand {
    static func run(_ verb: String, _ words: inout Words) throws {
        guard let action = try action(verb, &words) else { throw UsageError("there is no command “\(verb)”") }
        let lab = try words.lab()
        let host = try words.host(of: lab)
        try words.finish()
        runToEnd { try await action(host) }
    }

    private static func action(
        _ verb: String,
        _ words: inout Words
    ) throws -> (@Sendable (LabHost) async throws -> Void)? {
        switch verb {
        case "cut": { try await $0.cutCable() }
        case "plug": { try await $0.plugCable() }
        case "isolate": { try await $0.isolate() }
        case "rejoin": { try await $0.rejoin() }
        case "impair": try impair(&words)
        case "clear": { try await $0.clearImpairment() }
        case "stop-avahi": { try await $0.stopAvahi() }
        case "start-avahi": { try await $0.startAvahi() }
        case "restart-avahi": { try await $0.restartAvahi() }
        case "kill-avahi": { try await $0.killAvahi() }
        case "stop-bus": { try await $0.stopBus() }
        case "start-bus": { try await $0.startBus() }
        case "restart-bus": { try await $0.restartBus() }
        default: nil
        }
    }

    private static func impair(_ words: inout Words) throws -> @Sendable (LabHost) async throws -> Void {
        let impairment = try words.impairment()
        return { try await $0.impair(impairment) }
    }
}
