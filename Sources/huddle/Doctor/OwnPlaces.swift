import CommandTable
import FoundationEssentials
import Household

/// Where things of this user's huddle are.
struct OwnPlaces: Sendable {
    let state: String
    let socket: String
    let configuration: String
    /// Whether somebody has said which file that is, so that it has to be there.
    let namesConfiguration: Bool
    let places: Places

    init(_ given: GivenValues) {
        places = Places(ProcessInfo.processInfo.environment)
        state = StateFolder.path(given)
        socket = StateFolder.socket(given)
        let named = ProcessInfo.processInfo.environment["HUDDLE_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        configuration = named ?? places.configuration
        namesConfiguration = named != nil
    }
}
