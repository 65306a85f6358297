import CommandTable
import Desktop
import Glibc
import Herald
import Household
import Ledger
import LinuxPlatform
import Session
import Vocabulary

/// What holds for one run of the daemon: its file, and what it was told when it was started.
struct DaemonSettings {
    let state: String
    let socket: String
    let inbox: String
    /// What is called when something happens.
    let hook: HookProgram?
    /// Where those who ask to come in are shown.
    let screen: Herald.Screen
    private let given: GivenValues
    private let file: DaemonConfiguration
    private let places: Places

    init(_ given: GivenValues, _ environment: [String: String]) throws {
        places = Places(environment)
        self.given = given
        // Parts of the house go by names from the root on, and others are told these paths.
        state = given[DaemonOptions.state].map(WholePath.of) ?? places.state
        socket = Places.socket(in: given[DaemonOptions.runtime].map(WholePath.of) ?? places.runtime(for: state))
        file = try Self.read(given[DaemonOptions.configuration], else: places.configuration)
        inbox = given[DaemonOptions.into].map(WholePath.of) ?? file.inbox.map(places.whole) ?? places.inbox
        screen = file.notifies ? .desktop(Desktop(environment)) : .off
        hook = file.hook.map { [state, file, places] path in
            HookProgram(at: places.whole(path), limit: file.hookLimit, from: environment, state: state)
        }
    }

    /// A file that was named has to be there.
    private static func read(_ named: String?, else usual: String) throws -> DaemonConfiguration {
        do {
            return try DaemonConfiguration(try ConfigurationFile(at: named ?? usual).bytes())
        } catch let error as SystemError where error.number == ENOENT && named == nil {
            return DaemonConfiguration()
        }
    }

    /// What holds, and where each of it comes from.
    func effective(kept: InstanceName?) -> EffectiveSettings {
        typealias Said = EffectiveSettings.Said
        func said<Value: Sendable>(_ option: Option<Value>, as value: String? = nil) -> Said? {
            given.said(option).map { said in
                Said(value ?? said.text, said.variable.map { .environment($0) } ?? .option(said.option))
            }
        }
        let told: [EffectiveSettings.Key: Said?] = [
            .name: said(DaemonOptions.name), .inbox: said(DaemonOptions.into, as: inbox),
            .port: said(DaemonOptions.port), .address: said(DaemonOptions.address),
            .advertise: said(DaemonOptions.noAdvertise, as: "\(!given[DaemonOptions.noAdvertise])"),
            .browse: said(DaemonOptions.noBrowse, as: "\(!given[DaemonOptions.noBrowse])"),
            .type: said(DaemonOptions.type, as: "\(given[DaemonOptions.type])"),
            .configuration: said(DaemonOptions.configuration), .state: said(DaemonOptions.state, as: state),
            .socket: said(DaemonOptions.runtime, as: socket),
        ]
        return EffectiveSettings(file, places, kept: kept, said: told.compactMapValues(\.self))
    }

    /// What the node is to be like.
    func node(_ ledger: Ledger) async throws -> NodeConfiguration {
        let kept = try await ledger.displayName()
        let name = given[DaemonOptions.name] ?? file.name ?? kept ?? MachineName.own
        var node = NodeConfiguration(folder: state, name: name)
        node.program = Release.program
        node.serviceType = given[DaemonOptions.type]
        node.interfaces = file.interfaces
        node.port = given[DaemonOptions.port] ?? file.port ?? 0
        node.address = try given[DaemonOptions.address].map(DaemonConfiguration.address) ?? file.address
        node.advertises = file.advertises && !given[DaemonOptions.noAdvertise]
        node.browses = file.browses && !given[DaemonOptions.noBrowse]
        return node
    }
}
