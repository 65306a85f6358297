import CommandTable
import Discovery
import LinuxPlatform
import Vocabulary

/// The service that this machine advertises while it browses, with `--advertise`.
struct OwnService {
    let advertiser: Advertiser
    private let port: PlaceholderPort

    init?(_ given: GivenValues, name: InstanceName?) throws {
        guard let name else { return nil }
        port = try PlaceholderPort()
        advertiser = try Advertiser(
            Advertisement(
                name,
                type: given[LookingOptions.type],
                port: port.port,
                interfaces: LookingOptions.interfaces(given)
            )
        )
    }

    func addTasks(to group: inout ThrowingTaskGroup<Void, any Error>, telling report: any BrowsingReport) {
        group.addTask { [advertiser] in await advertiser.run() }
        group.addTask { [port] in try await port.run() }
        group.addTask { [advertiser] in
            for await event in await advertiser.events() { try await report.tell(event) }
        }
    }
}
