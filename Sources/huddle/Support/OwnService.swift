import CommandTable
import Discovery
import LinuxPlatform
import Vocabulary

/// This machine's own service while it browses, where it is wanted.
struct OwnService {
    let advertiser: Advertiser
    private let door: Door

    init?(_ given: GivenValues, name: InstanceName?) throws {
        guard let name else { return nil }
        door = try Door()
        advertiser = try Advertiser(
            Advertisement(
                name,
                type: given[LookingOptions.type],
                port: door.port,
                interfaces: LookingOptions.interfaces(given)
            )
        )
    }

    func addTasks(to group: inout ThrowingTaskGroup<Void, any Error>, telling report: any BrowsingReport) {
        group.addTask { [advertiser] in await advertiser.run() }
        group.addTask { [door] in try await door.keepOpen() }
        group.addTask { [advertiser] in
            for await event in await advertiser.events() { try await report.tell(event) }
        }
    }
}
