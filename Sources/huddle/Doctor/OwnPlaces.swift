import CommandTable
import FoundationEssentials
import Household
import LinuxPlatform

/// The paths of this user's state, socket and settings.
struct OwnPlaces: Sendable {
    let state: String
    let socket: String
    let configuration: String
    let places: Places
    /// The paths that the inbox must neither be nor contain.
    let reserved: [ReservedPlace]

    init(_ given: GivenValues) {
        places = Places(ProcessInfo.processInfo.environment)
        state = StateFolder.path(given)
        socket = StateFolder.socket(given)
        let own = [state, places.state, places.configuration, socket]
        reserved = own.map { ReservedPlace($0, .own, .itself) } + places.reserved()
        configuration = places.namedConfiguration ?? places.configuration
    }
}
