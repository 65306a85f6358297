import CommandTable
import FoundationEssentials
import Household
import LinuxPlatform

/// Where things of this user's huddle are.
struct OwnPlaces: Sendable {
    let state: String
    let socket: String
    let configuration: String
    let places: Places
    /// What the inbox may not be, nor have in it.
    let reserved: [ReservedPlace]

    init(_ given: GivenValues) {
        places = Places(ProcessInfo.processInfo.environment)
        reserved = StateFolder.reserved(given)
        state = StateFolder.path(given)
        socket = StateFolder.socket(given)
        configuration = places.namedConfiguration ?? places.configuration
    }
}
