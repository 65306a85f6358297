import CommandTable
import FoundationEssentials
import Household

/// Where things of this user's huddle are.
struct OwnPlaces: Sendable {
    let state: String
    let socket: String
    let configuration: String
    let places: Places

    init(_ given: GivenValues) {
        places = Places(ProcessInfo.processInfo.environment)
        state = StateFolder.path(given)
        socket = StateFolder.socket(given)
        configuration = places.namedConfiguration ?? places.configuration
    }
}
